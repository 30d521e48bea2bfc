// @ts-check
/** The one way in which pages write two players, a throw and a number with its sign. */

export const MINUS = "\u2212";

/** The players of a match, as its title. @param {(string | null | undefined)[]} names */
export const versus = (names) => names.map((name) => name || "?").join(" \u2013 ");

/** A throw as people read it: 4-2. @param {number[]} dice */
export const thrown = (dice) => dice.join("-");

/**
 * A number with its sign; what rounds to nothing has a plus, and a dash stands for what is not known.
 * @param {number | null | undefined} number
 */
export function signed(number, digits = 3) {
  if (number === null || number === undefined || Number.isNaN(number)) return "–";
  const text = Math.abs(number).toFixed(digits);
  return `${number < 0 && Number(text) !== 0 ? MINUS : "+"}${text}`;
}
