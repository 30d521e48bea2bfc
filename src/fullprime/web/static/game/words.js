// @ts-check
/** Sentences of the table: the turn, the task, and the line of a player. */

import { other } from "/static/board/numbering.js";
import * as leaving from "/static/game/leaving.js";
import { LEVELS } from "/static/game/table.js";
import { counted, el } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";
import { capital, thrown } from "/static/parts/words.js";

/** @typedef {import("/static/game/table.js").Table} Table */
/** @typedef {import("/static/parts/state").Side} Side */

/** True while the other side is a program that is to act. @param {Table} table */
export function isThinking({ state, begun: now, mine }) {
  return Boolean(
    state.status === "playing" &&
      now?.turn &&
      !now.game_over &&
      !mine &&
      !state.links?.awaits.length &&
      !state.away[now.turn] &&
      state.seats[now.turn === "X" ? 0 : 1] !== "human",
  );
}

/**
 * The task of now, in one sentence.
 * @param {Table} table
 * @param {{complete: boolean, dice: number[]}} play
 * @param {boolean} hasLink true if this page has the next link of its dice
 */
export function statusWords(table, { complete, dice }, hasLink) {
  const { state } = table;
  if (state.status === "waiting")
    return state.ending.how
      ? leaving.endWords(state)
      : state.free_seat
        ? state.you
          ? t("Waiting for your friend.")
          : t("Waiting for a second player.")
        : t("The dice are being prepared.");
  if (state.match_over) {
    const winner = table.name(state.match_winner);
    return leaving.isYou(winner) ? t("You won the match.") : t`${winner} won the match.`;
  }
  if (state.status === "over") return leaving.endWords(state);
  if (state.late && !state.you)
    return state.late < 120
      ? plural(state.late, "You see this game {n} second late.", "You see this game {n} seconds late.")
      : plural(
          Math.round(state.late / 60),
          "You see this game {n} minute late.",
          "You see this game {n} minutes late.",
        );
  if (state.game_over) return t("The game is over.");
  const owed = state.links?.awaits ?? [];
  if (owed.length && state.you && !owed.includes(table.giver))
    return t`The dice wait for the page of ${table.name(owed[0])}.`;
  if (owed.includes(table.giver))
    return hasLink ? t("The dice are thrown.") : t("Your dice are with another device or browser.");
  if (state.resigning && state.phase !== "resignation_offered") return resignationWords(table, state.resigning);
  if (!state.turn) return table.can("roll") ? t("Throw for the opening.") : t("The opening throw.");
  if (!table.mine && state.away[state.turn]) return t`${table.name(state.turn)} to act, but away.`;
  if (!table.mine)
    return state.seats[state.turn === "X" ? 0 : 1] === "human"
      ? t`${table.name(state.turn)} to act.`
      : t`${table.name(state.turn)} is thinking.`;
  const name = state.you === "both" ? `${table.name(state.turn)}: ` : "";
  const say =
    /** @type {Partial<Record<import("/static/parts/state").PhaseName, string>>} */ ({
      cube_decision: t("roll or double."),
      roll: t("roll."),
      double_offered: t`take or drop the cube at ${state.cube.offered}.`,
      beaver_offered: t`answer the beaver at ${state.cube.offered}.`,
      raccoon_offered: t`answer the raccoon at ${state.cube.offered}.`,
      choose_double: t("choose a double."),
      resignation_offered: t`your opponent resigns ${LEVELS[state.resignation] ?? ""}: accept or refuse.`,
      play: complete ? t("finish the play, or undo.") : t`play ${thrown(dice)}.`,
    })[state.phase] ?? "";
  return name + (name ? say : capital(say));
}

/**
 * An offer to resign that stands beside the game, for the side that made it, the one that answers, and spectators.
 * @param {Table} table
 * @param {import("/static/parts/state").ResignationOffer} offer
 */
function resignationWords(table, { by, level }) {
  const name = table.name(by);
  const worth = LEVELS[level];
  if (table.state.you === by)
    return table.mine
      ? t`You offer to resign ${worth}: play on, or wait for the answer.`
      : t`You offer to resign ${worth}. ${table.name(other(by))} to act.`;
  if (!table.state.you) return t`${name} offers to resign ${worth}.`;
  return table.mine
    ? t`${name} offers to resign ${worth}: accept, refuse, or play on.`
    : t`${name} offers to resign ${worth}: accept or refuse.`;
}

/**
 * The picture of a bot; the one that is there stays, so that nothing flickers.
 * @param {HTMLElement} place
 * @param {string | null} address
 */
const facePicture = (place, address) =>
  address === null
    ? null
    : (place.querySelector(`img[src="${address}"]`) ??
      el("img", { class: "face", src: address, alt: "", width: 32, height: 32 }));

/**
 * True for another person at the table who sat down under a name without an account: the name of a nameless one says so.
 * @param {{names: string[], guests: boolean[], you: string | null}} state
 * @param {Side} side
 */
export function isGuest({ names, guests, you }, side) {
  const index = side === "X" ? 0 : 1;
  const isNameless = [t("Guest"), t("Guest 2")].includes(names[index]);
  return guests[index] && you !== side && you !== "both" && !isNameless;
}

/**
 * The line of a player beside the board.
 * @param {HTMLElement} place
 * @param {Table} table
 * @param {Side} side
 * @param {Record<Side, number[]>} rows the checkers as they are shown
 * @param {import("/static/game/look-back.js").Past | null} past the moment that is shown, unless it is now
 */
export function showPlayer(place, table, side, rows, past) {
  const { state, begun: now } = table;
  const { score: points, cube, crawford, turn } = past ?? { ...now, turn: now.game_over ? null : now.turn };
  const index = side === "X" ? 0 : 1;
  const pips = rows[side].reduce((sum, count, slot) => sum + count * Math.min(slot, 25), 0);
  const score = now.length ? t`${counted(points[index], now.length)} of ${now.length}` : `${points[index]}`;
  const name = el("strong", { class: "name", title: state.names[index] });
  name.textContent = state.names[index];
  const guest = isGuest(state, side) ? [el("span", { class: "sign guest" }, t("guest"))] : [];
  const facts = [el("span", {}, t`pips ${pips}`), el("span", {}, t`score ${score}`)];
  if (cube?.in_use && cube.owner === side) facts.push(el("span", {}, t`cube ${cube.value}`));
  const signs =
    side === "X" && !now.match_over
      ? [crawford ? t("Crawford game") : "", now.multiplier > 1 ? t`stake × ${now.multiplier}` : ""].filter(Boolean)
      : [];
  place.replaceChildren(
    el("span", { class: `chip ${(table.swapped ? other(side) : side).toLowerCase()}`, "aria-hidden": "true" }),
    ...[facePicture(place, state.faces[index])].filter((each) => each !== null),
    name,
    ...guest,
    ...(table.people?.signs(side) ?? []),
    el(
      "span",
      { class: "facts" },
      ...facts.flatMap((fact, at) => (at ? [el("span", { class: "dot" }, " · "), fact] : [fact])),
      ...signs.map((sign) => el("span", { class: "sign" }, sign)),
    ),
    el("span", {
      class: "clock",
      "data-clock": side,
      role: "timer",
      "aria-label": state.you === side ? t("Your clock") : t`Clock of ${state.names[index]}`,
      hidden: true,
    }),
  );
  place.classList.toggle("turn", turn === side);
}
