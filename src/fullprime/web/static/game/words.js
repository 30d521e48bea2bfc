// @ts-check
/** Sentences of the table: whose turn it is and what is to be done, and the line of a player. */

import { LEVELS } from "/static/game/table.js";
import * as leaving from "/static/game/leaving.js";
import { el } from "/static/parts/page.js";

/** @typedef {import("/static/game/table.js").Table} Table */
/** @typedef {import("/static/parts/state").Side} Side */

/**
 * What is to be done now, in one sentence.
 * @param {Table} table @param {{complete: boolean, dice: number[]}} play @param {boolean} known true if this page has the next link of its dice
 */
export function status(table, { complete, dice }, known) {
  const { state } = table;
  if (state.status === "waiting") return state.ending.how ? leaving.words(state) : state.free_seat ? "Waiting for your friend." : "The dice are being prepared.";
  if (state.match_over) return `${table.name(state.match_winner)} won the match.`;
  if (state.status === "over") return leaving.words(state);
  if (state.late && !state.you) return `You see this game ${state.late < 120 ? `${state.late} seconds` : `${Math.round(state.late / 60)} minutes`} late.`;
  if (state.game_over) return "The game is over.";
  const owed = state.links?.awaits ?? [];
  if (owed.length && state.you && !owed.includes(table.giver)) return `The dice wait for the page of ${table.name(owed[0])}.`;
  if (owed.includes(table.giver)) return known ? "The dice are thrown." : "Your dice are with another device or browser.";
  if (!state.turn) return table.can("roll") ? "Throw for the opening." : "The opening throw.";
  if (!table.mine && state.away[state.turn]) return `${table.name(state.turn)} to act, but away.`;
  if (!table.mine) return state.seats[state.turn === "X" ? 0 : 1] === "human" ? `${table.name(state.turn)} to act.` : `${table.name(state.turn)} is thinking.`;
  const name = state.you === "both" ? `${table.name(state.turn)}: ` : "";
  const say = /** @type {Partial<Record<import("/static/parts/state").PhaseName, string>>} */ ({
    cube_decision: "roll or double.", roll: "roll.", double_offered: `take or drop the cube at ${state.cube.offered}.`,
    beaver_offered: `answer the beaver at ${state.cube.offered}.`, raccoon_offered: `answer the raccoon at ${state.cube.offered}.`,
    choose_double: "choose a double.", resignation_offered: `your opponent resigns ${LEVELS[state.resignation] ?? ""}: accept or refuse.`,
    play: complete ? "finish the play, or undo." : `play ${dice.join(" ")}.`,
  })[state.phase] ?? "";
  return name + (name ? say : say.charAt(0).toUpperCase() + say.slice(1));
}

/** The line of a player beside the board. @param {HTMLElement} place @param {Table} table @param {Side} side @param {number[]} row the checkers as they are shown */
export function player(place, table, side, row) {
  const { state, begun: now } = table, index = side === "X" ? 0 : 1;
  const pips = row.reduce((sum, count, slot) => sum + count * Math.min(slot, 25), 0);
  const score = now.length ? `${now.score[index]} of ${now.length}` : `${now.score[index]}`;
  const name = el("strong", { class: "name", title: state.names[index] });
  name.textContent = state.names[index];
  const facts = [el("span", {}, `pips ${pips}`), el("span", {}, `score ${score}`)];
  if (now.cube.in_use && now.cube.owner === side) facts.push(el("span", {}, `cube ${now.cube.value}`));
  place.replaceChildren(el("span", { class: `chip ${side.toLowerCase()}`, "aria-hidden": "true" }), name,
    el("span", { class: "facts" }, ...facts.flatMap((fact, at) => (at ? [" · ", fact] : [fact]))),
    el("span", { class: "clock", "data-clock": side, role: "timer", "aria-label": `Clock of ${state.names[index]}`, hidden: true }));
  if (side === "X" && now.crawford) place.append(el("span", { class: "sign" }, "Crawford game"));
  if (side === "X" && now.multiplier > 1) place.append(el("span", { class: "sign" }, `stake × ${now.multiplier}`));
  place.classList.toggle("turn", now.turn === side && !now.game_over);
}
