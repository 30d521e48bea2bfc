// @ts-check
/** The analysis board: any position, set up, pasted or played to, and what the engine says of it. */

import { copy, download } from "/static/parts/clipboard.js";
import { Refusal, call } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { Editor, textForm } from "/static/board/editor.js";
import { chancesText, cubeTable, positionTable, rollTable, rolloutTable, scoreTable } from "/static/board/figures.js";
import { askEngine, stateWords } from "/static/parts/jobs.js";
import { Mover } from "/static/board/mover.js";
import { onShape, shapeNow } from "/static/board/shape.js";
import { leadToRules, toRules } from "/static/parts/rules-link.js";
import * as settings from "/static/parts/settings.js";
import { showSettings } from "/static/parts/settings-dialog.js";
import { hand } from "/static/analysis/copying.js";
import { fillChoices, fillForm, licences, readForm } from "/static/analysis/form.js";
import { SHOWN, playArrows, playList } from "/static/analysis/list.js";
import { rolloutSettings, showRolloutSettings } from "/static/analysis/rollout.js";
import { fromAddress, toAddress } from "/static/analysis/setup.js";
import { t } from "/static/parts/texts.js";
import { signed, thrown } from "/static/parts/words.js";

const other = (side) => (side === "X" ? "O" : "X");

/** The position as the server told it. @type {any} */
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
/** Work under way: one of each kind. @type {Record<string, any>} */
const work = {};

const mover = new Mover(() => draw(), (moves) => act(moves));
const board = new Editor(byId("board"), mover.handlers, edited);

// -- the position -----------------------------------------------------------------------------------------------
function problem(text) { byId("problem").textContent = text; }

/** Ask the server for a board; what it refuses is told. */
async function fetchBoard(path, body) {
  problem("");
  try {
    return await call(`/analysis/${path}`, body);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    problem(error.message);
    return null;
  }
}

/** Show a position that the server has told. */
function show(told, { keep = true } = {}) {
  if (now) sought = "";
  now = told;
  rows = told.points;
  mover.reset(editing ? undefined : told.tree);
  answer = null;
  looked = null;
  chosen.clear();
  for (const name of ["answer", "map", "rolled"]) byId(name).replaceChildren();
  byId("thinking").textContent = byId("rolling").textContent = "";
  for (const job of Object.values(work)) job.leave();
  if (keep) {
    past.splice(at + 1);
    past.push(told);
    at = past.length - 1;
  }
  addressOf(sought);
  document.dispatchEvent(new CustomEvent("position", { detail: told.setup }));
  byId("notes").replaceChildren(...told.notes.map((note) => el("li", {}, note)));
  fillForm(now);
  draw();
  if (byId("automatic").checked) analyse();
}

async function act(line) {
  const told = await fetchBoard("act", { setup: now.setup, line });
  if (told) show(told);
  else draw();
}

function step(by) {
  if (!past[at + by]) return;
  at += by;
  show(past[at], { keep: false });
}

let asked = 0;

/** Show what has been set up, as soon as the server finds that it can be. */
async function setUp(changes) {
  const mine = ++asked;
  const setup = { ...now.setup, follow_ups: null, choose: false, ...changes };
  const told = await fetchBoard("board", setup);
  if (told && mine === asked) show(told);
}

/** Checkers have been put down or taken away. */
function edited(changed, trouble) {
  if (trouble) { problem(trouble); return; }
  rows = changed;
  draw();
  setUp({ position: textForm(rows, now.setup.on_roll, licences()) });
}

// -- the engine -------------------------------------------------------------------------------------------------
/** Ask the engine; a question of the same kind that is under way is given up. */
async function question(kind, more, place, onNews) {
  work[kind]?.leave();
  const setup = now.setup;
  try {
    const job = work[kind] = askEngine({ kind, setup, ...more }, (told) => { byId(place).textContent = stateWords(told); onNews?.(told); });
    const told = await job.done;
    if (!told || setup !== now.setup) return null;
    byId(place).textContent = told.error ?? "";
    return told.result;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId(place).textContent = error.message;
    return null;
  }
}

async function analyse() {
  if (!now) return;
  const found = await question("analyse", { level: byId("level").value }, "thinking");
  if (!found) return;
  answer = found;
  looked = null;
  chosen.clear();
  showAnswer();
  if (sought) lookFor(sought);
  draw();
}

/** The play that the address names: it is looked at, wherever it stands. @param {string} text */
function lookFor(text) {
  const index = answer.kind === "plays" ? answer.plays.findIndex((each) => each.play === text) : -1;
  if (index >= SHOWN) listPlays(true);
  if (index >= 0) look(index);
  else byId("problem").replaceChildren(t`${text} in the address is no play of this position.`, " ", toRules());
  sought = "";
}

function showAnswer() {
  const place = byId("answer");
  if (answer.kind === "plays") listPlays();
  else if (answer.kind === "choice") place.replaceChildren(el("p", {}, t`Name the double ${answer.choose} ${answer.choose}.`));
  else place.replaceChildren(...[answer.cube ? cubeTable(answer.cube) : null, positionTable(answer)].filter((each) => each !== null));
}

/** @param {boolean} [all] */
function listPlays(all = false) {
  byId("answer").replaceChildren(playList(answer, { looked, chosen }, {
    onLook: (index) => look(looked === index ? null : index), onAll: () => listPlays(true), onChoose: draw,
    onPlay: (play) => { if (play || looked !== null) act(play || answer.plays[looked].play); },
  }, all));
}

/** The address leads to the position, and to a play of it that is looked at. @param {string} play */
function addressOf(play) {
  history.replaceState(null, "", `/analysis?${new URLSearchParams([...new URLSearchParams(toAddress(now.setup)), ...(play ? [["play", play]] : [])])}`);
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
const chosenPlays = () => (answer?.kind === "plays" ? [...chosen].sort((a, b) => a - b).map((index) => answer.plays[index].play) : []);

async function compare() {
  const plays = chosenPlays();
  const found = await question("compare", { plays }, "thinking");
  if (!found) return;
  const [first, second] = found.plays;
  byId("map").replaceChildren(
    el("p", {}, t`${first} less ${second}: ${signed(found.difference)} on average (${signed(found.means[0])} and ${signed(found.means[1])}), for the player on roll, by the opponent's next roll.`),
    rollTable(t`${first} less ${second}`, found.rolls, (roll) => roll.difference,
      ({ dice, equities, replies }) => t`${dice.join("-")}: ${signed(equities[0])} (answer ${replies[0]}), ${signed(equities[1])} (answer ${replies[1]})`));
}

async function showRolls() {
  const found = await question("rolls", {}, "thinking");
  if (!found) return;
  byId("map").replaceChildren(rollTable(t`Every roll against the mean of ${signed(found.mean)}`, found.rolls, (roll) => roll.gain,
    ({ dice, equity, play }) => `${dice.join("-")}: ${play} ${signed(equity)}`, ({ dice }) => fromMap({ dice, offered: false })));
}

/** What a cell of a map leads to: the map goes, so that the focus and the eye move to the answer. @param {Record<string, any>} changes */
const fromMap = (changes) => { setUp(changes); byId("advice-title").focus({ preventScroll: true }); byId("advice-title").scrollIntoView(); };

async function showScores() {
  const found = await question("scores", { length: 7 }, "thinking");
  // A score is looked at with the cube in the middle, as the table was made.
  const { length } = found ?? { length: 0 };
  if (found) byId("map").replaceChildren(scoreTable(found, (mine, theirs) => {
    const score = now.setup.on_roll === "X" ? [length - mine, length - theirs] : [length - theirs, length - mine];
    fromMap({ rules: { ...now.setup.rules, length: String(length) }, score, crawford: mine === 1 || theirs === 1 ? false : null, cube: 1, owner: null, dice: null, offered: false });
  }));
}

async function rollOut() {
  if (work.rollout && byId("rollout").dataset.running) { work.rollout.stop(); return; }
  const showRolled = (found) => byId("rolled").replaceChildren(rolloutTable(found));
  byId("rollout").dataset.running = "yes";
  byId("rollout").textContent = t("Stop");
  const found = await question("rollout", { plays: chosenPlays(), ...rolloutSettings() },
    "rolling", (told) => { if (told.progress) showRolled(told.progress); });
  delete byId("rollout").dataset.running;
  byId("rollout").textContent = t("Roll out");
  if (found) { showRolled(found); byId("rolling").textContent = `${found.reason.charAt(0).toUpperCase()}${found.reason.slice(1)}.`; }
}

// -- drawing ----------------------------------------------------------------------------------------------------
/** @returns {import("/static/game/tutor.js").Arrow[]} */
function arrows() {
  if (answer?.kind !== "plays" || editing || mover.made) return [];
  return playArrows(answer.plays, looked, now.on_roll);
}

function player(place, side) {
  const index = side === "X" ? 0 : 1, mine = mover.rows(rows, now.on_roll)[side];
  const pips = mine.reduce((sum, count, slot) => sum + count * Math.min(slot, 25), 0);
  const facts = [t`pips ${pips}`];
  if (now.length) facts.push(t`score ${now.score[index]} of ${now.length}`);
  if (now.cube.owner === side) facts.push(t`cube ${now.cube.value}`);
  const info = el("span", { class: "facts" }, facts.join(" · "));
  place.replaceChildren(el("span", { class: `chip ${side.toLowerCase()}`, "aria-hidden": "true" }), el("strong", {}, side), info);
  if (side === other(bottom) && now.crawford) place.append(el("span", { class: "sign" }, t("Crawford game")));
  place.classList.toggle("turn", now.turn === side);
}

function status() {
  if (editing) return t("Setting up.");
  if (now.setup.choose) return t`${now.turn} names a double.`;
  if (now.setup.offered) return t`${now.turn} has been offered the cube at ${now.cube.offered}.`;
  if (now.dice) return mover.complete ? t("Finish the play, or undo.") : t`${now.on_roll} to play ${thrown(now.dice)}.`;
  return now.actions.includes("double") ? t`${now.on_roll} to roll or double.` : t`${now.on_roll} to roll.`;
}

function draw() {
  if (!now) return;
  const look = settings.read();
  board.editing = editing;
  board.svg.classList.toggle("editing", editing);
  board.draw({
    rows: editing ? rows : mover.rows(rows, now.on_roll), bottom, mover: now.on_roll, you: false, hand: now.has_hand, names: { X: "X", O: "O" },
    shape: shapeNow(), homeLeft: look.home === "left", numbers: look.numbers, last: [], arrows: arrows(),
    dice: mover.dice(now.dice, now.on_roll), cube: now.cube.in_use || now.cube.value > 1 ? now.cube : null, ...mover.look,
  });
  player(byId("player-top"), other(bottom));
  player(byId("player-bottom"), bottom);
  const said = status();
  if (byId("status").textContent !== said) byId("status").textContent = said;
  const game = now.length ? t`${t(now.title)}, match to ${now.length}` : t`${t(now.title)}, money`;
  byId("title").replaceChildren(el("span", { class: "kind" }, t("Analysis board:"), " "), game);
  leadToRules(now);
  byId("editing").hidden = !editing;
  const words = byId("chances");
  if (words) words.textContent = looked !== null ? chancesText(answer.plays[looked].probabilities, answer.per_checker) : "";
  if (byId("make")) byId("make").disabled = looked === null;
  buttons();
}

/** What is copied of the position that is shown: on its picture the best play, and the one that is looked at. */
function pictured() {
  const plays = answer?.kind === "plays" && !editing ? [answer.plays[0], ...(looked ? [answer.plays[looked]] : [])] : [];
  return { setup: now.setup, ids: now.ids, plays: plays.map(({ play }) => play) };
}

function buttons() {
  const can = (word) => now.actions.includes(word) && !editing;
  const shown = { back: true, forward: true, edit: true, roll: can("roll"), double: can("double"), take: can("take"), beaver: can("beaver"), undo: mover.active && !editing, done: mover.active && !editing };
  const able = { back: at > 0, forward: at < past.length - 1, undo: mover.made, done: mover.complete };
  for (const button of byId("actions").querySelectorAll("[data-act]")) {
    const name = button.dataset.act;
    button.hidden = !shown[name];
    button.disabled = able[name] === false;
  }
  byId("actions").querySelector("[data-act=edit]").setAttribute("aria-pressed", String(editing));
  const choose = can("choose") ? [1, 2, 3, 4, 5, 6] : [];
  if (byId("choices").children.length !== choose.length) {
    byId("choices").replaceChildren(...choose.map((n) => el("button", { type: "button", onclick: () => act(`choose ${n}`) }, `${n} ${n}`)));
  }
  byId("compare").hidden = !now.dice;
  byId("compare").disabled = chosen.size !== 2;
  byId("rolls").hidden = Boolean(now.dice);
  byId("scores").hidden = Boolean(now.dice) || !now.cube.in_use && now.length !== 1 && !now.crawford;
  byId("rollout-hint").hidden = !now.dice;
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

const DEEDS = {
  back: () => step(-1), forward: () => step(1), roll: () => act("roll"), double: () => act("double"), take: () => act("take"),
  beaver: () => act("beaver"), undo: () => mover.undo(), done: () => mover.finish(), edit: toggleEditing,
};
byId("actions").addEventListener("click", (event) => { DEEDS[event.target.closest("[data-act]")?.dataset.act]?.(); });
byId("editing").addEventListener("change", (event) => {
  const target = event.target;
  if (target.name === "brush") { board.brush = target.value; return; }
  if (target.id === "variant") { setUp({ variant: target.value, rules: {}, position: null, dice: null, cube: 1, owner: null, offered: false, score: [0, 0], crawford: null, multiplier: 1 }); return; }
  if ((target.id === "dice-a" || target.id === "dice-b") && Boolean(byId("dice-a").value) !== Boolean(byId("dice-b").value)) {
    if (target.value) return;
    byId("dice-a").value = byId("dice-b").value = "";
  }
  setUp(readForm(now, rows));
});
byId("clear").addEventListener("click", () => edited({ X: emptied("X"), O: emptied("O") }, ""));
byId("begin").addEventListener("click", () => setUp({ position: null, dice: null, offered: false }));
byId("swap").addEventListener("click", () => setUp({ position: textForm({ X: rows.O, O: rows.X }, now.setup.on_roll, { X: licences().O, O: licences().X }) }));
const emptied = (side) => rows[side].map((_, slot) => (slot === 0 ? now.checkers : 0));
byId("analyse").addEventListener("click", analyse);
byId("level").addEventListener("change", () => { settings.write({ analysisLevel: byId("level").value }); analyse(); });
byId("compare").addEventListener("click", compare);
byId("rolls").addEventListener("click", showRolls);
byId("scores").addEventListener("click", showScores);
byId("rollout").addEventListener("click", rollOut);
byId("read").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = byId("id").value.trim();
  if (!text) return;
  const told = await fetchBoard("read", { text, variant: now.setup.variant });
  if (!told) return;
  byId("id").value = "";
  bottom = told.turn ?? "X";
  show(told);
});
byId("copy").addEventListener("click", () => hand(pictured(), copy));
byId("save-copy").addEventListener("click", () => hand(pictured(), download));
byId("open-settings").addEventListener("click", () => showSettings(draw, null));
onShape(draw);

document.addEventListener("keydown", (event) => {
  const place = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || !(place instanceof Element)) return;
  if (place.closest("input:not([type=radio], [type=checkbox]), select, textarea, dialog")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === " " && place.closest("button, summary, a, input")) return;
  if (editing && (key === "x" || key === "o")) {
    board.brush = key.toUpperCase();
    /** @type {any} */ (document.querySelector(`[name=brush][value=${board.brush}]`)).checked = true;
    return;
  }
  if (key === "/") { event.preventDefault(); byId("id").focus(); return; }
  if (key === "a") { analyse(); return; }
  if (key === "v") { bottom = other(bottom); draw(); return; }
  if (key === "Escape") { mover.unselect(); return; }
  const name = { r: "roll", d: "double", t: "take", f: "done", " ": "done", u: "undo", Backspace: "undo", k: "back", j: "forward", e: "edit" }[key];
  const button = name && byId("actions").querySelector(`[data-act=${name}]:not([hidden]):enabled`);
  if (button) { event.preventDefault(); button.click(); }
});

const { variants, levels } = await call("/options");

/** What the chosen level does, how strong it was measured to be, and how long a play takes. */
function levelWords() {
  const found = levels.find(({ level }) => level === byId("level").value);
  const parts = found ? [t(found.about), found.pr === null ? "" : t`PR ${found.pr.toFixed(2)} ± ${found.error.toFixed(2)}`, found.ms === null ? "" : t`about ${found.ms < 1 ? found.ms.toFixed(2) : Math.round(found.ms)} ms a play`] : [];
  byId("level-words").textContent = parts.filter(Boolean).join("; ");
}
fillChoices(variants);
byId("level").value = settings.read().analysisLevel ?? "1-ply";
if (!byId("level").value) byId("level").value = "1-ply";
byId("level").addEventListener("change", levelWords);
levelWords();
showRolloutSettings();
const { id, setup } = fromAddress(location.search);
const first = await fetchBoard(id ? "read" : "board", id ? { text: id, variant: setup.variant ?? "backgammon" } : setup);
const trouble = byId("problem").textContent;
const told = first ?? await fetchBoard("board", {});
if (told) {
  bottom = told.turn ?? "X";
  show(told);
}
if (!first) problem(trouble);
