// @ts-check
/** Keys of the table, and the line in which plays and words are typed. */

import { byId } from "/static/parts/page.js";

const NAMES = /** @type {Record<string, string>} */ ({
  r: "roll",
  d: "double",
  f: "done",
  " ": "done",
  u: "undo",
  Backspace: "undo",
  n: "next",
  t: "take",
  b: "back",
  h: "hint",
});

/** @param {string} name @returns {HTMLButtonElement | null} */
const button = (name) => document.querySelector(`:is(#main-action, #more-actions) [data-act="${name}"]:enabled`);

/**
 * @param {import("/static/game/actions.js").Actions} actions @param {import("/static/board/mover.js").Mover} mover
 * @param {() => void} lookBack
 */
export function listen(actions, mover, lookBack) {
  byId("command").addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (byId("line"));
    const line = input.value.trim();
    if (!line) return;
    // Another line may have been typed meanwhile.
    if ((await actions.type(line)) && input.value.trim() === line) input.value = "";
  });

  document.addEventListener("keydown", (event) => {
    const at = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || !(at instanceof Element)) return;
    if (at.closest("input, select, textarea, dialog")) return;
    if (event.key === "Escape") {
      mover.unselect();
      return;
    }
    if (event.key === " " && at.closest("button, summary, a, h1, h2")) return;
    if (event.key === "ArrowLeft" && !event.defaultPrevented) lookBack();
    const name = NAMES[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (event.key === "/") {
      event.preventDefault();
      document.body.dataset.drawer = "open";
      byId("line").focus();
    } else if (event.key.toLowerCase() === "x" && mover.active) {
      mover.swapped = !mover.swapped;
      mover.redraw();
    } else if (name) {
      const target = button(name);
      if (target) {
        event.preventDefault();
        target.click();
      }
    }
  });
}
