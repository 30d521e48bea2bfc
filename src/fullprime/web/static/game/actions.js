// @ts-check
/**
 * The actions of a person at the table: confirmed where they cost, weighed by the tutor, and sent to the server.
 */

import { pause } from "/static/board/motion.js";
import { LEVELS } from "/static/game/table.js";
import { call, keep, keyOf, Refusal } from "/static/parts/api.js";
import { ask } from "/static/parts/dialogs.js";
import { byId, el } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").GameEvent} GameEvent */
/** @typedef {import("/static/board/mover.js").Mover} Mover */

/** The words for an action that waits for the connection. */
const LABELS = /** @type {Record<string, string>} */ ({
  roll: t("Roll"),
  double: t("Double"),
  take: t("Take"),
  drop: t("Drop"),
  next: t("Next game"),
  accept: t("Accept"),
  refuse: t("Refuse"),
});

export class Actions {
  /**
   * @param {{table: import("/static/game/table.js").Table, wire: import("/static/game/wire.js").Wire, throws: import("/static/game/throws.js").Throws,
   *   tutor: import("/static/game/tutor.js").Tutor, mover: () => Mover, draw: () => void, tell: (event: GameEvent) =>
   *   void, problem: (text: string, byRules?: boolean) => void}} parts
   */
  constructor(parts) {
    this.parts = parts;
    this.table = parts.table;
    this.wire = parts.wire;
    /** True while a typed line waits for the action before it. */
    this.waits = false;
  }

  /** @param {boolean} busy */
  hold(busy) {
    this.table.busy = busy;
    this.parts.mover().locked = busy;
    this.parts.draw();
  }

  /**
   * Send a line of the game.
   * @param {string} line
   * @param {string} [label] of the button
   * @returns {Promise<boolean>} true when it was done
   */
  async act(line, label = LABELS[line] ?? line) {
    const { table, wire, throws, tell, problem } = this.parts;
    const mover = this.parts.mover();
    if (table.busy) return false;
    this.hold(true);
    problem("");
    try {
      const link = line === "roll" ? await throws.link() : undefined;
      const { walk } = mover;
      const answer = await wire.send(
        "act",
        { line, moves: walk.active ? walk.moves : [], sequence: table.state.sequence, ...(link ? { link } : {}) },
        label,
      );
      for (const event of /** @type {GameEvent[]} */ (answer?.events ?? [])) {
        if (event.kind === "quit") {
          location.href = "/";
          return true;
        }
        if (["info", "board"].includes(event.kind)) tell(event);
      }
      if (answer?.moves.length && walk === mover.walk && walk.active) walk.follow(answer.moves);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === "stale") {
        mover.walk.made = [];
        wire.connect();
      } else problem(error.message, error.code === "illegal");
      return false;
    } finally {
      mover.selected = null;
      this.hold(false);
    }
  }

  async finish() {
    const mover = this.parts.mover();
    return mover.walk.complete && !this.table.busy && this.play(mover.walk.moves.join(" "), t("Done"));
  }

  /** Make a whole play. @param {string} moves @param {string} [label] */
  async play(moves, label) {
    const mover = this.parts.mover();
    const held = mover.walk;
    // A refusal that comes after the game has gone on is about another board: its checkers stand as they are.
    return (await this.considered(moves)) && mover.walk === held && this.act(moves, label);
  }

  /**
   * Do a typed line, in the same way as a press.
   * @param {string} line
   * @returns {Promise<boolean>} true when it was done
   */
  async type(line) {
    if (this.waits) return false;
    this.waits = true;
    // The server may have told of the action before, and not yet answered it.
    while (this.table.busy) await pause(20);
    this.waits = false;
    return this.doTyped(line);
  }

  /** @param {string} line @returns {Promise<boolean>} */
  async doTyped(line) {
    const { table, problem } = this.parts;
    const mover = this.parts.mover();
    /** @type {{means: string}} */
    let meaning;
    try {
      meaning = await call(
        `/games/${table.id}/meaning`,
        { line, moves: mover.active ? mover.walk.moves : [] },
        keyOf(table.id),
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problem(error.message, error.code === "illegal");
      return false;
    }
    const [word, argument] = meaning.means.split(" ");
    if (meaning.means.includes("/") && word !== "step") return this.play(meaning.means);
    if (word === "undo" && mover.made) {
      mover.undo();
      return true;
    }
    if (word === "undo" && table.state.takebacks) {
      await this.takeBack();
      return true;
    }
    if ((argument && word !== "resign") || !table.can(word)) return this.act(line);
    if (word === "roll") return this.roll();
    if (word === "double") return this.double();
    if (word === "take") return this.take();
    if (word === "drop") return this.drop();
    if (word === "resign") return this.resign(Number(argument));
    return this.act(line);
  }

  /** The tutor's word before something is done; false when it is not to be done now. @param {string} line */
  async considered(line) {
    const { table, tutor } = this.parts;
    const mover = this.parts.mover();
    if (!table.state.help || !Number(preferences.read().tutor)) return true;
    const { sequence } = table.state;
    this.hold(true);
    const answer = await tutor.stop(line, table.begun.turn, sequence).finally(() => {
      table.busy = mover.locked = false;
    });
    if (answer === "best" && mover.walk.active) mover.walk.made = [];
    this.parts.draw();
    return answer === "go" && table.state.sequence === sequence;
  }

  async roll() {
    return (!this.table.can("double") || (await this.considered("roll"))) && this.act("roll");
  }

  async double() {
    const answer = await ask(
      t`Double to ${this.table.begun.cube.value * 2}?`,
      [],
      [
        ["", t("Not now")],
        ["double", t("Double"), "primary"],
      ],
    );
    return Boolean(answer) && (await this.considered("double")) && this.act("double");
  }

  async take() {
    return (await this.considered("take")) && this.act("take");
  }

  async drop() {
    const answer = await ask(
      t("Drop?"),
      [t`You lose the game at ${this.table.begun.cube.value}.`],
      [
        ["", t("Think again")],
        ["drop", t("Drop"), "danger"],
      ],
    );
    return Boolean(answer) && (await this.considered("drop")) && this.act("drop");
  }

  /** @param {number} [typed] the one level that is meant */
  async resign(typed) {
    const every = this.table.begun.resign_levels;
    const worth = typed && every.includes(typed) ? [typed] : every;
    const levels = worth.map(
      (level) =>
        /** @type {[string, string, string]} */ ([
          String(level),
          every.length > 1 ? LEVELS[level] : t("Resign"),
          "danger",
        ]),
    );
    const answer = await ask(
      t("Resign?"),
      [
        this.table.state.opponent === "friend"
          ? t("Your opponent may refuse. The game goes on meanwhile, and so does the clock.")
          : t("Your opponent may refuse."),
      ],
      [["", t("Play on")], ...levels],
    );
    return Boolean(answer) && this.act(`resign ${answer}`, t("Resign"));
  }

  /** Ask the winner of the opening throw for colour and side, or the table to enter on; both see it so. */
  async chooseLook() {
    const { table } = this;
    const now = table.begun;
    const light = (now.chooser === "X") !== table.swapped;
    /** @param {string} id @param {string} label @param {[string, string][]} values @param {string} usual */
    const field = (id, label, values, usual) =>
      el(
        "p",
        { class: "field" },
        el("label", { for: id }, label),
        el(
          "select",
          { id },
          ...values.map(([value, text]) => el("option", { value, selected: value === usual }, text)),
        ),
      );
    const body = [
      el(
        "p",
        {},
        t("You have won the opening throw. It changes the look of the board for both of you, and nothing of the game."),
      ),
      field(
        "look-colour",
        t("Your checkers"),
        [
          ["light", t("light")],
          ["dark", t("dark")],
        ],
        light ? "light" : "dark",
      ),
      field(
        "look-home",
        now.has_hand ? t("Table to enter on") : t("Your home board"),
        [
          ["right", t("on the right")],
          ["left", t("on the left")],
        ],
        table.homeLeft ? "left" : "right",
      ),
    ];
    const answer = await ask(t("Colour and side"), body, [
      ["", t("Leave it")],
      ["ok", t("So it is"), "primary"],
    ]);
    if (answer)
      await this.wire.sendBeside("look", { colour: byId("look-colour").value, home: byId("look-home").value });
  }

  takeBack() {
    return this.wire.sendBeside("takeback", { sequence: this.table.state.sequence });
  }
  callOff() {
    return this.wire.sendBeside("close", { how: "abort" });
  }
  claim(quietly = false) {
    return this.wire.sendBeside("claim", {}, quietly);
  }

  /** True while advice is open. */
  get advised() {
    return this.parts.tutor.open;
  }

  /** Open the advice, or close it again: by the same button, which stays where it is. */
  async hint() {
    const { tutor, draw } = this.parts;
    if (tutor.open) {
      tutor.leave();
      return;
    }
    const advice = tutor.hint(this.table.begun.turn);
    draw();
    await advice;
  }

  async rematch() {
    const answer = await this.wire.sendBeside("rematch");
    if (answer?.game) this.go(answer.game);
  }

  /** The same seat of another game has the same key. @param {string} game */
  go(game) {
    keep(game, { key: keyOf(this.table.id) });
    location.href = `/game/${game}`;
  }

  async share() {
    const { shareGame } = await import("/static/game/share-game.js");
    await shareGame(this.table);
  }

  async end() {
    const { choose } = await import("/static/game/leave-dialog.js");
    const how = await choose(this.table.state);
    if (how) await this.wire.sendBeside("close", { how });
  }
}
