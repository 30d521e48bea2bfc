// @ts-check
/** The dice counted beside what chance gives: doubles, pips and rolls that hit, of both sides. */

import { call, keyOf } from "/static/parts/api.js";
import { el } from "/static/parts/page.js";
import { decimal, plural, t } from "/static/parts/texts.js";

/**
 * @typedef {{count: number, expected: number, deviation: number, standing: "ordinary" | "unusual" | "rare"}} ChanceCount
 */
/** @typedef {{rolls: number, hits: number, doubles: ChanceCount, pips: ChanceCount, hitting: ChanceCount}} SideDice */
/** @typedef {{X: SideDice, O: SideDice}} DiceCounts */
/** @typedef {[name: string, dice: SideDice]} NamedDice */

const NUMBERS = /** @type {["doubles", "pips", "hitting"]} */ (["doubles", "pips", "hitting"]);

/**
 * A number that came, and below it what chance gives.
 * @param {ChanceCount} number
 */
function cell({ count, expected, deviation, standing }) {
  const chance = t`chance: ${decimal(expected, 1)} ± ${decimal(deviation, 1)}`;
  const words = { ordinary: "", unusual: t("unusual"), rare: t("rare") }[standing];
  return el("td", {}, String(count), " ", el("small", {}, words ? `${chance}, ${words}` : chance));
}

/**
 * Whether all of it is ordinary, in a sentence.
 * @param {NamedDice[]} sides
 */
function verdict(sides) {
  const all = sides.flatMap(([, dice]) => NUMBERS.map((name) => dice[name].standing));
  const out = all.filter((standing) => standing !== "ordinary").length;
  if (!out) return t("All of it is within the ordinary: at most twice the ± from what chance gives.");
  return plural(
    out,
    "{n} of {1} numbers is out of the ordinary. Chance alone does that to about 1 number of 20.",
    "{n} of {1} numbers are out of the ordinary. Chance alone does that to about 1 number of 20.",
    all.length,
  );
}

/**
 * A table of the counts of both sides, and a sentence about it.
 * @param {string} caption
 * @param {NamedDice[]} sides
 */
function countsTable(caption, sides) {
  /** @param {string} name @param {(dice: SideDice) => HTMLElement} of */
  const row = (name, of) => el("tr", {}, el("th", { scope: "row" }, name), ...sides.map(([, dice]) => of(dice)));
  const heads = sides.map(([name]) => el("th", { scope: "col" }, name));
  return [
    el(
      "table",
      { class: "dice-counts" },
      el("caption", {}, caption),
      el("thead", {}, el("tr", {}, el("td"), ...heads)),
      el(
        "tbody",
        {},
        row(t("Rolls"), (dice) => el("td", {}, String(dice.rolls))),
        row(t("Doubles"), (dice) => cell(dice.doubles)),
        row(t("Pips"), (dice) => cell(dice.pips)),
        row(t("Rolls that could hit"), (dice) => cell(dice.hitting)),
        row(t("Hits made"), (dice) => el("td", {}, String(dice.hits))),
      ),
    ),
    el("p", { class: "hint" }, verdict(sides)),
  ];
}

/**
 * The counts of the latest game and of the match; nothing before the first roll.
 * @param {string} id
 * @param {string[]} names
 */
export async function gameCounts(id, names) {
  /** @type {{game: DiceCounts, match: DiceCounts} | null} */
  const answer = await call(`/games/${id}/dice`, undefined, keyOf(id)).catch(() => /** @type {null} */ (null));
  if (!answer) return [];
  const [x, o] = names;
  /** @param {DiceCounts} counts @returns {NamedDice[]} */
  const sides = (counts) => [
    [x, counts.X],
    [o, counts.O],
  ];
  /** @param {DiceCounts} counts */
  const rolls = (counts) => counts.X.rolls + counts.O.rolls;
  const game = rolls(answer.game) ? countsTable(t("The dice of this game"), sides(answer.game)) : [];
  const isMore = rolls(answer.match) > rolls(answer.game);
  return [...game, ...(isMore ? countsTable(t("The dice of all games so far"), sides(answer.match)) : [])];
}

/**
 * The counts of all finished games of an account; nothing without any.
 * @param {{games: number, own: SideDice, opponents: SideDice}} dice
 * @param {string} name
 */
export function accountCounts({ games, own, opponents }, name) {
  if (!own.rolls && !opponents.rolls) return [];
  const caption = plural(
    games,
    "The dice of {n} finished match or session",
    "The dice of {n} finished matches and sessions",
  );
  return countsTable(caption, [
    [name, own],
    [t("Opponents"), opponents],
  ]);
}
