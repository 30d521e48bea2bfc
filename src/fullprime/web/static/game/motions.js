// @ts-check
/** Plays of others shown checker by checker, and takebacks backwards: the boards between two states of the server. */

import { pause } from "/static/board/motion.js";
import { other } from "/static/board/numbering.js";
import { slotOf } from "/static/board/tree.js";
import * as preferences from "/static/parts/preferences.js";

/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {Record<Side, number[]>} Rows */
/** @typedef {[from: number, to: number, hit: boolean]} Hop */

/** Milliseconds from one checker to the next. */
const STEP = 340;

/** The single moves of a written play, such as `24/18*\/13 6/5(2)`. @param {string} play @returns {Hop[]} */
export function hopsOf(play) {
  return play
    .split(" ")
    .filter(Boolean)
    .flatMap((word) => {
      const [, way, count] = /^(.*?)(?:\((\d)\))?$/.exec(word);
      // A star belongs to the place before it; behind the count of several it is that of the last place.
      const places = way.split("/").map((name) => ({
        slot: slotOf(name),
        hit: name.endsWith("*"),
      }));
      const hops = places.slice(1).map((place, at) => /** @type {Hop} */ ([places[at].slot, place.slot, place.hit]));
      return Array.from({ length: Number(count ?? 1) }, (_, again) =>
        hops.map(([from, to, hit]) => /** @type {Hop} */ ([from, to, hit && !again])),
      ).flat();
    });
}

/** The board after one move of a side. @param {Rows} rows @param {Side} side @param {Hop} hop @returns {Rows} */
function rowAfter(rows, side, [from, to, hit]) {
  const mine = [...rows[side]];
  const theirs = [...rows[other(side)]];
  mine[from] -= 1;
  mine[to] += 1;
  if (hit) {
    theirs[25 - to] -= 1;
    theirs[25] += 1;
  }
  return side === "X" ? { X: mine, O: theirs } : { X: theirs, O: mine };
}

/** @param {Rows} a @param {Rows} b */
const same = (a, b) => a.X.join() === b.X.join() && a.O.join() === b.O.join();

export class Motions {
  /**
   * @param {(rows: Rows | null) => void} show draws these checkers; null: they have arrived, and the next board is drawn by its message
   */
  constructor(show) {
    this.show = show;
    /** The plays that were seen, with the boards before, between and after. @type {Rows[][]} */
    this.seen = [];
  }

  /** A new game: nothing before it can be taken back. */
  forget() {
    this.seen = [];
  }

  /**
   * A play is shown on its way from the board that is seen to that of the server.
   * @param {Rows} shown the checkers on the page now
   * @param {Rows} before those of the state before
   * @param {Side} side
   * @param {string} play
   * @param {Rows} next
   */
  async play(shown, before, side, play, next) {
    const boards = [before];
    for (const hop of hopsOf(play)) boards.push(rowAfter(boards[boards.length - 1], side, hop));
    if (!same(boards[boards.length - 1], next)) return;
    this.seen.push(boards);
    // A play made on this page is on the board already.
    if (same(shown, before)) await this._walk(boards.slice(1));
  }

  /** A takeback: the plays that it takes back, backwards. @param {Rows} before @param {Rows} next */
  async back(before, next) {
    const boards = [];
    let at = before;
    while (this.seen.length && !same(at, next)) {
      const last = this.seen[this.seen.length - 1];
      if (!same(last[last.length - 1], at)) break;
      this.seen.pop();
      boards.push(...last.slice(0, -1).reverse());
      at = last[0];
    }
    if (same(at, next)) await this._walk(boards);
    else this.forget();
  }

  /** @param {Rows[]} boards */
  async _walk(boards) {
    const pace = preferences.pace();
    if (!pace || document.hidden) return;
    for (const rows of boards) {
      this.show(rows);
      await pause(STEP * pace);
    }
    this.show(null);
  }
}
