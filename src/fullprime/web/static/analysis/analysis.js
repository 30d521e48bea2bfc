// @ts-check
/** The analysis board: any position, set up, pasted or played to, and what the engine says of it. */

import { showButtons, showLevel } from "/static/analysis/buttons.js";
import { hand } from "/static/analysis/copying.js";
import { Questions, rollOut } from "/static/analysis/engine.js";
import { beginningOf, fillChoices, fillForm, licences, readForm } from "/static/analysis/form.js";
import { listen } from "/static/analysis/keyboard.js";
import { playerLine, showStatus, showTitle, statusWords } from "/static/analysis/lines.js";
import { playArrows, playList, SHOWN } from "/static/analysis/list.js";
import { Maps } from "/static/analysis/maps.js";
import { showRolloutSettings } from "/static/analysis/rollout.js";
import { fromAddress, toAddress } from "/static/analysis/setup.js";
import { Throws } from "/static/analysis/throws.js";
import { Editor } from "/static/board/editor.js";
import { chancesText, cubeTable, positionTable } from "/static/board/figures.js";
import { onOrientation, shapeNow } from "/static/board/layout.js";
import { Mover } from "/static/board/mover.js";
import { other } from "/static/board/numbering.js";
import { takePastes } from "/static/board/paste.js";
import { textForm } from "/static/board/text-form.js";
import { listenToActions } from "/static/parts/actions.js";
import { call } from "/static/parts/api.js";
import { attempt } from "/static/parts/attempt.js";
import { copy, download } from "/static/parts/clipboard.js";
import { byId, el } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { showPreferences } from "/static/parts/preferences-dialog.js";
import { reveal } from "/static/parts/reveal.js";
import { leadToRules, toRules } from "/static/parts/rules-link.js";
import { t } from "/static/parts/texts.js";

/** The position as the server shows it. @type {any} */
let now = null;
/** Checkers that are being set up: the server may not like them yet. @type {{X: number[], O: number[]}} */
let rows = { X: [], O: [] };
let editing = false;
let bottom = /** @type {import("/static/parts/state").Side} */ ("X");
const past = /** @type {any[]} */ ([]);
let at = -1;
/** What the engine says of the position, and the plays of its list that are looked at and chosen. @type {any} */
let answer = null;
let looked = /** @type {number | null} */ (null);
const chosen = new Set();
/** The play that the address of the page names. */
let sought = new URLSearchParams(location.search).get("play") ?? "";

const mover = new Mover(
  () => draw(),
  (moves) => act(moves),
);
const throws = new Throws(byId("board"), (dice) => setUp({ dice, offered: false }));
// A press on the dice sets them; of a play that is being made they are exchanged, and at its end it is finished.
const board = new Editor(
  byId("board"),
  {
    ...mover.handlers,
    onDice: (die, atOnce) => {
      if (mover.made) mover.handlers.onDice(die, atOnce);
      else throws.open();
    },
  },
  edited,
);

const questions = new Questions(() => now.setup);
const maps = new Maps(
  questions,
  () => now.setup,
  (changes) => setUp(changes),
);

// -- the position -----------------------------------------------------------------------------------------------
function problem(text) {
  byId("problem").textContent = text;
}

/** Ask the server for a board; what it refuses is shown. */
const fetchBoard = (path, body) => attempt(() => call(`/analysis/${path}`, body));

/** Show a position that the server has given. */
function show(view, { keep = true } = {}) {
  if (now) sought = "";
  now = view;
  rows = view.points;
  mover.reset(editing ? undefined : view.tree);
  answer = null;
  looked = null;
  chosen.clear();
  for (const name of ["answer", "map", "rolled"]) byId(name).replaceChildren();
  byId("thinking").textContent = byId("rolling").textContent = "";
  questions.leave();
  if (keep) {
    past.splice(at + 1);
    past.push(view);
    at = past.length - 1;
  }
  addressOf(sought);
  document.dispatchEvent(new CustomEvent("position", { detail: view.setup }));
  byId("notes").replaceChildren(...view.notes.map((note) => el("li", {}, note)));
  fillForm(now);
  draw();
  if (byId("automatic").checked) analyse();
}

async function act(line) {
  const view = await fetchBoard("act", { setup: now.setup, line });
  if (view) show(view);
  else draw();
}

function step(by) {
  if (!past[at + by]) return;
  at += by;
  show(past[at], { keep: false });
}

let requests = 0;

/** Show what has been set up, as soon as the server finds that it can be. */
async function setUp(changes) {
  const mine = ++requests;
  const setup = { ...now.setup, follow_ups: null, choose: false, ...changes };
  const view = await fetchBoard("board", setup);
  if (view && mine === requests) show(view);
}

/** Checkers have been put down or taken away. */
function edited(changed, trouble) {
  if (trouble) {
    problem(trouble);
    return;
  }
  rows = changed;
  draw();
  setUp({ position: textForm(rows, now.setup.on_roll, licences()) });
}

// -- the engine -------------------------------------------------------------------------------------------------
async function analyse() {
  if (!now) return;
  const result = await questions.ask("analyse", { level: byId("level").value }, "thinking");
  if (!result) return;
  answer = result;
  looked = null;
  chosen.clear();
  showAnswer();
  reveal(byId("answer"));
  if (sought) lookFor(sought);
  draw();
}

/** The play that the address names: it is looked at, wherever it stands. @param {string} text */
function lookFor(text) {
  const index = answer.kind === "plays" ? answer.plays.findIndex((candidate) => candidate.play === text) : -1;
  if (index >= SHOWN) listPlays(true);
  if (index >= 0) look(index);
  else byId("problem").replaceChildren(t`${text} in the address is no play of this position.`, " ", toRules());
  sought = "";
}

function showAnswer() {
  const place = byId("answer");
  if (answer.kind === "plays") listPlays();
  else if (answer.kind === "choice")
    place.replaceChildren(el("p", {}, t`Name the double ${answer.choose} ${answer.choose}.`));
  else
    place.replaceChildren(
      ...[answer.cube ? cubeTable(answer.cube) : null, positionTable(answer)].filter((part) => part !== null),
    );
}

/** @param {boolean} [all] */
function listPlays(all = false) {
  byId("answer").replaceChildren(
    playList(
      answer,
      { looked, chosen },
      {
        onLook: (index) => look(looked === index ? null : index),
        onAll: () => listPlays(true),
        onChoose: draw,
        onPlay: (play) => {
          if (play || looked !== null) act(play || answer.plays[looked].play);
        },
      },
      all,
    ),
  );
}

/** The address leads to the position, and to a play of it that is looked at. @param {string} play */
function addressOf(play) {
  history.replaceState(
    null,
    "",
    `/analysis?${new URLSearchParams([...new URLSearchParams(toAddress(now.setup)), ...(play ? [["play", play]] : [])])}`,
  );
}

/** Look at a play of the list: its arrows, its chances. The address then leads to it. */
function look(index) {
  looked = index;
  addressOf(index === null ? "" : answer.plays[index].play);
  for (const button of document.querySelectorAll("#answer [data-index]")) {
    button.setAttribute("aria-pressed", String(Number(button.getAttribute("data-index")) === index));
  }
  draw();
}

/** The plays that are chosen in the list, as they are written. */
const chosenPlays = () =>
  answer?.kind === "plays" ? [...chosen].sort((a, b) => a - b).map((index) => answer.plays[index].play) : [];

// -- drawing ----------------------------------------------------------------------------------------------------
/** @returns {import("/static/game/tutor.js").Arrow[]} */
function arrows() {
  if (answer?.kind !== "plays" || editing || mover.made) return [];
  return playArrows(answer.plays, looked, now.on_roll);
}

function draw() {
  if (!now) return;
  const look = preferences.read();
  board.editing = editing;
  board.svg.classList.toggle("editing", editing);
  board.draw({
    rows: editing ? rows : mover.rows(rows, now.on_roll),
    bottom,
    mover: now.on_roll,
    you: false,
    hand: now.has_hand,
    names: { X: "X", O: "O" },
    shape: shapeNow(),
    homeLeft: look.home === "left",
    numbers: look.numbers,
    last: [],
    arrows: arrows(),
    dice: mover.dice(now.dice, now.on_roll),
    press: mover.complete ? "finish" : now.dice || now.actions.includes("roll") ? "set" : "",
    cube: now.cube.in_use || now.cube.value > 1 ? now.cube : null,
    ...mover.look,
  });
  const held = mover.rows(rows, now.on_roll);
  playerLine(byId("player-top"), now, other(bottom), held, true);
  playerLine(byId("player-bottom"), now, bottom, held);
  showStatus(statusWords(now, editing, mover.complete));
  showTitle(now);
  leadToRules(now);
  byId("editing").hidden = !editing;
  const words = byId("chances");
  if (words)
    words.textContent = looked !== null ? chancesText(answer.plays[looked].probabilities, answer.per_checker) : "";
  if (byId("make")) byId("make").disabled = looked === null;
  showButtons(
    now,
    mover,
    editing,
    { back: at > 0, forward: at < past.length - 1, compare: chosen.size === 2 },
    (number) => act(`choose ${number}`), // not a text
  );
}

/** What is copied of the position that is shown: on its picture the best play, and the one that is looked at. */
function pictured() {
  const plays =
    answer?.kind === "plays" && !editing ? [answer.plays[0], ...(looked ? [answer.plays[looked]] : [])] : [];
  return { setup: now.setup, ids: now.ids, plays: plays.map(({ play }) => play) };
}

// -- what a person does -----------------------------------------------------------------------------------------
function toggleEditing() {
  editing = !editing;
  mover.reset(editing ? undefined : now.tree);
  problem("");
  if (!editing) rows = now.points;
  draw();
  /** @type {HTMLElement} */ (document.querySelector(".side")).scrollTop = 0; // what is set up stands first in it
}

listenToActions({
  back: () => step(-1),
  forward: () => step(1),
  roll: () => act("roll"),
  double: () => act("double"),
  take: () => act("take"),
  beaver: () => act("beaver"),
  undo: () => mover.undo(),
  done: () => mover.finish(),
  edit: toggleEditing,
});
byId("editing").addEventListener("change", (event) => {
  const target = event.target;
  if (target.name === "brush") {
    board.brush = target.value;
    return;
  }
  if (target.id === "variant") {
    setUp(beginningOf(target.value));
    return;
  }
  if (
    (target.id === "dice-a" || target.id === "dice-b") &&
    Boolean(byId("dice-a").value) !== Boolean(byId("dice-b").value)
  ) {
    if (target.value) return;
    byId("dice-a").value = byId("dice-b").value = "";
  }
  setUp(readForm(now, rows));
});
byId("clear").addEventListener("click", () => edited({ X: emptied("X"), O: emptied("O") }, ""));
byId("begin").addEventListener("click", () => setUp({ position: null, dice: null, offered: false }));
byId("swap").addEventListener("click", () =>
  setUp({ position: textForm({ X: rows.O, O: rows.X }, now.setup.on_roll, { X: licences().O, O: licences().X }) }),
);
const emptied = (side) => rows[side].map((_, slot) => (slot === 0 ? now.checkers : 0));
byId("analyse").addEventListener("click", analyse);
byId("level").addEventListener("change", () => {
  preferences.write({ analysisLevel: byId("level").value });
  analyse();
});
byId("compare").addEventListener("click", () => maps.compare(chosenPlays()));
byId("rolls").addEventListener("click", () => maps.showRolls());
byId("scores").addEventListener("click", () => maps.showScores());
byId("rollout").addEventListener("click", () => rollOut(questions, chosenPlays()));
/** Show the position of an identifier that was pasted. @param {string} text */
async function read(text) {
  const view = text && (await fetchBoard("read", { text, variant: now.setup.variant }));
  if (!view) return;
  byId("id").value = "";
  bottom = view.turn ?? "X";
  show(view);
}

byId("read").addEventListener("submit", (event) => {
  event.preventDefault();
  read(byId("id").value.trim());
});
byId("copy").addEventListener("click", () => hand(pictured(), copy));
byId("save-copy").addEventListener("click", () => hand(pictured(), download));
byId("open-preferences").addEventListener("click", () => showPreferences(draw, null));
onOrientation(draw);

listen({
  brush: (side) => {
    if (!editing) return false;
    board.brush = side;
    /** @type {any} */ (document.querySelector(`[name=brush][value=${side}]`)).checked = true;
    return true;
  },
  digit: (key) => !editing && throws.type(key),
  analyse,
  turn: () => {
    bottom = other(bottom);
    draw();
  },
  unselect: () => mover.unselect(),
  exchange: () => {
    if (mover.active) {
      mover.swapped = !mover.swapped;
      draw();
    }
  },
});
takePastes(read);

const { variants, levels } = await call("/options");

fillChoices(variants);
byId("level").value = preferences.read().analysisLevel ?? "1-ply";
if (!byId("level").value) byId("level").value = "1-ply";
byId("level").addEventListener("change", () => showLevel(levels));
showLevel(levels);
showRolloutSettings();
const { id, setup } = fromAddress(location.search);
const first = await fetchBoard(
  id ? "read" : "board",
  id ? { text: id, variant: setup.variant ?? "backgammon" } : setup,
);
const trouble = byId("problem").textContent;
const view = first ?? (await fetchBoard("board", {}));
if (view) {
  bottom = view.turn ?? "X";
  show(view);
}
if (!first) problem(trouble);
