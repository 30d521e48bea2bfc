// @ts-check
/** Notes, stars and tags at the plies of a match of the library: a new review changes none of them. */

import { call, Refusal } from "/static/parts/api.js";
import { el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";
import { versus } from "/static/parts/words.js";

/** @typedef {import("/static/review/plies.js").Ply} Ply */

/**
 * Put a reviewed match into the library, and give the address where its notes are: that of the ply, where the library
 * did not have the match.
 * @param {string} review where the server has it
 * @param {any} match the match
 * @param {Ply} ply
 * @param {(words: string) => void} say
 */
async function addToLibrary(review, { level, players }, { game, event }, say) {
  const { Job, stateWords } = await import("/static/parts/jobs.js");
  const file = await fetch(`/api${review}/file?format=json`).catch(/** @returns {null} */ () => null);
  if (!file?.ok) throw new Refusal(file?.status ?? 0, t("The server does not answer."));
  const query = new URLSearchParams({ name: `${versus(players).slice(0, 180)}.json`, level });
  const headers = { "Content-Type": "application/octet-stream" };
  const request = { method: "POST", headers, body: await file.blob() };
  const job = await new Job(`/library/files?${query}`, request, (state) => say(stateWords(state))).done;
  const [added] = job?.result?.files ?? [];
  if (!added || added.status === "failed")
    throw new Refusal(400, job?.error || added?.problems.join("; ") || t("It was stopped."));
  if (added.new.length && job?.result?.failed?.length) return `/library/match/${added.new[0]}`;
  if (added.new.length) return `/library/match/${added.new[0]}/board?ply=${game}.${event}#notes`;
  if (added.known.length) return `/library/match/${added.known[0]}`;
  return `/library?${new URLSearchParams({ player: players[0], opponent: players[1] })}`;
}

/** What adding the match says; one for the page, because each step to another ply draws the tab anew. */
const status = el("p", { role: "status", class: "hint" });
const say = (/** @type {string} */ words) => status.replaceChildren(words);
let working = false;

/** The way to notes on a ply of a review that is not in the library. @param {string} review @param {any} match @param {Ply} ply */
function wayToLibrary(review, match, ply) {
  const button = el("button", { type: "button" }, t("Add this match to your library"));
  button.addEventListener("click", async () => {
    if (working) return;
    working = true;
    try {
      const address = await addToLibrary(review, match, ply, (words) => say(words));
      if (status.isConnected) location.href = address;
    } catch (error) {
      say(error instanceof Refusal ? error.message : t("The server does not answer."));
      if (error instanceof Refusal && error.code === "unknown")
        status.append(" ", el("a", { href: "/account" }, t("Sign in")));
    } finally {
      working = false;
    }
  });
  return [el("p", {}, t("Notes and tags belong to a match of the library.")), button, status];
}

/**
 * The library's notes on a ply, with the form to change them; without the library, the way into it.
 * @param {string | null} match its number in the library; null for a review that is not there
 * @param {Ply} ply
 * @param {string} review where the server has the review
 * @param {any} reviewed the match
 * @returns {Promise<HTMLElement[]>}
 */
export async function notesOf(match, ply, review, reviewed) {
  const { number, game, event } = ply;
  if (match === null) return wayToLibrary(review, reviewed, ply);
  const shelf = await import("/static/library/shelf.js");
  const place = el("div", { class: "notes" });
  const named = ["match", match, "game", game, "event", event].join(" ");
  await shelf.notesOf(place, () => ({ place: named }), true);
  return [el("h3", {}, t`Notes on ${number}`), place];
}

/**
 * Put a sign beside plies with a note, a star or tags.
 * @param {HTMLElement} panel the list of all plies
 * @param {string} match its number in the library
 * @param {Ply[]} plies
 */
export async function showMark(panel, match, plies) {
  const answer = await call(`/library/marks?match=${match}`).catch(/** @returns {null} */ () => null);
  const buttons = panel.querySelectorAll("button.ply");
  for (const { game, event, star } of answer?.marks ?? []) {
    const button = buttons[plies.findIndex((ply) => ply.game === game && ply.event === event)];
    button?.append(el("span", { class: "noted", "aria-hidden": "true" }, star ? "★" : "✎"));
    button?.setAttribute("aria-label", t`${button.getAttribute("aria-label")}, with a note`);
  }
}
