// @ts-check
/**
 * How far this person has come: kept in the browser, and in the account of whoever is signed in. What a guest has done
 * goes into the account with the first page that is opened after signing up or in.
 */

import { Refusal, call } from "/static/parts/api.js";
import { t } from "/static/parts/texts.js";

const KEY = "fullprime.learning";

/** @typedef {{step: number, done: boolean, right: number, asked: number}} Mark */
/** @typedef {{owner: string | null, lessons: Record<string, Mark>}} Kept owner: the account it belongs to, null for a guest */

/** @returns {Kept} */
export function kept() {
  try { return { owner: null, lessons: {}, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") }; } catch { return { owner: null, lessons: {} }; }
}

/** @param {Kept} all */
function keep(all) {
  try { localStorage.setItem(KEY, JSON.stringify(all)); } catch { /* A browser that keeps nothing still shows lessons. */ }
}

/** The better of both. @param {Mark | undefined} one @param {Mark} other @returns {Mark} */
function better(one, other) {
  if (!one) return other;
  const share = (/** @type {Mark} */ mark) => (mark.asked ? mark.right / mark.asked : -1);
  const best = share(one) >= share(other) ? one : other;
  return { step: Math.max(one.step, other.step), done: one.done || other.done, right: best.right, asked: best.asked };
}

/** What is known, with that of the account. @param {string | null} name of the account, null for a guest @returns {Promise<Record<string, Mark>>} */
export async function together(name) {
  const here = kept();
  if (!name) return here.owner ? {} : here.lessons;
  // Whoever signs in after somebody else does not get what that person has done.
  const own = here.owner === null || here.owner === name ? here.lessons : {};
  try {
    const { lessons } = await call("/school/progress", { lessons: own });
    keep({ owner: name, lessons });
    return lessons;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return own;
  }
}

/** Note a mark; gives what the server says against it, or "". @param {string | null} name @param {string} lesson @param {Mark} mark */
export async function note(name, lesson, mark) {
  const here = kept(), before = here.owner === name ? here.lessons : {};
  keep({ owner: name, lessons: { ...before, [lesson]: better(before[lesson], mark) } });
  if (!name) return "";
  try {
    await call("/school/progress", { lessons: { [lesson]: mark } });
    return "";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return t`Not stored in your account: ${error.message} This browser keeps it.`;
  }
}
