// @ts-check
/** The plays of a position as the engine ranks them: a table from which plays are looked at, chosen and made. */

import { depthWords, fairly, groupsOf, groupWords, isRough, orderWords, ROUGH } from "/static/board/depths.js";
import { arrowsOf, loss, percent, rowClass } from "/static/board/figures.js";
import { el } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";
import { signed } from "/static/parts/words.js";

/** Plays that are listed before all are asked for. */
export const SHOWN = 10;

/**
 * The arrows of the play that is looked at, with those of the best.
 * @param {any[]} plays
 * @param {number | null} looked
 * @param {import("/static/parts/state").Side} side
 */
export function playArrows(plays, looked, side) {
  const [best] = plays;
  const other = looked ? plays[looked] : null;
  return [
    ...arrowsOf(best, side, looked !== null),
    ...(other ? arrowsOf({ ...other, mark: fairly(other, best, other.mark) }, side) : []),
  ];
}

/**
 * The plays as a table, those looked at furthest first; the best ten, or all.
 * @param {any} answer what the engine says @param {{looked: number | null, chosen: Set<number>}} now
 * @param {{onLook: (index: number | null) => void, onPlay: (play: string) => void, onChoose: () => void, onAll: () => void}} deeds
 */
export function playList(answer, { looked, chosen }, deeds, all = false) {
  const plays = all ? answer.plays : answer.plays.slice(0, SHOWN);
  const groups = groupsOf(plays);
  const row = (candidate) => {
    const index = answer.plays.indexOf(candidate);
    const name = el(
      "button",
      { type: "button", class: "quiet play", "aria-pressed": looked === index, "data-index": index },
      candidate.play,
    );
    name.addEventListener("click", () => deeds.onLook(index));
    name.addEventListener("dblclick", () => deeds.onPlay(candidate.play));
    const box = /** @type {HTMLInputElement} */ (
      el("input", { type: "checkbox", "aria-label": t`Choose ${candidate.play}`, checked: chosen.has(index) })
    );
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(index);
      else chosen.delete(index);
      deeds.onChoose();
    });
    const match = answer.away ? [el("td", { class: "match" }, `${percent(candidate.value, 2)} %`)] : [];
    return el(
      "tr",
      { class: fairly(candidate, answer.plays[0], rowClass(candidate.mark)) },
      el("td", {}, box),
      el("td", { class: "rank" }, String(candidate.rank)),
      el("th", { scope: "row" }, name),
      el("td", {}, signed(candidate.equity)),
      el("td", {}, loss(candidate.loss, isRough(candidate, answer.plays[0]))),
      ...match,
      el("td", { class: "hint" }, depthWords(candidate.depth, candidate.trials, candidate.error)),
    );
  };
  /** @param {string} name @param {string} [kind] */
  const head = (name, kind) => el("th", { scope: "col", ...(kind ? { class: kind } : {}) }, name);
  const heads = [
    el("td", {}),
    head("#", "rank"),
    head(t("Play // of the checkers")),
    head(t("Equity")),
    head(t("Loss")),
    ...(answer.away ? [head(t("Match"), "match")] : []),
    head(t("Depth")),
  ];
  const bodies = groups.map((group) =>
    el(
      "tbody",
      { class: "depth-group" },
      groups.length > 1
        ? el(
            "tr",
            { class: "depth-head" },
            el("th", { scope: "rowgroup", colspan: heads.length }, groupWords(group[0])),
          )
        : null,
      ...group.map(row),
    ),
  );
  const list = el(
    "div",
    { class: "wide", tabindex: 0, role: "group", "aria-label": t("Plays") },
    el(
      "table",
      { class: "plays" },
      el("caption", {}, plural(answer.plays.length, "{n} play", "{n} plays, {1}", orderWords(plays))),
      el("thead", {}, el("tr", {}, ...heads)),
      ...bodies,
    ),
  );
  const more = el("button", { type: "button", class: "quiet" }, t`All ${answer.plays.length} plays`);
  more.addEventListener("click", deeds.onAll);
  const words = el("p", { id: "chances", class: "hint" });
  const make = el("button", { type: "button", id: "make" }, t("Make this play"));
  make.addEventListener("click", () => deeds.onPlay(""));
  const rough = groups.length > 1;
  return el(
    "div",
    {},
    list,
    rough ? el("p", { class: "hint" }, ROUGH) : null,
    words,
    el("div", { class: "choices" }, make, answer.plays.length > plays.length ? more : null),
  );
}
