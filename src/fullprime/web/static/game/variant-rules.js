// @ts-check
/**
 * VariantRules rules of a game, shown at the board: at length the first time that one binds, and in one line as long as it
 * does: checkers that must enter, the right to hit, and rolls that give more.
 */

import { call, keyOf } from "/static/parts/api.js";
import { plural, t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").BegunState} BegunState */
/** @typedef {import("/static/parts/state").Side} Side */

const TOLD = "fullprime.told";
const [OFF, BAR, HAND] = [0, 25, 26];

/** @returns {string[]} */
function shownRules() {
  try {
    return JSON.parse(localStorage.getItem(TOLD) ?? "[]");
  } catch {
    return [];
  }
}

/**
 * True if a roll reaches a single checker of the other side, no way to play it hits, and no checker has come home.
 * @param {BegunState} now @param {Side} side
 */
export function mayNotHit(now, side) {
  const mine = now.points[side];
  const theirs = now.points[side === "X" ? "O" : "X"];
  if (
    !now.dice ||
    mine[OFF] ||
    mine.slice(1, 7).some(Boolean) ||
    now.tree?.steps.some((steps) => steps.some((step) => step[2]))
  )
    return false;
  const waiting = [BAR, HAND].filter((slot) => mine[slot]);
  const sources = waiting.length
    ? waiting
    : Array.from({ length: 24 }, (_, index) => index + 1).filter((slot) => mine[slot]);
  return sources.some((slot) =>
    now.dice?.some((die) => {
      const target = Math.min(slot, BAR) - die;
      return target > 0 && theirs[25 - target] === 1;
    }),
  );
}

/** The extras of a roll, in words. */
const EXTRAS = /** @type {Record<string, string>} */ ({
  choose_double: t("name any double and play it"),
  complement: t("play the double of the opposite faces"),
  roll_again: t("throw again"),
});

/**
 * The rule that binds the player on roll now, and why; "" for none.
 * @param {BegunState} now
 * @param {Side} side
 * @returns {string}
 */
export function currentRule(now, side) {
  const { special: rules, follow_ups: extras, phase } = now;
  const waiting = now.points[side][HAND];
  const [next, then] = extras.map((extra) => EXTRAS[extra]);
  if (phase === "choose_double")
    return next ? t`The 2-1 gives you any double. Then: ${next}.` : t("The 2-1 gives you any double.");
  if (next)
    return then
      ? t`This roll gives more. After all of it: ${next}, then ${then}.`
      : t`This roll gives more. After all of it: ${next}.`;
  if (rules.includes("may_not_hit") && phase === "play" && mayNotHit(now, side))
    return t("You may not hit: none of your checkers has come home.");
  if (rules.includes("enter_all_first"))
    return plural(
      waiting,
      "Enter all your checkers first: {n} is in hand.",
      "Enter all your checkers first: {n} are in hand.",
    );
  if (rules.includes("may_not_hit")) return t("You may hit once one of your checkers has come home.");
  if (rules.includes("bar_may_wait")) return t("A checker on the bar may wait: others may move.");
  return rules.includes("exact_bearoff") ? t("Only the exact number bears a checker off.") : "";
}

export class VariantRules {
  /** @param {string} id @param {() => void} redraw */
  constructor(id, redraw) {
    this.id = id;
    this.redraw = redraw;
    /** The rules of this game, once they were needed. @type {any} */
    this.rules = null;
    this.asked = false;
    /** The words that are shown, and the sequence of the state in which they came up. @type {{at: number, words: string} | null} */
    this.now = null;
  }

  /** The words for now; "" for none. @param {import("/static/game/table.js").Table} table @returns {string} */
  words(table) {
    const { begun: now } = table;
    const side = now?.on_roll;
    if (!now || !side || !table.mine || now.game_over) return "";
    return (now.has_hand && this._first(table)) || currentRule(now, side);
  }

  /**
   * A rule as the server words it, the first time that it binds; "" when it has been shown.
   * @param {import("/static/game/table.js").Table} table
   * @returns {string}
   */
  _first({ state, begun: now }) {
    const side = /** @type {Side} */ (now.on_roll);
    if (this.now?.at === state.sequence) return this.now.words;
    const [high, low] = now.dice ?? [0, 0];
    // While a double is named there are no dice: it is still the 2-1, whose words came with the throw.
    const special =
      now.phase === "choose_double" || high + low === 3 ? "acey_deucey" : high && high === low ? "double" : "";
    const kind = now.phase === "play" && mayNotHit(now, side) ? "licence" : special;
    const name = `${now.variant}:${kind}`;
    if (!kind || shownRules().includes(name)) return "";
    if (!this.rules) {
      this._loadRules();
      return "";
    }
    const words = kind === "licence" ? this._licence() : this._words(kind);
    if (!words) return "";
    this.now = { at: state.sequence, words };
    localStorage.setItem(TOLD, JSON.stringify([...shownRules(), name]));
    return words;
  }

  async _loadRules() {
    if (this.asked) return;
    this.asked = true;
    this.rules = await call(`/games/${this.id}/rules`, undefined, keyOf(this.id)).catch(
      /** @returns {null} */ () => null,
    );
    if (this.rules) this.redraw();
  }

  /** @param {string} when @returns {string} */
  _words(when) {
    return this.rules.bites.find((/** @type {any} */ bite) => bite.when === when)?.words ?? "";
  }

  _licence() {
    const rule = this._words("licence");
    return rule ? t`You have not earned the right to hit yet. ${rule}` : "";
  }
}
