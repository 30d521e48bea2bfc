// @ts-check
import { Board } from "/static/board/board.js";
import { AT_REST, NONE } from "/static/board/drawn-board.js";
import { ask } from "/static/parts/dialogs.js";
import { el } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { chooseLanguage, languages, t } from "/static/parts/texts.js";

/**
 * @param {string} label
 * @param {keyof ReturnType<typeof preferences.read>} name
 * @param {Record<string, string>} values
 * @param {() => void} changed
 */
function choice(label, name, values, changed) {
  const now = String(preferences.read()[name]);
  const select = /** @type {HTMLSelectElement} */ (
    el(
      "select",
      { id: `set-${name}` },
      ...Object.entries(values).map(([value, text]) => el("option", { value, selected: value === now }, text)),
    )
  );
  select.addEventListener("change", () => {
    const usual = preferences.read()[name];
    preferences.write({
      [name]:
        typeof usual === "boolean"
          ? select.value === "true"
          : typeof usual === "number"
            ? Number(select.value)
            : select.value,
    });
    changed();
  });
  return el("p", { class: "field" }, el("label", { for: `set-${name}` }, label), select);
}

/** The language of the pages, where there are several. */
function languageField() {
  const { known: offered, chosen } = languages();
  if (!offered.length) return [];
  const select = /** @type {HTMLSelectElement} */ (
    el(
      "select",
      { id: "set-language", onchange: () => chooseLanguage(select.value) },
      el("option", { value: "" }, t("as the browser")),
      ...offered.map(([tag, name]) =>
        el("option", { value: tag, lang: tag, translate: "no", selected: tag === chosen }, name),
      ),
    )
  );
  return [el("p", { class: "field" }, el("label", { for: "set-language" }, t("Language")), select)];
}

/** The opening position, with a checker on the bar: a little of everything. */
const ROW = [0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0];

/** Draw the board of a set into its place. @param {HTMLElement} place */
function preview(place) {
  const board = new Board(place, {
    onActivate() {},
    onDrop() {},
    onDouble() {},
    onPoint() {},
    onDice() {},
    targets: () => [NONE, NONE],
  });
  const { home, numbers } = preferences.read();
  board.draw({
    rows: { X: [...ROW], O: [...ROW] },
    bottom: "X",
    mover: "X",
    hand: false,
    names: { X: "", O: "" },
    shape: "wide",
    homeLeft: home === "left",
    numbers,
    ...AT_REST,
    sources: new Set([8, 6]),
    dice: [{ side: "X", numbers: [3, 1], used: [false, false] }],
    cube: { value: 2, owner: "O", offered: null, in_use: true },
  });
  for (const spot of place.querySelectorAll("[role=button]")) spot.remove();
}

/**
 * Draw boards one a picture, behind the dialog that keeps their room: a slow phone shows the dialog at once.
 * @param {HTMLElement[]} places
 */
function later([place, ...others]) {
  if (place)
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (place.isConnected) {
          preview(place);
          later(others);
        }
      }),
    );
}

/**
 * The sets of boards, each with a board that has it: the choice is seen before it is made.
 * @param {() => void} changed
 */
function sets(changed) {
  const places = /** @type {HTMLElement[]} */ ([]);
  const tiles = Object.entries(preferences.THEMES).map(([theme, title]) => {
    const place = el("span", { class: "preview", "data-theme": theme, "aria-hidden": "true" });
    places.push(place);
    const input = el("input", {
      type: "radio",
      name: "set-theme",
      value: theme,
      checked: preferences.read().theme === theme,
    });
    input.addEventListener("change", () => {
      preferences.write({ theme });
      changed();
    });
    return el("label", { class: "set" }, place, el("span", { class: "set-name" }, input, title));
  });
  later(places);
  return el("fieldset", { class: "sets" }, el("legend", {}, t("Board")), ...tiles);
}

/**
 * How the board looks and behaves in this browser; `link` opens this very seat elsewhere.
 * @param {() => void} changed @param {string | null} [link]
 */
export function showPreferences(changed, link) {
  const yes = { true: t("yes"), false: t("no") };
  const body = [
    sets(changed),
    choice(
      t("Size of the board"),
      "size",
      { 1: t("as large as the screen lets it be"), 0.85: t("smaller"), 0.7: t("small") },
      changed,
    ),
    ...languageField(),
    choice(t("Light or dark"), "light", { auto: t("as the system"), light: t("light"), dark: t("dark") }, changed),
    choice(t("Home board"), "home", { right: t("right"), left: t("left") }, changed),
    choice(t("Colours and side that the opener chose"), "agreed", { true: t("shown"), false: t("not shown") }, changed),
    choice(t("Numbers of the points"), "numbers", yes, changed),
    choice(
      t("Points are numbered"),
      "numbering",
      { own: t("by each player, from their own side"), fixed: t("in one way for both") },
      changed,
    ),
    choice(t("Turn the board to the player on roll (two at this screen)"), "turn", yes, changed),
    choice(t("Speed"), "speed", { 0: t("at once"), 0.5: t("fast"), 1: t("usual"), 2: t("slow") }, changed),
    choice(
      t("One click moves"),
      "oneClick",
      {
        finger: t("with a finger"),
        always: t("with mouse and finger"),
        never: t("never: first the checker, then its place"),
      },
      changed,
    ),
    choice(t("Confirm each play"), "confirm", yes, changed),
    choice(
      t("Plays that make themselves"),
      "automatic",
      { "": t("none"), forced: t("the only play"), sure: t("the only play, and sure bear-offs") },
      changed,
    ),
    choice(t("Sounds (quieter from 22 to 7 o'clock)"), "sound", { 0: t("off"), 0.3: t("quiet"), 1: t("on") }, changed),
    choice(
      t("Tutor: stop me before I lose"),
      "tutor",
      {
        0: t("never"),
        0.02: t("0.02 or more"),
        0.04: t("0.04 or more"),
        0.08: t("0.08 or more (a blunder)"),
        0.16: t("0.16 or more"),
      },
      changed,
    ),
    choice(
      t("The tutor speaks"),
      "tutorWay",
      { dialog: t("in a dialog"), glow: t("by a quiet glow on the checker") },
      changed,
    ),
    choice(
      t("Advice looks ahead"),
      "level",
      { "0-ply": t("not at all"), "1-ply": t("1 ply"), "2-ply": t("2 plies (slower)") },
      changed,
    ),
  ];
  if (link) {
    const input = /** @type {HTMLInputElement} */ (el("input", { readonly: true, value: link, id: "seat-link" }));
    body.push(
      el(
        "p",
        { class: "field" },
        el("label", { for: "seat-link" }, t("Go on at another device (opens your seat: keep it to yourself)")),
        input,
      ),
    );
  }
  return ask(t("Settings"), body, [["", t("Close"), "primary"]]);
}
