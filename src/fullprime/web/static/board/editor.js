// @ts-check
/** The board of the analysis page: that of a game, which can also be set up by hand. It knows no rule of the game. */

import { Board } from "/static/board/board.js";
import { other } from "/static/board/numbering.js";
import { t } from "/static/parts/texts.js";

export class Editor extends Board {
  /**
   * @param {HTMLElement} place @param {any} handlers those of the board
   * @param {(rows: {X: number[], O: number[]}, trouble: string) => void} onEdit called with the checkers after a change,
   *   or with what speaks against it
   */
  constructor(place, handlers, onEdit) {
    super(place, handlers);
    this.onEdit = onEdit;
    this.editing = false;
    /** The brush of a click: a checker of X or O, or "" to take one away. */
    this.brush = "X";
  }

  /** The place of a spot for each side: a point is one place with two numbers. */
  _slots({ side, slot }) {
    if (slot >= 1 && slot <= 24) return { [side]: slot, [other(side)]: 25 - slot };
    return { [side]: slot };
  }

  _copy() {
    return { X: [...this.view.rows.X], O: [...this.view.rows.O] };
  }

  /** Put `count` checkers of a side on a place; they come from its tray, and those taken away go there. */
  _set(spot, side, count) {
    const slots = this._slots(spot);
    const slot = slots[side];
    if (slot === undefined || slot === 0) return;
    const rows = this._copy();
    const more = count - rows[side][slot];
    if (more > rows[side][0]) {
      this.onEdit(rows, t`All checkers of ${side} are on the board: take one away, or drag it here.`);
      return;
    }
    rows[side][slot] = count;
    rows[side][0] -= more;
    this._empty(rows, slots, other(side));
    this.onEdit(rows, "");
  }

  /** Checkers of a side that stand where the other has come go to their tray. */
  _empty(rows, slots, side) {
    const slot = slots[side];
    if (slot === undefined || slot === 0) return;
    rows[side][0] += rows[side][slot];
    rows[side][slot] = 0;
  }

  /** Whose checkers stand on a place. */
  _owner(spot) {
    const slots = this._slots(spot);
    return ["X", "O"].find((side) => slots[side] !== undefined && this.view.rows[side][slots[side]] > 0) ?? null;
  }

  _add(spot) {
    const slots = this._slots(spot);
    const side = this.brush in slots ? this.brush : Object.keys(slots).length === 1 && this.brush ? spot.side : "";
    if (!this.brush) {
      this._take(spot);
      return;
    }
    if (side) this._set(spot, side, this.view.rows[side][slots[side]] + 1);
  }

  _take(spot) {
    const owner = this._owner(spot);
    if (owner) this._set(spot, owner, this.view.rows[owner][this._slots(spot)[owner]] - 1);
  }

  /** One checker from a place to another. */
  _carry(from, to) {
    const owner = this._owner(from);
    const targets = this._slots(to);
    if (!owner) return;
    const source = this._slots(from)[owner];
    const target = targets[owner] ?? (to.slot === 0 ? 0 : undefined);
    if (target === undefined || target === source) return;
    const rows = this._copy();
    rows[owner][source] -= 1;
    rows[owner][target] += 1;
    this._empty(rows, targets, other(/** @type {import("/static/parts/state").Side} */ (owner)));
    this.onEdit(rows, "");
  }

  // -- actions ----------------------------------------------------------------------------------------------------
  _down(event) {
    if (!this.editing) {
      super._down(event);
      return;
    }
    if (event.button !== 0) return;
    const spot = this._hit(this._where(event));
    if (spot === "dice") this.handlers.onDice(0, false);
    if (!spot || typeof spot === "string") return;
    event.preventDefault();
    spot.node.focus({ preventScroll: true });
    this.press = { spot, point: this._where(event), id: event.pointerId, lifted: null };
    this.svg.setPointerCapture(event.pointerId);
  }

  _drag(event) {
    if (!this.editing) super._drag(event);
  }

  _up(event) {
    if (!this.editing) {
      super._up(event);
      return;
    }
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    const over = this._hit(this._where(event));
    this.press = null;
    if (!over || typeof over === "string") return;
    if (over === press.spot) this._add(over);
    else this._carry(press.spot, over);
  }

  _context(event) {
    if (!this.editing) {
      super._context(event);
      return;
    }
    event.preventDefault();
    const spot = this._hit(this._where(event));
    if (spot && typeof spot !== "string") this._take(spot);
  }

  _key(event) {
    if (!this.editing || event.ctrlKey || event.metaKey || event.altKey || event.key.startsWith("Arrow")) {
      super._key(event);
      return;
    }
    const spot = this.focus && this.spots.get(this.focus);
    if (!spot) return;
    const slots = this._slots(spot);
    const side = this.brush in slots ? this.brush : (this._owner(spot) ?? spot.side);
    if (event.key === "Enter" || event.key === " " || event.key === "+") this._add(spot);
    else if (["Delete", "Backspace", "-"].includes(event.key)) this._take(spot);
    else if (/^\d$/.test(event.key)) this._set(spot, side, Number(event.key));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
