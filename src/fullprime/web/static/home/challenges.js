// @ts-check
/** Challenges in a list: their terms in a line, and those to the account, which are accepted or declined. */

import { personName } from "/static/accounts/names.js";
import { clockWords } from "/static/home/clocks.js";
import { call, keep, Refusal } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").Challenge} Challenge */

/** Milliseconds between two looks at the challenges to the account, where no stream tells of them. */
const AGAIN = 15000;

/** The terms of a challenge, in a line. @param {Challenge} challenge */
async function words(challenge) {
  const parts = [`${t(challenge.title)}, ${challenge.played_for}`];
  if (challenge.clock) parts.push(await clockWords(challenge.clock));
  parts.push(challenge.rated ? t("rated") : t("casual"));
  if (challenge.rating) parts.push(`${challenge.rating[0]} ± ${challenge.rating[1]}`);
  return parts.join(" · ");
}

/**
 * A button that does nothing while what it did before goes on.
 * @param {string} label @param {() => Promise<void>} action @param {string} [kind]
 */
export function button(label, action, kind = "") {
  let isBusy = false;
  const press = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await action();
    } finally {
      isBusy = false;
    }
  };
  return el("button", { type: "button", class: kind, onclick: press }, label);
}

/** A challenge with what can be done with it. @param {Challenge & {guest?: boolean}} challenge @param {Node[]} ways */
export const row = async (challenge, ...ways) =>
  el(
    "li",
    { "data-challenge": challenge.id },
    personName(challenge.name, challenge.account, challenge.bot, challenge.guest),
    el("span", { class: "hint" }, await words(challenge)),
    ...ways,
  );

/** Take the free seat of a challenge; gives the game. @param {Challenge} challenge @param {string} [guestName] */
export async function accept(challenge, guestName) {
  const seat = await call(`/challenge/${challenge.id}/accept`, { name: guestName });
  keep(seat.game, { key: seat.key, commitment: seat.commitment });
  return seat.game;
}

/**
 * Show the challenges to the account; the rows of those that are shown already stay, and with them the focus.
 * @param {Challenge[]} challenges
 * @param {(act: () => Promise<void>) => Promise<void>} attempt does something, and shows a refusal and the challenges anew
 * @param {(game: string) => void} enter
 * @param {string} [kind] the class of the button that accepts
 */
export async function showIncoming(challenges, attempt, enter, kind = "primary") {
  const list = /** @type {HTMLElement} */ (byId("incoming"));
  const shown = new Map(Array.from(list.children, (node) => [node.getAttribute("data-challenge"), node]));
  const rows = await Promise.all(
    challenges.map(
      (challenge) =>
        shown.get(challenge.id) ??
        row(
          challenge,
          button(t`Accept ${challenge.name}`, () => attempt(async () => enter(await accept(challenge))), kind),
          button(t("Decline"), () => attempt(() => call(`/challenge/${challenge.id}/decline`, {}))),
        ),
    ),
  );
  const hadFocus = list.contains(document.activeElement);
  for (const node of [...list.children]) if (!rows.includes(node)) node.remove();
  // A row that is put where it stands would lose the focus.
  for (const [at, node] of rows.entries())
    if (list.children[at] !== node) list.insertBefore(node, list.children[at] ?? null);
  byId("for-you").hidden = !challenges.length;
  if (hadFocus && !list.contains(document.activeElement)) focusHeading();
}

/**
 * Focus the heading of the list, or the next one on the page where the list is empty: another press of the key that
 * declined a challenge must neither answer the next one nor move at the board.
 */
function focusHeading() {
  const own = byId("for-you-title");
  const heading = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("h1, h2")]).find(
    (node) => node.checkVisibility() && !(own.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_PRECEDING),
  );
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Show the challenges to the account, and again while the page is looked at. @param {string} [kind] as above */
export function watchIncoming(kind) {
  let last = "[]";
  const look = async () => {
    if (document.visibilityState !== "visible") return;
    try {
      const { incoming } = await call("/challenge");
      if (JSON.stringify(incoming) !== last) await showIncoming(incoming, attempt, enter, kind);
      last = JSON.stringify(incoming);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  };
  /** @param {string} game */
  const enter = (game) => {
    location.href = `/game/${game}`;
  };
  /** @param {() => Promise<void>} act */
  const attempt = async (act) => {
    byId("problem").textContent = "";
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      byId("problem").textContent = error.message;
    }
    await look();
  };
  document.addEventListener("visibilitychange", look);
  setInterval(look, AGAIN);
  look();
}
