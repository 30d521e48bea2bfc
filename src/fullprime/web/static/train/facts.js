// @ts-check
/** The facts beside the board of a question: the score, without which no cube can be judged, and the pips. */

import { t } from "/static/parts/texts.js";

/** The learner is X. @param {any} view a board of the server @returns {string} */
export function factsOf(view) {
  const pips = t`Pips: ${view.pips.X} to ${view.pips.O}.`;
  if (!view.length) return `${t("For money.")} ${pips}`;
  const [mine, theirs] = view.score.map((/** @type {number} */ points) => view.length - points);
  const played = view.length > 1 && Math.min(mine, theirs) === 1;
  const crawford = view.crawford ? ` ${t("The Crawford game.")}` : played ? ` ${t("After the Crawford game.")}` : "";
  return `${t`Match to ${view.length}: you need ${mine}, the opponent ${theirs}.`}${crawford} ${pips}`;
}
