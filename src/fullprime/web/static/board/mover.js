// @ts-check
/** A play made by hand on a board, from the tree of the ways to play a roll. */

import * as settings from "/static/parts/settings.js";
import { Walk } from "/static/board/tree.js";

/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {import("/static/parts/state").TreeStep} Step */

/** @param {Side} side @returns {Side} */
const other = (side) => (side === "X" ? "O" : "X");

export class Mover {
  /** @param {() => void} redraw @param {(moves: string, walk: Walk) => void} onDone called with a complete play */
  constructor(redraw, onDone) {
    this.redraw = redraw;
    this.onDone = onDone;
    /** Called with the steps of the play that have just been added. @type {(added: Step[]) => void} */
    this.onStep = () => {};
    /** True while nothing may be moved, as when a play is on its way to the server. */
    this.locked = false;
    /** Whether a play waits to be confirmed; null: as the settings say. @type {boolean | null} */
    this.confirms = null;
    this.reset(undefined);
  }

  /** Another roll, or none. @param {import("/static/parts/state").PlayTree | undefined} tree */
  reset(tree) {
    this.walk = new Walk(tree);
    /** @type {number | null} */
    this.selected = null;
    this.swapped = false;
  }

  get active() { return this.walk.active && !this.locked; }
  get complete() { return this.walk.complete; }
  get made() { return this.walk.made.length > 0; }

  /** Place -> all steps of the play that are made when the checker of `slot` goes there. @param {number} slot */
  _reach(slot) {
    const found = new Map(this.walk.instead(slot));
    for (const [to, steps] of this.walk.targets(slot)) found.set(to, [...this.walk.made, ...steps]);
    return found;
  }

  /** @param {number} slot */
  _others(slot) {
    const targets = this.walk.targets(slot);
    return new Set([...this.walk.instead(slot).keys()].filter((to) => !targets.has(to)));
  }

  /** @param {Step[]} steps */
  _make(steps) {
    this.onStep(steps.filter((step, at) => step !== this.walk.made[at]));
    this.walk.made = steps;
    this.selected = null;
    this.redraw();
    if (this.walk.complete && !(this.confirms ?? settings.read().confirm)) this.finish();
  }

  /** @param {number} slot */
  _quickly(slot) {
    this.selected = null;
    const dice = [...new Set(this.swapped ? [...this.walk.dice].reverse() : this.walk.dice)];
    const step = this.walk.stepWith(slot, dice);
    if (step) this._make([...this.walk.made, step]);
    else this.redraw();
  }

  /** The play of a right answer stands on the board, also one that was written. @param {string[]} moves */
  settle(moves) {
    const { made, complete } = this.walk;
    if (!this.walk.follow(moves)) this.walk.made = complete ? made : [];
    this.selected = null;
  }

  undo() { this.walk.made.pop(); this.selected = null; this.redraw(); }
  unselect() { this.selected = null; this.redraw(); }
  finish() { if (this.walk.complete) this.onDone(this.walk.moves.join(" "), this.walk); }

  /**
   * What the board does with a person's clicks and drags.
   * @returns {ConstructorParameters<typeof import("/static/board/board.js").Board>[1]}
   */
  get handlers() {
    return {
      onActivate: (slot) => {
        if (!this.active) return;
        if (this.selected !== null) {
          const steps = this._reach(this.selected).get(slot);
          if (steps) { this._make(steps); return; }
          if (this.selected === slot) { this._quickly(slot); return; }
        }
        this.selected = this.walk.sources.has(slot) || this.walk.moved.has(slot) ? slot : null;
        this.redraw();
      },
      onDrop: (from, to) => { if (!this.active) return; const steps = this._reach(from).get(to); this.selected = null; if (steps) this._make(steps); else this.redraw(); },
      onDouble: (slot) => { if (this.active) this._quickly(slot); },
      onPoint: (slot) => { const steps = this.active && this.walk.pointMaker(slot); if (steps) this._make([...this.walk.made, ...steps]); },
      onDice: () => { if (!this.active) return; if (this.complete) this.finish(); else { this.swapped = !this.swapped; this.redraw(); } },
      targets: (slot) => [new Set(this.walk.targets(slot).keys()), this._others(slot)],
    };
  }

  /** What the board must know of the play. */
  get look() {
    const { selected, active } = this, none = /** @type {Set<number>} */ (new Set());
    return {
      sources: active ? this.walk.sources : none, selected, moved: active ? this.walk.moved : none,
      targets: active && selected !== null ? new Set(this.walk.targets(selected).keys()) : none,
      others: active && selected !== null ? this._others(selected) : none,
    };
  }

  /** Rows of both sides with what has been moved. @param {Record<Side, number[]>} points @param {Side} side @returns {Record<Side, number[]>} */
  rows(points, side) {
    if (!this.made) return points;
    const [mine, theirs] = this.walk.apply(points[side], points[other(side)]);
    return side === "X" ? { X: mine, O: theirs } : { X: theirs, O: mine };
  }

  /**
   * The dice of a roll, those that have been played marked.
   * @param {number[] | null} roll @param {Side} side @returns {import("/static/board/board.js").DiceGroup[]}
   */
  dice(roll, side) {
    if (!roll) return [];
    const whole = roll[0] === roll[1] ? /** @type {number[]} */ (Array(4).fill(roll[0])) : this.swapped ? [...roll].reverse() : roll;
    const left = this.walk.active ? [...this.walk.dice] : [...whole];
    const used = whole.map((number) => {
      const at = left.indexOf(number);
      if (at < 0) return true;
      left.splice(at, 1);
      return false;
    });
    return [{ side, numbers: whole, used }];
  }
}
