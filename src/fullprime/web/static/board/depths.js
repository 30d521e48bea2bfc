// @ts-check
/** Words for how far the engine looked. */

import { plural, t } from "/static/parts/texts.js";

/** @param {number} depth */
const plies = (depth) => (depth === 0 ? t("static") : t`${depth}-ply`);

/** @param {number} depth plies @param {number} [trials] joined with it @param {number} [error] standard error of that @returns {string} */
export const depthWords = (depth, trials = 0, error = 0) =>
  (trials ? t`${plies(depth)}, ${trials} trials ± ${error.toFixed(4)}` : plies(depth));

/** The sentence below a list of plays that has losses between two depths. */
export const ROUGH = t("≈ compares two depths: the best play was looked at further than this one.");

/** Plays of one depth that follow each other. @template {{depth: number, deviation?: number | null}} T @param {T[]} plays @returns {T[][]} */
export function groupsOf(plays) {
  const found = /** @type {T[][]} */ ([]);
  for (const play of plays) {
    const newest = found[found.length - 1];
    if (newest && looked(newest[0]) === looked(play)) newest.push(play);
    else found.push([play]);
  }
  return found;
}

/** How far a play was looked at, not a text: what differs is not compared without a word. @param {{depth: number, deviation?: number | null}} play */
const looked = ({ depth, deviation }) => (typeof deviation === "number" ? "rolled" : String(depth));

/** The head of a group of plays. @param {{depth: number, deviation?: number | null}} play */
export function groupWords(play) {
  if (looked(play) === "rolled") return t("Rolled out");
  return play.depth ? plural(play.depth, "Looked at {n} ply ahead", "Looked at {n} plies ahead") : t("Judged statically, without look-ahead");
}

/** Whether the loss of a play compares two depths. @param {{depth: number, deviation?: number | null}} play @param {{depth: number, deviation?: number | null}} best */
export const isRough = (play, best) => looked(play) !== looked(best);

/**
 * What is said of a play's loss, by colour and mark: a loss between two depths is too rough to be called an error.
 * @param {{depth: number, deviation?: number | null}} play @param {{depth: number, deviation?: number | null}} best @param {string} kind
 */
export const fairly = (play, best, kind) => (isRough(play, best) ? "rough" : kind);

/** How a list of plays is ordered, in words. @param {{depth: number, deviation?: number | null}[]} plays */
export const orderWords = (plays) => (groupsOf(plays).length > 1 ? t("those looked at furthest first") : t("the best first"));
