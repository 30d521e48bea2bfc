// @ts-check
/** One lesson: its steps with the board, the learner's answers, and the verdicts on them. */

import { me } from "/static/accounts/accounts.js";
import { Board } from "/static/board/board.js";
import { AT_REST } from "/static/board/drawn-board.js";
import { onOrientation, shapeNow } from "/static/board/layout.js";
import { Mover } from "/static/board/mover.js";
import { arrowsOfMoves as arrows, slotName } from "/static/board/tree.js";
import { beginFirstGame, endingWords, failed, quizResult } from "/static/learn/ending.js";
import { listen } from "/static/learn/keyboard.js";
import { markRest } from "/static/learn/overflow-hint.js";
import { noteMark, syncProgress } from "/static/learn/progress.js";
import { openingDice, rollMap, tallyWords, taskWords, titleWords } from "/static/learn/step.js";
import { enabledButton, listenToActions, showActions } from "/static/parts/actions.js";
import { call } from "/static/parts/api.js";
import { attempt } from "/static/parts/attempt.js";
import { byId, el } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { showPreferences } from "/static/parts/preferences-dialog.js";
import { leadToRules, toRules } from "/static/parts/rules-link.js";
import { t } from "/static/parts/texts.js";
import { capital } from "/static/parts/words.js";
import { paragraphs } from "/static/terms/terms.js";

const name = decodeURIComponent(location.pathname.split("/")[2] ?? "");
/** @type {any} */
let lesson = null;
let at = 0;
let account = /** @type {string | null} */ (null);
/** The outcome of each step: "right", "wrong" (later answers do not count), "shown". @type {Record<number, string>} */
const results = {};
/** Steps that are done. @type {Set<number>} */
const finished = new Set();
/** Steps that come back after the last one, because they were not answered by the learner. @type {number[]} */
const missed = [];
/** True once the steps that were missed are asked again. */
let returning = false;
/** The answer of the server to the last answer. @type {any} */
let mark = null;
let busy = false;
/** The place with a checker of one's own that was pointed at last. @type {number | null} */
let picked = null;

const mover = new Mover(
  () => draw(),
  (moves) => sendAnswer(moves),
);
const own = mover.handlers;
const board = new Board(byId("board"), {
  ...own,
  // Only a place's own handler runs, because a lesson explains moves that the rules refuse.
  onTap: undefined,
  onActivate: (slot) => activate(slot),
  onDrop: (from, to) => {
    if (isOpen() && !reaches(from, to)) {
      answerRefused(from, to);
      return;
    }
    own.onDrop(from, to);
  },
});
const task = () => lesson.tasks[at];
const isOpen = () => Boolean(lesson) && !busy && !finished.has(at) && !mark?.play;
const isPlaying = () => ["play", "try"].includes(task().do);

// -- on the board -----------------------------------------------------------------------------------------------
/** @param {number} from @param {number} to */
function reaches(from, to) {
  const [targets, others] = own.targets(from);
  return targets.has(to) || others.has(to);
}

/** Take a press on a place: a move, or one that the rules refuse and explain. @param {number} slot */
function activate(slot) {
  if (!isOpen() || !isPlaying()) return;
  const mine = mover.rows(task().board.points, "X").X;
  const count = mover.walk.moves.length;
  const from = mover.selected ?? picked;
  // Another checker that can move is meant to be taken, wherever it stands.
  if (from !== null && from !== slot && mine[from] && !reaches(from, slot) && !mover.walk.sources.has(slot)) {
    answerRefused(from, slot);
    return;
  }
  own.onActivate(slot);
  picked = mine[slot] && mover.walk.moves.length === count ? slot : null;
}

/**
 * Send a move that the board does not know: the server says which rule it breaks.
 * @param {number} from
 * @param {number} to
 */
function answerRefused(from, to) {
  picked = null;
  mover.selected = null;
  sendAnswer([...mover.walk.moves, `${slotName(from)}/${slotName(to)}`].join(" "), true);
}

// -- answers ----------------------------------------------------------------------------------------------------
/** @param {string} text @param {boolean} [partly] a move that was tried, not a whole play */
async function sendAnswer(text, partly = false) {
  const step = at;
  busy = true;
  draw();
  const verdict = await attempt(() => call(`/learn/lessons/${lesson.name}/steps/${at + 1}/answer`, { answer: text }));
  busy = false;
  if (!verdict || step !== at) {
    draw();
    return;
  }
  takeAnswer(verdict, text, partly);
}

/** @param {any} verdict @param {string} text the answer @param {boolean} partly */
function takeAnswer(verdict, text, partly) {
  mark = verdict;
  if (!verdict.refused && !(partly && !verdict.right)) {
    if (!verdict.right) noteMissed("wrong", text);
    results[at] ??= "right";
    if (verdict.right) finish();
  } else {
    mark.play = "";
  }
  if (verdict.right && verdict.moves.length) mover.settle(verdict.moves);
  showVerdict(verdict);
  // A move that was refused was never made: the checkers on the board stay.
  draw();
  scrollToVerdict();
  byId("actions").querySelector("[data-act=again]:not([hidden])")?.focus();
  if (finished.has(at)) enabledButton("next")?.focus();
}

/**
 * Note a step that the learner did not solve: it comes back at the end, and a position as a card, too.
 * @param {"wrong" | "shown"} how
 * @param {string} text the answer; empty where it was shown
 */
function noteMissed(how, text) {
  const first = !missed.includes(at);
  if (first) missed.push(at);
  results[at] ??= how;
  if (!first || returning || !["play", "cube"].includes(task().do)) return;
  attempt(() => call(`/drills/lessons/${lesson.name}/steps/${at + 1}/card`, { answer: text }));
}

/** @param {any} verdict */
function showVerdict(verdict) {
  byId("verdict").className = `say ${verdict.right ? "right" : "wrong"}`;
  byId("verdict").replaceChildren(...paragraphs(verdict.words), ...(verdict.refused ? [el("p", {}, toRules())] : []));
}

/** Scroll to the verdict: the text may scroll beside a board that stays. */
function scrollToVerdict() {
  byId("verdict").scrollIntoView({ block: "nearest" });
}

async function showSolution() {
  const step = at;
  const answer = await attempt(() => call(`/learn/lessons/${lesson.name}/steps/${at + 1}/solution`));
  if (!answer || step !== at) return;
  noteMissed("shown", "");
  const best = answer.best || answer.play;
  const named = best && task().choices.length && task().do === "choose" ? task().choices[Number(best) - 1] : best;
  mark = { ...answer, right: true };
  mover.reset(task().board?.tree);
  finish();
  showVerdict({
    ...answer,
    right: true,
    words: [
      ...(named
        ? [[{ text: task().do === "try" ? t`The rules refuse ${named}.` : t`The answer: ${t(named)}.`, term: null }]]
        : []),
      ...answer.words,
    ],
  });
  draw();
  scrollToVerdict();
  enabledButton("next")?.focus();
}

/** Note that this step is done. */
function finish() {
  finished.add(at);
  const done = (returning || at + 1 >= lesson.tasks.length) && !missed.length;
  const quiz = (done && quizResult(lesson, results)) || { right: 0, asked: 0 };
  noteMark(account, lesson.name, { step: returning ? lesson.tasks.length : at + 1, done, ...quiz }).then((problem) => {
    if (problem) byId("problem").textContent = problem;
  });
}

// -- the way through --------------------------------------------------------------------------------------------
/** @param {number} to */
function goTo(to) {
  at = to;
  mark = null;
  picked = null;
  byId("verdict").replaceChildren();
  byId("text").scrollTop = 0;
  document.querySelector(".side")?.scrollTo(0, 0);
  byId("word").value = "";
  mover.reset(task().board?.tree);
  if (task().board) leadToRules(task().board);
  byId("say").replaceChildren(...paragraphs(task().say));
  byId("rolls").replaceChildren(...(task().rolls.length && task().do === "read" ? [rollMap(task().rolls)] : []));
  history.replaceState(null, "", `#${at + 1}`);
  draw();
  byId("step-title").focus({ preventScroll: true });
}

function goOn() {
  if (task().do === "read") finish();
  else if (!finished.has(at)) return;
  if (returning || at + 1 >= lesson.tasks.length) repeatMissed();
  else goTo(at + 1);
}

/** Ask a step that was missed once more; without one the lesson is over. */
function repeatMissed() {
  const step = missed.shift();
  if (step !== undefined) {
    returning = true;
    finished.delete(step);
    goTo(step);
  } else if (failed(lesson, results)) restart();
  else leave();
}

/** Begin the lesson anew. */
function restart() {
  for (const step of Object.keys(results)) delete results[Number(step)];
  finished.clear();
  returning = false;
  goTo(0);
}

async function leave() {
  if (lesson.leads_to === "game") await beginFirstGame(account);
  else location.href = lesson.following ? `/learn/${lesson.following}` : "/learn";
}

function retry() {
  mark = null;
  picked = null;
  byId("verdict").replaceChildren();
  mover.reset(task().board?.tree);
  draw();
}

function showHint() {
  byId("verdict").className = "say";
  byId("verdict").replaceChildren(...paragraphs(task().hint));
  scrollToVerdict();
}

// -- drawing ----------------------------------------------------------------------------------------------------
function draw() {
  const now = task();
  const view = now.board;
  const look = preferences.read();
  const done = finished.has(at);
  const thrown = done ? mark?.dice : null;
  byId("step-title").textContent = titleWords(at + 1, lesson.tasks.length, now.quiz, returning);
  byId("way").value = at + (done ? 1 : 0);
  byId("status").textContent = busy ? t("Looking …") : done ? "" : taskWords(now);
  byId("board").hidden = !view;
  mover.locked = !isOpen();
  if (view) {
    board.draw({
      rows: mover.rows(view.points, "X"),
      bottom: "X",
      mover: "X",
      you: true,
      hand: view.has_hand,
      names: { X: t("You"), O: t("Opponent") },
      shape: shapeNow(),
      homeLeft: look.home === "left",
      numbers: look.numbers,
      last: now.marks.map((/** @type {number} */ point) => /** @type {["X", number]} */ (["X", point])),
      arrows: mover.made ? [] : done ? arrows(mark?.best_moves ?? []) : mark?.play ? arrows(mark.moves, "error") : [],
      dice: openingDice(now, thrown) ?? mover.dice(thrown ?? now.board.dice, "X"),
      cube: done && mark?.cube ? mark.cube : view.cube.in_use || view.cube.value > 1 ? view.cube : null,
      ...(isOpen() ? mover.look : AT_REST),
    });
  }
  if (done && now.rolls.length) byId("rolls").replaceChildren(rollMap(now.rolls));
  byId("tally").textContent = tallyWords(lesson.tasks, results);
  byId("quiz").hidden = !lesson.quizzes;
  drawButtons(now, done);
}

/** @param {any} now @param {boolean} done */
function drawButtons(now, done) {
  const last = returning || at + 1 >= lesson.tasks.length;
  const read = now.do === "read";
  const free = isOpen();
  const shown = {
    undo: free && mover.active && isPlaying(),
    done: free && mover.active && isPlaying(),
    again: Boolean(mark?.play) && !done && !busy,
    previous: at > 0 && !returning,
    hint: !read && !done && now.hint.length > 0,
    solution: !read && !done && !busy,
    // A learner may go before the missed steps come back: the lesson stays open.
    leave: last && (read || done) && missed.length > 0,
    next: read || done,
  };
  showActions(shown, { undo: mover.made, done: mover.complete });
  const away = enabledButton("leave");
  if (away) away.textContent = endingWords(lesson, {}, 0);
  const following = enabledButton("next");
  if (following) following.textContent = last ? endingWords(lesson, results, missed.length) : t("Next");
  byId("words").hidden = !(free && (isPlaying() || now.do === "count"));
  document.body.classList.toggle("counts", free && now.do === "count");
  byId("word-label").textContent = now.do === "count" ? t("Your number") : t("Or write it, for example 8/5 6/5");
  const choices = free && ["choose", "cube", "turn"].includes(now.do) ? now.choices : [];
  byId("choices").replaceChildren(
    ...choices.map((/** @type {string} */ text, /** @type {number} */ index) =>
      el(
        "button",
        {
          type: "button",
          onclick: () => {
            if (isOpen()) sendAnswer(String(index + 1));
          },
        },
        capital(text),
      ),
    ),
  );
}

listenToActions({
  undo: () => mover.undo(),
  done: () => mover.finish(),
  again: retry,
  solution: showSolution,
  hint: showHint,
  leave,
  next: goOn,
  previous: () => goTo(at - 1),
});
byId("words").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = byId("word").value.trim();
  if (text && isOpen()) sendAnswer(text);
});
markRest(byId("text"));
listen(enabledButton);
byId("open-preferences").addEventListener("click", () => showPreferences(draw, null));
onOrientation(() => {
  if (lesson) draw();
});
async function begin() {
  lesson = await attempt(() => call(`/learn/lessons/${encodeURIComponent(name)}`));
  if (!lesson) {
    byId("status").textContent = t("There is no such lesson here.");
    for (const part of ["board", "actions", "words"]) byId(part).hidden = true;
    for (const button of document.querySelectorAll(".steps button")) button.toggleAttribute("hidden", true);
    return;
  }
  account = (await me()).name;
  await syncProgress(account);
  byId("title").textContent = t(lesson.title);
  document.title = `${t(lesson.title)} · Fullprime`;
  byId("way").max = lesson.tasks.length;
  const from = Number(location.hash.slice(1));
  goTo(Number.isInteger(from) && from >= 1 && from <= lesson.tasks.length ? from - 1 : 0);
}

// The parts below the text are shown with it, so that nothing moves.
begin().finally(() => document.body.classList.remove("waiting"));
