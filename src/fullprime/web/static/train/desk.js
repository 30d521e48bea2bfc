// @ts-check
/** A board on which a learner answers: plays made by hand, and arrows for the answer and the best play. */

import { Board } from "/static/board/board.js";
import { Mover } from "/static/board/mover.js";
import { onShape, shapeNow } from "/static/board/shape.js";
import { byId } from "/static/parts/page.js";
import { leadToRules } from "/static/parts/rules-link.js";
import * as settings from "/static/parts/settings.js";
import { t } from "/static/parts/texts.js";

/** Moves as arrows. @param {string[]} moves @param {string} kind */
const arrows = (moves, kind) => moves.map((move) => move.replace("*", "").split("/").map((place) => ({ off: 0, bar: 25, hand: 26 })[place] ?? Number(place)))
  .map(([from, to]) => ({ side: /** @type {"X"} */ ("X"), from, to, kind }));

/** A board at rest, where there is nothing to decide: the room of the next one stays. */
const START = [0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0];
const REST = { points: { X: START, O: START }, has_hand: false, dice: null, cube: { in_use: false, value: 1 } };
const hasBoard = !document.body.classList.contains("boardless");

export class Desk {
  /** @param {(moves: string) => void} onPlay a complete play */
  constructor(onPlay) {
    this.mover = new Mover(() => this.draw(), (moves) => onPlay(moves));
    this.board = new Board(byId("board"), this.mover.handlers);
    /** @type {any} */
    this.scene = null;
    /** True while an answer is awaited. */
    this.open = false;
    /** @type {{moves: string[], best_moves: string[], right: boolean} | null} */
    this.told = null;
    onShape(() => this.draw());
  }

  /** Another board, or none. @param {any} scene */
  show(scene) {
    this.scene = scene;
    this.told = null;
    this.open = true;
    this.mover.reset(scene?.tree);
    if (scene) leadToRules(scene);
    this.draw();
  }

  /** What came of the answer. @param {{moves: string[], best_moves: string[], right: boolean}} told */
  tell(told) {
    this.told = told;
    this.open = false;
    if (told.right && told.moves.length) this.mover.settle(told.moves);
    else this.mover.reset(undefined);
    this.draw();
  }

  draw() {
    const view = this.scene ?? (hasBoard ? REST : null), look = settings.read(), told = this.told;
    this.mover.locked = !this.open;
    for (const [deed, shown] of /** @type {[string, boolean][]} */ ([["undo", this.open && this.mover.active], ["done", this.open && this.mover.active]])) {
      const button = document.querySelector(`[data-act=${deed}]`);
      if (!(button instanceof HTMLButtonElement)) continue;
      button.hidden = !shown;
      button.disabled = deed === "undo" ? !this.mover.made : !this.mover.complete;
    }
    if (!view) return;
    this.board.draw({
      rows: this.mover.rows(view.points, "X"), bottom: "X", mover: "X", you: true, hand: view.has_hand, names: { X: t("You"), O: t("Opponent") },
      shape: shapeNow(), homeLeft: look.home === "left", numbers: look.numbers, last: [],
      arrows: told && !this.mover.made ? [...(told.right ? [] : arrows(told.moves, "error")), ...arrows(told.best_moves, "ok")] : [],
      dice: this.mover.dice(view.dice, "X"), cube: view.cube.in_use || view.cube.value > 1 ? view.cube : null, ...this.mover.look,
      ...(this.open ? {} : { sources: new Set(), targets: new Set(), moved: new Set(), others: new Set(), selected: null }),
    });
  }
}
