// @ts-check
/** Boards and decisions searched: by conditions, by a pattern, by a position that is drawn; searches kept by name. */

import { AT_REST } from "/static/board/drawn-board.js";
import { Editor } from "/static/board/editor.js";
import { onOrientation, smallShape } from "/static/board/layout.js";
import { attempt, boardItem, fillForm, matchItem, questionOf } from "/static/library/shelf.js";
import { call } from "/static/parts/api.js";
import { byId, el, fill } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { plural, t } from "/static/parts/texts.js";

const form = /** @type {HTMLFormElement} */ (byId("ask"));
let shown = 0;

// -- drawing ----------------------------------------------------------------------------------------------------
const empty = () => ({ X: [15, ...Array(26).fill(0)], O: [15, ...Array(26).fill(0)] });
/** @type {{X: number[], O: number[]}} */
let rows = empty();
const editor = new Editor(byId("board"), {}, (changed, trouble) => {
  if (trouble) {
    byId("problem").textContent = trouble;
    return;
  }
  rows = changed;
  draw();
  byId("pattern").value = pattern();
});
editor.editing = true;

/** The drawn checkers as a pattern. */
function pattern() {
  const loose = byId("rest").checked;
  const side = (/** @type {number[]} */ row) => {
    const words = [];
    for (let slot = 25; slot >= 1; slot--)
      if (row[slot]) words.push(`${slot === 25 ? "bar" : slot}:${row[slot]}${loose ? "+" : ""}`);
    if (loose) words.push("*");
    return words.join(" ");
  };
  return `${side(rows.X)} / ${side(rows.O)}`;
}

function draw() {
  const look = preferences.read();
  editor.draw({
    rows,
    bottom: "X",
    mover: "X",
    you: false,
    hand: false,
    names: { X: t("X, on roll"), O: "O" },
    shape: smallShape(),
    homeLeft: look.home === "left",
    numbers: look.numbers,
    last: [],
    arrows: [],
    dice: [],
    cube: null,
    ...AT_REST,
  });
}

byId("draw").addEventListener("toggle", () => {
  if (byId("draw").open) draw();
});
onOrientation(draw);
byId("rest").addEventListener("change", () => {
  byId("pattern").value = pattern();
});
byId("empty").addEventListener("click", () => {
  rows = empty();
  draw();
  byId("pattern").value = "";
});
for (const button of document.querySelectorAll("[data-brush]")) {
  button.addEventListener("click", () => {
    editor.brush = /** @type {HTMLElement} */ (button).dataset.brush ?? "";
    for (const other of document.querySelectorAll("[data-brush]"))
      other.setAttribute("aria-pressed", String(other === button));
  });
}

// -- searching --------------------------------------------------------------------------------------------------
/** Conditions on a board or a decision; the others are conditions on a match. */
const OF_BOARDS = ["pattern", "dice", "kind", "stage", "verdict", "theme", "plan", "loss"];

/** @param {boolean} more */
async function search(more) {
  const question = questionOf(form);
  const offset = more ? shown : 0;
  const ofBoards = OF_BOARDS.some((name) => question[name]);
  const answer = await attempt(() =>
    call(`/library/${ofBoards ? "boards" : "matches"}?${new URLSearchParams({ ...question, offset: String(offset) })}`),
  );
  if (!answer) return;
  history.replaceState(null, "", `/library/search?${new URLSearchParams(question)}`);
  const items = ofBoards
    ? answer.boards.map(boardItem)
    : answer.matches.map((/** @type {any} */ match) => matchItem(match, answer.marks[match.match]));
  byId("boards").className = ofBoards ? "boards" : "games";
  if (more) byId("boards").append(...items);
  else byId("boards").replaceChildren(...items);
  shown = offset + items.length;
  byId("results").hidden = false;
  const boards = () =>
    shown
      ? answer.more
        ? plural(shown, "{n} board, and there are more", "{n} boards, and there are more")
        : plural(shown, "{n} board", "{n} boards")
      : t("No board like that");
  byId("found").textContent = ofBoards ? boards() : plural(answer.found, "{n} match", "{n} matches");
  byId("more").hidden = ofBoards ? !answer.more : shown >= answer.found;
  if (!more) byId("found").focus({ preventScroll: false });
}

// -- saved searches ---------------------------------------------------------------------------------------------
/** @param {Record<string, Record<string, string>>} searches */
function showSaved(searches) {
  byId("saved").replaceChildren(
    ...Object.entries(searches).map(([name, question]) =>
      el(
        "li",
        {},
        el("a", { href: `/library/search?${new URLSearchParams(question)}` }, name),
        el(
          "span",
          { class: "hint" },
          Object.entries(question)
            .map(([key, value]) => `${key} ${value}`)
            .join(", "),
        ),
        el(
          "button",
          { type: "button", class: "quiet", "aria-label": t`Forget ${name}`, onclick: () => keep(name, {}) },
          t("Forget"),
        ),
      ),
    ),
  );
}

/** @param {string} name @param {Record<string, string>} question */
async function keep(name, question) {
  const library = await attempt(() => call("/library/searches", { name, question }));
  if (library) showSaved(library.searches);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  search(false);
});
byId("more").addEventListener("click", () => search(true));
byId("save").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const name = byId("save-name").value.trim();
  if (name) keep(name, questionOf(form));
});

const [about, library] = [await attempt(() => call("/library")), await attempt(() => call("/library/collections"))];
for (const [id, words] of [
  ["kind", about?.words.kind],
  ["theme", about?.words.theme],
  ["plan", about?.words.plan],
  ["stage", about?.words.stage],
  ["verdict", about?.words.verdicts],
]) {
  fill(byId(id), [["", t("any")], ...(words ?? []).map((/** @type {string} */ word) => [word, t(word)])]);
}
fillForm(form, new URLSearchParams(location.search));
if (library) showSaved(library.searches);
if (location.search.length > 1) search(false);
