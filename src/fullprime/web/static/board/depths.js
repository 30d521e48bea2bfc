// @ts-check
/** How far the engine looked, in words, and which losses are next to nothing. */

import { decimal, plural, t } from "/static/parts/texts.js";

/** The loss in equity up to which a play counts as right: next to nothing. */
export const CLOSE = 0.005;

/** @param {number} depth */
const plies = (depth) => (depth === 0 ? t("static") : t`${depth}-ply`);

/**
 * @param {number} depth plies
 * @param {number} [trials] joined with it
 * @param {number} [error] standard error of that
 * @returns {string}
 */
export const depthWords = (depth, trials = 0, error = 0) =>
  trials ? t`${plies(depth)}, ${trials} trials ± ${decimal(error, 4)}` : plies(depth);

/** The sentence below a list of plays that has losses between two depths. */
export const ROUGH = t("≈ compares two depths: the best play was looked at further than this one.");

/**
 * Plays of one depth that follow each other.
 * @template {{depth: number, deviation?: number | null}} T
 * @param {T[]} plays
 * @returns {T[][]}
 */
export function groupsOf(plays) {
  const groups = /** @type {T[][]} */ ([]);
  for (const play of plays) {
    const newest = groups[groups.length - 1];
    if (newest && depthKey(newest[0]) === depthKey(play)) newest.push(play);
    else groups.push([play]);
  }
  return groups;
}

/**
 * The depth of a play as a key, not a text: plays of different keys are not compared without a word.
 * @param {{depth: number, deviation?: number | null}} play
 */
const depthKey = ({ depth, deviation }) => (typeof deviation === "number" ? "rolled" : String(depth));

/** The head of a group of plays. @param {{depth: number, deviation?: number | null}} play */
export function groupWords(play) {
  if (depthKey(play) === "rolled") return t("Rolled out");
  return play.depth
    ? plural(play.depth, "Looked at {n} ply ahead", "Looked at {n} plies ahead")
    : t("Judged statically, without look-ahead");
}

/**
 * Whether the loss of a play compares two depths.
 * @param {{depth: number, deviation?: number | null}} play
 * @param {{depth: number, deviation?: number | null}} best
 */
export const isRough = (play, best) => depthKey(play) !== depthKey(best);

/**
 * The colour and mark of a play's loss: a loss between two depths is too rough to be called an error.
 * @param {{depth: number, deviation?: number | null}} play
 * @param {{depth: number, deviation?: number | null}} best
 * @param {string} kind
 */
export const fairly = (play, best, kind) => (isRough(play, best) ? "rough" : kind);

/** How a list of plays is ordered, in words. @param {{depth: number, deviation?: number | null}[]} plays */
export const orderWords = (plays) =>
  groupsOf(plays).length > 1 ? t("those looked at furthest first") : t("the best first");
