// @ts-check
/**
 * The board as SVG. It is given a view (checkers of both sides, dice, cube, what may be moved) and tells what the
 * person did; it knows no rule of the game.
 */

import { DrawnBoard } from "/static/board/drawn-board.js";
import { Lifted } from "/static/board/motion.js";
import { beside } from "/static/board/names.js";
import { P } from "/static/board/places.js";
import * as preferences from "/static/parts/preferences.js";

/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {import("/static/board/drawn-board.js").Spot} Spot */

export class Board extends DrawnBoard {
  /**
   * @param {HTMLElement} place
   * @param {{onActivate: (slot: number) => void, onDrop: (from: number, to: number) => void,
   *   onDouble: (slot: number) => void, onPoint: (slot: number) => void, onDice: (die: number, atOnce: boolean) =>
   *   void, onTap?: (slot: number, vacant: boolean) => void, onCube?: () => void, targets: (slot: number) =>
   *   [Set<number>, Set<number>]}} handlers slots are those of the side that moves; `targets` are where a checker may go, and
   *   where it may go instead of where it went; `onTap`: one click is to move a checker, or none of one's own stands
   *   there; `onDice`: the number that was pressed, and whether one click is to move
   */
  constructor(place, handlers) {
    super(place);
    this.handlers = handlers;
    this.press = /** @type {{spot: Spot, point: DOMPoint, id: number, lifted: Lifted | null} | null} */ (null);
    this.tapped = /** @type {{slot: number, at: number} | null} */ (null);
    /** True where arrows to the left and right go through plies, unless the focus came to the board by keys. */
    this.yieldsArrows = false;
    // The frame around a place is for those who come to it by keys, not for a pointer.
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.classList.add("pointed");
      this._down(event);
    });
    document.addEventListener("keydown", (event) => this._yields(event) || this.svg.classList.remove("pointed"), true);
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
    return this._dieAt(point) === null ? null : "dice";
  }

  /**
   * The number on the die at a point, 0 on one that is not thrown yet; null where there is none.
   * @param {DOMPoint} point
   */
  _dieAt(point) {
    const blank = this._blank.map((place) => ({ place, number: 0 }));
    const dice = blank.length
      ? blank
      : this.view.dice.flatMap(({ side, numbers }) =>
          this.at.dice(side, numbers.length).map((place, index) => ({ place, number: numbers[index] })),
        );
    const reach = this.at.die / 2 + 10;
    const far = /** @param {{x: number, y: number}} place */ ({ x, y }) =>
      Math.max(Math.abs(point.x - x), Math.abs(point.y - y));
    const near = dice.filter(({ place }) => far(place) < reach).sort((a, b) => far(a.place) - far(b.place));
    return near.length ? near[0].number : null;
  }

  /** @param {PointerEvent} event */
  _down(event) {
    if (event.button !== 0) return;
    const point = this._where(event);
    const spot = this._hit(point);
    if (!spot) return;
    event.preventDefault();
    if (spot === "dice") {
      this.handlers.onDice(this._dieAt(point) ?? 0, preferences.movesAtOnce(event.pointerType));
      return;
    }
    if (spot === "cube") {
      this.handlers.onCube?.();
      return;
    }
    spot.node.focus({ preventScroll: true });
    this.press = { spot, point, id: event.pointerId, lifted: null };
    this.svg.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  _drag(event) {
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    const point = this._where(event);
    const { slot, side } = press.spot;
    if (!press.lifted) {
      if (Math.hypot(point.x - press.point.x, point.y - press.point.y) < 9) return;
      if (side !== this.view.mover || !(this.view.sources.has(slot) || this.view.moved.has(slot))) return;
      [this.view.targets, this.view.others] = this.handlers.targets(slot);
      this.view.selected = slot;
      this._marks();
      const checker = this._topChecker(side, slot);
      press.lifted = new Lifted(checker.node, this.layers.drag, event, this.svg.getScreenCTM()?.a ?? 1);
    }
    press.lifted.follow(point);
  }

  /** @param {PointerEvent} event */
  _up(event) {
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    const point = this._where(event);
    const { slot, side } = press.spot;
    const { lifted } = press;
    this._release();
    if (lifted) {
      this.handlers.onDrop(slot, this._landing(lifted.at(point), point));
      return;
    }
    // A finger that slid across the board pressed nothing.
    if ((side !== this.view.mover && slot !== 0) || Math.hypot(point.x - press.point.x, point.y - press.point.y) > P)
      return;
    if (this.handlers.onTap && preferences.movesAtOnce(event.pointerType)) {
      this.handlers.onTap(slot, slot > 0 && slot < 25 && !this.view.rows[side][slot]);
      return;
    }
    const again = this.tapped && this.tapped.slot === slot && event.timeStamp - this.tapped.at < 400;
    this.tapped = again ? null : { slot, at: event.timeStamp };
    if (again) this.handlers.onDouble(slot);
    else this.handlers.onActivate(slot);
    if (this.view.selected === null) this.tapped = null;
  }

  /**
   * Where a checker that was dragged comes down: where it is seen if it may go there, else where the finger is.
   * @param {DOMPoint[]} points
   */
  _landing(...points) {
    const slots = points
      .map((point) => this._hit(point))
      .map((at) => (at && typeof at !== "string" && (at.side === this.view.mover || at.slot === 0) ? at.slot : -1));
    return slots.find((slot) => this.view.targets.has(slot) || this.view.others.has(slot)) ?? slots[0];
  }

  _release() {
    this.press?.lifted?.drop();
    this.press = null;
  }

  /** @param {MouseEvent} event */
  _context(event) {
    event.preventDefault();
    const spot = this._hit(this._where(event));
    if (spot && typeof spot !== "string" && spot.side === this.view.mover) this.handlers.onPoint(spot.slot);
  }

  // -- keyboard -----------------------------------------------------------------------------------------------
  /** @param {Side} side @param {number} slot */
  goTo(side, slot) {
    const spot = this.spots.get(`${side}${slot}`);
    if (!spot) return;
    this._rove(`${side}${slot}`);
    spot.node.focus();
  }

  /** True for a key that goes through plies, and from place to place only for those who came by keys. @param {KeyboardEvent} event */
  _yields({ key }) {
    const sideways = key === "ArrowLeft" || key === "ArrowRight";
    return this.yieldsArrows && sideways && this.svg.classList.contains("pointed");
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    const spot = this.focus && this.spots.get(this.focus);
    if (!spot || event.ctrlKey || event.metaKey || event.altKey || this._yields(event)) return;
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
