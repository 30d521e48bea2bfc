// @ts-check
/** Charts as SVG, with a table behind each: bars with their 95 % intervals, and a course over time. */

import { el } from "/static/parts/page.js";
import { decimal, number, plural, t } from "/static/parts/texts.js";

const NS = "http://www.w3.org/2000/svg";

/**
 * @typedef {{name: string, pr: number | null, interval: number[] | null, counted: number, loss: number, errors: number, blunders: number}} Row
 */

/** @param {string} name @param {Record<string, string | number>} attributes @param {(Node | string)[]} children */
function make(name, attributes, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Rates by name as rows. @param {Record<string, any>} rates @returns {Row[]} */
export const rowsOf = (rates) =>
  Object.entries(rates)
    .map(([name, rate]) => ({ name, ...rate }))
    .filter((row) => row.pr !== null);

const figure = (/** @type {number | null} */ value) => (value === null ? "–" : decimal(value, 1));
const span = (/** @type {number[] | null} */ ends) =>
  ends ? t`${decimal(ends[0], 1)} to ${decimal(ends[1], 1)}` : "–";

/** The numbers behind a chart. @param {string} title @param {string} head @param {Row[]} rows */
function table(title, head, rows) {
  return el(
    "details",
    {},
    el("summary", {}, t("The numbers")),
    el(
      "div",
      { class: "scroll" },
      el(
        "table",
        {},
        el("caption", {}, title),
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ...[head, "PR", "95 %", t("Decisions"), t("Lost"), t("Errors"), t("Blunders")].map((word) =>
              el("th", { scope: "col" }, word),
            ),
          ),
        ),
        el(
          "tbody",
          {},
          ...rows.map((row) =>
            el(
              "tr",
              {},
              el("th", { scope: "row" }, row.name),
              ...[
                figure(row.pr),
                span(row.interval),
                number(row.counted),
                decimal(row.loss, 2),
                row.errors,
                row.blunders,
              ].map((cell) => el("td", {}, String(cell))),
            ),
          ),
        ),
      ),
    ),
  );
}

/** The chart in one sentence, for screen readers. @param {string} title @param {Row[]} rows */
function sentence(title, rows) {
  const sorted = [...rows].sort((a, b) => (b.pr ?? 0) - (a.pr ?? 0));
  const worst = sorted[0];
  const best = sorted[sorted.length - 1];
  return rows.length === 1
    ? `${title}: ${worst.name} ${figure(worst.pr)}`
    : t`${title}: worst ${worst.name} at ${figure(worst.pr)}, best ${best.name} at ${figure(best.pr)}; the numbers stand in the table below`;
}

/** @param {Row[]} rows */
const highest = (rows) =>
  Math.max(
    1,
    ...rows.map((row) =>
      Math.min(row.interval?.[1] ?? row.pr ?? 0, 2.5 * Math.max(...rows.map((other) => other.pr ?? 0))),
    ),
  );

/** A bar for each row, with its interval. @param {string} title @param {string} head @param {Row[]} rows */
export function bars(title, head, rows) {
  const wide = 360;
  const step = 40;
  const top = highest(rows);
  const x = (/** @type {number} */ value) => Math.min(1, value / top) * (wide - 52);
  const parts = rows.flatMap((row, at) => {
    const y = at * step;
    return [
      make("text", { x: 0, y: y + 13 }, row.name),
      make(
        "text",
        { class: "soft", x: wide, y: y + 13, "text-anchor": "end" },
        plural(row.counted, "{1} decision", "{1} decisions", row.counted),
      ),
      make("rect", { class: "bar", x: 0, y: y + 18, width: Math.max(1, x(row.pr ?? 0)), height: 14, rx: 3 }),
      ...(row.interval
        ? [make("line", { class: "span", x1: x(row.interval[0]), x2: x(row.interval[1]), y1: y + 25, y2: y + 25 })]
        : []),
      make("text", { x: wide, y: y + 30, "text-anchor": "end" }, figure(row.pr)),
    ];
  });
  const drawn = make(
    "svg",
    { class: "chart", viewBox: `0 0 ${wide} ${rows.length * step}`, role: "img", "aria-label": sentence(title, rows) },
    ...parts,
  );
  return el("div", { class: "figure" }, el("h3", {}, title), drawn, table(title, head, rows));
}

/** PR over time: a line with a band of its intervals. @param {string} title @param {Row[]} rows */
export function course(title, rows) {
  const wide = 360;
  const high = 170;
  const left = 28;
  const base = high - 22;
  const top = highest(rows);
  const x = (/** @type {number} */ at) =>
    left + (rows.length < 2 ? (wide - left) / 2 : (at * (wide - left - 8)) / (rows.length - 1));
  const y = (/** @type {number} */ value) => base - Math.min(1, value / top) * (base - 10);
  const grid = [0, top / 2, top].flatMap((value) => [
    make("line", { class: "grid", x1: left, x2: wide, y1: y(value), y2: y(value) }),
    make("text", { class: "soft", x: left - 4, y: y(value) + 4, "text-anchor": "end" }, value.toFixed(0)),
  ]);
  const measured = rows.map((row, at) => ({ row, at })).filter(({ row }) => row.interval);
  const band = [
    ...measured.map(({ row, at }) => `${x(at)},${y(row.interval?.[1] ?? 0)}`),
    ...measured.reverse().map(({ row, at }) => `${x(at)},${y(row.interval?.[0] ?? 0)}`),
  ].join(" ");
  const every = Math.max(1, Math.ceil(rows.length / 5));
  const names = rows.flatMap((row, at) =>
    at % every
      ? []
      : [
          make(
            "text",
            {
              class: "soft",
              x: x(at),
              y: high - 4,
              "text-anchor": at ? (at === rows.length - 1 ? "end" : "middle") : "start",
            },
            row.name,
          ),
        ],
  );
  const dots =
    rows.length > 60
      ? []
      : rows.map((row, at) =>
          make(
            "circle",
            { class: "dot", cx: x(at), cy: y(row.pr ?? 0), r: 3.5 },
            make("title", {}, `${row.name}: ${figure(row.pr)} (${span(row.interval)})`),
          ),
        );
  const label = t`${title}: ${plural(rows.length, "{n} period", "{n} periods")} from ${rows[0].name} at ${figure(rows[0].pr)} to ${rows[rows.length - 1].name} at ${figure(rows[rows.length - 1].pr)}; the numbers stand in the table below`;
  const drawn = make(
    "svg",
    { class: "chart", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": label },
    ...grid,
    make("polygon", { class: "band", points: band }),
    make("polyline", { class: "line", points: rows.map((row, at) => `${x(at)},${y(row.pr ?? 0)}`).join(" ") }),
    ...dots,
    ...names,
  );
  return el("div", { class: "figure" }, drawn, table(title, t("Period"), rows));
}
