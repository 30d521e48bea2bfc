// @ts-check
/**
 * The review of a game that its end shows: both PR, the luck, and the costliest play, to be tried again.
 */

import { Board } from "/static/board/board.js";
import { CLOSE } from "/static/board/depths.js";
import { Mover } from "/static/board/mover.js";
import { other } from "/static/board/numbering.js";
import { call, keyOf } from "/static/parts/api.js";
import { Job, stateWords } from "/static/parts/jobs.js";
import { el } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { decimal, plural, t } from "/static/parts/texts.js";
import { signed } from "/static/parts/words.js";

/** @typedef {import("/static/parts/state").Side} Side */
/**
 * @typedef {{pr: number | null, interval: number[] | null, band: string | null, counted: number, luck: number | null, luck_value: number | null}} Rating
 */
/**
 * @typedef {{names: string[], length: number, ratings: Record<Side, Rating>, result: {actual: number, adjusted: number, luck: number} | null}} Reviewed
 */
/** @typedef {{text: string, loss: number, after?: number[][], arrows: [number, number][]}} Option */
/**
 * @typedef {{game: number, kind: string, words: string, reason: string, chosen: number, options: Option[], player: Side, board: any}} Lesson
 */

export class GameReview {
  /**
   * @param {import("/static/game/table.js").Table} table
   * @param {HTMLElement} status
   * @param {HTMLElement} figures
   * @param {HTMLElement} again the place of the costliest play
   */
  constructor(table, status, figures, again) {
    this.table = table;
    this.said = status;
    this.figures = figures;
    this.again = again;
    this.job = /** @type {Job | null} */ (null);
  }

  /** Leave the review, once its end is no longer shown. */
  leave() {
    this.job?.leave();
    this.job = null;
  }

  /** Have the game reviewed, as long as its end is shown. */
  async review() {
    this.said.textContent = t("Reviewing the game …");
    const headers = /** @type {Record<string, string>} */ ({ "Content-Type": "application/json" });
    const key = keyOf(this.table.id);
    if (key) headers.Authorization = `Bearer ${key}`;
    const job = (this.job = new Job(
      `/games/${encodeURIComponent(this.table.id)}/review`,
      { method: "POST", headers, body: JSON.stringify({ level: "fast" }) },
      (state) => {
        if (job === this.job && (state.state === "waiting" || state.compiling))
          this.said.textContent = t`Reviewing the game … ${stateWords(state)}`;
      },
    ));
    try {
      const state = await job.done;
      if (job !== this.job) return;
      if (!state?.result?.matches?.length) {
        this.said.textContent = "";
        return;
      }
      const at = `/reviews/${state.id}/1`;
      const side = /** @type {Side} */ (this.table.state.you);
      const [reviewed, mistakes] = await Promise.all([call(at), call(`${at}/lessons?player=${side}`)]);
      if (job !== this.job) return;
      this.said.textContent = "";
      this.showFigures(reviewed, side);
      this.costliest(mistakes.lessons);
    } catch {
      if (job === this.job)
        this.said.textContent = t("How it was played could not be judged now: Review tries it again.");
    }
  }

  /** @param {Reviewed} reviewed @param {Side} side */
  showFigures({ names, ratings, result, length }, side) {
    const rival = other(side);
    /** @param {string} who @param {Rating} rating */
    const played = (who, { pr, interval, band, counted }) =>
      this.figure(
        who,
        pr === null ? "–" : t`PR ${decimal(pr, 1)}`,
        pr === null
          ? t("nothing to decide")
          : interval
            ? t`${decimal(Math.max(0, interval[0]), 1)} to ${decimal(interval[1], 1)}${band ? ` · ${band}` : ""}`
            : plural(counted, "{n} decision: too few for an interval", "{n} decisions: too few for an interval"),
      );
    this.figures.replaceChildren(
      played(t("You played"), ratings[side]),
      played(t`${names[rival === "X" ? 0 : 1]} played`, ratings[rival]),
      this.luck(ratings, result, length, side),
    );
  }

  /**
   * The luck of both, one against the other, and the result without it.
   * @param {Record<Side, Rating>} ratings
   * @param {Reviewed["result"]} result
   * @param {number} length
   * @param {Side} side
   */
  luck(ratings, result, length, side) {
    const mine = ratings[side].luck;
    const theirs = ratings[other(side)].luck;
    if (mine === null || theirs === null) return this.figure(t("Luck"), "–", t("Not every roll could be judged."));
    const way = side === "X" ? 1 : -1;
    // The estimate can lie outside of 0 to 1, which no chance does.
    const chance = result ? Math.min(1, Math.max(0, side === "X" ? result.adjusted : 1 - result.adjusted)) : 0;
    const without = !result
      ? ""
      : length
        ? t`Without it you win ${decimal(100 * chance, 0)} %.`
        : t`Without it the result is ${signed(way * result.adjusted, 2)} points.`;
    const more = mine - theirs;
    return this.figure(
      t("Luck"),
      signed(more, 2),
      without ||
        (more > 0
          ? t("The dice were with you.")
          : more < 0
            ? t("The dice were against you.")
            : t("The dice were with neither.")),
    );
  }

  /** @param {string} name @param {string} number @param {string} note */
  figure(name, number, note) {
    return el(
      "div",
      { class: "figure" },
      el("span", {}, name),
      el("b", {}, number),
      el("span", { class: "hint" }, note),
    );
  }

  /** The play that cost most, on a board of its own. @param {Lesson[]} lessons */
  costliest(lessons) {
    const plays = lessons.filter(({ kind, board }) => kind === "play" && board?.tree);
    const worst = plays.sort((a, b) => b.options[b.chosen].loss - a.options[a.chosen].loss)[0];
    if (!worst) {
      const words = !lessons.length
        ? t("No play of yours was an error.")
        : lessons.every(({ kind }) => kind === "resignation")
          ? t("Your errors were with resigning: Review has them.")
          : t("Your errors were with the cube: Review has them.");
      this.again.replaceChildren(el("p", {}, words));
      return;
    }
    const place = el("div", { class: "board-place small" });
    const verdict = el("p", { role: "status" });
    const { board: view, options, chosen, player, reason } = worst;
    const dice = view.dice ?? [];
    this.again.replaceChildren(
      el("h3", {}, t("Your costliest play")),
      el(
        "p",
        {},
        t`Game ${worst.game}: you played ${dice.join("-")} as ${options[chosen].text}, which lost ${decimal(options[chosen].loss, 3)}. Try it again.`,
      ),
      place,
      verdict,
    );
    const mover = new Mover(
      () => draw(),
      (_, walk) => {
        const after = JSON.stringify(walk.apply(view.points[player], view.points[other(player)]));
        const chosenOption = options.find((option) => JSON.stringify(option.after) === after);
        const right = chosenOption && chosenOption.loss <= CLOSE;
        verdict.className = right ? "good" : "bad";
        const sentence = right
          ? t`${chosenOption.text} is right.`
          : chosenOption
            ? t`${chosenOption.text} loses ${decimal(chosenOption.loss, 3)}. Best is ${options[0].text}.`
            : t`Best is ${options[0].text}.`;
        verdict.replaceChildren(sentence, " ", el("span", { lang: "en" }, reason));
        if (!right) {
          mover.reset(view.tree);
          draw();
        }
        verdict.scrollIntoView({ block: "nearest" }); // it stands below the board, and the column may scroll
      },
    );
    const board = new Board(place, mover.handlers);
    const draw = () =>
      board.draw({
        rows: mover.rows(view.points, player),
        bottom: player,
        mover: player,
        you: true,
        hand: Boolean(view.has_hand),
        names: { X: this.table.state.names[0], O: this.table.state.names[1] },
        shape: "wide",
        homeLeft: preferences.read().home === "left",
        numbers: preferences.read().numbers,
        dice: mover.dice(dice, player),
        cube: view.cube ?? null,
        ...mover.look,
      });
    // The last checker that is moved ends the play: nothing depends on it.
    mover.confirms = false;
    mover.reset(view.tree);
    draw();
  }
}
