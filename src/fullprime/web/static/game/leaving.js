// @ts-check
/** Ends of a game that is not played out: the button, the words. */

import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").GameState} GameState */

/** @param {GameState} state */
export const isMatch = (state) => "length" in state && state.length > 0;
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
      ? isMatch(state)
        ? t("End the match")
        : t("End the session")
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

/** The name of players without one at their own seats has another verb. @param {string} name */
export const isYou = (name) => name === t("You");

/** The end of a game without a winner, in words. @param {GameState} state */
export function endWords(state) {
  const { how, by } = state.ending;
  const name = by ? state.names[by === "X" ? 0 : 1] : t("The server");
  const own = isYou(name);
  const match = isMatch(state);
  if (state.status === "waiting")
    return own ? t("You called the game off before it began.") : t`${name} called the game off before it began.`;
  if (how === "aborted" && own)
    return match ? t("You aborted the match: it has no result.") : t("You aborted the session: it has no result.");
  if (how === "aborted" && by)
    return match ? t`${name} aborted the match: it has no result.` : t`${name} aborted the session: it has no result.`;
  if (how === "aborted") return match ? t("The match was aborted.") : t("The session was aborted.");
  if (how === "agreed")
    return match ? t("Both ended the match, without a result.") : t("Both ended the session, without a result.");
  if (how === "left" && own) return match ? t("You left the match.") : t("You left the session.");
  if (how === "left") return match ? t`${name} left the match.` : t`${name} left the session.`;
  return match ? t("The match is over.") : t("The session is over.");
}
