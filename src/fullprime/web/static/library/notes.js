// @ts-check
/** Every note, star and tag of the library. */

import { attempt, fillForm, momentWords, questionOf } from "/static/library/shelf.js";
import { call } from "/static/parts/api.js";
import { byId, el, fill } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";
import { versus } from "/static/parts/words.js";

const form = /** @type {HTMLFormElement} */ (byId("ask"));

/** @param {any} mark */
function row(mark) {
  const where =
    mark.match === null
      ? t("A position")
      : mark.game === null
        ? versus(mark.names)
        : momentWords(`${versus(mark.names)}, ${t`game ${mark.game}, move ${mark.move}`}`, mark.dice, mark.deed);
  return el(
    "div",
    { class: "mark-row" },
    el(
      "div",
      {},
      mark.star ? el("span", { class: "star", role: "img", "aria-label": t("starred") }, "★ ") : null,
      el("a", { href: mark.address }, where),
      " ",
      ...mark.tags.map((/** @type {string} */ tag) => el("span", { class: "tag" }, tag)),
    ),
    mark.note ? el("p", {}, mark.note) : null,
  );
}

async function list() {
  const question = questionOf(form);
  const answer = await attempt(() => call(`/library/marks?${new URLSearchParams(question)}`));
  if (!answer) return;
  fill(
    byId("tag"),
    [["", t("any")], ...Object.entries(answer.tags).map(([tag, count]) => [tag, `${tag} (${count})`])],
    question.tag ?? "",
  );
  byId("found").textContent = answer.marks.length
    ? plural(answer.marks.length, "{n} place", "{n} places")
    : t("Nothing yet.");
  byId("marks").replaceChildren(...answer.marks.map(row));
}

const parameters = new URLSearchParams(location.search);
fill(byId("tag"), [
  ["", t("any")],
  ...(parameters.get("tag") ? [[String(parameters.get("tag")), String(parameters.get("tag"))]] : []),
]);
fillForm(form, parameters);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  list();
});
list();
