// @ts-check
/** What goes on beside the board: push messages, a screen that stays awake, challenges to the account. */

import { stayAwake } from "/static/game/awake.js";
import { call, keyOf, Refusal } from "/static/parts/api.js";
import { byId } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").StateMessage["state"]} State */

let isWatching = false;

/** Follow a game with each of its states. @param {string} id @param {State} state */
export async function follow(id, state) {
  stayAwake(state.status === "playing" && Boolean(state.you) && !state.clock?.days);
  await Promise.all([offerPush(id, state), watchChallenges()]);
}

/**
 * Offer push messages: of one's turn by correspondence, of the opponent's coming to one who waits.
 * @param {string} id @param {State} state
 */
async function offerPush(id, state) {
  const place = byId("push");
  const side = state.you;
  const turns = Boolean(state.clock?.days);
  const isOffered = (turns || state.free_seat) && (side === "X" || side === "O") && !state.ending.how;
  const isNew = isOffered && place.hidden;
  place.hidden = !isOffered;
  if (!isNew) return;
  const words = turns ? t("Tell me when it is my turn") : t("Tell me when somebody comes");
  // Few games have it, so that it is fetched where one does.
  const { pushButton } = await import("/static/parts/push.js");
  pushButton(place, { game: id, key: keyOf(id) }, words);
}

/** Show the challenges to the account that is signed in here, from now on. */
async function watchChallenges() {
  if (isWatching) return;
  isWatching = true;
  try {
    const { name } = await call("/account");
    if (name) (await import("/static/home/challenges.js")).watchIncoming("");
  } catch (error) {
    isWatching = false; // the next state asks again
    // A script that cannot be fetched is a TypeError, whose words are the browser's.
    if (!(error instanceof Refusal || error instanceof TypeError)) throw error;
  }
}
