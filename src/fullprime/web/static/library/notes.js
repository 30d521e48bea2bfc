// @ts-check
/** Every note, star and tag of the library. */

import { call } from "/static/parts/api.js";
import { byId, el, fill } from "/static/parts/page.js";
import { fillForm, momentWords, questionOf, trying } from "/static/library/shelf.js";
import { plural, t } from "/static/parts/texts.js";

const form = /** @type {HTMLFormElement} */ (byId("ask"));

/** @param {any} mark */
function row(mark) {
  const where = mark.match === null ? t("A position") : mark.game === null ? t`Match ${String(mark.match)}` : momentWords(t`Match ${String(mark.match)}, game ${mark.game}, move ${mark.move}`, mark.dice, mark.deed);
  return el("div", { class: "mark-row" },
    el("div", {}, mark.star ? el("span", { class: "star", role: "img", "aria-label": t("starred") }, "★ ") : null, el("a", { href: mark.address }, where), " ",
      ...mark.tags.map((/** @type {string} */ tag) => el("span", { class: "tag" }, tag))),
    mark.note ? el("p", {}, mark.note) : null);
}

async function list() {
  const question = questionOf(form);
  const told = await trying(() => call(`/library/marks?${new URLSearchParams(question)}`));
  if (!told) return;
  fill(byId("tag"), [["", t("any")], ...Object.entries(told.tags).map(([tag, count]) => [tag, `${tag} (${count})`])], question.tag ?? "");
  byId("found").textContent = told.marks.length ? plural(told.marks.length, "{n} place", "{n} places") : t("Nothing yet.");
  byId("marks").replaceChildren(...told.marks.map(row));
}

const asked = new URLSearchParams(location.search);
fill(byId("tag"), [["", t("any")], ...(asked.get("tag") ? [[String(asked.get("tag")), String(asked.get("tag"))]] : [])]);
fillForm(form, asked);
form.addEventListener("submit", (event) => { event.preventDefault(); list(); });
list();
