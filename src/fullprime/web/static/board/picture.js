// @ts-check
/**
 * The parts of the board's picture: wood, felt and points, checkers, dice, cube, arrows, marks. Colours are those of
 * tokens.css.
 */

import { P, R } from "/static/board/places.js";

/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {import("/static/board/places.js").Places} Places */
/** @typedef {import("/static/board/drawn-board.js").Look} Look */

const NS = "http://www.w3.org/2000/svg";
/** The dots of each face, in rows of three. */
const FACES = /** @type {Record<number, number[]>} */ ({
  1: [4],
  2: [2, 6],
  3: [2, 4, 6],
  4: [0, 2, 6, 8],
  5: [0, 2, 4, 6, 8],
  6: [0, 2, 3, 5, 6, 8],
});
/** Each gradient: whether it is round, and its stops as [offset, class]. */
const GRADIENTS = /** @type {Record<string, [boolean, [string, string][]]>} */ ({
  x: [
    true,
    [
      ["0%", "x-light"],
      ["100%", "x-dark"],
    ],
  ],
  o: [
    true,
    [
      ["0%", "o-light"],
      ["100%", "o-dark"],
    ],
  ],
  field: [
    true,
    [
      ["0%", "field-light"],
      ["100%", "field-dark"],
    ],
  ],
  wood: [
    false,
    [
      ["0%", "wood-light"],
      ["100%", "wood-dark"],
    ],
  ],
  light: [
    false,
    [
      ["0%", "light-1"],
      ["100%", "light-2"],
    ],
  ],
  dark: [
    false,
    [
      ["0%", "dark-1"],
      ["100%", "dark-2"],
    ],
  ],
});

let boards = 0;

/** @param {string} name @param {Record<string, string | number>} attributes @param {Node[]} children */
export function make(name, attributes = {}, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** The gradients of one board: each board has its own, since two on a page may have different sets. */
export class Paint {
  constructor() {
    this.number = ++boards;
    this.defs = make(
      "defs",
      {},
      ...Object.entries(GRADIENTS).map(([name, [round, stops]]) =>
        make(
          round ? "radialGradient" : "linearGradient",
          {
            id: `paint-${name}-${this.number}`,
            ...(round
              ? {
                  cx: name === "field" ? "50%" : "38%",
                  cy: name === "field" ? "45%" : "30%",
                  r: name === "field" ? "80%" : "78%",
                }
              : { x1: 0, y1: 0, x2: 0, y2: 1 }),
          },
          ...stops.map(([offset, look]) => make("stop", { offset, class: look })),
        ),
      ),
    );
  }

  /** @param {string} name */
  of(name) {
    return `url(#paint-${name}-${this.number})`;
  }
}

/** Wood, fields, wells and points. @param {Places} at @param {Paint} paint @returns {SVGElement[]} */
export function frame(at, paint) {
  const { edge, rim, height: h, length } = at;
  const wells = [rim, h - rim - at.well].map((y) =>
    make("rect", { x: at.x(at.trayX, at.trayWidth), y, width: at.trayWidth, height: at.well, rx: 8, class: "well" }),
  );
  const fields = [edge, at.rightX].flatMap((x) => [
    make("rect", {
      x: at.x(x, 6 * P) - 4,
      y: rim - 4,
      width: 6 * P + 8,
      height: h - 2 * rim + 8,
      rx: 6,
      class: "field-edge",
    }),
    make("rect", {
      x: at.x(x, 6 * P),
      y: rim,
      width: 6 * P,
      height: h - 2 * rim,
      rx: 3,
      class: "field",
      fill: paint.of("field"),
    }),
  ]);
  const points = Array.from({ length: 24 }, (_, index) => {
    const number = index + 1;
    const { x, top } = at.point(number);
    const base = top ? rim : h - rim;
    const way = top ? 1 : -1;
    const tip = base + way * (length - 8);
    const middle = x + P / 2;
    const dark = number % 2;
    return make("path", {
      d: `M${x + 3} ${base}L${middle - 4} ${tip - 10 * way}Q${middle} ${tip + 4 * way} ${middle + 4} ${tip - 10 * way}L${x + P - 3} ${base}Z`,
      class: dark ? "triangle dark" : "triangle light",
      fill: paint.of(dark ? "dark" : "light"),
    });
  });
  return [
    make("rect", { x: 0, y: 0, width: at.width, height: h, rx: 20, class: "wood", fill: paint.of("wood") }),
    ...fields,
    ...wells,
    ...points,
  ];
}

/** The numbers of the points. @param {Places} at @param {(number: number) => number} shown @returns {SVGElement[]} */
export function numbers(at, shown) {
  return Array.from({ length: 24 }, (_, index) => {
    const { x, top } = at.point(index + 1);
    const text = make("text", { x: x + P / 2, y: top ? (at.rim - 3) / 2 : at.height - (at.rim - 3) / 2, dy: "0.32em" });
    text.textContent = String(shown(index + 1));
    return text;
  });
}

/**
 * A checker: one side has a ring, the other a dot, so that nothing hangs on the colour alone.
 * @param {Side} side
 * @param {Paint} paint
 */
export function checker(side, paint) {
  const fill = paint.of(side === "X" ? "x" : "o");
  const label = make("text", { class: "count", dy: "0.35em" });
  const mark = side === "X" ? make("circle", { r: 11, class: "ring" }) : make("circle", { r: 7, class: "dot" });
  const node = make(
    "g",
    { class: `checker ${side.toLowerCase()}` },
    make("circle", { cy: 3.5, r: R, class: "shadow" }),
    make("circle", { r: R - 0.5, class: "disc", fill }),
    make("circle", { r: R * 0.7, class: "rim" }),
    mark,
    make("rect", { x: -R + 2, y: -7.5, width: 2 * R - 4, height: 15, rx: 5, class: "slab", fill }),
    label,
  );
  return { node, label };
}

/**
 * A die, with nothing on it before it is thrown.
 * @param {Side} side
 * @param {{x: number, y: number}} at
 * @param {number} size
 * @param {number} number 0 for a blank one
 */
export function die(side, { x, y }, size, number, look = "") {
  const dots = (FACES[number] ?? []).map((place) =>
    make("circle", {
      cx: size * (-0.27 + 0.27 * (place % 3)),
      cy: size * (-0.27 + 0.27 * Math.floor(place / 3)),
      r: size / 10.5,
    }),
  );
  const face = make(
    "g",
    { class: "face" },
    make("rect", { x: -size / 2, y: -size / 2, width: size, height: size, rx: size * 0.22 }),
    ...dots,
  );
  const shadow = make("rect", {
    x: -size / 2,
    y: -size / 2 + 3,
    width: size,
    height: size,
    rx: size * 0.22,
    class: "shadow",
  });
  return make(
    "g",
    { class: `die ${side.toLowerCase()}${look}`, transform: `translate(${x} ${y})` },
    make("g", { class: "tumble" }, shadow, face),
  );
}

/** Dice as a picture of their own, as on a button. @param {number[]} numbers */
export function dicePicture(numbers) {
  const size = 50;
  const step = size + 8;
  return make(
    "svg",
    { class: "dice-picture", viewBox: `0 0 ${numbers.length * step} ${step + 3}`, "aria-hidden": "true" },
    ...numbers.map((number, index) => die("X", { x: step * (index + 0.5), y: step / 2 }, size, number)),
  );
}

/**
 * The dots of another number on a die that is drawn.
 * @param {Element} drawn
 * @param {number} size
 * @param {number} number
 */
export function turnDie(drawn, size, number) {
  const face = drawn.querySelector(".face");
  face?.replaceWith(/** @type {Element} */ (die("X", { x: 0, y: 0 }, size, number).querySelector(".face")));
}

/**
 * The cube, with 64 before it has been turned.
 * @param {{x: number, y: number}} at
 * @param {number} value
 * @param {string} look
 */
export function cube({ x, y }, value, look) {
  const size = 56;
  const text = make("text", { dy: "0.35em", class: value >= 1000 ? "long" : "" });
  text.textContent = String(value === 1 ? 64 : value);
  const at = { x: -size / 2, width: size, height: size, rx: 10 };
  return make(
    "g",
    { class: look, transform: `translate(${x} ${y})` },
    make("rect", { ...at, y: -size / 2 + 3, class: "shadow" }),
    make("rect", { ...at, y: -size / 2, class: "cube-face" }),
    text,
  );
}

/**
 * An arrow from a place to a place.
 * @param {Places} at
 * @param {{side: Side, from: number, to: number, kind: string}} advice
 */
export function arrow(at, { side, from, to, kind }) {
  const [a, b] = [from, to].map((slot) => {
    const { x, y, width, height } = at.rect(side, slot);
    const up = y < at.half;
    return {
      x: x + width / 2,
      y: slot >= 1 && slot <= 24 ? (up ? y + 2.2 * R : y + height - 2.2 * R) : y + height / 2,
    };
  });
  const long = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const dy = (b.y - a.y) / long;
  const bend = Math.min(70, long / 4) * (a.y < at.half ? 1 : -1);
  const same = Math.abs(a.y - b.y) < R;
  const middle = { x: (a.x + b.x) / 2 + (same ? 0 : dy * 30), y: (a.y + b.y) / 2 + (same ? bend : 0) };
  const turn = Math.atan2(b.y - middle.y, b.x - middle.x);
  const wing = /** @param {number} angle */ (angle) =>
    `${b.x - 24 * Math.cos(turn + angle)} ${b.y - 24 * Math.sin(turn + angle)}`;
  return make(
    "g",
    { class: `arrow ${kind}` },
    make("path", {
      class: "shaft",
      d: `M${a.x} ${a.y}Q${middle.x} ${middle.y} ${b.x - 14 * Math.cos(turn)} ${b.y - 14 * Math.sin(turn)}`,
    }),
    make("path", { class: "head", d: `M${b.x} ${b.y}L${wing(0.5)}L${wing(-0.5)}Z` }),
  );
}

/** Bars at the places which the last play left and came to. @param {Look} view @param {Places} at */
const lastMarks = (view, at) =>
  (view.last ?? []).map(([side, slot]) => {
    const { x, width, y, height } = at.rect(side, slot);
    return make("rect", {
      x: x + width / 2 - 13,
      y: y < at.half ? y - 5 : y + height - 1,
      width: 26,
      height: 5,
      rx: 2.5,
      class: "last",
    });
  });

/** Rings where the next checker of a stack will lie. @param {Look} view @param {Places} at */
const goals = (view, at) =>
  [...view.targets, ...view.others].map((slot) => {
    const { mover, rows } = view;
    const { x, width, y, height } = at.rect(mover, slot);
    const count = slot >= 1 && slot <= 24 ? rows[mover][slot] + rows[mover === "X" ? "O" : "X"][25 - slot] : 0;
    const gap = at.gap(count + 1);
    const cy = slot === 0 ? y + height / 2 : y < at.half ? y + R + gap * count : y + height - R - gap * count;
    return make("circle", { cx: x + width / 2, cy, r: 13, class: view.targets.has(slot) ? "goal" : "goal instead" });
  });

/** @param {Look} view @param {Places} at */
export const marksOf = (view, at) => [...lastMarks(view, at), ...goals(view, at)];
