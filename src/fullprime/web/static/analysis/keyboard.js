// @ts-check
/** Keys of the analysis board. */

import { enabledButton } from "/static/parts/actions.js";
import { byId } from "/static/parts/page.js";

const NAMES = /** @type {Record<string, string>} */ ({
  r: "roll",
  d: "double",
  t: "take",
  f: "done",
  " ": "done",
  u: "undo",
  Backspace: "undo",
  k: "back",
  j: "forward",
  e: "edit",
});

/**
 * @param {{brush: (side: string) => boolean, digit: (key: string) => boolean, analyse: () => void, turn: () => void,
 *   unselect: () => void, exchange: () => void}} deeds `brush`: true while the board is set up
 */
export function listen(deeds) {
  document.addEventListener("keydown", (event) => {
    const place = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || !(place instanceof Element)) return;
    if (place.closest("input:not([type=radio], [type=checkbox]), select, textarea, dialog, [popover]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === " " && place.closest("button, summary, a, input")) return;
    if ((key === "x" || key === "o") && deeds.brush(key.toUpperCase())) return;
    if (deeds.digit(key)) return;
    if (key === "x") {
      deeds.exchange();
      return;
    }
    if (key === "/") {
      event.preventDefault();
      byId("id").focus();
      return;
    }
    if (key === "a") {
      deeds.analyse();
      return;
    }
    if (key === "v") {
      deeds.turn();
      return;
    }
    if (key === "Escape") {
      deeds.unselect();
      return;
    }
    const name = NAMES[key];
    const button = name && enabledButton(name);
    if (button) {
      event.preventDefault();
      button.click();
    }
  });
}
