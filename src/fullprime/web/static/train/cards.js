// @ts-check
/** One's own errors as cards: those of a review are kept, those that are due are asked. */

import { buttonOf, listenToActions } from "/static/parts/actions.js";
import { call, readRefusal, save } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { showPreferences } from "/static/parts/preferences-dialog.js";
import { decimal, plural, t } from "/static/parts/texts.js";
import { AnswerBoard } from "/static/train/answer-board.js";
import { factsOf } from "/static/train/facts.js";
import { flush, Outbox } from "/static/train/outbox.js";

const ASKS = /** @type {Record<string, string>} */ ({
  play: t("Your play."),
  double: t("Double, or roll?"),
  take: t("Take, or drop?"),
});
const review = new URLSearchParams(location.search);

/** @type {any} */
let card = null;
let begun = 0;

const desk = new AnswerBoard((moves) => answer(moves));

/** @param {any} counts */
function showDeck(counts) {
  const retained = counts.retention === null ? "" : ` ${t`${Math.round(100 * counts.retention)} % retained.`}`;
  const days = counts.streak > 1 ? ` ${plural(counts.streak, "{n} day in a row.", "{n} days in a row.")}` : "";
  byId("deck").textContent = counts.cards
    ? plural(counts.cards, "{n} card, {1} due.", "{n} cards, {1} due.", counts.due) + retained + days
    : t("No cards yet.");
}

async function next() {
  if (desk.busy || outbox.busy || outbox.again()) return;
  const first = new URLSearchParams(review.getAll("first").map((number) => ["first", number]));
  const dealt = await desk.attempt(() => call(review.has("first") ? `/drills/cards?${first}` : "/drills/cards"));
  if (!dealt) return;
  card = dealt.card;
  showDeck(dealt.deck);
  byId("ask").textContent = card
    ? (ASKS[card.kind] ?? "")
    : dealt.deck.cards
      ? t("Nothing is due now. A card that you missed comes back within ten minutes.")
      : t("Your own errors come back here.");
  byId("facts").textContent = card ? factsOf(card.board) : "";
  byId("verdict").replaceChildren();
  byId("lines").replaceChildren();
  byId("word").value = "";
  byId("words").hidden = card?.kind !== "play";
  byId("choices").replaceChildren(
    ...(card?.choices ?? []).map((/** @type {string} */ text, /** @type {number} */ index) =>
      el("button", { type: "button", onclick: () => answer(String(index + 1)) }, text),
    ),
  );
  buttonOf("next").hidden = true;
  buttonOf("forget").hidden = !card;
  showPositionOfDay(!card);
  desk.show(card?.board ?? null);
  begun = performance.now();
}

/** Show the position of the day while no card is asked. @param {boolean} free */
function showPositionOfDay(free) {
  const place = byId("meanwhile");
  const isShown = !place.hidden;
  document.body.classList.toggle("resting", free);
  place.hidden = !free;
  byId("rest").hidden = !free;
  if (!free) place.replaceChildren();
  else if (!isShown)
    import("/static/game/warmup.js")
      .then(({ warmUp }) =>
        warmUp(
          place,
          byId("meanwhile-words"),
          (question) => `${t("Meanwhile, the position of the day:")} ${question} ${t("Move the checkers.")}`,
        ),
      )
      .catch((error) => {
        byId("problem").textContent = error.message;
      });
}

/** @param {string} text */
async function answer(text) {
  if (!card || desk.busy || !desk.open) return;
  const seconds = (performance.now() - begun) / 1000;
  byId("status").textContent = "";
  await outbox.give(`/drills/cards/${card.id}/answer`, { answer: text, seconds, answered: card.answered });
}

/** @param {any} verdict */
function showVerdict(verdict) {
  byId("verdict").className = `say ${verdict.right ? "right" : "wrong"}`;
  byId("verdict").replaceChildren(
    el(
      "p",
      {},
      verdict.right
        ? t`Right: ${t(verdict.answer)}.`
        : t`${t(verdict.answer)} costs ${decimal(verdict.loss, 3)}. The best: ${t(verdict.best)}.`,
    ),
  );
  byId("lines").replaceChildren(
    ...verdict.lines.map((/** @type {string} */ line) => el("li", {}, line)),
    el("li", {}, t`Again: ${new Date(1000 * verdict.due).toLocaleString()}.`),
  );
  byId("choices").replaceChildren();
  byId("words").hidden = true;
  desk.showVerdict(verdict);
  showDeck(verdict.deck);
  buttonOf("next").hidden = false;
  buttonOf("next").focus();
}

async function forget() {
  if (!card) return;
  if (await desk.attempt(() => call(`/drills/cards/${card.id}/remove`, {}))) await next();
}

listenToActions({
  undo: () => desk.mover.undo(),
  done: () => desk.mover.finish(),
  next,
  forget,
  export: () => desk.attempt(() => save("/drills/cards/file?format=json")),
  anki: () =>
    desk.attempt(() =>
      save(`/drills/cards/file?${new URLSearchParams({ format: "anki", least: byId("anki-least").value || "0" })}`),
    ),
});
byId("words").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = byId("word").value.trim();
  if (text) answer(text);
});
// The page of one player's mistakes leads here with that player's name.
if (["X", "O"].includes(review.get("player") ?? "")) byId("whose").value = review.get("player");
byId("add").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const kind = byId("kind").value;
  const wanted = {
    player: byId("whose").value || null,
    least: Number(byId("least").value),
    ...(kind ? { kinds: [kind] } : {}),
  };
  const outcome = await desk.attempt(() =>
    call(
      `/drills/reviews/${encodeURIComponent(review.get("review") ?? "")}/${Number(review.get("match") ?? 1)}/cards`,
      wanted,
    ),
  );
  if (!outcome) return;
  byId("status").textContent = plural(outcome.added, "{n} new card.", "{n} new cards.");
  // With new cards the form gives its room to them. Without any, another figure may fit.
  byId("adding").hidden = outcome.added > 0;
  await next();
});
byId("import").addEventListener("change", async () => {
  const file = byId("import").files?.[0];
  if (!file) return;
  const outcome = await desk.attempt(async () => {
    const response = await fetch("/api/drills/cards/import", {
      method: "POST",
      body: file,
      headers: { "Content-Type": "application/octet-stream" },
    });
    if (!response.ok) throw await readRefusal(response);
    return response.json();
  });
  byId("import").value = "";
  if (!outcome) return;
  byId("status").textContent = plural(outcome.added, "{n} new card.", "{n} new cards.");
  await next();
});
byId("open-preferences").addEventListener("click", () => showPreferences(() => desk.draw(), null));

const outbox = new Outbox({
  desk,
  button: buttonOf("next"),
  problem: (text) => {
    byId("problem").textContent = text;
  },
  tell: showVerdict,
});
byId("adding").hidden = !review.get("review");
flush().then(next);
