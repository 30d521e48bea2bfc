// @ts-check
/** The library for now: the reviews of this browser, their mistakes, and games played here that could be reviewed. */

import { Refusal, call, ownGames } from "/static/parts/api.js";
import { byId, day, el } from "/static/parts/page.js";
import { forgetReview, knownReviews } from "/static/library/reviews.js";

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
  el("a", { href: `/review/${encodeURIComponent(review.id)}/${review.match}` }, review.players.join(" – ")),
  el("span", { class: "hint" }, `${review.about}, ${day(review.at / 1000)}`));

/** @param {import("/static/library/reviews.js").KnownReview} review */
const lessons = (review) => el("li", {}, el("span", {}, review.players.join(" – ")),
  ...review.players.map((name, index) => el("a", {
    href: `/mistakes?${new URLSearchParams({ review: review.id, match: String(review.match), player: index ? "O" : "X" })}`,
  }, `Mistakes of ${name}`)));

/** Games of this browser that are over and have no review. @param {Set<string>} reviewed */
async function played(reviewed) {
  const rows = await Promise.all(Object.entries(ownGames()).sort(([, a], [, b]) => b.at - a.at).slice(0, 12).map(async ([id, { key }]) => {
    if (reviewed.has(id)) return null;
    try {
      const { state } = await call(`/games/${id}`, undefined, key);
      if (state.status !== "over") return null;
      return el("li", {}, el("a", { href: `/review?game=${id}` }, `Review ${state.names.join(" – ")}`), el("span", { class: "hint" }, `${state.title}, ${state.played_for}`));
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

begin();
