// @ts-check
/** Walking through the ways to play a roll, as the server sent them. Nothing here knows a rule of the game. */

const NAMES = /** @type {Record<number, string>} */ ({ 0: "off", 25: "bar", 26: "hand" });

/** @typedef {import("/static/parts/state").TreeStep} Step */
/** @typedef {import("/static/parts/state").PlayTree} PlayTree */

/** @param {number} slot */
export const slotName = (slot) => NAMES[slot] ?? String(slot);

/** @param {Step} step */
export const stepText = ([from, to, hit]) => `${slotName(from)}/${slotName(to)}${hit ? "*" : ""}`;

export class Walk {
  /** @param {PlayTree | undefined} tree */
  constructor(tree) {
    this.tree = tree ?? { steps: [[]], dice: [[]] };
    this.active = Boolean(tree);
    /** @type {Step[]} */
    this.made = [];
  }

  get node() {
    return this.made.length ? this.made[this.made.length - 1][3] : 0;
  }
  get steps() {
    return this.tree.steps[this.node];
  }
  get dice() {
    return this.tree.dice[this.node];
  }
  get complete() {
    return this.active && this.made.length > 0 && this.steps.length === 0;
  }
  get moves() {
    return this.made.map(stepText);
  }

  /** Places from which a checker may go now. */
  get sources() {
    return new Set(this.steps.map(([from]) => from));
  }

  /**
   * The places that a checker can reach, with one die or more: place -> the steps that lead there.
   * @param {number} from
   */
  targets(from) {
    /** @type {Map<number, Step[]>} */
    const targets = new Map();
    let edge = [{ at: from, node: this.node, path: /** @type {Step[]} */ ([]) }];
    while (edge.length) {
      const next = [];
      for (const { at, node, path } of edge) {
        for (const step of this.tree.steps[node]) {
          if (step[0] !== at) continue;
          const longer = [...path, step];
          if (!targets.has(step[1])) targets.set(step[1], longer);
          if (step[1] !== 0 && longer.length < 4) next.push({ at: step[1], node: step[3], path: longer });
        }
      }
      edge = next;
    }
    return targets;
  }

  /**
   * The places that a checker which has moved in this play can reach instead: place -> all steps of the changed play.
   * The place it came from is one of them. @param {number} slot
   */
  instead(slot) {
    /** @type {Map<number, Step[]>} */
    const targets = new Map();
    const last = this.made.map(([, to]) => to).lastIndexOf(slot);
    if (last < 0) return targets;
    const chain = [last];
    let from = this.made[last][0];
    for (let at = last - 1; at >= 0; at--) {
      if (this.made[at][1] === from) {
        chain.push(at);
        from = this.made[at][0];
      }
    }
    const others = new Walk(this.tree);
    if (!others.follow(this.made.filter((_, at) => !chain.includes(at)).map(stepText))) return targets;
    for (const [to, steps] of others.targets(from)) if (to !== slot) targets.set(to, [...others.made, ...steps]);
    targets.set(from, others.made);
    return targets;
  }

  /** Places with a checker that has moved in this play. */
  get moved() {
    return new Set(this.made.map(([, to]) => to).filter((to) => this.instead(to).size));
  }

  /**
   * The step from a place with a die, or with the first of these dice that allows one.
   * @param {number} from
   * @param {number[]} dice
   */
  stepWith(from, dice) {
    for (const die of dice) {
      const step = this.steps.find(([source, , , next]) => source === from && this._used(next) === die);
      if (step) return step;
    }
    return this.steps.find(([source]) => source === from);
  }

  /** The die that a step to this node uses. @param {number} next */
  _used(next) {
    const left = [...this.tree.dice[next]];
    return this.dice.find((die) => {
      const at = left.indexOf(die);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  }

  /** Two steps that make the same empty place a point, or null. @param {number} target @returns {Step[] | null} */
  pointMaker(target) {
    for (const first of this.steps) {
      if (first[1] !== target) continue;
      const second = this.tree.steps[first[3]].find(([from, to]) => to === target && from !== target);
      if (second) return [first, second];
    }
    return null;
  }

  /** Go on as these written moves say; false when the tree does not know one. @param {string[]} moves */
  follow(moves) {
    this.made = [];
    for (const move of moves) {
      const step = this.steps.find((candidate) => stepText(candidate).replace("*", "") === move.replace("*", ""));
      if (!step) return false;
      this.made.push(step);
    }
    return true;
  }

  /** Rows of both sides with the steps made so far. @param {number[]} own @param {number[]} other */
  apply(own, other) {
    const mine = [...own];
    const theirs = [...other];
    for (const [from, to, hit] of this.made) {
      mine[from] -= 1;
      mine[to] += 1;
      if (hit) {
        theirs[25 - to] -= 1;
        theirs[25] += 1;
      }
    }
    return [mine, theirs];
  }
}

const SLOTS = /** @type {Record<string, number>} */ ({ bar: 25, hand: 26, off: 0 });

/** The slot of a place in a written move; the star of a hit is passed over. @param {string} place */
export const slotOf = (place) => SLOTS[place.replace("*", "")] ?? Number(place.replace("*", ""));

/**
 * Written moves as arrows.
 * @param {string[]} moves
 * @param {string} [kind]
 * @param {import("/static/parts/state").Side} [side]
 * @returns {import("/static/game/tutor.js").Arrow[]}
 */
export const arrowsOfMoves = (moves, kind = "ok", side = "X") =>
  moves.map((move) => {
    const [from, to] = move.split("/").map(slotOf);
    return { side, from, to, kind };
  });
