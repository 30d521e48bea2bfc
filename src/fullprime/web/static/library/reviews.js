// @ts-check
/** The reviews requested in this browser: the server keeps each for a day, and this list finds them. */

import { plural, t } from "/static/parts/texts.js";

const KEY = "fullprime.reviews";
const MOST = 40;

/** @typedef {{id: string, match: number, players: string[], about: string, game?: string, at: number}} KnownReview */

/** The latest first. @returns {KnownReview[]} */
export function knownReviews() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

/**
 * Remember the matches of a review that is over. @param {{id: string, result?: {matches: any[]} | null}} job
 * @param {string | null} [game] the game of this server that was reviewed
 */
export function rememberReview(job, game) {
  const matches = job.result?.matches ?? [];
  if (!matches.length) return;
  const reviews = matches.map((match, index) => ({
    id: job.id,
    match: index + 1,
    players: match.players,
    at: Date.now(),
    ...(game ? { game } : {}),
    about: match.length
      ? plural(
          match.decisions,
          "{1}, match to {2}, {n} decision",
          "{1}, match to {2}, {n} decisions",
          t(match.variant),
          match.length,
        )
      : plural(match.decisions, "{1}, money, {n} decision", "{1}, money, {n} decisions", t(match.variant)),
  }));
  write([...reviews, ...knownReviews().filter((review) => review.id !== job.id)].slice(0, MOST));
}

/** Forget a review that the server no longer keeps. @param {string} id */
export function forgetReview(id) {
  write(knownReviews().filter((review) => review.id !== id));
}

/** @param {KnownReview[]} reviews */
function write(reviews) {
  try {
    localStorage.setItem(KEY, JSON.stringify(reviews));
  } catch {
    /* the address of the report still leads there */
  }
}
