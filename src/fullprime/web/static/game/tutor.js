// @ts-check
/** Advice: ranked plays and cube tables with arrows, and the word before a blunder. The numbers are the server's. */

import { arrowsOfMoves, slotOf } from "/static/board/tree.js";
import { call, Refusal } from "/static/parts/api.js";
import { ask } from "/static/parts/dialogs.js";
import { byId, el, reasons } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { decimal, plural, t } from "/static/parts/texts.js";
import { capital, MARKS, signed } from "/static/parts/words.js";

/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {{side: Side, from: number, to: number, kind: string}} Arrow */
/**
 * @typedef {{rank: number, play: string, moves: string[], equity: number, loss: number, verdict: string, probabilities: number[], depth: number}} AdvisedPlay
 */
/**
 * The engine's advice, as `/hint` gives it.
 * @typedef {{kind: "play", level: string, plays: AdvisedPlay[], why: string}} PlayHint
 * @typedef {{kind: "cube", level: string, actions: {action: string, equity: number, loss: number}[], verdict: string, cubeless: number, probabilities: number[], why: string}} CubeHint
 * @typedef {{judged: boolean, loss: number, choice?: string, best?: string, verdict: string, why: string, more: string[], moves?: string[]}} Judged
 * @typedef {PlayHint | CubeHint | {kind: "choose", level: string, number: number} | {kind: "words", level: string, text: string}} Hint
 */

export class Tutor {
  /**
   * @param {string} id
   * @param {() => string | null} key
   * @param {(arrows: Arrow[]) => void} show
   * @param {(text: string, more?: boolean | HTMLElement) => void} problem
   * @param {import("/static/game/drawer.js").Drawer} drawer
   */
  constructor(id, key, show, problem, drawer) {
    this.id = id;
    this.key = key;
    this.show = show;
    this.problem = problem;
    this.drawer = drawer;
    this.asked = 0;
    /**
     * A decision that was held up quietly: done once more, it is done.
     * @type {{line: string, sequence: number, moves: string, spots: Set<number | "cube">} | null}
     */
    this.held = null;
    byId("close-advice").addEventListener("click", () => this.leave());
    document.addEventListener("keydown", (event) => {
      const free = event.target instanceof Element && !event.target.closest("input, select, textarea, dialog");
      if (event.key === "Escape" && free && this.open && !document.querySelector(".spot.selected")) this.leave();
    });
  }

  get open() {
    return !byId("advice").hidden;
  }

  /** Close the advice; a focus in it goes back to the button that opened it. */
  leave() {
    const inside = byId("advice").contains(document.activeElement);
    this.clear();
    const hint = /** @type {HTMLElement | null} */ (document.querySelector('#more-actions [data-act="hint"]'));
    if (inside) hint?.focus();
  }

  clear() {
    this.asked++;
    if (this.open) this.drawer.close();
    byId("advice").hidden = true;
    delete document.body.dataset.advice;
    byId("advice-body").replaceChildren();
    this.show([]);
  }

  /** @param {Side} side */
  async hint(side) {
    const mine = ++this.asked;
    const { level } = preferences.read();
    byId("advice").hidden = false;
    document.body.dataset.advice = "open";
    this.drawer.open();
    const status = el("p", { class: "hint" }, t("The engine is thinking."));
    byId("advice-body").replaceChildren(status);
    const waiting = setInterval(() => this.place(status), 1500);
    /** @type {Hint} */
    let hint;
    /** @type {typeof import("/static/board/plays.js")} */
    let tables;
    try {
      [hint, tables] = await Promise.all([
        call(`/games/${this.id}/hint`, { level }, this.key()).finally(() => clearInterval(waiting)),
        import("/static/board/plays.js").catch(() => {
          throw new Refusal(0, t("The server does not answer."));
        }),
      ]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (mine === this.asked) {
        this.clear();
        this.problem(error.message);
      }
      return;
    }
    if (mine !== this.asked) return;
    byId("advice-body").replaceChildren(...this.body(hint, side, tables));
  }

  /** Show how many questions come before this one. @param {HTMLElement} status */
  async place(status) {
    /** @type {{ahead: number | null}} */
    const { ahead } = await call(`/games/${this.id}/queue`, undefined, this.key()).catch(
      () => /** @type {{ahead: number | null}} */ ({ ahead: null }),
    );
    const { compiling } = ahead ? { compiling: "" } : await call("/health").catch(() => ({ compiling: "" }));
    status.textContent = compiling
      ? t`The engine is being compiled for this computer, once: ${compiling}.`
      : ahead === null
        ? t("The engine is thinking.")
        : plural(
            ahead,
            "Waiting for the engine: {n} question comes before yours.",
            "Waiting for the engine: {n} questions come before yours.",
          );
  }

  /** @param {Hint} hint @param {Side} side @param {typeof import("/static/board/plays.js")} tables */
  body(hint, side, tables) {
    if (hint.kind === "play" || hint.kind === "cube") {
      const figures = hint.kind === "play" ? this.plays(hint, side, tables) : this.cube(hint);
      return hint.why ? [...figures, el("p", { class: "why", lang: "en", "data-terms": true }, hint.why)] : figures;
    }
    return [el("p", {}, hint.kind === "choose" ? t`Name the double ${hint.number}-${hint.number}.` : hint.text)];
  }

  /** @param {PlayHint} hint @param {Side} side @param {typeof import("/static/board/plays.js")} tables */
  plays(hint, side, { kindOf, playsTable }) {
    const ranked = hint.plays.map((play) => ({ ...play, wins: play.probabilities[0] }));
    const best = ranked[0];
    const next = ranked.slice(1, 3).flatMap((play) => arrowsOfMoves(play.moves, `${kindOf(play, best)} also`, side)); // not a text
    this.show([...next, ...arrowsOfMoves(best.moves, kindOf(best, best), side)]);
    return playsTable(ranked, t`Plays, ${depth(hint.level)}`, (play) =>
      this.show(arrowsOfMoves(play.moves, kindOf(play, best), side)),
    );
  }

  /** @param {CubeHint} hint */
  cube(hint) {
    this.show([]);
    const rows = hint.actions.map(({ action, equity, loss }) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, capital(t(action))),
        el("td", {}, signed(equity)),
        el("td", {}, loss ? t`loses ${decimal(loss, 3)}` : ""),
      ),
    );
    const [win, gammon, , lost] = hint.probabilities.map((part) => decimal(100 * part, 1));
    return [
      el("p", { class: "verdict" }, `${capital(t(hint.verdict))}.`),
      el("table", {}, el("caption", {}, t`The cube, ${depth(hint.level)}`), el("tbody", {}, ...rows)),
      el(
        "p",
        { class: "hint" },
        t`You win ${win} %, a gammon ${gammon} %, and lose a gammon ${lost} %. Without a cube: ${signed(hint.cubeless)}.`,
      ),
    ];
  }

  /**
   * Whether to go on with a choice: asks first where it would lose as much as the preferences say.
   * @param {string} line
   * @param {Side} side
   * @param {number} sequence
   * @returns {Promise<"go" | "stay" | "best">} the way on; `best`: show the best
   */
  async stop(line, side, sequence) {
    const { tutor, tutorWay, level } = preferences.read();
    if (!Number(tutor)) return "go";
    if (this.held?.line === line && this.held.sequence === sequence) {
      this.held = null;
      return "go";
    }
    /** @type {Judged} */
    let judged;
    try {
      judged = await call(`/games/${this.id}/judge`, { line, level }, this.key());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return "go";
    }
    if (!judged.judged || judged.loss < Number(tutor)) return "go";
    if (tutorWay === "glow") {
      this.glows(judged, line, sequence);
      return "stay";
    }
    const answer = await this.explain(judged);
    if (answer === "best" && judged.moves?.length) this.show(arrowsOfMoves(judged.moves, "ok", side));
    return answer === "go" || answer === "best" ? answer : "stay";
  }

  /**
   * The tutor's word in a dialog.
   * @param {Judged} judged
   * @param {boolean} [only] for reading alone
   * @returns {Promise<string>}
   */
  explain(judged, only = false) {
    return ask(
      t`${capital(t(judged.choice || "no play"))} loses ${decimal(judged.loss, 3)}`,
      [
        el(
          "p",
          { class: "verdict" },
          t`${MARKS[judged.verdict] ?? ""} ${capital(t(judged.verdict))}. Best is ${t(judged.best || "no play")}.`,
        ),
        el("p", { lang: "en", "data-terms": true }, judged.why),
        ...(judged.more.length ? [reasons(judged.more)] : []),
      ],
      only
        ? [["", t("Close"), "primary"]]
        : [
            ["go", t("Play it anyway")],
            ["best", t("Show the best")],
            ["stay", t("Think again"), "primary"],
          ],
    );
  }

  /**
   * The tutor's quiet way: the checkers that the best play puts elsewhere glow, and a line says the loss.
   * @param {Judged} judged @param {string} line @param {number} sequence
   */
  glows(judged, line, sequence) {
    const isPlay = line.includes("/");
    const better = (judged.moves ?? []).map((move) => move.replace("*", ""));
    const spots = /** @type {Set<number | "cube">} */ (new Set(isPlay ? [] : ["cube"]));
    for (const move of isPlay ? line.split(" ").map((move) => move.replace("*", "")) : []) {
      const same = better.indexOf(move);
      if (same >= 0) better.splice(same, 1);
      else spots.add(slotOf(move.split("/")[1]));
    }
    this.held = { line, sequence, moves: isPlay ? line : "", spots };
    this.problem(
      t`${capital(t(judged.choice || "no play"))} loses ${decimal(judged.loss, 3)}: do it again to play it anyway.`,
      el("button", { type: "button", class: "quiet", onclick: () => this.explain(judged, true) }, t("Why?")),
    );
  }

  /**
   * The places that glow now: none once something else has been done.
   * @param {number} sequence
   * @param {string[]} moves
   */
  glow(sequence, moves) {
    if (this.held && (this.held.sequence !== sequence || this.held.moves !== (this.held.moves && moves.join(" ")))) {
      this.held = null;
      this.problem("");
    }
    return this.held?.spots ?? new Set();
  }
}

/** @param {string} level */
const depth = (level) => (level === "0-ply" ? t("0-ply (static)") : level);
