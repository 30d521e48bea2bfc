// @ts-check
/** The parts of a sitting's page: seats with score and clock, dice, the score sheet, the dice counted and proved. */

import { cube as cubePicture, die, make } from "/static/board/picture.js";
import { byHand, rowsByHand } from "/static/card/by-hand.js";
import { timeText } from "/static/game/clock.js";
import { el } from "/static/parts/page.js";
import { decimal, plural, t } from "/static/parts/texts.js";
import { MINUS } from "/static/parts/words.js";
import { timeLeft } from "/static/real/sitting.js";
import { moneyText, settlement } from "/static/real/worth.js";

/** @typedef {import("/static/real/sitting.js").Sitting} Sitting */
/** @typedef {import("/static/real/sitting.js").Table} Table */

/** @param {number[]} side @param {string[]} names */
export const sideNames = (side, names) => side.map((player) => names[player]).join(", ");

/** @param {Table} table @param {number} player */
function pointsText({ rules, score, balance }, player) {
  if (rules.length || score.length === 2) return String(score[player]);
  return balance[player] > 0 ? `+${balance[player]}` : String(balance[player]).replace("-", MINUS);
}

/** The opener's colour and side, as they are kept: "dark, home left". @param {string} choice */
function choiceWords(choice) {
  const left = choice.includes("left");
  if (choice.includes("dark")) return left ? t("dark, home left") : t("dark, home right");
  return left ? t("light, home left") : t("light, home right");
}

/** @param {Sitting} sitting @param {Table} table @param {number} side */
function seatSection(sitting, table, side) {
  const [first, ...others] = table.sides[side];
  const { cube, turn, rules, choice } = table;
  const roles = [];
  const standing = others.map((player) => `${sitting.names[player]} ${pointsText(table, player)}`).join(", ");
  if (sitting.names.length > 2)
    roles.push(side ? (others.length ? t`captain, with ${standing}` : t("alone")) : t("in the box"));
  if (rules.length) roles.push(t`needs ${Math.max(0, rules.length - table.score[first])}`);
  if (choice && table.opened === side) roles.push(choiceWords(choice));
  return el(
    "section",
    { class: `seat${turn === side ? " turn" : ""}`, "aria-label": sitting.names[first] },
    el(
      "h2",
      {},
      el("span", { class: `chip ${side ? "o" : "x"}`, "aria-hidden": "true" }),
      el("span", {}, sitting.names[first]),
    ),
    el("p", { class: "points" }, pointsText(table, first)),
    ...(table.clock ? [el("p", { class: "time", "data-time": side }, "")] : []),
    el(
      "p",
      { class: "role" },
      roles.join(" · "),
      cube.owner === side ? el("span", { class: "cubed" }, t`cube ${cube.value}`) : null,
    ),
  );
}

/** @param {Sitting} sitting @param {Table} table */
export const seats = (sitting, table) => [0, 1].map((side) => seatSection(sitting, table, side));

/**
 * The clocks now; gives the side whose time is up.
 * @param {Sitting} sitting
 * @param {Table} table
 * @returns {number | null}
 */
export function showTimes(sitting, table) {
  let fallen = null;
  for (const place of document.querySelectorAll("[data-time]")) {
    const side = Number(place.getAttribute("data-time"));
    const { delay, reserve } = timeLeft(table, sitting, side, Date.now());
    const time = `${timeText(reserve)}${delay > 0 ? ` +${Math.ceil(delay)}` : ""}`;
    const text = table.clock?.paused ? t`${time} (stopped)` : time;
    if (place.textContent !== text) place.textContent = text;
    place.classList.toggle("low", table.clock?.running === side && delay + reserve < 20);
    if (table.clock?.running === side && delay + reserve <= 0) fallen = side;
  }
  return fallen;
}

/** The dice that lie on the table, and the cube. @param {Table} table */
export function diceShown({ dice, thrower, phase, cube, rules, crawford }) {
  const side = /** @type {"X" | "O"} */ (thrower === 1 ? "O" : "X");
  const pictures = [];
  /** @param {SVGElement} drawn @param {string} layer */
  const picture = (drawn, layer) =>
    make("svg", { class: "board", viewBox: "-32 -32 64 64" }, make("g", { class: layer }, drawn));
  for (const [at, number] of (dice ?? []).entries())
    pictures.push(picture(die(phase === "opening" && at ? "O" : side, { x: 0, y: 0 }, 52, number), "dice"));
  if (rules.cube && rules.length !== 1 && !crawford)
    pictures.push(
      picture(cubePicture({ x: 0, y: 0 }, cube.offered ?? cube.value, cube.offered ? "offered" : ""), "cube"),
    );
  return pictures;
}

/** @param {string[]} head @param {(string | Node)[][]} rows @param {string} caption */
function makeTable(head, rows, caption, /** @type {HTMLElement[]} */ ...more) {
  return el(
    "table",
    {},
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, ...head.map((text) => el("th", { scope: "col" }, text)))),
    el(
      "tbody",
      {},
      ...rows.map(([first, ...cells]) =>
        el("tr", {}, el("th", { scope: "row" }, first), ...cells.map((cell) => el("td", {}, cell))),
      ),
      ...more,
    ),
  );
}

/**
 * The finished games, and on paper rows for those to come.
 * @param {Sitting} sitting
 * @param {Table} table
 * @param {boolean} closed
 * @param {(game: number) => void} onSend of a game of more than two
 */
export function scoreSheet(sitting, table, closed, onSend) {
  const many = sitting.names.length > 2;
  const rows = table.lines.map((line) => {
    const won = `${sideNames(line.winners, sitting.names)} +${line.points}${many ? ` ${t`from ${sideNames(line.losers, sitting.names)}`}` : ""}: ${line.words}${line.note ? ` (${line.note})` : ""}`;
    const recorded =
      many && table.records.some((record) => record.game === line.game && record.played.some(({ k }) => k === "play"));
    return [
      String(line.game),
      ...line.score.map((value) => String(value).replace("-", MINUS)),
      recorded
        ? el(
            "span",
            {},
            `${won} `,
            el("button", { type: "button", class: "quiet", onclick: () => onSend(line.game) }, t("Review")),
          )
        : won,
    ];
  });
  const more = byHand(
    table.lines.at(-1)?.game ?? 0,
    closed ? 0 : rowsByHand(table.rules.length, rows.length, table.lines.at(-1)?.score ?? []),
    sitting.names.length,
  );
  const games = makeTable(
    [t("Game"), ...sitting.names, t("Won by")],
    rows,
    many ? t("What each has won and lost, in points") : t("Running score"),
    ...more,
  );
  games.classList.toggle("by-hand", !rows.length);
  return rows.length ? [games] : [el("p", { class: "no-print" }, t("No game is finished yet")), games];
}

/** @param {Sitting} sitting @param {Table} table */
export const payments = (sitting, table) =>
  settlement(sitting.names, table.balance, table.rules).map((text) => el("li", {}, text));

/** The agreements, in a line. @param {Sitting} sitting @param {Table} table */
export function agreedWords(sitting, { rules }) {
  const parts = [
    t(sitting.title),
    ...(sitting.house ? [t`house rules ${sitting.house}`] : []),
    rules.length
      ? t`match to ${rules.length}`
      : rules.checkers
        ? t`money, ${moneyText(rules.stake, rules.places)} a checker`
        : t`money, ${moneyText(rules.stake, rules.places)} a point`,
  ];
  if (!rules.cube) parts.push(t("no cube"));
  else {
    if (rules.length > 1) parts.push(rules.crawford ? t("Crawford rule") : t("no Crawford rule"));
    if (rules.cap) parts.push(t`cube up to ${rules.cap}`);
    for (const [words, yes] of /** @type {[string, boolean][]} */ ([
      [t("Jacoby rule"), rules.jacoby],
      [t("beavers"), rules.beavers],
      [t("raccoons"), rules.raccoons],
    ]))
      if (yes) parts.push(words);
  }
  if (rules.ties === null) parts.push(t("every opening tie doubles the stake"));
  else if (rules.ties) parts.push(plural(rules.ties, "up to {n} automatic double", "up to {n} automatic doubles"));
  return `${parts.join(", ")}.`;
}

/** The dice of every cup, a column each, beside the expected numbers. @param {Sitting} sitting @param {Table} table */
export function countsTable(sitting, table) {
  /** @param {string} label @param {(each: import("/static/real/sitting.js").Count) => string | number} cell */
  const row = (label, cell) => [label, ...table.counts.map((count) => String(cell(count)))];
  const rows = [
    row(t("Throws"), ({ rolls }) => rolls),
    row(t("Mean of both dice (7.00)"), ({ rolls, pips }) => (rolls ? decimal(pips / rolls, 2) : "–")),
    row(t("Doubles (expected)"), ({ rolls, doubles }) => `${doubles} (${decimal(rolls / 6, 1)})`),
    ...[1, 2, 3, 4, 5, 6].map((number) => row(t`Die ${number}`, ({ faces }) => faces[number - 1])),
    row(t("Each expected"), ({ rolls }) => decimal(rolls / 3, 1)),
    row(t("Annulled"), ({ annulled }) => annulled),
  ];
  return makeTable(
    [t("Cup"), ...sitting.names],
    rows,
    t("Openings and annulled throws are not counted among the throws"),
  );
}
