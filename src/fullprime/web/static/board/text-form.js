// @ts-check
/** A board as text, as the server reads and writes it. */

import { other } from "/static/board/numbering.js";

/** @typedef {import("/static/parts/state").Side} Side */

/** The name of a place in the text form. @param {number} slot */
const word = (slot) =>
  /** @type {Record<number, string>} */ ({ 26: "hand", 25: "bar", 0: "off" })[slot] ?? String(slot);

/**
 * Rows of both sides as the text form.
 * @param {Record<Side, number[]>} rows
 * @param {Side} first the side on roll
 * @param {Partial<Record<Side, boolean>>} [licences] true for a side that has earned the right to hit
 */
export function textForm(rows, first, licences = {}) {
  const side = (/** @type {Side} */ name) => {
    const words = [26, 25, ...Array.from({ length: 24 }, (_, at) => 24 - at), 0]
      .filter((slot) => rows[name][slot])
      .map((slot) => `${word(slot)}:${rows[name][slot]}`);
    if (licences[name]) words.push("licence");
    return words.join(" ");
  };
  return `${side(first)} / ${side(other(first))}`;
}
