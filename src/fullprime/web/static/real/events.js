// @ts-check
/** The effect of each event of a sitting on its table: throws, the cube, plays, and the ends of games. */

import { t } from "/static/parts/texts.js";
import { actor } from "/static/real/legal-actions.js";
import { worthWords } from "/static/real/worth.js";

/** @typedef {import("/static/real/sitting.js").Sitting} Sitting */
/** @typedef {import("/static/real/sitting.js").Table} Table */
/** @typedef {import("/static/real/sitting.js").Event} Event */

/** @param {number} side */
const other = (side) => 1 - side;

/** A game begins, at the score and with the cube in the middle. @param {Table} table @param {Sitting} sitting */
export function startGame(table, sitting) {
  const { length, crawford } = table.rules;
  const close = length > 1 && Math.max(...table.score) === length - 1;
  table.post = table.post || table.crawford;
  table.crawford = crawford && close && !table.post;
  Object.assign(table, {
    phase: "opening",
    turn: null,
    dice: null,
    thrower: null,
    multiplier: 1,
    ties: 0,
    first: true,
    cast: false,
    away: [],
    played: [],
    desk: null,
    after: [],
    whole: sitting.record,
    opened: null,
    before: [...table.score],
  });
  table.cube = { value: 1, owner: null, offered: null };
  if (table.clock && !length) table.clock.left = [sitting.clock?.reserve ?? 0, sitting.clock?.reserve ?? 0];
}

/** @param {Table} table @param {number[]} dice @param {number} sign */
function countThrow(table, dice, sign) {
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

/**
 * A throw that has not been played yet, so that it can be annulled.
 * @type {WeakMap<Table, {before: Partial<Table>, dice: number[]}>}
 */
const open = new WeakMap();
const KEPT = /** @type {(keyof Table)[]} */ ([
  "phase",
  "turn",
  "dice",
  "thrower",
  "multiplier",
  "ties",
  "cast",
  "first",
  "opened",
  "desk",
  "after",
]);

/** @param {Table} table @param {number[]} dice */
function rememberThrow(table, dice) {
  open.set(table, { before: Object.fromEntries(KEPT.map((key) => [key, table[key]])), dice });
}

/** @param {Table} table @param {number[]} dice @param {Sitting} sitting */
function takeThrow(table, dice, sitting) {
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
  rememberThrow(table, dice);
  table.throwers.push(table.phase === "opening" ? null : (table.turn ?? 0));
  if (table.phase !== "opening") {
    countThrow(table, dice, 1);
    takeThrow(table, dice, sitting);
    return;
  }
  const [a, b] = dice;
  const { rules } = table;
  table.dice = dice;
  if (a === b) {
    table.ties += 1;
    if (rules.ties === null || table.ties <= rules.ties) table.multiplier *= 2;
    return;
  }
  if (rules.aceyAgain && Math.max(a, b) === 2 && Math.min(a, b) === 1) return;
  table.turn = a > b ? 0 : 1;
  table.opened = table.turn;
  if (rules.reroll) {
    table.phase = "before";
    table.first = true;
    table.dice = null;
  } else takeThrow(table, dice, sitting);
}

/** @param {Table} table */
function onAnnul(table) {
  const last = open.get(table);
  if (!last) return;
  open.delete(table);
  const opening = last.before.phase === "opening";
  Object.assign(table, last.before);
  if (!opening) {
    countThrow(table, last.dice, -1);
    // The cube had its time before the throw.
    table.cast = true;
  }
  table.dice = null;
  for (let at = table.played.length - 1; at >= 0; at--)
    if (table.played[at].k === "throw") {
      table.played.splice(at, 1);
      break;
    }
}

/**
 * The end of a game: its points are written down. In a game of more than two everybody in the team plays the box for
 * the same.
 * @param {Table} table
 * @param {{side: number, points: number, level: number | null, how: string}} result
 * @param {number[]} [losers] the players who pay, if not all of the side
 */
function settle(table, { side, points, level, how }, losers) {
  const { rules, cube, multiplier } = table;
  const paid = losers ?? table.sides[other(side)];
  const won = table.sides[side];
  const result = { winner: side, points, level, how };
  const words = worthWords(rules, result, cube.value, multiplier);
  if (!losers)
    table.records.push({ game: table.game, sides: table.sides, played: table.played, score: table.before, result });
  for (const loser of paid)
    for (const winner of won) {
      table.balance[winner] += points;
      table.balance[loser] -= points;
      table.score[winner] += points;
    }
  table.lines.push({
    game: table.game,
    winners: [...won],
    losers: [...paid],
    words,
    points,
    score: table.score.length === 2 ? [...table.score] : [...table.balance],
    note: table.crawford ? t("Crawford game") : "",
  });
}

/** @param {Table} table @param {Event} event */
function onOver(table, { who = 0, level = null, points = 0, how = "bear-off" }) {
  const { rules, cube, multiplier } = table;
  const worth = rules.checkers ? points * multiplier : (level ?? 1) * cube.value * multiplier;
  settle(table, { side: who, points: worth, level: rules.checkers ? null : (level ?? 1), how });
  endGame(table);
}

/** @param {Table} table */
function endGame(table) {
  const { rules } = table;
  table.phase = rules.length && table.score.some((points) => points >= rules.length) ? "over" : "between";
  table.turn = null;
  table.cube = { ...table.cube, offered: null };
}

/** The side that offered wins the value of the cube before the offer. @param {Table} table */
function onDrop(table) {
  const side = other(table.turn ?? 0);
  const points = table.cube.value * table.multiplier;
  settle(table, { side, points, level: table.rules.checkers ? null : 1, how: "drop" });
  endGame(table);
}

/** @param {Table} table */
function onTake(table) {
  const { cube, phase, turn } = table;
  // The doubler goes on; the cube is with the side that answered last by keeping it.
  const doubler = phase === "beaver" ? turn : other(turn ?? 0);
  table.cube = { value: cube.offered ?? cube.value, owner: other(doubler ?? 0), offered: null };
  table.turn = doubler;
  table.phase = "before";
  table.cast = true;
}

/**
 * After a play that no server has seen comes the rest of the roll, as the game has it, else the other side.
 * @param {Table} table
 * @param {string} [text]
 */
function followPlay(table, text) {
  const [next, ...later] = text ? table.after : [];
  const dice = table.dice ?? [];
  table.after = later;
  if (next === undefined) {
    pass(table);
    return;
  }
  if (next === "complement") table.dice = dice.map((die) => 7 - die);
  table.phase = next === "choose_double" ? "choose" : next === "complement" ? "thrown" : "before";
  table.first = table.cast = false;
}

/** @param {Table} table @param {Event} event @param {Sitting} sitting */
function onPlay(table, { then, text }, sitting) {
  table.desk = then ?? null;
  if (!then) {
    table.whole = table.whole && sitting.record;
    followPlay(table, text);
    return;
  }
  open.delete(table);
  table.turn = then.on_roll === "X" ? 0 : 1;
  table.phase = then.phase === "over" ? "won" : then.choose ? "choose" : then.phase === "play" ? "thrown" : "before";
  if (then.phase === "play") table.dice = then.dice;
  table.first = table.cast = false;
}

/** @type {Record<Event["k"], (table: Table, event: Event, sitting: Sitting) => void>} */
export const apply = {
  throw: onThrow,
  annul: onAnnul,
  end: (table) => {
    if (table.phase === "thrown" || table.phase === "before") {
      open.delete(table);
      table.dice = null;
      pass(table);
    }
  },
  double: (table) => {
    table.cube = { ...table.cube, offered: 2 * table.cube.value };
    table.turn = other(table.turn ?? 0);
    table.phase = "offered";
    table.dice = null;
    open.delete(table);
  },
  take: onTake,
  drop: onDrop,
  // A beaver accepts the double, turns the cube once more and keeps it; a raccoon turns it once more.
  beaver: (table) => {
    const value = table.cube.offered ?? 2;
    table.cube = { value, owner: table.turn, offered: 2 * value };
    table.turn = other(table.turn ?? 0);
    table.phase = "beaver";
  },
  raccoon: (table) => {
    const value = table.cube.offered ?? 4;
    table.cube = { ...table.cube, value, offered: 2 * value };
    table.turn = other(table.turn ?? 0);
    table.phase = "raccoon";
  },
  play: onPlay,
  choose: (table, { n = 1, then }) => {
    table.dice = [n, n];
    table.phase = "thrown";
    if (then) table.desk = then;
  },
  over: onOver,
  next: (table, _event, sitting) => {
    table.game += 1;
    startGame(table, sitting);
  },
  seats: (table, { box = 0, team = [] }) => {
    table.sides = [[box], team];
  },
  // A player of the team drops alone, for the cube's value before the double.
  out: (table, { who = 0 }) => {
    settle(
      table,
      { side: 0, points: table.cube.value * table.multiplier, level: table.rules.checkers ? null : 1, how: "drop" },
      [who],
    );
    table.sides = [table.sides[0], table.sides[1].filter((player) => player !== who)];
    table.away.push(who);
    if (!table.sides[1].length) endGame(table);
  },
  pause: (table) => {
    if (table.clock) table.clock.paused = true;
  },
  go: (table, { at }) => {
    if (table.clock) {
      table.clock.paused = false;
      table.clock.since = at;
    }
  },
  // The players' own dice decide who begins; they need not be tapped.
  first: (table, { who = 0 }) => {
    table.turn = table.opened = who;
    table.phase = "thrown";
  },
  choice: (table, { text = "" }) => {
    table.choice = text;
  },
  close: (table) => {
    table.phase = "over";
    table.turn = null;
  },
};
