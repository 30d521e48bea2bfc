// @ts-check
/** One trainer: question after question, with the time of each answer. */

import { Refusal, call } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { showSettings } from "/static/parts/settings-dialog.js";
import { Desk } from "/static/train/desk.js";
import { Outbox, flush } from "/static/train/outbox.js";
import { result, trends } from "/static/train/results.js";
import { t } from "/static/parts/texts.js";

const name = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const path = `/drills/trainers/${encodeURIComponent(name)}`;

/** @type {any} */
let question = null;
let begun = 0;
let busy = false;
/** @type {import("/static/train/results.js").Try[]} */
let tries = [];

const desk = new Desk((moves) => answer(moves));

/** @param {string} where @param {object} [body] @returns {Promise<any>} */
async function ask(where, body) {
  byId("problem").textContent = "";
  busy = true;
  try {
    return await call(where, body);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("problem").textContent = error.message;
    return null;
  } finally {
    busy = false;
  }
}

/** The next question: about a score drawn by chance, unless one is given. @param {string} [score] */
async function next(score = "") {
  if (busy || outbox.busy || outbox.again()) return;
  byId("status").textContent = t("One moment …");
  const found = await ask(`${path}/question${score}`);
  byId("status").textContent = "";
  if (!found) return;
  question = found;
  byId("ask").textContent = found.words;
  byId("verdict").replaceChildren();
  byId("lines").replaceChildren();
  byId("word").value = "";
  byId("word-label").textContent = found.ask === "play" ? t("Or write it, for example 8/5 6/5") : t("Your answer");
  byId("words").hidden = found.ask === "choice";
  byId("choices").replaceChildren(...found.choices.map((/** @type {string} */ text, /** @type {number} */ index) => el("button", { type: "button", onclick: () => answer(String(index + 1)) }, text)));
  button("next").hidden = true;
  desk.show(found.board);
  begun = performance.now();
  seen();
  if (found.ask === "number" && matchMedia("(pointer: fine)").matches) byId("word").focus(); // a keyboard of a phone would hide the question
}

/** @param {string} text */
async function answer(text) {
  if (!question || busy || !desk.open) return;
  const seconds = (performance.now() - begun) / 1000;
  await outbox.give(`${path}/answer`, { seed: question.seed, answer: text, seconds });
}

/** @param {any} found @param {{seconds: number}} body */
function tell(found, body) {
  const { digits, unit } = found.trainer;
  const far = Number.isInteger(found.error) ? found.error : found.error.toFixed(digits);
  const wrong = far === 1 ? t`${t(found.answer)}: off by one. The answer: ${t(found.best)}.` : t`${t(found.answer)}: off by ${far} ${unit}. The answer: ${t(found.best)}.`;
  const told = found.right ? t`Right: ${t(found.best)}.` : wrong;
  byId("verdict").className = `say ${found.right ? "right" : "wrong"}`;
  byId("verdict").replaceChildren(el("p", {}, told));
  byId("lines").replaceChildren(...found.lines.map((/** @type {string} */ line) => el("li", {}, line)));
  byId("choices").replaceChildren();
  byId("words").hidden = true;
  desk.tell(found);
  if (found.counted) tries = [...tries, { at: "", seconds: body.seconds, right: found.right, error: found.error }].slice(-60);
  progress(found.trainer);
  button("next").hidden = false;
  button("next").focus();
}

/** @param {import("/static/train/results.js").Trainer} trainer */
function progress(trainer) {
  byId("sum").textContent = result(trainer) || t("Not tried yet.");
  byId("trends").replaceChildren(...trends(trainer, tries));
}

/** The choice of a score, for a trainer that asks about scores. @param {{farthest: number, cubes: number[]}} trainer */
function scores({ farthest, cubes }) {
  byId("scores").hidden = !farthest;
  for (const id of ["you", "opponent"]) byId(id).setAttribute("max", String(farthest));
  byId("cube").replaceChildren(...cubes.map((each) => el("option", { value: String(each) }, String(each))));
  byId("cube-label").hidden = cubes.length < 2;
}

/** @param {string} deed @returns {HTMLButtonElement} */
const button = (deed) => /** @type {HTMLButtonElement} */ (document.querySelector(`[data-act=${deed}]`));

const DEEDS = /** @type {Record<string, () => void>} */ ({ undo: () => desk.mover.undo(), done: () => desk.mover.finish(), next: () => next() });
document.addEventListener("click", (event) => {
  const pressed = event.target instanceof Element ? event.target.closest("[data-act]") : null;
  if (pressed instanceof HTMLElement) DEEDS[pressed.dataset.act ?? ""]?.();
});
byId("words").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = byId("word").value.trim();
  if (text) answer(text);
});
byId("score").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const crawford = byId("crawford").value;
  const asked = new URLSearchParams({ away: `${byId("you").value}-${byId("opponent").value}`, cube: byId("cube").value, ...(crawford ? { crawford } : {}) });
  next(`?${asked}`);
});
byId("open-settings").addEventListener("click", () => showSettings(() => desk.draw(), null));
document.addEventListener("keydown", (event) => {
  const place = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || !(place instanceof Element) || place.closest("input, select, textarea, dialog")) return;
  if (/^[1-6]$/.test(event.key)) { byId("choices").children[Number(event.key) - 1]?.click(); return; }
  if (event.key === "/" && !byId("words").hidden) { event.preventDefault(); byId("word").focus(); return; }
  const deed = { f: "done", u: "undo", n: "next" }[event.key.toLowerCase()];
  if (deed && !button(deed).hidden && !button(deed).disabled) { event.preventDefault(); button(deed).click(); }
});

const outbox = new Outbox({ desk, button: button("next"), problem: (text) => { byId("problem").textContent = text; }, tell });

/** All is shown at once, so that nothing moves. */
const seen = () => document.body.classList.remove("waiting");

async function begin() {
  await flush();
  const known = await ask(path);
  if (!known) { byId("ask").textContent = t("There is no such trainer here."); byId("words").hidden = true; button("next").hidden = true; return; }
  byId("title").textContent = t(known.trainer.title);
  document.title = `${t(known.trainer.title)} · Fullprime`;
  byId("method").replaceChildren(...known.trainer.teaches.map((/** @type {string} */ text) => el("p", {}, text)));
  scores(known.trainer);
  tries = known.tries;
  progress(known.trainer);
  await next();
}

begin().finally(seen);
