// @ts-check
/**
 * Earlier plies of a game, on its own board, on which nothing can be moved meanwhile. It is fetched when a person looks
 * back, or a game is over.
 */

import { listen } from "/static/board/stepping.js";
import { call, keyOf } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";
import { arrowsOfMade, cubeOf, diceOf, gameStep, markPly, plyList, plyWords } from "/static/review/plies.js";

/** @typedef {import("/static/review/plies.js").Ply} Ply */
/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {import("/static/board/buttons.js").Button} Button */
/**
 * An earlier moment that is shown in place of the game: its board and score, a sentence, and the buttons.
 * @typedef {import("/static/board/drawn-board.js").Look} Look
 * @typedef {{look: Partial<Look> & Pick<Look, "rows">, cube: Look["cube"], turn: Side, score: number[], crawford: boolean,
 *   words: string, buttons: Button[]}} Past
 */

/** The name of a line of the log that is a ply. @param {{player: string | null, kind: string}} ply @param {string} [play] */
const nameOf = ({ player, kind }, play) => `${player} ${kind} ${kind === "play" ? play : ""}`;

export class LookBack {
  /**
   * @param {{table: import("/static/game/table.js").Table, scene: import("/static/game/scene.js").Scene,
   *   mover: import("/static/board/mover.js").Mover, draw: () => void, problem: (text: string) => void}} parts
   */
  constructor(parts) {
    this.parts = parts;
    /** The games so far with their plies. @type {{rounds: any[], plies: Ply[], players: string[]} | null} */
    this.match = null;
    /** The number of events that `match` holds. */
    this.sequence = -1;
    /** The number of the ply that is shown; -1 while the game itself is. */
    this.at = -1;
    /** True if the game has gone on meanwhile. */
    this.isBehind = false;
    this.list = el("div", { id: "plies", tabindex: 0, role: "group", "aria-label": t("Every ply"), hidden: true });
    byId("log").after(this.list);
    document.head.append(el("link", { rel: "stylesheet", href: "/static/board/plies.css" }));
    listen(byId("board"), {
      step: (by) => this.step(by),
      end: (by) => (by < 0 ? this.go(() => 0) : this.isOpen && this.leave()),
      game: (by) => this.isOpen && this.go(({ plies }) => gameStep(plies, this.at, by)),
      glides: () => this.isOpen || parts.table.gameOver,
    });
  }

  get isOpen() {
    return this.at >= 0;
  }

  /** One ply back or on; on from the last one is the game itself. @param {number} by */
  step(by) {
    if (!this.isOpen && by > 0) return false;
    return this.go(({ plies }) => (this.isOpen ? this.at + by : plies.length - 1), by > 0);
  }

  /** The ply of a line of the log. @param {HTMLElement} line */
  toLine(line) {
    const lines = /** @type {HTMLElement[]} */ ([...byId("log").querySelectorAll("[data-ply]")]).reverse();
    this.go(({ plies }) => {
      // The newest line is the last ply, and so on; lines that were taken back are plies no more.
      let at = plies.length;
      for (const one of lines) {
        const fits = at > 0 && nameOf(plies[at - 1], plies[at - 1].text) === one.dataset.ply;
        if (fits) at--;
        if (one === line) return fits ? at : -1;
      }
      return -1;
    });
  }

  /**
   * Show a ply, once the plies are known. Gives false where there is no game yet.
   * @param {(match: {plies: Ply[]}) => number} choose @param {boolean} [leaves] true if behind the last ply is the game
   */
  go(choose, leaves = false) {
    if (!this.parts.table.begun) return false;
    this._show(choose, leaves).catch((error) => this.parts.problem(error.message));
    return true;
  }

  /** @param {(match: {plies: Ply[]}) => number} choose @param {boolean} leaves */
  async _show(choose, leaves) {
    const match = await this._load();
    const at = choose(match);
    if (leaves && at >= match.plies.length) this.leave();
    else if (match.plies[at]) this._set(at);
    else if (!this.isOpen)
      this.parts.problem(match.plies.length ? t("That was taken back.") : t("Nothing has been played yet."));
  }

  /** Back to the game. */
  leave() {
    this.isBehind = false;
    this._set(-1);
    return true;
  }

  /** @param {number} at */
  _set(at) {
    const { mover, draw, problem } = this.parts;
    this.at = at;
    mover.asleep = this.isOpen;
    mover.selected = null;
    problem("");
    document.body.classList.toggle("looking-back", this.isOpen);
    document.body.classList.toggle("ended", !this.isOpen && !byId("end").hidden);
    this.list.hidden = !this.isOpen;
    byId("open-drawer").textContent = this.isOpen
      ? t("Every ply")
      : byId("end").hidden
        ? t("Moves and advice")
        : t("How it was played");
    this._updateScene();
    draw();
    if (this.isOpen) markPly(this.list, at);
  }

  /** Give the scene the ply that it shows in place of the game. */
  _updateScene() {
    const { scene, table } = this.parts;
    const { match, at } = this;
    const ply = match?.plies[at];
    if (!match || !ply) {
      scene.past = null;
      return;
    }
    const words = `${ply.number} ${plyWords(ply, match.players[ply.player === "X" ? 0 : 1])}.`;
    const inUse = table.begun.cube.in_use;
    const cube = cubeOf(ply, inUse);
    scene.past = {
      look: {
        rows: ply.points,
        last: [],
        arrows: arrowsOfMade(ply),
        glow: undefined,
        press: "",
        doubling: false,
        thrown: undefined,
        dice: diceOf(ply),
        cube,
      },
      cube,
      turn: ply.player,
      score: match.rounds[ply.game - 1].score,
      crawford: match.rounds[ply.game - 1].crawford,
      words: this.isBehind ? t`${words} The game has gone on.` : words,
      buttons: [
        ["earlier", t("Back"), () => this.step(-1), "", at === 0],
        ["later", t("Forward"), () => this.step(1)],
        ["now", t("To the game"), () => this.leave(), "primary"],
      ],
    };
  }

  /** The plies as they are now. */
  async _load() {
    const { table } = this.parts;
    const { sequence } = table.state;
    if (this.match && this.sequence === sequence) return this.match;
    const answer = await call(`/games/${encodeURIComponent(table.id)}/plies`, undefined, keyOf(table.id));
    this.match = { ...answer, players: table.state.names };
    this.sequence = sequence;
    this.list.replaceChildren(
      el("h2", {}, t("Every ply")),
      plyList(this.match, (at) => this.go(() => at)),
    );
    return this.match;
  }

  /**
   * Take new events: end the look back where the person is to act, else say that the game has gone on.
   * @param {import("/static/parts/state").GameEvent[]} events
   */
  async takeEvents(events) {
    const { table } = this.parts;
    if (!this.isOpen || events.every(({ kind }) => kind === "chat")) return;
    if (!table.begun || (table.mine && !table.gameOver)) {
      this.leave();
      return;
    }
    this.isBehind = true;
    const { plies } = await this._load();
    if (this.isOpen) this._set(Math.min(this.at, plies.length - 1));
  }
}
