// @ts-check
/** The keys of a lesson. */

import { byId } from "/static/parts/page.js";

/**
 * Listen for keys that press the buttons of a lesson.
 * @param {(action: string) => HTMLButtonElement | null} buttonOf the button of an action, if it can be pressed
 */
export function listen(buttonOf) {
  document.addEventListener("keydown", (event) => {
    const place = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || !(place instanceof Element)) return;
    if (place.closest("input, select, textarea, dialog")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === " " && place.closest("button, summary, a")) return;
    if (/^[1-6]$/.test(key)) {
      byId("choices").children[Number(key) - 1]?.click();
      return;
    }
    if (key === "/" && !byId("words").hidden) {
      event.preventDefault();
      byId("word").focus();
      return;
    }
    const action = {
      f: "done",
      " ": "done",
      u: "undo",
      Backspace: "undo",
      n: "next",
      s: "solution",
      k: "previous",
      h: "hint",
    }[key];
    const button = action && buttonOf(action);
    if (button) {
      event.preventDefault();
      button.click();
    }
  });
}
