// @ts-check
/** Ends of a game that is not played out: the button, and the words after. */

import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").GameState} GameState */

/** @param {GameState} state */
export const kindOf = (state) => ("length" in state && state.length ? "match" : "session");
/** @param {string} kind */
export const kindWords = (kind) => (kind === "match" ? t("match") : t("session"));
/** @param {GameState} state */
const isBetweenGames = (state) => "game_over" in state && (state.game_over || state.phase === "opening_roll");
/** @param {GameState} state */
export const rival = (state) => (state.you === "X" ? "O" : "X");
/** @param {GameState} state */
export const isOffered = (state) => state.opponent === "friend" && state.ending.offered.includes(rival(state));

/** @param {GameState} state @param {() => void} go @returns {import("/static/board/buttons.js").Button} */
export function closeButton(state, go) {
  const label = isOffered(state)
    ? t("Agree to end")
    : state.ending.alone === "end"
      ? t`End the ${kindWords(kindOf(state))}`
      : state.ending.alone === "abort"
        ? t("Abort")
        : t("Leave");
  return ["close", label, go];
}

/**
 * True where leaving is as near as playing on: between two games, and where the other player waits for an answer.
 * @param {GameState} state
 */
export const isNear = (state) => isBetweenGames(state) || isOffered(state);

/** The end of a game without a winner, in words. @param {GameState} state */
export function endWords(state) {
  const { how, by } = state.ending;
  const kind = kindOf(state);
  const name = by ? state.names[by === "X" ? 0 : 1] : "";
  if (state.status === "waiting") return t`${name || t("The server")} called the game off before it began.`;
  if (how === "aborted")
    return name ? t`${name} aborted the ${kindWords(kind)}: it has no result.` : t`The ${kindWords(kind)} was aborted.`;
  if (how === "agreed") return t`Both ended the ${kindWords(kind)}, without a result.`;
  if (how === "left") return t`${name} left the ${kindWords(kind)}.`;
  return t`The ${kindWords(kind)} is over.`;
}
