// @ts-check
/** The table on the page: the last state of the server, and questions about it. It changes nothing. */

import * as preferences from "/static/parts/preferences.js";
import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").GameState} GameState */
/** @typedef {import("/static/parts/state").BegunState} BegunState */
/** @typedef {import("/static/parts/state").Side} Side */

export const LEVELS = /** @type {Record<number, string>} */ ({
  1: t("a single game"),
  2: t("a gammon"),
  3: t("a backgammon"),
  4: t("a backgammon on the bar"),
});

export class Table {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    /** @type {GameState | null} */
    this.state = null;
    /** True while an action is on its way to the server, or the tutor thinks about it. */
    this.busy = false;
    /** @type {import("/static/game/people.js").People | null} of two people who play each other */
    this.people = null;
    /** Seconds that the server's clock is ahead of ours. */
    this.ahead = 0;
  }

  /** The state of a game that has begun, else null. @returns {BegunState | null} */
  get begun() {
    return this.state && this.state.status !== "waiting" ? this.state : null;
  }

  /** How the opener wants the table to look, unless this browser shows it its own way. */
  get look() {
    return preferences.read().agreed ? (this.state?.look ?? null) : null;
  }

  /** True where the colours of both sides are exchanged: X has the light checkers unless the opener chose otherwise. */
  get swapped() {
    return this.look !== null && (this.look.by === "X") !== (this.look.colour === "light");
  }

  /** True where the home board of the side at the bottom lies at the left; those who play sit opposite each other. */
  get homeLeft() {
    return this.look
      ? (this.look.home === "left") === (this.look.by === this.bottom)
      : preferences.read().home === "left";
  }

  /** @param {string} word */
  can(word) {
    return Boolean(this.begun && (this.begun.legal_actions.includes(word) || this.begun.beside_actions.includes(word)));
  }

  /** @returns {Side} */
  get bottom() {
    const { you } = this.state;
    return you === "O" || (you === "both" && preferences.read().turn && this.begun?.turn === "O") ? "O" : "X";
  }

  /** The side whose slots count on the board. @returns {Side} */
  get mover() {
    return (this.state.you === "both" && this.begun?.turn) || this.bottom;
  }

  /** The side whose links of the dice this page gives. @returns {Side | null} */
  get giver() {
    return this.state?.you === "both" ? "X" : (this.state?.you ?? null);
  }

  /** True if the person at this page is to act. */
  get mine() {
    return Boolean(this.state?.you && (this.state.you === "both" || this.state.you === this.begun?.turn));
  }

  get gameOver() {
    return Boolean(this.begun?.game_over);
  }

  /** @param {Side} side */
  name(side) {
    return this.state.names[side === "X" ? 0 : 1];
  }
}
