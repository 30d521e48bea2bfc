// @ts-check
/** The first page: the ways to play, the games of now, the opponents and one's own games; the form has all options. */

import { me } from "/static/accounts/accounts.js";
import { showDaily } from "/static/home/daily.js";
import { begin, showForm } from "/static/home/form.js";
import { call, forget, ownGames, Refusal } from "/static/parts/api.js";
import { picture } from "/static/parts/mini.js";
import { byId, counted, el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";
import { versus } from "/static/parts/words.js";

const CHOSEN = "fullprime.opponent";
/** @type {any} */
let options = null;
/** @type {Awaited<ReturnType<typeof me>>} */
let account = { name: null, bot: false, public: false };

/** The name to play under; without one the server has its own word for others. */
const playerName = () => account.name ?? (byId("name").value.trim() || undefined);

/** @param {string | null} bot */
const opponentOf = (bot) => options.opponents.find((/** @type {any} */ opponent) => opponent.bot === bot);

/** The opponent of the large card: the one that was played last, else the usual one. */
const chosen = () => opponentOf(localStorage.getItem(CHOSEN)) ?? opponentOf(options.bot);

/** @param {any} opponent @param {string} [variant] */
function playAgainst(opponent, variant = "backgammon") {
  localStorage.setItem(CHOSEN, opponent.bot);
  const bot = options.variants[variant].bots.includes(opponent.bot) ? opponent.bot : null;
  return begin({ opponent: "bot", ...(bot ? { bot } : {}), variant, name: playerName() });
}

// -- opponents ------------------------------------------------------------------------------------------------------
function showOpponents() {
  const { opponents } = options;
  const now = chosen();
  const characters = opponents.filter((/** @type {any} */ opponent) => opponent.face);
  byId("faces").replaceChildren(
    ...characters.map((/** @type {any} */ opponent) =>
      el(
        "li",
        { class: `tile${opponent === now ? " chosen" : ""}` },
        el("img", { src: opponent.face, alt: "", width: 72, height: 72 }),
        el("h3", {}, opponent.name),
        el("p", {}, t(opponent.about)),
        el("p", { class: "strength" }, opponent.strength),
        el(
          "div",
          { class: "links" },
          el("button", { type: "button", onclick: () => playAgainst(opponent) }, t`Play ${opponent.name}`),
        ),
      ),
    ),
  );
  byId("engine-levels").replaceChildren(
    ...opponents
      .filter((/** @type {any} */ opponent) => !opponent.face)
      .map((/** @type {any} */ level) =>
        el(
          "li",
          {},
          el("strong", {}, level.name),
          el("span", { class: "soft" }, `${t(level.about)} ${level.strength}.`),
          el(
            "button",
            { type: "button", "aria-label": t`Play ${level.name}`, onclick: () => playAgainst(level) },
            t("Play"),
          ),
        ),
      ),
  );
  const ready = opponentOf(options.bot);
  const waiting = !opponents.every((/** @type {any} */ opponent) => opponent.ready);
  byId("compiling").hidden = !waiting;
  byId("compiling").textContent = waiting
    ? t`The engine is being compiled for this computer, once. ${ready.name} plays without it; the others begin as soon as it is there.`
    : "";
  byId("bot-name").textContent = now.name;
  byId("bot-about").textContent =
    waiting && now === ready
      ? t("Ready now; the others as soon as the engine is compiled")
      : now.face
        ? t(now.about)
        : now.strength;
  byId("bot-face").hidden = !now.face;
  if (now.face) byId("bot-face").src = now.face;
}

// -- the family -----------------------------------------------------------------------------------------------------
function showFamily() {
  byId("family").replaceChildren(
    ...Object.entries(options.variants).map(([name, game]) =>
      el(
        "li",
        { class: "tile", "data-game": name },
        picture({ X: game.start, O: game.start }, ""),
        el("h3", {}, t(game.title)),
        el("p", {}, t(game.about)),
        el(
          "div",
          { class: "links" },
          el(
            "button",
            { type: "button", "aria-label": t`Play ${t(game.title)}`, onclick: () => playAgainst(chosen(), name) },
            t("Play"),
          ),
          el("a", { href: `/rules?variant=${name}`, "aria-label": t`Rules of ${t(game.title)}` }, t("Rules")),
          el(
            "a",
            {
              href: `/learn/${game.tour ?? "first-game"}`,
              "aria-label": game.tour ? t`Tour of ${t(game.title)}` : t`Learn ${t(game.title)}`,
            },
            game.tour ? t("Tour") : t("Learn"),
          ),
        ),
      ),
    ),
  );
}

// -- games ----------------------------------------------------------------------------------------------------------
/** The games of this browser, and those of the account, which open without a key. */
async function knownGames() {
  const games = Object.entries(ownGames());
  const own = account.name ? (await call(`/users/${account.name}/games`)).games : [];
  const more = own.filter((/** @type {any} */ game) => !games.some(([id]) => id === game.id));
  return [...games, ...more.map((/** @type {any} */ game) => [game.id, { key: null, at: game.begun * 1000 }])]
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, 20);
}

/** @param {any} state */
function status(state) {
  const mine = state.you === state.turn || state.you === "both";
  return (
    { waiting: t("waiting for the other player"), over: t("over") }[state.status] ??
    (state.game_over ? t("between games") : mine ? t("your turn") : t("in play"))
  );
}

/** @param {{score: number[], length: number}} state */
const scoreOf = ({ score, length }) => score.map((points) => counted(points, length)).join("–");

/** @param {string} id @param {any} state */
function tile(id, state) {
  const score = state.score ? `, ${scoreOf(state)}` : "";
  const points = state.view?.points ?? state.points;
  return el(
    "li",
    { class: "tile", "data-going": id },
    ...(points ? [picture(points, "", state.you === "O" ? "O" : "X")] : []),
    el("h3", {}, el("a", { class: "whole", href: `/game/${id}` }, versus(state.names))),
    el("p", {}, `${t(state.title)}, ${state.played_for}${score}: ${status(state)}`),
  );
}

/** @param {string} id @param {any} state @param {string | null} key */
function row(id, state, key) {
  const remove = el(
    "button",
    { type: "button", class: "quiet", "aria-label": t`Forget the game ${versus(state.names)}` },
    t("Forget"),
  );
  remove.hidden = !key;
  remove.addEventListener("click", () => {
    forget(id);
    listGames();
  });
  const score = state.score ? ` ${scoreOf(state)}` : "";
  return el(
    "li",
    {},
    el("a", { href: `/game/${id}` }, `${versus(state.names)}${score}`),
    el("span", { class: "hint" }, `${t(state.title)}, ${state.played_for}: ${status(state)}`),
    remove,
  );
}

async function listGames() {
  const games = await knownGames();
  const loaded = await Promise.all(
    games.map(async ([id, { key }]) => {
      try {
        return { id, key, state: (await call(`/games/${id}`, undefined, key)).state };
      } catch (error) {
        if (error instanceof Refusal && error.isMissing) forget(id);
        return null;
      }
    }),
  );
  const loadedGames = loaded.filter((game) => game !== null);
  const going = loadedGames.filter(({ state }) => state.status !== "over");
  byId("games").replaceChildren(...going.map(({ id, state }) => tile(id, state)));
  byId("going").hidden = !going.length;
  byId("mine").replaceChildren(...loadedGames.map(({ id, state, key }) => row(id, state, key)));
  byId("mine").hidden = !loadedGames.length;
  byId("none").hidden = loadedGames.length > 0;
}

for (const name of ["play-now", "play-bot"]) byId(name).addEventListener("click", () => playAgainst(chosen()));
byId("play-friend").addEventListener("click", async () => (await import("/static/home/friend.js")).playFriend(account));
byId("play-screen").addEventListener("click", () =>
  begin({ opponent: "screen", variant: "backgammon", name: playerName() ?? t("White"), other_name: t("Black") }),
);

/** Fetch and show everything but the position of the day. The page says so when the server does not answer. */
async function showWays() {
  try {
    [account, options] = await Promise.all([me(), call("/options")]);
    showOpponents();
    showFamily();
    for (const name of ["play-now", "play-bot", "play-screen"]) byId(name).disabled = false;
    await showForm(options, account);
    byId("play-friend").disabled = false;
    if (!account.bot) new (await import("/static/home/pairing.js")).Pairing(byId("pairing"), account, playerName);
    await listGames();
    (await import("/static/home/overview.js")).showOverview(byId("overview"), account.name);
    if (account.name) (await import("/static/home/challenges.js")).watchIncoming();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("problem").textContent = error.message;
  }
}

showDaily();
showWays();
