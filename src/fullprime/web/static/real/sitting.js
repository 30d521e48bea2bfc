// @ts-check
/**
 * One sitting at a real board: a list of events that is only added to, and the table that follows from it. Nothing here
 * needs a connection, and nothing is kept but the list.
 */

import { agreed, levels, worthWords } from "/static/real/worth.js";
import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/real/worth.js").Agreed} Agreed */
/** @typedef {{position: string, on_roll: "X" | "O", phase: string, dice: number[] | null, choose?: boolean, follow_ups?: string[], rows?: {X: number[], O: number[]}, winner?: string | null, level?: number | null, points?: number | null}} Desk the board after a play, as the server told it */
/**
 * What happened, with its time in milliseconds. `who` is a side: 0 or 1. `throw` of the opening has the first side's die
 * first. `annul` takes the throw before back, with the reason. `play` is one of the record; `then` is the board after it.
 * `seats` are the players of a game with more than two: the box, and its opponents with their captain first.
 * @typedef {{k: "throw" | "annul" | "end" | "double" | "take" | "drop" | "beaver" | "raccoon" | "play" | "choose" | "over" | "next" | "seats" | "out" | "pause" | "go" | "choice" | "first" | "close",
 *   at: number, who?: number, dice?: number[], why?: string, text?: string, then?: Desk, n?: number, level?: number | null, points?: number,
 *   how?: string, box?: number, team?: number[]}} Event
 */
/**
 * A sitting as it is kept. `options`: every option in force, as text. `dice`: thrown here, or by hand and tapped.
 * @typedef {{id: string, begun: number, names: string[], variant: string, title: string, house?: string, rules: Record<string, string>,
 *   options: Record<string, string>, dice: "phone" | "hand", clock: {delay: number, reserve: number} | null, record: boolean,
 *   proof?: {secret: string, commitment: string, seeds: string[]}, events: Event[], sent?: Record<number, string>}} Sitting
 */
/** @typedef {{rolls: number, pips: number, doubles: number, faces: number[], annulled: number}} Count */
/** @typedef {{game: number, winners: number[], losers: number[], words: string, points: number, score: number[], note: string}} Line */
/** @typedef {{left: number[], running: number | null, since: number, used: number, paused: boolean}} Clock */
/**
 * The table now. `turn`: the side that must act, null for the opening and between games. `phase`: opening, before (double or
 * throw), thrown (to be played), choose, offered, beaver, raccoon, won (all borne off, not yet written down), between, over.
 * `away`: those who have dropped alone, out of this game. `throwers`: the side of each throw so far, the annulled ones among
 * them; null for an opening.
 * @typedef {{rules: Agreed, game: number, phase: string, turn: number | null, sides: number[][], dice: number[] | null, thrower: number | null,
 *   cube: {value: number, owner: number | null, offered: number | null}, multiplier: number, ties: number, first: boolean, cast: boolean,
 *   score: number[], balance: number[], crawford: boolean, post: boolean, lines: Line[], counts: Count[], clock: Clock | null,
 *   away: number[], played: Event[], desk: Desk | null, after: string[], whole: boolean, throwers: (number | null)[], choice: string, opened: number | null, before: number[],
 *   records: GameSheet[]}} Table
 */
/** A finished game as it is sent. @typedef {{game: number, sides: number[][], played: Event[], score: number[], result: {winner: number, points: number, level: number | null, how: string}}} GameSheet */

/** @param {number} side */
const other = (side) => 1 - side;
const nobody = () => ({ rolls: 0, pips: 0, doubles: 0, faces: [0, 0, 0, 0, 0, 0], annulled: 0 });

/**
 * The seats of the next game: the box stays while it wins, else its captain takes it; who has lost goes to the end, and who
 * dropped alone is back, behind the others. @param {Table} table
 */
export function nextSeats(table) {
  const [[box], left] = table.sides, last = table.lines.at(-1), team = [...left, ...table.away];
  if (!last) return { box, team };
  const [captain, ...rest] = team;
  return last.winners.includes(box) ? { box, team: [...rest, captain] } : { box: captain, team: [...rest, box] };
}

/** @param {Sitting} sitting @returns {Table} */
export function tableOf(sitting) {
  const rules = agreed(sitting.options), count = sitting.names.length;
  const reserve = sitting.clock?.reserve ?? 0;
  /** @type {Table} */
  const table = {
    rules, game: 1, phase: "opening", turn: null, sides: [[0], Array.from({ length: count - 1 }, (_, at) => at + 1)], dice: null, thrower: null,
    cube: { value: 1, owner: null, offered: null }, multiplier: 1, ties: 0, first: true, cast: false,
    score: Array(count).fill(0), balance: Array(count).fill(0), crawford: false, post: false, lines: [], counts: sitting.names.map(nobody),
    clock: sitting.clock ? { left: [reserve, reserve], running: null, since: 0, used: 0, paused: false } : null,
    away: [], played: [], desk: null, after: [], whole: sitting.record, throwers: [], choice: "", opened: null, before: [], records: [],
  };
  startGame(table, sitting);
  for (const event of sitting.events) {
    tick(table, sitting, event.at);
    DO[event.k](table, event, sitting);
    if (["throw", "double", "take", "drop", "beaver", "raccoon", "play", "choose"].includes(event.k)) table.played.push(event);
    run(table, sitting, event.at);
  }
  return table;
}

/** A game begins, at the score and with the cube in the middle. @param {Table} table @param {Sitting} sitting */
function startGame(table, sitting) {
  const { length, crawford } = table.rules, close = length > 1 && Math.max(...table.score) === length - 1;
  table.post = table.post || table.crawford;
  table.crawford = crawford && close && !table.post;
  Object.assign(table, { phase: "opening", turn: null, dice: null, thrower: null, multiplier: 1, ties: 0, first: true, cast: false, away: [], played: [], desk: null, after: [], whole: sitting.record, opened: null, before: [...table.score] });
  table.cube = { value: 1, owner: null, offered: null };
  if (table.clock && !length) table.clock.left = [sitting.clock?.reserve ?? 0, sitting.clock?.reserve ?? 0];
}

// -- the clock ------------------------------------------------------------------------------------------------------
/** Time has passed. @param {Table} table @param {Sitting} sitting @param {number} at */
function tick(table, sitting, at) {
  const { clock } = table;
  if (!clock || clock.running === null || clock.paused) { if (clock) clock.since = at; return; }
  clock.used += Math.max(0, at - clock.since) / 1000;
  clock.since = at;
}

/** The clock of whoever must act now runs; the delay counts anew with each turn. @param {Table} table @param {Sitting} sitting @param {number} at */
function run(table, sitting, at) {
  const { clock } = table;
  if (!clock) return;
  const next = ["opening", "won", "between", "over"].includes(table.phase) ? null : table.turn;
  if (next === clock.running) return;
  if (clock.running !== null) clock.left[clock.running] = Math.max(0, clock.left[clock.running] - Math.max(0, clock.used - (sitting.clock?.delay ?? 0)));
  Object.assign(clock, { running: next, since: at, used: 0 });
}

/** Seconds of delay and of reserve that a side has at a time. @param {Table} table @param {Sitting} sitting @param {number} side @param {number} now */
export function timeLeft(table, sitting, side, now) {
  const { clock } = table, delay = sitting.clock?.delay ?? 0;
  if (!clock || clock.running !== side) return { delay: 0, reserve: clock?.left[side] ?? 0 };
  const used = clock.used + (clock.paused ? 0 : Math.max(0, now - clock.since) / 1000);
  return { delay: Math.max(0, delay - used), reserve: Math.max(0, clock.left[side] - Math.max(0, used - delay)) };
}

// -- what may be done -----------------------------------------------------------------------------------------------
/** @param {Table} table */
const hasCube = ({ rules, crawford }) => rules.cube && rules.length !== 1 && !crawford;
/** @param {Table} table @param {number} value */
const within = ({ rules }, value) => rules.cap === null || value <= rules.cap;

/** Whether the side on turn may double now. @param {Table} table */
export function mayDouble(table) {
  const { phase, turn, cube, first, cast } = table;
  return phase === "before" && !first && !cast && hasCube(table) && (cube.owner === null || cube.owner === turn) && within(table, 2 * cube.value);
}

/** Answers to an offer of the cube. @param {Table} table @returns {("take" | "drop" | "beaver" | "raccoon")[]} */
export function answers(table) {
  const { phase, cube, rules } = table, more = within(table, 2 * (cube.offered ?? 1));
  if (phase === "offered") return ["take", "drop", ...(rules.beavers && more ? [/** @type {const} */ ("beaver")] : [])];
  if (phase === "beaver") return ["take", "drop", ...(rules.raccoons && more ? [/** @type {const} */ ("raccoon")] : [])];
  return phase === "raccoon" ? ["take", "drop"] : [];
}

/** Sides whose cup may be thrown now. @param {Table} table @returns {number[]} */
export function mayThrow(table) {
  const { phase, turn } = table;
  if (phase === "opening") return [0, 1];
  return phase === "before" && turn !== null ? [turn] : [];
}

/** The player of a side who acts for it. @param {Table} table @param {number} side */
export const actor = (table, side) => table.sides[side][0];

/** Whether the last event may be taken back: a throw of this device stands, and is annulled instead. @param {Sitting} sitting */
export function mayUndo(sitting) {
  const last = sitting.events.at(-1);
  return Boolean(last && last.k !== "close" && last.k !== "annul" && !(last.k === "throw" && sitting.dice === "phone"));
}

/** Whether the throw just made may be annulled: nothing has come of it yet. @param {Sitting} sitting */
export const mayAnnul = (sitting) => sitting.events.at(-1)?.k === "throw";

// -- what happens ---------------------------------------------------------------------------------------------------
/** @param {Table} table @param {number[]} dice @param {number} sign */
function count(table, dice, sign) {
  const sides = table.phase === "opening" ? [] : [table.turn ?? 0];
  for (const side of sides) {
    const mine = table.counts[actor(table, side)];
    mine.rolls += sign;
    mine.pips += sign * (dice[0] + dice[1]);
    mine.doubles += sign * Number(dice[0] === dice[1]);
    for (const die of dice) mine.faces[die - 1] += sign;
    if (sign < 0) mine.annulled += 1;
  }
}

/** A throw that nobody has played yet, so that it can be annulled. @type {WeakMap<Table, {before: Partial<Table>, dice: number[]}>} */
const open = new WeakMap();
const KEPT = /** @type {(keyof Table)[]} */ (["phase", "turn", "dice", "thrower", "multiplier", "ties", "cast", "first", "opened", "desk", "after"]);

/** @param {Table} table @param {number[]} dice */
function remember(table, dice) {
  open.set(table, { before: Object.fromEntries(KEPT.map((key) => [key, table[key]])), dice });
}

/** @param {Table} table @param {number[]} dice @param {Sitting} sitting */
function thrown(table, dice, sitting) {
  const acey = Math.max(...dice) === 2 && Math.min(...dice) === 1;
  if (acey && table.rules.aceyDoubles) table.multiplier *= 2;
  table.dice = dice;
  table.thrower = table.turn;
  table.after = acey ? table.rules.follow.acey : dice[0] === dice[1] ? table.rules.follow.double : [];
  // Where nothing is tapped after a throw, the other cup is next as soon as this one has been thrown.
  const again = table.after.includes("roll_again");
  table.phase = "thrown";
  if (!sitting.record && !sitting.clock && !again) pass(table);
}

/** The turn goes to the other side. @param {Table} table */
function pass(table) {
  if (table.turn !== null) table.turn = other(table.turn);
  table.phase = "before";
  table.first = table.cast = false;
}

/** @param {Table} table @param {Event} event @param {Sitting} sitting */
function onThrow(table, { dice = [1, 1] }, sitting) {
  remember(table, dice);
  table.throwers.push(table.phase === "opening" ? null : table.turn ?? 0);
  if (table.phase !== "opening") {
    count(table, dice, 1);
    thrown(table, dice, sitting);
    return;
  }
  const [a, b] = dice, { rules } = table;
  table.dice = dice;
  if (a === b) {
    table.ties += 1;
    if (rules.ties === null || table.ties <= rules.ties) table.multiplier *= 2;
    return;
  }
  if (rules.aceyAgain && Math.max(a, b) === 2 && Math.min(a, b) === 1) return;
  table.turn = a > b ? 0 : 1;
  table.opened = table.turn;
  if (rules.reroll) { table.phase = "before"; table.first = true; table.dice = null; } else thrown(table, dice, sitting);
}

/** @param {Table} table */
function onAnnul(table) {
  const last = open.get(table);
  if (!last) return;
  open.delete(table);
  const opening = last.before.phase === "opening";
  Object.assign(table, last.before);
  if (!opening) {
    count(table, last.dice, -1);
    // The cube had its time before the throw.
    table.cast = true;
  }
  table.dice = null;
  for (let at = table.played.length - 1; at >= 0; at--) if (table.played[at].k === "throw") { table.played.splice(at, 1); break; }
}

/**
 * The end of a game: its points are written down. In a game of more than two everybody in the team plays the box for the same.
 * @param {Table} table @param {{side: number, points: number, level: number | null, how: string}} result @param {number[]} [losers] who pays, if not all of the side
 */
function settle(table, { side, points, level, how }, losers) {
  const { rules, cube, multiplier } = table, paid = losers ?? table.sides[other(side)], won = table.sides[side];
  const result = { winner: side, points, level, how }, words = worthWords(rules, result, cube.value, multiplier);
  if (!losers) table.records.push({ game: table.game, sides: table.sides, played: table.played, score: table.before, result });
  for (const loser of paid) for (const winner of won) { table.balance[winner] += points; table.balance[loser] -= points; table.score[winner] += points; }
  table.lines.push({ game: table.game, winners: [...won], losers: [...paid], words, points, score: table.score.length === 2 ? [...table.score] : [...table.balance], note: table.crawford ? t("Crawford game") : "" });
}

/** @param {Table} table @param {Event} event */
function onOver(table, { who = 0, level = null, points = 0, how = "bear-off" }) {
  const { rules, cube, multiplier } = table;
  const worth = rules.checkers ? points * multiplier : (level ?? 1) * cube.value * multiplier;
  settle(table, { side: who, points: worth, level: rules.checkers ? null : level ?? 1, how });
  ended(table);
}

/** @param {Table} table */
function ended(table) {
  const { rules } = table;
  table.phase = rules.length && table.score.some((points) => points >= rules.length) ? "over" : "between";
  table.turn = null;
  table.cube = { ...table.cube, offered: null };
}

/** Whoever made the offer wins what the cube was worth before it. @param {Table} table */
function onDrop(table) {
  const side = other(table.turn ?? 0);
  const points = table.cube.value * table.multiplier;
  settle(table, { side, points, level: table.rules.checkers ? null : 1, how: "drop" });
  ended(table);
}

/** @param {Table} table */
function onTake(table) {
  const { cube, phase, turn } = table;
  // The doubler goes on; the cube is with whoever answered last by keeping it.
  const doubler = phase === "beaver" ? turn : other(turn ?? 0);
  table.cube = { value: cube.offered ?? cube.value, owner: other(doubler ?? 0), offered: null };
  table.turn = doubler;
  table.phase = "before";
  table.cast = true;
}

/** After a play that no server has seen comes the rest of the roll, as the game has it, else the other side. @param {Table} table @param {string} [text] */
function followed(table, text) {
  const [next, ...rest] = text ? table.after : [], dice = table.dice ?? [];
  table.after = rest;
  if (next === undefined) { pass(table); return; }
  if (next === "complement") table.dice = dice.map((die) => 7 - die);
  table.phase = next === "choose_double" ? "choose" : next === "complement" ? "thrown" : "before";
  table.first = table.cast = false;
}

/** @param {Table} table @param {Event} event @param {Sitting} sitting */
function onPlay(table, { then, text }, sitting) {
  table.desk = then ?? null;
  if (!then) { table.whole = table.whole && sitting.record; followed(table, text); return; }
  open.delete(table);
  table.turn = then.on_roll === "X" ? 0 : 1;
  table.phase = then.phase === "over" ? "won" : then.choose ? "choose" : then.phase === "play" ? "thrown" : "before";
  if (then.phase === "play") table.dice = then.dice;
  table.first = table.cast = false;
}

/** @type {Record<Event["k"], (table: Table, event: Event, sitting: Sitting) => void>} */
const DO = {
  throw: onThrow,
  annul: onAnnul,
  end: (table) => { if (table.phase === "thrown" || table.phase === "before") { open.delete(table); table.dice = null; pass(table); } },
  double: (table) => { table.cube = { ...table.cube, offered: 2 * table.cube.value }; table.turn = other(table.turn ?? 0); table.phase = "offered"; table.dice = null; open.delete(table); },
  take: onTake,
  drop: onDrop,
  // A beaver accepts the double, turns the cube once more and keeps it; a raccoon turns it once more.
  beaver: (table) => { const value = table.cube.offered ?? 2; table.cube = { value, owner: table.turn, offered: 2 * value }; table.turn = other(table.turn ?? 0); table.phase = "beaver"; },
  raccoon: (table) => { const value = table.cube.offered ?? 4; table.cube = { ...table.cube, value, offered: 2 * value }; table.turn = other(table.turn ?? 0); table.phase = "raccoon"; },
  play: onPlay,
  choose: (table, { n = 1, then }) => { table.dice = [n, n]; table.phase = "thrown"; if (then) table.desk = then; },
  over: onOver,
  next: (table, _event, sitting) => { table.game += 1; startGame(table, sitting); },
  seats: (table, { box = 0, team = [] }) => { table.sides = [[box], team]; },
  // Somebody of the team drops alone, for the cube's value before the double.
  out: (table, { who = 0 }) => {
    settle(table, { side: 0, points: table.cube.value * table.multiplier, level: table.rules.checkers ? null : 1, how: "drop" }, [who]);
    table.sides = [table.sides[0], table.sides[1].filter((each) => each !== who)];
    table.away.push(who);
    if (!table.sides[1].length) ended(table);
  },
  pause: (table) => { if (table.clock) table.clock.paused = true; },
  go: (table, { at }) => { if (table.clock) { table.clock.paused = false; table.clock.since = at; } },
  // Our own dice have said who begins; they need not be tapped.
  first: (table, { who = 0 }) => { table.turn = table.opened = who; table.phase = "thrown"; },
  choice: (table, { text = "" }) => { table.choice = text; },
  close: (table) => { table.phase = "over"; table.turn = null; },
};

export { hasCube, levels };
