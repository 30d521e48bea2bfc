// @ts-check
/** What is tried on the board in place of what was done: another play, or the other action with the cube. */

import { CLOSE } from "/static/board/depths.js";
import { other } from "/static/board/numbering.js";
import { askEngine } from "/static/parts/jobs.js";
import { el } from "/static/parts/page.js";
import { decimal, t } from "/static/parts/texts.js";
import { signed } from "/static/parts/words.js";
import { optionWords } from "/static/review/judgement.js";

/** @typedef {import("/static/review/plies.js").Ply} Ply */
/**
 * What was tried, with its loss, which is NaN where it is not known; `action` for one with the cube.
 * @typedef {{text: string, loss: number, equity?: number, arrows: [number, number][], mark: string, action?: boolean,
 *   proper?: string | null}} Tried
 */

/** The kinds of decisions with the cube. In each there are two options: the action that was taken, and the other one. */
const CUBE = ["double", "take"];

/** What the engine says of a board; null where it has no opinion. @param {any} view @returns {Promise<any>} */
async function askAbout(view) {
  if (!view?.setup) return null;
  const { done } = askEngine({ kind: "analyse", setup: view.setup, level: "1-ply" });
  return (await done.catch(/** @returns {null} */ () => null))?.result;
}

/**
 * A play made on the board: one of the options, or one whose loss the engine tells.
 * @param {import("/static/board/tree.js").Walk} walk @param {any} judgement @returns {Promise<Tried>}
 */
export async function judgePlay(walk, { decision, board: view }) {
  const side = view.on_roll;
  const after = JSON.stringify(walk.apply(view.points[side], view.points[other(side)]));
  const reaches = (/** @type {any} */ candidate) => JSON.stringify(candidate.after) === after;
  const option = decision?.options.find(reaches);
  if (option) return option;
  const play = (await askAbout(view))?.plays?.find(reaches);
  return play
    ? { ...play, text: play.play }
    : { text: walk.moves.join(" "), loss: NaN, arrows: [], mark: "error" /* not a text */ };
}

/**
 * The action with the cube that can be tried at a ply, and the event at which it is judged: the one that was not taken;
 * before a roll the double. Null where there is none.
 * @param {any} match @param {number} at @param {any} judgement
 * @returns {{label: string, event: number} | null}
 */
export function otherAction(match, at, judgement) {
  const { game, event, kind, owner, player, value } = /** @type {Ply} */ (match.plies[at]);
  if (!judgement) return null;
  const { decision } = judgement;
  if (decision && CUBE.includes(decision.kind)) return { label: notTaken(decision).text, event };
  const isFirst = match.plies[at - 1]?.game !== game;
  if (kind !== "play" || !match.cube || isFirst || match.rounds[game - 1].crawford) return null;
  if (owner ? owner !== player : value > 1) return null;
  return { label: owner ? "redouble" : "double" /* not a text */, event: event - 1 };
}

/** The best of the options that were not taken. @param {any} decision */
const notTaken = ({ options, chosen }) => options[chosen === 0 ? 1 : 0];

/**
 * The action that was not taken, as the review judged it at its event; a double it did not judge, as the engine does.
 * @param {any} detail the judgement at that event, with the board @param {string} label @returns {Promise<Tried>}
 */
export async function judgeAction({ decision, board: view }, label) {
  const shared = { arrows: [], mark: "error" /* not a text */, action: true };
  if (decision && CUBE.includes(decision.kind)) return { ...notTaken(decision), ...shared, proper: decision.proper };
  const cube = (await askAbout(view))?.cube;
  if (typeof cube?.double_take !== "number") return { ...shared, text: label, loss: NaN };
  const equity = Math.min(cube.double_take, cube.double_drop);
  const loss = Math.max(0, cube.no_double - equity);
  return { ...shared, text: label, loss, equity, proper: cube.action };
}

/** Sentences about what was tried. @param {Tried} tried @returns {HTMLElement[]} */
export function triedSentences({ text, loss, equity, action, proper }) {
  const name = optionWords(text, action ? "cube" : "play");
  const words = Number.isNaN(loss)
    ? t`${name} cannot be judged here.`
    : loss <= CLOSE
      ? t`${name} is right.`
      : t`${name} loses ${decimal(loss, 3)}.`;
  return [
    el("p", { class: `lesson-words ${loss <= CLOSE ? "right" : "wrong"}` }, t`You tried: ${words}`),
    ...(equity === undefined ? [] : [el("p", {}, t`Equity ${signed(equity)}.`)]),
    ...(proper ? [el("p", {}, t`Proper action: ${t(proper)}.`)] : []),
  ];
}

/** A ply with the cube as it is after the action that was tried. @param {Ply} ply @param {Tried | null} tried @returns {Ply} */
export function withTried(ply, tried) {
  if (!tried?.action || CUBE.includes(ply.kind)) return ply;
  return ply.offered === null
    ? { ...ply, offered: 2 * ply.value }
    : { ...ply, value: ply.offered, owner: ply.player, offered: null };
}
