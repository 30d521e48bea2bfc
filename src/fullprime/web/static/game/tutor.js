// @ts-check
/** Advice: ranked plays and cube tables with arrows, and the word before a blunder. The numbers are the server's. */

import { kindOf, playsTable } from "/static/board/plays.js";
import { Refusal, call } from "/static/parts/api.js";
import { ask } from "/static/parts/dialogs.js";
import * as settings from "/static/parts/settings.js";
import { byId, el, reasons } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";
import { signed } from "/static/parts/words.js";

/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {{side: Side, from: number, to: number, kind: string}} Arrow */
/** @typedef {{rank: number, play: string, moves: string[], equity: number, loss: number, verdict: string, probabilities: number[], depth: number}} AdvisedPlay */
/**
 * What the engine would do, as `/hint` says it.
 * @typedef {{kind: "play", level: string, plays: AdvisedPlay[]}} PlayHint
 * @typedef {{kind: "cube", level: string, actions: {action: string, equity: number, loss: number}[], verdict: string, cubeless: number, probabilities: number[]}} CubeHint
 * @typedef {{judged: boolean, loss: number, choice?: string, best?: string, verdict: string, why: string, more: string[], moves?: string[]}} Judged
 * @typedef {PlayHint | CubeHint | {kind: "choose", level: string, number: number} | {kind: "words", level: string, text: string}} Hint
 */

const SLOTS = /** @type {Record<string, number>} */ ({ bar: 25, hand: 26, off: 0 });
const MARKS = /** @type {Record<string, string>} */ ({ blunder: "??", error: "?", doubtful: "?!" });

/** Arrows of written moves. @param {Side} side @param {string[]} moves @param {string} kind @returns {Arrow[]} */
export function arrowsOf(side, moves, kind) {
  return moves.map((move) => {
    const [from, to] = move.replace("*", "").split("/").map((name) => SLOTS[name] ?? Number(name));
    return { side, from, to, kind };
  });
}

export class Tutor {
  /**
   * @param {string} id @param {() => string | null} key @param {(arrows: Arrow[]) => void} show @param {(text: string, more?: boolean | HTMLElement) => void} problem
   * @param {import("/static/game/drawer.js").Drawer} drawer
   */
  constructor(id, key, show, problem, drawer) {
    this.id = id; this.key = key; this.show = show; this.problem = problem; this.drawer = drawer;
    this.asked = 0;
    /** A decision that was held up quietly: done once more, it is done. @type {{line: string, sequence: number, moves: string, spots: Set<number | "cube">} | null} */
    this.held = null;
    byId("close-advice").addEventListener("click", () => this.leave());
    document.addEventListener("keydown", (event) => {
      const free = event.target instanceof Element && !event.target.closest("input, select, textarea, dialog");
      if (event.key === "Escape" && free && this.open && !document.querySelector(".spot.selected")) this.leave();
    });
  }

  get open() { return !byId("advice").hidden; }

  /** Close the advice; whoever was in it comes back to the button that opened it. */
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
    const { level } = settings.read();
    byId("advice").hidden = false;
    document.body.dataset.advice = "open";
    this.drawer.open();
    const told = el("p", { class: "hint" }, t("The engine is thinking."));
    byId("advice-body").replaceChildren(told);
    const waiting = setInterval(() => this.place(told), 1500);
    /** @type {Hint} */
    let found;
    try {
      found = await call(`/games/${this.id}/hint`, { level }, this.key()).finally(() => clearInterval(waiting));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (mine === this.asked) { this.clear(); this.problem(error.message); }
      return;
    }
    if (mine !== this.asked) return;
    byId("advice-body").replaceChildren(...this.body(found, side));
  }

  /** Say how many questions come before this one. @param {HTMLElement} told */
  async place(told) {
    /** @type {{ahead: number | null}} */
    const { ahead } = await call(`/games/${this.id}/queue`, undefined, this.key()).catch(() => /** @type {{ahead: number | null}} */ ({ ahead: null }));
    const { compiling } = ahead ? { compiling: "" } : await call("/health").catch(() => ({ compiling: "" }));
    told.textContent = compiling ? t`The engine is being compiled for this computer, once: ${compiling}.` : ahead === null ? t("The engine is thinking.") : plural(ahead, "Waiting for the engine: {n} question comes before yours.", "Waiting for the engine: {n} questions come before yours.");
  }

  /** @param {Hint} found @param {Side} side */
  body(found, side) {
    if (found.kind === "play") return this.plays(found, side);
    if (found.kind === "cube") return this.cube(found);
    return [el("p", {}, found.kind === "choose" ? t`Name the double ${found.number}-${found.number}.` : found.text)];
  }

  /** @param {PlayHint} found @param {Side} side */
  plays(found, side) {
    const ranked = found.plays.map((each) => ({ ...each, wins: each.probabilities[0] }));
    const best = ranked[0];
    const next = ranked.slice(1, 3).flatMap((each) => arrowsOf(side, each.moves, `${kindOf(each, best)} also`)); // not a text
    this.show([...next, ...arrowsOf(side, best.moves, kindOf(best, best))]);
    return playsTable(ranked, t`Plays, ${depth(found.level)}`, (each) => this.show(arrowsOf(side, each.moves, kindOf(each, best))));
  }

  /** @param {CubeHint} found */
  cube(found) {
    this.show([]);
    const rows = found.actions.map(({ action, equity, loss }) => el("tr", {}, el("th", { scope: "row" }, upper(t(action))), el("td", {}, signed(equity)),
      el("td", {}, loss ? t`loses ${loss.toFixed(3)}` : "")));
    const [win, gammon, , lost] = found.probabilities.map((part) => (100 * part).toFixed(1));
    return [
      el("p", { class: "verdict" }, `${upper(t(found.verdict))}.`),
      el("table", {}, el("caption", {}, t`The cube, ${depth(found.level)}`), el("tbody", {}, ...rows)),
      el("p", { class: "hint" }, t`You win ${win} %, a gammon ${gammon} %, and lose a gammon ${lost} %. Without a cube: ${signed(found.cubeless)}.`),
    ];
  }

  /**
   * Whether to go on with a choice: asks first where it would lose as much as the settings say.
   * @param {string} line @param {Side} side @param {number} sequence @returns {Promise<"go" | "stay" | "best">} what to do; `best`: show the best
   */
  async stop(line, side, sequence) {
    const { tutor, tutorWay, level } = settings.read();
    if (!Number(tutor)) return "go";
    if (this.held?.line === line && this.held.sequence === sequence) { this.held = null; return "go"; }
    /** @type {Judged} */
    let found;
    try {
      found = await call(`/games/${this.id}/judge`, { line, level }, this.key());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return "go";
    }
    if (!found.judged || found.loss < Number(tutor)) return "go";
    if (tutorWay === "glow") { this.glows(found, line, side, sequence); return "stay"; }
    const answer = await this.explain(found);
    if (answer === "best" && found.moves?.length) this.show(arrowsOf(side, found.moves, "ok"));
    return answer === "go" || answer === "best" ? answer : "stay";
  }

  /** The tutor's word in a dialog. @param {Judged} found @param {boolean} [only] for reading alone @returns {Promise<string>} */
  explain(found, only = false) {
    return ask(t`${upper(t(found.choice || "no play"))} loses ${found.loss.toFixed(3)}`, [
      el("p", { class: "verdict" }, t`${MARKS[found.verdict] ?? ""} ${upper(t(found.verdict))}. Best is ${t(found.best || "no play")}.`),
      el("p", { "data-terms": true }, found.why),
      ...(found.more.length ? [reasons(found.more)] : []),
    ], only ? [["", t("Close"), "primary"]] : [["go", t("Play it anyway")], ["best", t("Show the best")], ["stay", t("Think again"), "primary"]]);
  }

  /**
   * The tutor's quiet way: the checkers that the best play puts elsewhere glow, and a line says the loss.
   * @param {Judged} found @param {string} line @param {Side} side @param {number} sequence
   */
  glows(found, line, side, sequence) {
    const isPlay = line.includes("/"), better = (found.moves ?? []).map((move) => move.replace("*", ""));
    const spots = /** @type {Set<number | "cube">} */ (new Set(isPlay ? [] : ["cube"]));
    for (const move of isPlay ? line.split(" ").map((each) => each.replace("*", "")) : []) {
      const same = better.indexOf(move);
      if (same >= 0) better.splice(same, 1);
      else spots.add(arrowsOf(side, [move], "")[0].to);
    }
    this.held = { line, sequence, moves: isPlay ? line : "", spots };
    this.problem(t`${upper(t(found.choice || "no play"))} loses ${found.loss.toFixed(3)}: do it again to play it anyway.`,
      el("button", { type: "button", class: "quiet", onclick: () => this.explain(found, true) }, t("Why?")));
  }

  /** What glows now: nothing any more once something else has been done. @param {number} sequence @param {string[]} moves */
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
/** @param {string} text */
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
