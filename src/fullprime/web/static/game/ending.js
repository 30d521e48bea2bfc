// @ts-check
/** The end of a game: its result, and below it how well it was played, which is fetched once there is an end. */

import { LEVELS } from "/static/game/table.js";
import { byId, counted, el, keepWhole } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").Side} Side */

export class Ending {
  /** @param {import("/static/game/table.js").Table} table @param {import("/static/game/actions.js").Actions} actions */
  constructor(table, actions) {
    this.table = table;
    this.actions = actions;
    this.place = byId("end");
    /** The result on the board itself, before the next buttons, in every layout. */
    this.outcome = byId("outcome");
    this.shown = "";
    this.rating = /** @type {HTMLElement | null} */ (null);
    this.judged = /** @type {import("/static/game/end-of-game.js").GameReview | null} */ (null);
  }

  /** Show the end, once, where there is one; hide it when the next game begins. True when there is a new one. */
  show() {
    const { state, begun: now, gameOver } = this.table;
    const name =
      now && (gameOver || state.status === "over") && now.sequence ? `${now.game}:${gameOver}:${state.status}` : "";
    if (name === this.shown) return false;
    this.shown = name;
    this.judged?.leave();
    this.judged = null;
    this.place.hidden = this.outcome.hidden = !name;
    this.outcome.replaceChildren(...(name ? keepWhole(this.result()) : []));
    byId("open-drawer").textContent = name ? t("How it was played") : t("Moves and advice");
    document.body.classList.toggle("ended", Boolean(name));
    if (!name) {
      this.place.replaceChildren();
      return false;
    }
    const figures = el("div", { class: "figures" });
    const again = el("div", { class: "again" });
    const status = el("p", { class: "hint", role: "status" });
    this.rating = el("p", { class: "rated" });
    this.place.replaceChildren(
      el(
        "p",
        { class: "hint" },
        `${t(state.title)}, ${state.played_for}${now?.match_over || now?.length === 1 ? "" : t`: ${state.names[0]} ${now?.score[0]}, ${state.names[1]} ${now?.score[1]}`}`,
      ),
      el("h2", { class: "result" }, ...keepWhole(this.result())),
      this.rating,
      status,
      figures,
      again,
    );
    this.rate();
    if (state.you && state.you !== "both" && gameOver) this.judge(name, status, figures, again);
    return true;
  }

  /** Show the change of one's own rating, once that is known. */
  rate() {
    if (this.rating) this.rating.textContent = this.table.people?.change() ?? "";
  }

  /** The result, in the words of the person at the page. */
  result() {
    const { state, begun: now } = this.table;
    const { you } = state;
    const result = /** @type {{winner?: Side, points?: number, level?: number | null} | undefined} */ (now.result);
    const winner = now.match_winner ?? result?.winner;
    if (!winner) return t("The game has ended.");
    const who = winner === you ? t("You win") : t`${this.table.name(winner)} wins`;
    const [mine, theirs] = (winner === "X" ? [0, 1] : [1, 0]).map((side) => counted(now.score[side], now.length));
    const level = result?.level && result.level > 1 ? t` with ${LEVELS[result.level]}` : "";
    if (now.match_over) return t`${who} the match ${mine}–${theirs}${level}`;
    return result?.points ? plural(result.points, "{1} {n} point{2}", "{1} {n} points{2}", who, level) : who;
  }

  /**
   * Have the game reviewed, if its end is still shown once the script is there.
   * @param {string} name
   * @param {HTMLElement} status
   * @param {HTMLElement} figures
   * @param {HTMLElement} again
   */
  async judge(name, status, figures, again) {
    status.textContent = t("Reviewing the game …");
    const module = await import("/static/game/end-of-game.js").catch(/** @returns {null} */ () => null);
    if (name !== this.shown) return;
    if (!module) {
      status.textContent = t("How it was played could not be judged now: Review tries it again.");
      return;
    }
    const { GameReview } = module;
    this.judged = new GameReview(this.table, status, figures, again);
    await this.judged.review();
  }
}
