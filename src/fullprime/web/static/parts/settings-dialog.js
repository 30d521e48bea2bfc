// @ts-check
import { ask } from "/static/parts/dialogs.js";
import * as settings from "/static/parts/settings.js";
import { el } from "/static/parts/page.js";

/** @param {string} label @param {keyof ReturnType<typeof settings.read>} name @param {Record<string, string>} values @param {() => void} changed */
function choice(label, name, values, changed) {
  const now = String(settings.read()[name]);
  const select = /** @type {HTMLSelectElement} */ (el("select", { id: `set-${name}` },
    ...Object.entries(values).map(([value, text]) => el("option", { value, selected: value === now }, text))));
  select.addEventListener("change", () => {
    const usual = settings.read()[name];
    settings.write({ [name]: typeof usual === "boolean" ? select.value === "true" : typeof usual === "number" ? Number(select.value) : select.value });
    changed();
  });
  return el("p", { class: "field" }, el("label", { for: `set-${name}` }, label), select);
}

/**
 * How the board looks and behaves in this browser; `link` opens this very seat elsewhere.
 * @param {() => void} changed @param {string | null} [link]
 */
export function showSettings(changed, link) {
  const yes = { true: "yes", false: "no" };
  const body = [
    choice("Board", "theme", settings.THEMES, changed),
    choice("Page", "light", { auto: "as the system", light: "light", dark: "dark" }, changed),
    choice("Home board", "home", { right: "right", left: "left" }, changed),
    choice("Numbers of the points", "numbers", yes, changed),
    choice("Turn the board to whoever plays (two at this screen)", "turn", yes, changed),
    choice("Speed", "speed", { 0: "at once", 0.5: "fast", 1: "usual", 2: "slow" }, changed),
    choice("Confirm each play", "confirm", yes, changed),
    choice("Sounds", "sound", { 0: "off", 0.3: "quiet", 1: "on" }, changed),
    choice("Tutor: stop me before I lose", "tutor", { 0: "never", 0.02: "0.02 or more", 0.04: "0.04 or more", 0.08: "0.08 or more (a blunder)", 0.16: "0.16 or more" }, changed),
    choice("Advice looks ahead", "level", { "0-ply": "not at all", "1-ply": "1 ply", "2-ply": "2 plies (slower)" }, changed),
  ];
  if (link) {
    const input = /** @type {HTMLInputElement} */ (el("input", { readonly: true, value: link, id: "seat-link" }));
    body.push(el("p", { class: "field" }, el("label", { for: "seat-link" }, "Go on at another device (opens your seat: keep it to yourself)"), input));
  }
  return ask("Settings", body, [["", "Close", "primary"]]);
}
