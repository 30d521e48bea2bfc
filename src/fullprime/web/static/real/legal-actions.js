// @ts-check
/** What may be done at the table of a sitting: a throw, a double and its answers, and what may be taken back. */

/** @typedef {import("/static/real/sitting.js").Sitting} Sitting */
/** @typedef {import("/static/real/sitting.js").Table} Table */

/** @param {Table} table */
const hasCube = ({ rules, crawford }) => rules.cube && rules.length !== 1 && !crawford;
/** @param {Table} table @param {number} value */
const within = ({ rules }, value) => rules.cap === null || value <= rules.cap;

/** Whether the side on turn may double now. @param {Table} table */
export function mayDouble(table) {
  const { phase, turn, cube, first, cast } = table;
  return (
    phase === "before" &&
    !first &&
    !cast &&
    hasCube(table) &&
    (cube.owner === null || cube.owner === turn) &&
    within(table, 2 * cube.value)
  );
}

/** Answers to an offer of the cube. @param {Table} table @returns {("take" | "drop" | "beaver" | "raccoon")[]} */
export function answers(table) {
  const { phase, cube, rules } = table;
  const more = within(table, 2 * (cube.offered ?? 1));
  if (phase === "offered") return ["take", "drop", ...(rules.beavers && more ? [/** @type {const} */ ("beaver")] : [])];
  if (phase === "beaver")
    return ["take", "drop", ...(rules.raccoons && more ? [/** @type {const} */ ("raccoon")] : [])];
  return phase === "raccoon" ? ["take", "drop"] : [];
}

/** The player of a side who acts for it. @param {Table} table @param {number} side */
export const actor = (table, side) => table.sides[side][0];

/**
 * Whether the last event may be taken back: a throw of this device stands, and is annulled instead.
 * @param {Sitting} sitting
 */
export function mayUndo(sitting) {
  const last = sitting.events.at(-1);
  return Boolean(last && last.k !== "close" && last.k !== "annul" && !(last.k === "throw" && sitting.dice === "phone"));
}

/** Whether the throw just made may be annulled: nothing has come of it yet. @param {Sitting} sitting */
export const mayAnnul = (sitting) => sitting.events.at(-1)?.k === "throw";
