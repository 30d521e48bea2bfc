// @ts-check
/**
 * The two ways to number the points: each player's own, from 24 down to 1, or one numbering for both, that of the
 * player at the bottom. Slots stay those of the player who moves; only what is shown and read changes (sources 001,
 * line 13).
 */

import * as preferences from "/static/parts/preferences.js";

/** @typedef {import("/static/parts/state").Side} Side */

/** The opponent of a side. @param {Side} side @returns {Side} */
export const other = (side) => (side === "X" ? "O" : "X");

const MOVES = /(?:bar|hand|\d{1,2})(?:\*?\/(?:\d{1,2}|off)\*?)+/g;

export const isFixed = () => preferences.read().numbering === "fixed";

/**
 * The number by which a player's point is called.
 * @param {number} slot 1 to 24, the player's own
 * @param {Side} side whose
 * @param {Side} base the side whose numbers are those of both
 */
export const numberOf = (slot, side, base) => (isFixed() && side !== base ? 25 - slot : slot);

/**
 * Plays in a text of a player, by the numbers that are shown.
 * @param {string} text
 * @param {Side | null | undefined} side whose plays
 * @param {Side} base
 */
export function renumberPlays(text, side, base) {
  if (!side || side === base || !isFixed()) return text;
  return text.replace(MOVES, (moves) => moves.replace(/\d+/g, (number) => String(25 - Number(number))));
}
