// @ts-check
/**
 * The worth of games: cube, stakes, scores and payments, for a table without a connection. It computes the same as
 * `play.table.scorecard` and `rules.score`, which tests hold.
 */

import { decimal, plural, t } from "/static/parts/texts.js";

/** @typedef {{winner: number, points: number, level: number | null, how: string}} Result */
/**
 * The agreements of a table, as values. `cap`: the highest cube, or null. `ties`: the opening ties of a game that
 * double the stake, null for all. `follow`: what comes after the play of an acey-deucey and of a double. `places`:
 * digits of the stake after its point. `backgammon`: what makes one. `checkers`: a game is settled by checkers left.
 * @typedef {{length: number, stake: number, places: number, cube: boolean, cap: number | null, crawford: boolean, jacoby: boolean,
 *   beavers: boolean, raccoons: boolean, ties: number | null, backgammon: string, checkers: boolean, onBoard: boolean,
 *   aceyDoubles: boolean, aceyAgain: boolean, reroll: boolean, follow: {acey: string[], double: string[]}}} Agreed
 */

/** The preferences by default; a game's own options come from the server's list. */
export const USUAL = /** @type {Record<string, string>} */ ({
  length: "0",
  stake: "1",
  cube: "yes",
  cube_cap: "none",
  crawford: "yes",
  jacoby: "no",
  beavers: "no",
  raccoons: "no",
  automatic_doubles: "0",
  backgammon: "home_or_bar",
});
const LEVELS = /** @type {Record<number, string>} */ ({
  1: t("single game"),
  2: t("gammon"),
  3: t("backgammon"),
  4: t("backgammon on the bar"),
});
const TIMES = "\u00d7";
/** Sums of money are counted in thousandths, so that nothing is lost in fractions. */
const UNIT = 1000;

/** The stages after a roll. @param {string} [text] */
const stages = (text = "none") => (text === "none" ? [] : text.split("+"));

/** @param {Record<string, string>} options every option in force, as text @returns {Agreed} */
export function readOptions(options) {
  const values = { ...USUAL, ...options };
  const yes = (/** @type {string} */ name) => values[name] === "yes";
  const number = (/** @type {string} */ text) => Number.parseInt(text, 10) || 0;
  return {
    length: number(values.length),
    stake: Number(values.stake) || 1,
    places: (values.stake.split(".")[1] ?? "").length,
    cube: yes("cube"),
    crawford: yes("crawford"),
    jacoby: yes("jacoby"),
    beavers: yes("beavers"),
    raccoons: yes("raccoons"),
    backgammon: values.backgammon,
    cap: values.cube_cap === "none" ? null : number(values.cube_cap),
    ties: values.automatic_doubles === "unlimited" ? null : number(values.automatic_doubles),
    checkers: (values.settlement ?? "games") !== "games",
    onBoard: values.settlement === "checkers_on_board",
    aceyDoubles: yes("acey_deucey_doubles_stake"),
    aceyAgain: yes("reroll_opening_acey_deucey"),
    reroll: values.opening_dice === "reroll",
    follow: { acey: stages(values.after_acey_deucey), double: stages(values.after_double) },
  };
}

/**
 * The levels of a win that count differently now.
 * @param {Agreed} rules
 * @param {boolean} turned whether the cube has been turned
 */
export function levels(rules, turned) {
  if (rules.checkers) return [];
  if (rules.jacoby && !turned) return [1];
  return rules.backgammon === "bar_four" ? [1, 2, 3, 4] : [1, 2, 3];
}

/**
 * The level of a game that the side with these checkers has lost: 0 off, 1-24, 25 bar, 26 hand.
 * @param {Agreed} rules
 * @param {number[]} row
 * @param {boolean} turned
 */
export function levelOf(rules, row, turned) {
  if (row[0] || (rules.jacoby && !turned)) return 1;
  if (row[25] || row[26]) return rules.backgammon === "bar_four" ? 4 : 3;
  return rules.backgammon !== "bar_only" && row.slice(19, 25).some(Boolean) ? 3 : 2;
}

/** The checkers that the loser pays for. @param {Agreed} rules @param {number[]} row */
export function checkersOf(rules, row) {
  return (rules.onBoard ? row.slice(1, 25) : row.slice(1)).reduce((sum, count) => sum + count, 0);
}

/**
 * A sum with as many digits after its point as the stake has; none where it is whole.
 * @param {number} value
 * @param {number} places
 */
export function moneyText(value, places) {
  const rounded = Math.round(value * UNIT) / UNIT;
  return Number.isInteger(rounded) ? String(rounded) : decimal(rounded, places);
}

/**
 * How a game's worth comes about: "gammon, cube at 2, stake 5: 20"; checkers with how often each is paid.
 * @param {Agreed} rules @param {Result} result @param {number} cube @param {number} multiplier
 */
export function worthWords(rules, { points, level, how }, cube, multiplier) {
  let words;
  if (level === null && how !== "drop") {
    const checkers = points / multiplier;
    const count = plural(checkers, "{n} checker", "{n} checkers");
    words = multiplier > 1 ? `${count} ${TIMES} ${multiplier} = ${points}` : count;
  } else {
    const kind = how === "drop" ? t("double dropped") : (LEVELS[level ?? 0] ?? t("game"));
    words = [
      how === "resignation" ? t`${kind} by resignation` : kind,
      ...(cube > 1 ? [t`cube at ${cube}`] : []),
      ...(multiplier > 1 ? [t`stake doubled to ${multiplier}`] : []),
    ].join(", ");
  }
  return rules.stake === 1
    ? words
    : t`${words}, stake ${moneyText(rules.stake, rules.places)}: ${moneyText(rules.stake * points, rules.places)}`;
}

/**
 * Players in as many groups as can settle among themselves: each such group saves a payment. @param {number[]} owed
 * @returns {number[][]}
 */
function settlingGroups(owed) {
  const players = owed.flatMap((sum, player) => (sum ? [player] : []));
  const all = 1 << players.length;
  const sums = Array(all).fill(0);
  const most = Array(all).fill(0);
  const last = Array(all).fill(0);
  for (let chosen = 1; chosen < all; chosen++) {
    most[chosen] = -1;
    for (const [at, player] of players.entries()) {
      if (!((chosen >> at) & 1)) continue;
      const without = chosen ^ (1 << at);
      sums[chosen] = sums[without] + owed[player];
      if (most[without] > most[chosen]) {
        most[chosen] = most[without];
        last[chosen] = at;
      }
    }
    most[chosen] += Number(sums[chosen] === 0);
  }
  /** @type {number[][]} */
  const groups = [];
  for (let left = all - 1; left; left ^= 1 << last[left]) {
    if (sums[left] === 0) groups.push([]);
    groups.at(-1)?.push(players[last[left]]);
  }
  return groups.map((group) => group.sort((a, b) => a - b)).sort(([a], [b]) => a - b);
}

/**
 * The payments in words, as few as the sums need.
 * @param {string[]} names
 * @param {number[]} balance points won less lost
 * @param {Agreed} rules @returns {string[]}
 */
export function settlement(names, balance, { stake, places }) {
  const owed = balance.map((points) => -points);
  const sentences = [];
  for (const group of settlingGroups(owed)) {
    while (group.some((player) => owed[player] > 0)) {
      const payer = group.reduce((most, player) => (owed[player] > owed[most] ? player : most));
      const taker = group.reduce((least, player) => (owed[player] < owed[least] ? player : least));
      const paid = Math.min(owed[payer], -owed[taker]);
      owed[payer] -= paid;
      owed[taker] += paid;
      sentences.push(
        stake === 1
          ? t`${names[payer]} pays ${names[taker]} ${moneyText(stake * paid, places)}.`
          : plural(
              paid,
              "{1} pays {2} {3} ({n} point at {4}).",
              "{1} pays {2} {3} ({n} points at {4}).",
              names[payer],
              names[taker],
              moneyText(stake * paid, places),
              moneyText(stake, places),
            ),
      );
    }
  }
  return sentences.length ? sentences : [t("Nobody owes anything.")];
}
