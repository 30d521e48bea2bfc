// @ts-check
/** The form of a new sitting, and the list of those that are kept on this device. */

import { control, houses, nameWords, valueWords } from "/static/house/options.js";
import { call, Refusal } from "/static/parts/api.js";
import { confirmLoss } from "/static/parts/confirm-loss.js";
import { byId, day, el, fill } from "/static/parts/page.js";
import { leadToRules } from "/static/parts/rules-link.js";
import { t } from "/static/parts/texts.js";
import { MONEY_RULES, versus } from "/static/parts/words.js";
import { drop, sittings } from "/static/real/storage.js";
import { makePromise } from "/static/real/throws.js";
import { USUAL } from "/static/real/worth.js";

/** @typedef {import("/static/real/sitting.js").Sitting} Sitting */

const MOST = 8;
/** Delay and reserve for each point of a match, in seconds; money games have the time of a match to five. */
const CLOCKS = /** @type {Record<string, [number, number, string]>} */ ({
  usbgf: [12, 120, t("12 s delay, 2 min a point")],
  slow: [15, 180, t("15 s delay, 3 min a point")],
  medium: [10, 60, t("10 s delay, 1 min a point")],
  fast: [8, 20, t("8 s delay, 20 s a point")],
});
/** The agreements of a table that have their own control; all others belong to the rules of a house. */
const ASKED = ["cube", "cube_cap", "crawford", "jacoby", "beavers", "raccoons", "automatic_doubles"];

/** @type {any} */
let options = null;
/** The rules that are agreed on, beside the length and the stake. @type {Record<string, string>} */
let agreed = {};

const names = () =>
  [...document.querySelectorAll("#players input")].map((input) => /** @type {HTMLInputElement} */ (input).value.trim());

/** @param {string} [name] */
function addPlayer(name) {
  const number = document.querySelectorAll("#players input").length + 1;
  byId("players").append(
    el(
      "p",
      { class: "field" },
      el(
        "label",
        { for: `player-${number}` },
        number === 1 ? t("First player") : number === 2 ? t("Second player") : t`Player ${number}`,
      ),
      el("input", {
        id: `player-${number}`,
        maxlength: 40,
        value: name ?? t`Player ${number}`,
        autocapitalize: "words",
      }),
    ),
  );
  showPlayerButtons();
  showLength();
}

function showPlayerButtons() {
  const { length } = names();
  byId("add-player").hidden = length >= MOST;
  byId("fewer-players").hidden = length <= 2;
}

function dropPlayer() {
  document.querySelector("#players > p:last-of-type")?.remove();
  showPlayerButtons();
  showLength();
  if (byId("fewer-players").hidden) byId("add-player").focus();
}

/**
 * The rules that the list names: a game as it is usually played, or a house.
 * @returns {{variant: string, name: string, rules: Record<string, string>}}
 */
function chosenHouse() {
  const value = byId("house").value;
  const saved = value.startsWith("house:") ? houses().find((saved) => saved.name === value.slice(6)) : undefined;
  return saved ?? { variant: value, name: "", rules: {} };
}

const isMoney = () => names().length > 2 || byId("length").value === "0";

function showLength() {
  const many = names().length > 2;
  const game = options?.variants[chosenHouse().variant];
  const checkers = game && game.options.settlement !== "games";
  byId("length").disabled = many || checkers;
  if (many || checkers) byId("length").value = "0";
  byId("stake-label").textContent = checkers ? t("A checker is worth") : t("A point is worth");
  for (const field of document.querySelectorAll("[data-money]")) field.toggleAttribute("hidden", !isMoney());
  showAgreements();
}

/** The usual value of an option in the chosen game. @param {string} name */
const usual = (name) =>
  options.variants[chosenHouse().variant].options[name] ??
  (name === "cube" && !options.variants[chosenHouse().variant].rules.includes("jacoby") ? "no" : USUAL[name]);

function showAgreements() {
  if (!options) return;
  const { rules } = options.variants[chosenHouse().variant];
  const money = isMoney();
  const offered = ASKED.filter(
    (name) => rules.includes(name) && (money ? name !== "crawford" : !MONEY_RULES.includes(name)),
  );
  byId("agreements").hidden = !offered.length;
  document.querySelector("#agreements .agreed")?.replaceChildren(
    ...offered.map((name) => {
      const value = agreed[name] ?? usual(name);
      const values = options.rules[name];
      return control(
        {
          name,
          value,
          usual: value === usual(name),
          words: options.rule_words[name],
          consequence: options.rule_values?.[name]?.[value] ?? "",
          choices: (values ?? []).map((/** @type {string} */ choice) => ({ value: choice, refused: null })),
        },
        (chosen) => {
          agreed[name] = chosen;
          showAgreements();
        },
      );
    }),
  );
  const differs = Object.entries(chosenHouse().rules).filter(([name]) => name !== "length" && name !== "stake");
  byId("about-house").textContent = chosenHouse().name
    ? `${chosenHouse().name}: ${differs.map(([name, value]) => `${nameWords(name)}: ${valueWords(value)}`).join("; ") || t("as usual")}.`
    : "";
  leadToRules({ variant: chosenHouse().variant, setup: { rules: chosenRules() } }, byId("form-rules"));
}

function chooseHouse() {
  const { rules } = chosenHouse();
  agreed = { ...rules };
  if (rules.length !== undefined && [...byId("length").options].some((option) => option.value === rules.length))
    byId("length").value = rules.length;
  if (rules.stake !== undefined) byId("stake").value = rules.stake;
  showLength();
}

/** The rules as the server takes them: those that differ from the usual ones. */
function chosenRules() {
  const money = isMoney();
  const changed = { ...agreed };
  for (const name of money ? [] : MONEY_RULES) delete changed[name];
  for (const [name, value] of Object.entries(changed))
    if (value === usual(name) || !options.variants[chosenHouse().variant].rules.includes(name)) delete changed[name];
  if (changed.beavers !== "yes") delete changed.raccoons;
  changed.length = byId("length").value;
  delete changed.stake;
  const stake = byId("stake").value.trim().replace(",", ".");
  if (money && stake !== "1") changed.stake = stake;
  return changed;
}

/**
 * The sitting that the form describes; the server checks the rules where there is a connection.
 * @returns {Promise<Sitting>}
 */
async function readSitting() {
  const called = names();
  const { variant, name } = chosenHouse();
  const rules = chosenRules();
  const [chosen] = [byId("clock").value];
  if (called.some((player) => !player)) throw new Refusal(400, t("Every player needs a name."));
  if (new Set(called).size < called.length)
    throw new Refusal(400, t("Two players have one name: nobody could tell them apart."));
  if (rules.stake !== undefined && !(Number(rules.stake) > 0))
    throw new Refusal(400, t`The stake is a number such as 5 or 2.50, not ${rules.stake}.`);
  const game = options.variants[variant];
  let all = { ...USUAL, ...game.options, ...(usual("cube") === "no" ? { cube: "no" } : {}), ...rules };
  try {
    const query = new URLSearchParams({ variant });
    for (const [rule, value] of Object.entries(rules)) query.append("rule", `${rule}=${value}`);
    const answer = await call(`/rules?${query}`);
    all = {
      ...all,
      ...Object.fromEntries(answer.options.map((/** @type {any} */ option) => [option.name, option.value])),
      length: rules.length,
    };
  } catch (error) {
    // Without a connection the choices of this form are enough: none of them excludes another.
    if (!(error instanceof Refusal) || error.status !== 0) throw error;
  }
  const length = Number(rules.length);
  const [delay, perPoint] = CLOCKS[chosen] ?? [0, 0];
  const prove = byId("prove").checked && byId("dice").value === "phone";
  return {
    id: Date.now().toString(36),
    begun: Date.now(),
    names: called,
    variant,
    title: game.title,
    ...(name ? { house: name } : {}),
    rules,
    options: all,
    dice: byId("dice").value,
    clock: chosen ? { delay, reserve: perPoint * (length || 5) } : null,
    record: byId("record").checked,
    ...(prove ? { proof: makePromise() } : {}),
    events: [],
  };
}

/** @param {(id: string) => void} open */
function showSittings(open) {
  const entries = sittings();
  byId("earlier").hidden = !entries.length;
  byId("sittings").replaceChildren(
    ...entries.map((sitting) =>
      el(
        "li",
        {},
        el("button", { type: "button", onclick: () => open(sitting.id) }, sitting.over ? t("Look at it") : t("Go on")),
        el("strong", {}, versus(sitting.names)),
        el("span", { class: "hint" }, `${sitting.title}, ${day(sitting.begun / 1000)}`),
        el(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": t`Forget the sitting of ${sitting.names.join(" and ")}`,
            onclick: async () => {
              const title = t`Forget the sitting of ${sitting.names.join(" and ")}?`;
              if (!(await confirmLoss(title, t("Its score and its record go with it."), t("Forget it")))) return;
              drop(sitting.id);
              showSittings(open);
            },
          },
          t("Forget"),
        ),
      ),
    ),
  );
}

/**
 * Show the form.
 * @param {{begin: (sitting: Sitting) => void, open: (id: string) => void, problem: (text: string) => void}} handlers
 */
export async function showForm({ begin, open, problem }) {
  showSittings(open);
  byId("no-offline").hidden = window.isSecureContext;
  if (options) return;
  addPlayer(t("Ann"));
  addPlayer(t("Bob"));
  byId("add-player").addEventListener("click", () => addPlayer());
  byId("fewer-players").addEventListener("click", dropPlayer);
  byId("house").addEventListener("change", chooseHouse);
  byId("length").addEventListener("change", showLength);
  byId("dice").addEventListener("change", () => {
    byId("prove-line").hidden = byId("dice").value !== "phone";
  });
  byId("new-sitting").addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    problem("");
    try {
      begin(await readSitting());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problem(error.message);
    }
  });
  fill(byId("clock"), [["", t("none")], ...Object.entries(CLOCKS).map(([name, [, , text]]) => [name, text])], "");
  try {
    options = await call("/options");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    problem(t`${error.message} Open this page once with a connection; after that it opens without one.`);
    return;
  }
  const wanted = new URLSearchParams(location.search).get("house");
  fill(
    byId("house"),
    [
      ...houses().map(({ name }) => [`house:${name}`, t`${name} (house rules)`]),
      ...Object.entries(options.variants).map(([name, { title }]) => [name, t(title)]),
    ],
    wanted ? `house:${wanted}` : "backgammon",
  );
  chooseHouse();
  byId("start").disabled = false;
}
