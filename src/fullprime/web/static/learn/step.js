// @ts-check
/** The words and tables of a lesson's step: its task, dice, the throws that do it, and the tally. */

import { el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

const TASKS = /** @type {Record<string, string>} */ ({
  play: t("Your play."),
  try: t("Try it."),
  cube: t("Your decision."),
  turn: t("Turn the cube."),
  choose: t("Choose an answer."),
  count: t("Write a number."),
  read: "",
});
/**
 * The heading of a step.
 * @param {number} number
 * @param {number} count the steps of the lesson
 * @param {boolean} quiz
 * @param {boolean} returning it comes back after the last one
 */
export function titleWords(number, count, quiz, returning) {
  if (returning) return t`Once more: step ${number}`;
  return quiz ? t`Step ${number} of ${count}: it counts` : t`Step ${number} of ${count}`;
}

/** The task of a step, in words. @param {any} now */
export function taskWords(now) {
  if (now.do === "turn" && now.board.phase === "choose_double") return t("Name a double.");
  if (now.do === "turn" && now.board.phase === "opening_roll") return t("Throw for the first move.");
  return TASKS[now.do];
}

/**
 * The dice of a throw for the first move, one of each side, once it is thrown; else null.
 * @param {any} now
 * @param {number[] | null | undefined} thrown
 */
export function openingDice(now, thrown) {
  if (!thrown || now.board.phase !== "opening_roll") return null;
  return [
    { side: /** @type {"X"} */ ("X"), numbers: [thrown[0]], used: [false] },
    { side: /** @type {"O"} */ ("O"), numbers: [thrown[1]], used: [false] },
  ];
}

/** The 36 throws; those that do it are marked. @param {string[]} rolls such as 31 */
export function rollMap(rolls) {
  const marked = new Set(rolls);
  const faces = [1, 2, 3, 4, 5, 6];
  const has = (/** @type {number} */ a, /** @type {number} */ b) => marked.has(`${Math.max(a, b)}${Math.min(a, b)}`);
  return el(
    "table",
    { class: "rolls" },
    el("caption", {}, t("The 36 throws; ✓ does it")),
    el("thead", {}, el("tr", {}, el("td", {}), ...faces.map((face) => el("th", { scope: "col" }, String(face))))),
    el(
      "tbody",
      {},
      ...faces.map((a) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, String(a)),
          ...faces.map((b) => el("td", { class: has(a, b) ? "yes" : "" }, has(a, b) ? "✓" : "–")),
        ),
      ),
    ),
  );
}

/**
 * How many of the steps that count are right, and how many are to come.
 * @param {any[]} tasks
 * @param {Record<number, string>} results
 */
export function tallyWords(tasks, results) {
  const counted = tasks.map((task, index) => (task.quiz ? (results[index] ?? "open") : null)).filter(Boolean);
  const right = counted.filter((result) => result === "right").length;
  const left = counted.filter((result) => result === "open").length;
  if (!counted.length) return "";
  const words = t`${right} right at the first try, ${left} to come, of ${counted.length}.`;
  return !left && 2 * right < counted.length ? `${words} ${t("The lesson is done with half of them right.")}` : words;
}
