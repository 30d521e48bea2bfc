// @ts-check
/** The plies of a match: words for each, the list of all of them, and how one looks on the board. */

import { el } from "/static/parts/page.js";
import { decimal, t } from "/static/parts/texts.js";
import { MARKS, thrown } from "/static/parts/words.js";

/** @typedef {import("/static/parts/state").Side} Side */
/**
 * One ply, as the server sends it.
 * @typedef {{game: number, event: number, number: string, player: Side, kind: string, dice: number[] | null, text: string, moves: number[][],
 *   points: Record<Side, number[]>, value: number, owner: Side | null, offered: number | null, verdict?: string | null,
 *   loss?: number | null, luck?: number | null, standing?: number | null}} Ply the fields after `offered` are those of a review
 */

const ACTIONS = /** @type {Record<string, string>} */ ({
  double: t("Double"),
  take: t("Take"),
  drop: t("Drop"),
  beaver: t("Beaver"),
  raccoon: t("Raccoon"),
  choose: t("names a double"),
  resign: t("Resign"),
  accept: t("Accept"),
  refuse: t("Refuse"),
  roll: t("No double"),
  illegal: t("against the rules"),
});

/** True for a ply that lost something worth a mark. @param {Ply} ply */
export const isError = (ply) => Boolean(ply.verdict && ply.verdict in MARKS);

/** The play or cube action of a ply, in words. @param {Ply} ply */
export const madeWords = (ply) => (ply.kind === "play" ? ply.text || t("no play") : (ACTIONS[ply.kind] ?? ply.text));

/** A ply in a sentence, for those who hear it. @param {Ply} ply @param {string} name */
export function plyWords(ply, name) {
  const words = ply.dice ? `${thrown(ply.dice)}: ${madeWords(ply)}` : madeWords(ply);
  return ply.loss && isError(ply) ? t`${name}, ${words}, loses ${decimal(ply.loss, 3)}` : t`${name}, ${words}`;
}

/** @param {Ply} ply @param {string} name @param {boolean} current @param {() => void} go */
export function plyButton(ply, name, current, go) {
  const mark =
    ply.verdict && MARKS[ply.verdict] ? el("span", { class: "mark", "aria-hidden": "true" }, MARKS[ply.verdict]) : null;
  return el(
    "button",
    {
      type: "button",
      class: `ply ${ply.verdict ?? ""}`,
      tabindex: current ? 0 : -1,
      "aria-current": String(current),
      "aria-label": plyWords(ply, name),
      onclick: go,
    },
    el("span", { class: "thrown" }, ply.dice ? ply.dice.join("") : ""),
    el("span", { class: "made" }, madeWords(ply)),
    mark,
  );
}

/**
 * Every ply, game by game: X's at the left, O's at the right.
 * @param {any} match @param {(at: number) => void} go @returns {HTMLElement}
 */
export function plyList(match, go) {
  const list = el("div", { class: "plies" });
  for (const round of match.rounds) {
    const rows = match.plies.flatMap((/** @type {Ply} */ ply, /** @type {number} */ at) =>
      ply.game === round.game
        ? [
            el(
              "li",
              { class: ply.player.toLowerCase() },
              plyButton(ply, match.players[ply.player === "X" ? 0 : 1], false, () => go(at)),
            ),
          ]
        : [],
    );
    list.append(
      el("h3", {}, t`Game ${round.game}, ${round.score.join("–")}${round.crawford ? t(" (Crawford)") : ""}`),
      el("ol", {}, ...rows),
    );
  }
  return list;
}

/**
 * The ply that is shown is marked in the list of all, and in sight there.
 * @param {HTMLElement} panel the part that scrolls @param {number} at
 */
export function markPly(panel, at) {
  const all = /** @type {HTMLElement[]} */ ([...panel.querySelectorAll("button.ply")]);
  for (const ply of all.filter((one) => one.ariaCurrent === "true")) {
    ply.setAttribute("aria-current", "false");
    ply.tabIndex = -1;
  }
  const now = all[at];
  if (!now) return;
  now.setAttribute("aria-current", "true");
  now.tabIndex = 0;
  if (panel.contains(document.activeElement) && document.activeElement !== panel) now.focus({ preventScroll: true });
  const { top, bottom } = now.getBoundingClientRect();
  const box = panel.getBoundingClientRect();
  if (top < box.top || bottom > box.bottom) panel.scrollTop += top - box.top - box.height / 3;
}

/** The dice of a ply, none of them played. @param {Ply} ply @returns {import("/static/board/drawn-board.js").DiceGroup[]} */
export function diceOf({ dice, player }) {
  if (!dice) return [];
  const numbers = dice[0] === dice[1] ? [...dice, ...dice] : dice;
  return [{ side: player, numbers, used: numbers.map(() => false) }];
}

/** The cube before a ply. @param {Ply} ply @param {boolean} inUse */
export const cubeOf = ({ value, owner, offered }, inUse) =>
  inUse || value > 1 ? { value, owner, offered, in_use: inUse } : null;

/**
 * Arrows of the checkers that a ply moves.
 * @param {Ply} ply @returns {import("/static/game/tutor.js").Arrow[]}
 */
export const arrowsOfMade = ({ player, moves }) =>
  moves.map(([from, to]) => ({ side: player, from, to, kind: "ok" /* not a text */ }));

/** The first ply of the game before or after that of a ply; -1 for none. @param {Ply[]} plies @param {number} at @param {number} by */
export function gameStep(plies, at, by) {
  const first = (/** @type {number} */ game) => plies.findIndex((ply) => ply.game === game);
  const { game } = plies[at];
  return by < 0 && at > first(game) ? first(game) : first(game + by);
}

/**
 * The nearest ply with an error of a player, on or back, and the first again behind the last; -1 where there is none.
 * @param {Ply[]} plies
 * @param {number} at
 * @param {number} by 1 for on, -1 for back
 * @param {string} whose the side, or empty for both
 */
export function nextError(plies, at, by, whose) {
  for (let step = 1; step <= plies.length; step++) {
    const index = (at + by * step + plies.length * step) % plies.length;
    const ply = plies[index];
    if (isError(ply) && (!whose || ply.player === whose)) return index;
  }
  return -1;
}

/**
 * The ply that an address names, else the costliest error of a player, else the first.
 * @param {Ply[]} plies
 * @param {string} named the game and the number of its event, as 1.12
 * @param {string} whose the side, or empty for both
 */
export function firstShown(plies, named, whose) {
  const [game, event] = named.split(".").map(Number);
  const index = plies.findIndex((ply) => ply.game === game && ply.event === event);
  if (index >= 0) return index;
  const costliest = plies.reduce(
    (worst, ply, at) =>
      isError(ply) && (!whose || ply.player === whose) && (ply.loss ?? 0) > (plies[worst]?.loss ?? 0) ? at : worst,
    -1,
  );
  return Math.max(0, costliest);
}

/**
 * The line of a player beside the board: pips, score and cube at a ply.
 * @param {HTMLElement} line
 * @param {any} match
 * @param {Ply} ply
 * @param {Side} side
 * @param {Record<Side, number[]>} rows
 */
export function playerLine(line, match, ply, side, rows) {
  const round = match.rounds[ply.game - 1];
  const index = side === "X" ? 0 : 1;
  const facts = [
    t`pips ${rows[side].reduce((sum, count, slot) => sum + count * Math.min(slot, 25), 0)}`,
    match.length ? t`score ${round.score[index]} of ${match.length}` : t`score ${round.score[index]}`,
  ];
  if (ply.owner === side) facts.push(t`cube ${ply.value}`);
  line.replaceChildren(
    el("span", { class: `chip ${side.toLowerCase()}`, "aria-hidden": "true" }),
    el("strong", { class: "name" }, match.players[index]),
    el("span", { class: "facts" }, facts.join(" · ")),
  );
  line.classList.toggle("turn", ply.player === side);
}
