// @ts-check
/** The board as a picture in SVG: checkers, dice, the cube, marks and arrows, and the places that may be chosen. */

import { rollDice, strike } from "/static/board/motion.js";
import { nameOf } from "/static/board/names.js";
import { isFixed, numberOf, other } from "/static/board/numbering.js";
import { arrow, checker, cube, die, frame, make, marksOf, numbers, Paint } from "/static/board/picture.js";
import { Places, R } from "/static/board/places.js";
import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {import("/static/parts/state").CubeState} CubeState */
/** @typedef {import("/static/board/places.js").Rect} Rect */
/**
 * @typedef {{side: Side, numbers: number[], used: boolean[]}} DiceGroup the dice of a side, those that are played marked
 */
/** @typedef {{node: SVGElement, side: Side, slot: number, rect: Rect}} Spot a place that may be clicked */
/** @typedef {{node: SVGElement, label: SVGElement, slot: number, x: number, y: number}} Checker */
/** @typedef {"frame" | "spots" | "marks" | "checkers" | "numbers" | "dice" | "cube" | "arrows" | "drag"} Layer */
/**
 * What is drawn: rows of both sides, `bottom` and `mover` (whose slots and numbers count), what may be moved
 * (`sources`, `selected`, `targets`), `moved` and `others` (checkers of this play, and where the chosen one may go
 * instead), the places of the `last` play, `arrows` of advice, `glow` (checkers of this play that stand better
 * elsewhere, or the cube), dice with their owner, the cube, and how the board looks. `action`: the main action stands
 * beside the dice. `press`: a press on the dice throws them, finishes the play, or sets them. `doubling`: a press on
 * the cube offers it. `thrown` names the throw: dice of another name roll. `base`: the side whose numbers are those of
 * both where points have one numbering (by default the bottom one). `swapped`: the sides have each other's
 * colours.
 * @typedef {{rows: Record<Side, number[]>, bottom: Side, mover: Side, you?: boolean, hand: boolean, names: Record<Side, string>,
 *   shape: import("/static/board/layout.js").Shape, homeLeft: boolean, swapped?: boolean, numbers: boolean, sources:
 *   Set<number>, selected: number | null, targets: Set<number>, moved: Set<number>, others: Set<number>, last?: [Side,
 *   number][], glow?: Set<number | "cube">, arrows?: {side: Side, from: number, to: number, kind: string}[], dice:
 *   DiceGroup[], cube: CubeState | null, action?: boolean, press?: "roll" | "finish" | "set" | "", doubling?: boolean,
 *   thrown?: string, base?: Side}} Look
 */

const SIDES = /** @type {Side[]} */ (["X", "O"]);
const LAYERS = /** @type {Layer[]} */ ([
  "frame",
  "spots",
  "marks",
  "checkers",
  "numbers",
  "dice",
  "cube",
  "arrows",
  "drag",
]);

/** No place. */
export const NONE = /** @type {Set<number>} */ (new Set());
/** The marks on a board where nothing is moved. */
export const AT_REST = {
  sources: NONE,
  selected: /** @type {number | null} */ (null),
  moved: NONE,
  targets: NONE,
  others: NONE,
};

export class DrawnBoard {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.svg = /** @type {SVGSVGElement} */ (make("svg", { class: "board", role: "group", "aria-label": t("Board") }));
    place.replaceChildren(this.svg);
    this.layers = /** @type {Record<Layer, SVGElement>} */ ({});
    for (const name of LAYERS) {
      const hidden = name === "spots" ? {} : { "aria-hidden": "true" };
      this.svg.append((this.layers[name] = make("g", { class: name, ...hidden })));
    }
    this.paint = new Paint();
    this.layers.frame.before(this.paint.defs);
    /** @type {Record<Side, Checker[]>} */
    this.checkers = { X: [], O: [] };
    this.spots = /** @type {Map<string, Spot>} */ (new Map());
    this.focus = /** @type {string | null} */ (null);
    this.view = /** @type {Look} */ (/** @type {unknown} */ (null));
    this.shape = "";
    this.swapped = false;
    this.diceShown = "";
    this.thrown = /** @type {string | undefined} */ (undefined);
    this.at = new Places({ shape: "wide", homeLeft: false, bottom: "X", hand: false, action: false });
  }

  /** @param {Look} view */
  draw(view) {
    this.view = view;
    if (Boolean(view.swapped) !== Boolean(this.swapped)) this._exchange(Boolean(view.swapped));
    const shape = [
      view.shape,
      view.homeLeft,
      view.bottom,
      view.mover,
      view.hand,
      view.numbers,
      view.action,
      isFixed(),
      view.base,
    ].join();
    if (shape !== this.shape) {
      const moved = this.shape !== "";
      this.shape = shape;
      this.diceShown = "";
      this.at = new Places({
        shape: view.shape,
        homeLeft: view.homeLeft,
        bottom: view.bottom,
        hand: view.hand,
        action: Boolean(view.action),
      });
      this.svg.setAttribute("viewBox", `0 0 ${this.at.width} ${this.at.height}`);
      this.svg.classList.toggle("tall", view.shape === "tall");
      this._frame();
      this._spots();
      if (moved) this.svg.classList.add("still");
    }
    this._place();
    this._marks();
    this._labels();
    this._dice();
    this._cube();
    this._arrows();
    if (this.svg.classList.contains("still")) {
      this.svg.getBoundingClientRect();
      this.svg.classList.remove("still");
    }
  }

  /** The side in whose colours a side is drawn. @param {Side} side */
  _painted(side) {
    return this.swapped ? other(side) : side;
  }

  /** The sides exchange their colours: everything is drawn anew. @param {boolean} swapped */
  _exchange(swapped) {
    this.swapped = swapped;
    for (const { node } of [...this.checkers.X, ...this.checkers.O]) node.remove();
    this.checkers = { X: [], O: [] };
    this.diceShown = "";
  }

  _frame() {
    const { mover, bottom } = this.view;
    this.layers.frame.replaceChildren(...frame(this.at, this.paint));
    this.layers.numbers.replaceChildren(
      ...(this.view.numbers
        ? numbers(this.at, (number) =>
            numberOf(mover === bottom ? number : 25 - number, mover, this.view.base ?? bottom),
          )
        : []),
    );
  }

  _spots() {
    // The focus on another board of the page is not taken from there.
    const focused =
      this.hasFocus && document.activeElement instanceof SVGElement && document.activeElement.dataset.spot;
    const places = /** @type {[Side, number][]} */ ([]);
    for (const side of SIDES) {
      places.push([side, 25], [side, 0]);
      if (this.view.hand) places.push([side, 26]);
    }
    for (let slot = 24; slot >= 1; slot--) places.push([this.view.mover, slot]);
    this.spots.clear();
    this.layers.spots.replaceChildren(
      ...places.map(([side, slot]) => {
        const rect = this.at.rect(side, slot);
        const spot = make(
          "g",
          { class: "spot", role: "button", tabindex: -1, "data-spot": `${side}${slot}` },
          make("rect", { ...rect, rx: 6 }),
        );
        this.spots.set(`${side}${slot}`, { node: spot, side, slot, rect });
        return spot;
      }),
    );
    const first = this.focus && this.spots.has(this.focus) ? this.focus : `${this.view.mover}24`;
    this._rove(first);
    if (focused) this.spots.get(first)?.node.focus();
  }

  _place() {
    for (const side of SIDES) {
      const row = this.view.rows[side];
      const own = this.checkers[side];
      const total = row.reduce((sum, count) => sum + count, 0);
      while (own.length > total) own.pop()?.node.remove();
      while (own.length < total) {
        const { node, label } = checker(this._painted(side), this.paint);
        this.layers.checkers.append(node);
        own.push({ node, label, slot: -1, x: 0, y: 0 });
      }
      const at = Array.from({ length: 27 }, () => /** @type {typeof own} */ ([]));
      const loose = /** @type {Checker[]} */ ([]);
      for (const checker of own) {
        if (checker.slot >= 0 && at[checker.slot].length < row[checker.slot]) at[checker.slot].push(checker);
        else loose.push(checker);
      }
      loose.sort((a, b) => b.slot - a.slot);
      for (let slot = 26; slot >= 0; slot--) {
        while (at[slot].length < row[slot]) {
          const checker = /** @type {Checker} */ (loose.shift());
          if (checker.slot >= 0) this.layers.checkers.append(checker.node);
          if (slot === 25 && checker.slot > 0) strike(checker.node);
          checker.slot = slot;
          at[slot].push(checker);
        }
      }
      at.forEach((stack, slot) =>
        stack.forEach((checker, index) => {
          const { x, y, lies } = this.at.spot(side, slot, index, stack.length);
          [checker.x, checker.y] = [x, y];
          checker.node.style.transform = `translate(${x}px, ${y}px)`;
          checker.node.classList.toggle("lying", lies);
          const top = index === stack.length - 1;
          const crowd = slot >= 1 && slot <= 25 && this.at.gap(stack.length) < 2 * R;
          checker.label.textContent = top && crowd ? String(stack.length) : "";
          checker.node.classList.toggle("counted", top && crowd);
        }),
      );
    }
  }

  _marks() {
    const { mover } = this.view;
    this.layers.marks.replaceChildren(...marksOf(this.view, this.at));
    for (const spot of this.spots.values()) {
      const mine = spot.side === mover;
      spot.node.classList.toggle("source", mine && this.view.sources.has(spot.slot));
      spot.node.classList.toggle("moved", mine && this.view.moved.has(spot.slot));
      spot.node.classList.toggle("selected", mine && this.view.selected === spot.slot);
      spot.node.classList.toggle("target", mine && this.view.targets.has(spot.slot));
      spot.node.classList.toggle("other", mine && this.view.others.has(spot.slot));
    }
    for (const checker of [...this.checkers.X, ...this.checkers.O])
      checker.node.classList.remove("picked", "movable", "glow");
    for (const slot of this.view.glow ?? [])
      if (slot !== "cube") this._topChecker(mover, slot)?.node.classList.add("glow");
    this.layers.cube.classList.toggle("glow", Boolean(this.view.glow?.has("cube")));
    for (const slot of this.view.sources) this._topChecker(mover, slot)?.node.classList.add("movable");
    if (this.view.selected !== null) this._topChecker(mover, this.view.selected)?.node.classList.add("picked");
  }

  /** The checker of a stack that lies on top. @param {Side} side @param {number} slot */
  _topChecker(side, slot) {
    const stack = this.checkers[side].filter((checker) => checker.slot === slot);
    const { x, y } = this.at.spot(side, slot, stack.length - 1, stack.length);
    return stack.find((checker) => checker.x === x && checker.y === y);
  }

  _labels() {
    const { mover, selected } = this.view;
    for (const { node, side, slot } of this.spots.values()) {
      node.setAttribute("aria-label", nameOf(this.view, side, slot));
      node.setAttribute("aria-pressed", String(side === mover && selected === slot));
    }
  }

  /** The places of dice that are not thrown yet, and can be. */
  get _blank() {
    const { press, mover, dice } = this.view;
    return press === "roll" || (press === "set" && !dice.length) ? this.at.dice(mover, 2) : [];
  }

  _dice() {
    const { dice: groups, press, thrown, mover } = this.view;
    const size = this.at.die;
    const now = JSON.stringify([groups, press]);
    const ready = press === "finish" ? " ready" : press === "set" ? " settable" : "";
    const rolls = thrown !== undefined && this.thrown !== undefined && thrown !== this.thrown;
    this.thrown = thrown;
    if (now === this.diceShown && !rolls) return;
    this.diceShown = now;
    const drawn = groups.flatMap(({ side, numbers, used }) =>
      this.at
        .dice(side, numbers.length)
        .map((place, index) =>
          die(
            this._painted(side),
            place,
            size,
            numbers[index],
            `${used[index] ? " used" : ""}${side === mover ? ready : ""}`,
          ),
        ),
    );
    const blank = this._blank.map((place) => die(this._painted(mover), place, size, 0, " blank ready")); // not a text
    this.layers.dice.replaceChildren(...drawn, ...blank);
    if (rolls)
      rollDice(
        drawn,
        size,
        groups.flatMap(({ numbers }) => numbers),
      );
  }

  _cube() {
    const { cube: shown, doubling } = this.view;
    const look = [shown?.offered ? "offered" : "", doubling ? "ready" : ""].join(" ").trim();
    this.layers.cube.replaceChildren(...(shown ? [cube(this.at.cube(shown), shown.offered ?? shown.value, look)] : []));
  }

  /** Arrows of advice: each from a place to a place of a side, with the verdict that colours it. */
  _arrows() {
    this.layers.arrows.replaceChildren(...(this.view.arrows ?? []).map((advice) => arrow(this.at, advice)));
  }

  /** @param {string} key */
  _rove(key) {
    this.focus = key;
    for (const [name, spot] of this.spots) spot.node.setAttribute("tabindex", name === key ? "0" : "-1");
  }

  /** True while the focus is on a place of the board. */
  get hasFocus() {
    return this.svg.contains(document.activeElement);
  }
}
