// @ts-check
/** Where a player loses: charts by everything that was judged, and the themes of the errors with their drills. */

import { call } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { bars, course, rowsOf } from "/static/library/charts.js";
import { fillForm, questionOf, trying } from "/static/library/shelf.js";
import { plural, t } from "/static/parts/texts.js";
import { signed, thrown } from "/static/parts/words.js";

const form = /** @type {HTMLFormElement} */ (byId("ask"));
/** The groups that are shown: title, head of the table, field of the answer, most rows. @type {[string, string, string, number][]} */
const GROUPS = [[t("PR by kind of decision"), t("Kind"), "kinds", 9], [t("PR by phase"), t("Phase"), "stages", 9], [t("PR by plan"), t("Plan"), "plans", 9],
  [t("PR by score, points away"), t("Score"), "scores", 10], [t("PR in the opening, by first roll"), t("Roll"), "openings", 42]];

/** @param {{counted: number, errors: number, blunders: number}} rate */
const countWords = ({ counted, errors, blunders }) => [plural(counted, "{1} decision", "{1} decisions", counted), plural(errors, "{n} error", "{n} errors"), plural(blunders, "{n} blunder", "{n} blunders")].join(", ");

/** @param {any} rate */
const rateWords = (rate) => (rate.pr === null ? t("no decisions counted") : t`PR ${rate.pr.toFixed(2)}${rate.interval ? t` (95 %: ${rate.interval[0].toFixed(2)} to ${rate.interval[1].toFixed(2)})` : ""} over ${countWords(rate)}`);

/** A kind, a phase, a plan, a score or a first roll as people read it. @param {string} name */
function shown(name) {
  const score = /^(\d+)-away (\d+)-away$/.exec(name), roll = /^(against )?([1-6])([1-6])$/.exec(name);
  return score ? t`${score[1]}-away ${score[2]}-away` : roll ? (roll[1] ? t`against ${thrown([+roll[2], +roll[3]])}` : thrown([+roll[2], +roll[3]])) : t(name);
}

/** @param {string} theme @param {number} times @param {number} cost */
const costWords = (theme, times, cost) => t`${theme}: ${times === 1 ? t("once") : times === 2 ? t("twice") : plural(times, "{n} time", "{n} times")}, ${cost.toFixed(2)} points`;

/** @param {string} player @param {any} each */
function themeItem(player, each) {
  const drill = el("button", { type: "button", "aria-label": t`Drill: ${t(each.theme)}` }, t("Drill"));
  drill.addEventListener("click", async () => {
    const found = await trying(() => call("/library/cards", { player, theme: each.theme }));
    if (found) location.href = `/drill/cards?${new URLSearchParams(found.numbers.map((/** @type {number} */ number) => ["first", String(number)]))}`;
  });
  return el("li", {}, el("a", { href: `/library/search?${new URLSearchParams({ player, theme: each.theme })}` }, costWords(t(each.theme), each.times, each.cost)), el("span", { class: "grow" }), drill);
}

/** @param {any} told */
function show(told) {
  document.title = `${told.player} · Fullprime`;
  byId("title").textContent = t`${told.player}: where one loses`;
  const { record } = told, also = told.names.filter((/** @type {string} */ name) => name !== told.player);
  byId("record").textContent = t`${plural(record.matches, "{n} match", "{n} matches")}, ${record.won} won, ${record.lost} lost; games ${record.games_won}–${record.games_lost}, gammons ${record.gammons_won}–${record.gammons_lost}.${also.length ? t` Also ${also.join(", ")}.` : ""}`;
  byId("overall").textContent = told.reviewed ? t`${rateWords(told.overall)}; ${plural(told.reviewed, "{n} match reviewed", "{n} matches reviewed")}${told.luck === null ? "" : t`, luck ${signed(told.luck)} a match`}.` : t("No match has been reviewed: the library's page reviews them.");
  byId("old").textContent = told.old ? plural(told.old, "{n} review of an older version is not in these figures yet: “Review those without” on the library's page brings it up to date.", "{n} reviews of an older version are not in these figures yet: “Review those without” on the library's page brings them up to date.") : "";
  byId("themes").hidden = !told.themes.length;
  byId("theme-list").replaceChildren(...told.themes.map((/** @type {any} */ each) => themeItem(told.player, each)));
  const periods = rowsOf(told.periods);
  byId("time").hidden = !periods.length;
  byId("time-chart").replaceChildren(...(periods.length ? [course(t("PR over time"), periods)] : []));
  const opponents = Object.fromEntries(Object.entries(told.opponents).map(([name, each]) => [`${name} (${each.record.won}–${each.record.lost})`, each.rate]));
  const found = [...GROUPS.map(([title, head, field, most]) => /** @type {const} */ ([title, head, rowsOf(told[field]).slice(0, most).map((row) => ({ ...row, name: shown(row.name) }))])), /** @type {const} */ ([t("PR by opponent"), t("Opponent"), rowsOf(opponents)])];
  const charts = found.filter(([, , rows]) => rows.length).map(([title, head, rows]) => bars(title, head, rows));
  if (told.errors.length) charts.push(errors(told.errors));
  byId("charts").replaceChildren(...charts);
  byId("groups").hidden = !charts.length;
}

/** Kinds of error, the costliest first. @param {any[]} found */
function errors(found) {
  return el("div", { class: "figure" }, el("h3", {}, t("The costliest kinds of error")), el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, ...[t("Kind"), t("Lost"), t("Times"), t("Of")].map((word) => el("th", { scope: "col" }, word)))),
    el("tbody", {}, ...found.slice(0, 12).map((each) => el("tr", {}, el("th", { scope: "row" }, t(each.kind)), el("td", {}, each.loss.toFixed(2)), el("td", {}, String(each.made)), el("td", {}, String(each.of))))))));
}

async function load() {
  const question = questionOf(form);
  const told = await trying(() => call(`/library/statistics?${new URLSearchParams(question)}`));
  if (!told) return;
  history.replaceState(null, "", `/library/player?${new URLSearchParams(question)}`);
  show(told);
}

const asked = Object.fromEntries(new URLSearchParams(location.search));
fillForm(form, { by: "month", ...asked });
form.addEventListener("submit", (event) => { event.preventDefault(); load(); });
load();
