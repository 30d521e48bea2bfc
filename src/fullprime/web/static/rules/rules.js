// @ts-check
/** The rules of a game, or of the very game that is played, with the options in force. */

import { call, keyOf } from "/static/parts/api.js";
import { attempt } from "/static/parts/attempt.js";
import { picture } from "/static/parts/mini.js";
import { byId, el, fill } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";
import { capital } from "/static/parts/words.js";

const parameters = new URLSearchParams(location.search);
const game = parameters.get("game");

/** @param {string} name */
const words = (name) => t(capital(name.replaceAll("_", " ")));

/** @param {any} section @param {number} index */
function part(section, index) {
  return el(
    "section",
    { class: "card", "aria-labelledby": `part-${index}` },
    el("h2", { id: `part-${index}` }, t(section.title)),
    el(
      "div",
      { class: "part" },
      el("div", { "data-terms": true }, ...section.sentences.map((/** @type {string} */ text) => el("p", {}, text))),
      el(
        "div",
        { class: "boards" },
        ...section.boards.map((/** @type {any} */ board) =>
          el("figure", {}, picture(board.points, ""), el("figcaption", {}, board.words)),
        ),
      ),
    ),
  );
}

/** @param {any} rules */
function show(rules) {
  byId("title").textContent = t`Rules of ${t(rules.title)}`;
  document.title = `${t`Rules of ${t(rules.title)}`} · Fullprime`;
  byId("played-for").textContent = game
    ? t`This game is: ${rules.played_for}.`
    : t`As played here: ${rules.played_for}.`;
  byId("tour").href = `/learn/${rules.tour ?? "first-game"}`;
  byId("otherwise").href =
    `/house?${new URLSearchParams([["variant", rules.variant], ...parameters.getAll("rule").map((rule) => ["rule", rule])])}`;
  byId("sections").replaceChildren(...rules.sections.map(part));
  byId("in-force").replaceChildren(
    ...rules.options.flatMap((/** @type {any} */ option) => [
      el("dt", {}, `${words(option.name)}: ${t(option.value.replaceAll("_", " ").replaceAll("+", ", then "))}`),
      el("dd", { "data-terms": true }, `${t(option.words)} ${t(option.consequence)}`),
    ]),
  );
  byId("options").hidden = false;
  byId("variant").value = rules.variant;
  const at = location.hash.slice(1);
  if (at) document.getElementById(at)?.scrollIntoView();
}

async function begin() {
  const { variants } = await call("/options");
  fill(
    byId("variant"),
    Object.entries(variants).map(([name, { title }]) => [name, t(title)]),
    null,
  );
  if (game) {
    byId("back").href = `/game/${encodeURIComponent(game)}`;
    byId("back").hidden = false;
  }
  show(
    await (game
      ? call(`/games/${encodeURIComponent(game)}/rules`, undefined, keyOf(game))
      : call(`/rules?${parameters}`)),
  );
}

byId("variant").addEventListener("change", () => {
  location.href = `/rules?variant=${byId("variant").value}`;
});
byId("choose").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
attempt(begin);
