// @ts-check
/** Small pictures of positions: nothing in them can be moved or reached by Tab. */

/** @typedef {import("/static/parts/state").Side} Side */

const NS = "http://www.w3.org/2000/svg";
const STEP = 20;
const EDGE = 8;
const BAR = 18;
const TRAY = 24;
const HIGH = 200;
const R = 9;
const WIDE = 12 * STEP + BAR + TRAY + 2 * EDGE;
/** Checkers of a stack that are drawn; a number says how many there are more. */
const SEEN = 5;

/** @param {string} name @param {Record<string, string | number>} attributes @param {Node[]} children */
function make(name, attributes, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** The left edge of a point, in the numbers of the player below. @param {number} point */
function left(point) {
  const index = point <= 12 ? 12 - point : point - 13;
  return EDGE + index * STEP + (index >= 6 ? BAR : 0);
}

/** @param {number} point */
function triangle(point) {
  const x = left(point);
  const top = point > 12;
  const base = top ? EDGE : HIGH - EDGE;
  const tip = base + (top ? 1 : -1) * (HIGH / 2 - EDGE - 12);
  return make("path", {
    class: `triangle ${point % 2 ? "dark" : "light"}`,
    d: `M${x + 1} ${base}L${x + STEP / 2} ${tip}L${x + STEP - 1} ${base}z`,
  });
}

/** @param {Side} side @param {number} x @param {number} base @param {number} way @param {number} count */
function stack(side, x, base, way, count, gap = 2 * R) {
  const ends = Array.from({ length: Math.min(count, SEEN) }, (_, index) => base + way * (R + index * gap));
  const more = count > SEEN ? [make("text", { x, y: base + way * (R + (SEEN - 1) * gap) + 4 })] : [];
  // As on the board itself: one side has a ring, the other a dot; a number stands in place of the last.
  const discs = ends.flatMap((y, index) => [
    make("circle", { class: "disc", cx: x, cy: y, r: R }),
    ...(more[0] && index === SEEN - 1
      ? []
      : [make("circle", { class: "mark", cx: x, cy: y, r: side === "X" ? 4 : 2.4 })]),
  ]);
  if (more[0]) more[0].textContent = String(count);
  return make("g", { class: side.toLowerCase() }, ...discs, ...more);
}

/** A side's checkers. @param {Side} side @param {number[]} row @param {boolean} below */
function checkers(side, row, below) {
  const stacks = [];
  for (let slot = 1; slot <= 24; slot++) {
    if (!row[slot]) continue;
    const point = below ? slot : 25 - slot;
    const top = point > 12;
    stacks.push(
      stack(
        side,
        left(point) + STEP / 2,
        top ? EDGE : HIGH - EDGE,
        top ? 1 : -1,
        row[slot],
        row[slot] > 4 ? 16 : 2 * R,
      ),
    );
  }
  const bar = row[25] ?? 0;
  const off = row[0] ?? 0;
  const hand = row[26] ?? 0;
  const way = below ? -1 : 1;
  const base = below ? HIGH - EDGE : EDGE;
  if (bar) stacks.push(stack(side, EDGE + 6 * STEP + BAR / 2, HIGH / 2 - way * 6, -way, bar, 12));
  const aside = off + hand;
  if (aside) stacks.push(stack(side, WIDE - EDGE - TRAY / 2 + 3, base, way, aside, 8));
  return stacks;
}

/**
 * A picture of a board, seen by the player below.
 * @param {Record<Side, number[]>} points each side's in its own numbers: 0 off, 1-24, 25 bar, 26 hand
 * @param {string} label for screen readers; empty for a picture beside words that say the same
 * @param {Side} [below]
 */
export function picture(points, label, below = "X") {
  const field = (/** @type {number} */ x) =>
    make("rect", { class: "field", x, y: EDGE - 1, width: 6 * STEP, height: HIGH - 2 * EDGE + 2 });
  const above = below === "X" ? "O" : "X";
  return make(
    "svg",
    {
      class: "mini",
      viewBox: `0 0 ${WIDE} ${HIGH}`,
      ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }),
    },
    make("rect", { class: "wood", width: WIDE, height: HIGH, rx: 7 }),
    field(EDGE),
    field(EDGE + 6 * STEP + BAR),
    make("rect", {
      class: "well",
      x: WIDE - EDGE - TRAY + 8,
      y: EDGE - 1,
      width: TRAY - 8,
      height: HIGH - 2 * EDGE + 2,
      rx: 3,
    }),
    ...Array.from({ length: 24 }, (_, index) => triangle(index + 1)),
    ...checkers(above, points[above], false),
    ...checkers(below, points[below], true),
  );
}
