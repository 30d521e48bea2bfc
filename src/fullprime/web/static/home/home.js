// @ts-check
/** The first page: a new game with every option, and the games of this browser. */

import { Refusal, call, forget, keep, ownGames } from "/static/parts/api.js";
import { byId, el, fill } from "/static/parts/page.js";
import { me, showTop } from "/static/people/people.js";
import { showSettings } from "/static/parts/settings-dialog.js";

const words = (name) => { const text = name.replaceAll("_", " "); return text.charAt(0).toUpperCase() + text.slice(1); };
/** @type {any} */
let options = null;

function chooseVariant() {
  const variant = options.variants[byId("variant").value];
  // A level of the engine needs nets for the variant; the bot with a few rules plays everything.
  const offered = [byId("bot").value, options.bot, "heuristic"].find((bot) => variant.bots.includes(bot));
  fill(byId("bot"), variant.bots.map((bot) => [bot, bot]), offered);
  byId("rules").replaceChildren(...Object.entries(options.rules).filter(([name]) => name !== "length").map(([name, values]) => {
    const usual = variant.options[name];
    const id = `rule-${name}`;
    const input = values
      ? el("select", { id, "data-rule": name }, el("option", { value: "" }, usual ? `usual: ${usual.replaceAll("_", " ")}` : "usual"),
        ...values.map((value) => el("option", { value }, value.replaceAll("_", " "))))
      : el("input", { id, "data-rule": name, placeholder: "usual", maxlength: 12 });
    return el("p", { class: "field" }, el("label", { for: id }, words(name)), input);
  }));
}

function chooseOpponent() {
  const opponent = new FormData(byId("new-game")).get("opponent");
  for (const field of document.querySelectorAll("[data-for]")) field.toggleAttribute("hidden", field.getAttribute("data-for") !== opponent);
}

async function start(event) {
  event.preventDefault();
  byId("problem").textContent = "";
  const rules = /** @type {Record<string, string>} */ ({});
  for (const input of document.querySelectorAll("[data-rule]")) {
    const { value } = /** @type {HTMLInputElement} */ (input);
    if (value.trim()) rules[input.getAttribute("data-rule") ?? ""] = value.trim();
  }
  if (byId("length").value) rules.length = byId("length").value;
  const opponent = String(new FormData(byId("new-game")).get("opponent"));
  byId("start").disabled = true;
  try {
    const made = await call("/games", {
      opponent, bot: byId("bot").value, variant: byId("variant").value, rules, name: byId("name").value, other_name: byId("other").value,
      preset: byId("preset").value || null, position: byId("position").value.trim() || null,
      automatic: byId("automatic").checked, spectators: byId("spectators").checked,
      ...(opponent === "friend" ? { late: Number(byId("late").value), grace: Number(byId("grace").value) } : {}),
      clock: (opponent === "friend" && byId("clock").value) || null,
    });
    keep(made.id, { key: made.key, commitment: made.commitment, ...(made.invitation ? { invitation: made.invitation } : {}) });
    location.href = `/game/${made.id}`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("problem").textContent = error.message;
  } finally {
    byId("start").disabled = false;
  }
}

/** The games of this browser, and those of the account, which open without a key. */
async function known(account) {
  const games = Object.entries(ownGames());
  const own = account.name ? (await call(`/users/${account.name}/games`)).games : [];
  const more = own.filter((game) => !games.some(([id]) => id === game.id));
  return [...games, ...more.map((game) => [game.id, { key: null, at: game.begun * 1000 }])].sort(([, a], [, b]) => b.at - a.at).slice(0, 20);
}

async function listGames(account) {
  const games = await known(account);
  const rows = await Promise.all(games.map(async ([id, { key }]) => {
    try {
      const { state } = await call(`/games/${id}`, undefined, key);
      const score = state.score ? ` ${state.score.join("–")}` : "";
      const mine = state.you === state.turn || state.you === "both";
      const now = { waiting: "waiting", over: "over" }[state.status] ?? (state.game_over ? "between games" : mine ? "your turn" : "in play");
      const go = el("a", { href: `/game/${id}` }, `${state.names.join(" – ")}${score}`);
      const remove = el("button", { type: "button", class: "quiet", "aria-label": `Forget the game ${state.names.join(" against ")}` }, "Forget");
      const row = el("li", {}, go, el("span", { class: "hint" }, `${state.title}, ${state.played_for}: ${now}`), remove);
      remove.hidden = !key;
      remove.addEventListener("click", () => { forget(id); listGames(account); });
      return row;
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) forget(id);
      return null;
    }
  }));
  const found = rows.filter((row) => row !== null);
  byId("mine").replaceChildren(...found);
  byId("none").hidden = found.length > 0;
}

byId("variant").addEventListener("change", () => {
  byId("length").value = byId("variant").value.startsWith("acey") ? "0" : byId("length").value;
  chooseVariant();
});
byId("new-game").addEventListener("change", chooseOpponent);
byId("new-game").addEventListener("submit", start);
byId("open-settings").addEventListener("click", () => showSettings(() => {}, null));

const [account, { clocks }] = await Promise.all([me(), call("/clocks")]);
showTop(account);
if (account.name) { byId("name").value = account.name; byId("name").readOnly = true; }
fill(byId("clock"), [["", "none"], ...Object.entries(clocks), ["1d", "a day for each turn"], ["3d", "three days for each turn"], ["7d", "a week for each turn"]], "");
options = await call("/options");
fill(byId("variant"), Object.entries(options.variants).map(([name, { title }]) => [name, title]), "backgammon");
byId("preset").append(...Object.entries(options.presets).map(([name, text]) => el("option", { value: name }, `${name}: ${text}`)));
chooseVariant();
chooseOpponent();
byId("start").disabled = false;
listGames(account);
