// @ts-check
/** The lines beside the analysis board: each player's facts, and what is to be done. */

import { byId, el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";
import { thrown } from "/static/parts/words.js";

/** @typedef {import("/static/parts/state").Side} Side */

/**
 * @param {HTMLElement} place
 * @param {any} now the position as the server shows it
 * @param {Side} side
 * @param {Record<Side, number[]>} rows the checkers as they stand
 * @param {boolean} [top]
 */
export function playerLine(place, now, side, rows, top = false) {
  const pips = rows[side].reduce((sum, count, slot) => sum + count * Math.min(slot, 25), 0);
  const facts = [t`pips ${pips}`];
  if (now.length) facts.push(t`score ${now.score[side === "X" ? 0 : 1]} of ${now.length}`);
  if (now.cube.owner === side) facts.push(t`cube ${now.cube.value}`);
  const info = el("span", { class: "facts" }, facts.join(" · "));
  place.replaceChildren(
    el("span", { class: `chip ${side.toLowerCase()}`, "aria-hidden": "true" }),
    el("strong", {}, side),
    info,
  );
  if (top && now.crawford) place.append(el("span", { class: "sign" }, t("Crawford game")));
  place.classList.toggle("turn", now.turn === side);
}

/** @param {any} now @param {boolean} editing @param {boolean} complete true if a play has been made in full */
export function statusWords(now, editing, complete) {
  if (editing) return t("Setting up.");
  if (now.setup.choose) return t`${now.turn} names a double.`;
  if (now.setup.offered) return t`${now.turn} has been offered the cube at ${now.cube.offered}.`;
  if (now.dice) return complete ? t("Finish the play, or undo.") : t`${now.on_roll} to play ${thrown(now.dice)}.`;
  return now.actions.includes("double") ? t`${now.on_roll} to roll or double.` : t`${now.on_roll} to roll.`;
}

/** Say what is to be done, unless that is said already. @param {string} words */
export function showStatus(words) {
  if (byId("status").textContent !== words) byId("status").textContent = words;
}

/** The title names the game and the length of its match. @param {any} now the position as the server shows it */
export function showTitle(now) {
  const game = now.length ? t`${t(now.title)}, match to ${now.length}` : t`${t(now.title)}, money`;
  byId("title").replaceChildren(el("span", { class: "kind" }, t("Analysis board:"), " "), game);
}
