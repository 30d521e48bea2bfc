// @ts-check
/**
 * The board as SVG. It is given a view (checkers of both sides, dice, cube, what may be moved) and tells what the
 * person did; it knows no rule of the game.
 */

/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {import("/static/parts/state").CubeState} CubeState */
/** @typedef {{side: Side, numbers: number[], used: boolean[]}} DiceGroup the dice of a side, those that are played marked */
/** @typedef {{x: number, y: number, width: number, height: number}} Rect */
/** @typedef {{node: SVGElement, side: Side, slot: number, rect: Rect}} Spot a place that may be clicked */
/** @typedef {{node: SVGElement, label: SVGElement, slot: number}} Checker */
/** @typedef {"frame" | "spots" | "marks" | "checkers" | "numbers" | "dice" | "cube" | "arrows" | "drag"} Layer */
/**
 * What is drawn: rows of both sides, `bottom` and `mover` (whose slots and numbers count), what may be moved (`sources`,
 * `selected`, `targets`), `moved` and `others` (checkers of this play, and where the chosen one may go instead), the
 * places of the `last` play, `arrows` of advice, dice with their owner, the cube, and how the board looks.
 * @typedef {{rows: Record<Side, number[]>, bottom: Side, mover: Side, you?: boolean, hand: boolean, names: Record<Side, string>,
 *   portrait: boolean, homeLeft: boolean, numbers: boolean, sources: Set<number>, selected: number | null,
 *   targets: Set<number>, moved: Set<number>, others: Set<number>, last?: [Side, number][],
 *   arrows?: {side: Side, from: number, to: number, kind: string}[], dice: DiceGroup[], cube: CubeState | null}} Look
 */

const NS = "http://www.w3.org/2000/svg";
const P = 60, R = 27, BAR_W = 66, TRAY = 74;
const FLAT = 0.3;
const SIDES = /** @type {Side[]} */ (["X", "O"]);
const LAYERS = /** @type {Layer[]} */ (["frame", "spots", "marks", "checkers", "numbers", "dice", "cube", "arrows", "drag"]);
/** The dots of each face, in rows of three. */
const FACES = /** @type {Record<number, number[]>} */ ({ 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] });
const WAYS = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });

/** @param {string} name @param {Record<string, string | number>} attributes @param {Node[]} children */
function make(name, attributes = {}, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** @param {number} count @param {string} noun */
const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
/** @param {Side} side @returns {Side} */
const other = (side) => (side === "X" ? "O" : "X");

export class Board {
  /**
   * @param {HTMLElement} place
   * @param {{onActivate: (slot: number) => void, onDrop: (from: number, to: number) => void,
   *   onDouble: (slot: number) => void, onPoint: (slot: number) => void, onDice: () => void,
   *   targets: (slot: number) => [Set<number>, Set<number>]}} handlers slots are those of whoever moves; `targets` are
   *   where a checker may go, and where it may go instead of where it went
   */
  constructor(place, handlers) {
    this.handlers = handlers;
    this.svg = /** @type {SVGSVGElement} */ (make("svg", { class: "board", role: "group", "aria-label": "Board" }));
    place.replaceChildren(this.svg);
    this.layers = /** @type {Record<Layer, SVGElement>} */ ({});
    for (const name of LAYERS) {
      const hidden = name === "spots" ? {} : { "aria-hidden": "true" };
      this.svg.append(this.layers[name] = make("g", { class: name, ...hidden }));
    }
    this.layers.frame.before(this._gradients());
    /** @type {Record<Side, Checker[]>} */
    this.checkers = { X: [], O: [] };
    this.spots = /** @type {Map<string, Spot>} */ (new Map());
    this.focus = /** @type {string | null} */ (null);
    this.press = /** @type {{spot: Spot, point: DOMPoint, id: number, ghost: SVGElement | null} | null} */ (null);
    this.tapped = /** @type {{slot: number, at: number} | null} */ (null);
    this.view = /** @type {Look} */ (/** @type {unknown} */ (null));
    this.shape = "";
    this.svg.addEventListener("pointerdown", (event) => this._down(event));
    this.svg.addEventListener("pointermove", (event) => this._drag(event));
    this.svg.addEventListener("pointerup", (event) => this._up(event));
    this.svg.addEventListener("pointercancel", () => this._release());
    this.svg.addEventListener("contextmenu", (event) => this._context(event));
    this.svg.addEventListener("keydown", (event) => this._key(event));
    this.svg.addEventListener("click", (event) => this._assisted(event));
    this.svg.addEventListener("focusin", (event) => {
      const spot = event.target instanceof Element ? event.target.closest("[data-spot]") : null;
      if (spot instanceof SVGElement) this._rove(spot.dataset.spot);
    });
  }

  // -- geometry -----------------------------------------------------------------------------------------------
  /** @param {boolean} portrait @param {boolean} homeLeft */
  _measure(portrait, homeLeft) {
    this.edge = portrait ? 36 : 24;
    this.height = portrait ? 1170 : 704;
    this.length = portrait ? 465 : 285;
    this.margin = portrait ? 0 : 72;
    this.inner = 12 * P + BAR_W + 2 * this.edge + TRAY;
    this.width = this.inner + this.margin;
    this.homeLeft = homeLeft;
    this.portrait = portrait;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
  }

  /** @param {number} x */
  _x(x, width = 0) { return this.homeLeft ? this.width - x - width : x; }
  get _left() { return this.margin + this.edge; }
  get _barX() { return this._left + 6 * P; }
  get _trayX() { return this._left + 12 * P + BAR_W; }

  /** The left edge of the bottom player's point, and whether it hangs from the top. @param {number} number */
  _point(number) {
    const index = number <= 12 ? 12 - number : number - 13;
    const x = this._left + index * P + (index >= 6 ? BAR_W : 0);
    return { x: this._x(x, P), top: number > 12 };
  }

  /** Where checker `index` of `count` at a slot of a side stands, and how flat it lies. @param {Side} side @param {number} slot @param {number} index @param {number} count */
  _spotOf(side, slot, index, count) {
    const bottom = side === this.view.bottom;
    const from = bottom ? this.height - this.edge : this.edge, up = bottom ? -1 : 1;
    if (slot === 0) return { x: this._x(this._trayX + TRAY / 2 - 2), y: from + up * (14 + index * 16.5), flat: FLAT };
    if (slot === 26) return { x: this._x(this._barX + BAR_W / 2), y: from + up * (12 + index * 13), flat: FLAT };
    if (slot === 25) {
      const gap = Math.min(2 * R, (this.height / 2 - 60 - (this.view.hand ? 220 : 60)) / Math.max(1, count));
      return { x: this._x(this._barX + BAR_W / 2), y: this.height / 2 - up * (60 + index * gap), flat: 1 };
    }
    const { x, top } = this._point(bottom ? slot : 25 - slot);
    const gap = Math.min(2 * R, (this.length - 2 * R) / Math.max(1, count - 1));
    return { x: x + P / 2, y: top ? this.edge + R + index * gap : this.height - this.edge - R - index * gap, flat: 1 };
  }

  /** @param {Side} side @param {number} slot @returns {Rect} */
  _rectOf(side, slot) {
    const bottom = side === this.view.bottom, half = this.height / 2;
    if (slot === 0) {
      return { x: this._x(this._trayX + 4, TRAY - 8), y: bottom ? half + 50 : this.edge, width: TRAY - 8, height: half - this.edge - 50 };
    }
    if (slot === 25 || slot === 26) {
      const hand = this.view.hand ? 210 : 0, from = 20;
      const y = slot === 26 ? (bottom ? this.height - this.edge - hand : this.edge) : (bottom ? half + from : this.edge + hand);
      const height = slot === 26 ? hand : half - from - this.edge - hand;
      return { x: this._x(this._barX, BAR_W), y, width: BAR_W, height };
    }
    const { x, top } = this._point(bottom ? slot : 25 - slot);
    const height = this.length + 20;
    return { x, y: top ? this.edge : this.height - this.edge - height, width: P, height };
  }

  _gradients() {
    const shades = ["x", "o"].map((side) => make("radialGradient", { id: `shade-${side}`, cx: "38%", cy: "32%", r: "75%" },
      make("stop", { offset: "0%", class: `${side}-light` }), make("stop", { offset: "100%", class: `${side}-dark` })));
    return make("defs", {}, ...shades);
  }

  // -- drawing ------------------------------------------------------------------------------------------------
  /** @param {Look} view */
  draw(view) {
    this.view = view;
    const shape = [view.portrait, view.homeLeft, view.bottom, view.mover, view.hand, view.numbers].join();
    if (shape !== this.shape) {
      const moved = this.shape !== "";
      this.shape = shape;
      this._measure(view.portrait, view.homeLeft);
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

  _frame() {
    const { frame, numbers } = this.layers, h = this.height;
    frame.replaceChildren();
    numbers.replaceChildren();
    /** @param {number} x @param {number} width @param {string} name */
    const board = (x, width, name, y = this.edge, height = h - 2 * this.edge) =>
      frame.append(make("rect", { x: this._x(x, width), y, width, height, class: name, rx: name === "well" ? 8 : 3 }));
    frame.append(make("rect", { x: this._x(this.margin, this.inner), y: 0, width: this.inner, height: h, rx: 14, class: "wood" }));
    board(this._left, 6 * P, "field");
    board(this._barX + BAR_W, 6 * P, "field");
    board(this._trayX + 4, TRAY - 8, "well", this.edge, h / 2 - this.edge - 50);
    board(this._trayX + 4, TRAY - 8, "well", h / 2 + 50, h / 2 - this.edge - 50);
    for (let number = 1; number <= 24; number++) {
      const { x, top } = this._point(number);
      const base = top ? this.edge : h - this.edge, tip = top ? this.edge + this.length : h - this.edge - this.length;
      frame.append(make("path", {
        d: `M${x + 2} ${base}L${x + P / 2} ${tip}L${x + P - 2} ${base}Z`, class: number % 2 ? "triangle dark" : "triangle light",
      }));
      const shown = this.view.mover === this.view.bottom ? number : 25 - number;
      const text = make("text", { x: x + P / 2, y: top ? this.edge * 0.74 : h - this.edge * 0.26 });
      text.textContent = String(shown);
      if (this.view.numbers) numbers.append(text);
    }
  }

  _spots() {
    const kept = document.activeElement instanceof SVGElement ? document.activeElement.dataset.spot : null;
    const places = /** @type {[Side, number][]} */ ([]);
    for (const side of SIDES) {
      places.push([side, 25], [side, 0]);
      if (this.view.hand) places.push([side, 26]);
    }
    for (let slot = 24; slot >= 1; slot--) places.push([this.view.mover, slot]);
    this.spots.clear();
    this.layers.spots.replaceChildren(...places.map(([side, slot]) => {
      const rect = this._rectOf(side, slot);
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
        const label = make("text", { class: "count", dy: "0.35em" });
        const mark = side === "X" ? make("circle", { r: 17, class: "ring" }) : make("circle", { r: 6, class: "dot" });
        const node = make("g", { class: `checker ${side.toLowerCase()}` }, make("circle", { r: R, class: "disc" }),
          make("circle", { r: R - 5, class: "rim" }), mark, label);
        this.layers.checkers.append(node);
        own.push({ node, label, slot: -1 });
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
          checker.slot = slot;
          at[slot].push(checker);
        }
      }
      at.forEach((stack, slot) => stack.forEach((checker, index) => {
        const { x, y, flat } = this._spotOf(side, slot, index, stack.length);
        checker.node.style.transform = `translate(${x}px, ${y}px) scale(1, ${flat})`;
        const top = index === stack.length - 1;
        const crowd = slot >= 1 && slot <= 25 && stack.length > 5;
        checker.label.textContent = top && crowd ? String(stack.length) : "";
        checker.node.classList.toggle("counted", top && crowd);
      }));
    }
  }

  /** @param {Side} side @param {number} slot */
  _top(side, slot) {
    const stack = this.checkers[side].filter((checker) => checker.slot === slot);
    const spots = stack.map((_, index) => this._spotOf(side, slot, index, stack.length));
    return spots[spots.length - 1];
  }

  _marks() {
    const { marks } = this.layers, { mover } = this.view;
    marks.replaceChildren();
    for (const [side, slot] of this.view.last ?? []) {
      const { x, width, y, height } = this._rectOf(side, slot);
      const top = y < this.height / 2;
      marks.append(make("rect", { x: x + width / 2 - 13, y: top ? y - 5 : y + height - 1, width: 26, height: 5, rx: 2.5, class: "last" }));
    }
    for (const spot of this.spots.values()) {
      const mine = spot.side === mover;
      spot.node.classList.toggle("source", mine && this.view.sources.has(spot.slot));
      spot.node.classList.toggle("selected", mine && this.view.selected === spot.slot);
      spot.node.classList.toggle("target", mine && this.view.targets.has(spot.slot));
      spot.node.classList.toggle("other", mine && this.view.others.has(spot.slot));
    }
    for (const checker of [...this.checkers.X, ...this.checkers.O]) checker.node.classList.remove("picked", "movable");
    for (const slot of this.view.sources) this._topChecker(mover, slot)?.node.classList.add("movable");
    if (this.view.selected !== null) this._topChecker(mover, this.view.selected)?.node.classList.add("picked");
    for (const slot of [...this.view.targets, ...this.view.others]) {
      const { x, width, y, height } = this._rectOf(mover, slot);
      const count = slot >= 1 && slot <= 24 ? this.view.rows[mover][slot] + this.view.rows[other(mover)][25 - slot] : 0;
      const from = y < this.height / 2;
      const gap = Math.min(2 * R, (this.length - 2 * R) / Math.max(1, count));
      const cy = slot === 0 ? y + height / 2 : from ? y + R + gap * count : y + height - R - gap * count;
      marks.append(make("circle", { cx: x + width / 2, cy, r: 13, class: this.view.targets.has(slot) ? "goal" : "goal instead" }));
    }
  }

  /** The checker of a stack that lies on top. @param {Side} side @param {number} slot */
  _topChecker(side, slot) {
    const stack = this.checkers[side].filter((checker) => checker.slot === slot);
    const place = stack.length ? this._top(side, slot) : null;
    return place && stack.find((checker) => checker.node.style.transform.startsWith(`translate(${place.x}px, ${place.y}px)`));
  }

  _labels() {
    const { rows, mover, names, you } = this.view;
    /** @param {Side} side */
    const whose = (side) => (you && side === mover ? "your" : `${names[side]}'s`);
    /** @param {Side} side @param {number} count */
    const held = (side, count) => (you && side === mover ? plural(count, "checker") : `${count} of ${names[side]}'s checkers`);
    for (const { node, side, slot } of this.spots.values()) {
      const enemy = slot >= 1 && slot <= 24 ? rows[other(side)][25 - slot] : 0;
      const place = slot === 25 ? "bar" : slot === 26 ? "hand" : slot === 0 ? "tray" : `${slot}-point`;
      const count = rows[side][slot];
      const what = enemy ? held(other(side), enemy) : count ? held(side, count) : "empty";
      const notes = [];
      if (side === mover && this.view.selected === slot) notes.push("chosen");
      if (side === mover && this.view.targets.has(slot)) notes.push("can move here");
      else if (side === mover && this.view.others.has(slot)) notes.push("can go here instead");
      else if (side === mover && this.view.sources.has(slot)) notes.push("can move");
      else if (side === mover && this.view.moved.has(slot)) notes.push("has moved, can go elsewhere");
      node.setAttribute("aria-label", [`${whose(side)} ${place}`, what, ...notes].join(", "));
      node.setAttribute("aria-pressed", String(side === mover && this.view.selected === slot));
    }
  }

  _dice() {
    const { dice } = this.layers;
    dice.replaceChildren();
    const groups = this.view.dice;
    for (const { side, numbers, used } of groups) {
      const bottom = side === this.view.bottom;
      const half = bottom ? this._barX + BAR_W : this._left;
      const size = this.portrait ? 62 : 54, gap = 14;
      const wide = numbers.length * size + (numbers.length - 1) * gap;
      numbers.forEach((number, index) => {
        const x = this._x(half + 3 * P - wide / 2 + index * (size + gap), size), y = this.height / 2 - size / 2;
        const die = make("g", { class: `die ${side.toLowerCase()}${used[index] ? " used" : ""}` },
          make("rect", { x, y, width: size, height: size, rx: 11 }),
          ...FACES[number].map((place) => make("circle", {
            cx: x + size * (0.25 + 0.25 * (place % 3)), cy: y + size * (0.25 + 0.25 * Math.floor(place / 3)), r: size / 11,
          })));
        dice.append(die);
      });
    }
  }

  _cube() {
    const { cube } = this.layers, c = this.view.cube;
    cube.replaceChildren();
    if (!c) return;
    const size = this.portrait ? 50 : 54, middle = this.height / 2;
    const end = this.portrait ? 34 : middle - 45;
    const bottom = c.owner === this.view.bottom;
    const y = c.offered || !c.owner ? middle : middle + (bottom ? end : -end);
    const column = this.portrait ? this._trayX + TRAY / 2 - 2 : this.margin / 2 - 2;
    const x = this._x(c.offered && !this.portrait ? this._barX + BAR_W / 2 : column);
    const value = c.offered ?? c.value;
    const text = make("text", { x, y, dy: "0.35em", class: value >= 1000 ? "long" : "" });
    text.textContent = String(value === 1 ? 64 : value);
    cube.append(make("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 9,
      class: c.offered ? "offered" : "" }), text);
  }

  /** Arrows of advice: each from a place to a place of a side, with the verdict that colours it. */
  _arrows() {
    this.layers.arrows.replaceChildren(...(this.view.arrows ?? []).map(({ side, from, to, kind }) => {
      const [a, b] = [from, to].map((slot) => {
        const { x, y, width, height } = this._rectOf(side, slot);
        const up = y < this.height / 2;
        return { x: x + width / 2, y: slot >= 1 && slot <= 24 ? (up ? y + 2.2 * R : y + height - 2.2 * R) : y + height / 2 };
      });
      const long = Math.hypot(b.x - a.x, b.y - a.y) || 1, dy = (b.y - a.y) / long;
      const bend = Math.min(70, long / 4) * (a.y < this.height / 2 ? 1 : -1);
      const same = Math.abs(a.y - b.y) < R;
      const middle = { x: (a.x + b.x) / 2 + (same ? 0 : dy * 30), y: (a.y + b.y) / 2 + (same ? bend : 0) };
      const turn = Math.atan2(b.y - middle.y, b.x - middle.x);
      const wing = /** @param {number} angle */ (angle) => `${b.x - 24 * Math.cos(turn + angle)} ${b.y - 24 * Math.sin(turn + angle)}`;
      return make("g", { class: `arrow ${kind}` },
        make("path", { class: "shaft", d: `M${a.x} ${a.y}Q${middle.x} ${middle.y} ${b.x - 14 * Math.cos(turn)} ${b.y - 14 * Math.sin(turn)}` }),
        make("path", { class: "head", d: `M${b.x} ${b.y}L${wing(0.5)}L${wing(-0.5)}Z` }));
    }));
  }

  // -- pointer ------------------------------------------------------------------------------------------------
  /** @param {MouseEvent} event */
  _where(event) {
    const matrix = this.svg.getScreenCTM();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : new DOMPoint();
  }

  /** @param {DOMPoint} point @returns {Spot | "dice" | null} */
  _hit(point) {
    for (const spot of this.spots.values()) {
      const { x, y, width, height } = spot.rect;
      if (point.x >= x && point.x < x + width && point.y >= y && point.y < y + height) return spot;
    }
    const half = this.height / 2;
    if (Math.abs(point.y - half) < 45 && this.view.dice.length && point.x > this._left && point.x < this.width - this.edge) return "dice";
    return null;
  }

  /** @param {PointerEvent} event */
  _down(event) {
    if (event.button !== 0) return;
    const point = this._where(event), spot = this._hit(point);
    if (!spot) return;
    event.preventDefault();
    if (spot === "dice") { this.handlers.onDice(); return; }
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
      const at = over && over !== "dice" ? over : null;
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
    if (spot && spot !== "dice" && spot.side === this.view.mover) this.handlers.onPoint(spot.slot);
  }

  // -- keyboard -----------------------------------------------------------------------------------------------
  /** @param {string} key */
  _rove(key) {
    this.focus = key;
    for (const [name, spot] of this.spots) spot.node.setAttribute("tabindex", name === key ? "0" : "-1");
  }

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
    const centre = /** @param {Spot} spot */ ({ rect }) => [rect.x + rect.width / 2, rect.y + rect.height / 2];
    const [x, y] = centre(spot);
    const [dx, dy] = WAYS[key] ?? [0, 0];
    let best = null, least = Infinity;
    for (const each of this.spots.values()) {
      const [cx, cy] = centre(each);
      const along = (cx - x) * dx + (cy - y) * dy, across = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
      if (each === spot || along < 10 || (dx && across > 140)) continue;
      const far = along + 2 * across;
      if (far < least) { best = each; least = far; }
    }
    if (best) this.goTo(best.side, best.slot);
  }
}
