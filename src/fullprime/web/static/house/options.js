// @ts-check
/**
 * House rules as controls: every option of a game, with its sentence and the consequence of each value; and the rules
 * that are kept.
 */

import { el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";
import { capital } from "/static/parts/words.js";
import { HOUSES, read, write } from "/static/real/storage.js";

/** @typedef {{name: string, variant: string, rules: Record<string, string>}} House rules of a house under their name */

/** @param {string} name */
export const nameWords = (name) => t(capital(name.replaceAll("_", " ")));

/** @param {string} value */
export const valueWords = (value) => t(value.replaceAll("_", " ").replaceAll("+", ", then "));

/** @returns {House[]} */
export const houses = () => read(HOUSES, /** @type {House[]} */ ([]));

/** Keep rules under their name; one of the same name is replaced. @param {House} house */
export function keepHouse(house) {
  write(HOUSES, [house, ...houses().filter((other) => other.name !== house.name)]);
}

/** @param {string} name */
export function dropHouse(name) {
  write(
    HOUSES,
    houses().filter((other) => other.name !== name),
  );
}

/** The address that leads to rules. @param {House} house @param {string} [page] */
export function addressOf(house, page = "/house") {
  const query = new URLSearchParams({ variant: house.variant, ...(house.name ? { name: house.name } : {}) });
  for (const [name, value] of Object.entries(house.rules)) query.append("rule", `${name}=${value}`); // not a text
  return `${page}?${query}`;
}

/** The rules that an address names. @param {URLSearchParams} query @returns {House} */
export function houseFrom(query) {
  const pairs = query
    .getAll("rule")
    .filter((rule) => rule.includes("="))
    .map(
      (rule) => /** @type {[string, string]} */ ([rule.slice(0, rule.indexOf("=")), rule.slice(rule.indexOf("=") + 1)]),
    );
  return {
    name: (query.get("name") ?? "").slice(0, 40),
    variant: query.get("variant") ?? "backgammon",
    rules: Object.fromEntries(pairs),
  };
}

/**
 * The control of an option. `choices` are its values with their consequences, and the reason why one is refused; none
 * where it takes a number.
 * @param {any} option
 * @param {(value: string) => void} onChange
 */
export function control(option, onChange) {
  const { name, value, choices } = option;
  const id = `rule-${name}`;
  const hint = `${id}-words`;
  const about = {
    id,
    "data-rule": name,
    "aria-describedby": hint,
    onchange: (/** @type {any} */ event) => onChange(event.target.value.trim()),
  };
  const input = choices.length
    ? el(
        "select",
        about,
        ...choices.map((/** @type {any} */ choice) =>
          el(
            "option",
            { value: choice.value, selected: choice.value === value, disabled: Boolean(choice.refused) },
            valueWords(choice.value),
          ),
        ),
      )
    : el("input", { ...about, value, maxlength: 12, inputmode: "decimal", autocomplete: "off" });
  const refused = [
    ...new Set(
      choices
        .filter((/** @type {any} */ choice) => choice.refused)
        .map(
          (/** @type {any} */ choice) => t`${nameWords(valueWords(choice.value))} cannot be chosen: ${choice.refused}.`,
        ),
    ),
  ];
  return el(
    "div",
    { class: `option${option.usual ? "" : " changed"}` },
    el("label", { for: id }, nameWords(name)),
    input,
    el(
      "p",
      { class: "hint", id: hint },
      t(option.words),
      el("br"),
      el("span", { class: "consequence" }, t(option.consequence)),
    ),
    ...refused.map((/** @type {any} */ text) => el("p", { class: "hint refused" }, text)),
  );
}
