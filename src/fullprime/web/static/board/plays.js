// @ts-check
/** Ranked plays as a table: the depth beside each, those of one depth together, and ≈ where a loss crosses depths. */

import { ROUGH, depthWords, fairly, groupWords, groupsOf, isRough, orderWords } from "/static/board/depths.js";
import { el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";
import { signed } from "/static/parts/words.js";

/** @typedef {{play: string, equity: number, loss: number, depth: number, verdict: string, wins: number}} RankedPlay */

const MARKS = /** @type {Record<string, string>} */ ({ blunder: "??", error: "?", doubtful: "?!" });
/** The colour of a play's verdict; the mark and the width say the same. @param {RankedPlay} play @param {RankedPlay} best */
export const kindOf = (play, best) => fairly(play, best, play.verdict === "too close to call" ? "ok" : play.verdict);

/**
 * The table and what is to be said below it. @template {RankedPlay} T
 * @param {T[]} plays in the order of the engine @param {string} caption @param {(play: T) => void} onPick called when a play is chosen @returns {HTMLElement[]}
 */
export function playsTable(plays, caption, onPick) {
  const best = plays[0], groups = groupsOf(plays), several = groups.length > 1;
  /** @param {T} each @param {number} rank */
  const row = (each, rank) => {
    const kind = kindOf(each, best), rough = isRough(each, best);
    const button = el("button", { type: "button", class: "quiet", "aria-pressed": "false" }, each.play || t("no play"));
    const pick = () => {
      for (const other of table.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
      onPick(each);
    };
    button.addEventListener("click", pick);
    button.addEventListener("focus", pick);
    const loss = rank ? `${rough ? "≈\u00a0" : ""}${each.loss ? signed(-each.loss) : "0.000"}${MARKS[kind] ? `\u00a0${MARKS[kind]}` : ""}` : t("best");
    return el("tr", { class: kind }, el("td", { class: "rank" }, String(rank + 1)), el("td", { class: "what" }, button), el("td", {}, signed(each.equity)), el("td", { class: "loss" }, loss),
      el("td", {}, `${(100 * each.wins).toFixed(1)}\u00a0%`), el("td", { class: "depth" }, depthWords(each.depth)));
  };
  const bodies = groups.map((group) => el("tbody", { class: "depth-group" },
    several ? el("tr", { class: "depth-head" }, el("th", { scope: "rowgroup", colspan: 6 }, groupWords(group[0]))) : null,
    ...group.map((each) => row(each, plays.indexOf(each)))));
  const table = el("table", { class: "plays" }, el("caption", {}, `${caption}, ${orderWords(plays)}`),
    el("thead", {}, el("tr", {}, ...["#", t("Play"), t("Equity"), t("Loses"), t("Wins"), t("Depth")].map((name) => el("th", { scope: "col" }, name)))), ...bodies);
  return plays.some((each) => each.loss && isRough(each, best)) ? [table, el("p", { class: "hint" }, ROUGH)] : [table];
}
