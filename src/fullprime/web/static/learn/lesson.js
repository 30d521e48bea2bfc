// @ts-check
/** One lesson: its steps with the board, what the learner does, and what comes of it. */

import { Refusal, call, keep } from "/static/parts/api.js";
import { Board } from "/static/board/board.js";
import { byId, el } from "/static/parts/page.js";
import { Mover } from "/static/board/mover.js";
import { slotName } from "/static/board/tree.js";
import { onShape, shapeNow } from "/static/board/shape.js";
import { leadToRules, toRules } from "/static/parts/rules-link.js";
import * as settings from "/static/parts/settings.js";
import { showSettings } from "/static/parts/settings-dialog.js";
import { me } from "/static/people/people.js";
import { markRest } from "/static/learn/rest.js";
import { note, together } from "/static/learn/progress.js";
import { paragraphs } from "/static/terms/terms.js";
import { t } from "/static/parts/texts.js";

const name = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const ASKS = /** @type {Record<string, string>} */ ({
  play: t("Your play."), try: t("Try it."), cube: t("Your decision."), turn: t("Turn the cube."), choose: t("Choose an answer."), count: t("Write a number."), read: "",
});
/** What is to be done in a step. @param {any} now */
function asks(now) {
  if (now.do === "turn" && now.board.phase === "choose_double") return t("Name a double.");
  if (now.do === "turn" && now.board.phase === "opening_roll") return t("Throw for the first move.");
  return ASKS[now.do];
}
const GENTLE = "beginner";
/** The tutor speaks up before a play that costs so much. */
const TUTOR = 0.08;

/** @type {any} */
let lesson = null;
let at = 0;
let account = /** @type {string | null} */ (null);
/** What came of each step: "right", "wrong" (later answers do not count), "shown". @type {Record<number, string>} */
const results = {};
/** Steps that are done. @type {Set<number>} */
const finished = new Set();
/** The answer of the server to the last answer. @type {any} */
let told = null;
let busy = false;
/** The place with a checker of one's own that was pointed at last. @type {number | null} */
let picked = null;

const mover = new Mover(() => draw(), (moves) => answer(moves));
const own = mover.handlers;
const board = new Board(byId("board"), {
  ...own,
  onActivate: (slot) => activate(slot),
  onDrop: (from, to) => { if (open() && !reaches(from, to)) { refuse(from, to); return; } own.onDrop(from, to); },
});
const task = () => lesson.tasks[at];
const open = () => Boolean(lesson) && !busy && !finished.has(at) && !told?.play;
const playing = () => ["play", "try"].includes(task().do);

// -- on the board -----------------------------------------------------------------------------------------------
/** @param {number} from @param {number} to */
function reaches(from, to) {
  const [targets, others] = own.targets(from);
  return targets.has(to) || others.has(to);
}

/** Somebody pointed at a place: a move, or one that the rules refuse and explain. @param {number} slot */
function activate(slot) {
  if (!open() || !playing()) return;
  const mine = mover.rows(task().board.points, "X").X, made = mover.walk.moves.length;
  const from = mover.selected ?? picked;
  // Another checker that can move is meant to be taken, wherever it stands.
  if (from !== null && from !== slot && mine[from] && !reaches(from, slot) && !mover.walk.sources.has(slot)) {
    refuse(from, slot);
    return;
  }
  own.onActivate(slot);
  picked = mine[slot] && mover.walk.moves.length === made ? slot : null;
}

/** A move that the board does not know: the server says which rule it breaks. @param {number} from @param {number} to */
function refuse(from, to) {
  picked = null;
  mover.selected = null;
  answer([...mover.walk.moves, `${slotName(from)}/${slotName(to)}`].join(" "), true);
}

// -- answers ----------------------------------------------------------------------------------------------------
/** @param {string} text @param {boolean} [partly] a move that was tried, not a whole play */
async function answer(text, partly = false) {
  const step = at;
  busy = true;
  draw();
  const found = await ask(`/school/lessons/${lesson.name}/steps/${at + 1}/answer`, { answer: text });
  busy = false;
  if (!found || step !== at) { draw(); return; }
  take(found, partly);
}

/** @param {any} found @param {boolean} [partly] */
function take(found, partly = false) {
  told = found;
  if (!found.refused && !(partly && !found.right)) {
    results[at] ??= found.right ? "right" : "wrong";
    if (found.right) finish();
  } else { told.play = ""; }
  if (found.right && found.moves.length) mover.settle(found.moves);
  say(found);
  // A move that was refused was never made: what stands on the board stays.
  draw();
  toVerdict();
  byId("actions").querySelector("[data-act=again]:not([hidden])")?.focus();
  if (finished.has(at)) act("next")?.focus();
}

/** @param {any} found */
function say(found) {
  byId("verdict").className = `say ${found.right ? "right" : "wrong"}`;
  byId("verdict").replaceChildren(...paragraphs(found.words), ...(found.refused ? [el("p", {}, toRules())] : []));
}

/** The text may scroll beside a board that stays: go to what was said. */
function toVerdict() { byId("verdict").scrollIntoView({ block: "nearest" }); }

async function solution() {
  const step = at;
  const found = await ask(`/school/lessons/${lesson.name}/steps/${at + 1}/solution`);
  if (!found || step !== at) return;
  results[at] ??= "shown";
  const best = found.best || found.play;
  const named = best && task().choices.length && task().do === "choose" ? task().choices[Number(best) - 1] : best;
  told = { ...found, right: true };
  mover.reset(task().board?.tree);
  finish();
  say({ ...found, right: true, words: [...(named ? [[{ text: task().do === "try" ? t`The rules refuse ${named}.` : t`The answer: ${t(named)}.`, term: null }]] : []), ...found.words] });
  draw();
  toVerdict();
  act("next")?.focus();
}

/** @param {string} path @param {object} [body] */
async function ask(path, body) {
  byId("problem").textContent = "";
  try {
    return await call(path, body);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("problem").textContent = error.message;
    return null;
  }
}

/** This step is done. */
function finish() {
  finished.add(at);
  const steps = lesson.tasks.length, done = finished.size >= steps || at + 1 >= steps;
  const quiz = lesson.tasks.map((/** @type {any} */ each, /** @type {number} */ index) => (each.quiz ? results[index] : null)).filter(Boolean);
  const all = done && quiz.length === lesson.quizzes;
  const right = quiz.filter((/** @type {string} */ each) => each === "right").length;
  note(account, lesson.name, { step: at + 1, done, right: all ? right : 0, asked: all ? quiz.length : 0 })
    .then((problem) => { if (problem) byId("problem").textContent = problem; });
}

// -- the way through --------------------------------------------------------------------------------------------
/** @param {number} to */
function go(to) {
  if (to < 0) return;
  if (to >= lesson.tasks.length) { leave(); return; }
  at = to;
  told = null;
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

function next() {
  if (task().do === "read") finish();
  if (task().do === "read" || finished.has(at)) go(at + 1);
}

async function leave() {
  if (lesson.leads_to === "game") {
    const made = await ask("/games", {
      opponent: "bot", bot: GENTLE, variant: "backgammon", rules: { length: "1" }, name: account ?? undefined, other_name: t("Friend"), preset: null, position: null,
      automatic: true, spectators: false, clock: null,
    });
    if (!made) return;
    settings.write({ tutor: TUTOR });
    keep(made.id, { key: made.key, commitment: made.commitment });
    location.href = `/game/${made.id}`;
    return;
  }
  location.href = lesson.following ? `/learn/${lesson.following}` : "/learn";
}

function again() {
  told = null;
  picked = null;
  byId("verdict").replaceChildren();
  mover.reset(task().board?.tree);
  draw();
}

function hint() {
  byId("verdict").className = "say";
  byId("verdict").replaceChildren(...paragraphs(task().hint));
  toVerdict();
}

// -- drawing ----------------------------------------------------------------------------------------------------
/** The dice: of a throw for the first move one of each side, once it is thrown. @param {any} now @param {boolean} done */
function diceOf(now, done) {
  const thrown = done ? told?.dice : null;
  if (!thrown || now.board.phase !== "opening_roll") return mover.dice(thrown ?? now.board.dice, "X");
  return [{ side: /** @type {"X"} */ ("X"), numbers: [thrown[0]], used: [false] }, { side: /** @type {"O"} */ ("O"), numbers: [thrown[1]], used: [false] }];
}

/** The 36 throws; those that do it are marked. @param {string[]} rolls such as 31 */
function rollMap(rolls) {
  const known = new Set(rolls), faces = [1, 2, 3, 4, 5, 6];
  const has = (/** @type {number} */ a, /** @type {number} */ b) => known.has(`${Math.max(a, b)}${Math.min(a, b)}`);
  return el("table", { class: "rolls" }, el("caption", {}, t("The 36 throws; ✓ does it")),
    el("thead", {}, el("tr", {}, el("td", {}), ...faces.map((face) => el("th", { scope: "col" }, String(face))))),
    el("tbody", {}, ...faces.map((a) => el("tr", {}, el("th", { scope: "row" }, String(a)),
      ...faces.map((b) => el("td", { class: has(a, b) ? "yes" : "" }, has(a, b) ? "✓" : "–"))))));
}

/** Moves as arrows. @param {string[]} moves @param {string} [kind] */
const arrows = (moves, kind = "ok") => moves.map((move) => move.replace("*", "").split("/").map((place) => ({ off: 0, bar: 25, hand: 26 })[place] ?? Number(place)))
  .map(([from, to]) => ({ side: /** @type {"X"} */ ("X"), from, to, kind }));

function draw() {
  const now = task(), view = now.board, look = settings.read(), done = finished.has(at);
  byId("step-title").textContent = now.quiz ? t`Step ${at + 1} of ${lesson.tasks.length}: it counts` : t`Step ${at + 1} of ${lesson.tasks.length}`;
  byId("way").value = at + (done ? 1 : 0);
  byId("status").textContent = busy ? t("Looking …") : done ? "" : asks(now);
  byId("board").hidden = !view;
  mover.locked = !open();
  if (view) {
    board.draw({
      rows: mover.rows(view.points, "X"), bottom: "X", mover: "X", you: true, hand: view.has_hand, names: { X: t("You"), O: t("Opponent") },
      shape: shapeNow(), homeLeft: look.home === "left", numbers: look.numbers, last: now.marks.map((/** @type {number} */ point) => /** @type {["X", number]} */ (["X", point])),
      arrows: mover.made ? [] : done ? arrows(told?.best_moves ?? []) : told?.play ? arrows(told.moves, "error") : [], dice: diceOf(now, done),
      cube: done && told?.cube ? told.cube : view.cube.in_use || view.cube.value > 1 ? view.cube : null, ...mover.look,
      ...(open() ? {} : { sources: new Set(), targets: new Set(), moved: new Set(), others: new Set(), selected: null }),
    });
  }
  if (done && now.rolls.length) byId("rolls").replaceChildren(rollMap(now.rolls));
  tally();
  buttons(now, done);
}

function tally() {
  const counted = lesson.tasks.map((/** @type {any} */ each, /** @type {number} */ index) => (each.quiz ? results[index] ?? "open" : null)).filter(Boolean);
  const right = counted.filter((/** @type {string} */ each) => each === "right").length, left = counted.filter((/** @type {string} */ each) => each === "open").length;
  byId("tally").textContent = counted.length ? t`${right} right at the first try, ${left} to come, of ${counted.length}.` : t("Nothing counts in this lesson: just play.");
}

/** @param {any} now @param {boolean} done */
function buttons(now, done) {
  const last = at + 1 >= lesson.tasks.length, read = now.do === "read", free = open();
  const shown = /** @type {Record<string, boolean>} */ ({
    undo: free && mover.active && playing(), done: free && mover.active && playing(), again: Boolean(told?.play) && !done && !busy,
    previous: at > 0, hint: !read && !done && now.hint.length > 0, solution: !read && !done && !busy, next: read || done,
  });
  const able = /** @type {Record<string, boolean>} */ ({ undo: mover.made, done: mover.complete });
  for (const button of document.querySelectorAll("[data-act]")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    const deed = button.dataset.act ?? "";
    button.hidden = !shown[deed];
    button.disabled = able[deed] === false;
  }
  const ending = lesson.leads_to === "game" ? t("Play your first game") : lesson.following ? t("Next lesson") : t("All lessons");
  const following = act("next");
  if (following) following.textContent = last ? ending : t("Next");
  byId("words").hidden = !(free && (playing() || now.do === "count"));
  document.body.classList.toggle("counts", free && now.do === "count");
  byId("word-label").textContent = now.do === "count" ? t("Your number") : t("Or write it, for example 8/5 6/5");
  const choices = free && ["choose", "cube", "turn"].includes(now.do) ? now.choices : [];
  byId("choices").replaceChildren(...choices.map((/** @type {string} */ text, /** @type {number} */ index) => el("button", {
    type: "button", onclick: () => { if (open()) answer(String(index + 1)); },
  }, text.charAt(0).toUpperCase() + text.slice(1))));
}

/** @param {string} deed @returns {HTMLButtonElement | null} */
const act = (deed) => document.querySelector(`[data-act=${deed}]:not([hidden]):enabled`);

const DEEDS = /** @type {Record<string, () => void>} */ ({
  undo: () => mover.undo(), done: () => mover.finish(), again, solution, hint, next, previous: () => go(at - 1),
});
document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-act]") : null;
  if (button instanceof HTMLElement) DEEDS[button.dataset.act ?? ""]?.();
});
byId("words").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = byId("word").value.trim();
  if (text && open()) answer(text);
});
markRest(byId("text"));
byId("open-settings").addEventListener("click", () => showSettings(draw, null));
onShape(() => { if (lesson) draw(); });
document.addEventListener("keydown", (event) => {
  const place = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || !(place instanceof Element)) return;
  if (place.closest("input, select, textarea, dialog")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === " " && place.closest("button, summary, a")) return;
  if (/^[1-6]$/.test(key)) { byId("choices").children[Number(key) - 1]?.click(); return; }
  if (key === "/" && !byId("words").hidden) { event.preventDefault(); byId("word").focus(); return; }
  const deed = { f: "done", " ": "done", u: "undo", Backspace: "undo", n: "next", s: "solution", k: "previous", h: "hint" }[key];
  const button = deed && act(deed);
  if (button) { event.preventDefault(); button.click(); }
});

async function begin() {
  lesson = await ask(`/school/lessons/${encodeURIComponent(name)}`);
  if (!lesson) {
    byId("status").textContent = t("There is no such lesson here.");
    for (const part of ["board", "actions", "words"]) byId(part).hidden = true;
    for (const button of document.querySelectorAll(".steps button")) button.toggleAttribute("hidden", true);
    return;
  }
  account = (await me()).name;
  await together(account);
  byId("title").textContent = t(lesson.title);
  document.title = `${t(lesson.title)} · Fullprime`;
  byId("way").max = lesson.tasks.length;
  const from = Number(location.hash.slice(1));
  go(Number.isInteger(from) && from >= 1 && from <= lesson.tasks.length ? from - 1 : 0);
}

// What stands below the text is shown with it, so that nothing moves.
begin().finally(() => document.body.classList.remove("waiting"));
