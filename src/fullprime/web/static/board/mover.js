// @ts-check
/** A play made by hand on a board, from the tree of the ways to play a roll. */

import * as settings from "/static/parts/settings.js";
import { Walk } from "/static/board/tree.js";

const other = (side) => (side === "X" ? "O" : "X");

export class Mover {
  /** @param {() => void} redraw @param {(moves: string, walk: Walk) => void} onDone called with a complete play */
  constructor(redraw, onDone) {
    this.redraw = redraw;
    this.onDone = onDone;
    this.reset(undefined);
  }

  /** Another roll, or none. */
  reset(tree) {
    this.walk = new Walk(tree);
    this.selected = /** @type {number | null} */ (null);
    this.swapped = false;
  }

  get active() { return this.walk.active; }
  get complete() { return this.walk.complete; }
  get made() { return this.walk.made.length > 0; }

  /** Place -> all steps of the play that are made when the checker of `slot` goes there. */
  _reach(slot) {
    const found = new Map(this.walk.instead(slot));
    for (const [to, steps] of this.walk.targets(slot)) found.set(to, [...this.walk.made, ...steps]);
    return found;
  }

  _others(slot) {
    const targets = this.walk.targets(slot);
    return new Set([...this.walk.instead(slot).keys()].filter((to) => !targets.has(to)));
  }

  _make(steps) {
    this.walk.made = steps;
    this.selected = null;
    this.redraw();
    if (this.walk.complete && !settings.read().confirm) this.finish();
  }

  _quickly(slot) {
    this.selected = null;
    const dice = [...new Set(this.swapped ? [...this.walk.dice].reverse() : this.walk.dice)];
    const step = this.walk.stepWith(slot, dice);
    if (step) this._make([...this.walk.made, step]);
    else this.redraw();
  }

  undo() { this.walk.made.pop(); this.selected = null; this.redraw(); }
  unselect() { this.selected = null; this.redraw(); }
  finish() { if (this.walk.complete) this.onDone(this.walk.moves.join(" "), this.walk); }

  /** What the board does with a person's clicks and drags. */
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
      onDrop: (from, to) => { const steps = this._reach(from).get(to); this.selected = null; if (steps) this._make(steps); else this.redraw(); },
      onDouble: (slot) => { if (this.active) this._quickly(slot); },
      onPoint: (slot) => { const steps = this.active && this.walk.pointMaker(slot); if (steps) this._make([...this.walk.made, ...steps]); },
      onDice: () => { if (!this.active) return; if (this.complete) this.finish(); else { this.swapped = !this.swapped; this.redraw(); } },
      targets: (slot) => /** @type {[Set<number>, Set<number>]} */ ([new Set(this.walk.targets(slot).keys()), this._others(slot)]),
    };
  }

  /** What the board must know of the play. */
  get look() {
    const { selected, active } = this;
    return {
      sources: active ? this.walk.sources : new Set(), selected, moved: active ? this.walk.moved : new Set(),
      targets: active && selected !== null ? new Set(this.walk.targets(selected).keys()) : new Set(),
      others: active && selected !== null ? this._others(selected) : new Set(),
    };
  }

  /** Rows of both sides with what has been moved. */
  rows(points, side) {
    if (!this.made) return points;
    const [mine, theirs] = this.walk.apply(points[side], points[other(side)]);
    return { [side]: mine, [other(side)]: theirs };
  }

  /** The dice of a roll, those that have been played marked. */
  dice(roll, side) {
    if (!roll) return [];
    const whole = roll[0] === roll[1] ? Array(4).fill(roll[0]) : this.swapped ? [...roll].reverse() : roll;
    const left = this.active ? [...this.walk.dice] : [...whole];
    const used = whole.map((number) => {
      const at = left.indexOf(number);
      if (at < 0) return true;
      left.splice(at, 1);
      return false;
    });
    return [{ side, numbers: whole, used }];
  }
}
