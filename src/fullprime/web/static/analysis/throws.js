// @ts-check
/** The dice of the analysis board: a press on them, or two digits, set the throw. */

import { dicePicture } from "/static/board/picture.js";
import { el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** Pixels between the chooser and the edge of the screen. */
const EDGE = 8;
const FACES = [6, 5, 4, 3, 2, 1];

export class Throws {
  /** @param {HTMLElement} place the board @param {(dice: number[] | null) => void} onChoose null: not thrown yet */
  constructor(place, onChoose) {
    this.place = place;
    this.onChoose = onChoose;
    /** The digit that was typed first. */
    this.first = 0;
    const throws = FACES.flatMap((high) => FACES.filter((low) => low <= high).map((low) => this._button([high, low])));
    const none = el(
      "button",
      { type: "button", class: "quiet none", onclick: () => this._choose(null) },
      t("Not thrown yet"),
    );
    this.box = el("div", { id: "throws", popover: "auto", role: "group", "aria-label": t("Dice") }, ...throws, none);
    document.body.append(this.box);
  }

  /** @param {number[]} dice */
  _button(dice) {
    const button = el("button", {
      type: "button",
      class: "throw",
      "aria-label": dice.join("-"),
      onclick: () => this._choose(dice),
    });
    button.append(dicePicture(dice));
    // A triangle: a row for the higher die, a column for the lower.
    [button.style.gridRow, button.style.gridColumn] = [String(7 - dice[0]), String(7 - dice[1])];
    return button;
  }

  /** @param {number[] | null} dice */
  _choose(dice) {
    this.box.hidePopover();
    this.onChoose(dice);
  }

  /** Open when the press ends: a press that opened it would close it again. */
  open() {
    document.addEventListener("pointerup", () => setTimeout(() => this._show()), { once: true });
  }

  /** Below the dice, within the screen. */
  _show() {
    const dice = this.place.querySelector(".dice")?.getBoundingClientRect();
    const board = this.place.getBoundingClientRect();
    this.box.showPopover();
    const { offsetWidth: width, offsetHeight: height, style } = this.box;
    const at = dice?.width ? dice : board;
    const within = /** @param {number} from @param {number} size @param {number} room */ (from, size, room) =>
      Math.max(EDGE, Math.min(from, room - size - EDGE));
    style.left = `${within(at.left + (at.width - width) / 2, width, innerWidth)}px`;
    style.top = `${within(at.bottom + EDGE, height, innerHeight)}px`;
  }

  /** Two digits are a throw. @param {string} key @returns {boolean} true when it was a digit of dice */
  type(key) {
    if (!/^[1-6]$/.test(key)) {
      this.first = 0;
      return false;
    }
    const number = Number(key);
    const first = this.first;
    this.first = first ? 0 : number;
    if (first) this.onChoose([first, number]);
    return true;
  }
}
