// @ts-check
/** The lobby: the challenges of others as they come, and one's own. */

import { CHALLENGED, listen, me, onSubmit, showTop } from "/static/accounts/accounts.js";
import { accept, button, row, showIncoming } from "/static/home/challenges.js";
import { clockChoices } from "/static/home/clocks.js";
import { showOverview } from "/static/home/overview.js";
import { Pairing } from "/static/home/pairing.js";
import { call, keep, ownGames, Refusal } from "/static/parts/api.js";
import { byId, el, fill } from "/static/parts/page.js";
import { pushButton } from "/static/parts/push.js";
import "/static/parts/preferences.js";
import { t } from "/static/parts/texts.js";

const account = await me();
const KNOWN = new Map();
/** The minutes for which the challenge of a guest stands at most. */
const GUEST_MINUTES = 60;
/** The clock that stands in the form. */
const CLOCK = "medium";
let leaving = false;

const guestName = () => byId("name").value.trim() || undefined;
const problem = (text) => {
  byId("problem").textContent = text;
  if (text) byId("problem").scrollIntoView({ block: "nearest" });
};

function enter(game) {
  leaving = true;
  location.href = `/game/${game}`;
}

/** Do something with a challenge; a refusal is shown, and the challenges as they are now. */
async function attempt(act) {
  problem("");
  await act().catch((error) => problem(error.message));
  if (!leaving) await showOwn();
}

const withdraw = (id, key) => attempt(() => call(`/challenge/${id}/cancel`, {}, account.name ? undefined : key));

// -- the challenges of others ---------------------------------------------------------------------------------------
const ownChallenges = () =>
  new Map(
    Object.entries(ownGames()).flatMap(([game, facts]) =>
      /** @type {any} */ (facts).challenge ? [[/** @type {any} */ (facts).challenge, { game, key: facts.key }]] : [],
    ),
  );

async function showOpen(challenges) {
  const own = ownChallenges();
  const others = challenges.filter(
    (challenge) => !own.has(challenge.id) && !(account.name && challenge.account && challenge.name === account.name),
  );
  const rows = others.map((challenge) =>
    row(
      challenge,
      challenge.rated && !account.name
        ? el("span", { class: "hint" }, t("needs an account"))
        : button(
            t`Accept ${challenge.name}`,
            () => attempt(async () => enter(await accept(challenge, guestName()))),
            "primary",
          ),
    ),
  );
  byId("open").replaceChildren(...(await Promise.all(rows)));
  byId("none").hidden = others.length > 0;
}

async function showNews(message) {
  showOpen(message.challenges);
  const gone = message.gone && KNOWN.get(message.gone);
  if (!gone || leaving) return;
  KNOWN.delete(message.gone);
  if (!(await enterTaken(gone))) showOwn();
}

/** Enter a game whose free seat has been taken; true if it has. @param {{game: string, key: string | undefined}} own */
async function enterTaken({ game, key }) {
  const { state } = await call(`/games/${game}`, undefined, key);
  if (!state.free_seat) enter(game);
  return !state.free_seat;
}

// -- one's own ------------------------------------------------------------------------------------------------------
/** Wait for the answer to a challenge to an account, which may be there already. @param {string} game */
async function waitFor(game) {
  const facts = ownGames()[game];
  if (!facts) return;
  KNOWN.set(facts.challenge, { game, key: facts.key });
  try {
    await enterTaken({ game, key: facts.key });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    problem(error.isMissing ? t("The challenge is over.") : error.message);
  }
}

async function showOwn() {
  const open = (await call("/lobby")).challenges;
  const directed = account.name ? await call("/challenge") : { incoming: [], outgoing: [] };
  const here = ownChallenges();
  const own = account.name
    ? directed.outgoing
    : open
        .filter((challenge) => here.has(challenge.id))
        .map((challenge) => ({ ...challenge, game: here.get(challenge.id).game }));
  for (const challenge of own) KNOWN.set(challenge.id, { game: challenge.game, key: here.get(challenge.id)?.key });
  const rows = own.map((challenge) =>
    row(
      {
        ...challenge,
        name: challenge.target ?? t("Everybody"),
        account: Boolean(challenge.target),
        bot: false,
        guest: false,
      },
      el("a", { href: `/game/${challenge.game}` }, t("Wait at the table")),
      button(t("Withdraw"), () => withdraw(challenge.id, here.get(challenge.id)?.key)),
    ),
  );
  byId("outgoing").replaceChildren(...(await Promise.all(rows)));
  byId("yours").hidden = !own.length;
  await showIncoming(directed.incoming, attempt, enter);
  await showOpen(open);
}

function showEvent(event) {
  if (leaving) return;
  if (event.type === "gameStart" && [...KNOWN.values()].some((game) => game.game === event.game.id))
    enter(event.game.id);
  else if (event.type.startsWith("challenge")) {
    if (event.type === "challengeDeclined") problem(t`${event.challenge.target} does not want to play.`);
    showOwn();
  }
}

function maybeRated() {
  const money = byId("length").value === "0";
  byId("rated").disabled = !account.name || money;
  if (byId("rated").disabled) byId("rated").checked = false;
  byId("rated-hint").textContent = !account.name
    ? t("Rated matches are between two accounts.")
    : money
      ? t("Money play is not rated.")
      : t("A rated match has a clock.");
  withClock();
}

/** While *rated* is ticked there is no match without a clock, because a stalled one would never end. */
function withClock() {
  const clock = /** @type {HTMLSelectElement} */ (byId("clock"));
  const none = clock.querySelector("option");
  none.disabled = byId("rated").checked;
  if (none.disabled && !clock.value) clock.value = CLOCK;
}

onSubmit(byId("new"), byId("new-problem"), async (form) => {
  const target = String(form.get("target")).trim();
  const created = await call(target ? `/challenge/${encodeURIComponent(target)}` : "/lobby", {
    name: guestName(),
    variant: form.get("variant"),
    rules: { length: Number(form.get("length")) },
    clock: form.get("clock") || null,
    rated: form.get("rated") !== null,
    spectators: form.get("spectators") !== null,
    minutes: Number(form.get("minutes")),
  });
  keep(created.challenge.game, {
    key: created.key,
    commitment: created.commitment,
    invitation: created.invitation,
    challenge: created.challenge.id,
    ...(target ? { target } : {}),
  });
  await waitFor(created.challenge.game);
  await showOwn();
  byId("yours-title").focus(); // it stands above the form, on a phone out of sight
});

showTop(account);
byId("guest").hidden = Boolean(account.name);
new Pairing(byId("pairing"), account, guestName);
showOverview(byId("overview"), account.name);
for (const option of byId("minutes").options)
  option.disabled = option.hidden = !account.name && Number(option.value) > GUEST_MINUTES;
byId("length").addEventListener("change", maybeRated);
byId("rated").addEventListener("change", withClock);
const [options, clocks] = await Promise.all([call("/options"), clockChoices()]);
fill(
  byId("variant"),
  Object.entries(options.variants).map(([name, { title }]) => [name, t(title)]),
  "backgammon",
);
fill(byId("clock"), clocks, CLOCK);
maybeRated();
const wait = new URLSearchParams(location.search).get("wait");
if (wait) {
  history.replaceState(null, "", "/lobby");
  await waitFor(wait);
}
await showOwn();
listen("/lobby/stream", showNews);
if (account.name) {
  listen("/stream/event", showEvent);
  addEventListener(CHALLENGED, async (event) => {
    event.preventDefault();
    await waitFor(/** @type {CustomEvent} */ (event).detail);
    await showOwn();
    byId("yours").scrollIntoView({ block: "nearest" });
  });
  if (!account.bot) pushButton(byId("push"), {}, t("Tell me of my turns and challenges"));
}
