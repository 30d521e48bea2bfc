// @ts-check
/** The form of the analysis board: the game, the score, the cube and the dice of a position that is set up. */

import { textForm } from "/static/board/text-form.js";
import { byId, el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** Who has earned the right to hit, where that is a rule. */
export const licences = () => ({ X: byId("licence-X").checked, O: byId("licence-O").checked });

/** What the form shows of a position that the server told. @param {any} now */
export function fillForm(now) {
  const { setup } = now;
  const length = Number(setup.rules.length ?? 0);
  byId("variant").value = setup.variant;
  byId("on-roll").value = setup.on_roll;
  [byId("dice-a").value, byId("dice-b").value] = setup.dice ?? ["", ""];
  byId("length").value = length;
  [byId("score-x").value, byId("score-o").value] = setup.score;
  byId("cube").value = setup.cube;
  byId("owner").value = setup.owner ?? "";
  byId("crawford").checked = now.crawford;
  byId("jacoby").checked = setup.rules.jacoby === "yes";
  byId("beavers").checked = setup.rules.beavers === "yes";
  byId("offered").checked = setup.offered;
  for (const side of ["X", "O"]) byId(`licence-${side}`).checked = now.licences[side];
  for (const [name, hidden] of [
    ["match", !length],
    ["money", Boolean(length)],
    ["licence", !now.licensed],
  ]) {
    for (const field of document.querySelectorAll(`[data-${name}]`)) field.toggleAttribute("hidden", Boolean(hidden));
  }
  const kinds = {
    xgid: "XGID",
    gnuid: t("GNU Backgammon ID"),
    ogid: "OGID",
    fibs: t("FIBS board"),
    text: t("text form"),
  };
  const chosen = byId("copy-what").value;
  byId("copy-what").replaceChildren(
    ...Object.keys(now.ids).map((kind) => el("option", { value: kind }, kinds[kind] ?? kind)),
    el("option", { value: "link" }, t("link")),
    el("option", { value: "svg" }, t("SVG picture")),
    el("option", { value: "png" }, t("PNG picture")),
  );
  if (chosen) byId("copy-what").value = chosen;
}

/**
 * Read the form: what it says replaces what the setup said.
 * @param {any} now
 * @param {{X: number[], O: number[]}} rows
 */
export function readForm(now, rows) {
  const value = (id) => byId(id).value;
  const length = Number(value("length")) || 0;
  const rules = { ...now.setup.rules };
  delete rules.length;
  for (const name of ["jacoby", "beavers"]) {
    delete rules[name];
    if (!length && byId(name).checked) rules[name] = "yes";
  }
  if (length) {
    rules.length = String(length);
    for (const name of ["raccoons", "automatic_doubles", "stake"]) delete rules[name];
  }
  const cube = Number(value("cube"));
  const owner = cube > 1 ? value("owner") || now.setup.owner || "X" : null;
  const dice = value("dice-a") && value("dice-b") ? [Number(value("dice-a")), Number(value("dice-b"))] : null;
  const score = length ? [Number(value("score-x")) || 0, Number(value("score-o")) || 0] : [0, 0];
  const atPoint = length > 1 && Math.max(...score) === length - 1;
  const fresh = String(length) !== (now.setup.rules.length ?? "0") || score.join() !== now.setup.score.join();
  return {
    rules,
    dice,
    cube,
    owner,
    score,
    on_roll: value("on-roll"),
    offered: byId("offered").checked && !dice,
    crawford: length ? (fresh || !atPoint ? null : byId("crawford").checked) : null,
    position: textForm(rows, value("on-roll"), licences()),
  };
}

/** @param {Record<string, any>} variants */
export function fillChoices(variants) {
  byId("variant").append(
    ...Object.entries(variants).map(([name, { title }]) => el("option", { value: name }, t(title))),
  );
  for (const id of ["dice-a", "dice-b"])
    byId(id).append(el("option", { value: "" }, "–"), ...[1, 2, 3, 4, 5, 6].map((n) => el("option", {}, String(n))));
  byId("cube").append(...[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].map((n) => el("option", {}, String(n))));
}

/** The beginning of a variant's game. @param {string} variant */
export const beginningOf = (variant) => ({
  variant,
  rules: {},
  position: null,
  dice: null,
  cube: 1,
  owner: null,
  offered: false,
  score: [0, 0],
  crawford: null,
  multiplier: 1,
});
