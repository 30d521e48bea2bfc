// @ts-check
/** Words of the glossary in a text: their meaning stands beside them on hover, on focus and on a tap. */

import { call, Refusal } from "/static/parts/api.js";
import { el } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";

/** @typedef {{name: string, title: string, text: string, position: string, beside: string, caption: string}} Term */

/** @type {Map<string, Promise<Term>>} */
const loaded = new Map();
/** The word whose meaning is shown. @type {HTMLElement | null} */
let shown = null;
const card = el("div", { id: "term-card", role: "tooltip", hidden: true });
const dark = matchMedia("(prefers-color-scheme: dark)");

document.head.append(el("link", { rel: "stylesheet", href: "/static/terms/terms.css" }));

/** Paragraphs of pieces, as the server sends them. @param {{text: string, term: string | null}[][]} paragraphs */
export const paragraphs = (paragraphs) =>
  paragraphs.map((pieces) => {
    const parts = pieces.map(({ text, term }) => (term ? termWord(text, term) : document.createTextNode(text)));
    return el("p", {}, ...parts);
  });

/**
 * A word that shows its meaning. It runs on as text does, so that nothing moves where it takes the place of text.
 * @param {string} text @param {string} term
 */
export function termWord(text, term) {
  const element = el("span", { role: "button", tabindex: 0, class: "term", "data-term": term }, text);
  const show = () => reveal(element, term);
  // A word that comes up below a pointer at rest was not asked for.
  element.addEventListener("pointerenter", (event) => {
    if (event.pointerType === "mouse" && (event.movementX || event.movementY)) show();
  });
  element.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse" && document.activeElement !== element) hide();
  });
  element.addEventListener("focus", show);
  element.addEventListener("blur", hide);
  element.addEventListener("click", show);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    // Not a key of the page: there they finish a play.
    event.preventDefault();
    event.stopPropagation();
    show();
  });
  return element;
}

function hide() {
  shown?.removeAttribute("aria-describedby");
  shown = null;
  card.hidden = true;
}

/** @param {string} term */
function loadTerm(term) {
  let loading = loaded.get(term);
  if (!loading) loaded.set(term, (loading = call(`/glossary/${encodeURIComponent(term)}`)));
  return loading;
}

/** @param {HTMLElement} at @param {string} term */
async function reveal(at, term) {
  if (shown === at) return;
  hide();
  shown = at;
  let entry;
  try {
    entry = await loadTerm(term);
  } catch (error) {
    loaded.delete(term);
    if (!(error instanceof Refusal)) throw error;
    if (shown === at) shown = null;
    return;
  }
  if (shown !== at || !at.isConnected) return;
  card.replaceChildren(el("p", {}, el("strong", {}, entry.title)), el("p", {}, entry.text), ...termBoard(entry));
  // Only an element in a dialog is shown above it, and all content lies in a landmark.
  (at.closest("dialog, main") ?? document.body).append(card);
  card.hidden = false;
  at.setAttribute("aria-describedby", card.id);
  placeCard(at);
}

/**
 * A term's board with the words below it.
 * @param {Term} term
 * @param {boolean} [late] load it when it is about to be seen
 */
export function termBoard(term, late = false) {
  const { beside, caption } = term;
  return [
    boardPicture(term, late),
    ...[beside, caption].filter(Boolean).map((words) => el("p", { class: "hint" }, words)),
  ];
}

/**
 * The board of a term; its room is kept while it loads. The words beside it describe it.
 * @param {Term} term @param {boolean} late
 */
function boardPicture({ name }, late) {
  const { light, home } = preferences.read();
  const isDark = light === "dark" || (light !== "light" && dark.matches);
  const look = new URLSearchParams({ theme: isDark ? "dark" : "classic", home: home === "left" ? "left" : "right" });
  const src = `/api/glossary/${encodeURIComponent(name)}/board.svg?${look}`;
  return el("img", { ...(late ? { loading: "lazy" } : {}), src, alt: "", width: 560, height: 457 });
}

/** Below the word, or above it where there is no room. @param {HTMLElement} word */
function placeCard(word) {
  const at = word.getClientRects()[0] ?? word.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const below = at.bottom + 8 + height <= innerHeight || at.top < height + 16;
  const top = below ? Math.min(at.bottom + 8, innerHeight - height - 8) : at.top - height - 8;
  moveCard(Math.max(8, Math.min(at.left, innerWidth - width - 8)), Math.max(8, top));
}

/**
 * Move the card to a place of the screen, in whichever element it lies.
 * @param {number} left @param {number} top
 */
function moveCard(left, top) {
  card.style.left = card.style.top = "0px";
  const from = card.getBoundingClientRect();
  card.style.left = `${left - from.left}px`;
  card.style.top = `${top - from.top}px`;
}

document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || card.hidden) return;
    // A dialog below stays open.
    event.preventDefault();
    event.stopPropagation();
    hide();
  },
  true,
);
addEventListener(
  "scroll",
  () => {
    if (shown && !card.hidden) placeCard(shown);
  },
  { passive: true, capture: true },
);
