// @ts-check
/** Puzzles: one best play, and one that tempts; rated, of the day, in a streak or in a storm. */

import { Refusal, call, randomSeed } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { showSettings } from "/static/parts/settings-dialog.js";
import { Desk } from "/static/train/desk.js";
import { Outbox, flush } from "/static/train/outbox.js";
import { plural, t } from "/static/parts/texts.js";
import { signed } from "/static/parts/words.js";

/** @type {any} */
let puzzle = null;
let begun = 0;
let busy = false;
let over = false;
let run = "";
/** @type {any[]} */
let games = [];

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

/** Seconds that a storm lasts, from its first answer on. */
const STORM = 180;
/** The end of the storm, as `performance.now` counts; null before the first answer. @type {number | null} */
let end = null;

/** What is left of a storm: all of it until the first answer is there. */
function clock() {
  const left = end === null ? STORM : Math.max(0, Math.ceil((end - performance.now()) / 1000));
  byId("left").hidden = byId("mode").value !== "storm" || !puzzle;
  byId("clock").textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}
setInterval(() => { if (!byId("left").hidden && end !== null) clock(); }, 250);

function begin() {
  end = null;
  run = ["streak", "storm"].includes(byId("mode").value) ? randomSeed() : "";
  over = false;
  const game = games.find((each) => each.variant === byId("game").value);
  themes(game.themes);
  standing(game);
  return next();
}

/** The themes of the chosen game; the puzzle of the day has none to choose. @param {string[]} found */
function themes(found, chosen = byId("theme").value) {
  byId("theme").replaceChildren(el("option", { value: "" }, t("any")), ...found.map((theme) => el("option", { value: theme }, t(theme))));
  byId("theme").value = found.includes(chosen) ? chosen : "";
  byId("theme").disabled = byId("mode").value === "day";
}

async function next() {
  if (busy || outbox.busy || outbox.again()) return;
  if (over) { await begin(); return; }
  const found = await ask(`/drills/puzzles/${byId("game").value}/next?mode=${byId("mode").value}&run=${run}&theme=${byId("theme").disabled ? "" : encodeURIComponent(byId("theme").value)}`);
  if (!found) return;
  puzzle = found;
  byId("ask").textContent = t("Find the best play.");
  byId("about").textContent = t`${t(found.theme)}, rated ${String(found.rating)}; for money, without a cube.` + (found.tried ? ` ${t("You have tried it before: it does not count.")}` : "");
  byId("verdict").replaceChildren();
  byId("lines").replaceChildren();
  byId("word").value = "";
  byId("words").hidden = false;
  button("next").hidden = true;
  desk.show(found.board);
  clock();
  begun = performance.now();
}

/** @param {string} text */
async function answer(text) {
  if (!puzzle || busy || !desk.open) return;
  const seconds = (performance.now() - begun) / 1000;
  await outbox.give(`/drills/puzzles/${puzzle.name}/answer`, { answer: text, seconds, mode: byId("mode").value, run });
}

/** @param {any} found */
function tell(found) {
  over = found.over;
  if (found.seconds_left !== null) end = performance.now() + 1000 * found.seconds_left;
  clock();
  const change = found.change === null ? "" : ` ${t`Rating ${String(found.standing.rating)} (${signed(found.change, 0)}).`}`;
  const told = found.right ? t`Right: ${found.answer}.` : t`${found.answer} costs ${found.loss.toFixed(3)}. The best: ${found.best}.`;
  byId("verdict").className = `say ${found.right ? "right" : "wrong"}`;
  byId("verdict").replaceChildren(el("p", {}, told + change));
  byId("lines").replaceChildren(...[...(found.why ? [found.why] : []), found.answer === found.trap ? t("That is the play that tempts.") : t`It tempts: ${found.trap}, which costs ${found.trap_loss.toFixed(3)}.`,
    ...(run ? [t`${found.score} solved.` + (over ? ` ${byId("mode").value === "storm" ? t("The storm is over.") : t("The streak is over.")}` : "")] : [])].map((line) => el("li", {}, line)));
  byId("words").hidden = true;
  desk.tell(found);
  games = games.map((each) => (each.variant === found.standing.variant ? found.standing : each));
  standing(found.standing);
  button("next").textContent = over ? t("Begin again") : t("Next");
  button("next").hidden = false;
  button("next").focus();
}

/** @param {any} found */
function standing(found) {
  const stock = plural(found.puzzles, "{n} puzzle.", "{n} puzzles.");
  byId("sum").textContent = !found.tries && !found.best_streak && !found.best_storm
    ? t`No puzzle solved yet. Your rating begins at ${String(found.rating)}. ${stock}`
    : t`${String(found.rating)} ± ${found.deviation}, ${found.right} of ${found.tries} solved; best streak ${found.best_streak}, best storm ${found.best_storm}. ${stock}`;
}

/** @param {string} deed @returns {HTMLButtonElement} */
const button = (deed) => /** @type {HTMLButtonElement} */ (document.querySelector(`[data-act=${deed}]`));

const DEEDS = /** @type {Record<string, () => void>} */ ({ undo: () => desk.mover.undo(), done: () => desk.mover.finish(), next });
document.addEventListener("click", (event) => {
  const pressed = event.target instanceof Element ? event.target.closest("[data-act]") : null;
  if (pressed instanceof HTMLElement) DEEDS[pressed.dataset.act ?? ""]?.();
});
byId("words").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = byId("word").value.trim();
  if (text) answer(text);
});
for (const field of ["game", "mode", "theme"]) byId(field).addEventListener("change", begin);
byId("open-settings").addEventListener("click", () => showSettings(() => desk.draw(), null));

const outbox = new Outbox({ desk, button: button("next"), problem: (text) => { byId("problem").textContent = text; }, tell });

async function open() {
  await flush();
  const found = await ask("/drills/puzzles");
  if (!found) return;
  games = found.games;
  byId("game").replaceChildren(...games.map((each) => el("option", { value: each.variant }, t(each.title))));
  const wanted = new URLSearchParams(location.search);
  if (games.some((each) => each.variant === wanted.get("game"))) byId("game").value = wanted.get("game");
  if (["day", "streak", "storm"].includes(wanted.get("mode") ?? "")) byId("mode").value = wanted.get("mode");
  if (!games.length) return;
  themes(games.find((each) => each.variant === byId("game").value).themes, wanted.get("theme") ?? "");
  await begin();
}

open();
