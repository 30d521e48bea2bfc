// @ts-check
/** Words for how far the engine looked. */

/** @param {number} depth plies @param {number} [trials] joined with it @param {number} [error] standard error of that @returns {string} */
export const depthWords = (depth, trials = 0, error = 0) =>
  (depth === 0 ? "static" : `${depth}-ply`) + (trials ? `, ${trials} trials ± ${error.toFixed(4)}` : "");

/** The sentence below a list of plays that has losses between two depths. */
export const ROUGH = "≈ compares two depths: the best play was looked at further than this one.";

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

/** How far a play was looked at: what differs is not compared without a word. @param {{depth: number, deviation?: number | null}} play */
const looked = ({ depth, deviation }) => (typeof deviation === "number" ? "rolled out" : String(depth));

/** The head of a group of plays. @param {{depth: number, deviation?: number | null}} play */
export function groupWords(play) {
  if (looked(play) === "rolled out") return "Rolled out";
  return play.depth ? `Looked at ${play.depth} ${play.depth === 1 ? "ply" : "plies"} ahead` : "Judged statically, without look-ahead";
}

/** Whether the loss of a play compares two depths. @param {{depth: number, deviation?: number | null}} play @param {{depth: number, deviation?: number | null}} best */
export const isRough = (play, best) => looked(play) !== looked(best);

/** How a list of plays is ordered, in words. @param {{depth: number, deviation?: number | null}[]} plays */
export const orderWords = (plays) => (groupsOf(plays).length > 1 ? "those looked at furthest first" : "the best first");
