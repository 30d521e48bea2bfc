// @ts-check
/** What is special in a game, said at the board the first time it bites: the right to hit, and rolls that give more. */

import { call, keyOf } from "/static/parts/api.js";
import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").BegunState} BegunState */
/** @typedef {import("/static/parts/state").Side} Side */

const TOLD = "fullprime.told";
const [OFF, BAR, HAND] = [0, 25, 26];

/** @returns {string[]} */
function told() {
  try { return JSON.parse(localStorage.getItem(TOLD) ?? "[]"); } catch { return []; }
}

/**
 * True if a roll reaches a single checker of the other side, no way to play it hits, and no checker has come home.
 * @param {BegunState} now @param {Side} side
 */
export function mayNotHit(now, side) {
  const mine = now.points[side], theirs = now.points[side === "X" ? "O" : "X"];
  if (!now.dice || mine[OFF] || mine.slice(1, 7).some(Boolean) || now.tree?.steps.some((steps) => steps.some((step) => step[2]))) return false;
  const waiting = [BAR, HAND].filter((slot) => mine[slot]);
  const sources = waiting.length ? waiting : Array.from({ length: 24 }, (_, index) => index + 1).filter((slot) => mine[slot]);
  return sources.some((slot) => now.dice?.some((die) => {
    const target = Math.min(slot, BAR) - die;
    return target > 0 && theirs[25 - target] === 1;
  }));
}

export class Special {
  /** @param {string} id @param {() => void} redraw */
  constructor(id, redraw) {
    this.id = id; this.redraw = redraw;
    /** The rules of this game, once they were needed. @type {any} */
    this.rules = null;
    this.asked = false;
    /** What is being said, and in which state of the game it came up. @type {{at: number, words: string} | null} */
    this.now = null;
  }

  /** What is to be said now; "" for nothing. @param {import("/static/game/table.js").Table} table @returns {string} */
  words(table) {
    const { state, begun: now } = table, side = now?.on_roll;
    if (!now || !side || !table.mine || !now.has_hand) return "";
    if (this.now?.at === state.sequence) return this.now.words;
    const [high, low] = now.dice ?? [0, 0];
    // While a double is named there are no dice: it is still the 2-1 that was told of when it was thrown.
    const special = now.phase === "choose_double" || high + low === 3 ? "acey_deucey" : high && high === low ? "double" : "";
    const kind = now.phase === "play" && mayNotHit(now, side) ? "licence" : special;
    const known = `${now.variant}:${kind}`;
    if (!kind || told().includes(known)) return "";
    if (!this.rules) { this._ask(); return ""; }
    const words = kind === "licence" ? this._licence() : this._words(kind);
    if (!words) return "";
    this.now = { at: state.sequence, words };
    localStorage.setItem(TOLD, JSON.stringify([...told(), known]));
    return words;
  }

  async _ask() {
    if (this.asked) return;
    this.asked = true;
    this.rules = await call(`/games/${this.id}/rules`, undefined, keyOf(this.id)).catch(/** @returns {null} */ () => null);
    if (this.rules) this.redraw();
  }

  /** @param {string} when @returns {string} */
  _words(when) { return this.rules.bites.find((/** @type {any} */ each) => each.when === when)?.words ?? ""; }

  _licence() {
    const rule = this._words("licence");
    return rule ? t`You have not earned the right to hit yet. ${rule}` : "";
  }
}
