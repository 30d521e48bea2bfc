// @ts-check
/** The map by score: the best play or cube action at every score, with the cube at each of its places side by side. */

import { depthWords } from "/static/board/depths.js";
import { loss, percent } from "/static/board/figures.js";
import { byId, el } from "/static/parts/page.js";
import { decimal, t } from "/static/parts/texts.js";
import { capital, MONEY_RULES, signed, thrown } from "/static/parts/words.js";

/** @typedef {import("/static/parts/state").ScoreMap} ScoreMap */
/** @typedef {import("/static/parts/state").ScoreCell} ScoreCell */

const LENGTH = 7;
const PLACES = /** @type {Record<string, string>} */ ({
  middle: t("Cube in the middle"),
  mine: t("Cube with the player on roll"),
  theirs: t("Cube with the opponent"),
});
/** The colours of cube actions. @type {Record<string, string>} */
const HEATS = { DT: "heat-p2", DB: "heat-p1", DP: "heat-p4", TG: "heat-n3", "=": "heat-n1" };
/** Plays that have a colour of their own. */
const COLOURS = 6;

const NUMBERS = Array.from({ length: LENGTH }, (_, at) => at + 1);

/** @param {string} cube @param {[number, number] | null} away */
const keyOf = (cube, away) => `${cube} ${away ?? "money"}`;

/** A cell as it is coloured. @param {ScoreCell} cell @param {boolean} plays */
function colourOf({ sign }, plays) {
  if (plays) return `best-${Math.min(sign.charCodeAt(0) - 65, COLOURS - 1)}`; // not a text
  return HEATS[sign] ?? "heat-0";
}

const written = (/** @type {string} */ sign) => (sign === "-" ? "–" : sign);

/** @param {[number, number] | null} away */
const scoreWords = (away) => (away ? t`${away[0]} away, ${away[1]} away` : t("Money"));

export class ScoreDialog {
  /**
   * @param {import("/static/analysis/engine.js").Questions} questions
   * @param {any} setup that of the position which is shown
   * @param {string} level
   * @param {(changes: Record<string, any>) => void} leaveFor shows the position with changes
   */
  constructor(questions, setup, level, leaveFor) {
    this.questions = questions;
    this.setup = setup;
    this.level = level;
    this.leaveFor = leaveFor;
    /** @type {Map<string, ScoreCell>} */
    this.cells = new Map();
    this.turned = 2;
    /** The buttons of the cells. @type {Map<string, HTMLElement>} */
    this.buttons = new Map();
    this.here = this.keyNow();
    /** The cell whose candidates are shown. */
    this.opened = "";
    this.bar = /** @type {HTMLProgressElement} */ (el("progress", { "aria-label": t("Cells that are known") }));
    this.stop = el("button", { type: "button", onclick: () => questions.jobs.scores?.stop() }, t("Stop"));
    this.legend = el("ul", { class: "legend heat" });
    this.heading = el("h3", { id: "score-of", "aria-live": "polite" });
    this.leave = el("button", { type: "button", onclick: () => this.setUp(this.cells.get(this.opened)) });
    this.candidates = el("div", {});
    this.details = el(
      "section",
      { class: "score-details", "aria-labelledby": "score-of" },
      el("header", {}, this.heading, this.leave),
      this.candidates,
    );
    this.dialog = /** @type {HTMLDialogElement} */ (
      el(
        "dialog",
        { class: "score-map", "aria-labelledby": "score-title" },
        el(
          "header",
          {},
          el(
            "h2",
            { id: "score-title" },
            setup.dice ? t`The best play of ${thrown(setup.dice)} at every score` : t("The cube at every score"),
          ),
          this.bar,
          el("p", { id: "score-status", class: "hint", role: "status" }),
          this.stop,
          el("button", { type: "button", class: "close", onclick: () => this.dialog.close() }, t("Close")),
        ),
        el(
          "p",
          { class: "hint" },
          t(
            "Rows: points the player on roll needs; columns: the opponent; 1 is after the Crawford game. Below the equity: what the smallest error costs. Pale: a first static look.",
          ),
        ),
        this.legend,
        el("div", { class: "cubes" }, ...Object.keys(PLACES).map((cube) => this.grid(cube))),
        this.details,
      )
    );
    this.details.hidden = true;
  }

  /** Whether it is about this. @param {any} setup @param {string} level */
  isOf(setup, level) {
    return this.setup === setup && this.level === level && this.bar.hidden;
  }

  /** Show it, and ask for what is not known. */
  async show() {
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.buttons.get(this.here || keyOf("middle", null))?.focus();
    if (this.bar.hidden) return;
    const question = { length: LENGTH, level: this.level };
    const map = await this.questions.ask("scores", question, "score-status", ({ progress }) => {
      if (progress) this.fill(progress);
    });
    if (map) this.fill(map);
    this.bar.hidden = this.stop.hidden = true;
    if (map && map.done < map.asked && !byId("score-status").textContent)
      byId("score-status").textContent = t`${map.done} of ${map.asked} cells are known.`;
  }

  /** The cell of the position as it stands; "" where the map has none. */
  keyNow() {
    const { rules, score, crawford, owner, on_roll: onRoll } = this.setup;
    const length = Number(rules.length ?? 0);
    const [x, o] = score.map((/** @type {number} */ points) => length - points);
    const isCrawford = x !== o && Math.min(x, o) === 1 && crawford !== false;
    if (length && (Math.max(x, o) > LENGTH || isCrawford)) return "";
    const place = owner ? (owner === onRoll ? "mine" : "theirs") : "middle"; // not a text
    return keyOf(place, length ? (onRoll === "X" ? [x, o] : [o, x]) : null);
  }

  // -- the tables -------------------------------------------------------------------------------------------------
  /** @param {string} cube */
  grid(cube) {
    const cell = (/** @type {[number, number] | null} */ away, wide = 1) => {
      const key = keyOf(cube, away);
      const button = el(
        "button",
        {
          type: "button",
          class: "cell",
          tabindex: key === this.here || (!away && !this.here.startsWith(`${cube} `)) ? 0 : -1,
          "aria-label": t`${scoreWords(away)}: not known yet`,
          onclick: () => this.choose(key),
        },
        "·", // not a text
      );
      button.dataset.key = key;
      this.buttons.set(key, button);
      return el("td", { colspan: wide, ...(key === this.here ? { "aria-current": "true" } : {}) }, button);
    };
    const table = el(
      "table",
      { class: "heat scores" },
      el("caption", {}, PLACES[cube]),
      el("thead", {}, el("tr", {}, el("td", {}), ...NUMBERS.map((away) => el("th", { scope: "col" }, String(away))))),
      el(
        "tbody",
        {},
        ...NUMBERS.map((mine) =>
          el("tr", {}, el("th", { scope: "row" }, String(mine)), ...NUMBERS.map((theirs) => cell([mine, theirs]))),
        ),
        el("tr", {}, el("th", { scope: "row" }, "$"), cell(null, LENGTH)), // not a text
      ),
    );
    table.addEventListener("keydown", (event) => this.walk(event, table));
    return table;
  }

  /** The arrows go from cell to cell of one table, which is one stop of the Tab key. @param {KeyboardEvent} event @param {HTMLElement} table */
  walk(event, table) {
    const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const rows = [...table.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("button")]);
    const from = rows.findIndex((row) => row.includes(/** @type {HTMLButtonElement} */ (event.target)));
    if (!by || from < 0) return;
    event.preventDefault();
    const at = rows[from].indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const row = rows[Math.max(0, Math.min(rows.length - 1, from + by[0]))];
    const next = row[Math.max(0, Math.min(row.length - 1, at + by[1]))];
    for (const button of table.querySelectorAll("button")) button.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  /** Show what is known. @param {ScoreMap} map */
  fill({ cells, asked, done, turned, level }) {
    this.turned = turned;
    this.bar.max = asked;
    this.bar.value = done || cells.length / 10;
    for (const cell of cells) {
      const key = keyOf(cell.cube, cell.away);
      const before = this.cells.get(key);
      if (before?.level === cell.level) continue;
      this.cells.set(key, cell);
      this.showCell(key, cell, cell.level !== level);
      if (key === this.opened) this.choose(key);
    }
    this.showLegend(cells);
  }

  /** @param {string} key @param {ScoreCell} cell @param {boolean} early */
  showCell(key, cell, early) {
    const button = /** @type {HTMLElement} */ (this.buttons.get(key));
    const margin = cell.margin === null ? "" : decimal(cell.margin, 3);
    const words = [capital(t(cell.best)), signed(cell.equity), margin && t`${margin} better than the next`];
    button.replaceChildren(
      el("b", {}, written(cell.sign)),
      el("span", {}, signed(cell.equity)),
      el("small", {}, margin || "–"),
    );
    button.setAttribute("aria-label", `${scoreWords(cell.away)}: ${words.filter(Boolean).join(", ")}`);
    /** @type {HTMLElement} */ (button.parentElement).className =
      `${colourOf(cell, Boolean(this.setup.dice))}${early ? " early" : ""}`;
  }

  /** @param {ScoreCell[]} cells */
  showLegend(cells) {
    const plays = Boolean(this.setup.dice);
    const first = cells.filter(({ sign }, at) => cells.findIndex((cell) => cell.sign === sign) === at);
    const signs = first.sort((one, other) => one.sign.localeCompare(other.sign));
    const count = (/** @type {string} */ sign) => cells.filter((cell) => cell.sign === sign).length;
    this.legend.replaceChildren(
      ...signs.map((cell) =>
        el(
          "li",
          {},
          el("b", { class: colourOf(cell, plays) }, written(cell.sign)),
          ` ${plays ? cell.best : SIGNS[cell.sign]}`,
          el("small", {}, ` ×${count(cell.sign)}`), // not a text
        ),
      ),
    );
  }

  // -- one score --------------------------------------------------------------------------------------------------
  /** Show the candidates of a cell. @param {string} key */
  choose(key) {
    this.buttons.get(this.opened)?.removeAttribute("aria-pressed");
    this.opened = key;
    this.buttons.get(key)?.setAttribute("aria-pressed", "true");
    const cell = this.cells.get(key);
    if (!cell) return;
    const head = (/** @type {string} */ name, kind = "") => el("th", { scope: "col", class: kind }, name);
    this.details.hidden = false;
    this.heading.replaceChildren(
      `${scoreWords(cell.away)} · ${PLACES[cell.cube]}: `,
      el("span", {}, `${capital(t(cell.best))} (${depthWords(cell.options[0].depth)})`),
    );
    this.leave.textContent = cell.away ? t("Show this score on the board") : t("Show it on the board for money");
    this.candidates.replaceChildren(
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            head(this.setup.dice ? t("Play // of the checkers") : t("Action"), "what"),
            head(t("Equity")),
            head(t("Loss")),
            ...(cell.away ? [head(t("Match"))] : []),
          ),
        ),
        el(
          "tbody",
          {},
          ...cell.options.map((option, at) =>
            el(
              "tr",
              { class: at === (RIGHT[cell.sign] ?? 0) ? "ok" : "" },
              el("th", { scope: "row" }, this.setup.dice ? option.text : capital(t(option.text))),
              el("td", {}, signed(option.equity)),
              el("td", {}, loss(option.loss)),
              ...(cell.away ? [el("td", {}, `${percent(option.value, 2)} %`)] : []),
            ),
          ),
        ),
      ),
    );
  }

  /** Leave for the board, set up at the score of a cell. @param {ScoreCell | undefined} cell */
  setUp(cell) {
    if (!cell) return;
    const { cube, away } = cell;
    const { rules, on_roll: onRoll } = this.setup;
    const points = away?.map((left) => LENGTH - left);
    const other = onRoll === "X" ? "O" : "X";
    const keptRules = Object.entries(rules).filter(([name]) => !away || !MONEY_RULES.includes(name));
    this.dialog.close();
    this.leaveFor({
      rules: { ...Object.fromEntries(keptRules), length: String(away ? LENGTH : 0) },
      score: points ? (onRoll === "X" ? points : points.reverse()) : [0, 0],
      crawford: away?.includes(1) ? false : null,
      cube: cube === "middle" ? 1 : this.turned,
      owner: { middle: null, mine: onRoll, theirs: other }[cube],
      offered: false,
    });
  }
}

/** What the signs of cube actions mean. @type {Record<string, string>} */
const SIGNS = {
  "-": t("no double"),
  DT: t("double, take"),
  DB: t("double, beaver"),
  DP: t("double, drop"),
  TG: t("too good to double"),
  "=": t("double or not"),
  ND: t("no double, beaver"),
};

/** The place of the right action among the options of a cube decision, where that is not the first. @type {Record<string, number>} */
const RIGHT = { DT: 1, DB: 1, DP: 2 };

/** @type {ScoreDialog | null} */
let last = null;

/**
 * Show the map of a position; one that is there already is shown again.
 * @param {import("/static/analysis/engine.js").Questions} questions
 * @param {any} setup
 * @param {string} level
 * @param {(changes: Record<string, any>) => void} leaveFor
 */
export async function showScores(questions, setup, level, leaveFor) {
  if (!document.querySelector("link[href$='scores.css']")) {
    const sheet = el("link", { rel: "stylesheet", href: "/static/analysis/scores.css" });
    document.head.append(sheet);
    await new Promise((done) => sheet.addEventListener("load", done, { once: true }));
  }
  if (!last?.isOf(setup, level)) {
    last?.dialog.remove();
    last = new ScoreDialog(questions, setup, level, leaveFor);
  }
  await last.show();
}
