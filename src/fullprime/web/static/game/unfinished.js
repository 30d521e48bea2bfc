// @ts-check
/** A play that is not finished outlives a reload of the page, until the game has gone on. */

export class Unfinished {
  /** @param {string} id */
  constructor(id) {
    this.name = `fullprime.play.${id}`;
  }

  /** @param {number | undefined} sequence @param {string[]} moves */
  keep(sequence, moves) {
    try {
      if (moves.length) sessionStorage.setItem(this.name, JSON.stringify({ sequence, moves }));
      else sessionStorage.removeItem(this.name);
    } catch {
      // A browser that keeps nothing loses it.
    }
  }

  /** The moves that were made of the play at that number of events. @param {number} sequence @returns {string[]} */
  of(sequence) {
    try {
      const stored = JSON.parse(sessionStorage.getItem(this.name) ?? "null");
      return stored?.sequence === sequence ? stored.moves : [];
    } catch {
      return [];
    }
  }
}
