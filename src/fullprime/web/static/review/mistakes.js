// @ts-check
/** Learn from your mistakes: the errors of a review one by one, to be decided again. */

import { toAddress } from "/static/analysis/setup.js";
import { Board } from "/static/board/board.js";
import { CLOSE, depthWords, fairly, groupsOf, groupWords, isRough, orderWords, ROUGH } from "/static/board/depths.js";
import { AT_REST } from "/static/board/drawn-board.js";
import { arrowsOf, loss, percent, rowClass } from "/static/board/figures.js";
import { onOrientation, shapeNow } from "/static/board/layout.js";
import { Mover } from "/static/board/mover.js";
import { other } from "/static/board/numbering.js";
import { buttonOf, enabledButton, listenToActions, showActions } from "/static/parts/actions.js";
import { call, Refusal } from "/static/parts/api.js";
import { attempt } from "/static/parts/attempt.js";
import { askEngine } from "/static/parts/jobs.js";
import { byId, el, reasons } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { showPreferences } from "/static/parts/preferences-dialog.js";
import { leadToRules } from "/static/parts/rules-link.js";
import { decimal, t } from "/static/parts/texts.js";
import { capital, signed, thrown } from "/static/parts/words.js";

const parameters = new URLSearchParams(location.search);
const review = parameters.get("review") ?? "";
const match = parameters.get("match") ?? "1";
const player = parameters.get("player");

const report = `/review/${encodeURIComponent(review)}/${encodeURIComponent(match)}`;
byId("to-cards").href = `/drill/cards${location.search}`;

/** @type {any[]} */
let lessons = [];
let at = 0;
/** The outcome of each lesson: "right", "wrong" (then no later answer counts), "shown". @type {Record<number, string>} */
const results = {};
/**
 * The answer in this lesson: the option, or a play that is not among them.
 * @type {{text: string, loss: number, arrows: [number, number][], mark: string} | null}
 */
let answered = null;
let solved = false;
let busy = false;

const mover = new Mover(
  () => draw(),
  (moves, walk) => takePlay(moves, walk),
);
const board = new Board(byId("board"), mover.handlers);
const lesson = () => lessons[at];

// -- answers ----------------------------------------------------------------------------------------------------
/** Take a play made on the board: one of the options, or one whose loss the engine tells. */
async function takePlay(moves, walk) {
  const { board: view, options, player: side } = lesson();
  const after = JSON.stringify(walk.apply(view.points[side], view.points[other(side)]));
  let answer = options.find((option) => JSON.stringify(option.after) === after);
  if (!answer) {
    const current = lesson();
    busy = true;
    byId("status").textContent = t("Looking …");
    answer = await attempt(() => lookUp(current, after));
    busy = false;
    if (current !== lesson()) return;
  }
  showVerdict(answer ?? { text: moves, loss: NaN, arrows: [], mark: "error" });
}

async function lookUp({ board: view, options }, after) {
  const job = await askEngine({ kind: "analyse", setup: view.setup, level: "1-ply" }).done;
  const ranked = job?.result?.plays.find((play) => JSON.stringify(play.after) === after);
  // No better than the least of those that the review looked at: it ranked them all.
  return (
    ranked && {
      text: ranked.play,
      loss: Math.max(ranked.loss, 0),
      arrows: ranked.arrows,
      mark: ranked.loss < options[0].loss + CLOSE ? "fine" : ranked.mark,
    }
  );
}

/** Show whether an answer is right: the best one is, and one that loses next to nothing. */
function showVerdict(option) {
  const { options, chosen, reason, more, proper } = lesson();
  const right = option.loss <= CLOSE;
  const first = !(at in results);
  if (first) results[at] = right ? "right" : "wrong";
  answered = option;
  solved = solved || right;
  const same = option.text === options[chosen].text;
  const words = right
    ? option.loss > 0
      ? t`${option.text} is right: it loses only ${decimal(option.loss, 3)}.`
      : t`${option.text} is right.`
    : Number.isNaN(option.loss)
      ? t`${option.text} is not among the plays that the review looked at.`
      : same
        ? t`${option.text} loses ${decimal(option.loss, 3)}. It is what you did in the match.`
        : t`${option.text} loses ${decimal(option.loss, 3)}.`;
  byId("verdict").replaceChildren(el("p", { class: `lesson-words ${right ? "right" : "wrong"}` }, words));
  if (solved) explain(reason, more, proper);
  draw();
  buttonOf(solved ? "next" : "again").focus();
}

function explain(reason, more, proper) {
  const { options, chosen } = lesson();
  const paragraphs = [
    el(
      "p",
      { class: "lesson-words" },
      t`In the match: ${options[chosen].text}, which lost ${decimal(options[chosen].loss, 3)}. Best: ${options[0].text}.`,
    ),
  ];
  if (proper) paragraphs.push(el("p", {}, t`Proper action: ${proper}.`));
  if (reason) paragraphs.push(el("p", { lang: "en", "data-terms": true }, reason));
  if (more.length) paragraphs.push(reasons(more));
  byId("verdict").append(...paragraphs);
  const chances = options.some((option) => option.chances);
  const heads = [t("What"), t("Equity"), t("Loss"), ...(chances ? [t("Wins"), t("Gammons")] : []), t("Depth")];
  const groups = groupsOf(options);
  const row = (option) =>
    el(
      "tr",
      { class: option === options[0] ? "ok" : fairly(option, options[0], rowClass(option.mark)) },
      el("th", { scope: "row" }, option === options[chosen] ? t`${option.text} (played)` : option.text),
      el("td", {}, signed(option.equity)),
      el("td", {}, loss(option.loss, isRough(option, options[0]))),
      ...(chances
        ? [0, 1].map((part) =>
            el("td", { class: part ? "gammons" : "" }, option.chances ? `${percent(option.chances[part])} %` : "–"),
          )
        : []),
      el("td", {}, option.deviation === null ? depthWords(option.depth) : t`rollout ± ${decimal(option.deviation, 3)}`),
    );
  const bodies = groups.map((group) =>
    el(
      "tbody",
      { class: "depth-group" },
      groups.length > 1
        ? el(
            "tr",
            { class: "depth-head" },
            el("th", { scope: "rowgroup", colspan: heads.length }, groupWords(group[0])),
          )
        : null,
      ...group.map(row),
    ),
  );
  const table = el(
    "table",
    {},
    el("caption", {}, t`The options, ${orderWords(options)}`),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ...heads.map((head) => el("th", { scope: "col", class: head === t("Gammons") ? "gammons" : "" }, head)),
      ),
    ),
    ...bodies,
  );
  byId("options").replaceChildren(
    el("div", { class: "wide", tabindex: 0, role: "group", "aria-label": t("Options") }, table),
    ...(groups.length > 1 ? [el("p", { class: "hint" }, ROUGH)] : []),
  );
  const { setup, ids, variant } = lesson().board;
  byId("to-board").href =
    `/analysis?${setup ? toAddress(setup) : new URLSearchParams({ id: ids.xgid ?? ids.text, variant })}`;
  byId("to-board").hidden = false;
}

function showSolution() {
  if (solved) return;
  if (!(at in results)) results[at] = "shown";
  solved = true;
  answered = lesson().options[0];
  mover.reset(lesson().board.tree);
  byId("verdict").replaceChildren();
  explain(lesson().reason, lesson().more, lesson().proper);
  draw();
  buttonOf("next").focus();
}

function retry() {
  answered = null;
  mover.reset(lesson().board.tree);
  byId("verdict").replaceChildren();
  draw();
}

function goTo(to) {
  if (to < 0 || to > lessons.length) return;
  at = to;
  answered = null;
  solved = false;
  for (const name of ["verdict", "options"]) byId(name).replaceChildren();
  byId("to-board").hidden = true;
  mover.reset(lesson()?.board.tree);
  draw();
  if (!lesson()) byId("onward").focus();
}

// -- drawing ----------------------------------------------------------------------------------------------------
const QUESTIONS = {
  double: t("Double, or roll?"),
  take: t("Take, or drop?"),
  choice: t("Which double?"),
  resignation: t("What do you do?"),
};

function statusWords() {
  if (!lesson()) return lessons.length ? t("These were all.") : t("No errors: there is nothing to learn here.");
  if (busy) return t("Looking …");
  if (solved) return "";
  if (answered) return t("Try again, or see the answer with Show me.");
  const { name, kind, board: view } = lesson();
  return kind === "play"
    ? t`${name} to play ${thrown(view.dice)}. ${mover.complete ? t("Finish the play, or undo.") : t("What is best?")}`
    : `${name}: ${QUESTIONS[kind]}`;
}

/** @returns {import("/static/game/tutor.js").Arrow[]} */
function arrows() {
  if ((!answered && !solved) || (solved && mover.made)) return [];
  const { options, player: side } = lesson();
  const shown = solved ? arrowsOf(options[0], side, Boolean(answered && answered.text !== options[0].text)) : [];
  return answered && answered.text !== options[0].text ? [...shown, ...arrowsOf(answered, side)] : shown;
}

function showPlayer(place, name) {
  const view = lesson().board;
  const index = name === "X" ? 0 : 1;
  const facts = [t`pips ${view.pips[name]}`];
  if (view.length) facts.push(t`score ${view.score[index]} of ${view.length}`);
  if (view.cube.owner === name) facts.push(t`cube ${view.cube.value}`);
  place.replaceChildren(
    el("span", { class: `chip ${name.toLowerCase()}`, "aria-hidden": "true" }),
    el("strong", {}, names[index]),
    el("span", { class: "facts" }, facts.join(" · ")),
  );
  place.classList.toggle("turn", view.turn === name);
}

let names = ["X", "O"];

function draw() {
  const now = lesson();
  const look = preferences.read();
  byId("status").textContent = statusWords();
  byId("lesson-title").textContent = now ? t`Lesson ${at + 1} of ${lessons.length}` : t("The end");
  byId("where").textContent = now ? `${now.number}: ${now.name}, ${t(now.verdict)}` : "";
  byId("to-report").href = `${report}${now ? `#${now.anchor}` : ""}`;
  const count = (outcome) => Object.values(results).filter((result) => result === outcome).length;
  byId("tally").textContent =
    t`${count("right")} right, ${count("wrong")} wrong, ${count("shown")} shown, ${lessons.length - Object.keys(results).length} to come.`;
  byId("previous").disabled = at === 0;
  byId("following").disabled = at >= lessons.length;
  for (const place of ["board", "player-top", "player-bottom"]) byId(place).hidden = !now;
  byId("onward").hidden = Boolean(now);
  if (count("right") < lessons.length) {
    byId("onward").href = byId("to-cards").href;
    byId("onward").textContent = t("Keep errors as cards");
  }
  if (now) {
    const view = now.board;
    const mine = now.player;
    leadToRules(view);
    mover.locked = Boolean(answered || busy || solved);
    board.draw({
      rows: answered && !solved ? view.points : mover.rows(view.points, view.on_roll),
      bottom: mine,
      mover: view.on_roll,
      you: false,
      hand: view.has_hand,
      names: { X: names[0], O: names[1] },
      shape: shapeNow(),
      homeLeft: look.home === "left",
      numbers: look.numbers,
      last: [],
      arrows: arrows(),
      dice: mover.dice(view.dice, view.on_roll),
      cube: view.cube.in_use || view.cube.value > 1 ? view.cube : null,
      ...(answered || busy || solved ? AT_REST : mover.look),
    });
    showPlayer(byId("player-top"), other(mine));
    showPlayer(byId("player-bottom"), mine);
  }
  drawButtons(now);
}

function drawButtons(now) {
  const open = Boolean(now) && !answered && !solved && !busy;
  const shown = {
    undo: open && mover.active,
    done: open && mover.active,
    again: Boolean(now) && answered && !solved,
    solution: Boolean(now) && !solved && !busy,
    next: Boolean(now) && solved,
  };
  showActions(shown, { undo: mover.made, done: mover.complete });
  const choices = open ? now.choices : [];
  if (
    byId("choices").children.length !== choices.length ||
    byId("choices").textContent !== choices.map(capital).join("")
  ) {
    byId("choices").replaceChildren(
      ...choices.map((text) =>
        el(
          "button",
          {
            type: "button",
            "data-choice": text,
            onclick: () => {
              if (!answered && !solved) showVerdict(now.options.find((option) => option.text === text));
            },
          },
          capital(text),
        ),
      ),
    );
  }
}

listenToActions({
  undo: () => mover.undo(),
  done: () => mover.finish(),
  again: retry,
  solution: showSolution,
  next: () => goTo(at + 1),
});
byId("previous").addEventListener("click", () => goTo(at - 1));
byId("following").addEventListener("click", () => goTo(at + 1));
byId("open-preferences").addEventListener("click", () => showPreferences(draw, null));
onOrientation(draw);
document.addEventListener("keydown", (event) => {
  const place = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || !(place instanceof Element)) return;
  if (place.closest("input, select, textarea, dialog")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === " " && place.closest("button, summary, a")) return;
  if (key === "k") {
    goTo(at - 1);
    return;
  }
  if (key === "j") {
    goTo(at + 1);
    return;
  }
  if (/^[1-6]$/.test(key)) {
    byId("choices").children[Number(key) - 1]?.click();
    return;
  }
  const name = { f: "done", " ": "done", u: "undo", Backspace: "undo", n: "next", s: "solution" }[key];
  const button = name && enabledButton(name);
  if (button) {
    event.preventDefault();
    button.click();
  }
});

async function begin() {
  byId("to-report").href = report;
  try {
    const who = player === "X" || player === "O" ? `?player=${player}` : "";
    const answer = await call(`/reviews/${encodeURIComponent(review)}/${encodeURIComponent(match)}/lessons${who}`);
    lessons = answer.lessons;
    byId("judged").textContent = answer.dated
      ? t`Judged at level ${answer.level} by ${answer.program}. These nets have been replaced since: the report offers to judge it again.`
      : t`Judged at level ${answer.level} by ${answer.program}.`;
    names = answer.players;
    byId("title").textContent = t`Mistakes of ${who ? names[player === "X" ? 0 : 1] : names.join(" and ")}`;
    goTo(0);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("problem").textContent = error.message;
    byId("status").textContent = t("There is no such review here.");
    for (const part of ["actions", "board", "previous", "following"]) byId(part).hidden = true;
  }
}

begin();
