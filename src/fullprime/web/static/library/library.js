// @ts-check
/** The library: its matches, files added to it; the reviews of this browser, and games played here. */

import { Refusal, call, ownGames } from "/static/parts/api.js";
import { byId, day, el } from "/static/parts/page.js";
import { addFiles, reviewAll } from "/static/library/adding.js";
import { forgetReview, knownReviews } from "/static/library/reviews.js";
import { fillForm, matchItem, questionOf, trying } from "/static/library/shelf.js";
import { plural, t } from "/static/parts/texts.js";
import { versus } from "/static/parts/words.js";

/** Reviews that the server still has. One that is gone is forgotten; one it cannot tell of stays. */
async function stillKept() {
  const known = knownReviews();
  const gone = new Set();
  await Promise.all([...new Set(known.map(({ id }) => id))].map(async (id) => {
    try { await call(`/reviews/${encodeURIComponent(id)}`); } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.status === 404) { forgetReview(id); gone.add(id); }
    }
  }));
  return known.filter(({ id }) => !gone.has(id));
}

/** @param {import("/static/library/reviews.js").KnownReview} review */
const report = (review) => el("li", {},
  el("a", { href: `/review/${encodeURIComponent(review.id)}/${review.match}` }, versus(review.players)),
  el("span", { class: "hint" }, `${review.about}, ${day(review.at / 1000)}`));

/** @param {import("/static/library/reviews.js").KnownReview} review */
const lessons = (review) => el("li", {}, el("span", {}, versus(review.players)),
  ...review.players.map((name, index) => el("a", {
    href: `/mistakes?${new URLSearchParams({ review: review.id, match: String(review.match), player: index ? "O" : "X" })}`,
  }, t`Mistakes of ${name}`)));

/** Games of this browser that are over and have no review. @param {Set<string>} reviewed */
async function played(reviewed) {
  const rows = await Promise.all(Object.entries(ownGames()).sort(([, a], [, b]) => b.at - a.at).slice(0, 12).map(async ([id, { key }]) => {
    if (reviewed.has(id)) return null;
    try {
      const { state } = await call(`/games/${id}`, undefined, key);
      if (state.status !== "over") return null;
      return el("li", {}, el("a", { href: `/review?game=${id}` }, t`Review ${versus(state.names)}`), el("span", { class: "hint" }, `${t(state.title)}, ${state.played_for}`));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return null;
    }
  }));
  return rows.filter((row) => row !== null);
}

async function begin() {
  const kept = await stillKept();
  byId("reviews").replaceChildren(...kept.map(report));
  byId("lessons").replaceChildren(...kept.map(lessons));
  byId("none").hidden = byId("no-lessons").hidden = kept.length > 0;
  const games = await played(new Set(kept.map(({ game }) => game ?? "")));
  byId("games").replaceChildren(...games);
  byId("played").hidden = !games.length;
}

// -- the matches ------------------------------------------------------------------------------------------------
const form = /** @type {HTMLFormElement} */ (byId("filter"));
let shown = 0;

/** @param {boolean} more */
async function list(more) {
  const question = questionOf(form), offset = more ? shown : 0;
  const found = await trying(() => call(`/library/matches?${new URLSearchParams({ ...question, offset: String(offset) })}`));
  if (!found) return;
  history.replaceState(null, "", `/library?${new URLSearchParams(question)}`);
  const items = found.matches.map((/** @type {any} */ each) => matchItem(each, found.marks[each.match]));
  if (more) byId("matches").append(...items); else byId("matches").replaceChildren(...items);
  shown = offset + found.matches.length;
  byId("found").textContent = shown < found.found ? plural(found.found, "{n} match, the latest {1} of them here", "{n} matches, the latest {1} of them here", shown) : plural(found.found, "{n} match", "{n} matches");
  byId("more").hidden = shown >= found.found;
}

async function summary() {
  let told;
  try { told = await call("/library"); } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("sign-in").hidden = error.status !== 401;
    if (error.status !== 401) byId("problem").textContent = error.message;
    return;
  }
  byId("whose").textContent = told.whose === "machine"
    ? plural(told.matches, "The library of this machine, the same as the terminal's: {n} match, {1} reviewed.", "The library of this machine, the same as the terminal's: {n} matches, {1} reviewed.", told.reviewed)
    : plural(told.matches, "Your library, which nobody else sees: {n} match, {1} reviewed.", "Your library, which nobody else sees: {n} matches, {1} reviewed.", told.reviewed);
  byId("ways").hidden = byId("adding").hidden = false;
  byId("shelf").hidden = !told.matches;
  byId("keeping").hidden = !told.reviewed;
  if (!told.matches) return;
  await list(false);
  const { players } = await call("/library/players");
  byId("people").replaceChildren(...players.slice(0, 300).map((/** @type {any} */ each) => el("option", { value: each.player })));
}

/** @param {string} text */
const refused = (text) => { byId("problem").textContent = text; };
/** @param {ArrayLike<File>} files */
const add = (files) => { if (files.length) addFiles([...Array.from(files)], byId("level").value, refused, summary); };

fillForm(form, new URLSearchParams(location.search));
form.addEventListener("submit", (event) => { event.preventDefault(); list(false); });
byId("keep").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const kind = byId("keep-kind").value, player = byId("keep-player").value.trim();
  const wanted = { last: Number(byId("keep-last").value), least: Number(byId("keep-least").value), ...(player ? { player } : {}), ...(kind ? { kinds: [kind] } : {}) };
  byId("kept").textContent = t("One moment …");
  const found = await trying(() => call("/library/cards/latest", wanted));
  byId("kept").textContent = found ? `${plural(found.added, "{n} new card,", "{n} new cards,")} ${plural(found.matches, "out of {n} reviewed match.", "out of {n} reviewed matches.")} ${plural(found.deck.cards, "Your deck has {n} card, {1} due.", "Your deck has {n} cards, {1} due.", found.deck.due)}` : "";
});
byId("more").addEventListener("click", () => list(true));
byId("review").addEventListener("click", () => reviewAll(questionOf(form), byId("level").value || "fast", refused, summary));
for (const id of ["files", "folder"]) byId(id).addEventListener("change", () => add(byId(id).files));
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    byId("drop").classList.toggle("over", kind === "dragover");
    const files = kind === "drop" ? /** @type {DragEvent} */ (event).dataTransfer?.files : null;
    if (files && !byId("adding").hidden) add(files);
  });
}

// Below what is not known yet nothing is shown, so that nothing moves.
Promise.all([summary(), begin()]).finally(() => { byId("browser").hidden = byId("mistakes").hidden = false; });
