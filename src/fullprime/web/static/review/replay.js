// @ts-check
/** A reviewed match on the board: every ply, its judgement, and any other play tried in its place. */

import { toAddress } from "/static/analysis/setup.js";
import { Board } from "/static/board/board.js";
import { arrowsOf } from "/static/board/figures.js";
import { onOrientation, shapeNow } from "/static/board/layout.js";
import { pause, skip } from "/static/board/motion.js";
import { Mover } from "/static/board/mover.js";
import { other } from "/static/board/numbering.js";
import { listen } from "/static/board/stepping.js";
import { enabledButton, listenToActions, showActions } from "/static/parts/actions.js";
import { call, Refusal } from "/static/parts/api.js";
import { byId, el, fill } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { showPreferences } from "/static/parts/preferences-dialog.js";
import { leadToRules } from "/static/parts/rules-link.js";
import { t } from "/static/parts/texts.js";
import { thrown, versus } from "/static/parts/words.js";
import { optionsTable, reasonSentences } from "/static/review/judgement.js";
import { showOtherMatches } from "/static/review/other-matches.js";
import * as plies from "/static/review/plies.js";
import * as notes from "/static/review/ply-notes.js";
import * as trying from "/static/review/trying.js";

/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {import("/static/review/plies.js").Ply} Ply */

const address = new URLSearchParams(location.search);
/**
 * The page of the match above this one, and where the server tells of it: a review of its own, or a match of the
 * library.
 */
const [, kind, , number] = location.pathname.split("/");
const above = location.pathname.replace(/\/board\/?$/, "");
const place = kind === "library" ? `/library/matches/${number}` : above.replace("/review/", "/reviews/");
const report = kind === "library" ? `${above}/report` : above;
/** Milliseconds in which checkers travel to the next ply, and those before its judgement is fetched. */
const TRAVEL = 260;
const REST = 120;

/** The match as the server sent it. @type {any} */
let match = null;
let at = 0;
/** The judgements at events, by their paths. @type {Map<string, Promise<any>>} */
const judgements = new Map();
/** The judgement of the ply that is shown; null until it is there. @type {any} */
let judgement = null;
let bottom = /** @type {Side} */ ("X");
/** A play or a cube action that was tried in place of the one made, and an option that is looked at. @type {any} */
let tried = null;
/** What is being judged; null once that is done, or something else is on the board. @type {Promise<any> | null} */
let judging = null;
/** @type {any} */
let looked = null;
/** Checkers on their way to the next ply. @type {Record<Side, number[]> | null} */
let moving = null;
let tab = "moves";
/** True until the first note is shown after the match was put into the library for it. */
let comesToWrite = location.hash === "#notes";

const mover = new Mover(
  () => {
    tried = mover.complete && !tried?.action ? tried : null;
    judging = null;
    draw();
  },
  (_, walk) => judge(walk),
);
const board = new Board(byId("board"), mover.handlers);
const ply = () => /** @type {Ply} */ (match.plies[at]);
const nameOf = (/** @type {Side} */ side) => match.players[side === "X" ? 0 : 1];

/** @param {string} text */
function showProblem(text) {
  byId("problem").textContent = text;
}

// -- from ply to ply --------------------------------------------------------------------------------------------
/** The judgement at an event, fetched once. @param {number} game @param {number} event */
function fetchDetail(game, event) {
  const path = `${place}/plies/${game}/${event}`;
  const fetched = judgements.get(path);
  if (fetched) return fetched;
  const answer = call(path);
  answer.catch(() => judgements.delete(path));
  judgements.set(path, answer);
  return answer;
}

/** The judgement of a ply. @param {number} index */
const showDetail = (index) => fetchDetail(match.plies[index].game, match.plies[index].event);

/** Show a ply; from one to the next the checkers travel. @param {number} to */
async function goTo(to) {
  if (!match || to < 0 || to >= match.plies.length) return;
  skip();
  const follows = to === at + 1 && match.plies[to].game === ply().game && ply().kind === "play";
  const from = at;
  [at, judgement, tried, judging, looked, moving] = [to, null, null, null, null, null];
  mover.reset(undefined);
  if (follows && preferences.pace() && judgement === null) {
    // The board stays that of the side which moves until its checkers have come down.
    moving = match.plies[to].points;
    draw(from);
    await pause(TRAVEL * preferences.pace());
    if (at !== to) return;
    moving = null;
  }
  draw();
  markCurrent();
  await new Promise((done) => {
    setTimeout(done, REST);
  });
  if (at !== to) return;
  try {
    const answer = await showDetail(to);
    if (at !== to) return;
    judgement = answer;
    mover.reset(judgement.board.tree);
    explain();
    draw();
    if (to + 1 < match.plies.length) showDetail(to + 1).catch(() => {});
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    showProblem(error.message);
  }
}

/** The nearest error of the chosen player, on or back; the first again behind the last. @param {number} by */
function goToError(by) {
  const index = plies.nextError(match.plies, at, by, byId("whose").value);
  if (index >= 0) goTo(index);
}

/** The first ply of the game before or after. @param {number} by */
function goToGame(by) {
  goTo(plies.gameStep(match.plies, at, by));
}

// -- judgements, and plays that are tried --------------------------------------------------------------------------
function explain() {
  const { decision } = judgement;
  byId("why").replaceChildren(...reasonSentences(ply(), decision));
  byId("options").replaceChildren(
    ...(decision
      ? optionsTable(decision, (option) => {
          looked = option;
          draw();
        })
      : []),
  );
  byId("to-board").hidden = byId("share").hidden = false;
  byId("to-board").href = `/analysis?${boardFields()}`;
}

/** The fields of the analysis board's address for the position. */
function boardFields() {
  const { setup, ids, variant } = judgement.board;
  return setup ? toAddress(setup) : String(new URLSearchParams({ id: ids.xgid ?? ids.text, variant }));
}

async function share() {
  const { sharePosition } = await import("/static/parts/share-position.js");
  const match = `${place}/file?analysis=no`;
  await sharePosition(boardFields(), t("A position in backgammon: what would you do?"), { match });
}

/** Take a play made on the board. @param {import("/static/board/tree.js").Walk} walk */
const judge = (walk) => judgeTried(trying.judgePlay(walk, judgement));

/** Take the action with the cube that was not taken. */
function tryCube() {
  const action = trying.otherAction(match, at, judgement);
  if (!action) return;
  mover.reset(judgement.board.tree);
  const detail = fetchDetail(ply().game, action.event).catch(() => ({}));
  judgeTried(detail.then((known) => trying.judgeAction(known, action.label)));
}

/** Show what was tried, once it is judged. @param {Promise<import("/static/review/trying.js").Tried>} answer */
async function judgeTried(answer) {
  judging = answer;
  byId("tried").textContent = t("Looking …");
  const judged = await answer;
  if (judging !== answer) return;
  judging = null;
  tried = judged;
  draw();
  byId("tried").replaceChildren(...trying.triedSentences(tried));
}

/**
 * Arrows of the best play and of the one that was made, tried or looked at.
 * @returns {import("/static/game/tutor.js").Arrow[]}
 */
function arrows() {
  const { player } = ply();
  if (moving || tried?.action || (mover.made && !tried)) return [];
  if (!judgement) return [];
  const { decision } = judgement;
  if (decision?.kind !== "play") return plies.arrowsOfMade(ply());
  const best = decision.options[0];
  const second = looked ?? tried ?? decision.options[decision.chosen];
  return [...arrowsOf(best, player, second !== best), ...(second === best ? [] : arrowsOf(second, player))];
}

// -- drawing ----------------------------------------------------------------------------------------------------
/** @param {number} [index] the ply whose side moves, while checkers travel */
function draw(index = at) {
  if (!match) return;
  const now = /** @type {Ply} */ (match.plies[index]);
  const look = preferences.read();
  const view = judgement?.board;
  const rows = moving ?? (view && mover.made ? mover.rows(view.points, view.on_roll) : now.points);
  const dice = view && mover.active ? mover.dice(now.dice, now.player) : plies.diceOf(now);
  board.draw({
    rows,
    bottom,
    mover: now.player,
    you: false,
    hand: match.hand,
    names: { X: match.players[0], O: match.players[1] },
    shape: shapeNow(),
    homeLeft: look.home === "left",
    numbers: look.numbers,
    last: [],
    arrows: arrows(),
    dice: moving || tried?.action ? [] : dice,
    press: mover.complete && !tried ? "finish" : "",
    cube: plies.cubeOf(trying.withTried(now, tried), match.cube),
    ...mover.look,
  });
  plies.playerLine(byId("player-top"), match, ply(), other(bottom), rows);
  plies.playerLine(byId("player-bottom"), match, ply(), bottom, rows);
  const current = ply();
  const words = plies.plyWords(current, nameOf(current.player));
  if (byId("status").textContent !== words) byId("status").textContent = words;
  byId("ply-title").replaceChildren(
    el("span", { class: "hint" }, `${current.number} `),
    `${nameOf(current.player)}: ${current.dice ? `${thrown(current.dice)} ` : ""}${plies.madeWords(current)}`,
  );
  if (!judgement) for (const part of ["why", "options"]) byId(part).replaceChildren();
  if (!judgement || !(tried || judging)) byId("tried").replaceChildren();
  drawButtons();
}

function drawButtons() {
  const isTrying = Boolean(tried) || (mover.active && mover.made);
  const action = trying.otherAction(match, at, judgement);
  const shown = {
    back: !isTrying,
    forward: !isTrying,
    // Once the try is judged, the way on stands beside the way back.
    error: !isTrying || Boolean(tried),
    undo: isTrying,
    done: isTrying && !tried,
  };
  byId("try-cube").hidden = isTrying || !action;
  if (action) byId("try-cube").textContent = t`Try: ${t(action.label)}`;
  const able = {
    back: at > 0,
    forward: at < match.plies.length - 1,
    done: mover.complete,
    error: match.plies.some(plies.isError),
  };
  showActions(shown, able);
}

/** The ply that is shown is marked in the list, and in sight there; the address leads to it. */
function markCurrent() {
  history.replaceState(
    null,
    "",
    `?${new URLSearchParams({ ply: `${ply().game}.${ply().event}`, ...(bottom === "X" ? {} : { player: bottom }) })}`,
  );
  if (tab === "graph" || tab === "notes") showTab(tab);
  if (tab === "moves") plies.markPly(byId("panel"), at);
}

/** @param {string} name */
async function showTab(name) {
  tab = name;
  for (const button of document.querySelectorAll("[role=tab]")) {
    button.setAttribute("aria-selected", String(button.id === `tab-${name}`));
    button.setAttribute("tabindex", button.id === `tab-${name}` ? "0" : "-1");
  }
  const panel = byId("panel");
  panel.setAttribute("aria-labelledby", `tab-${name}`);
  panel.scrollTop = 0;
  if (name === "moves") {
    panel.replaceChildren(plies.plyList(match, goTo));
    markCurrent();
    if (kind === "library") notes.showMark(panel, number, match.plies);
    return;
  }
  if (name === "notes") {
    const { game, event } = ply();
    const parts = await notes.notesOf(kind === "library" ? number : null, ply(), place, match);
    if (tab !== name || ply().event !== event || ply().game !== game) return;
    const isWriting = comesToWrite || panel.querySelector("textarea:focus");
    comesToWrite = false;
    panel.replaceChildren(...parts);
    if (isWriting) panel.querySelector("textarea")?.focus();
    return;
  }
  const course = await import("/static/review/course.js");
  if (tab === name)
    panel.replaceChildren(
      name === "luck"
        ? course.luck(match, goTo)
        : name === "graph"
          ? course.graph(match, at, goTo)
          : course.summary(match, report, kind === "library" ? null : above),
    );
}

/** A tab is chosen by a press, or by arrows from the one beside it. */
function listenToTabs() {
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[role=tab]")]);
  const choose = (/** @type {HTMLElement} */ chosen) =>
    showTab(chosen.id.replace("tab-", "")).catch((error) => showProblem(error.message));
  for (const [index, one] of all.entries()) {
    one.addEventListener("click", () => choose(one));
    one.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      const next = all[(index + by + all.length) % all.length];
      next.focus();
      choose(next);
    });
  }
}

listenToActions({
  back: () => goTo(at - 1),
  forward: () => goTo(at + 1),
  error: () => goToError(1),
  done: () => mover.finish(),
  undo: () => {
    const isCube = tried?.action;
    tried = judging = null;
    if (isCube) draw();
    else mover.undo();
  },
});
byId("share").addEventListener("click", share);
byId("try-cube").addEventListener("click", tryCube);
byId("open-preferences").addEventListener("click", () => showPreferences(draw, null));
onOrientation(draw);
board.yieldsArrows = true;
listen(byId("board"), {
  step: (by) => goTo(at + by),
  error: goToError,
  game: goToGame,
  end: (by) => goTo(by < 0 ? 0 : match.plies.length - 1),
  turn: () => {
    bottom = other(bottom);
    draw();
    markCurrent();
  },
  press: (name) => enabledButton(name)?.click(),
  unselect: () => mover.unselect(),
});
listenToTabs();

async function begin() {
  byId("to-report").href = report;
  try {
    match = await call(`${place}/plies`);
    if (address.get("player") === "O") bottom = "O";
    const sides = match.players.map((/** @type {string} */ name, /** @type {number} */ index) => ["XO"[index], name]);
    fill(byId("whose"), [["", t("both")], ...sides], address.get("player") ?? "");
    byId("title").textContent = versus(match.players);
    document.title = `${versus(match.players)} · Fullprime`;
    if (!match.plies.length) {
      byId("status").textContent = t("There is nothing to show in this match.");
      return;
    }
    at = plies.firstShown(match.plies, address.get("ply") ?? "", byId("whose").value);
    await showTab(location.hash === "#notes" ? "notes" : "moves");
    if (kind !== "library") showOtherMatches(byId("matches"));
    await goTo(at);
    leadToRules(judgement?.board ?? { variant: "backgammon" });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    showProblem(error.message);
    byId("status").textContent = t("There is no such review here.");
  }
}

begin();
