// @ts-check
/** Ends of a game that is not played out: the button, what is asked before, and the words after. */

import { ask } from "/static/parts/dialogs.js";
import { el } from "/static/parts/page.js";

/** @typedef {import("/static/parts/state").GameState} GameState */

/** @param {GameState} state */
const what = (state) => ("length" in state && state.length ? "match" : "session");
/** @param {GameState} state */
const between = (state) => "game_over" in state && (state.game_over || state.phase === "opening_roll");
/** @param {GameState} state */
const rival = (state) => (state.you === "X" ? "O" : "X");
/** @param {GameState} state */
const offered = (state) => state.opponent === "friend" && state.ending.offered.includes(rival(state));

/** @param {GameState} state @param {() => void} go @returns {import("/static/board/buttons.js").Button} */
export function button(state, go) {
  const label = offered(state) ? "Agree to end" : state.ending.alone === "end" ? `End the ${what(state)}` : state.ending.alone === "abort" ? "Abort" : "Leave";
  return ["close", label, go, between(state) || offered(state) ? "quiet apart" : "quiet"];
}

/** What the player wants, told first what it costs; "" to play on. @param {GameState} state @returns {Promise<string>} */
export async function choose(state) {
  const thing = what(state), { alone, costs, offered: offers } = state.ending;
  const choices = /** @type {[string, string, string?][]} */ ([["", "Play on"]]);
  const lines = [];
  if (alone === "end") {
    lines.push(thing === "match" ? "It has no result, and the secret of the dice is told." : "The score stands, and the secret of the dice is told.");
    choices.push(["end", "End it", "danger"]);
    return ask(`End the ${thing}?`, lines.map((text) => el("p", {}, text)), choices);
  }
  if (alone === "abort") {
    lines.push(`Hardly anything has been played: the ${thing} has no result.`);
    if (state.opponent === "friend") lines.push("Your profile counts how often you abort.");
    choices.push(["abort", "Abort", "danger"]);
    return ask(`Abort the ${thing}?`, lines.map((text) => el("p", {}, text)), choices);
  }
  const name = state.names[rival(state) === "X" ? 0 : 1];
  if (offered(state)) {
    lines.push(`${name} would end the ${thing} without a result. It ends so if you agree.`);
    choices.push(["agree", "Agree", "primary"]);
  } else if (state.opponent === "friend" && state.you && state.you !== "both") {
    if (offers.includes(state.you)) lines.push(`You have offered to end the ${thing} without a result. ${name} has not answered.`);
    else { lines.push(`Offer to end the ${thing} without a result: it ends so if ${name} agrees.`); choices.push(["agree", "Offer to end it"]); }
  }
  const points = costs?.[state.you === "O" ? 1 : 0] ?? 0;
  lines.push(thing === "match" ? `Or leave now and lose the match${state.rated ? ", which is rated" : ""}.`
    : `Or leave now and lose the game: ${points} ${points === 1 ? "point" : "points"}, as if ${name} had just borne off.`);
  choices.push(["leave", thing === "match" ? "Leave and lose" : `Leave and lose ${points}`, "danger"]);
  return ask(`End the ${thing}?`, lines.map((text) => el("p", {}, text)), choices);
}

/** How a game ended that nobody has won. @param {GameState} state */
export function words(state) {
  const { how, by } = state.ending, thing = what(state);
  const name = by ? state.names[by === "X" ? 0 : 1] : "";
  if (state.status === "waiting") return `${name || "The server"} called the game off before it began.`;
  if (how === "aborted") return name ? `${name} aborted the ${thing}: it has no result.` : `The ${thing} was aborted.`;
  if (how === "agreed") return `Both ended the ${thing}, without a result.`;
  if (how === "left") return `${name} left the ${thing}.`;
  return `The ${thing} is over.`;
}
