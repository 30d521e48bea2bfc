// @ts-check
/** The laboratory: the effect of house rules, by games of the engine against itself. */

import { addressOf, houseFrom, nameWords, valueWords } from "/static/house/options.js";
import { call, Refusal } from "/static/parts/api.js";
import { Job, stateWords } from "/static/parts/jobs.js";
import { byId, el } from "/static/parts/page.js";
import { decimal, plural, t } from "/static/parts/texts.js";
import { MINUS } from "/static/parts/words.js";

const house = houseFrom(new URLSearchParams(location.search));
/** @type {Job | null} */
let job = null;

const ROWS = /** @type {[string, string, number, number][]} */ ([
  ["opener", t("Opener, points a game"), 1, 3],
  ["opener_wins", t("Opener wins, %"), 100, 1],
  ["gammons", t("Gammons, %"), 100, 1],
  ["backgammons", t("Backgammons, %"), 100, 1],
  ["drops", t("Dropped doubles, %"), 100, 1],
  ["rolls", t("Rolls a game"), 1, 1],
  ["size", t("Points a game"), 1, 3],
]);

/** @param {{value: number, margin: number}} found @param {number} scale @param {number} digits */
const figure = ({ value, margin }, scale, digits) =>
  `${decimal(value * scale, digits).replace("-", MINUS)} ±\u00a0${decimal(margin * scale, digits)}`;

/** @param {any} result */
function show(result) {
  byId("found").hidden = false;
  byId("findings").replaceChildren(
    ...result.findings.map((/** @type {any} */ finding) =>
      el("li", { class: finding.clear ? "changed-much" : "" }, finding.words),
    ),
  );
  byId("figures").replaceChildren(
    el(
      "table",
      {},
      el(
        "caption",
        {},
        plural(result.house.games, "{1}, {n} game of each kind", "{1}, {n} games of each kind", t(result.title)),
      ),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ...["", t("Without"), t("With")].map((text, at) =>
            at ? el("th", { scope: "col" }, text) : el("td", {}, ""),
          ),
        ),
      ),
      el(
        "tbody",
        {},
        ...ROWS.map(([name, text, scale, digits]) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, text),
            el("td", {}, figure(result.usual[name], scale, digits)),
            el("td", {}, figure(result.house[name], scale, digits)),
          ),
        ),
      ),
    ),
  );
}

/** @param {any} state */
function showProgress(state) {
  const { progress } = state;
  const bar = byId("progress");
  if (!progress) {
    byId("said").textContent = stateWords(state);
    return;
  }
  const left = progress.done ? Math.round(progress.seconds * (progress.of / progress.done - 1)) : 0;
  byId("said").textContent = t`${progress.done} of ${progress.of} games, about ${left} s more`;
  bar.max = progress.of;
  bar.value = progress.done;
}

async function run() {
  byId("problem").textContent = "";
  byId("run").disabled = true;
  byId("stop").hidden = byId("work").hidden = false;
  try {
    job = new Job(
      "/house/lab",
      {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ variant: house.variant, rules: house.rules, games: Number(byId("games").value) }),
      },
      showProgress,
    );
    const state = await job.done;
    if (state?.result) show(state.result);
    else byId("problem").textContent = state?.error ?? t("Stopped before there were games to compare.");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("problem").textContent = error.message;
  } finally {
    byId("run").disabled = false;
    byId("stop").hidden = byId("work").hidden = true;
  }
}

byId("run").addEventListener("click", run);
byId("stop").addEventListener("click", () => job?.stop());
byId("to-house").href = addressOf(house);
call(addressOf({ ...house, name: "" }, "/house"))
  .then((answer) => {
    const differs = Object.entries(answer.rules).map(
      ([name, value]) => `${nameWords(name)}: ${valueWords(String(value))}`,
    );
    house.rules = answer.rules;
    byId("rules-words").textContent =
      `${house.name ? `${house.name}, ` : ""}${answer.title}. ${differs.length ? t`Looked at: ${differs.join("; ")}.` : t("Everything is as usual here: change an option first.")}`;
    byId("run").disabled = !differs.length;
    // Where there is nothing to compare, the way on is to the options.
    byId("to-house").className = `button ${differs.length ? "plain" : "primary"}`;
    byId("run").className = differs.length ? "primary" : "";
  })
  .catch((error) => {
    if (!(error instanceof Refusal)) throw error;
    byId("problem").textContent = error.message;
  });
