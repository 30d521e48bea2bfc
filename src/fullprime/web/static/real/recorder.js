// @ts-check
/**
 * The quick record: plays tapped on a board, from the legal ones that the server sends, and the file of a finished
 * game. Without a connection a play is typed; it is checked when the record is sent.
 */

import { call, Refusal, readRefusal } from "/static/parts/api.js";
import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/real/sitting.js").Sitting} Sitting */
/** @typedef {import("/static/real/sitting.js").Table} Table */
/** @typedef {import("/static/real/sitting.js").Event} Event */

const SIDES = /** @type {("X" | "O")[]} */ (["X", "O"]);

/** The options that differ from the usual ones, as the server takes them. @param {Sitting} sitting */
export const rulesOf = (sitting) => ({ length: "0", ...sitting.rules });

/**
 * The board of a roll that is to be played, with every way to play it.
 * @param {Sitting} sitting
 * @param {Table} table
 */
export function boardOf(sitting, table) {
  const { desk, turn, dice, cube, multiplier, score, rules, crawford } = table;
  return call("/analysis/board", {
    variant: sitting.variant,
    rules: rulesOf(sitting),
    position: desk?.position ?? null,
    on_roll: SIDES[turn ?? 0],
    score: sitting.names.length === 2 ? score : [0, 0],
    crawford: rules.length ? crawford : null,
    cube: cube.value,
    owner: cube.owner === null ? null : SIDES[cube.owner],
    dice,
    choose: false,
    follow_ups: desk?.phase === "play" || desk?.choose ? (desk.follow_ups ?? null) : null,
    multiplier,
  });
}

/** The board after a play. @param {any} board as the server sent it @param {string} line */
export async function boardAfter(board, line) {
  const answer = await call("/analysis/act", { setup: board.setup, line });
  const { setup, on_roll, phase, points } = answer;
  return /** @type {import("/static/real/sitting.js").Desk} */ ({
    position: setup.position,
    on_roll,
    phase: setup.choose ? "choose" : phase,
    dice: setup.dice,
    choose: setup.choose,
    follow_ups: setup.follow_ups,
    rows: points,
  });
}

/** The lines of a game in the words of the terminal. @param {Event[]} events */
export function linesOf(events) {
  return events.map((event) =>
    (
      ({
        throw: () => (event.dice ?? []).join(""),
        play: () => event.text || "no play", // not a text
        choose: () => `choose ${event.n}`, // not a text
      })[event.k] ?? (() => event.k)
    )(),
  );
}

/**
 * The record of a sitting that is sent: all games of two players as one match; of more, the one game that is named.
 * @param {Sitting} sitting @param {Table} table @param {number} [game] @param {number[][]} [sides]
 */
export function recordOf(sitting, table, game, sides) {
  const chosen = game === undefined ? table.records : table.records.filter((record) => record.game === game);
  const seats = sides ?? (game === undefined ? [[0], [1]] : chosen[0].sides);
  return {
    variant: sitting.variant,
    rules: rulesOf(sitting),
    house: sitting.house ?? null,
    names: seats.map((side) => sitting.names[side[0]]),
    date: new Date(sitting.begun).toISOString().slice(0, 10),
    games: chosen.map(({ played: events, result }) => ({
      lines: linesOf(events),
      winner: SIDES[result.winner],
      level: result.level,
      points: result.points,
      how: result.how,
    })),
  };
}

/**
 * The board after a line, as the server sent it.
 * @param {any} board
 * @returns {import("/static/real/sitting.js").Desk}
 */
const deskOf = (board) => ({
  ...board,
  on_roll: board.winner ?? board.on_roll,
  phase: board.winner ? "over" : board.choose ? "choose" : board.phase,
});

/**
 * The boards of a game after each of its lines, up to the first that cannot be, and why. Earlier games count by their
 * results.
 * @param {Sitting} sitting @param {Table} table @param {{sides: number[][], played: Event[], game: number}} game
 * @returns {Promise<{boards: import("/static/real/sitting.js").Desk[], wrong: string | null}>}
 */
export async function boardsOf(sitting, table, { sides, played: events, game }) {
  const two = sitting.names.length === 2;
  const body = recordOf(sitting, table, two ? undefined : -1, sides);
  const before = body.games.slice(0, two ? game - 1 : 0).map((earlier) => ({ ...earlier, lines: [] }));
  const { boards, wrong } = await call("/real/boards", { ...body, games: [...before, { lines: linesOf(events) }] });
  return { boards: boards.map(deskOf), wrong };
}

/**
 * Ask the server to make a file of a record; a fault is refused with its line.
 * @param {object} body
 * @returns {Promise<Blob>}
 */
export async function fileOf(body) {
  let answer;
  try {
    answer = await fetch("/api/real/record", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Refusal(0, t("The server does not answer: the record is kept here, and can be sent later."));
  }
  if (!answer.ok) throw await readRefusal(answer);
  return answer.blob();
}
