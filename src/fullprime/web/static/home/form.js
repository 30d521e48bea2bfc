// @ts-check
/** Every option of a new game, explained one by one: only those that the chosen game has. */

import { clockChoices } from "/static/home/clocks.js";
import { call, keep, Refusal } from "/static/parts/api.js";
import { byId, el, fill } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";
import { capital } from "/static/parts/words.js";

/** @type {any} */
let options = null;

/** @param {string} name */
const optionWords = (name) => t(capital(name.replaceAll("_", " ")));

/** The fields of options that are not called as their fields are. */
const FIELDS = /** @type {Record<string, string>} */ ({ other_name: "other" });

/**
 * The field of an option, where the form has one; of a rule that comes with the preset, the preset.
 * @param {string | null} name
 */
function fieldOf(name) {
  const rule = name && byId(`rule-${name}`);
  if (rule) return rule.value || !byId("preset").value ? rule : byId("preset");
  const field = name && byId(FIELDS[name] ?? name);
  return byId("new-game").contains(field) ? field : null;
}

/** Clear the marks of wrong fields. */
function forgive() {
  for (const field of document.querySelectorAll("#new-game [aria-invalid]"))
    for (const name of ["aria-invalid", "aria-errormessage"]) field.removeAttribute(name);
  byId("form-problem").textContent = "";
}

/** Show a refusal in the form, beside the field that is wrong where one is. @param {Refusal} error */
function refuse(error) {
  const field = fieldOf(error.field);
  const problem = byId("form-problem");
  if (field) field.closest(".field").after(problem);
  else byId("start").parentElement.before(problem);
  for (let part = problem.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
  problem.textContent = error.message;
  for (const [name, value] of [
    ["aria-invalid", "true"],
    ["aria-errormessage", problem.id],
  ])
    field?.setAttribute(name, value);
  field?.focus({ preventScroll: true });
  (field ?? problem).scrollIntoView({ block: "center" });
}

/** Show a refusal at the top of the page. @param {Refusal} error */
function refuseAtTop(error) {
  byId("problem").textContent = error.message;
  byId("problem").scrollIntoView({ block: "nearest" });
}

/**
 * Ask the server for a game and go there. A refusal is shown on the page.
 * @param {any} terms
 * @param {(error: Refusal) => void} [refused]
 */
export async function begin(terms, refused = refuseAtTop) {
  byId("problem").textContent = "";
  forgive();
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("#start, #play-now, .way"));
  for (const button of buttons) button.disabled = true;
  try {
    const game = await call("/games", terms);
    keep(game.id, {
      key: game.key,
      commitment: game.commitment,
      ...(game.invitation ? { invitation: game.invitation } : {}),
    });
    location.href = `/game/${game.id}`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refused(error);
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}

/** One option: its name, its values, and its sentence. @param {string} name @param {any} variant */
function option(name, variant) {
  const usual = variant.options[name];
  const values = options.rules[name];
  const id = `rule-${name}`;
  const hint = `${id}-words`;
  const about = { id, "data-rule": name, "aria-describedby": hint };
  const input = values
    ? el(
        "select",
        about,
        el("option", { value: "" }, usual ? t`usual: ${t(usual.replaceAll("_", " "))}` : t("usual")),
        ...values.map((/** @type {string} */ value) => el("option", { value }, t(value.replaceAll("_", " ")))),
      )
    : el("input", { ...about, placeholder: t("usual"), maxlength: 12 });
  return el(
    "p",
    { class: "field" },
    el("label", { for: id }, optionWords(name)),
    input,
    el("span", { class: "hint", id: hint }, t(options.rule_words[name])),
  );
}

function chooseVariant() {
  const variant = options.variants[byId("variant").value];
  // A level of the engine needs nets for the variant; the bot with a few rules plays everything.
  const offered = [byId("bot").value, options.bot, "heuristic"].find((bot) => variant.bots.includes(bot));
  fill(
    byId("bot"),
    options.opponents
      .filter((/** @type {any} */ opponent) => variant.bots.includes(opponent.bot))
      .map((/** @type {any} */ opponent) => [
        opponent.bot,
        opponent.face ? `${opponent.name} (${t(`${opponent.bot} // how strong a bot plays`)})` : opponent.name,
      ]),
    offered,
  );
  byId("rules").replaceChildren(...variant.rules.map((/** @type {string} */ name) => option(name, variant)));
  // Presets are agreements about the cube.
  byId("preset").closest(".field").hidden = !variant.rules.includes("cube");
  if (!variant.rules.includes("cube")) byId("preset").value = "";
  chooseLength();
}

/** A game that is settled by checkers is played for money. */
function chooseLength() {
  const settled =
    (byId("rule-settlement")?.value || options.variants[byId("variant").value].options.settlement || "games") !==
    "games";
  if (settled) byId("length").value = "0";
  else if (byId("length").disabled) byId("length").value = "";
  byId("length").disabled = settled;
}

function chooseOpponent() {
  const opponent = new FormData(byId("new-game")).get("opponent");
  for (const field of document.querySelectorAll("[data-for]"))
    field.toggleAttribute("hidden", field.getAttribute("data-for") !== opponent);
}

/** The terms in the form, as the server takes them. */
function readForm() {
  const rules = /** @type {Record<string, string>} */ ({});
  for (const input of document.querySelectorAll("[data-rule]")) {
    const { value } = /** @type {HTMLInputElement} */ (input);
    if (value.trim()) rules[input.getAttribute("data-rule") ?? ""] = value.trim();
  }
  if (byId("length").value) rules.length = byId("length").value;
  const opponent = String(new FormData(byId("new-game")).get("opponent"));
  return {
    opponent,
    bot: byId("bot").value,
    variant: byId("variant").value,
    rules,
    name: byId("name").value.trim() || undefined,
    other_name: byId("other").value.trim() || undefined,
    preset: byId("preset").value || null,
    position: byId("position").value.trim() || null,
    automatic: byId("automatic").checked,
    spectators: byId("spectators").checked,
    ...(opponent === "friend" ? { late: Number(byId("late").value), grace: Number(byId("grace").value) } : {}),
    clock: (opponent === "friend" && byId("clock").value) || null,
  };
}

/** @param {any} serverOptions the server's options @param {{name: string | null}} account */
export async function showForm(serverOptions, account) {
  options = serverOptions;
  if (account.name) {
    byId("name").value = account.name;
    byId("name").readOnly = true;
  }
  fill(
    byId("variant"),
    Object.entries(options.variants).map(([name, { title }]) => [name, t(title)]),
    "backgammon",
  );
  byId("preset").append(
    ...Object.entries(options.presets).map(([name, text]) => el("option", { value: name }, `${t(name)}: ${t(text)}`)),
  );
  // A preset sets the length, too: one that was chosen before is no part of it.
  byId("preset").addEventListener("change", () => {
    if (byId("preset").value) byId("length").value = "";
    chooseLength();
  });
  chooseVariant();
  chooseOpponent();
  byId("variant").addEventListener("change", chooseVariant);
  byId("rules").addEventListener("change", chooseLength);
  byId("new-game").addEventListener("change", chooseOpponent);
  byId("new-game").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    begin(readForm(), refuse);
  });
  fill(byId("clock"), await clockChoices(), "");
  byId("start").disabled = false;
}
