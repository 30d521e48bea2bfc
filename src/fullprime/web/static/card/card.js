// @ts-check
/** The score card of a match that is played here: fetched anew while it is looked at. */

import { byHand } from "/static/card/by-hand.js";
import { call, keyOf, Refusal } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

const EVERY = 5000;
const game = decodeURIComponent(location.pathname.split("/")[2] ?? "");
let shown = "";

/** @param {import("/static/parts/state").ScoreCard} card */
function show(card) {
  const [first, second] = card.names;
  document.title = `${first && second ? t`Score card: ${first} and ${second}` : t("Score card")} · Fullprime`;
  byId("about").textContent = card.title;
  byId("now").textContent = card.next
    ? `${first} ${card.score[0]}, ${second} ${card.score[1]}. ${card.next}.`
    : t("It can be printed and filled in by hand.");
  const rows = card.lines.map((line) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, String(line.game)),
      el("td", {}, String(line.score[0])),
      el("td", {}, String(line.score[1])),
      el(
        "td",
        {},
        `${card.names[line.winner === "X" ? 0 : 1]} +${line.points}: ${line.words}${line.note ? ` (${line.note})` : ""}`,
      ),
    ),
  );
  byId("now").classList.toggle("unbegun", !card.next);
  byId("games").replaceChildren(
    ...(rows.length ? [] : [el("p", { class: "unbegun" }, t("No game is finished yet"))]),
    el(
      "table",
      { class: rows.length ? "" : "by-hand" },
      el("caption", {}, t("Running score")),
      el(
        "thead",
        {},
        el("tr", {}, ...[t("Game"), first, second, t("Won by")].map((head) => el("th", { scope: "col" }, head))),
      ),
      el("tbody", {}, ...rows, ...byHand(rows.length, card.rows, 2)),
    ),
  );
  byId("settlement").hidden = !card.settlement.length || !rows.length;
  byId("payments").replaceChildren(...card.settlement.map((words) => el("li", {}, words)));
}

async function refresh() {
  try {
    const card = await call(`/games/${encodeURIComponent(game)}/card`, undefined, keyOf(game));
    byId("problem").textContent = "";
    const text = JSON.stringify(card);
    if (text !== shown) show(card);
    shown = text;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("problem").textContent = error.message;
    if (!shown) byId("now").textContent = "";
  }
}

byId("to-game").href = `/game/${encodeURIComponent(game)}`;
byId("print").addEventListener("click", () => print());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) refresh();
});
setInterval(() => {
  if (!document.hidden) refresh();
}, EVERY);
refresh();
