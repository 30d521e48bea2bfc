// @ts-check
/** Words of the glossary in a text: what one means stands beside it on hover, on focus and on a tap. */

import { Refusal, call } from "/static/parts/api.js";
import { Board } from "/static/board/board.js";
import { byId, el } from "/static/parts/page.js";
import * as settings from "/static/parts/settings.js";
import { t } from "/static/parts/texts.js";

/** @type {Map<string, Promise<any>>} */
const known = new Map();
const WORDS = /** @type {Record<string, number>} */ ({ off: 0, bar: 25, hand: 26 });
let shown = /** @type {HTMLElement | null} */ (null);

/** Paragraphs of pieces, as the server sends them. @param {{text: string, term: string | null}[][]} paragraphs */
export const paragraphs = (paragraphs) => paragraphs.map((pieces) => el("p", {}, ...pieces.map(piece)));

/** @param {{text: string, term: string | null}} piece */
function piece({ text, term }) {
  if (!term) return document.createTextNode(text);
  const button = el("button", { type: "button", class: "term", "aria-describedby": "term-card" }, text);
  const show = () => reveal(button, term);
  button.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") show(); });
  button.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") hide(); });
  button.addEventListener("focus", show);
  button.addEventListener("blur", hide);
  button.addEventListener("click", show);
  return button;
}

function hide() {
  shown = null;
  byId("term-card").hidden = true;
}

/** @param {HTMLElement} button @param {string} term */
async function reveal(button, term) {
  if (shown === button) return;
  shown = button;
  if (!known.has(term)) known.set(term, call(`/glossary/${encodeURIComponent(term)}`));
  let found;
  try { found = await known.get(term); } catch (error) {
    known.delete(term);
    if (!(error instanceof Refusal)) throw error;
    return;
  }
  if (shown !== button) return;
  const card = byId("term-card"), place = el("div", { class: "board-place" });
  card.replaceChildren(el("p", {}, el("strong", {}, found.title)), el("p", {}, found.text), ...(found.position ? [place] : []));
  card.hidden = false;
  if (found.position) drawSmall(place, found.position);
  const at = button.getBoundingClientRect(), size = card.getBoundingClientRect();
  const below = at.bottom + 8 + size.height <= innerHeight;
  card.style.left = `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`;
  card.style.top = `${Math.max(8, below ? at.bottom + 8 : at.top - size.height - 8)}px`;
}

/** Counts by place of one side of our text form. @param {string} side */
function row(side) {
  const counts = /** @type {number[]} */ (Array(27).fill(0));
  for (const word of side.trim().split(/\s+/)) {
    const [place, count] = word.split(":");
    const slot = WORDS[place] ?? Number(place);
    if (Number.isInteger(slot)) counts[slot] += Number(count ?? 1);
  }
  return counts;
}

/** @param {HTMLElement} place @param {string} position */
function drawSmall(place, position) {
  const [mine, theirs] = position.split("/");
  const still = { onActivate() {}, onDrop() {}, onDouble() {}, onPoint() {}, onDice() {}, targets: () => /** @type {[Set<number>, Set<number>]} */ ([new Set(), new Set()]) };
  const none = /** @type {Set<number>} */ (new Set());
  const rows = { X: row(mine), O: row(theirs) };
  const board = new Board(place, still);
  board.svg.setAttribute("aria-hidden", "true");
  board.draw({
    rows, bottom: "X", mover: "X", hand: rows.X[26] + rows.O[26] > 0, names: { X: t("You"), O: t("Opponent") }, portrait: false, homeLeft: settings.read().home === "left",
    numbers: true, sources: none, selected: null, targets: none, moved: none, others: none, dice: [], cube: null,
  });
  for (const spot of board.svg.querySelectorAll("[tabindex]")) spot.removeAttribute("tabindex");
}

document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
