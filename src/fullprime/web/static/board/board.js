// @ts-check
/**
 * The board as SVG. It is given a view (checkers of both sides, dice, cube, what may be moved) and tells what the
 * person did; it knows no rule of the game.
 */

import { rollDice, strike } from "/static/board/motion.js";
import { beside, nameOf } from "/static/board/names.js";
import { isFixed, numberOf } from "/static/board/numbering.js";
import { Paint, arrow, checker, cube, die, frame, make, numbers } from "/static/board/picture.js";
import { Places, R } from "/static/board/places.js";
import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {import("/static/parts/state").CubeState} CubeState */
/** @typedef {import("/static/board/places.js").Rect} Rect */
/** @typedef {{side: Side, numbers: number[], used: boolean[]}} DiceGroup the dice of a side, those that are played marked */
/** @typedef {{node: SVGElement, side: Side, slot: number, rect: Rect}} Spot a place that may be clicked */
/** @typedef {{node: SVGElement, label: SVGElement, slot: number, x: number, y: number}} Checker */
/** @typedef {"frame" | "spots" | "marks" | "checkers" | "numbers" | "dice" | "cube" | "arrows" | "drag"} Layer */
/**
 * What is drawn: rows of both sides, `bottom` and `mover` (whose slots and numbers count), what may be moved (`sources`,
 * `selected`, `targets`), `moved` and `others` (checkers of this play, and where the chosen one may go instead), the
 * places of the `last` play, `arrows` of advice, `glow` (checkers of this play that stand better elsewhere, or the
 * cube), dice with their owner, the cube, and how the board looks. `action`: the main action stands beside the dice.
 * `press`: a press on the dice throws them or finishes the play. `doubling`: a press on the cube offers it. `thrown`
 * names the throw: dice of another name roll. `base`: the side whose numbers are those of both where points have one
 * numbering (the bottom one unless it is said). `swapped`: the sides have each other's colours.
 * @typedef {{rows: Record<Side, number[]>, bottom: Side, mover: Side, you?: boolean, hand: boolean, names: Record<Side, string>,
 *   shape: import("/static/board/shape.js").Shape, homeLeft: boolean, swapped?: boolean, numbers: boolean, sources: Set<number>, selected: number | null,
 *   targets: Set<number>, moved: Set<number>, others: Set<number>, last?: [Side, number][], glow?: Set<number | "cube">,
 *   arrows?: {side: Side, from: number, to: number, kind: string}[], dice: DiceGroup[], cube: CubeState | null,
 *   action?: boolean, press?: "roll" | "finish" | "", doubling?: boolean, thrown?: string, base?: Side}} Look
 */

const SIDES = /** @type {Side[]} */ (["X", "O"]);
const LAYERS = /** @type {Layer[]} */ (["frame", "spots", "marks", "checkers", "numbers", "dice", "cube", "arrows", "drag"]);

/** @param {Side} side @returns {Side} */
const other = (side) => (side === "X" ? "O" : "X");

export class Board {
  /**
   * @param {HTMLElement} place
   * @param {{onActivate: (slot: number) => void, onDrop: (from: number, to: number) => void,
   *   onDouble: (slot: number) => void, onPoint: (slot: number) => void, onDice: () => void,
   *   onCube?: () => void, targets: (slot: number) => [Set<number>, Set<number>]}} handlers slots are those of whoever moves; `targets` are
   *   where a checker may go, and where it may go instead of where it went
   */
  constructor(place, handlers) {
    this.handlers = handlers;
    this.svg = /** @type {SVGSVGElement} */ (make("svg", { class: "board", role: "group", "aria-label": t("Board") }));
    place.replaceChildren(this.svg);
    this.layers = /** @type {Record<Layer, SVGElement>} */ ({});
    for (const name of LAYERS) {
      const hidden = name === "spots" ? {} : { "aria-hidden": "true" };
      this.svg.append(this.layers[name] = make("g", { class: name, ...hidden }));
    }
    this.paint = new Paint();
    this.layers.frame.before(this.paint.defs);
    /** @type {Record<Side, Checker[]>} */
    this.checkers = { X: [], O: [] };
    this.spots = /** @type {Map<string, Spot>} */ (new Map());
    this.focus = /** @type {string | null} */ (null);
    this.press = /** @type {{spot: Spot, point: DOMPoint, id: number, ghost: SVGElement | null} | null} */ (null);
    this.tapped = /** @type {{slot: number, at: number} | null} */ (null);
    this.view = /** @type {Look} */ (/** @type {unknown} */ (null));
    this.shape = "";
    this.swapped = false;
    this.diceShown = "";
    this.thrown = /** @type {string | undefined} */ (undefined);
    this.at = new Places({ shape: "wide", homeLeft: false, bottom: "X", hand: false, action: false });
    // The frame around a place is for those who come to it by keys, not for a pointer.
    this.svg.addEventListener("pointerdown", (event) => { this.svg.classList.add("pointed"); this._down(event); });
    document.addEventListener("keydown", () => this.svg.classList.remove("pointed"), true);
    this.svg.addEventListener("pointermove", (event) => this._drag(event));
    this.svg.addEventListener("pointerup", (event) => this._up(event));
    this.svg.addEventListener("pointercancel", () => this._release());
    this.svg.addEventListener("contextmenu", (event) => this._context(event));
    this.svg.addEventListener("keydown", (event) => this._key(event));
    this.svg.addEventListener("click", (event) => this._assisted(event));
    // Not on the picture itself: Chromium would make it a stop of the Tab key.
    place.addEventListener("focusin", (event) => {
      const spot = event.target instanceof Element ? event.target.closest("[data-spot]") : null;
      if (spot instanceof SVGElement) this._rove(spot.dataset.spot);
    });
  }

  // -- drawing ------------------------------------------------------------------------------------------------
  /** @param {Look} view */
  draw(view) {
    this.view = view;
    if (Boolean(view.swapped) !== Boolean(this.swapped)) this._exchange(Boolean(view.swapped));
    const shape = [view.shape, view.homeLeft, view.bottom, view.mover, view.hand, view.numbers, view.action, isFixed(), view.base].join();
    if (shape !== this.shape) {
      const moved = this.shape !== "";
      this.shape = shape;
      this.diceShown = "";
      this.at = new Places({ shape: view.shape, homeLeft: view.homeLeft, bottom: view.bottom, hand: view.hand, action: Boolean(view.action) });
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
  _painted(side) { return this.swapped ? other(side) : side; }

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
    this.layers.numbers.replaceChildren(...(this.view.numbers ? numbers(this.at, (number) => numberOf(mover === bottom ? number : 25 - number, mover, this.view.base ?? bottom)) : []));
  }

  _spots() {
    // The focus on another board of the page is not taken from there.
    const kept = this.hasFocus && document.activeElement instanceof SVGElement && document.activeElement.dataset.spot;
    const places = /** @type {[Side, number][]} */ ([]);
    for (const side of SIDES) {
      places.push([side, 25], [side, 0]);
      if (this.view.hand) places.push([side, 26]);
    }
    for (let slot = 24; slot >= 1; slot--) places.push([this.view.mover, slot]);
    this.spots.clear();
    this.layers.spots.replaceChildren(...places.map(([side, slot]) => {
      const rect = this.at.rect(side, slot);
      const spot = make("g", { class: "spot", role: "button", tabindex: -1, "data-spot": `${side}${slot}` },
        make("rect", { ...rect, rx: 6 }));
      this.spots.set(`${side}${slot}`, { node: spot, side, slot, rect });
      return spot;
    }));
    const first = this.focus && this.spots.has(this.focus) ? this.focus : `${this.view.mover}24`;
    this._rove(first);
    if (kept) this.spots.get(first)?.node.focus();
  }

  _place() {
    for (const side of SIDES) {
      const row = this.view.rows[side], own = this.checkers[side];
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
      at.forEach((stack, slot) => stack.forEach((checker, index) => {
        const { x, y, lies } = this.at.spot(side, slot, index, stack.length);
        [checker.x, checker.y] = [x, y];
        checker.node.style.transform = `translate(${x}px, ${y}px)`;
        checker.node.classList.toggle("lying", lies);
        const top = index === stack.length - 1;
        const crowd = slot >= 1 && slot <= 25 && this.at.gap(stack.length) < 2 * R;
        checker.label.textContent = top && crowd ? String(stack.length) : "";
        checker.node.classList.toggle("counted", top && crowd);
      }));
    }
  }

  _marks() {
    const { marks } = this.layers, { mover } = this.view;
    marks.replaceChildren();
    for (const [side, slot] of this.view.last ?? []) {
      const { x, width, y, height } = this.at.rect(side, slot);
      const top = y < this.at.half;
      marks.append(make("rect", { x: x + width / 2 - 13, y: top ? y - 5 : y + height - 1, width: 26, height: 5, rx: 2.5, class: "last" }));
    }
    for (const spot of this.spots.values()) {
      const mine = spot.side === mover;
      spot.node.classList.toggle("source", mine && this.view.sources.has(spot.slot));
      spot.node.classList.toggle("moved", mine && this.view.moved.has(spot.slot));
      spot.node.classList.toggle("selected", mine && this.view.selected === spot.slot);
      spot.node.classList.toggle("target", mine && this.view.targets.has(spot.slot));
      spot.node.classList.toggle("other", mine && this.view.others.has(spot.slot));
    }
    for (const checker of [...this.checkers.X, ...this.checkers.O]) checker.node.classList.remove("picked", "movable", "glow");
    for (const slot of this.view.glow ?? []) if (slot !== "cube") this._topChecker(mover, slot)?.node.classList.add("glow");
    this.layers.cube.classList.toggle("glow", Boolean(this.view.glow?.has("cube")));
    for (const slot of this.view.sources) this._topChecker(mover, slot)?.node.classList.add("movable");
    if (this.view.selected !== null) this._topChecker(mover, this.view.selected)?.node.classList.add("picked");
    for (const slot of [...this.view.targets, ...this.view.others]) {
      const { x, width, y, height } = this.at.rect(mover, slot);
      const count = slot >= 1 && slot <= 24 ? this.view.rows[mover][slot] + this.view.rows[other(mover)][25 - slot] : 0;
      const from = y < this.at.half;
      const gap = this.at.gap(count + 1);
      const cy = slot === 0 ? y + height / 2 : from ? y + R + gap * count : y + height - R - gap * count;
      marks.append(make("circle", { cx: x + width / 2, cy, r: 13, class: this.view.targets.has(slot) ? "goal" : "goal instead" }));
    }
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

  _dice() {
    const { dice: groups, press, thrown, bottom } = this.view, size = this.at.die;
    const now = JSON.stringify([groups, press]), rolls = thrown !== undefined && this.thrown !== undefined && thrown !== this.thrown;
    this.thrown = thrown;
    if (now === this.diceShown && !rolls) return;
    this.diceShown = now;
    const drawn = groups.flatMap(({ side, numbers, used }) => this.at.dice(side, numbers.length)
      .map((place, index) => die(this._painted(side), place, size, numbers[index], `${used[index] ? " used" : ""}${press === "finish" && side === bottom ? " ready" : ""}`)));
    const blank = press === "roll" ? this.at.dice(bottom, 2).map((place) => die(this._painted(bottom), place, size, 0, " blank ready")) : []; // not a text
    this.layers.dice.replaceChildren(...drawn, ...blank);
    if (rolls) rollDice(drawn, size, groups.flatMap(({ numbers }) => numbers));
  }

  _cube() {
    const { cube: shown, doubling } = this.view;
    const look = [shown?.offered ? "offered" : "", doubling ? "ready" : ""].join(" ").trim();
    this.layers.cube.replaceChildren(...(shown ? [cube(this.at.cube(shown), shown.offered ?? shown.value, look)] : []));
  }

  /** Arrows of advice: each from a place to a place of a side, with the verdict that colours it. */
  _arrows() { this.layers.arrows.replaceChildren(...(this.view.arrows ?? []).map((advice) => arrow(this.at, advice))); }

  // -- pointer ------------------------------------------------------------------------------------------------
  /** @param {MouseEvent} event */
  _where(event) {
    const matrix = this.svg.getScreenCTM();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : new DOMPoint();
  }

  /** @param {DOMPoint} point @returns {Spot | "dice" | "cube" | null} */
  _hit(point) {
    /** @param {{x: number, y: number}} place @param {number} reach */
    const near = ({ x, y }, reach) => Math.abs(point.x - x) < reach && Math.abs(point.y - y) < reach;
    if (this.view.cube && this.view.doubling && near(this.at.cube(this.view.cube), 36)) return "cube";
    for (const spot of this.spots.values()) {
      const { x, y, width, height } = spot.rect;
      if (point.x >= x && point.x < x + width && point.y >= y && point.y < y + height) return spot;
    }
    const groups = this.view.press === "roll" ? this.at.dice(this.view.bottom, 2) : this.view.dice.flatMap(({ side, numbers }) => this.at.dice(side, numbers.length));
    return groups.some((place) => near(place, this.at.die / 2 + 10)) ? "dice" : null;
  }

  /** @param {PointerEvent} event */
  _down(event) {
    if (event.button !== 0) return;
    const point = this._where(event), spot = this._hit(point);
    if (!spot) return;
    event.preventDefault();
    if (spot === "dice") { this.handlers.onDice(); return; }
    if (spot === "cube") { this.handlers.onCube?.(); return; }
    spot.node.focus({ preventScroll: true });
    this.press = { spot, point, id: event.pointerId, ghost: null };
    this.svg.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  _drag(event) {
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    const point = this._where(event);
    const { slot, side } = press.spot;
    if (!press.ghost) {
      if (Math.hypot(point.x - press.point.x, point.y - press.point.y) < 9) return;
      if (side !== this.view.mover || !(this.view.sources.has(slot) || this.view.moved.has(slot))) return;
      [this.view.targets, this.view.others] = this.handlers.targets(slot);
      this.view.selected = slot;
      this._marks();
      const checker = this._topChecker(side, slot);
      press.ghost = /** @type {SVGElement} */ (checker.node.cloneNode(true));
      press.ghost.classList.add("ghost");
      checker.node.classList.add("lifted");
      this.layers.drag.append(press.ghost);
    }
    press.ghost.style.transform = `translate(${point.x}px, ${point.y}px)`;
  }

  /** @param {PointerEvent} event */
  _up(event) {
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    const over = this._hit(this._where(event));
    const { slot, side } = press.spot, dragged = press.ghost !== null;
    this._release();
    if (dragged) {
      const at = over && typeof over !== "string" ? over : null;
      let to = at && at.side === this.view.mover ? at.slot : -1;
      if (at && at.slot === 0) to = 0;
      this.handlers.onDrop(slot, to);
      return;
    }
    if (side !== this.view.mover && slot !== 0) return;
    const again = this.tapped && this.tapped.slot === slot && event.timeStamp - this.tapped.at < 400;
    this.tapped = again ? null : { slot, at: event.timeStamp };
    if (again) this.handlers.onDouble(slot);
    else this.handlers.onActivate(slot);
    if (this.view.selected === null) this.tapped = null;
  }

  _release() {
    this.press?.ghost?.remove();
    for (const checker of this.layers.checkers.children) checker.classList.remove("lifted");
    this.press = null;
  }

  /** @param {MouseEvent} event */
  _context(event) {
    event.preventDefault();
    const spot = this._hit(this._where(event));
    if (spot && typeof spot !== "string" && spot.side === this.view.mover) this.handlers.onPoint(spot.slot);
  }

  // -- keyboard -----------------------------------------------------------------------------------------------
  /** @param {string} key */
  _rove(key) {
    this.focus = key;
    for (const [name, spot] of this.spots) spot.node.setAttribute("tabindex", name === key ? "0" : "-1");
  }

  /** True while the focus is on a place of the board. */
  get hasFocus() { return this.svg.contains(document.activeElement); }

  /** @param {Side} side @param {number} slot */
  goTo(side, slot) {
    const spot = this.spots.get(`${side}${slot}`);
    if (!spot) return;
    this._rove(`${side}${slot}`);
    spot.node.focus();
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    const spot = this.focus && this.spots.get(this.focus);
    if (!spot || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      if (spot.side === this.view.mover) this.handlers.onActivate(spot.slot);
    } else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      this._goBeside(spot, event.key);
    }
  }

  /** Screen readers activate a place with a click that no pointer made. @param {MouseEvent} event */
  _assisted(event) {
    const node = event.detail === 0 && event.target instanceof Element ? event.target.closest("[data-spot]") : null;
    const spot = node instanceof SVGElement ? this.spots.get(node.dataset.spot) : null;
    if (!spot) return;
    spot.node.focus({ preventScroll: true });
    if (spot.side === this.view.mover) this.handlers.onActivate(spot.slot);
  }

  /** @param {Spot} spot @param {string} key */
  _goBeside(spot, key) {
    const best = beside(this.spots.values(), spot, key);
    if (best) this.goTo(best.side, best.slot);
  }
}
