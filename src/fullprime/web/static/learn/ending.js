// @ts-check
/** The end of a lesson: the result of its quiz, and the way on. */

import { call, keep } from "/static/parts/api.js";
import { attempt } from "/static/parts/attempt.js";
import * as preferences from "/static/parts/preferences.js";
import { plural, t } from "/static/parts/texts.js";

const GENTLE = "beginner";
/** The loss of a play before which the tutor speaks up. */
const TUTOR = 0.08;

/**
 * The result of the quiz; null before all of it was answered.
 * @param {any} lesson
 * @param {Record<number, string>} results the outcome of each step
 * @returns {{right: number, asked: number} | null}
 */
export function quizResult(lesson, results) {
  const quiz = lesson.tasks
    .map((/** @type {any} */ task, /** @type {number} */ index) => (task.quiz ? results[index] : null))
    .filter(Boolean);
  const right = quiz.filter((/** @type {string} */ result) => result === "right").length;
  return quiz.length === lesson.quizzes ? { right, asked: quiz.length } : null;
}

/**
 * True where less than half of the quiz was right: the lesson is not done.
 * @param {any} lesson
 * @param {Record<number, string>} results
 */
export function failed(lesson, results) {
  const quiz = quizResult(lesson, results);
  return quiz !== null && 2 * quiz.right < quiz.asked;
}

/**
 * The words on the button after the last step.
 * @param {any} lesson
 * @param {Record<number, string>} results
 * @param {number} missed the steps that come back
 */
export function endingWords(lesson, results, missed) {
  if (missed) return plural(missed, "Once more: {n} step", "Once more: {n} steps");
  if (failed(lesson, results)) return t("Take it again");
  if (lesson.leads_to === "game") return t("Play your first game");
  return lesson.following ? t("Next lesson") : t("All lessons");
}

/** The whole game after the first lesson, with a gentle opponent and the tutor. @param {string | null} account */
export async function beginFirstGame(account) {
  const terms = {
    opponent: "bot",
    bot: GENTLE,
    variant: "backgammon",
    rules: { length: "1" },
    name: account ?? undefined,
    other_name: t("Friend"),
    preset: null,
    position: null,
    automatic: true,
    spectators: false,
    clock: null,
  };
  const game = await attempt(() => call("/games", terms));
  if (!game) return;
  preferences.write({ tutor: TUTOR });
  keep(game.id, { key: game.key, commitment: game.commitment });
  location.href = `/game/${game.id}`;
}
