// @ts-check
/** Places of the board in the units of its picture: points, bar, trays, hand, dice and cube. It draws nothing. */

/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {{x: number, y: number, width: number, height: number}} Rect */

/** The width of a point, and the radius of a checker. */
export const P = 64,
  R = 29.5;

/**
 * What changes with the shape: a board that is wider than high, one for a screen of 4:3, and one that is held upright.
 */
const WIDE = { edge: 28, rim: 28, bar: 64, tray: 84, length: 5 * 2 * R, strip: 104, die: 50 };
const SQUARE = { edge: 28, rim: 28, bar: 64, tray: 84, length: 380, strip: 156, die: 56 };
/** The rim above and below has the numbers of the points in it. */
const TALL = { edge: 18, rim: 30, bar: 60, tray: 66, length: 400, strip: 200, die: 68 };
/** The share of a half that the main action takes at the side of the dice, where the board is wide. */
const ACTION = 144;

export class Places {
  /**
   * @param {{shape: import("/static/board/layout.js").Shape, homeLeft: boolean, bottom: Side, hand: boolean, action: boolean}} look
   *   `action`: a button stands beside the dice of the bottom player
   */
  constructor({ shape, homeLeft, bottom, hand, action }) {
    const tall = shape === "tall";
    const size = tall ? TALL : shape === "square" ? SQUARE : WIDE;
    this.edge = size.edge;
    this.rim = size.rim;
    this.bar = size.bar;
    this.length = size.length;
    this.die = size.die;
    this.tall = tall;
    this.homeLeft = homeLeft;
    this.bottom = bottom;
    this.hand = hand;
    this.action = action;
    this.width = 12 * P + size.bar + size.tray + 2 * size.edge;
    this.height = 2 * size.rim + 2 * size.length + size.strip;
    this.half = this.height / 2;
    this.barX = this.edge + 6 * P;
    this.rightX = this.barX + this.bar;
    this.trayX = this.rightX + 6 * P + this.edge / 2;
    this.trayWidth = this.width - this.trayX - this.edge / 2;
    /** The height of a well, above and below the cube. */
    this.well = this.half - this.rim - 82;
  }

  /** From the left edge, or from the right where home is on the left. @param {number} x */
  x(x, width = 0) {
    return this.homeLeft ? this.width - x - width : x;
  }

  /** The left edge of the bottom player's point, and whether it hangs from the top. @param {number} number */
  point(number) {
    const index = number <= 12 ? 12 - number : number - 13;
    return { x: this.x(this.edge + index * P + (index >= 6 ? this.bar : 0), P), top: number > 12 };
  }

  /**
   * The place of checker `index` of `count`, and whether it lies on its side.
   * @param {Side} side
   * @param {number} slot
   * @param {number} index
   * @param {number} count
   */
  spot(side, slot, index, count) {
    const bottom = side === this.bottom;
    const from = bottom ? this.height - this.rim : this.rim;
    const up = bottom ? -1 : 1;
    if (slot === 0)
      return {
        x: this.x(this.trayX + this.trayWidth / 2),
        y: from + up * (12 + (index * (this.well - 14)) / 15),
        lies: true,
      };
    if (slot === 26) return { x: this.x(this.barX + this.bar / 2), y: from + up * (12 + index * 14), lies: true };
    if (slot === 25) {
      const gap = Math.min(2 * R, (this.half - 60 - (this.hand ? 230 : 60)) / Math.max(1, count));
      return { x: this.x(this.barX + this.bar / 2), y: this.half - up * (62 + index * gap), lies: false };
    }
    const { x, top } = this.point(bottom ? slot : 25 - slot);
    const gap = this.gap(count);
    return {
      x: x + P / 2,
      y: top ? this.rim + R + index * gap : this.height - this.rim - R - index * gap,
      lies: false,
    };
  }

  /** How far the checkers of a stack are apart. @param {number} count */
  gap(count) {
    return Math.min(2 * R, (this.length - 2 * R) / Math.max(1, count - 1));
  }

  /** @param {Side} side @param {number} slot @returns {Rect} */
  rect(side, slot) {
    const bottom = side === this.bottom;
    if (slot === 0)
      return {
        x: this.x(this.trayX, this.trayWidth),
        y: bottom ? this.height - this.rim - this.well : this.rim,
        width: this.trayWidth,
        height: this.well,
      };
    if (slot === 25 || slot === 26) {
      const hand = this.hand ? 224 : 0;
      const from = 20;
      const y =
        slot === 26 ? (bottom ? this.height - this.rim - hand : this.rim) : bottom ? this.half + from : this.rim + hand;
      return {
        x: this.x(this.barX, this.bar),
        y,
        width: this.bar,
        height: slot === 26 ? hand : this.half - from - this.rim - hand,
      };
    }
    const { x, top } = this.point(bottom ? slot : 25 - slot);
    const height = this.length + 8;
    return { x, y: top ? this.rim : this.height - this.rim - height, width: P, height };
  }

  /**
   * The middles of a number of dice of a side, from left to right: its own half, which the main action shares.
   * @param {Side} side
   * @param {number} count
   */
  dice(side, count) {
    const bottom = side === this.bottom;
    const shared = bottom && this.action;
    const gap = this.tall ? 12 : 8;
    const wide = count * this.die + (count - 1) * gap;
    const from = (bottom ? this.rightX : this.edge) + (6 * P - (shared && !this.tall ? ACTION : 0) - wide) / 2;
    const y = this.half - (shared && this.tall ? 52 : 0);
    return Array.from({ length: count }, (_, at) => (this.homeLeft ? count - 1 - at : at)).map((index) => ({
      x: this.x(from + index * (this.die + gap) + this.die / 2),
      y,
    }));
  }

  /** The middle of the cube. @param {{owner: Side | null, offered: number | null}} cube */
  cube({ owner, offered }) {
    const away = owner && !offered ? (owner === this.bottom ? 1 : -1) * 50 : 0;
    if (offered) return { x: this.x(this.edge + 3 * P), y: this.half };
    return { x: this.x(this.trayX + this.trayWidth / 2), y: this.half + away };
  }
}
