// @ts-check
/** The board of the record: the roll on it is played by tapping, and each play is checked before it is written down. */

import { Board } from "/static/board/board.js";
import { onOrientation, smallShape } from "/static/board/layout.js";
import { Mover } from "/static/board/mover.js";
import { other } from "/static/board/numbering.js";
import { Refusal } from "/static/parts/api.js";
import { byId } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { andRules } from "/static/parts/rules-link.js";
import { t } from "/static/parts/texts.js";
import { boardAfter, boardOf, boardsOf } from "/static/real/recorder.js";
import { checkersOf, levelOf } from "/static/real/worth.js";

/** @typedef {import("/static/real/sitting.js").Sitting} Sitting */
/** @typedef {import("/static/real/sitting.js").Table} Table */
/** @typedef {import("/static/real/sitting.js").Event} Event */
/** @typedef {import("/static/parts/state").Side} Side */

/** How a game ended that the record has seen to its last checker. @param {Table} table */
export function endOf({ rules, desk, cube }) {
  if (desk?.phase !== "over" || !desk.rows) return {};
  const side = /** @type {Side} */ (desk.winner);
  const loser = desk.rows[other(side)];
  return {
    who: side === "X" ? 0 : 1,
    level: rules.checkers ? null : levelOf(rules, loser, cube.owner !== null),
    points: rules.checkers ? checkersOf(rules, loser) : 0,
  };
}

export class Recording {
  /**
   * @param {{commit: (event: Partial<Event>) => void, problem: (text: string, more?: (string | HTMLElement)[]) => void, won: () => void, catchUp: () => Promise<string>}} handlers `catchUp`: have the server check plays that it has not seen; gives the fault
   */
  constructor(handlers) {
    this.handlers = handlers;
    this.mover = new Mover(
      () => this.draw(),
      (moves) => this.write(moves),
    );
    this.mover.confirms = true;
    this.view = new Board(byId("board"), this.mover.handlers);
    /** The board of the roll, as the server sent it. @type {any} */
    this.board = null;
    /** The roll that was asked about, `""` for none; null before the first look. @type {string | null} */
    this.asked = null;
    this.away = false;
    /** Why the board is not known although there is a connection. */
    this.wrong = "";
    this.sitting = /** @type {Sitting | null} */ (null);
    this.table = /** @type {Table | null} */ (null);
    onOrientation(() => this.draw());
    addEventListener("preferences", () => this.draw());
    byId("done").addEventListener("click", () => this.mover.finish());
    byId("undo-move").addEventListener("click", () => this.mover.undo());
    byId("no-play").addEventListener("click", () => this.write("no play")); // not a text
    byId("typed").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const text = byId("play").value.trim();
      if (text) this.write(text);
    });
  }

  /** Show a table that has changed. @param {Sitting} sitting @param {Table} table */
  show(sitting, table) {
    this.sitting = sitting;
    this.table = table;
    const open = sitting.record && table.phase === "thrown" && table.turn !== null && table.dice !== null;
    byId("recording").hidden = !sitting.record || ["between", "over"].includes(table.phase);
    const roll = open ? `${sitting.id}:${sitting.events.length}` : "";
    if (roll === this.asked) return;
    this.asked = roll;
    this.board = null;
    this.mover.reset(undefined);
    byId("play").value = "";
    this.draw();
    if (open) this.fetch(roll);
  }

  /** @param {string} roll */
  async fetch(roll) {
    this.away = false;
    this.wrong = "";
    try {
      if (this.table?.played.some(({ k, then }) => k === "play" && !then)) this.wrong = await this.handlers.catchUp();
      if (roll !== this.asked) return;
      if (this.wrong || this.table?.phase !== "thrown") {
        this.draw();
        return;
      }
      const board = await boardOf(/** @type {Sitting} */ (this.sitting), /** @type {Table} */ (this.table));
      if (roll !== this.asked) return;
      this.board = board;
      this.mover.reset(board.tree);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (roll !== this.asked) return;
      this.away = error.status === 0;
      if (!this.away) this.handlers.problem(error.message);
    }
    this.draw();
  }

  /** Try again, where a roll waits for its board: the connection is back. */
  again() {
    const waits = this.away && Boolean(this.asked);
    if (waits && this.asked) this.fetch(this.asked);
    return waits;
  }

  /** Write a play down. @param {string} text */
  async write(text) {
    const { board, mover, table, sitting } = this;
    if (!sitting || !table || table.turn === null) return;
    this.handlers.problem("");
    if (!board) {
      // It is stored as it was typed; the rules look at it when the record is sent.
      this.handlers.commit({ k: "play", who: table.turn, text });
      return;
    }
    const side = /** @type {Side} */ (table.turn ? "O" : "X");
    const rows = mover.complete ? mover.rows(board.points, side) : null;
    if (rows && rows[side][0] === board.checkers) {
      this.handlers.commit({
        k: "play",
        who: table.turn,
        text,
        then: { position: "", on_roll: side, phase: "over", dice: null, rows, winner: side },
      });
      this.handlers.won();
      return;
    }
    mover.locked = true;
    try {
      const event = { k: /** @type {const} */ ("play"), who: table.turn, text: text === "no play" ? "" : text };
      const then = await (mover.complete || !event.text ? boardAfter(board, text) : this.typed(sitting, table, event));
      mover.locked = false;
      this.handlers.commit({ ...event, then });
      if (then.winner) this.handlers.won();
    } catch (error) {
      mover.locked = false;
      if (!(error instanceof Refusal)) throw error;
      // The connection went while the roll was played: the play is kept, and looked at when it is back.
      if (error.status === 0) {
        this.away = true;
        this.handlers.commit({ k: "play", who: table.turn, text: text === "no play" ? "" : text });
        return;
      }
      this.handlers.problem(error.message, andRules(error));
      this.draw();
    }
  }

  /**
   * The board after a play in words, which may be the last of the game.
   * @param {Sitting} sitting
   * @param {Table} table
   * @param {Partial<Event>} event
   */
  async typed(sitting, table, event) {
    const { game, sides, played: before } = table;
    const { boards, wrong } = await boardsOf(sitting, table, {
      game,
      sides,
      played: [...before, /** @type {Event} */ (event)],
    });
    if (wrong !== null) throw new Refusal(400, wrong, { code: "illegal" });
    return boards[boards.length - 1];
  }

  draw() {
    const { board, mover, table, sitting } = this;
    if (!table || !sitting) return;
    const dance = Boolean(board?.tree && !board.tree.steps[0].length);
    byId("board").hidden = !board && !table.desk;
    for (const name of ["undo-move", "done"]) byId(name).hidden = !board || dance;
    byId("undo-move").disabled = !mover.made;
    byId("done").disabled = !mover.complete;
    byId("no-play").hidden = !dance;
    byId("typed").hidden = table.phase !== "thrown" || dance;
    byId("rules-away").hidden = table.phase !== "thrown" || !(this.away || this.wrong);
    byId("rules-away").textContent = this.wrong
      ? t`The board is not known, because an earlier play cannot be. ${this.wrong}`
      : t(
          "No connection: the legal plays come from the server. Type the play; it is kept here and checked when the connection is back.",
        );
    const points = board?.points ?? table.desk?.rows;
    if (!points) return;
    // The opener may have chosen the other colour: then the sides are drawn the other way round.
    const flip =
      table.opened !== null &&
      ((table.opened === 0 && table.choice.includes("dark")) || (table.opened === 1 && table.choice.includes("light")));
    const side = /** @type {Side} */ ((table.turn ?? 0) ? "O" : "X");
    const look = preferences.read();
    const rows = mover.rows(points, side);
    /** @param {Side} player @returns {Side} */
    const as = (player) => (flip ? other(player) : player);
    const names = [sitting.names[table.sides[0][0]], sitting.names[table.sides[1][0]]];
    this.view.draw({
      rows: flip ? { X: rows.O, O: rows.X } : rows,
      bottom: as("X"),
      mover: as(side),
      you: false,
      hand: board?.has_hand ?? sitting.variant.match(/dutch|acey/) !== null,
      names: flip ? { X: names[1], O: names[0] } : { X: names[0], O: names[1] },
      shape: smallShape(),
      homeLeft: table.choice.includes("left") !== (look.home === "left"),
      numbers: look.numbers,
      last: [],
      dice: board ? mover.dice(board.dice, side).map((group) => ({ ...group, side: as(group.side) })) : [],
      cube: null,
      ...mover.look,
      press: mover.complete ? "finish" : "",
    });
  }
}
