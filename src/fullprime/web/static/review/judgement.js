// @ts-check
/** The judgement of a ply: the verdict, the reason, and the options as a table. */

import { CLOSE, depthWords, fairly, isRough, ROUGH } from "/static/board/depths.js";
import { loss, percent, rowClass } from "/static/board/figures.js";
import { el, reasons } from "/static/parts/page.js";
import { decimal, t } from "/static/parts/texts.js";
import { capital, signed } from "/static/parts/words.js";
import { madeWords } from "/static/review/plies.js";

/** Options that are listed at first. */
const FEW = 5;

/** An option in words; those of the cube are texts. @param {string} text @param {string} kind of its decision */
export const optionWords = (text, kind) => (kind === "play" ? text || t("no play") : capital(t(text)));

/**
 * Sentences about a ply.
 * @param {import("/static/review/plies.js").Ply} ply
 * @param {any} decision as the review judged it; null for none
 * @returns {HTMLElement[]}
 */
export function reasonSentences(ply, decision) {
  if (!decision) {
    if (ply.kind === "illegal")
      return [el("p", {}, t("The record has a play here that is against the rules; it was not judged."))];
    if (ply.kind !== "play") return [el("p", {}, t`${madeWords(ply)}.`)];
    return [el("p", {}, ply.moves.length ? t("There was nothing to choose.") : t("No checker could move."))];
  }
  const { options, chosen, kind, reason, more, proper } = decision;
  const best = options[0];
  const choice = options[chosen];
  const right = choice.loss <= CLOSE;
  const made = optionWords(choice.text, kind);
  const words = right
    ? t`${capital(made)} is right.`
    : t`${capital(made)} loses ${decimal(choice.loss, 3)}. Best: ${kind === "play" ? best.text : t(best.text)}.`;
  return [
    el("p", { class: `lesson-words ${right ? "right" : "wrong"}` }, words),
    ...(proper ? [el("p", {}, t`Proper action: ${t(proper)}.`)] : []),
    ...(reason ? [el("p", { lang: "en" }, reason)] : []),
    ...(more.length ? [reasons(more)] : []),
  ];
}

/**
 * The options, the best first, and the one that was taken wherever it stands.
 * @param {any} decision @param {(option: any) => void} onLook an option is looked at @returns {HTMLElement[]}
 */
export function optionsTable({ options, chosen, kind }, onLook) {
  const best = options[0];
  const chances = options.some((/** @type {any} */ option) => option.chances);
  const rough = options.some((/** @type {any} */ option) => isRough(option, best));
  const row = (/** @type {any} */ option) => {
    const words = optionWords(option.text, kind);
    const button = el(
      "button",
      { type: "button", class: "quiet", "aria-pressed": "false" },
      option === options[chosen] ? t`${words} (played)` : words,
    );
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      for (const other of table.querySelectorAll("button[aria-pressed]"))
        other.setAttribute("aria-pressed", String(on && other === button));
      onLook(on ? option : null);
    });
    return el(
      "tr",
      { class: option === best ? "ok" : fairly(option, best, rowClass(option.mark)) },
      el("th", { scope: "row" }, kind === "play" ? button : (button.textContent ?? "")),
      el("td", {}, signed(option.equity)),
      el("td", {}, loss(option.loss, isRough(option, best))),
      ...(chances ? [el("td", {}, option.chances ? `${percent(option.chances[0])} %` : "–")] : []),
      el(
        "td",
        { class: "depth" },
        option.deviation === null ? depthWords(option.depth) : t`rollout ± ${decimal(option.deviation, 3)}`,
      ),
    );
  };
  const few = options.filter((/** @type {any} */ _, /** @type {number} */ at) => at < FEW || at === chosen);
  const body = el("tbody", {}, ...few.map(row));
  const table = el(
    "table",
    {},
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ...[t("What"), t("Equity"), t("Loss"), ...(chances ? [t("Wins")] : []), t("Depth")].map((head) =>
          el("th", { scope: "col" }, head),
        ),
      ),
    ),
    body,
  );
  const all = el(
    "button",
    {
      type: "button",
      class: "quiet",
      onclick: () => {
        body.replaceChildren(...options.map(row));
        all.remove();
      },
    },
    t`All ${options.length} options`,
  );
  return [
    el("div", { class: "wide", tabindex: 0, role: "group", "aria-label": t("Options") }, table),
    ...(few.length < options.length ? [all] : []),
    ...(rough ? [el("p", { class: "hint" }, ROUGH)] : []),
  ];
}
