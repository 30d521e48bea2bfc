// @ts-check
/** A study: positions with comments and arrows, played through one by one, or answered as a quiz. */

import { call } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { andRules } from "/static/parts/rules-link.js";
import { showSettings } from "/static/parts/settings-dialog.js";
import { Desk } from "/static/train/desk.js";
import { factsOf } from "/static/train/facts.js";
import { trying } from "/static/library/shelf.js";
import { t } from "/static/parts/texts.js";

const link = location.pathname.split("/")[2] ?? "";
const ASKS = /** @type {Record<string, string>} */ ({ play: t("Your play."), double: t("Double, or roll?"), take: t("Take, or drop?") });
/** @type {any} */
let study = null;
let at = 0;
let right = 0, answered = 0;
let busy = false;

const desk = new Desk((moves) => answer(moves));
const asks = () => byId("quiz").checked && study.positions[at].quiz;
/** @param {string} deed @returns {HTMLButtonElement} */
const button = (deed) => /** @type {HTMLButtonElement} */ (document.querySelector(`[data-act=${deed}]`));

/** What is known of a position: the best option, the costs, the reason. @param {any} each */
function reveal(each) {
  const best = each.card.options[0];
  byId("comment").textContent = each.comment;
  byId("lines").replaceChildren(...each.card.options.slice(0, 5).map((/** @type {any} */ one) => el("li", {}, one.loss > 0 ? `${one.text}: −${one.loss.toFixed(3)}` : one.text)), ...(each.card.reason ? [el("li", {}, each.card.reason)] : []));
  desk.tell({ moves: [], best_moves: each.arrows.length ? each.arrows : best?.moves ?? [], right: true });
}

function show() {
  const each = study.positions[at], quiz = asks();
  byId("ask").textContent = t`${at + 1} of ${study.positions.length}: ${quiz ? ASKS[each.card.kind] : each.card.setup.dice ? each.card.setup.dice.join("-") : t("the cube")}`;
  byId("facts").textContent = factsOf(each.board);
  byId("verdict").replaceChildren();
  byId("verdict").className = "say";
  byId("comment").textContent = "";
  byId("lines").replaceChildren();
  byId("word").value = "";
  byId("words").hidden = !quiz || each.card.kind !== "play";
  byId("choices").replaceChildren(...(quiz ? each.card.choices : []).map((/** @type {string} */ text, /** @type {number} */ index) => el("button", { type: "button", onclick: () => answer(String(index + 1)) }, text)));
  byId("analysis").setAttribute("href", each.address);
  desk.show({ ...each.board, setup: each.card.setup, ...(quiz ? {} : { tree: undefined }) });
  if (!quiz) reveal(each);
  button("back").disabled = at === 0;
  button("next").disabled = at === study.positions.length - 1;
  history.replaceState(null, "", `/study/${link}${quiz ? "?quiz=yes" : ""}#${at + 1}`);
}

/** @param {string} text */
async function answer(text) {
  if (busy || !desk.open || !asks()) return;
  busy = true;
  const each = study.positions[at];
  const told = await trying(() => call(`/studies/${encodeURIComponent(link)}/answer`, { number: at + 1, answer: text }), desk.scene?.tree ? andRules : undefined);
  busy = false;
  if (!told) { desk.draw(); return; }
  answered += 1;
  right += Number(told.right);
  byId("verdict").className = `say ${told.right ? "right" : "wrong"}`;
  byId("verdict").replaceChildren(el("p", {}, told.right ? t`Right: ${t(told.answer)}.` : t`${t(told.answer)} costs ${told.loss.toFixed(3)}. The best: ${t(told.best)}.`), el("p", {}, t`${right} of ${answered} right.`));
  byId("comment").textContent = each.comment;
  byId("lines").replaceChildren(...told.lines.map((/** @type {string} */ line) => el("li", {}, line)));
  byId("choices").replaceChildren();
  byId("words").hidden = true;
  desk.tell(told);
  if (!button("next").disabled) button("next").focus();
}

/** @param {number} by */
function step(by) {
  if (!study?.positions[at + by]) return;
  at += by;
  show();
  byId("ask").focus();
}

const DEEDS = /** @type {Record<string, () => void>} */ ({ undo: () => desk.mover.undo(), done: () => desk.mover.finish(), back: () => step(-1), next: () => step(1) });
document.addEventListener("click", (event) => {
  const pressed = event.target instanceof Element ? event.target.closest("[data-act]") : null;
  if (pressed instanceof HTMLElement) DEEDS[pressed.dataset.act ?? ""]?.();
});
byId("words").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = byId("word").value.trim();
  if (text) answer(text);
});
byId("quiz").addEventListener("change", () => { right = answered = 0; show(); });
byId("open-settings").addEventListener("click", () => showSettings(() => desk.draw(), null));

async function begin() {
  study = await trying(() => call(`/studies/${encodeURIComponent(link)}`));
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

// What stands below the text is shown with it, so that nothing moves.
begin().finally(() => document.body.classList.remove("waiting"));
