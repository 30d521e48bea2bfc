// @ts-check
/** The end of a game: its result, and below it how well it was played, which is fetched once there is an end. */

import { LEVELS } from "/static/game/table.js";
import { byId, counted, el, whole } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").Side} Side */

export class Ending {
  /** @param {import("/static/game/table.js").Table} table @param {import("/static/game/deeds.js").Deeds} deeds */
  constructor(table, deeds) {
    this.table = table; this.deeds = deeds;
    this.place = byId("end");
    /** The result on the board itself, before the buttons of what comes next, in every layout. */
    this.outcome = byId("outcome");
    this.shown = "";
    this.judged = /** @type {import("/static/game/judged.js").Judged | null} */ (null);
  }

  /** Show the end, once, where there is one; hide it when the next game begins. True when there is a new one. */
  show() {
    const { state, begun: now, gameOver } = this.table;
    const name = now && (gameOver || state.status === "over") && now.sequence ? `${now.game}:${gameOver}:${state.status}` : "";
    if (name === this.shown) return false;
    this.shown = name;
    this.judged?.leave();
    this.judged = null;
    this.place.hidden = this.outcome.hidden = !name;
    this.outcome.replaceChildren(...(name ? whole(this.result()) : []));
    byId("open-drawer").textContent = name ? t("How it was played") : t("Moves and advice");
    document.body.classList.toggle("ended", Boolean(name));
    if (!name) { this.place.replaceChildren(); return false; }
    const figures = el("div", { class: "figures" }), again = el("div", { class: "again" }), said = el("p", { class: "hint", role: "status" });
    this.place.replaceChildren(el("p", { class: "hint" }, `${t(state.title)}, ${state.played_for}${now?.match_over || now?.length === 1 ? "" : t`: ${state.names[0]} ${now?.score[0]}, ${state.names[1]} ${now?.score[1]}`}`), el("h2", { class: "result" }, ...whole(this.result())), said, figures, again);
    if (state.you && state.you !== "both" && gameOver) this.judge(name, said, figures, again);
    return true;
  }

  /** The result, in the words of the person at the page. */
  result() {
    const { state, begun: now } = this.table, { you } = state;
    const result = /** @type {{winner?: Side, points?: number, level?: number | null} | undefined} */ (now.result);
    const winner = now.match_winner ?? result?.winner;
    if (!winner) return t("The game has ended.");
    const who = winner === you ? t("You win") : t`${this.table.name(winner)} wins`;
    const [mine, theirs] = (winner === "X" ? [0, 1] : [1, 0]).map((side) => counted(now.score[side], now.length));
    const level = result?.level && result.level > 1 ? t` with ${LEVELS[result.level]}` : "";
    if (now.match_over) return t`${who} the match ${mine}–${theirs}${level}`;
    return result?.points ? plural(result.points, "{1} {n} point{2}", "{1} {n} points{2}", who, level) : who;
  }

  /** Have it judged, if the end is still shown once that is fetched. @param {string} name @param {HTMLElement} said @param {HTMLElement} figures @param {HTMLElement} again */
  async judge(name, said, figures, again) {
    said.textContent = t("Looking at how it was played …");
    const found = await import("/static/game/judged.js").catch(/** @returns {null} */ () => null);
    if (name !== this.shown) return;
    if (!found) { said.textContent = t("How it was played could not be judged now: Review tries it again."); return; }
    const { Judged } = found;
    this.judged = new Judged(this.table, said, figures, again);
    await this.judged.review();
  }
}
