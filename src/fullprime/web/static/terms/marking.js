// @ts-check
/**
 * Terms of the glossary marked where a page has words: in sentences, headings and tables within cards, the sections
 * beside a board and elements with `data-terms`, the first time each stands there. Names, plays, notes, the title of a
 * page and what can be pressed are left alone.
 */

import { call } from "/static/parts/api.js";
import { word } from "/static/terms/terms.js";

const WORDS = "p, li, dt, dd, figcaption, h2, h3, h4, th, td, caption"; // not a text
const PRESSED = "a, button, summary, label, legend, input, textarea, select"; // not a text
const CARD = "#term-card"; // not a text
const NONE = `${PRESSED}, h1, code, kbd, svg, .term, ${CARD}, [data-plain]`; // not a text
const WHERE = "[data-terms], main .card, .side section"; // not a text

/** What stands before a "double" that is no offer of the cube: a gammon counts double. */
const ADVERB = /\b(?:counts?|counted|counting|pays?|worth)\s$/i;

/**
 * The names of the terms by their words in small letters, and as they are written.
 * @type {Map<string, {name: string, written: string}>}
 */
const words = new Map();
let pattern = /(?!)/g;

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/ /g, "\\s");

async function learn() {
  const found = /** @type {Record<string, string>} */ (await call("/glossary/words"));
  for (const [written, name] of Object.entries(found)) words.set(written.toLowerCase(), { name, written });
  const longest = Object.keys(found).sort((a, b) => b.length - a.length).map(escaped);
  // A word of a play (bar/24, 6/off) or of a longer word (bar-point) is none.
  pattern = new RegExp(`(?<![\\p{L}\\p{N}/*'’-])(${longest.join("|")})(e?s)?(?![\\p{L}\\p{N}/*-])`, "giu");
}

/** The term that a text means; abbreviations are terms in capitals alone. @param {string} text */
function termOf(text) {
  const found = words.get(text.replace(/\s/g, " ").toLowerCase());
  return found && (found.written === found.written.toLowerCase() || found.written === text) ? found.name : null;
}

/** Mark a run of text. @param {Text} node @param {Set<string>} seen the terms that are marked already */
function markText(node, seen) {
  const parts = /** @type {(string | Node)[]} */ ([]), text = node.data;
  let at = 0;
  for (const found of text.matchAll(pattern)) {
    const name = termOf(found[1]);
    if (!name || seen.has(name) || (name === "double" && ADVERB.test(text.slice(0, found.index)))) continue;
    seen.add(name);
    parts.push(text.slice(at, found.index), word(found[0], name));
    at = found.index + found[0].length;
  }
  if (parts.length) node.replaceWith(...parts, text.slice(at));
}

/** @param {Element} root */
function mark(root) {
  const marked = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".term"));
  const seen = new Set([...marked].map((each) => each.dataset.term ?? ""));
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), found = /** @type {Text[]} */ ([]);
  while (walk.nextNode()) {
    const node = /** @type {Text} */ (walk.currentNode), above = node.parentElement;
    if (node.data.trim() && above?.closest(WORDS) && !above.closest(NONE)) found.push(node);
  }
  for (const node of found) markText(node, seen);
}

/**
 * Mark what is new before it is painted, so that a reader of the screen hears it once.
 * @param {MutationRecord[]} changes
 */
function follow(changes) {
  const roots = new Set();
  for (const { target, addedNodes } of changes) {
    const around = (target instanceof Element ? target : target.parentElement)?.closest(WHERE);
    if (around) { roots.add(around); continue; }
    for (const node of addedNodes) if (node instanceof HTMLElement) for (const each of within(node)) roots.add(each);
  }
  for (const root of roots) mark(root);
}

/** @param {Element} node */
const within = (node) => (node.matches(WHERE) ? [node] : [...node.querySelectorAll(WHERE)]);

learn().then(() => {
  within(document.body).forEach(mark);
  new MutationObserver(follow).observe(document.body, { childList: true, characterData: true, subtree: true });
}, () => {
  // Without the server, or its answer, the sentences stand as they are.
});
