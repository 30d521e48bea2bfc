// @ts-check
/** The position of the day at a live board: moved by hand, judged at once. */

import { boardAddress } from "/static/analysis/setup.js";
import { Board } from "/static/board/board.js";
import { AT_REST } from "/static/board/drawn-board.js";
import { onOrientation, shapeNow } from "/static/board/layout.js";
import { Mover } from "/static/board/mover.js";
import { arrowsOfMoves } from "/static/board/tree.js";
import { listenToActions, showActions } from "/static/parts/actions.js";
import { call } from "/static/parts/api.js";
import { attempt } from "/static/parts/attempt.js";
import { byId, dates, el, keepWhole } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { reveal } from "/static/parts/reveal.js";
import { andRules, leadToRules } from "/static/parts/rules-link.js";
import { plural, t } from "/static/parts/texts.js";

/** @type {any} */
let daily = null;
/** The server's verdict on the last answer. @type {any} */
let verdict = null;
let busy = false;

const mover = new Mover(
  () => draw(),
  (moves) => judge(moves),
);
const board = new Board(byId("board"), mover.handlers);

/** Days of the archive. */
const PAST = 30;
const requestedDay = new URLSearchParams(location.search).get("day");

/** A day, as people here count it. @param {number} [ago] */
function dayOf(ago = 0) {
  const then = new Date();
  then.setDate(then.getDate() - ago);
  return then.toLocaleDateString("sv"); // written as 2026-11-22
}

/** A day in words. @param {string} day @param {"long" | "short"} month */
function dateWords(day, month) {
  const [year, number, date] = day.split("-").map(Number);
  return new Date(year, number - 1, date)
    .toLocaleDateString(dates, { day: "numeric", month })
    .replaceAll(" ", "\u00a0");
}

/** @param {string} path @param {object} [body] */
const callDaily = (path, body) =>
  attempt(
    () => call(`/daily${path}?day=${daily?.day ?? requestedDay ?? dayOf()}`, body),
    (error) => [error.message, ...(body ? andRules(error) : [])],
  );

/** @param {string} text */
async function judge(text) {
  if (busy || verdict) return;
  const wasAtButton = isAtButton();
  busy = true;
  draw();
  const answer = await callDaily("/answer", { answer: text });
  busy = false;
  if (answer) showAnswer(answer);
  drawOnward(wasAtButton);
}

async function solution() {
  const wasAtButton = isAtButton();
  const answer = await callDaily("/solution", {});
  if (answer) {
    mover.reset(daily.board.tree);
    showAnswer(answer);
  }
  drawOnward(wasAtButton);
}

/** True while the keys are at a button of the position, which may go with an answer. */
const isAtButton = () => Boolean(document.activeElement?.closest(".hero [data-act]"));

/** Draw, and lead the keys on where the button they were at is gone. @param {boolean} wasAtButton */
function drawOnward(wasAtButton) {
  draw();
  if (wasAtButton && !(isAtButton() && document.activeElement?.checkVisibility()))
    /** @type {HTMLElement | null} */ (document.querySelector(".hero .actions > :not([hidden])"))?.focus({
      preventScroll: true,
    });
}

/** @param {any} answer */
function showAnswer(answer) {
  verdict = answer;
  const words = answer.words.map((/** @type {any[]} */ pieces) => pieces.map((piece) => piece.text).join(""));
  byId("verdict").replaceChildren(
    ...words.map((/** @type {string} */ text, /** @type {number} */ index) =>
      el("p", { class: index ? "soft" : answer.right ? "right" : "wrong" }, text),
    ),
  );
  if (answer.refused) return;
  byId("verdict").append(el("p", { class: "soft" }, othersWords(answer)));
  showRecord();
}

/** The plays of the others, in words. @param {{others: number, plays: {play: string, count: number}[]}} answer */
function othersWords({ others, plays }) {
  if (!others) return t("Nobody else has answered here yet.");
  const shares = plays.map(({ play, count }) => `${play} ${Math.round((100 * count) / others)} %`).join(", ");
  return plural(others, "{n} other played: {1}", "{n} others played: {1}", shares);
}

/** The days in a row, and the past days with their outcomes. */
async function showRecord() {
  const record = await call(`/daily/record?day=${dayOf()}`).catch(() => null);
  if (!record) return;
  byId("streak").textContent =
    record.streak > 1 ? ` · ${plural(record.streak, "{n} day in a row", "{n} days in a row")}` : "";
  const outcomes = new Map(record.days.map((/** @type {any} */ outcome) => [outcome.day, outcome]));
  const before = verdict ? null : outcomes.get(daily.day);
  if (before) {
    byId("task").hidden = true; // the outcome takes its room
    byId("verdict").replaceChildren(
      el(
        "p",
        { class: "soft" },
        before.answer ? t`You have played ${before.answer}.` : t("You have seen the best play."),
      ),
    );
  }
  byId("days").replaceChildren(
    ...Array.from({ length: PAST }, (_, ago) => dayOf(ago)).map((day) => {
      const outcome = outcomes.get(day);
      const [sign, words] = outcome ? (outcome.right ? ["✓", t("solved")] : ["✗", t("not solved")]) : ["", ""];
      return el(
        "li",
        {},
        el(
          "a",
          { href: `/?day=${day}`, ...(day === daily.day ? { "aria-current": "page" } : {}) },
          dateWords(day, "short"),
        ),
        ...(outcome ? [" ", el("span", { role: "img", "aria-label": words }, sign)] : []),
      );
    }),
  );
}

async function share() {
  const { sharePosition } = await import("/static/parts/share-position.js");
  const words = `${byId("eyebrow").textContent}: ${daily.question}`;
  await sharePosition(boardAddress(daily.board), words, { path: `/?day=${daily.day}` });
}

function retry() {
  verdict = null;
  byId("verdict").replaceChildren();
  mover.reset(daily.board.tree);
  drawOnward(isAtButton());
}

/** The best play as arrows, and the one that was made. */
function arrows() {
  if (!verdict || (verdict.right && mover.made)) return [];
  const best = arrowsOfMoves(verdict.best_moves.length ? verdict.best_moves : verdict.moves);
  return verdict.right
    ? best
    : [
        ...best,
        ...arrowsOfMoves(verdict.moves, verdict.loss > 0.08 ? "blunder" : verdict.loss > 0.02 ? "error" : "doubtful"),
      ];
}

function draw() {
  if (!daily) return;
  const view = daily.board;
  const look = preferences.read();
  const open = !verdict && !busy;
  mover.locked = !open;
  byId("board")
    .closest(".hero")
    ?.classList.toggle("tall", shapeNow() === "tall");
  board.draw({
    rows: verdict && !verdict.right ? view.points : mover.rows(view.points, "X"),
    bottom: "X",
    mover: "X",
    you: true,
    hand: view.has_hand,
    names: { X: t("you"), O: t("the other side") },
    shape: shapeNow(),
    homeLeft: look.home === "left",
    numbers: look.numbers,
    last: [],
    arrows: arrows(),
    dice: mover.dice(view.dice, "X"),
    cube: view.cube.in_use || view.cube.value > 1 ? view.cube : null,
    ...(open ? mover.look : AT_REST),
  });
  const shown = {
    done: open && mover.made,
    undo: open && mover.made,
    again: Boolean(verdict) && !verdict.right,
    solution: !verdict?.right && !busy && !mover.made,
    share: Boolean(verdict),
  };
  showActions(shown, { done: mover.complete });
  byId("analyse").hidden = !verdict;
  byId("onward").hidden = !verdict;
}

listenToActions({
  done: () => mover.finish(),
  undo: () => mover.undo(),
  again: retry,
  solution,
  share,
});
byId("past").addEventListener("toggle", () => reveal(byId("past"), true));
onOrientation(draw);
addEventListener("preferences", draw);

/** Fetch the position of this day and show it. */
export async function showDaily() {
  const day = await callDaily("");
  if (!day) return;
  daily = day;
  byId("eyebrow").textContent = t`Position of the day · ${dateWords(daily.day, "long")}`;
  // A throw is not broken at its dash.
  leadToRules(daily.board);
  byId("question").replaceChildren(...keepWhole(daily.question));
  const { value: stake, owner } = daily.board.cube;
  if (stake > 1)
    byId("stake").textContent =
      `${owner === "X" ? t`The cube is yours, at ${stake}.` : owner ? t`The cube is theirs, at ${stake}.` : t`The cube is at ${stake}.`} `;
  byId("analyse").href = `/analysis?${boardAddress(daily.board)}`;
  mover.reset(daily.board.tree);
  draw();
  await showRecord();
}
