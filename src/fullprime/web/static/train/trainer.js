// @ts-check
/** One trainer: question after question, with the time of each answer. */

import { buttonOf, enabledButton, listenToActions } from "/static/parts/actions.js";
import { call } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { showPreferences } from "/static/parts/preferences-dialog.js";
import { decimal, t } from "/static/parts/texts.js";
import { AnswerBoard } from "/static/train/answer-board.js";
import { flush, Outbox } from "/static/train/outbox.js";
import { resultWords, trendLines } from "/static/train/results.js";

const name = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const path = `/drills/trainers/${encodeURIComponent(name)}`;

/** @type {any} */
let question = null;
let begun = 0;
/** @type {import("/static/train/results.js").Try[]} */
let tries = [];

const desk = new AnswerBoard((moves) => answer(moves));

/** The next question: about a score drawn by chance, unless one is given. @param {string} [score] */
async function next(score = "") {
  if (desk.busy || outbox.busy || outbox.again()) return;
  byId("status").textContent = t("One moment …");
  const drawn = await desk.attempt(() => call(`${path}/question${score}`));
  byId("status").textContent = "";
  if (!drawn) return;
  question = drawn;
  byId("ask").textContent = drawn.words;
  byId("verdict").replaceChildren();
  byId("lines").replaceChildren();
  byId("word").value = "";
  byId("word-label").textContent = drawn.ask === "play" ? t("Or write it, for example 8/5 6/5") : t("Your answer");
  byId("words").hidden = drawn.ask === "choice";
  byId("choices").replaceChildren(
    ...drawn.choices.map((/** @type {string} */ text, /** @type {number} */ index) =>
      el("button", { type: "button", onclick: () => answer(String(index + 1)) }, text),
    ),
  );
  buttonOf("next").hidden = true;
  desk.show(drawn.board);
  begun = performance.now();
  showPage();
  if (drawn.ask === "number" && matchMedia("(pointer: fine)").matches) byId("word").focus(); // a keyboard of a phone would hide the question
}

/** @param {string} text */
async function answer(text) {
  if (!question || desk.busy || !desk.open) return;
  const seconds = (performance.now() - begun) / 1000;
  await outbox.give(`${path}/answer`, { seed: question.seed, answer: text, seconds });
}

/** @param {any} verdict @param {{seconds: number}} body */
function showVerdict(verdict, body) {
  const { digits, unit } = verdict.trainer;
  const far = Number.isInteger(verdict.error) ? verdict.error : decimal(verdict.error, digits);
  const wrong =
    far === 1
      ? t`${t(verdict.answer)}: off by one. The answer: ${t(verdict.best)}.`
      : t`${t(verdict.answer)}: off by ${far} ${unit}. The answer: ${t(verdict.best)}.`;
  const words = verdict.right ? t`Right: ${t(verdict.best)}.` : wrong;
  byId("verdict").className = `say ${verdict.right ? "right" : "wrong"}`;
  byId("verdict").replaceChildren(el("p", {}, words));
  byId("lines").replaceChildren(...verdict.lines.map((/** @type {string} */ line) => el("li", {}, line)));
  byId("choices").replaceChildren();
  byId("words").hidden = true;
  desk.showVerdict(verdict);
  if (verdict.counted)
    tries = [...tries, { at: "", seconds: body.seconds, right: verdict.right, error: verdict.error }].slice(-60);
  showProgress(verdict.trainer);
  buttonOf("next").hidden = false;
  buttonOf("next").focus();
}

/** @param {import("/static/train/results.js").Trainer} trainer */
function showProgress(trainer) {
  byId("sum").textContent = resultWords(trainer) || t("Not tried yet.");
  byId("trends").replaceChildren(...trendLines(trainer, tries));
}

/** The choice of a score, for a trainer that asks about scores. @param {{farthest: number, cubes: number[]}} trainer */
function showScores({ farthest, cubes }) {
  byId("scores").hidden = !farthest;
  for (const id of ["you", "opponent"]) byId(id).setAttribute("max", String(farthest));
  byId("cube").replaceChildren(...cubes.map((value) => el("option", { value: String(value) }, String(value))));
  byId("cube-label").hidden = cubes.length < 2;
}

listenToActions({
  undo: () => desk.mover.undo(),
  done: () => desk.mover.finish(),
  next: () => next(),
});
byId("words").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = byId("word").value.trim();
  if (text) answer(text);
});
byId("score").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const crawford = byId("crawford").value;
  const parameters = new URLSearchParams({
    away: `${byId("you").value}-${byId("opponent").value}`,
    cube: byId("cube").value,
    ...(crawford ? { crawford } : {}),
  });
  next(`?${parameters}`);
});
byId("open-preferences").addEventListener("click", () => showPreferences(() => desk.draw(), null));
document.addEventListener("keydown", (event) => {
  const place = event.target;
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    !(place instanceof Element) ||
    place.closest("input, select, textarea, dialog")
  )
    return;
  if (/^[1-6]$/.test(event.key)) {
    byId("choices").children[Number(event.key) - 1]?.click();
    return;
  }
  if (event.key === "/" && !byId("words").hidden) {
    event.preventDefault();
    byId("word").focus();
    return;
  }
  const button = enabledButton({ f: "done", u: "undo", n: "next" }[event.key.toLowerCase()] ?? "none");
  if (button) {
    event.preventDefault();
    button.click();
  }
});

const outbox = new Outbox({
  desk,
  button: buttonOf("next"),
  problem: (text) => {
    byId("problem").textContent = text;
  },
  tell: showVerdict,
});

/** Show the page at once, so that nothing on it moves. */
const showPage = () => document.body.classList.remove("waiting");

async function begin() {
  await flush();
  const overview = await desk.attempt(() => call(path));
  if (!overview) {
    byId("ask").textContent = t("There is no such trainer here.");
    byId("words").hidden = true;
    buttonOf("next").hidden = true;
    return;
  }
  byId("title").textContent = t(overview.trainer.title);
  document.title = `${t(overview.trainer.title)} · Fullprime`;
  byId("method").replaceChildren(...overview.trainer.teaches.map((/** @type {string} */ text) => el("p", {}, text)));
  showScores(overview.trainer);
  tries = overview.tries;
  showProgress(overview.trainer);
  await next();
}

begin().finally(showPage);
