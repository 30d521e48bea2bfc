// @ts-check
/** The position of the day at a live board: moved by hand, judged at once. */

import { Refusal, call } from "/static/parts/api.js";
import { Board } from "/static/board/board.js";
import { Mover } from "/static/board/mover.js";
import { onShape, shapeNow } from "/static/board/shape.js";
import { byId, dates, el, whole } from "/static/parts/page.js";
import { andRules, leadToRules } from "/static/parts/rules-link.js";
import * as settings from "/static/parts/settings.js";
import { toAddress } from "/static/analysis/setup.js";
import { t } from "/static/parts/texts.js";

const KEY = "fullprime.daily";
/** @type {any} */
let daily = null;
/** What the server said of the last answer. @type {any} */
let told = null;
let busy = false;

const mover = new Mover(() => draw(), (moves) => judge(moves));
const board = new Board(byId("board"), mover.handlers);

/** This day, as people here count it. */
function today() {
  const now = new Date(), two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** @param {string} path @param {object} [body] */
async function ask(path, body) {
  byId("problem").textContent = "";
  try {
    return await call(`/daily${path}?day=${daily?.day ?? today()}`, body);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("problem").replaceChildren(error.message, ...(body ? andRules(error) : []));
    return null;
  }
}

/** @param {string} text */
async function judge(text) {
  if (busy || told) return;
  busy = true;
  draw();
  const found = await ask("/answer", { answer: text });
  busy = false;
  if (found) say(found);
  draw();
}

async function solution() {
  const found = await ask("/solution");
  if (found) { mover.reset(daily.board.tree); say({ ...found, shown: true }); }
  draw();
}

/** @param {any} found */
function say(found) {
  told = found;
  const words = found.words.map((/** @type {any[]} */ pieces) => pieces.map((piece) => piece.text).join(""));
  byId("verdict").replaceChildren(...words.map((/** @type {string} */ text, /** @type {number} */ index) => (
    el("p", { class: index ? "soft" : found.right ? "right" : "wrong" }, text))));
  if (found.right) remember(found.shown ? "shown" : "found");
}

/** @param {string} how */
function remember(how) {
  try {
    const known = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    localStorage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(Object.entries(known).slice(-30)), [daily.day]: known[daily.day] ?? how }));
  } catch { /* nothing is lost but the memory of it */ }
}

function again() {
  told = null;
  byId("verdict").replaceChildren();
  mover.reset(daily.board.tree);
  draw();
}

/** The best play as arrows, and the one that was made. */
function arrows() {
  if (!told || (told.right && mover.made)) return [];
  const of = (/** @type {string[]} */ moves, /** @type {string} */ kind) => moves.map((move) => {
    const [from, to] = move.replace("*", "").split("/").map((word) => ({ bar: 25, hand: 26, off: 0 }[word] ?? Number(word)));
    return { side: /** @type {"X"} */ ("X"), from, to, kind };
  });
  const best = of(told.best_moves.length ? told.best_moves : told.moves, "ok");
  return told.right ? best : [...best, ...of(told.moves, told.loss > 0.08 ? "blunder" : told.loss > 0.02 ? "error" : "doubtful")];
}

function draw() {
  if (!daily) return;
  const view = daily.board, look = settings.read(), open = !told && !busy;
  mover.locked = !open;
  const none = /** @type {Set<number>} */ (new Set());
  byId("board").closest(".hero")?.classList.toggle("tall", shapeNow() === "tall");
  board.draw({
    rows: told && !told.right ? view.points : mover.rows(view.points, "X"), bottom: "X", mover: "X", you: true, hand: view.has_hand, names: { X: t("you"), O: t("the other side") },
    shape: shapeNow(), homeLeft: look.home === "left", numbers: look.numbers, last: [], arrows: arrows(),
    dice: mover.dice(view.dice, "X"), cube: view.cube.in_use || view.cube.value > 1 ? view.cube : null, ...mover.look,
    ...(open ? {} : { sources: none, targets: none, moved: none, others: none, selected: null }),
  });
  const shown = { done: open && mover.made, undo: open && mover.made, again: Boolean(told) && !told.right, solution: !told?.right && !busy && !mover.made };
  for (const button of document.querySelectorAll(".hero [data-act]")) {
    const name = /** @type {keyof typeof shown} */ (button.getAttribute("data-act"));
    button.toggleAttribute("hidden", !shown[name]);
  }
  document.querySelector(".hero [data-act=done]")?.toggleAttribute("disabled", !mover.complete);
  byId("analyse").hidden = !told;
}

const DEEDS = /** @type {Record<string, () => void>} */ ({ done: () => mover.finish(), undo: () => mover.undo(), again, solution });
document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest(".hero [data-act]") : null;
  if (button) DEEDS[button.getAttribute("data-act") ?? ""]?.();
});
onShape(draw);
addEventListener("settings", draw);

/** Fetch the position of this day and show it. */
export async function showDaily() {
  const found = await ask("");
  if (!found) return;
  daily = found;
  const [year, month, day] = daily.day.split("-").map(Number);
  const date = new Date(year, month - 1, day).toLocaleDateString(dates, { day: "numeric", month: "long" }).replaceAll(" ", "\u00a0");
  byId("eyebrow").textContent = t`Position of the day · ${date}`;
  // A throw is not broken at its dash.
  leadToRules(daily.board);
  byId("question").replaceChildren(...whole(daily.question));
  const { value: stake, owner } = daily.board.cube;
  if (stake > 1) byId("task").prepend(`${owner === "X" ? t`The cube is yours, at ${stake}.` : owner ? t`The cube is theirs, at ${stake}.` : t`The cube is at ${stake}.`} `);
  const { variant, position, score, length, crawford, cube, dice } = daily.board;
  byId("analyse").href = `/analysis?${toAddress({
    variant, rules: { length: String(length) }, position, on_roll: "X", score, crawford: length ? crawford : null, cube: cube.value, owner: cube.owner, offered: false, dice, choose: false, follow_ups: null, multiplier: 1,
  })}`;
  mover.reset(daily.board.tree);
  draw();
}
