// @ts-check
/** The lobby: the challenges of others as they come, and one's own. */

import { call, keep, ownGames } from "/static/parts/api.js";
import { byId, el, fill } from "/static/parts/page.js";
import { pushButton } from "/static/parts/push.js";
import { follow, me, onSubmit, showTop, who } from "/static/people/people.js";
import "/static/parts/settings.js";
import { t } from "/static/parts/texts.js";

const account = await me();
const KNOWN = new Map();
/** The minutes for which the challenge of a guest stands at most. */
const GUEST_MINUTES = 60;
/** The clock that stands in the form. */
const CLOCK = "medium";
let leaving = false;

const guestName = () => byId("name").value.trim() || undefined;
const problem = (text) => { byId("problem").textContent = text; };

/** What is played, in a line. */
function words(challenge) {
  const parts = [`${t(challenge.title)}, ${challenge.played_for}`];
  if (challenge.clock) parts.push(t`clock ${challenge.clock}`);
  parts.push(challenge.rated ? t("rated") : t("casual"));
  if (challenge.rating) parts.push(`${challenge.rating[0]} ± ${challenge.rating[1]}`);
  return parts.join(" · ");
}

function enter(game) {
  leaving = true;
  location.href = `/game/${game}`;
}

async function accept(challenge) {
  problem("");
  try {
    const seat = await call(`/challenge/${challenge.id}/accept`, { name: guestName() });
    keep(seat.game, { key: seat.key, commitment: seat.commitment });
    enter(seat.game);
  } catch (error) {
    problem(/** @type {Error} */ (error).message);
  }
}

async function withdraw(id, key) {
  await call(`/challenge/${id}/cancel`, {}, account.name ? undefined : key).catch((error) => problem(error.message));
  showOwn();
}

function button(label, action, kind = "") {
  const made = el("button", { type: "button", class: kind }, label);
  made.addEventListener("click", action);
  return made;
}

// -- the challenges of others ---------------------------------------------------------------------------------------
const mine = () => new Map(Object.entries(ownGames()).flatMap(([game, facts]) => (
  /** @type {any} */ (facts).challenge ? [[/** @type {any} */ (facts).challenge, { game, key: facts.key }]] : [])));

function row(challenge, ...buttons) {
  return el("li", { "data-challenge": challenge.id }, who(challenge.name, challenge.account, challenge.bot, challenge.guest),
    el("span", { class: "hint" }, words(challenge)), ...buttons);
}

function showOpen(challenges) {
  const own = mine();
  const others = challenges.filter((each) => !own.has(each.id) && !(account.name && each.account && each.name === account.name));
  byId("open").replaceChildren(...others.map((each) => row(each,
    each.rated && !account.name ? el("span", { class: "hint" }, t("needs an account")) : button(t`Accept ${each.name}`, () => accept(each), "primary"))));
  byId("none").hidden = others.length > 0;
}

async function heard(message) {
  showOpen(message.challenges);
  const gone = message.gone && KNOWN.get(message.gone);
  if (!gone || leaving) return;
  KNOWN.delete(message.gone);
  const { state } = await call(`/games/${gone.game}`, undefined, gone.key);
  if (!state.free_seat) enter(gone.game);
  else showOwn();
}

// -- one's own ------------------------------------------------------------------------------------------------------
async function showOwn() {
  const open = (await call("/lobby")).challenges;
  const asked = account.name ? await call("/challenge") : { incoming: [], outgoing: [] };
  const here = mine();
  const own = account.name ? asked.outgoing : open.filter((each) => here.has(each.id)).map((each) => ({ ...each, game: here.get(each.id).game }));
  for (const each of own) KNOWN.set(each.id, { game: each.game, key: here.get(each.id)?.key });
  byId("outgoing").replaceChildren(...own.map((each) => row({ ...each, name: each.target ?? t("Everybody"), account: Boolean(each.target), bot: false, guest: false },
    el("a", { href: `/game/${each.game}` }, t("Wait at the table")), button(t("Withdraw"), () => withdraw(each.id, here.get(each.id)?.key)))));
  byId("yours").hidden = !own.length;
  byId("incoming").replaceChildren(...asked.incoming.map((each) => row(each, button(t`Accept ${each.name}`, () => accept(each), "primary"),
    button(t("Decline"), () => call(`/challenge/${each.id}/decline`, {}).then(showOwn, (error) => problem(error.message))))));
  byId("for-you").hidden = !asked.incoming.length;
  showOpen(open);
}

function told(event) {
  if (leaving) return;
  if (event.type === "gameStart" && [...KNOWN.values()].some((each) => each.game === event.game.id)) enter(event.game.id);
  else if (event.type.startsWith("challenge")) {
    if (event.type === "challengeDeclined") problem(t`${event.challenge.target} does not want to play.`);
    showOwn();
  }
}

function maybeRated() {
  const money = byId("length").value === "0";
  byId("rated").disabled = !account.name || money;
  if (byId("rated").disabled) byId("rated").checked = false;
  byId("rated-hint").textContent = !account.name ? t("Rated matches are between two accounts.") : money ? t("Money play is not rated.") : t("A rated match has a clock.");
  withClock();
}

/** While *rated* is ticked there is no match without a clock: nobody could end one that is stalled. */
function withClock() {
  const clock = /** @type {HTMLSelectElement} */ (byId("clock")), none = clock.querySelector("option");
  none.disabled = byId("rated").checked;
  if (none.disabled && !clock.value) clock.value = CLOCK;
}

onSubmit(byId("new"), byId("new-problem"), async (form) => {
  const target = String(form.get("target")).trim();
  const made = await call(target ? `/challenge/${encodeURIComponent(target)}` : "/lobby", {
    name: guestName(), variant: form.get("variant"), rules: { length: Number(form.get("length")) }, clock: form.get("clock") || null,
    rated: form.get("rated") !== null, spectators: form.get("spectators") !== null, minutes: Number(form.get("minutes")),
  });
  keep(made.challenge.game, { key: made.key, commitment: made.commitment, invitation: made.invitation, challenge: made.challenge.id });
  await showOwn();
});

showTop(account);
byId("guest").hidden = Boolean(account.name);
for (const option of byId("minutes").options) option.disabled = option.hidden = !account.name && Number(option.value) > GUEST_MINUTES;
byId("length").addEventListener("change", maybeRated);
byId("rated").addEventListener("change", withClock);
const [options, { clocks }] = await Promise.all([call("/options"), call("/clocks")]);
fill(byId("variant"), Object.entries(options.variants).map(([name, { title }]) => [name, t(title)]), "backgammon");
fill(byId("clock"), [["", t("none")], ...Object.entries(clocks).map(([name, about]) => [name, t(about)]), ["1d", t("a day for each turn")], ["3d", t("three days for each turn")], ["7d", t("a week for each turn")]], CLOCK);
maybeRated();
await showOwn();
follow("/lobby/stream", heard);
if (account.name) {
  follow("/stream/event", told);
  if (!account.bot) pushButton(byId("push"), {}, t("Tell me of my turns and challenges"));
}
