// @ts-check
/** The glossary as a page: every term with its board, found by any of its words. */

import { call } from "/static/parts/api.js";
import { attempt } from "/static/parts/attempt.js";
import { byId, el } from "/static/parts/page.js";
import { plural } from "/static/parts/texts.js";
import { termBoard } from "/static/terms/terms.js";

/** @typedef {import("/static/terms/terms.js").Term & {also: string[], see: string[]}} Entry */

/** The entries with their parts of the page. @type {{term: Entry, part: HTMLElement}[]} */
let entries = [];

/** The address of a term on this page. @param {string} name */
const placeOf = (name) => encodeURIComponent(name.replaceAll(" ", "-"));

/** @param {Entry} term @param {Map<string, string>} titles those of all terms */
function entryPart(term, titles) {
  const see = term.see.map((name) => el("a", { href: `#${placeOf(name)}` }, titles.get(name) ?? name));
  const also = term.also.length ? el("span", { class: "hint" }, ` ${term.also.join(", ")}`) : null;
  const links = see.length ? [el("p", { class: "links" }, ...see)] : [];
  return el(
    "div",
    { id: placeOf(term.name) },
    el("dt", {}, term.title, also),
    el("dd", {}, el("p", {}, term.text), ...termBoard(term, true), ...links),
  );
}

/** Show the entries that have a word in a name, or, where none has, in their text. */
function seek() {
  const word = byId("word").value.trim().toLowerCase();
  const has = (/** @type {string} */ text) => text.toLowerCase().includes(word);
  const named = entries.filter(({ term }) => [term.name, ...term.also].some(has));
  const matching = named.length ? named : entries.filter(({ term }) => has(term.text));
  const shown = new Set(matching);
  for (const entry of entries) entry.part.hidden = !shown.has(entry);
  byId("found").textContent = plural(matching.length, "{n} word", "{n} words");
}

async function begin() {
  const terms = /** @type {Entry[]} */ (await call("/glossary"));
  const titles = new Map(terms.map(({ name, title }) => [name, title]));
  entries = terms.map((term) => ({ term, part: entryPart(term, titles) }));
  byId("terms").replaceChildren(...entries.map(({ part }) => part));
  seek();
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

byId("word").addEventListener("input", seek);
byId("seek").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
// A link to a word that is not shown shows all again.
addEventListener("hashchange", () => {
  const part = document.getElementById(location.hash.slice(1));
  if (!part?.hidden) return;
  byId("word").value = "";
  seek();
  part.scrollIntoView();
});
attempt(begin);
