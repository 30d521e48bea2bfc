// @ts-check
/** A board on which a learner answers: plays made by hand, and arrows for the answer and the best play. */

import { Board } from "/static/board/board.js";
import { AT_REST } from "/static/board/drawn-board.js";
import { onOrientation, shapeNow } from "/static/board/layout.js";
import { Mover } from "/static/board/mover.js";
import { arrowsOfMoves } from "/static/board/tree.js";
import { attempt } from "/static/parts/attempt.js";
import { byId } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { leadToRules } from "/static/parts/rules-link.js";
import { t } from "/static/parts/texts.js";

/** A board at rest, where there is nothing to decide: the room of the next one stays. */
const START = [0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0];
const REST = { points: { X: START, O: START }, has_hand: false, dice: null, cube: { in_use: false, value: 1 } };
const hasBoard = !document.body.classList.contains("boardless");

export class AnswerBoard {
  /** @param {(moves: string) => void} onPlay a complete play */
  constructor(onPlay) {
    this.mover = new Mover(
      () => this.draw(),
      (moves) => onPlay(moves),
    );
    this.board = new Board(byId("board"), this.mover.handlers);
    /** @type {any} */
    this.scene = null;
    /** True while an answer is awaited. */
    this.open = false;
    /** True while the server is asked. */
    this.busy = false;
    /** @type {{moves: string[], best_moves: string[], right: boolean} | null} */
    this.verdict = null;
    onOrientation(() => this.draw());
  }

  /** Ask the server; a refusal is shown, and null is given then. @param {() => Promise<any>} request */
  async attempt(request) {
    this.busy = true;
    try {
      return await attempt(request);
    } finally {
      this.busy = false;
    }
  }

  /** Another board, or none. @param {any} scene */
  show(scene) {
    this.scene = scene;
    this.verdict = null;
    this.open = true;
    this.mover.reset(scene?.tree);
    if (scene) leadToRules(scene);
    this.draw();
  }

  /** Show the verdict on the answer. @param {{moves: string[], best_moves: string[], right: boolean}} verdict */
  showVerdict(verdict) {
    this.verdict = verdict;
    this.open = false;
    if (verdict.right && verdict.moves.length) this.mover.settle(verdict.moves);
    else this.mover.reset(undefined);
    this.draw();
  }

  draw() {
    const view = this.scene ?? (hasBoard ? REST : null);
    const look = preferences.read();
    const verdict = this.verdict;
    this.mover.locked = !this.open;
    for (const [deed, shown] of /** @type {[string, boolean][]} */ ([
      ["undo", this.open && this.mover.active],
      ["done", this.open && this.mover.active],
    ])) {
      const button = document.querySelector(`[data-act=${deed}]`);
      if (!(button instanceof HTMLButtonElement)) continue;
      button.hidden = !shown;
      button.disabled = deed === "undo" ? !this.mover.made : !this.mover.complete;
    }
    if (!view) return;
    this.board.draw({
      rows: this.mover.rows(view.points, "X"),
      bottom: "X",
      mover: "X",
      you: true,
      hand: view.has_hand,
      names: { X: t("You"), O: t("Opponent") },
      shape: shapeNow(),
      homeLeft: look.home === "left",
      numbers: look.numbers,
      last: [],
      arrows:
        verdict && !this.mover.made
          ? [...(verdict.right ? [] : arrowsOfMoves(verdict.moves, "error")), ...arrowsOfMoves(verdict.best_moves)]
          : [],
      dice: this.mover.dice(view.dice, "X"),
      cube: view.cube.in_use || view.cube.value > 1 ? view.cube : null,
      ...(this.open ? this.mover.look : AT_REST),
    });
  }
}
