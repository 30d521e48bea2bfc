// @ts-check
/** One's own errors as cards: those of a review are kept, those that are due are asked. */

import { Refusal, call, save } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { showSettings } from "/static/parts/settings-dialog.js";
import { Desk } from "/static/train/desk.js";
import { factsOf } from "/static/train/facts.js";
import { Outbox, flush } from "/static/train/outbox.js";
import { plural, t } from "/static/parts/texts.js";

const ASKS = /** @type {Record<string, string>} */ ({ play: t("Your play."), double: t("Double, or roll?"), take: t("Take, or drop?") });
const review = new URLSearchParams(location.search);

/** @type {any} */
let card = null;
let begun = 0;
let busy = false;

const desk = new Desk((moves) => answer(moves));

/** @param {() => Promise<any>} asking @returns {Promise<any>} */
async function trying(asking) {
  byId("problem").textContent = "";
  busy = true;
  try {
    return await asking();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("problem").textContent = error.message;
    return null;
  } finally {
    busy = false;
  }
}

/** @param {any} found */
function deck(found) {
  const kept = found.retention === null ? "" : ` ${t`${Math.round(100 * found.retention)} % retained.`}`;
  const days = found.streak > 1 ? ` ${plural(found.streak, "{n} day in a row.", "{n} days in a row.")}` : "";
  byId("deck").textContent = found.cards ? plural(found.cards, "{n} card, {1} due.", "{n} cards, {1} due.", found.due) + kept + days : t("No cards yet.");
}

async function next() {
  if (busy || outbox.busy || outbox.again()) return;
  const first = new URLSearchParams(review.getAll("first").map((number) => ["first", number]));
  const found = await trying(() => call(review.has("first") ? `/drills/cards?${first}` : "/drills/cards"));
  if (!found) return;
  card = found.card;
  deck(found.deck);
  byId("ask").textContent = card ? ASKS[card.kind] ?? "" : found.deck.cards ? t("Nothing is due now. A card that you missed comes back within ten minutes.") : t("Your own errors come back here.");
  byId("facts").textContent = card ? factsOf(card.board) : "";
  byId("verdict").replaceChildren();
  byId("lines").replaceChildren();
  byId("word").value = "";
  byId("words").hidden = card?.kind !== "play";
  byId("choices").replaceChildren(...(card?.choices ?? []).map((/** @type {string} */ text, /** @type {number} */ index) => el("button", { type: "button", onclick: () => answer(String(index + 1)) }, text)));
  button("next").hidden = true;
  button("forget").hidden = !card;
  rest(!card);
  desk.show(card?.board ?? null);
  begun = performance.now();
}

/** Where no card is asked, the position of the day is. @param {boolean} free */
function rest(free) {
  const place = byId("meanwhile"), begun = !place.hidden;
  document.body.classList.toggle("resting", free);
  place.hidden = !free;
  byId("rest").hidden = !free;
  if (!free) place.replaceChildren();
  else if (!begun) import("/static/game/warmup.js").then(({ warmUp }) => warmUp(place, byId("meanwhile-words"), (question) => `${t("Meanwhile, the position of the day:")} ${question} ${t("Move the checkers.")}`)).catch((error) => { byId("problem").textContent = error.message; });
}

/** @param {string} text */
async function answer(text) {
  if (!card || busy || !desk.open) return;
  const seconds = (performance.now() - begun) / 1000;
  byId("status").textContent = "";
  await outbox.give(`/drills/cards/${card.id}/answer`, { answer: text, seconds, answered: card.answered });
}

/** @param {any} found */
function tell(found) {
  byId("verdict").className = `say ${found.right ? "right" : "wrong"}`;
  byId("verdict").replaceChildren(el("p", {}, found.right ? t`Right: ${t(found.answer)}.` : t`${t(found.answer)} costs ${found.loss.toFixed(3)}. The best: ${t(found.best)}.`));
  byId("lines").replaceChildren(...found.lines.map((/** @type {string} */ line) => el("li", {}, line)), el("li", {}, t`Again: ${new Date(`${found.due}Z`).toLocaleString()}.`));
  byId("choices").replaceChildren();
  byId("words").hidden = true;
  desk.tell(found);
  deck(found.deck);
  button("next").hidden = false;
  button("next").focus();
}

async function forget() {
  if (!card) return;
  if (await trying(() => call(`/drills/cards/${card.id}/remove`, {}))) await next();
}

/** @param {string} deed @returns {HTMLButtonElement} */
const button = (deed) => /** @type {HTMLButtonElement} */ (document.querySelector(`[data-act=${deed}]`));

const DEEDS = /** @type {Record<string, () => void>} */ ({
  undo: () => desk.mover.undo(), done: () => desk.mover.finish(), next, forget,
  export: () => trying(() => save("/drills/cards/file?format=json")), anki: () => trying(() => save(`/drills/cards/file?${new URLSearchParams({ format: "anki", least: byId("anki-least").value || "0" })}`)),
});
document.addEventListener("click", (event) => {
  const pressed = event.target instanceof Element ? event.target.closest("[data-act]") : null;
  if (pressed instanceof HTMLElement) DEEDS[pressed.dataset.act ?? ""]?.();
});
byId("words").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = byId("word").value.trim();
  if (text) answer(text);
});
// Whoever comes from the mistakes of one player keeps that player's.
if (["X", "O"].includes(review.get("player") ?? "")) byId("whose").value = review.get("player");
byId("add").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const kind = byId("kind").value;
  const wanted = { player: byId("whose").value || null, least: Number(byId("least").value), ...(kind ? { kinds: [kind] } : {}) };
  const found = await trying(() => call(`/drills/reviews/${encodeURIComponent(review.get("review") ?? "")}/${Number(review.get("match") ?? 1)}/cards`, wanted));
  if (!found) return;
  byId("status").textContent = plural(found.added, "{n} new card.", "{n} new cards.");
  // What was asked for is done: the cards have the room. Where nothing fits, another figure may.
  byId("adding").hidden = found.added > 0;
  await next();
});
byId("import").addEventListener("change", async () => {
  const file = byId("import").files?.[0];
  if (!file) return;
  const found = await trying(async () => {
    const told = await fetch("/api/drills/cards/import", { method: "POST", body: file, headers: { "Content-Type": "application/octet-stream" } });
    const data = await told.json().catch(() => ({}));
    if (!told.ok) throw new Refusal(told.status, data.error ?? t`The server says ${told.status}.`);
    return data;
  });
  byId("import").value = "";
  if (!found) return;
  byId("status").textContent = plural(found.added, "{n} new card.", "{n} new cards.");
  await next();
});
byId("open-settings").addEventListener("click", () => showSettings(() => desk.draw(), null));

const outbox = new Outbox({ desk, button: button("next"), problem: (text) => { byId("problem").textContent = text; }, tell });
byId("adding").hidden = !review.get("review");
flush().then(next);
