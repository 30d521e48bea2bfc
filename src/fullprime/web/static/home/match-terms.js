// @ts-check
/** The terms of a match between people, asked for in one small dialog: name, length and clock. */

import { clockChoices } from "/static/home/clocks.js";
import { Refusal } from "/static/parts/api.js";
import { ask } from "/static/parts/dialogs.js";
import { byId, el, fill } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** @typedef {{name: string | undefined, length: number, clock: string | null, rated: boolean}} MatchTerms */

const LENGTHS = [
  ["1", t("1 point")],
  ["3", t("a match to 3")],
  ["5", t("a match to 5")],
  ["7", t("a match to 7")],
  ["9", t("a match to 9")],
  ["11", t("a match to 11")],
  ["15", t("a match to 15")],
  ["0", t("money")],
];
/** The clock that is chosen where *Rated* is ticked and none was. */
const RATED_CLOCK = "medium";

/** @param {string} id @param {string} label @param {string[][]} choices @param {string} chosen */
function field(id, label, choices, chosen) {
  const select = /** @type {HTMLSelectElement} */ (el("select", { id }));
  fill(select, choices, chosen);
  return { select, row: el("p", { class: "field" }, el("label", { for: id }, label), select) };
}

/** A box for *Rated*: money is not rated, and what is rated has a clock. @param {HTMLSelectElement} length @param {HTMLSelectElement} clock */
function ratedBox(length, clock) {
  const box = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox" }));
  const agree = () => {
    box.disabled = length.value === "0";
    if (box.disabled) box.checked = false;
    const none = /** @type {HTMLOptionElement} */ (clock.options[0]);
    none.disabled = box.checked;
    if (box.checked && !clock.value) clock.value = RATED_CLOCK;
  };
  for (const part of [box, length]) part.addEventListener("change", agree);
  agree();
  return { box, row: el("p", { class: "check" }, el("label", {}, box, ` ${t("Rated")}`)) };
}

/**
 * Ask for the terms, and send them; a refusal is shown in the dialog, which stays. False where it is left.
 * @param {{title: string, hint: string, button: string, isGuest: boolean, name: string, clock: string, canRate: boolean,
 *   send: (terms: MatchTerms) => Promise<void>}} about `name` and `clock` are what stands there at first
 */
export async function askTerms({ title, hint, button, isGuest, name, clock, canRate, send }) {
  const input = /** @type {HTMLInputElement} */ (
    el("input", { id: "terms-name", maxlength: 40, placeholder: t("Guest"), value: name })
  );
  const length = field("terms-length", t("Played for"), LENGTHS, "5");
  const clocks = field("terms-clock", t("Clock"), await clockChoices(), clock);
  const rated = ratedBox(length.select, clocks.select);
  const form = el(
    "form",
    { class: "fields" },
    ...(isGuest ? [el("p", { class: "field" }, el("label", { for: "terms-name" }, t("Your name")), input)] : []),
    length.row,
    clocks.row,
    ...(canRate ? [rated.row] : []),
  );
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    byId("dialog").close("send");
  });
  const problem = el("p", { class: "problem", role: "alert" });
  for (;;) {
    const answer = await ask(
      title,
      [el("p", { class: "hint" }, hint), form, problem],
      [
        ["send", button, "primary"],
        ["", t("Cancel"), "quiet"],
      ],
    );
    if (answer !== "send") return false;
    try {
      await send({
        name: isGuest ? input.value.trim() || undefined : undefined,
        length: Number(length.select.value),
        clock: clocks.select.value || null,
        rated: canRate && rated.box.checked,
      });
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problem.textContent = error.message;
    }
  }
}
