// @ts-check
/**
 * One sitting at a real board: a list of events that is only added to, and the table that follows from it. Nothing here
 * needs a connection, and nothing is kept but the list.
 */

import { apply, startGame } from "/static/real/events.js";
import { readOptions } from "/static/real/worth.js";

/** @typedef {import("/static/real/worth.js").Agreed} Agreed */
/**
 * @typedef {{position: string, on_roll: "X" | "O", phase: string, dice: number[] | null, choose?: boolean, follow_ups?: string[], rows?: {X: number[], O: number[]}, winner?: string | null, level?: number | null, points?: number | null}} Desk the board after a play, as the server sent it
 */
/**
 * An event, with its time in milliseconds. `who` is a side: 0 or 1. `throw` of the opening has the first side's
 * die first. `annul` takes the throw before back, with the reason. `play` is one of the record; `then` is the board
 * after it. `seats` are the players of a game with more than two: the box, and its opponents with their captain first.
 * @typedef {{k: "throw" | "annul" | "end" | "double" | "take" | "drop" | "beaver" | "raccoon" | "play" | "choose" | "over" | "next" | "seats" | "out" | "pause" | "go" | "choice" | "first" | "close",
 *   at: number, who?: number, dice?: number[], why?: string, text?: string, then?: Desk, n?: number, level?: number |
 *   null, points?: number, how?: string, box?: number, team?: number[]}} Event
 */
/**
 * A sitting as it is kept. `options`: every option in force, as text. `dice`: thrown here, or by hand and tapped.
 * @typedef {{id: string, begun: number, names: string[], variant: string, title: string, house?: string, rules: Record<string, string>,
 *   options: Record<string, string>, dice: "phone" | "hand", clock: {delay: number, reserve: number} | null, record:
 *   boolean, proof?: {secret: string, commitment: string, seeds: string[]}, events: Event[], sent?: Record<number,
 *   string>}} Sitting
 */
/** @typedef {{rolls: number, pips: number, doubles: number, faces: number[], annulled: number}} Count */
/**
 * @typedef {{game: number, winners: number[], losers: number[], words: string, points: number, score: number[], note: string}} Line
 */
/** @typedef {{left: number[], running: number | null, since: number, used: number, paused: boolean}} Clock */
/**
 * The table now. `turn`: the side that must act, null for the opening and between games. `phase`: opening, before
 * (double or throw), thrown (to be played), choose, offered, beaver, raccoon, won (all borne off, not yet written
 * down), between, over. `away`: those who have dropped alone, out of this game. `throwers`: the side of each throw so
 * far, the annulled ones among them; null for an opening.
 * @typedef {{rules: Agreed, game: number, phase: string, turn: number | null, sides: number[][], dice: number[] | null, thrower: number | null,
 *   cube: {value: number, owner: number | null, offered: number | null}, multiplier: number, ties: number, first:
 *   boolean, cast: boolean, score: number[], balance: number[], crawford: boolean, post: boolean, lines: Line[],
 *   counts: Count[], clock: Clock | null, away: number[], played: Event[], desk: Desk | null, after: string[], whole:
 *   boolean, throwers: (number | null)[], choice: string, opened: number | null, before: number[], records:
 *   GameSheet[]}} Table
 */
/**
 * A finished game as it is sent.
 * @typedef {{game: number, sides: number[][], played: Event[], score: number[], result: {winner: number, points: number, level: number | null, how: string}}} GameSheet
 */

const noCount = () => ({ rolls: 0, pips: 0, doubles: 0, faces: [0, 0, 0, 0, 0, 0], annulled: 0 });

/**
 * The seats of the next game: the box stays while it wins, else its captain takes it; the loser goes to the end, and
 * those who dropped alone are back, behind the others.
 * @param {Table} table
 */
export function nextSeats(table) {
  const [[box], left] = table.sides;
  const last = table.lines.at(-1);
  const team = [...left, ...table.away];
  if (!last) return { box, team };
  const [captain, ...others] = team;
  return last.winners.includes(box) ? { box, team: [...others, captain] } : { box: captain, team: [...others, box] };
}

/** @param {Sitting} sitting @returns {Table} */
export function tableOf(sitting) {
  const rules = readOptions(sitting.options);
  const count = sitting.names.length;
  const reserve = sitting.clock?.reserve ?? 0;
  /** @type {Table} */
  const table = {
    rules,
    game: 1,
    phase: "opening",
    turn: null,
    sides: [[0], Array.from({ length: count - 1 }, (_, at) => at + 1)],
    dice: null,
    thrower: null,
    cube: { value: 1, owner: null, offered: null },
    multiplier: 1,
    ties: 0,
    first: true,
    cast: false,
    score: Array(count).fill(0),
    balance: Array(count).fill(0),
    crawford: false,
    post: false,
    lines: [],
    counts: sitting.names.map(noCount),
    clock: sitting.clock ? { left: [reserve, reserve], running: null, since: 0, used: 0, paused: false } : null,
    away: [],
    played: [],
    desk: null,
    after: [],
    whole: sitting.record,
    throwers: [],
    choice: "",
    opened: null,
    before: [],
    records: [],
  };
  startGame(table, sitting);
  for (const event of sitting.events) {
    passTime(table, event.at);
    apply[event.k](table, event, sitting);
    if (["throw", "double", "take", "drop", "beaver", "raccoon", "play", "choose"].includes(event.k))
      table.played.push(event);
    startClock(table, sitting, event.at);
  }
  return table;
}

// -- the clock ------------------------------------------------------------------------------------------------------
/** Count the time that has passed. @param {Table} table @param {number} at */
function passTime(table, at) {
  const { clock } = table;
  if (!clock || clock.running === null || clock.paused) {
    if (clock) clock.since = at;
    return;
  }
  clock.used += Math.max(0, at - clock.since) / 1000;
  clock.since = at;
}

/**
 * Run the clock of the side that must act now; the delay counts anew with each turn.
 * @param {Table} table
 * @param {Sitting} sitting
 * @param {number} at
 */
function startClock(table, sitting, at) {
  const { clock } = table;
  if (!clock) return;
  const next = ["opening", "won", "between", "over"].includes(table.phase) ? null : table.turn;
  if (next === clock.running) return;
  if (clock.running !== null)
    clock.left[clock.running] = Math.max(
      0,
      clock.left[clock.running] - Math.max(0, clock.used - (sitting.clock?.delay ?? 0)),
    );
  Object.assign(clock, { running: next, since: at, used: 0 });
}

/**
 * Seconds of delay and of reserve that a side has at a time.
 * @param {Table} table
 * @param {Sitting} sitting
 * @param {number} side
 * @param {number} now
 */
export function timeLeft(table, sitting, side, now) {
  const { clock } = table;
  const delay = sitting.clock?.delay ?? 0;
  if (!clock || clock.running !== side) return { delay: 0, reserve: clock?.left[side] ?? 0 };
  const used = clock.used + (clock.paused ? 0 : Math.max(0, now - clock.since) / 1000);
  return { delay: Math.max(0, delay - used), reserve: Math.max(0, clock.left[side] - Math.max(0, used - delay)) };
}
