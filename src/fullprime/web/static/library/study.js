// @ts-check
/** A study: positions with comments and arrows, played through one by one, or answered as a quiz. */

import { attempt } from "/static/library/shelf.js";
import { buttonOf, listenToActions } from "/static/parts/actions.js";
import { call } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { showPreferences } from "/static/parts/preferences-dialog.js";
import { andRules } from "/static/parts/rules-link.js";
import { decimal, t } from "/static/parts/texts.js";
import { AnswerBoard } from "/static/train/answer-board.js";
import { factsOf } from "/static/train/facts.js";

const link = location.pathname.split("/")[2] ?? "";
const ASKS = /** @type {Record<string, string>} */ ({
  play: t("Your play."),
  double: t("Double, or roll?"),
  take: t("Take, or drop?"),
});
/** @type {any} */
let study = null;
let at = 0;
let right = 0;
let answered = 0;
let busy = false;

const desk = new AnswerBoard((moves) => answer(moves));
const isLast = () => at === study.positions.length - 1;
const asks = () => byId("quiz").checked && study.positions[at].quiz;
/** Show the judgement of a position: the best option, the costs, the reason. @param {any} position */
function reveal(position) {
  const best = position.card.options[0];
  byId("comment").textContent = position.comment;
  byId("lines").replaceChildren(
    ...position.card.options
      .slice(0, 5)
      .map((/** @type {any} */ one) => el("li", {}, one.loss > 0 ? `${one.text}: −${decimal(one.loss, 3)}` : one.text)),
    ...(position.card.reason ? [el("li", {}, position.card.reason)] : []),
  );
  desk.showVerdict({
    moves: [],
    best_moves: position.arrows.length ? position.arrows : (best?.moves ?? []),
    right: true,
  });
}

function show() {
  const position = study.positions[at];
  const quiz = asks();
  byId("ask").textContent =
    t`${at + 1} of ${study.positions.length}: ${quiz ? ASKS[position.card.kind] : position.card.setup.dice ? position.card.setup.dice.join("-") : t("the cube")}`;
  byId("facts").textContent = factsOf(position.board);
  byId("verdict").replaceChildren();
  byId("verdict").className = "say";
  byId("comment").textContent = "";
  byId("lines").replaceChildren();
  byId("word").value = "";
  byId("words").hidden = !quiz || position.card.kind !== "play";
  byId("choices").replaceChildren(
    ...(quiz ? position.card.choices : []).map((/** @type {string} */ text, /** @type {number} */ index) =>
      el("button", { type: "button", onclick: () => answer(String(index + 1)) }, text),
    ),
  );
  byId("analysis").setAttribute("href", position.address);
  desk.show({ ...position.board, setup: position.card.setup, ...(quiz ? {} : { tree: undefined }) });
  if (!quiz) reveal(position);
  buttonOf("back").disabled = at === 0;
  buttonOf("next").textContent = isLast() ? t("Begin again") : t("Next");
  history.replaceState(null, "", `/study/${link}${quiz ? "?quiz=yes" : ""}#${at + 1}`);
}

/** @param {string} text */
async function answer(text) {
  if (busy || !desk.open || !asks()) return;
  busy = true;
  const position = study.positions[at];
  const verdict = await attempt(
    () => call(`/studies/${encodeURIComponent(link)}/answer`, { number: at + 1, answer: text }),
    desk.scene?.tree ? andRules : undefined,
  );
  busy = false;
  if (!verdict) {
    desk.draw();
    return;
  }
  answered += 1;
  right += Number(verdict.right);
  byId("verdict").className = `say ${verdict.right ? "right" : "wrong"}`;
  byId("verdict").replaceChildren(
    el(
      "p",
      {},
      verdict.right
        ? t`Right: ${t(verdict.answer)}.`
        : t`${t(verdict.answer)} costs ${decimal(verdict.loss, 3)}. The best: ${t(verdict.best)}.`,
    ),
    el("p", {}, t`${right} of ${answered} right.`),
  );
  byId("comment").textContent = position.comment;
  byId("lines").replaceChildren(...verdict.lines.map((/** @type {string} */ line) => el("li", {}, line)));
  byId("choices").replaceChildren();
  byId("words").hidden = true;
  desk.showVerdict(verdict);
  buttonOf("next").focus();
}

/** @param {number} by */
function step(by) {
  if (!study?.positions[at + by]) return;
  at += by;
  show();
  byId("ask").focus();
}

/** From the first position on once more, and counted anew. */
function restart() {
  right = answered = 0;
  step(-at);
}

listenToActions({
  undo: () => desk.mover.undo(),
  done: () => desk.mover.finish(),
  back: () => step(-1),
  next: () => (study && isLast() ? restart() : step(1)),
});
byId("words").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = byId("word").value.trim();
  if (text) answer(text);
});
byId("quiz").addEventListener("change", () => {
  right = answered = 0;
  show();
});
byId("open-preferences").addEventListener("click", () => showPreferences(() => desk.draw(), null));

async function begin() {
  study = await attempt(() => call(`/studies/${encodeURIComponent(link)}`));
  if (study) {
    document.title = `${study.name} · Fullprime`;
    byId("title").textContent = study.name;
    byId("about").textContent = study.about;
    byId("quiz").checked = new URLSearchParams(location.search).get("quiz") === "yes";
    at = Math.min(Math.max(0, Number(location.hash.slice(1)) - 1 || 0), study.positions.length - 1);
    if (study.positions.length) show();
    else byId("ask").textContent = t("This study has no positions yet.");
  }
}

// The parts below the text are shown with it, so that nothing moves.
begin().finally(() => document.body.classList.remove("waiting"));
