// @ts-check
/**
 * The menu of rare actions at the table: it opens beside its button, so that the row of actions stays short.
 */

import { showButtons } from "/static/board/buttons.js";

/** Pixels between the button and the menu. */
const GAP = 6;

export class MoreMenu {
  /** @param {HTMLElement} menu @param {HTMLElement} row the actions, the button of the menu among them */
  constructor(menu, row) {
    this.menu = menu;
    this.row = row;
    menu.addEventListener("beforetoggle", (event) => {
      if (/** @type {ToggleEvent} */ (event).newState === "open") this.place();
    });
    // A choice may open a dialog, which gives the focus back to where it comes from.
    menu.addEventListener("click", () => menu.hidePopover?.(), { capture: true });
    for (const name of ["resize", "scroll"]) addEventListener(name, () => menu.hidePopover?.(), { passive: true });
  }

  get button() {
    return /** @type {HTMLButtonElement | null} */ (this.row.querySelector('[data-act="more"]'));
  }

  /** @param {import("/static/board/buttons.js").Button[]} buttons @param {boolean} busy */
  show(buttons, busy) {
    showButtons(this.menu, buttons, busy);
    if (this.button) this.button.popoverTargetElement = this.menu;
    else this.menu.hidePopover?.();
  }

  /** Above the button or below it, where there is more room. */
  place() {
    const at = this.button?.getBoundingClientRect();
    if (!at) return;
    const { style } = this.menu;
    const above = at.top > innerHeight - at.bottom;
    style.right = `${innerWidth - at.right}px`;
    style.bottom = above ? `${innerHeight - at.top + GAP}px` : "auto";
    style.top = above ? "auto" : `${at.bottom + GAP}px`;
  }
}
