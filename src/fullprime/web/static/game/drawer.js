// @ts-check
/** The side of the table: a column beside the board where there is much room, else a drawer with a handle, as game.css says. */

import { byId } from "/static/parts/page.js";
import * as settings from "/static/parts/settings.js";

/** True where the drawer has a place of its own, beside the board or in its column, and lies on nothing: game.css says where. */
const docked = () => getComputedStyle(document.body).getPropertyValue("--drawer").trim() === "docked";

export class Drawer {
  constructor() {
    this.log = byId("log");
    byId("open-drawer").addEventListener("click", () => this.pull());
    byId("close-drawer").addEventListener("click", () => { this.close(); byId("open-drawer").focus(); });
    byId("side").addEventListener("focusin", () => this.open());
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || docked()) return;
      const inside = byId("side").contains(document.activeElement);
      this.close();
      // Where the column is no drawer there is no such button, and the focus stays.
      if (inside) byId("open-drawer").focus();
    });
    byId("board").addEventListener("pointerdown", () => { if (!docked()) this.close(); });
    // Whoever turns the screen keeps the advice or the invitation that is open.
    let before = docked();
    addEventListener("resize", () => {
      if (docked() === before) return;
      before = !before;
      if (!this.isOpen || (!document.body.dataset.advice && byId("waiting").hidden)) this.close();
    });
    this.close();
    // Whatever takes room beside the log, its newest line is seen.
    new ResizeObserver(() => this.toNewest()).observe(this.log);
  }

  get isOpen() { return document.body.dataset.drawer === "open"; }

  /** The handle is pressed: where the drawer lies on nothing, the choice is kept. */
  pull() {
    if (!docked()) { this.open(); byId("close-drawer").focus(); return; }
    const open = !this.isOpen;
    settings.write({ drawer: open ? "open" : "shut" });
    if (open) this.open(); else this.shut();
  }

  /** There is something that one wants to see now: the drawer opens where it leaves the board free. */
  offer() {
    const free = innerWidth - byId("side").offsetWidth >= byId("board").getBoundingClientRect().right;
    if ((docked() || free) && byId("open-drawer").checkVisibility()) this.open(); else this.news();
  }

  /** Something was said: whoever has the drawer closed sees that there is news in it. */
  news() { byId("open-drawer").classList.toggle("news", !this.isOpen); }

  open() {
    byId("open-drawer").classList.remove("news");
    document.body.dataset.drawer = "open";
    byId("open-drawer").setAttribute("aria-expanded", "true");
  }

  /** What it was opened for is over: it is again as the player wants it. */
  close() {
    if (docked() && settings.read().drawer !== "shut") this.open(); else this.shut();
  }

  shut() {
    document.body.dataset.drawer = "shut";
    byId("open-drawer").setAttribute("aria-expanded", "false");
  }

  toNewest() { this.log.scrollTop = this.log.scrollHeight; }
}
