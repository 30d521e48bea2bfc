// @ts-check
/** Every note, star and tag of the library. */

import { call } from "/static/parts/api.js";
import { byId, el, fill } from "/static/parts/page.js";
import { fillForm, questionOf, trying } from "/static/library/shelf.js";

const form = /** @type {HTMLFormElement} */ (byId("ask"));

/** @param {any} mark */
function row(mark) {
  const where = mark.match === null ? "A position" : mark.game === null ? `Match ${mark.match}` : `Match ${mark.match}, game ${mark.game}, event ${mark.event}`;
  return el("div", { class: "mark-row" },
    el("div", {}, mark.star ? el("span", { class: "star", role: "img", "aria-label": "starred" }, "★ ") : null, el("a", { href: mark.address }, where), " ",
      ...mark.tags.map((/** @type {string} */ tag) => el("span", { class: "tag" }, tag))),
    mark.note ? el("p", {}, mark.note) : null);
}

async function list() {
  const question = questionOf(form);
  const told = await trying(() => call(`/library/marks?${new URLSearchParams(question)}`));
  if (!told) return;
  fill(byId("tag"), [["", "any"], ...Object.entries(told.tags).map(([tag, count]) => [tag, `${tag} (${count})`])], question.tag ?? "");
  byId("found").textContent = told.marks.length ? `${told.marks.length} place${told.marks.length === 1 ? "" : "s"}` : "Nothing yet.";
  byId("marks").replaceChildren(...told.marks.map(row));
}

const asked = new URLSearchParams(location.search);
fill(byId("tag"), [["", "any"], ...(asked.get("tag") ? [[String(asked.get("tag")), String(asked.get("tag"))]] : [])]);
fillForm(form, asked);
form.addEventListener("submit", (event) => { event.preventDefault(); list(); });
list();
