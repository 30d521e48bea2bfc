// @ts-check
/** The library: its matches, files added to it; the reviews of this browser, and games played here. */

import { addFiles, reviewAll } from "/static/library/adding.js";
import { forgetReview, knownReviews } from "/static/library/reviews.js";
import { attempt, fillForm, matchItem, questionOf } from "/static/library/shelf.js";
import { call, ownGames, Refusal } from "/static/parts/api.js";
import { byId, day, el } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";
import { versus } from "/static/parts/words.js";

/** Reviews that the server still has. One that is gone is forgotten; one that it cannot answer for stays. */
async function existingReviews() {
  const reviews = knownReviews();
  const gone = new Set();
  await Promise.all(
    [...new Set(reviews.map(({ id }) => id))].map(async (id) => {
      try {
        await call(`/reviews/${encodeURIComponent(id)}`);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.isMissing) {
          forgetReview(id);
          gone.add(id);
        }
      }
    }),
  );
  return reviews.filter(({ id }) => !gone.has(id));
}

/** @param {import("/static/library/reviews.js").KnownReview} review */
const report = (review) =>
  el(
    "li",
    {},
    el("a", { href: `/review/${encodeURIComponent(review.id)}/${review.match}` }, versus(review.players)),
    el("span", { class: "hint" }, `${review.about}, ${day(review.at / 1000)}`),
  );

/** @param {import("/static/library/reviews.js").KnownReview} review */
const lessons = (review) =>
  el(
    "li",
    {},
    el("span", {}, versus(review.players)),
    ...review.players.map((name, index) =>
      el(
        "a",
        {
          href: `/mistakes?${new URLSearchParams({ review: review.id, match: String(review.match), player: index ? "O" : "X" })}`,
        },
        t`Mistakes of ${name}`,
      ),
    ),
  );

/** Games of this browser that are over and have no review. @param {Set<string>} reviewed */
async function unreviewedGames(reviewed) {
  const rows = await Promise.all(
    Object.entries(ownGames())
      .sort(([, a], [, b]) => b.at - a.at)
      .slice(0, 12)
      .map(async ([id, { key }]) => {
        if (reviewed.has(id)) return null;
        try {
          const { state } = await call(`/games/${id}`, undefined, key);
          if (state.status !== "over") return null;
          return el(
            "li",
            {},
            el("a", { href: `/review?game=${id}` }, t`Review ${versus(state.names)}`),
            el("span", { class: "hint" }, `${t(state.title)}, ${state.played_for}`),
          );
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          return null;
        }
      }),
  );
  return rows.filter((row) => row !== null);
}

async function begin() {
  const reviews = await existingReviews();
  byId("reviews").replaceChildren(...reviews.map(report));
  byId("lessons").replaceChildren(...reviews.map(lessons));
  byId("none").hidden = byId("no-lessons").hidden = reviews.length > 0;
  const games = await unreviewedGames(new Set(reviews.map(({ game }) => game ?? "")));
  byId("games").replaceChildren(...games);
  byId("played").hidden = !games.length;
}

// -- the matches ------------------------------------------------------------------------------------------------
const form = /** @type {HTMLFormElement} */ (byId("filter"));
let shown = 0;

/** @param {boolean} more */
async function list(more) {
  const question = questionOf(form);
  const offset = more ? shown : 0;
  const page = await attempt(() =>
    call(`/library/matches?${new URLSearchParams({ ...question, offset: String(offset) })}`),
  );
  if (!page) return;
  const conditions = String(new URLSearchParams(question));
  history.replaceState(null, "", conditions ? `/library?${conditions}` : "/library");
  const items = page.matches.map((/** @type {any} */ match) => matchItem(match, page.marks[match.match]));
  if (more) byId("matches").append(...items);
  else byId("matches").replaceChildren(...items);
  shown = offset + page.matches.length;
  byId("found").textContent =
    shown < page.found
      ? plural(page.found, "{n} match, the latest {1} of them here", "{n} matches, the latest {1} of them here", shown)
      : plural(page.found, "{n} match", "{n} matches");
  byId("more").hidden = shown >= page.found;
}

async function summary() {
  let library;
  try {
    library = await call("/library");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("sign-in").hidden = error.code !== "unknown";
    if (error.code !== "unknown") byId("problem").textContent = error.message;
    return;
  }
  byId("whose").textContent =
    library.whose === "machine"
      ? plural(
          library.matches,
          "The library of this machine, the same as the terminal's: {n} match, {1} reviewed.",
          "The library of this machine, the same as the terminal's: {n} matches, {1} reviewed.",
          library.reviewed,
        )
      : plural(
          library.matches,
          "Your library, which nobody else sees: {n} match, {1} reviewed.",
          "Your library, which nobody else sees: {n} matches, {1} reviewed.",
          library.reviewed,
        );
  if (byId("adding").hidden) byId("adding").open = !library.matches; // the matches come first, where there are any
  byId("ways").hidden = byId("adding").hidden = false;
  byId("shelf").hidden = !library.matches;
  byId("keeping").hidden = !library.reviewed;
  byId("review").hidden = library.reviewed === library.matches && !library.old;
  if (!library.matches) return;
  await list(false);
  const { players } = await call("/library/players");
  byId("people").replaceChildren(
    ...players.slice(0, 300).map((/** @type {any} */ person) => el("option", { value: person.player })),
  );
}

/** @param {string} text */
const refused = (text) => {
  byId("problem").textContent = text;
};
/** @param {ArrayLike<File>} files */
const add = (files) => {
  if (files.length) addFiles([...Array.from(files)], byId("level").value, refused, summary);
};

fillForm(form, new URLSearchParams(location.search));
byId("filtering").open = Object.keys(questionOf(form)).length > 0;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  list(false);
});
byId("keep").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const kind = byId("keep-kind").value;
  const player = byId("keep-player").value.trim();
  const wanted = {
    last: Number(byId("keep-last").value),
    least: Number(byId("keep-least").value),
    ...(player ? { player } : {}),
    ...(kind ? { kinds: [kind] } : {}),
  };
  byId("kept").textContent = t("One moment …");
  const outcome = await attempt(() => call("/library/cards/latest", wanted));
  byId("kept").textContent = outcome
    ? `${plural(outcome.added, "{n} new card,", "{n} new cards,")} ${plural(outcome.matches, "out of {n} reviewed match.", "out of {n} reviewed matches.")} ${plural(outcome.deck.cards, "Your deck has {n} card, {1} due.", "Your deck has {n} cards, {1} due.", outcome.deck.due)}`
    : "";
});
byId("more").addEventListener("click", () => list(true));
byId("review").addEventListener("click", () =>
  reviewAll(questionOf(form), byId("level").value || "fast", refused, summary),
);
for (const id of ["files", "folder"]) byId(id).addEventListener("change", () => add(byId(id).files));
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    byId("drop").classList.toggle("over", kind === "dragover");
    const files = kind === "drop" ? /** @type {DragEvent} */ (event).dataTransfer?.files : null;
    if (files && !byId("adding").hidden) add(files);
  });
}

// Sections below the list wait for it, so that nothing on the page moves.
Promise.all([summary(), begin()]).finally(() => {
  byId("browser").hidden = byId("mistakes").hidden = false;
});
