// @ts-check
/** Words of the glossary in a text: their meaning stands beside them on hover, on focus and on a tap. */

import { Refusal, call } from "/static/parts/api.js";
import { el } from "/static/parts/page.js";
import * as settings from "/static/parts/settings.js";

/** @typedef {{name: string, title: string, text: string, position: string, beside: string, caption: string}} Term */

/** @type {Map<string, Promise<Term>>} */
const known = new Map();
/** The word whose meaning is shown. @type {HTMLElement | null} */
let shown = null;
const card = el("div", { id: "term-card", role: "tooltip", hidden: true });
const dark = matchMedia("(prefers-color-scheme: dark)");

document.head.append(el("link", { rel: "stylesheet", href: "/static/terms/terms.css" }));

/** Paragraphs of pieces, as the server sends them. @param {{text: string, term: string | null}[][]} paragraphs */
export const paragraphs = (paragraphs) => paragraphs.map((pieces) => {
  const parts = pieces.map(({ text, term }) => (term ? word(text, term) : document.createTextNode(text)));
  return el("p", {}, ...parts);
});

/**
 * A word that can be asked. It runs on as text does: nothing moves where it takes the place of one.
 * @param {string} text @param {string} term
 */
export function word(text, term) {
  const made = el("span", { role: "button", tabindex: 0, class: "term", "data-term": term }, text);
  const show = () => reveal(made, term);
  made.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") show(); });
  made.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse" && document.activeElement !== made) hide();
  });
  made.addEventListener("focus", show);
  made.addEventListener("blur", hide);
  made.addEventListener("click", show);
  made.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    // Not a key of the page: there they finish a play.
    event.preventDefault();
    event.stopPropagation();
    show();
  });
  return made;
}

function hide() {
  shown?.removeAttribute("aria-describedby");
  shown = null;
  card.hidden = true;
}

/** @param {string} term */
function meaning(term) {
  let found = known.get(term);
  if (!found) known.set(term, found = call(`/glossary/${encodeURIComponent(term)}`));
  return found;
}

/** @param {HTMLElement} at @param {string} term */
async function reveal(at, term) {
  if (shown === at) return;
  hide();
  shown = at;
  let found;
  try { found = await meaning(term); } catch (error) {
    known.delete(term);
    if (!(error instanceof Refusal)) throw error;
    if (shown === at) shown = null;
    return;
  }
  if (shown !== at || !at.isConnected) return;
  card.replaceChildren(el("p", {}, el("strong", {}, found.title)), el("p", {}, found.text), ...shownBy(found));
  // Above a dialog there is only what lies in it, and all content lies in a landmark.
  (at.closest("dialog, main") ?? document.body).append(card);
  card.hidden = false;
  at.setAttribute("aria-describedby", card.id);
  place(at);
}

/** A term's board with the words below it. @param {Term} term @param {boolean} [late] load it when it is about to be seen */
export function shownBy(term, late = false) {
  const { beside, caption } = term;
  return [board(term, late), ...[beside, caption].filter(Boolean).map((words) => el("p", { class: "hint" }, words))];
}

/**
 * The board of a term; its room is kept while it comes. The words beside it say what stands there.
 * @param {Term} term @param {boolean} late
 */
function board({ name }, late) {
  const { light, home } = settings.read(), isDark = light === "dark" || (light !== "light" && dark.matches);
  const look = new URLSearchParams({ theme: isDark ? "dark" : "classic", home: home === "left" ? "left" : "right" });
  const src = `/api/glossary/${encodeURIComponent(name)}/board.svg?${look}`;
  return el("img", { ...(late ? { loading: "lazy" } : {}), src, alt: "", width: 560, height: 457 });
}

/** Below the word, or above it where there is no room. @param {HTMLElement} word */
function place(word) {
  const at = word.getClientRects()[0] ?? word.getBoundingClientRect(), { width, height } = card.getBoundingClientRect();
  const below = at.bottom + 8 + height <= innerHeight || at.top < height + 16;
  const top = below ? Math.min(at.bottom + 8, innerHeight - height - 8) : at.top - height - 8;
  put(Math.max(8, Math.min(at.left, innerWidth - width - 8)), Math.max(8, top));
}

/**
 * Put the card at a place of the screen, whatever element counts its places.
 * @param {number} left @param {number} top
 */
function put(left, top) {
  card.style.left = card.style.top = "0px";
  const from = card.getBoundingClientRect();
  card.style.left = `${left - from.left}px`;
  card.style.top = `${top - from.top}px`;
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || card.hidden) return;
  // A dialog below stays open.
  event.preventDefault();
  event.stopPropagation();
  hide();
}, true);
addEventListener("scroll", () => { if (shown && !card.hidden) place(shown); }, { passive: true, capture: true });
