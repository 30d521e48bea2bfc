// @ts-check
/** Plays that make themselves, if the preferences say so: the only one there is, and sure ways to bear off. */

import { pause } from "/static/board/motion.js";
import { other } from "/static/board/numbering.js";
import * as preferences from "/static/parts/preferences.js";

/** @typedef {import("/static/parts/state").Side} Side */

/** Milliseconds in which the dice are seen before the play is made. */
const LOOK = 700;

export class Automatic {
  /**
   * @param {import("/static/game/table.js").Table} table
   * @param {import("/static/board/mover.js").Mover} mover
   * @param {import("/static/game/actions.js").Actions} actions
   */
  constructor(table, mover, actions) {
    this.table = table;
    this.mover = mover;
    this.actions = actions;
    this.done = -1;
  }

  /** Make the play of now, if it makes itself. */
  async consider() {
    const { table, mover } = this;
    const { automatic } = preferences.read();
    const now = table.begun;
    const held = mover.walk;
    if (!automatic || !now || !table.can("move") || !table.mine || mover.made || this.done === now.sequence) return;
    const moves =
      now.plays?.length === 1
        ? anyPlay(held)
        : automatic === "sure" && !hasContact(now.points, now.on_roll)
          ? bearingOff(held)
          : null;
    if (!moves) return;
    this.done = now.sequence;
    await pause(LOOK * preferences.pace());
    if (mover.walk !== held || mover.made || table.busy) return;
    held.follow(moves);
    mover.redraw();
    await pause((LOOK * preferences.pace()) / 2);
    if (mover.walk === held && mover.complete) await this.actions.finish();
  }
}

/** @typedef {import("/static/board/tree.js").Walk} Walk */

/** Any whole way through the tree of a play. @param {Walk} walk @returns {string[] | null} */
function anyPlay(walk) {
  const moves = /** @type {string[]} */ ([]);
  for (let node = 0; walk.tree.steps[node].length; node = walk.tree.steps[node][0][3])
    moves.push(text(walk.tree.steps[node][0]));
  return moves.length ? moves : null;
}

/**
 * A whole way on which every die takes a checker off: none is better without contact.
 * @param {Walk} walk
 * @returns {string[] | null}
 */
function bearingOff(walk) {
  const moves = /** @type {string[]} */ ([]);
  for (let node = 0; walk.tree.steps[node].length; ) {
    const off = walk.tree.steps[node].filter(([, to]) => to === 0);
    const froms = new Set(off.map(([from]) => from));
    if (!off.length || (walk.tree.dice[node].length < 2 && froms.size > 1)) return null;
    moves.push(text(off[0]));
    node = off[0][3];
  }
  return moves.length ? moves : null;
}

/** @param {import("/static/parts/state").TreeStep} step */
const text = ([from, to, hit]) =>
  `${from === 25 ? "bar" : from === 26 ? "hand" : from}/${to || "off"}${hit ? "*" : ""}`;

/** True while the last checkers of both can still meet. @param {Record<Side, number[]>} points @param {Side} side */
export function hasContact(points, side) {
  const [mine, theirs] = [points[side], points[other(side)]].map((row) =>
    row.reduce((last, count, slot) => (count ? slot : last), 0),
  );
  return mine + theirs > 25;
}
