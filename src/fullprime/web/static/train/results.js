// @ts-check
/** The results of a trainer, in words and as a chart. */

import { el } from "/static/parts/page.js";
import { decimal, t } from "/static/parts/texts.js";

/**
 * @typedef {{name: string, title: string, about: string, teaches: string[], unit: string, digits: number, tries: number, right: number, seconds: number | null, error: number | null}} Trainer
 */
/** @typedef {{at: string, seconds: number, right: boolean, error: number}} Try */

/** @param {Trainer} trainer */
export function resultWords(trainer) {
  if (trainer.seconds === null || trainer.error === null) return "";
  return t`${trainer.right} of ${trainer.tries} right, ${decimal(trainer.seconds, 1)} seconds an answer, off by ${decimal(trainer.error, trainer.digits)} ${trainer.unit}.`;
}

/** One line over the answers of the past. @param {number[]} values @param {string} name @param {string} unit */
function trendLine(values, name, unit) {
  const most = Math.max(...values, 1e-9);
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  const way = document.createElementNS(space, "polyline");
  picture.setAttribute("viewBox", "0 0 300 60");
  picture.setAttribute("class", "trend");
  picture.setAttribute("role", "img");
  const half = Math.ceil(values.length / 2);
  const mean = (/** @type {number[]} */ part) => part.reduce((sum, value) => sum + value, 0) / Math.max(1, part.length);
  picture.setAttribute(
    "aria-label",
    t`${name}: ${decimal(mean(values.slice(0, half)), 3)} ${unit} on average in the first half, ${decimal(mean(values.slice(half)), 3)} in the second.`,
  );
  way.setAttribute(
    "points",
    values
      .map(
        (value, at) =>
          `${(10 + (280 * at) / Math.max(1, values.length - 1)).toFixed(1)},${(54 - (48 * value) / most).toFixed(1)}`,
      )
      .join(" "),
  );
  picture.append(way);
  return el(
    "figure",
    { class: "trend" },
    el("figcaption", {}, t`${name}, up to ${decimal(most, most < 1 ? 3 : 1)} ${unit}`),
    picture,
  );
}

/** Seconds and errors over time. @param {Trainer} trainer @param {Try[]} tries */
export function trendLines(trainer, tries) {
  if (tries.length < 2) return [];
  return [
    trendLine(
      tries.map((answer) => answer.seconds),
      t("Seconds"),
      t("seconds"),
    ),
    trendLine(
      tries.map((answer) => answer.error),
      t("Errors"),
      trainer.unit,
    ),
  ];
}
