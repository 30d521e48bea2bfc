// @ts-check
/** Puzzles: one best play, and one that tempts; rated, of the day, in a streak or in a storm. */

import { boardAddress } from "/static/analysis/setup.js";
import { buttonOf, listenToActions } from "/static/parts/actions.js";
import { call, randomSeed } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { showPreferences } from "/static/parts/preferences-dialog.js";
import { decimal, plural, t } from "/static/parts/texts.js";
import { signed } from "/static/parts/words.js";
import { AnswerBoard } from "/static/train/answer-board.js";
import { flush, Outbox } from "/static/train/outbox.js";

/** @type {any} */
let puzzle = null;
let begun = 0;
/** True if another game, mode, skill or theme was chosen while a puzzle was fetched. */
let chosenMeanwhile = false;
let over = false;
let run = "";
/** @type {any[]} */
let games = [];

const desk = new AnswerBoard((moves) => answer(moves));

/** Seconds that a storm lasts, from its first answer on. */
const STORM = 180;
/** The end of the storm, as `performance.now` counts; null before the first answer. @type {number | null} */
let end = null;

/** Show the time left of a storm: all of it until the first answer is there. */
function showClock() {
  const left = end === null ? STORM : Math.max(0, Math.ceil((end - performance.now()) / 1000));
  byId("left").hidden = byId("mode").value !== "storm" || !puzzle;
  byId("clock").textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}
setInterval(() => {
  if (!byId("left").hidden && end !== null) showClock();
}, 250);

function begin() {
  end = null;
  run = ["streak", "storm"].includes(byId("mode").value) ? randomSeed() : "";
  over = false;
  const game = games.find((standing) => standing.variant === byId("game").value);
  showThemes(game.themes);
  showStanding(game);
  return next();
}

/** Begin with another choice; a puzzle that is fetched for the earlier one is not shown. */
function choose() {
  if (desk.busy) chosenMeanwhile = true;
  else void begin();
}

/** The themes of the chosen game; the puzzle of the day has none to choose. @param {string[]} names */
function showThemes(names, chosen = byId("theme").value) {
  byId("theme").replaceChildren(
    el("option", { value: "" }, t("any")),
    ...names.map((theme) => el("option", { value: theme }, t(theme))),
  );
  byId("theme").value = names.includes(chosen) ? chosen : "";
  byId("theme").disabled = byId("mode").value === "day";
}

async function next() {
  if (desk.busy || outbox.busy || outbox.again()) return;
  if (over) {
    // The day has one puzzle: behind it are the rated ones.
    if (byId("mode").value === "day") byId("mode").value = "rated";
    await begin();
    return;
  }
  const question = await desk.attempt(() =>
    call(
      `/drills/puzzles/${byId("game").value}/next?mode=${byId("mode").value}&run=${run}&skill=${byId("skill").value}&theme=${byId("theme").disabled ? "" : encodeURIComponent(byId("theme").value)}`,
    ),
  );
  if (chosenMeanwhile) {
    chosenMeanwhile = false;
    await begin();
    return;
  }
  if (!question) return;
  puzzle = question;
  byId("ask").textContent = t("Find the best play.");
  byId("about").textContent =
    t`${t(question.theme)}, rated ${String(question.rating)}; for money, without a cube.` +
    (question.tried ? ` ${t("You have tried it before: it does not count.")}` : "");
  byId("verdict").replaceChildren();
  byId("lines").replaceChildren();
  byId("word").value = "";
  byId("words").hidden = false;
  buttonOf("next").hidden = buttonOf("share").hidden = true;
  desk.show(question.board);
  showClock();
  begun = performance.now();
}

/** @param {string} text */
async function answer(text) {
  if (!puzzle || desk.busy || !desk.open) return;
  const seconds = (performance.now() - begun) / 1000;
  const [mode, skill] = [byId("mode").value, byId("skill").value];
  await outbox.give(`/drills/puzzles/${puzzle.name}/answer`, { answer: text, seconds, mode, run, skill });
}

/** @param {any} verdict */
function showVerdict(verdict) {
  const isOfDay = byId("mode").value === "day";
  over = verdict.over || isOfDay;
  if (verdict.seconds_left !== null) end = performance.now() + 1000 * verdict.seconds_left;
  showClock();
  const change =
    verdict.change === null ? "" : ` ${t`Rating ${String(verdict.standing.rating)} (${signed(verdict.change, 0)}).`}`;
  const words = verdict.right
    ? t`Right: ${verdict.answer}.`
    : t`${verdict.answer} costs ${decimal(verdict.loss, 3)}. The best: ${verdict.best}.`;
  byId("verdict").className = `say ${verdict.right ? "right" : "wrong"}`;
  byId("verdict").replaceChildren(el("p", {}, words + change));
  byId("lines").replaceChildren(
    ...[
      ...(verdict.why ? [verdict.why] : []),
      verdict.answer === verdict.trap
        ? t("That is the play that tempts.")
        : t`It tempts: ${verdict.trap}, which costs ${decimal(verdict.trap_loss, 3)}.`,
      ...(run
        ? [
            t`${verdict.score} solved.` +
              (over ? ` ${byId("mode").value === "storm" ? t("The storm is over.") : t("The streak is over.")}` : ""),
          ]
        : []),
    ].map((line) => el("li", {}, line)),
  );
  byId("words").hidden = true;
  desk.showVerdict(verdict);
  games = games.map((game) => (game.variant === verdict.standing.variant ? verdict.standing : game));
  showStanding(verdict.standing);
  buttonOf("next").textContent = isOfDay ? t("Solve puzzles") : over ? t("Begin again") : t("Next");
  buttonOf("next").hidden = buttonOf("share").hidden = false;
  buttonOf("next").focus();
}

async function share() {
  const { sharePosition } = await import("/static/parts/share-position.js");
  await sharePosition(boardAddress(puzzle.board), t("A backgammon puzzle: what is the best play?"));
}

/** @param {any} game */
function showStanding(game) {
  byId("skill-field").hidden = game.tries > 0 || byId("mode").value !== "rated";
  const stock = plural(game.puzzles, "{n} puzzle.", "{n} puzzles.");
  byId("sum").textContent =
    !game.tries && !game.best_streak && !game.best_storm
      ? t`No puzzle solved yet. ${stock}`
      : t`${String(game.rating)} ± ${game.deviation}, ${game.right} of ${game.tries} solved; best streak ${game.best_streak}, best storm ${game.best_storm}. ${stock}`;
}

listenToActions({
  undo: () => desk.mover.undo(),
  done: () => desk.mover.finish(),
  next,
  share,
});
byId("words").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = byId("word").value.trim();
  if (text) answer(text);
});
for (const field of ["game", "mode", "skill", "theme"]) byId(field).addEventListener("change", choose);
byId("open-preferences").addEventListener("click", () => showPreferences(() => desk.draw(), null));

const outbox = new Outbox({
  desk,
  button: buttonOf("next"),
  problem: (text) => {
    byId("problem").textContent = text;
  },
  tell: showVerdict,
});

async function open() {
  await flush();
  const overview = await desk.attempt(() => call("/drills/puzzles"));
  if (!overview) return;
  games = overview.games;
  byId("game").replaceChildren(...games.map((game) => el("option", { value: game.variant }, t(game.title))));
  const wanted = new URLSearchParams(location.search);
  if (games.some((game) => game.variant === wanted.get("game"))) byId("game").value = wanted.get("game");
  if (["day", "streak", "storm"].includes(wanted.get("mode") ?? "")) byId("mode").value = wanted.get("mode");
  if (!games.length) return;
  showThemes(games.find((game) => game.variant === byId("game").value).themes, wanted.get("theme") ?? "");
  await begin();
}

open().finally(() => document.body.classList.remove("waiting"));
