// @ts-check
/** The opening explorer: rolls, their plays with intervals and trials, and a click that leads on. */

import { toAddress } from "/static/analysis/setup.js";
import { Board } from "/static/board/board.js";
import { depthWords, fairly, groupsOf, groupWords, isRough, ROUGH } from "/static/board/depths.js";
import { AT_REST } from "/static/board/drawn-board.js";
import { arrowsOf, chancesText } from "/static/board/figures.js";
import { onOrientation, shapeNow } from "/static/board/layout.js";
import { Mover } from "/static/board/mover.js";
import { call, Refusal } from "/static/parts/api.js";
import { byId, el, fill } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { showPreferences } from "/static/parts/preferences-dialog.js";
import { andRules, leadToRules } from "/static/parts/rules-link.js";
import { decimal, plural, t } from "/static/parts/texts.js";
import { signed, thrown } from "/static/parts/words.js";

/** Held upright the board is small, and the book below it has the height. */
const upright = matchMedia("(orientation: portrait)");
const game = decodeURIComponent(location.pathname.split("/")[2] ?? "backgammon");
const parameters = new URLSearchParams(location.search);
/** Nothing is moved here; it knows the dice as boards want them. */
const mover = new Mover(
  () => {},
  () => {},
);
const board = new Board(byId("board"), mover.handlers);
/** @type {any} */
let here = null;
/** The place of the play that is looked at. */
let looked = 0;

/** The address of a line. @param {string[]} steps @param {string} [score] */
function address(steps, score = here?.score.name ?? parameters.get("score") ?? "money") {
  const wanted = new URLSearchParams();
  if (score !== "money") wanted.set("score", score);
  for (const step of steps) wanted.append("step", step);
  return `/openings/${encodeURIComponent(game)}${wanted.size ? `?${wanted}` : ""}`;
}

/** @param {string} step the next one */
const onward = (step) => {
  const steps = here.line.map((/** @type {any} */ step) => step.step);
  if (here.plays.length) steps.pop();
  return address([...steps, step]);
};

/**
 * An interval as a bar, on a scale that all rows share.
 * @param {{equity: number, half: number}[]} all
 * @param {{equity: number, half: number}} each
 */
function bar(all, { equity, half }) {
  const low = Math.min(...all.map((one) => one.equity - one.half));
  const high = Math.max(...all.map((one) => one.equity + one.half));
  const part = (/** @type {number} */ number) => `${((100 * (number - low)) / (high - low || 1)).toFixed(2)}%`;
  const inside = el("i", {});
  inside.style.left = part(equity - half);
  inside.style.width = part(low + 2 * half);
  return el("span", { class: "bar", "aria-hidden": "true" }, inside);
}

/** An equity with half of its interval, where there is one. @param {{equity: number, half: number | null}} each */
const figure = ({ equity, half }) => (half === null ? signed(equity) : `${signed(equity)} ± ${decimal(half, 3)}`);

function rollsTable() {
  const judged = here.rolls.filter((/** @type {any} */ roll) => roll.equity !== null);
  const row = (/** @type {any} */ roll) => {
    const name = el("a", { href: onward(roll.step), "aria-label": t`Roll ${thrown(roll.dice)}` }, thrown(roll.dice));
    if (roll.equity === null)
      return el(
        "tr",
        { class: "none" },
        el("td", { class: "dice" }, name),
        el("td", { class: "what", colspan: 3 }, t("not rolled out yet")),
      );
    return el(
      "tr",
      {},
      el("td", { class: "dice" }, name),
      el(
        "td",
        { class: "what" },
        el("a", { href: onward(`${roll.step}:${roll.play}`) }, roll.play),
        roll.settled
          ? null
          : el("span", { class: "soft", role: "img", "aria-label": t("another play may be as good") }, " ≈"),
      ),
      el("td", {}, figure(roll)),
      el("td", {}, bar(judged, roll)),
    );
  };
  const head = [t("Roll"), t("Best play"), t("Equity, 95 %"), ""].map((name, place) =>
    name ? el("th", { scope: "col", class: place === 1 ? "what" : "" }, name) : el("td", {}),
  );
  const list = el(
    "div",
    { class: "wide", tabindex: 0, role: "group", "aria-label": t("Rolls") },
    el(
      "table",
      { class: "rolls-next" },
      el("caption", {}, here.line.length ? t("The next roll") : t("The first roll")),
      el("thead", {}, el("tr", {}, ...head)),
      el("tbody", {}, ...here.rolls.map(row)),
    ),
  );
  return judged.every((/** @type {any} */ roll) => roll.settled)
    ? list
    : el("div", {}, list, el("p", { class: "hint" }, t("≈ another play may be as good")));
}

/** The row of a play. @param {any} play @param {number} place */
function playRow(play, place) {
  const sure = here.source === "book";
  const best = here.plays[0];
  const rough = !sure && isRough(play, best);
  const link = el("a", { href: onward(play.step) }, play.play);
  const look = () => {
    if (looked !== place) {
      looked = place;
      draw();
    }
  };
  link.addEventListener("focus", look);
  link.addEventListener("mouseenter", look);
  const behind =
    play.rank === 1
      ? t("best")
      : `${rough ? "≈\u00a0" : ""}${signed(-play.loss)}${play.loss_half === null ? "" : ` ± ${decimal(play.loss_half, 3)}`}`;
  const mark = sure ? play.mark : fairly(play, best, play.mark);
  const kind =
    play.rank === 1 || play.tied ? "ok" : ({ error: "error", blunder: "blunder" }[/** @type {"error"} */ (mark)] ?? "");
  return el(
    "tr",
    { class: kind, "data-place": place },
    el(
      "td",
      { class: "what" },
      link,
      play.tied && play.rank > 1 ? el("span", { class: "soft" }, " ", t("may be best")) : null,
    ),
    el("td", {}, figure(play)),
    el("td", {}, behind),
    el("td", sure ? {} : { class: "hint" }, sure ? bar(here.plays, play) : depthWords(play.depth)),
  );
}

function playsTable() {
  const sure = here.source === "book";
  const groups = sure ? [here.plays] : groupsOf(here.plays);
  const names = [
    t("Play // of the checkers"),
    sure ? t("Equity, 95 %") : t("Equity"),
    t("Loses"),
    sure ? "" : t("Depth"),
  ];
  const head = names.map((name, place) =>
    name ? el("th", { scope: "col", class: place ? "" : "what" }, name) : el("td", {}),
  );
  const bodies = groups.map((group) =>
    el(
      "tbody",
      { class: "depth-group" },
      groups.length > 1
        ? el("tr", { class: "depth-head" }, el("th", { scope: "rowgroup", colspan: 4 }, groupWords(group[0])))
        : null,
      ...group.map((play) => playRow(play, here.plays.indexOf(play))),
    ),
  );
  const list = el(
    "div",
    { class: "wide", tabindex: 0, role: "group", "aria-label": t("Plays") },
    el(
      "table",
      { class: "plays" },
      el("caption", {}, t("A click on a play leads on to the reply")),
      el("thead", {}, el("tr", {}, ...head)),
      ...bodies,
    ),
  );
  return groups.length > 1 ? el("div", {}, list, el("p", { class: "hint" }, ROUGH)) : list;
}

function showLine() {
  const steps = here.line.map((/** @type {any} */ step) => step.step);
  const start = el(
    "li",
    {},
    el("a", { href: address([]), ...(steps.length ? {} : { "aria-current": "page" }) }, t("Start")),
  );
  byId("line").replaceChildren(
    start,
    ...here.line.map((/** @type {any} */ step, /** @type {number} */ place) =>
      el(
        "li",
        {},
        el(
          "a",
          {
            href: address(steps.slice(0, place + 1)),
            ...(place === steps.length - 1 ? { "aria-current": "page" } : {}),
          },
          `${thrown(step.dice)}${step.play ? `: ${step.play}` : ""}`,
        ),
      ),
    ),
  );
  byId("back").hidden = !steps.length;
  byId("back").href = address(
    here.line.at(-1)?.play ? [...steps.slice(0, -1), here.line.at(-1).dice.join("")] : steps.slice(0, -1),
  );
}

const WHOSE = "fullprime.openings.player";

/** Show the plays that one's library has here; nothing to a guest. */
async function showOwn() {
  const wanted = query();
  try {
    byId("player").value ||= localStorage.getItem(WHOSE) ?? "";
  } catch {
    /* it is asked again */
  }
  wanted.set("player", byId("player").value.trim());
  const answer = await call(`/openings/${encodeURIComponent(game)}/mine?${wanted}`).catch((error) => {
    if (!(error instanceof Refusal)) throw error;
    return error.code === "invalid" ? { error: error.message } : null;
  });
  byId("own").hidden = !answer;
  if (!answer) return;
  const row = (/** @type {any} */ play) =>
    el(
      "tr",
      {},
      el("td", { class: "what" }, play.play),
      el("td", {}, String(play.times)),
      el("td", {}, `${play.won}–${play.lost}`),
      el("td", {}, play.points ? signed(play.points, 0) : "0"),
    );
  const head = [t("Play // of the checkers"), t("Times"), t("Won–lost"), t("Points")].map((name, place) =>
    el("th", { scope: "col", class: place ? "" : "what" }, name),
  );
  byId("own-plays").replaceChildren(
    answer.error
      ? el("p", { class: "hint" }, answer.error)
      : answer.plays.length
        ? el(
            "table",
            {},
            el("caption", {}, plural(answer.games, "{n} game came here", "{n} games came here")),
            el("thead", {}, el("tr", {}, ...head)),
            el("tbody", {}, ...answer.plays.map(row)),
          )
        : el("p", { class: "hint" }, t("No game of your library came here.")),
  );
}

function draw() {
  if (!here) return;
  const view = here.board;
  const look = preferences.read();
  const play = here.plays[looked];
  board.draw({
    rows: view.points,
    bottom: "X",
    mover: "X",
    you: false,
    hand: view.has_hand,
    names: { X: t("on roll"), O: t("the other side") },
    shape: upright.matches ? "wide" : shapeNow(),
    homeLeft: look.home === "left",
    numbers: look.numbers,
    last: [],
    arrows: play
      ? arrowsOf(
          {
            ...play,
            mark: looked ? (here.source === "book" ? play.mark : fairly(play, here.plays[0], play.mark)) : "best",
          },
          "X",
        )
      : [],
    dice: mover.dice(view.dice, "X"),
    cube: view.cube.in_use ? view.cube : null,
    ...AT_REST,
  });
  byId("chances").textContent = play ? `${play.play}: ${chancesText(play.probabilities, here.per_checker)}` : "";
  for (const row of document.querySelectorAll("tr[data-place]"))
    row.classList.toggle("looked", row.getAttribute("data-place") === String(looked) && here.plays.length > 1);
}

function show() {
  fill(
    byId("game"),
    here.games.map((/** @type {any} */ variant) => [variant.name, t(variant.title)]),
    here.game.name,
  );
  fill(
    byId("score"),
    here.scores.map((/** @type {any} */ score) => [score.name, t(score.title)]),
    here.score.name,
  );
  byId("score").disabled = here.scores.length < 2;
  byId("about").textContent = here.about;
  byId("title").textContent = t`Openings: ${t(here.game.title)}`;
  document.title = `${t(here.title)} · ${t("Openings")} · Fullprime`;
  byId("status").textContent = t(here.title);
  leadToRules(here.board);
  byId("analyse").href = `/analysis?${toAddress(here.board.setup)}`;
  const trials = here.trials === null ? "" : t`, ${here.trials} trials each`;
  byId("way").replaceChildren(
    ...(here.source === "rolls"
      ? [
          here.rolls.some((/** @type {any} */ roll) => roll.equity === null)
            ? t("Rolls without figures are answered by search.")
            : t("Rolled out; ± is half of the 95 % interval."),
        ]
      : [
          el("span", { class: "source" }, here.source === "book" ? t("Rolled out") : t("By search")),
          ` ${here.way}${trials}.${here.source === "book" && !here.settled ? ` ${t("The best play is not settled.")}` : ""}`,
        ]),
  );
  byId("answer").replaceChildren(here.plays.length ? playsTable() : rollsTable());
  showLine();
  draw();
}

function query() {
  const wanted = new URLSearchParams();
  wanted.set("score", parameters.get("score") ?? "money");
  for (const step of parameters.getAll("step")) wanted.append("step", step);
  return wanted;
}

/** Show the place that the address names; where there is none, the first roll and the reason. */
async function begin() {
  const find = () => call(`/openings/${encodeURIComponent(game)}?${query()}`);
  try {
    here = await find();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const played = parameters.getAll("step").some((step) => step.includes(":"));
    byId("problem").replaceChildren(error.message, ...(played ? andRules(error) : []));
    for (const name of ["step", "score"]) parameters.delete(name);
    here = await find().catch(/** @returns {null} */ () => null);
  }
  if (here) show();
  if (here?.plays.length) await showOwn();
  const link = byId("problem").querySelector("a");
  if (link) link.href = byId("open-rules").href; // with the game's own options, which are known now
}

byId("game").addEventListener("change", () => {
  location.href = `/openings/${byId("game").value}`;
});
byId("score").addEventListener("change", () => {
  location.href = address([], byId("score").value);
});
byId("player").addEventListener("change", () => {
  try {
    localStorage.setItem(WHOSE, byId("player").value.trim());
  } catch {
    /* it is asked again */
  }
  showOwn();
});
upright.addEventListener("change", draw);
onOrientation(draw);
byId("open-preferences").addEventListener("click", () => showPreferences(draw, null));
begin();
