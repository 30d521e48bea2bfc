// @ts-check
/** Ranked plays as a table: the depth beside each, those of one depth together, and ≈ where a loss crosses depths. */

import { depthWords, fairly, groupsOf, groupWords, isRough, orderWords, ROUGH } from "/static/board/depths.js";
import { el } from "/static/parts/page.js";
import { decimal, t } from "/static/parts/texts.js";
import { MARKS, signed } from "/static/parts/words.js";

/** @typedef {{play: string, equity: number, loss: number, depth: number, verdict: string, wins: number}} RankedPlay */

/**
 * The colour of a play's verdict; the mark and the width say the same.
 * @param {RankedPlay} play
 * @param {RankedPlay} best
 */
export const kindOf = (play, best) => fairly(play, best, play.verdict === "too close to call" ? "ok" : play.verdict);

/**
 * The table and the sentences below it. @template {RankedPlay} T
 * @param {T[]} plays in the order of the engine
 * @param {string} caption
 * @param {(play: T) => void} onPick called when a play is chosen
 * @returns {HTMLElement[]}
 */
export function playsTable(plays, caption, onPick) {
  const best = plays[0];
  const groups = groupsOf(plays);
  const several = groups.length > 1;
  /** @param {T} play @param {number} rank */
  const row = (play, rank) => {
    const kind = kindOf(play, best);
    const rough = isRough(play, best);
    const button = el("button", { type: "button", class: "quiet", "aria-pressed": "false" }, play.play || t("no play"));
    const pick = () => {
      for (const other of table.querySelectorAll("button"))
        other.setAttribute("aria-pressed", String(other === button));
      onPick(play);
    };
    button.addEventListener("click", pick);
    button.addEventListener("focus", pick);
    const loss = rank
      ? `${rough ? "≈\u00a0" : ""}${play.loss ? signed(-play.loss) : decimal(0, 3)}${MARKS[kind] ? `\u00a0${MARKS[kind]}` : ""}`
      : t("best");
    return el(
      "tr",
      { class: kind },
      el("td", { class: "rank" }, String(rank + 1)),
      el("td", { class: "what" }, button),
      el("td", {}, signed(play.equity)),
      el("td", { class: "loss" }, loss),
      el("td", {}, `${decimal(100 * play.wins, 1)}\u00a0%`),
      el("td", { class: "depth" }, depthWords(play.depth)),
    );
  };
  const bodies = groups.map((group) =>
    el(
      "tbody",
      { class: "depth-group" },
      several
        ? el("tr", { class: "depth-head" }, el("th", { scope: "rowgroup", colspan: 6 }, groupWords(group[0])))
        : null,
      ...group.map((play) => row(play, plays.indexOf(play))),
    ),
  );
  const table = el(
    "table",
    { class: "plays" },
    el("caption", {}, `${caption}, ${orderWords(plays)}`),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ...["#", t("Play // of the checkers"), t("Equity"), t("Loses"), t("Wins"), t("Depth")].map((name) =>
          el("th", { scope: "col" }, name),
        ),
      ),
    ),
    ...bodies,
  );
  return plays.some((play) => play.loss && isRough(play, best)) ? [table, el("p", { class: "hint" }, ROUGH)] : [table];
}
