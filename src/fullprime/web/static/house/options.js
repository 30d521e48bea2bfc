// @ts-check
/** House rules as controls: every option that a game has, with its sentence and what each value leads to; and those that are kept. */

import { el } from "/static/parts/page.js";
import { HOUSES, read, write } from "/static/real/keep.js";
import { t } from "/static/parts/texts.js";

/** @typedef {{name: string, variant: string, rules: Record<string, string>}} House rules of a house under their name */

/** @param {string} name */
export const words = (name) => { const text = name.replaceAll("_", " "); return t(text.charAt(0).toUpperCase() + text.slice(1)); };

/** @param {string} value */
export const shown = (value) => t(value.replaceAll("_", " ").replaceAll("+", ", then "));

/** @returns {House[]} */
export const houses = () => read(HOUSES, /** @type {House[]} */ ([]));

/** Keep rules under their name; one of the same name is replaced. @param {House} house */
export function keepHouse(house) { write(HOUSES, [house, ...houses().filter((each) => each.name !== house.name)]); }

/** @param {string} name */
export function dropHouse(name) { write(HOUSES, houses().filter((each) => each.name !== name)); }

/** The address that leads to rules. @param {House} house @param {string} [page] */
export function addressOf(house, page = "/house") {
  const asked = new URLSearchParams({ variant: house.variant, ...(house.name ? { name: house.name } : {}) });
  for (const [name, value] of Object.entries(house.rules)) asked.append("rule", `${name}=${value}`); // not a text
  return `${page}?${asked}`;
}

/** The rules that an address names. @param {URLSearchParams} asked @returns {House} */
export function houseFrom(asked) {
  const pairs = asked.getAll("rule").filter((each) => each.includes("=")).map((each) => /** @type {[string, string]} */ ([each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)]));
  return { name: (asked.get("name") ?? "").slice(0, 40), variant: asked.get("variant") ?? "backgammon", rules: Object.fromEntries(pairs) };
}

/**
 * The control of an option. `choices` are its values with their consequences, and the reason why one is refused; none where it
 * takes a number. @param {any} option @param {(value: string) => void} onChange
 */
export function control(option, onChange) {
  const { name, value, choices } = option, id = `rule-${name}`, hint = `${id}-words`;
  const about = { id, "data-rule": name, "aria-describedby": hint, onchange: (/** @type {any} */ event) => onChange(event.target.value.trim()) };
  const input = choices.length
    ? el("select", about, ...choices.map((/** @type {any} */ each) => el("option", { value: each.value, selected: each.value === value, disabled: Boolean(each.refused) }, shown(each.value))))
    : el("input", { ...about, value, maxlength: 12, inputmode: "decimal", autocomplete: "off" });
  const refused = [...new Set(choices.filter((/** @type {any} */ each) => each.refused).map((/** @type {any} */ each) => t`${words(shown(each.value))} cannot be chosen: ${each.refused}.`))];
  return el("div", { class: `option${option.usual ? "" : " changed"}` }, el("label", { for: id }, words(name)), input,
    el("p", { class: "hint", id: hint }, t(option.words), el("br"), el("span", { class: "consequence" }, t(option.consequence))), ...refused.map((/** @type {any} */ text) => el("p", { class: "hint refused" }, text)));
}
