// @ts-check
/**
 * The learner's progress: kept in the browser, and in the account that is signed in. A guest's progress goes into the
 * account with the first page that is opened after signing up or in.
 */

import { call, Refusal } from "/static/parts/api.js";
import { t } from "/static/parts/texts.js";

const KEY = "fullprime.learning";

/** @typedef {{step: number, done: boolean, right: number, asked: number}} Mark */
/**
 * @typedef {{owner: string | null, lessons: Record<string, Mark>}} Kept owner: the account it belongs to, null for a guest
 */

/**
 * True for a lesson that was followed to its end, and of whose quiz at least half was right at the first try.
 * @param {Mark | undefined} mark
 */
export const isDone = (mark) => Boolean(mark?.done) && 2 * (mark?.right ?? 0) >= (mark?.asked ?? 0);

/** @returns {Kept} */
export function storedProgress() {
  try {
    return { owner: null, lessons: {}, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { owner: null, lessons: {} };
  }
}

/** @param {Kept} all */
function storeProgress(all) {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    /* A browser that keeps nothing still shows lessons. */
  }
}

/** The better of both. @param {Mark | undefined} one @param {Mark} other @returns {Mark} */
function betterMark(one, other) {
  if (!one) return other;
  const share = (/** @type {Mark} */ mark) => (mark.asked ? mark.right / mark.asked : -1);
  const best = share(one) >= share(other) ? one : other;
  return { step: Math.max(one.step, other.step), done: one.done || other.done, right: best.right, asked: best.asked };
}

/**
 * The progress of this browser, merged with that of the account.
 * @param {string | null} name of the account, null for a guest
 * @returns {Promise<Record<string, Mark>>}
 */
export async function syncProgress(name) {
  const here = storedProgress();
  if (!name) return here.owner ? {} : here.lessons;
  // An account does not get the progress of another account in the same browser.
  const own = here.owner === null || here.owner === name ? here.lessons : {};
  try {
    const { lessons } = await call("/learn/progress", { lessons: own });
    storeProgress({ owner: name, lessons });
    return lessons;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return own;
  }
}

/**
 * Note a mark; gives the server's refusal in words, or "".
 * @param {string | null} name
 * @param {string} lesson
 * @param {Mark} mark
 */
export async function noteMark(name, lesson, mark) {
  const here = storedProgress();
  const before = here.owner === name ? here.lessons : {};
  storeProgress({ owner: name, lessons: { ...before, [lesson]: betterMark(before[lesson], mark) } });
  if (!name) return "";
  try {
    await call("/learn/progress", { lessons: { [lesson]: mark } });
    return "";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return t`Not stored in your account: ${error.message} This browser keeps it.`;
  }
}
