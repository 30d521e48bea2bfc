// @ts-check
/** The one way in which pages write two players, a throw, a number with its sign, and a text with a capital letter. */

import { decimal } from "/static/parts/texts.js";

/** Rules that a match does not have. */
export const MONEY_RULES = ["jacoby", "beavers", "raccoons", "automatic_doubles", "stake"];
export const MINUS = "\u2212";
/** The marks of verdicts on a play. */
export const MARKS = /** @type {Record<string, string>} */ ({ blunder: "??", error: "?", doubtful: "?!" });

/** The players of a match, as its title. @param {(string | null | undefined)[]} names */
export const versus = (names) => names.map((name) => name || "?").join(" \u2013 ");

/** A throw as people read it: 4-2. @param {number[]} dice */
export const thrown = (dice) => dice.join("-");

/** A text that begins with a capital letter. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * A number with its sign; one that rounds to 0 has a plus, and a dash stands for an unknown one.
 * @param {number | null | undefined} number
 */
export function signed(number, digits = 3) {
  if (number === null || number === undefined || Number.isNaN(number)) return "–";
  const text = decimal(Math.abs(number), digits);
  return `${number < 0 && /[1-9]/.test(text) ? MINUS : "+"}${text}`;
}
