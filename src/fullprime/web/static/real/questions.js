// @ts-check
/** The questions at the table: how a game ended, the numbers for dice that are proved, the opener's colour and side. */

import { ask } from "/static/parts/dialogs.js";
import { byId, el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";
import { actor } from "/static/real/legal-actions.js";
import { levels } from "/static/real/worth.js";

/** @typedef {import("/static/real/sitting.js").Sitting} Sitting */
/** @typedef {import("/static/real/sitting.js").Table} Table */

const LEVELS = /** @type {Record<number, string>} */ ({
  1: t("single game"),
  2: t("gammon"),
  3: t("backgammon"),
  4: t("backgammon with a checker on the bar"),
});

/** @param {string} name @param {string} legend @param {[string, string][]} values @param {string} chosen */
const choice = (name, legend, values, chosen) =>
  el(
    "fieldset",
    { class: "against" },
    el("legend", {}, legend),
    ...values.map(([value, text]) =>
      el("label", {}, el("input", { type: "radio", name, value, checked: value === chosen }), text),
    ),
  );
/** @param {string} name */
const chosen = (name) =>
  /** @type {HTMLInputElement | null} */ (document.querySelector(`#dialog input[name=${name}]:checked`))?.value ?? "";

/**
 * Ask how the game ended; null without an answer. @param {Sitting} sitting @param {Table} table
 * @param {{who?: number, level?: number | null, points?: number}} shown the end by the record
 */
export async function askEnd(sitting, table, shown) {
  const { rules, cube } = table;
  const names = table.sides.map((_, side) => sitting.names[actor(table, side)]);
  const body = [
    choice(
      "who",
      t("Won by"),
      names.map((name, side) => /** @type {[string, string]} */ ([String(side), name])),
      String(shown.who ?? table.turn ?? 0),
    ),
  ];
  if (rules.checkers)
    body.push(
      el(
        "p",
        { class: "field" },
        el(
          "label",
          { for: "left" },
          rules.onBoard ? t("Checkers of the loser on the board") : t("Checkers that the loser has not borne off"),
        ),
        el("input", { id: "left", type: "number", min: 0, max: 15, value: shown.points ?? 1, inputmode: "numeric" }),
      ),
    );
  else
    body.push(
      choice(
        "level",
        cube.value * table.multiplier > 1 ? t`Times ${cube.value * table.multiplier}` : t("Worth"),
        levels(rules, cube.owner !== null).map((level) => [String(level), LEVELS[level]]),
        String(shown.level ?? 1),
      ),
    );
  body.push(
    choice(
      "how",
      t("How"),
      [
        ["bear-off", t("borne off")],
        ["resignation", t("the other resigned")],
      ],
      "bear-off",
    ),
  );
  const answer = await ask(t("The game is over"), body, [
    ["", t("Not yet")],
    ["over", t("Write it down"), "primary"],
  ]);
  if (!answer) return null;
  const left = rules.checkers ? Math.min(15, Math.max(0, Math.trunc(Number(byId("left").value)) || 0)) : 0;
  return {
    who: Number(chosen("who")),
    level: rules.checkers ? null : Number(chosen("level")),
    points: left,
    how: chosen("how"),
  };
}

/**
 * A number of each player for dice that can be proved; null when it is given up.
 * @param {Sitting} sitting
 * @returns {Promise<string[] | null>}
 */
export async function askNumbers(sitting) {
  const { commitment } = /** @type {NonNullable<Sitting["proof"]>} */ (sitting.proof);
  const body = [
    el(
      "p",
      {},
      t(
        "This device has promised its dice. Write down or photograph the promise, then let each player add any number.",
      ),
    ),
    el("p", {}, el("code", { id: "promise" }, commitment)),
    ...sitting.names.map((name, at) =>
      el(
        "p",
        { class: "field" },
        el("label", { for: `number-${at}` }, name),
        el("input", {
          id: `number-${at}`,
          inputmode: "numeric",
          maxlength: 16,
          pattern: "[0-9]+",
          autocomplete: "off",
        }),
      ),
    ),
  ];
  const answer = await ask(t("Dice that can be proved"), body, [
    ["", t("Give it up")],
    ["go", t("Throw with these"), "primary"],
  ]);
  if (!answer) return null;
  return sitting.names.map((_, at) => byId(`number-${at}`).value.replace(/\D/g, "").slice(0, 16) || "0");
}

/**
 * The opener's colour and side, as they are kept: "dark, home left"; null when nothing is chosen.
 * @param {Sitting} sitting
 * @param {Table} table
 */
export async function askChoice(sitting, table) {
  const name = sitting.names[actor(table, table.opened ?? 0)];
  const answer = await ask(
    t`${name} chooses`,
    [
      choice(
        "colour",
        t("Checkers"),
        [
          ["light", t("light")],
          ["dark", t("dark")],
        ],
        table.opened === 1 ? "dark" : "light",
      ),
      choice(
        "side",
        t("Home board"),
        [
          ["right", t("on the right")],
          ["left", t("on the left")],
        ],
        "right",
      ),
    ],
    [
      ["", t("Leave it")],
      ["ok", t("So it is"), "primary"],
    ],
  );
  return answer ? `${chosen("colour")}, home ${chosen("side")}` : null; // not a text
}
