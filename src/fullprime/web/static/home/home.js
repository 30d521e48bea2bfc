// @ts-check
/** The first page: the ways to play, what goes on, the opponents and the games; the form has all options. */

import { Refusal, call, forget, ownGames } from "/static/parts/api.js";
import { byId, counted, el } from "/static/parts/page.js";
import { picture } from "/static/parts/mini.js";
import { me } from "/static/people/people.js";
import { showDaily } from "/static/home/daily.js";
import { begin, showForm } from "/static/home/form.js";
import { t } from "/static/parts/texts.js";
import { versus } from "/static/parts/words.js";

const CHOSEN = "fullprime.opponent";
/** @type {any} */
let options = null;
/** @type {Awaited<ReturnType<typeof me>>} */
let account = { name: null, bot: false, public: false };

/** The name to play under; without one the server has its own word for others. */
const called = () => account.name ?? (byId("name").value.trim() || undefined);

/** @param {string | null} bot */
const known = (bot) => options.opponents.find((/** @type {any} */ each) => each.bot === bot);

/** The opponent of the large card: the one that was played last, else the usual one. */
const chosen = () => known(localStorage.getItem(CHOSEN)) ?? known(options.bot);

/** @param {any} opponent @param {string} [variant] */
function against(opponent, variant = "backgammon") {
  localStorage.setItem(CHOSEN, opponent.bot);
  const bot = options.variants[variant].bots.includes(opponent.bot) ? opponent.bot : null;
  return begin({ opponent: "bot", ...(bot ? { bot } : {}), variant, name: called() });
}

// -- opponents ------------------------------------------------------------------------------------------------------
function showOpponents() {
  const { opponents } = options, now = chosen();
  const named = opponents.filter((/** @type {any} */ each) => each.face);
  byId("faces").replaceChildren(...named.map((/** @type {any} */ each) => el("li", { class: `tile${each === now ? " chosen" : ""}` },
    el("img", { src: each.face, alt: "", width: 72, height: 72 }), el("h3", {}, each.name), el("p", {}, t(each.about)),
    el("p", { class: "strength" }, each.strength),
    el("div", { class: "links" }, el("button", { type: "button", onclick: () => against(each) }, t`Play ${each.name}`)))));
  byId("engine-levels").replaceChildren(...opponents.filter((/** @type {any} */ each) => !each.face).map((/** @type {any} */ each) => el("li", {},
    el("strong", {}, each.name), el("span", { class: "soft" }, `${t(each.about)} ${each.strength}.`),
    el("button", { type: "button", "aria-label": t`Play ${each.name}`, onclick: () => against(each) }, t("Play")))));
  const ready = known(options.bot), waiting = !opponents.every((/** @type {any} */ each) => each.ready);
  byId("compiling").hidden = !waiting;
  byId("compiling").textContent = waiting ? t`The engine is being compiled for this computer, once. ${ready.name} plays without it; the others begin as soon as it is there.` : "";
  byId("bot-name").textContent = now.name;
  byId("bot-about").textContent = waiting && now === ready ? t("Ready now; the others as soon as the engine is compiled") : now.face ? t(now.about) : now.strength;
  byId("bot-face").hidden = !now.face;
  if (now.face) byId("bot-face").src = now.face;
}

// -- the family -----------------------------------------------------------------------------------------------------
function showFamily() {
  byId("family").replaceChildren(...Object.entries(options.variants).map(([name, game]) => el("li", { class: "tile", "data-game": name },
    picture({ X: game.start, O: game.start }, ""), el("h3", {}, t(game.title)), el("p", {}, t(game.about)),
    el("div", { class: "links" },
      el("button", { type: "button", "aria-label": t`Play ${t(game.title)}`, onclick: () => against(chosen(), name) }, t("Play")),
      el("a", { href: `/rules?variant=${name}`, "aria-label": t`Rules of ${t(game.title)}` }, t("Rules")),
      el("a", { href: `/learn/${game.tour ?? "first-game"}`, "aria-label": game.tour ? t`Tour of ${t(game.title)}` : t`Learn ${t(game.title)}` }, game.tour ? t("Tour") : t("Learn"))))));
}

// -- games ----------------------------------------------------------------------------------------------------------
/** The games of this browser, and those of the account, which open without a key. */
async function knownGames() {
  const games = Object.entries(ownGames());
  const own = account.name ? (await call(`/users/${account.name}/games`)).games : [];
  const more = own.filter((/** @type {any} */ game) => !games.some(([id]) => id === game.id));
  return [...games, ...more.map((/** @type {any} */ game) => [game.id, { key: null, at: game.begun * 1000 }])].sort(([, a], [, b]) => b.at - a.at).slice(0, 20);
}

/** @param {any} state */
function status(state) {
  const mine = state.you === state.turn || state.you === "both";
  return { waiting: t("waiting for the other player"), over: t("over") }[state.status] ?? (state.game_over ? t("between games") : mine ? t("your turn") : t("in play"));
}

/** @param {{score: number[], length: number}} state */
const scoreOf = ({ score, length }) => score.map((points) => counted(points, length)).join("–");

/** @param {string} id @param {any} state */
function tile(id, state) {
  const score = state.score ? `, ${scoreOf(state)}` : "";
  const points = state.view?.points ?? state.points;
  return el("li", { class: "tile", "data-going": id }, ...(points ? [picture(points, "", state.you === "O" ? "O" : "X")] : []),
    el("h3", {}, el("a", { class: "whole", href: `/game/${id}` }, versus(state.names))),
    el("p", {}, `${t(state.title)}, ${state.played_for}${score}: ${status(state)}`));
}

/** @param {string} id @param {any} state @param {string | null} key */
function row(id, state, key) {
  const remove = el("button", { type: "button", class: "quiet", "aria-label": t`Forget the game ${versus(state.names)}` }, t("Forget"));
  remove.hidden = !key;
  remove.addEventListener("click", () => { forget(id); listGames(); });
  const score = state.score ? ` ${scoreOf(state)}` : "";
  return el("li", {}, el("a", { href: `/game/${id}` }, `${versus(state.names)}${score}`),
    el("span", { class: "hint" }, `${t(state.title)}, ${state.played_for}: ${status(state)}`), remove);
}

async function listGames() {
  const games = await knownGames();
  const found = await Promise.all(games.map(async ([id, { key }]) => {
    try {
      return { id, key, state: (await call(`/games/${id}`, undefined, key)).state };
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) forget(id);
      return null;
    }
  }));
  const there = found.filter((each) => each !== null);
  const going = there.filter(({ state }) => state.status !== "over");
  byId("games").replaceChildren(...going.map(({ id, state }) => tile(id, state)));
  byId("going").hidden = !going.length;
  byId("mine").replaceChildren(...there.map(({ id, state, key }) => row(id, state, key)));
  byId("mine").hidden = !there.length;
  byId("none").hidden = there.length > 0;
}

for (const name of ["play-now", "play-bot"]) byId(name).addEventListener("click", () => against(chosen()));
byId("play-friend").addEventListener("click", () => begin({ opponent: "friend", variant: "backgammon", name: called() }));
byId("play-screen").addEventListener("click", () => begin({ opponent: "screen", variant: "backgammon", name: called() ?? t("White"), other_name: t("Black") }));

/** All that the server is asked for but the position of the day. Without an answer the page says so. */
async function showWays() {
  try {
    [account, options] = await Promise.all([me(), call("/options")]);
    showOpponents();
    showFamily();
    for (const name of ["play-now", "play-bot", "play-friend", "play-screen"]) byId(name).disabled = false;
    await showForm(options, account);
    await listGames();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("problem").textContent = error.message;
  }
}

showDaily();
showWays();
