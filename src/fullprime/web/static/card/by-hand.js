// @ts-check
/** The rows of a score card that only paper has: for the games that are still to be played. */

import { el } from "/static/parts/page.js";
import { number } from "/static/parts/texts.js";

const MOST = 24;
const FEWEST = 4;
const FOR_MONEY = 20;

/**
 * @param {number} done the finished games
 * @param {number} more the rows below them
 * @param {number} players
 * @returns {HTMLElement[]}
 */
export const byHand = (done, more, players) =>
  Array.from({ length: more }, (_, at) =>
    el(
      "tr",
      { class: "by-hand" },
      el("th", { scope: "row" }, number(done + at + 1)),
      ...Array.from({ length: players + 1 }, () => el("td", {})),
    ),
  );

/**
 * How many rows there are below the finished games; as `play.table.scorecard` says it of a match on the server.
 * @param {number} length of the match; 0 for money @param {number} done @param {number[]} points
 */
export function rowsByHand(length, done, points) {
  if (!length) return Math.max(FOR_MONEY - done, FEWEST);
  if (points.some((point) => point >= length)) return 0;
  return Math.min(2 * length - 1 - points.reduce((sum, point) => sum + point, 0), Math.max(MOST - done, FEWEST));
}
