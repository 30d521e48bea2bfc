// @ts-check
/**
 * Terms of the glossary marked where a page has words: in sentences, headings and tables within cards, the sections
 * beside a board and elements with `data-terms`, the first time each stands there. Names, plays, notes, the title of a
 * page and controls are left alone.
 */

import { call } from "/static/parts/api.js";
import { termWord } from "/static/terms/terms.js";

const WORDS = "p, li, dt, dd, figcaption, h2, h3, h4, th, td, caption"; // not a text
const PRESSED = "a, button, summary, label, legend, input, textarea, select"; // not a text
const CARD = "#term-card"; // not a text
const NONE = `${PRESSED}, h1, code, kbd, svg, .term, ${CARD}, [data-plain]`; // not a text
const WHERE = "[data-terms], main .card, .side section"; // not a text

/** The words before a "double" that is no offer of the cube: a gammon counts double. */
const ADVERB = /\b(?:counts?|counted|counting|pays?|worth)\s$/i;

/**
 * The names of the terms by their words in small letters, and as they are written.
 * @type {Map<string, {name: string, written: string}>}
 */
const words = new Map();
let pattern = /(?!)/g;

/** @param {string} text */
const escapePattern = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/ /g, "\\s");

async function loadWords() {
  const names = /** @type {Record<string, string>} */ (await call("/glossary/words"));
  for (const [written, name] of Object.entries(names)) words.set(written.toLowerCase(), { name, written });
  const longest = Object.keys(names)
    .sort((a, b) => b.length - a.length)
    .map(escapePattern);
  // A word of a play (bar/24, 6/off) or of a longer word (bar-point) is none.
  pattern = new RegExp(`(?<![\\p{L}\\p{N}/*'’-])(${longest.join("|")})(e?s)?(?![\\p{L}\\p{N}/*-])`, "giu");
}

/** The term that a text means; abbreviations are terms in capitals alone. @param {string} text */
function termOf(text) {
  const entry = words.get(text.replace(/\s/g, " ").toLowerCase());
  return entry && (entry.written === entry.written.toLowerCase() || entry.written === text) ? entry.name : null;
}

/** Mark a run of text. @param {Text} node @param {Set<string>} marked the terms that are marked already */
function markText(node, marked) {
  const parts = /** @type {(string | Node)[]} */ ([]);
  const text = node.data;
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const name = termOf(match[1]);
    if (!name || marked.has(name) || (name === "double" && ADVERB.test(text.slice(0, match.index)))) continue;
    marked.add(name);
    parts.push(text.slice(at, match.index), termWord(match[0], name));
    at = match.index + match[0].length;
  }
  if (parts.length) node.replaceWith(...parts, text.slice(at));
}

/** @param {Element} root */
function mark(root) {
  const marked = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".term"));
  const names = new Set([...marked].map((term) => term.dataset.term ?? ""));
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes = /** @type {Text[]} */ ([]);
  while (walk.nextNode()) {
    const node = /** @type {Text} */ (walk.currentNode);
    const above = node.parentElement;
    if (node.data.trim() && above?.closest(WORDS) && !above.closest(NONE)) nodes.push(node);
  }
  for (const node of nodes) markText(node, names);
}

/**
 * Mark new parts before they are painted, so that a reader of the screen hears them once.
 * @param {MutationRecord[]} changes
 */
function follow(changes) {
  const roots = new Set();
  for (const { target, addedNodes } of changes) {
    const around = (target instanceof Element ? target : target.parentElement)?.closest(WHERE);
    if (around) {
      roots.add(around);
      continue;
    }
    for (const node of addedNodes) if (node instanceof HTMLElement) for (const part of partsOf(node)) roots.add(part);
  }
  for (const root of roots) mark(root);
}

/** @param {Element} node */
const partsOf = (node) => (node.matches(WHERE) ? [node] : [...node.querySelectorAll(WHERE)]);

loadWords().then(
  () => {
    partsOf(document.body).forEach(mark);
    new MutationObserver(follow).observe(document.body, { childList: true, characterData: true, subtree: true });
  },
  () => {
    // Without the server, or its answer, the sentences stand as they are.
  },
);
