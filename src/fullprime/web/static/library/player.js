// @ts-check
/** Where a player loses: charts by kind, phase, plan, score and opening, and the themes of the errors with their drills. */

import { bars, course, rowsOf } from "/static/library/charts.js";
import { attempt, fillForm, questionOf } from "/static/library/shelf.js";
import { call } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { decimal, plural, t } from "/static/parts/texts.js";
import { signed, thrown } from "/static/parts/words.js";

const form = /** @type {HTMLFormElement} */ (byId("ask"));
/**
 * The groups that are shown: title, head of the table, field of the answer, most rows.
 * @type {[string, string, string, number][]}
 */
const GROUPS = [
  [t("PR by kind of decision"), t("Kind"), "kinds", 9],
  [t("PR by phase"), t("Phase"), "stages", 9],
  [t("PR by plan"), t("Plan"), "plans", 9],
  [t("PR by score, points away"), t("Score"), "scores", 10],
  [t("PR in the opening, by first roll"), t("Roll"), "openings", 42],
];

/** @param {{counted: number, errors: number, blunders: number}} rate */
const countWords = ({ counted, errors, blunders }) =>
  [
    plural(counted, "{1} decision", "{1} decisions", counted),
    plural(errors, "{n} error", "{n} errors"),
    plural(blunders, "{n} blunder", "{n} blunders"),
  ].join(", ");

/** @param {any} rate */
const rateWords = (rate) =>
  rate.pr === null
    ? t("no decisions counted")
    : t`PR ${decimal(rate.pr, 2)}${rate.interval ? t` (95 %: ${decimal(rate.interval[0], 2)} to ${decimal(rate.interval[1], 2)})` : ""} over ${countWords(rate)}`;

/** A kind, a phase, a plan, a score or a first roll as people read it. @param {string} name */
function groupName(name) {
  const score = /^(\d+)-away (\d+)-away$/.exec(name);
  const roll = /^(against )?([1-6])([1-6])$/.exec(name);
  return score
    ? t`${score[1]}-away ${score[2]}-away`
    : roll
      ? roll[1]
        ? t`against ${thrown([+roll[2], +roll[3]])}`
        : thrown([+roll[2], +roll[3]])
      : t(name);
}

/** @param {string} theme @param {number} times @param {number} cost */
const costWords = (theme, times, cost) =>
  t`${theme}: ${times === 1 ? t("once") : times === 2 ? t("twice") : plural(times, "{n} time", "{n} times")}, ${decimal(cost, 2)} points`;

/** @param {string} player @param {any} theme */
function themeItem(player, theme) {
  const drill = el("button", { type: "button", "aria-label": t`Drill: ${t(theme.theme)}` }, t("Drill"));
  drill.addEventListener("click", async () => {
    const cards = await attempt(() => call("/library/cards", { player, theme: theme.theme }));
    if (cards)
      location.href = `/drill/cards?${new URLSearchParams(cards.numbers.map((/** @type {number} */ number) => ["first", String(number)]))}`;
  });
  return el(
    "li",
    {},
    el(
      "a",
      { href: `/library/search?${new URLSearchParams({ player, theme: theme.theme })}` },
      costWords(t(theme.theme), theme.times, theme.cost),
    ),
    el("span", { class: "grow" }),
    drill,
  );
}

/** @param {any} statistics */
function show(statistics) {
  document.title = `${statistics.player} · Fullprime`;
  byId("title").textContent = t`${statistics.player}: where one loses`;
  const { record } = statistics;
  const also = statistics.names.filter((/** @type {string} */ name) => name !== statistics.player);
  byId("record").textContent =
    t`${plural(record.matches, "{n} match", "{n} matches")}, ${record.won} won, ${record.lost} lost; games ${record.games_won}–${record.games_lost}, gammons ${record.gammons_won}–${record.gammons_lost}.${also.length ? t` Also ${also.join(", ")}.` : ""}`;
  byId("overall").textContent = statistics.reviewed
    ? t`${rateWords(statistics.overall)}; ${plural(statistics.reviewed, "{n} match reviewed", "{n} matches reviewed")}${statistics.luck === null ? "" : t`, luck ${signed(statistics.luck)} a match`}.`
    : t("No match has been reviewed: the library's page reviews them.");
  byId("old").textContent = statistics.old
    ? plural(
        statistics.old,
        "{n} review of an older version is not in these figures yet: “Review those without” on the library's page brings it up to date.",
        "{n} reviews of an older version are not in these figures yet: “Review those without” on the library's page brings them up to date.",
      )
    : "";
  byId("themes").hidden = !statistics.themes.length;
  byId("theme-list").replaceChildren(
    ...statistics.themes.map((/** @type {any} */ theme) => themeItem(statistics.player, theme)),
  );
  const periods = rowsOf(statistics.periods);
  byId("time").hidden = !periods.length;
  byId("time-chart").replaceChildren(...(periods.length ? [course(t("PR over time"), periods)] : []));
  const opponents = Object.fromEntries(
    Object.entries(statistics.opponents).map(([name, opponent]) => [
      `${name} (${opponent.record.won}–${opponent.record.lost})`,
      opponent.rate,
    ]),
  );
  const groups = [
    ...GROUPS.map(
      ([title, head, field, most]) =>
        /** @type {const} */ ([
          title,
          head,
          rowsOf(statistics[field])
            .slice(0, most)
            .map((row) => ({ ...row, name: groupName(row.name) })),
        ]),
    ),
    /** @type {const} */ ([t("PR by opponent"), t("Opponent"), rowsOf(opponents)]),
  ];
  const charts = groups.filter(([, , rows]) => rows.length).map(([title, head, rows]) => bars(title, head, rows));
  if (statistics.errors.length) charts.push(errorTable(statistics.errors));
  byId("charts").replaceChildren(...charts);
  byId("groups").hidden = !charts.length;
}

/** Kinds of error, the costliest first. @param {any[]} kinds */
function errorTable(kinds) {
  return el(
    "div",
    { class: "figure" },
    el("h3", {}, t("The costliest kinds of error")),
    el(
      "div",
      { class: "scroll" },
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el("tr", {}, ...[t("Kind"), t("Lost"), t("Times"), t("Of")].map((word) => el("th", { scope: "col" }, word))),
        ),
        el(
          "tbody",
          {},
          ...kinds
            .slice(0, 12)
            .map((kind) =>
              el(
                "tr",
                {},
                el("th", { scope: "row" }, t(kind.kind)),
                el("td", {}, decimal(kind.loss, 2)),
                el("td", {}, String(kind.made)),
                el("td", {}, String(kind.of)),
              ),
            ),
        ),
      ),
    ),
  );
}

async function load() {
  const question = questionOf(form);
  const statistics = await attempt(() => call(`/library/statistics?${new URLSearchParams(question)}`));
  if (!statistics) return;
  history.replaceState(null, "", `/library/player?${new URLSearchParams(question)}`);
  show(statistics);
}

const parameters = Object.fromEntries(new URLSearchParams(location.search));
fillForm(form, { by: "month", ...parameters });
form.addEventListener("submit", (event) => {
  event.preventDefault();
  load();
});
load();
