// @ts-check
/** Ends of a game that is not played out: the button, and the words after. */

import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").GameState} GameState */

/** @param {GameState} state */
export const what = (state) => ("length" in state && state.length ? "match" : "session");
/** @param {string} thing */
export const called = (thing) => (thing === "match" ? t("match") : t("session"));
/** @param {GameState} state */
const between = (state) => "game_over" in state && (state.game_over || state.phase === "opening_roll");
/** @param {GameState} state */
export const rival = (state) => (state.you === "X" ? "O" : "X");
/** @param {GameState} state */
export const offered = (state) => state.opponent === "friend" && state.ending.offered.includes(rival(state));

/** @param {GameState} state @param {() => void} go @returns {import("/static/board/buttons.js").Button} */
export function button(state, go) {
  const label = offered(state) ? t("Agree to end") : state.ending.alone === "end" ? t`End the ${called(what(state))}` : state.ending.alone === "abort" ? t("Abort") : t("Leave");
  return ["close", label, go];
}

/** True where leaving is as near as playing on: between two games, and where the other player waits for an answer. @param {GameState} state */
export const near = (state) => between(state) || offered(state);

/** How a game ended that nobody has won. @param {GameState} state */
export function words(state) {
  const { how, by } = state.ending, thing = what(state);
  const name = by ? state.names[by === "X" ? 0 : 1] : "";
  if (state.status === "waiting") return t`${name || t("The server")} called the game off before it began.`;
  if (how === "aborted") return name ? t`${name} aborted the ${called(thing)}: it has no result.` : t`The ${called(thing)} was aborted.`;
  if (how === "agreed") return t`Both ended the ${called(thing)}, without a result.`;
  if (how === "left") return t`${name} left the ${called(thing)}.`;
  return t`The ${called(thing)} is over.`;
}
