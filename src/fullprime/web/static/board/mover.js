// @ts-check
/** A play made by hand on a board, from the tree of the ways to play a roll. */

import { AT_REST, NONE } from "/static/board/drawn-board.js";
import { other } from "/static/board/numbering.js";
import { Walk } from "/static/board/tree.js";
import * as preferences from "/static/parts/preferences.js";

/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {import("/static/parts/state").TreeStep} Step */

/** The first of the places from which checkers enter: the bar, and the hand behind it. */
const BAR = 25;

export class Mover {
  /** @param {() => void} redraw @param {(moves: string, walk: Walk) => void} onDone called with a complete play */
  constructor(redraw, onDone) {
    this.redraw = redraw;
    this.onDone = onDone;
    /** Called with the steps of the play that have just been added. @type {(added: Step[]) => void} */
    this.onStep = () => {};
    /** True while nothing may be moved, as when a play is on its way to the server. */
    this.locked = false;
    /** True while the board shows another moment than that of the play. */
    this.asleep = false;
    /** Whether a play waits to be confirmed; null: as the preferences say. @type {boolean | null} */
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

  get active() {
    return this.walk.active && !this.locked && !this.asleep;
  }
  get complete() {
    return this.walk.complete;
  }
  get made() {
    return this.walk.made.length > 0;
  }

  /**
   * The place of the checker that goes to the next target: the one that was chosen, or where the only one that may move
   * must enter.
   */
  get held() {
    if (this.selected !== null || !this.active) return this.selected;
    const [only, ...others] = this.walk.sources;
    return only >= BAR && !others.length ? only : null;
  }

  /** The checker in the hand goes to a place, where it can. @param {number} slot */
  _put(slot) {
    const { held } = this;
    if (held === null) return false;
    // A checker that has moved is taken up there, unless the one that must enter can go to the same place.
    if (this.selected === null && this.walk.moved.has(slot) && !this.walk.targets(held).has(slot)) return false;
    const steps = this._reach(held).get(slot);
    if (steps) this._make(steps);
    return Boolean(steps);
  }

  /** Place -> all steps of the play that are made when the checker of `slot` goes there. @param {number} slot */
  _reach(slot) {
    const reach = new Map(this.walk.instead(slot));
    for (const [to, steps] of this.walk.targets(slot)) reach.set(to, [...this.walk.made, ...steps]);
    return reach;
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
    if (this.walk.complete && !(this.confirms ?? preferences.read().confirm)) this.finish();
  }

  /**
   * A checker moves by the die that is used first, or by another.
   * @param {number} slot
   * @param {number[]} [first] the die that is pressed
   */
  _quickly(slot, first = []) {
    this.selected = null;
    const dice = [...new Set([...first, ...(this.swapped ? [...this.walk.dice].reverse() : this.walk.dice)])];
    const step = this.walk.stepWith(slot, dice);
    if (step) this._make([...this.walk.made, step]);
    else this.redraw();
  }

  /** The play of a right answer stands on the board, also one that was written. @param {string[]} moves */
  settle(moves) {
    const { made: before, complete } = this.walk;
    if (!this.walk.follow(moves)) this.walk.made = complete ? before : [];
    this.selected = null;
  }

  undo() {
    this.walk.made.pop();
    this.selected = null;
    this.redraw();
  }
  unselect() {
    this.selected = null;
    this.redraw();
  }
  finish() {
    if (this.walk.complete) this.onDone(this.walk.moves.join(" "), this.walk);
  }

  /**
   * The handlers of the board for clicks and drags.
   * @returns {ConstructorParameters<typeof import("/static/board/board.js").Board>[1]}
   */
  get handlers() {
    return {
      onActivate: (slot) => {
        if (!this.active) return;
        if (this._put(slot)) return;
        if (this.selected === slot) {
          this._quickly(slot);
          return;
        }
        this.selected = this.walk.sources.has(slot) || this.walk.moved.has(slot) ? slot : null;
        this.redraw();
      },
      onTap: (slot, vacant) => {
        if (!this.active || this._put(slot)) return;
        const point = vacant ? this.walk.pointMaker(slot) : null;
        if (this.walk.sources.has(slot)) this._quickly(slot);
        else if (point) this._make([...this.walk.made, ...point]);
        else {
          this.selected = this.walk.moved.has(slot) && this.selected !== slot ? slot : null;
          this.redraw();
        }
      },
      onDrop: (from, to) => {
        if (!this.active) return;
        const steps = this._reach(from).get(to);
        this.selected = null;
        if (steps) this._make(steps);
        else this.redraw();
      },
      onDouble: (slot) => {
        if (this.active) this._quickly(slot);
      },
      onPoint: (slot) => {
        const steps = this.active && this.walk.pointMaker(slot);
        if (steps) this._make([...this.walk.made, ...steps]);
      },
      onDice: (die, atOnce) => {
        if (!this.active) return;
        if (this.complete) this.finish();
        else if (atOnce && this.held !== null && this.held >= BAR && this.walk.dice.includes(die))
          this._quickly(this.held, [die]);
        else {
          this.swapped = !this.swapped;
          this.redraw();
        }
      },
      targets: (slot) => [new Set(this.walk.targets(slot).keys()), this._others(slot)],
    };
  }

  /** The marks of the play on the board. */
  get look() {
    const { selected, held, active } = this;
    if (!active) return { ...AT_REST, selected };
    return {
      sources: this.walk.sources,
      selected,
      moved: this.walk.moved,
      targets: held === null ? NONE : new Set(this.walk.targets(held).keys()),
      others: selected === null ? NONE : this._others(selected),
    };
  }

  /**
   * Rows of both sides with the moves made so far.
   * @param {Record<Side, number[]>} points
   * @param {Side} side
   * @returns {Record<Side, number[]>}
   */
  rows(points, side) {
    if (!this.made) return points;
    const [mine, theirs] = this.walk.apply(points[side], points[other(side)]);
    return side === "X" ? { X: mine, O: theirs } : { X: theirs, O: mine };
  }

  /**
   * The dice of a roll, those that have been played marked.
   * @param {number[] | null} roll @param {Side} side @returns {import("/static/board/drawn-board.js").DiceGroup[]}
   */
  dice(roll, side) {
    if (!roll) return [];
    const numbers =
      roll[0] === roll[1]
        ? /** @type {number[]} */ (Array(4).fill(roll[0]))
        : this.swapped
          ? [...roll].reverse()
          : roll;
    const left = this.walk.active ? [...this.walk.dice] : [...numbers];
    const used = numbers.map((number) => {
      const at = left.indexOf(number);
      if (at < 0) return true;
      left.splice(at, 1);
      return false;
    });
    return [{ side, numbers: numbers, used }];
  }
}
