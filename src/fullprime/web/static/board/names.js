// @ts-check
/** Places of the board in words, as a screen reader says them, and the way from one to the next by arrow keys. */

import { numberOf, other } from "/static/board/numbering.js";
import { plural, t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {import("/static/board/drawn-board.js").Look} Look */
/** @typedef {import("/static/board/drawn-board.js").Spot} Spot */

const WAYS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
});

/**
 * The name of a place: the place, its checkers, and the moves it allows.
 * @param {Look} view
 * @param {Side} side
 * @param {number} slot
 */
export function nameOf(view, side, slot) {
  const { rows, mover, names, you, bottom, base = bottom } = view;
  const mine = side === mover;
  /** @param {Side} owner @param {number} count */
  const checkersWords = (owner, count) =>
    you && owner === mover ? plural(count, "{n} checker", "{n} checkers") : t`${count} of ${names[owner]}'s checkers`;
  const enemy = slot >= 1 && slot <= 24 ? rows[other(side)][25 - slot] : 0;
  const count = rows[side][slot];
  const apart = /** @type {Record<number, string>} */ ({ 0: t("tray"), 25: t("bar"), 26: t("hand") });
  const place = apart[slot] ?? t`${numberOf(slot, mover, base)}-point`;
  const contents = enemy ? checkersWords(other(side), enemy) : count ? checkersWords(side, count) : t("empty");
  const notes = [];
  if (mine && view.selected === slot) notes.push(t("chosen"));
  if (mine && view.glow?.has(slot)) notes.push(t("stands better elsewhere"));
  if (mine && view.targets.has(slot)) notes.push(t("can move here"));
  else if (mine && view.others.has(slot)) notes.push(t("can go here instead"));
  else if (mine && view.sources.has(slot)) notes.push(t("can move"));
  else if (mine && view.moved.has(slot)) notes.push(t("has moved, can go elsewhere"));
  return [you && mine ? t`your ${place}` : t`${names[side]}'s ${place}`, contents, ...notes].join(", ");
}

/**
 * The nearest place in the direction of an arrow key.
 * @param {Iterable<Spot>} spots
 * @param {Spot} spot
 * @param {string} key
 */
export function beside(spots, spot, key) {
  const centre = /** @param {Spot} spot */ ({ rect }) => [rect.x + rect.width / 2, rect.y + rect.height / 2];
  const [x, y] = centre(spot);
  const [dx, dy] = WAYS[key] ?? [0, 0];
  let best = /** @type {Spot | null} */ (null);
  let least = Infinity;
  for (const candidate of spots) {
    const [cx, cy] = centre(candidate);
    const along = (cx - x) * dx + (cy - y) * dy;
    const across = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
    if (candidate === spot || along < (dy ? 60 : 10) || (dx && across > 140)) continue;
    const far = along + 2 * across;
    if (far < least) {
      best = candidate;
      least = far;
    }
  }
  return best;
}
