// @ts-check
/**
 * The shape of a board, by the window: wide; square where a wide one would leave no column beside it; tall held
 * upright.
 */

/** @typedef {"wide" | "square" | "tall"} Shape */

/** The same as in style.css, where the columns are. */
const TALL = matchMedia("(max-width: 700px) and (orientation: portrait)");
const SQUARE = matchMedia("(orientation: landscape) and (min-width: 896px) and (max-aspect-ratio: 3/2)");

/** The shape of a board that is the matter of its page. @returns {Shape} */
export const shapeNow = () => (TALL.matches ? "tall" : SQUARE.matches ? "square" : "wide");

/** Of a board among other things. @returns {Shape} */
export const smallShape = () => (TALL.matches ? "tall" : "wide");

/** Draw again when the window asks for another shape. @param {() => void} draw */
export function onOrientation(draw) {
  for (const query of [TALL, SQUARE]) query.addEventListener("change", () => draw());
}
