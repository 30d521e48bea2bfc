// @ts-check
/** The position of the day at the board, for a player who waits; each play is judged at once. */

import { Board } from "/static/board/board.js";
import { onOrientation, shapeNow } from "/static/board/layout.js";
import { Mover } from "/static/board/mover.js";
import { call } from "/static/parts/api.js";
import { keepWhole } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { t } from "/static/parts/texts.js";

const upright = matchMedia("(orientation: portrait)");

/**
 * Show it until the place is hidden.
 * @param {HTMLElement} place where the board stands
 * @param {HTMLElement} status the place of the task and the verdicts
 * @param {(question: string) => string} [task] the words at the beginning
 */
export async function warmUp(
  place,
  status,
  task = (question) => `${t("While you wait, the position of the day:")} ${question} ${t("Move the checkers.")}`,
) {
  const day = new Date().toLocaleDateString("sv"); // as people here count it, and written as 2026-11-22
  const { board: view, question } = await call(`/daily?day=${day}`);
  if (place.hidden) return; // what was waited for is here already
  const begin = () => {
    mover.reset(view.tree);
    mover.locked = false;
    draw();
  };
  const mover = new Mover(
    () => draw(),
    async (/** @type {string} */ answer) => {
      mover.locked = true;
      draw();
      try {
        const { words, right } = await call(`/daily/answer?day=${day}`, { answer });
        status.textContent = words
          .map((/** @type {any[]} */ pieces) => pieces.map((piece) => piece.text).join(""))
          .join(" ");
        if (!right) begin();
      } catch (error) {
        status.textContent = error.message;
        begin();
      }
    },
  );
  mover.confirms = false;
  const board = new Board(place, mover.handlers);
  const draw = () => {
    if (place.hidden) return;
    const { home, numbers } = preferences.read();
    board.draw({
      rows: mover.rows(view.points, "X"),
      bottom: "X",
      mover: "X",
      you: true,
      hand: view.has_hand,
      names: { X: t("you"), O: t("the other side") },
      shape: upright.matches ? "tall" : shapeNow(),
      homeLeft: home === "left",
      numbers,
      last: [],
      arrows: [],
      dice: mover.dice(view.dice, "X"),
      cube: view.cube.in_use || view.cube.value > 1 ? view.cube : null,
      ...mover.look,
    });
  };
  status.replaceChildren(...keepWhole(task(question)));
  upright.addEventListener("change", draw);
  onOrientation(draw);
  addEventListener("preferences", draw);
  begin();
}
