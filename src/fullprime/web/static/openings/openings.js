// @ts-check
/** The opening explorer: rolls, their plays with intervals and trials, and a click to what comes next. */

import { toAddress } from "/static/analysis/setup.js";
import { Board } from "/static/board/board.js";
import { Mover } from "/static/board/mover.js";
import { ROUGH, depthWords, fairly, groupWords, groupsOf, isRough } from "/static/board/depths.js";
import { arrowsOf, chancesText } from "/static/board/figures.js";
import { onShape, shapeNow } from "/static/board/shape.js";
import { Refusal, call } from "/static/parts/api.js";
import { byId, el, fill } from "/static/parts/page.js";
import { andRules, leadToRules } from "/static/parts/rules-link.js";
import * as settings from "/static/parts/settings.js";
import { showSettings } from "/static/parts/settings-dialog.js";
import { plural, t } from "/static/parts/texts.js";
import { signed, thrown } from "/static/parts/words.js";

/** Held upright: the board is looked at, and the book below it has the height. */
const upright = matchMedia("(orientation: portrait)");
const game = decodeURIComponent(location.pathname.split("/")[2] ?? "backgammon");
const asked = new URLSearchParams(location.search);
const none = /** @type {Set<number>} */ (new Set());
/** Nothing is moved here; it knows the dice as boards want them. */
const mover = new Mover(() => {}, () => {});
const board = new Board(byId("board"), mover.handlers);
/** @type {any} */
let here = null;
/** The place of the play that is looked at. */
let looked = 0;

/** The address of a line. @param {string[]} steps @param {string} [score] */
function address(steps, score = here?.score.name ?? asked.get("score") ?? "money") {
  const found = new URLSearchParams();
  if (score !== "money") found.set("score", score);
  for (const step of steps) found.append("step", step);
  return `/openings/${encodeURIComponent(game)}${found.size ? `?${found}` : ""}`;
}

/** @param {string} step the next one */
const onward = (step) => {
  const steps = here.line.map((/** @type {any} */ each) => each.step);
  if (here.plays.length) steps.pop();
  return address([...steps, step]);
};

/** An interval as a bar, on a scale that all rows share. @param {{equity: number, half: number}[]} all @param {{equity: number, half: number}} each */
function bar(all, { equity, half }) {
  const low = Math.min(...all.map((one) => one.equity - one.half)), high = Math.max(...all.map((one) => one.equity + one.half));
  const part = (/** @type {number} */ number) => `${((100 * (number - low)) / (high - low || 1)).toFixed(2)}%`;
  const inside = el("i", {});
  inside.style.left = part(equity - half);
  inside.style.width = part(low + 2 * half);
  return el("span", { class: "bar", "aria-hidden": "true" }, inside);
}

/** An equity with half of its interval, where there is one. @param {{equity: number, half: number | null}} each */
const figure = ({ equity, half }) => (half === null ? signed(equity) : `${signed(equity)} ± ${half.toFixed(3)}`);

function rolls() {
  const known = here.rolls.filter((/** @type {any} */ each) => each.equity !== null);
  const row = (/** @type {any} */ each) => {
    const name = el("a", { href: onward(each.step), "aria-label": t`Roll ${thrown(each.dice)}` }, thrown(each.dice));
    if (each.equity === null) return el("tr", { class: "none" }, el("td", { class: "dice" }, name), el("td", { class: "what", colspan: 3 }, t("not rolled out yet")));
    return el("tr", {}, el("td", { class: "dice" }, name),
      el("td", { class: "what" }, el("a", { href: onward(`${each.step}:${each.play}`) }, each.play), each.settled ? null : el("span", { class: "soft", role: "img", "aria-label": t("another play may be as good") }, " ≈")),
      el("td", {}, figure(each)), el("td", {}, bar(known, each)));
  };
  const head = [t("Roll"), t("Best play"), t("Equity, 95 %"), ""].map((name, place) => (name ? el("th", { scope: "col", class: place === 1 ? "what" : "" }, name) : el("td", {})));
  const list = el("div", { class: "wide", tabindex: 0, role: "group", "aria-label": t("Rolls") }, el("table", { class: "rolls-next" },
    el("caption", {}, here.line.length ? t("The next roll") : t("The first roll")), el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...here.rolls.map(row))));
  return known.every((/** @type {any} */ each) => each.settled) ? list : el("div", {}, list, el("p", { class: "hint" }, t("≈ another play may be as good")));
}

/** Rows of what search answers, those looked at equally far together. @param {any} each @param {number} place */
function playRow(each, place) {
  const sure = here.source === "book", best = here.plays[0], rough = !sure && isRough(each, best);
  const link = el("a", { href: onward(each.step) }, each.play);
  const look = () => { if (looked !== place) { looked = place; draw(); } };
  link.addEventListener("focus", look);
  link.addEventListener("mouseenter", look);
  const behind = each.rank === 1 ? t("best") : `${rough ? "≈\u00a0" : ""}${signed(-each.loss)}${each.loss_half === null ? "" : ` ± ${each.loss_half.toFixed(3)}`}`;
  const mark = sure ? each.mark : fairly(each, best, each.mark);
  const kind = each.rank === 1 || each.tied ? "ok" : { error: "error", blunder: "blunder" }[/** @type {"error"} */ (mark)] ?? "";
  return el("tr", { class: kind, "data-place": place }, el("td", { class: "what" }, link, each.tied && each.rank > 1 ? el("span", { class: "soft" }, " ", t("may be best")) : null),
    el("td", {}, figure(each)), el("td", {}, behind), el("td", sure ? {} : { class: "hint" }, sure ? bar(here.plays, each) : depthWords(each.depth)));
}

function plays() {
  const sure = here.source === "book", groups = sure ? [here.plays] : groupsOf(here.plays);
  const names = [t("Play"), sure ? t("Equity, 95 %") : t("Equity"), t("Loses"), sure ? "" : t("Depth")];
  const head = names.map((name, place) => (name ? el("th", { scope: "col", class: place ? "" : "what" }, name) : el("td", {})));
  const bodies = groups.map((group) => el("tbody", { class: "depth-group" },
    groups.length > 1 ? el("tr", { class: "depth-head" }, el("th", { scope: "rowgroup", colspan: 4 }, groupWords(group[0]))) : null,
    ...group.map((each) => playRow(each, here.plays.indexOf(each)))));
  const list = el("div", { class: "wide", tabindex: 0, role: "group", "aria-label": t("Plays") }, el("table", { class: "plays" },
    el("caption", {}, t("A click on a play leads on to the reply")), el("thead", {}, el("tr", {}, ...head)), ...bodies));
  return groups.length > 1 ? el("div", {}, list, el("p", { class: "hint" }, ROUGH)) : list;
}

function line() {
  const steps = here.line.map((/** @type {any} */ each) => each.step);
  const start = el("li", {}, el("a", { href: address([]), ...(steps.length ? {} : { "aria-current": "page" }) }, t("Start")));
  byId("line").replaceChildren(start, ...here.line.map((/** @type {any} */ each, /** @type {number} */ place) => el("li", {},
    el("a", { href: address(steps.slice(0, place + 1)), ...(place === steps.length - 1 ? { "aria-current": "page" } : {}) }, `${thrown(each.dice)}${each.play ? `: ${each.play}` : ""}`))));
  byId("back").hidden = !steps.length;
  byId("back").href = address(here.line.at(-1)?.play ? [...steps.slice(0, -1), here.line.at(-1).dice.join("")] : steps.slice(0, -1));
}

const WHOSE = "fullprime.openings.player";

/** The plays that were made here in the library; nothing is shown to somebody who has none. */
async function own() {
  const found = query();
  try { byId("player").value ||= localStorage.getItem(WHOSE) ?? ""; } catch { /* it is asked again */ }
  found.set("player", byId("player").value.trim());
  const told = await call(`/openings/${encodeURIComponent(game)}/mine?${found}`).catch((error) => {
    if (!(error instanceof Refusal)) throw error;
    return error.status === 400 ? { error: error.message } : null;
  });
  byId("own").hidden = !told;
  if (!told) return;
  const row = (/** @type {any} */ each) => el("tr", {}, el("td", { class: "what" }, each.play), el("td", {}, String(each.times)), el("td", {}, `${each.won}–${each.lost}`), el("td", {}, each.points ? signed(each.points, 0) : "0"));
  const head = [t("Play"), t("Times"), t("Won–lost"), t("Points")].map((name, place) => el("th", { scope: "col", class: place ? "" : "what" }, name));
  byId("own-plays").replaceChildren(told.error ? el("p", { class: "hint" }, told.error) : told.plays.length
    ? el("table", {}, el("caption", {}, plural(told.games, "{n} game came here", "{n} games came here")), el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...told.plays.map(row)))
    : el("p", { class: "hint" }, t("No game of your library came here.")));
}

function draw() {
  if (!here) return;
  const view = here.board, look = settings.read(), play = here.plays[looked];
  board.draw({
    rows: view.points, bottom: "X", mover: "X", you: false, hand: view.has_hand, names: { X: t("on roll"), O: t("the other side") },
    shape: upright.matches ? "wide" : shapeNow(), homeLeft: look.home === "left", numbers: look.numbers, last: [], arrows: play ? arrowsOf({ ...play, mark: looked ? (here.source === "book" ? play.mark : fairly(play, here.plays[0], play.mark)) : "best" }, "X") : [],
    dice: mover.dice(view.dice, "X"), cube: view.cube.in_use ? view.cube : null,
    sources: none, targets: none, moved: none, others: none, selected: null,
  });
  byId("chances").textContent = play ? `${play.play}: ${chancesText(play.probabilities, here.per_checker)}` : "";
  for (const row of document.querySelectorAll("tr[data-place]")) row.classList.toggle("looked", row.getAttribute("data-place") === String(looked) && here.plays.length > 1);
}

function show() {
  fill(byId("game"), here.games.map((/** @type {any} */ each) => [each.name, t(each.title)]), here.game.name);
  fill(byId("score"), here.scores.map((/** @type {any} */ each) => [each.name, t(each.title)]), here.score.name);
  byId("score").disabled = here.scores.length < 2;
  byId("about").textContent = here.about;
  byId("title").textContent = t`Openings: ${t(here.game.title)}`;
  document.title = `${t(here.title)} · ${t("Openings")} · Fullprime`;
  byId("status").textContent = t(here.title);
  leadToRules(here.board);
  byId("analyse").href = `/analysis?${toAddress(here.board.setup)}`;
  const trials = here.trials === null ? "" : t`, ${here.trials} trials each`;
  byId("way").replaceChildren(...(here.source === "rolls" ? [here.rolls.some((/** @type {any} */ each) => each.equity === null) ? t("Rolls without figures are answered by search.") : t("Rolled out; ± is half of the 95 % interval.")]
    : [el("span", { class: "source" }, here.source === "book" ? t("Rolled out") : t("By search")), ` ${here.way}${trials}.${here.source === "book" && !here.settled ? ` ${t("The best play is not settled.")}` : ""}`]));
  byId("answer").replaceChildren(here.plays.length ? plays() : rolls());
  line();
  draw();
}

function query() {
  const found = new URLSearchParams();
  found.set("score", asked.get("score") ?? "money");
  for (const step of asked.getAll("step")) found.append("step", step);
  return found;
}

/** The place that the address names. Where there is none the first roll stands there, and it is told why. */
async function begin() {
  const find = () => call(`/openings/${encodeURIComponent(game)}?${query()}`);
  try {
    here = await find();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const played = asked.getAll("step").some((step) => step.includes(":"));
    byId("problem").replaceChildren(error.message, ...(played ? andRules(error) : []));
    for (const name of ["step", "score"]) asked.delete(name);
    here = await find().catch(/** @returns {null} */ () => null);
  }
  if (here) show();
  if (here?.plays.length) await own();
  const link = byId("problem").querySelector("a");
  if (link) link.href = byId("open-rules").href; // with the game's own options, which are known now
}

byId("game").addEventListener("change", () => { location.href = `/openings/${byId("game").value}`; });
byId("score").addEventListener("change", () => { location.href = address([], byId("score").value); });
byId("player").addEventListener("change", () => {
  try { localStorage.setItem(WHOSE, byId("player").value.trim()); } catch { /* it is asked again */ }
  own();
});
upright.addEventListener("change", draw);
onShape(draw);
byId("open-settings").addEventListener("click", () => showSettings(draw, null));
begin();
