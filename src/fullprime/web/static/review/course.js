// @ts-check
/** The parts about a whole match beside its board: the luck, the graph, and the summary. */

import { make } from "/static/board/picture.js";
import { el } from "/static/parts/page.js";
import { decimal, plural, t } from "/static/parts/texts.js";
import { signed } from "/static/parts/words.js";
import { isError, plyButton } from "/static/review/plies.js";

/** @typedef {import("/static/review/plies.js").Ply} Ply */
/** A roll is lucky from here, as in reports. */
const LUCKY = 0.3;
const MOST = 14;
const WIDTH = 400;
const HEIGHT = 150;
const EDGE = 14;

/**
 * The luck of both, and the rolls that were luckiest and unluckiest.
 * @param {any} match
 * @param {(at: number) => void} go
 */
export function luck(match, go) {
  const rolls = match.plies
    .map((/** @type {Ply} */ ply, /** @type {number} */ at) => ({ ply, at }))
    .filter(({ ply }) => ply.luck !== null);
  const total = match.players.map((/** @type {string} */ name, /** @type {number} */ index) =>
    el(
      "p",
      {},
      t`${name}: ${signed(
        rolls.reduce((sum, { ply }) => sum + (ply.player === (index ? "O" : "X") ? ply.luck : 0), 0),
        2,
      )} by the dice`,
    ),
  );
  const special = rolls
    .filter(({ ply }) => Math.abs(ply.luck) >= LUCKY)
    .sort((a, b) => Math.abs(b.ply.luck) - Math.abs(a.ply.luck))
    .slice(0, MOST);
  const rows = special.map(({ ply, at }) => {
    const button = plyButton(ply, match.players[ply.player === "X" ? 0 : 1], false, () => go(at));
    button.tabIndex = 0;
    return el(
      "tr",
      {},
      el("td", {}, ply.number),
      el("td", {}, match.players[ply.player === "X" ? 0 : 1]),
      el("td", {}, button),
      el("td", {}, signed(ply.luck)),
    );
  });
  const table = el(
    "table",
    {},
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ...[t("Roll // a throw of the dice"), t("Player"), t("Play // of the checkers"), t("Luck")].map((head) =>
          el("th", { scope: "col" }, head),
        ),
      ),
    ),
    el("tbody", {}, ...rows),
  );
  return el(
    "div",
    {},
    ...total,
    ...(rows.length ? [table] : [el("p", { class: "hint" }, t("No roll was very lucky or unlucky."))]),
  );
}

/**
 * The course of the match: how X stood before every roll, and the errors; a press goes to the ply.
 * @param {any} match
 * @param {number} here
 * @param {(at: number) => void} go
 */
export function graph(match, here, go) {
  const { plies, length } = match;
  const last = Math.max(1, plies.length - 1);
  const values = plies
    .map((/** @type {Ply} */ ply) => ply.standing)
    .filter((/** @type {number | null} */ value) => value !== null);
  const most = length ? 1 : Math.max(1, ...values.map(Math.abs));
  const least = length ? 0 : -most;
  const x = (/** @type {number} */ at) => EDGE + ((WIDTH - 2 * EDGE) * at) / last;
  const y = (/** @type {number} */ value) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value - least)) / (most - least);
  const line = plies
    .flatMap((/** @type {Ply} */ ply, /** @type {number} */ at) =>
      ply.standing === null ? [] : [`${x(at).toFixed(1)} ${y(ply.standing).toFixed(1)}`],
    )
    .join("L");
  const faults = plies.flatMap((/** @type {Ply} */ ply, /** @type {number} */ at) =>
    isError(ply)
      ? [
          make("circle", {
            cx: x(at),
            cy: ply.player === "X" ? HEIGHT - 5 : 5,
            r: ply.verdict === "blunder" ? 4 : 2.5,
            class: ply.verdict === "doubtful" ? "small" : "fault",
          }),
        ]
      : [],
  );
  const middle = y(length ? 0.5 : 0);
  const svg = make(
    "svg",
    {
      class: "course",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": length
        ? t`How ${match.players[0]} stood: the chance to win the match`
        : t`How ${match.players[0]} stood: points of the stake`,
    },
    make("line", { class: "axis", x1: EDGE, x2: WIDTH - EDGE, y1: middle, y2: middle }),
    ...(line ? [make("path", { class: "line", d: `M${line}` })] : []),
    ...faults,
    make("line", { class: "here", x1: x(here), x2: x(here), y1: 0, y2: HEIGHT }),
  );
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const { clientX } = /** @type {MouseEvent} */ (event);
    const share = (((clientX - box.left) / box.width) * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
    go(Math.max(0, Math.min(last, Math.round(share * last))));
  });
  const place = el(
    "div",
    {},
    el(
      "p",
      { class: "hint" },
      length
        ? t`The chance of ${match.players[0]} to win the match. Below: errors of ${match.players[0]}, above: of ${match.players[1]}.`
        : t`Points of ${match.players[0]}. Below: errors of ${match.players[0]}, above: of ${match.players[1]}.`,
    ),
  );
  place.append(svg);
  return place;
}

/**
 * Both players in figures, and the ways on.
 * @param {any} match
 * @param {string} report its address
 * @param {string | null} review the address of a review by itself, whose errors are drilled as they stand
 */
export function summary(match, report, review) {
  const rows = /** @type {[string, (rating: any) => string][]} */ ([
    [t("PR"), (rating) => (rating.pr === null ? "–" : decimal(rating.pr, 2))],
    [
      t("Interval of 95 %"),
      (rating) =>
        rating.interval ? rating.interval.map((/** @type {number} */ end) => decimal(end, 1)).join("–") : "–",
    ],
    [t("Decisions"), (rating) => String(rating.counted)],
    [t("Errors"), (rating) => String(rating.errors)],
    [t("Blunders"), (rating) => String(rating.blunders)],
    [t("Luck"), (rating) => (rating.luck === null ? "–" : signed(rating.luck, 2))],
  ]);
  const table = el(
    "table",
    {},
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("td", {}),
        ...match.players.map((/** @type {string} */ name) => el("th", { scope: "col" }, name)),
      ),
    ),
    el(
      "tbody",
      {},
      ...rows.map(([name, give]) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, name),
          ...["X", "O"].map((side) => el("td", {}, give(match.ratings[side]))),
        ),
      ),
    ),
  );
  const [, , job, number] = review?.split("/") ?? [];
  const drill = job
    ? ["X", "O"].map((side, index) =>
        el(
          "p",
          {},
          el(
            "a",
            { href: `/mistakes?${new URLSearchParams({ review: job, match: number, player: side })}` },
            t`Drill the errors of ${match.players[index]}`,
          ),
        ),
      )
    : match.players.map((/** @type {string} */ name) =>
        el(
          "p",
          {},
          el("a", { href: `/library/player?${new URLSearchParams({ player: name })}` }, t`Drill the errors of ${name}`),
        ),
      );
  return el(
    "div",
    {},
    table,
    el(
      "p",
      { class: "hint" },
      plural(match.decisions, "{n} decision judged at level {1}.", "{n} decisions judged at level {1}.", match.level),
    ),
    ...drill,
    el("p", {}, el("a", { href: report }, t("The report: themes, every board, saving"))),
  );
}
