// @ts-check
/**
 * The side of the table: a column beside the board where there is much room, else a drawer with a handle, as game.css
 * says.
 */

import { byId } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";

/**
 * True where the drawer has a place of its own, beside the board or in its column, and lies on nothing: game.css says
 * where.
 */
const docked = () => getComputedStyle(document.body).getPropertyValue("--drawer").trim() === "docked";

export class Drawer {
  constructor() {
    this.log = byId("log");
    byId("open-drawer").addEventListener("click", () => this.pull());
    byId("close-drawer").addEventListener("click", () => {
      this.close();
      byId("open-drawer").focus();
    });
    byId("side").addEventListener("focusin", () => this.open());
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || docked()) return;
      const inside = byId("side").contains(document.activeElement);
      this.close();
      // Where the column is no drawer there is no such button, and the focus stays.
      if (inside) byId("open-drawer").focus();
    });
    byId("board").addEventListener("pointerdown", () => {
      if (!docked()) this.close();
    });
    // The advice or the invitation that is open stays when the screen is turned.
    let before = docked();
    addEventListener("resize", () => {
      if (docked() === before) return;
      before = !before;
      if (!this.isOpen || (!document.body.dataset.advice && byId("waiting").hidden)) this.close();
    });
    this.close();
    // The newest line of the log stays in sight when its room changes.
    new ResizeObserver(() => this.toNewest()).observe(this.log);
  }

  get isOpen() {
    return document.body.dataset.drawer === "open";
  }

  /** The handle is pressed: where the drawer lies on nothing, the choice is kept. */
  pull() {
    if (!docked()) {
      this.open();
      byId("close-drawer").focus();
      return;
    }
    const open = !this.isOpen;
    preferences.write({ drawer: open ? "open" : "shut" });
    if (open) this.open();
    else this.shut();
  }

  /** Open the drawer for news, where it leaves the board free. */
  offer() {
    const free = innerWidth - byId("side").offsetWidth >= byId("board").getBoundingClientRect().right;
    if ((docked() || free) && byId("open-drawer").checkVisibility()) this.open();
    else this.news();
  }

  /** Mark a closed drawer: there is news in it. */
  news() {
    byId("open-drawer").classList.toggle("news", !this.isOpen);
  }

  open() {
    byId("open-drawer").classList.remove("news");
    document.body.dataset.drawer = "open";
    byId("open-drawer").setAttribute("aria-expanded", "true");
  }

  /** Put the drawer back as the player wants it. */
  close() {
    if (docked() && preferences.read().drawer !== "shut") this.open();
    else this.shut();
  }

  shut() {
    document.body.dataset.drawer = "shut";
    byId("open-drawer").setAttribute("aria-expanded", "false");
  }

  toNewest() {
    this.log.scrollTop = this.log.scrollHeight;
  }
}
