// @ts-check
/** The side of the table: beside the board where there is room, else a drawer that opens over it. */

import { byId } from "/static/parts/page.js";

export class Drawer {
  constructor() {
    this.log = byId("log");
    byId("open-drawer").addEventListener("click", () => { this.open(); byId("close-drawer").focus(); });
    byId("close-drawer").addEventListener("click", () => { this.close(); byId("open-drawer").focus(); });
    byId("side").addEventListener("focusin", () => this.open());
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      const inside = byId("side").contains(document.activeElement);
      this.close();
      // Where the column is no drawer there is no such button, and the focus stays.
      if (inside) byId("open-drawer").focus();
    });
    byId("board").addEventListener("pointerdown", () => this.close());
    // Whatever takes room beside the log, its newest line is seen.
    new ResizeObserver(() => this.toNewest()).observe(this.log);
  }

  /** There is something that one wants to see now: the drawer opens where it leaves the board free. */
  offer() {
    const free = innerWidth - byId("side").offsetWidth >= byId("board").getBoundingClientRect().right;
    if (free && byId("open-drawer").checkVisibility()) this.open(); else this.news();
  }

  /** Something was said: whoever has the drawer closed sees that there is news in it. */
  news() { byId("open-drawer").classList.toggle("news", document.body.dataset.drawer !== "open"); }

  open() {
    byId("open-drawer").classList.remove("news");
    document.body.dataset.drawer = "open";
    byId("open-drawer").setAttribute("aria-expanded", "true");
  }

  close() {
    delete document.body.dataset.drawer;
    byId("open-drawer").setAttribute("aria-expanded", "false");
  }

  toNewest() { this.log.scrollTop = this.log.scrollHeight; }
}
