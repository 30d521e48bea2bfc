// @ts-check
/** Drawing the table: the board, the lines of the players, the sentence, and the buttons. */

import { showButtons } from "/static/board/buttons.js";
import { AT_REST } from "/static/board/drawn-board.js";
import { onOrientation, shapeNow } from "/static/board/layout.js";
import { other } from "/static/board/numbering.js";
import { MoreMenu } from "/static/game/more-menu.js";
import { claimOf, offers } from "/static/game/offers.js";
import * as words from "/static/game/words.js";
import { call } from "/static/parts/api.js";
import { byId } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { t } from "/static/parts/texts.js";
import { versus } from "/static/parts/words.js";

/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {Record<Side, number[]>} Rows */
/** @typedef {import("/static/game/look-back.js").Past} Past */

/** Milliseconds that a bot thinks before the page asks why. */
const WHY = 2500;

export class Scene {
  /**
   * @param {{table: import("/static/game/table.js").Table, board: import("/static/board/board.js").Board, mover: import("/static/board/mover.js").Mover,
   *   actions: () => import("/static/game/actions.js").Actions, throws: import("/static/game/throws.js").Throws, clocks:
   *   import("/static/game/clock.js").Clocks}} parts
   */
  constructor(parts) {
    this.parts = parts;
    /** Advice on the board. @type {import("/static/game/tutor.js").Arrow[]} */
    this.arrows = [];
    /** The places that glow, in the tutor's quiet way. @type {() => Set<number | "cube">} */
    this.glow = () => new Set();
    /** Where the last play left from and came to. @type {[Side, number][]} */
    this.last = [];
    /**
     * The roll that was played last: it stays on the board until the next.
     * @type {{side: Side, dice: number[]} | null}
     */
    this.played = null;
    /** Checkers on their way, instead of those of the state. @type {Rows | null} */
    this.moving = null;
    /** The ply that is shown instead of the game. @type {Past | null} */
    this.past = null;
    /** Called to look back. */
    this.onLookBack = () => {};
    this.absence = 0;
    /** True while the focus rests on the board until there is a checker for it. */
    this.seeking = false;
    this.asking = 0;
    /** How far the compiling of the engine is, in words; "" when there is nothing to wait for. */
    this.compiling = "";
    this.rare = new MoreMenu(byId("rare"), byId("more-actions"));
    /**
     * The sentences for a game that differs from backgammon; fetched for such a game.
     * @type {import("/static/game/variant-rules.js").VariantRules | null}
     */
    this.special = null;
    this.fetching = false;
    onOrientation(() => this.draw());
  }

  /** The checkers as they are shown. @returns {Rows} */
  get rows() {
    const { begun } = this.parts.table;
    return this.moving ?? this.parts.mover.rows(begun.points, begun.on_roll);
  }

  /** @returns {import("/static/board/drawn-board.js").DiceGroup[]} */
  get dice() {
    const { table, mover } = this.parts;
    const now = table.begun;
    if (now.dice && now.phase === "play") return mover.dice(now.dice, now.on_roll);
    // The doubles to choose from lie there.
    if (table.can("choose")) return [];
    return this.played && !now.game_over
      ? [{ side: this.played.side, numbers: this.played.dice, used: [true, true] }]
      : [];
  }

  draw() {
    const { table, board, mover, clocks } = this.parts;
    if (!table.state) return;
    const look = preferences.read();
    const { past } = this;
    const now = table.begun;
    if (now) {
      const side = table.mover;
      const may = table.can("move") && mover.active && !this.moving;
      const press = may
        ? mover.complete
          ? "finish"
          : ""
        : table.can("roll") && !table.busy && !(table.state.links?.awaits ?? []).length && !this.moving
          ? "roll"
          : "";
      const rolled = now.dice && now.phase === "play";
      board.draw({
        rows: this.rows,
        bottom: table.bottom,
        base: table.state.you === "O" ? "O" : "X",
        mover: side,
        you: Boolean(table.state.you),
        hand: now.has_hand,
        names: { X: table.state.names[0], O: table.state.names[1] },
        shape: shapeNow(),
        homeLeft: table.homeLeft,
        swapped: table.swapped,
        numbers: look.numbers,
        last: this.moving ? [] : this.last,
        arrows: this.arrows,
        glow: this.moving ? undefined : this.glow(),
        action: Boolean(table.state.you),
        press: side === table.bottom ? press : "",
        doubling: table.can("double") && !table.busy,
        thrown: rolled ? `${now.game}:${now.on_roll}:${now.dice.join()}:${table.state.sequence}` : undefined,
        dice: this.dice,
        cube: now.cube.in_use || now.cube.value > 1 ? now.cube : null,
        ...(may ? mover.look : AT_REST),
        ...past?.look,
      });
      const rows = past?.look.rows ?? this.rows;
      words.showPlayer(byId("player-top"), table, other(table.bottom), rows, past);
      words.showPlayer(byId("player-bottom"), table, table.bottom, rows, past);
      clocks.tick();
    }
    byId("board").hidden = !now;
    document.body.classList.toggle("mirrored", table.homeLeft);
    this.sentence();
    this.buttons();
  }

  sentence() {
    const { table, mover, throws } = this.parts;
    const { state } = table;
    const sentence =
      this.past?.words ??
      words.statusWords(
        table,
        { complete: mover.complete, dice: mover.swapped ? [...mover.walk.dice].reverse() : mover.walk.dice },
        throws.hasLink,
      );
    if (!this.special) this.fetchVariantRules();
    const special = this.past ? "" : this.special?.words(table);
    const text = special
      ? `${sentence} ${special}`
      : words.isThinking(table) && this.compiling && !this.past
        ? t`${sentence} The engine is being compiled for this computer, once: ${this.compiling}.`
        : sentence;
    if (byId("status").textContent !== text) byId("status").textContent = text;
    byId("status").classList.toggle("special", Boolean(special));
    if (words.isThinking(table)) this.askWhy();
    byId("title").textContent = state.rated
      ? t`${t(state.title)}, ${state.played_for}, rated`
      : `${t(state.title)}, ${state.played_for}`;
    document.title = `${versus(state.names)} · Fullprime`;
    byId("save").hidden = byId("to-card").hidden = !table.begun;
    byId("command").hidden = !state.you || !table.begun || Boolean(this.past);
  }

  fetchVariantRules() {
    const { begun: now, id } = this.parts.table;
    if (this.fetching || !now || !(now.has_hand || now.special.length || now.follow_ups.length)) return;
    this.fetching = true;
    import("/static/game/variant-rules.js")
      .then(({ VariantRules }) => {
        this.special = new VariantRules(id, () => this.sentence());
        this.sentence();
      })
      .catch(() => {
        this.fetching = false;
      });
  }

  /** A bot that takes its time may wait for the engine to be compiled: ask the server now and then while it does. */
  askWhy() {
    if (this.asking) return;
    this.asking = setTimeout(async () => {
      const health = await call("/health").catch(/** @returns {null} */ () => null);
      this.compiling = health?.compiling ?? "";
      this.asking = 0;
      this.sentence();
    }, WHY);
  }

  /**
   * The focus of a button that is gone goes to the board, and from there to the first checker as soon as one may be
   * moved: a reader of the screen is never put back to the top of the page.
   * @param {boolean} lost @param {boolean} moves @param {number} source
   */
  keepFocus(lost, moves, source) {
    const { table, board } = this.parts;
    if (lost) {
      this.seeking = true;
      board.goTo(table.mover, source);
    }
    if (!this.seeking || !moves) return;
    this.seeking = false;
    if (board.hasFocus) board.goTo(table.mover, source);
  }

  buttons() {
    const { table, mover, throws, actions } = this.parts;
    const { main, more, rare } = this.past
      ? { main: [], more: this.past.buttons, rare: [] }
      : offers(table, actions(), mover, throws, () => this.onLookBack());
    const busy = !this.past && (table.busy || Boolean(this.moving));
    const lost = showButtons(byId("more-actions"), more, busy);
    const gone = showButtons(byId("main-action"), main, busy);
    this.rare.show(rare, busy);
    this.keepFocus(lost || gone, table.can("move") && !busy && !this.past, Math.max(...mover.walk.sources, 1));
    const claim = claimOf(table);
    clearTimeout(this.absence);
    const wait = claim ? claim.after - (Date.now() / 1000 + claim.ahead) : 0;
    if (wait > 0) this.absence = setTimeout(() => this.draw(), 1000 * wait + 200);
  }
}
