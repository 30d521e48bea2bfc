// @ts-check
/** A game that waits for its second player: the link for a friend, and the dialog of the friend. */

import { call, keep, ownGames, Refusal } from "/static/parts/api.js";
import { ask } from "/static/parts/dialogs.js";
import { byId, el } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").StateMessage} StateMessage */

/** Milliseconds between two looks at a challenge whose answer is waited for. */
const AGAIN = 15000;

/**
 * The words about a game that has not begun, and the way out of it.
 * @param {{id: string, state: StateMessage["state"], kind: "seat" | "seed" | "watched", problem: (text: string) => void,
 *   callOff: () => void}} game
 */
export function invitation({ id, state, kind, problem, callOff }) {
  const { invitation: key, target, challenge, key: seat } = ownGames()[id] ?? {};
  const title = kind !== "seat" ? t("Not begun yet") : target ? t`${target} is challenged` : t("Invite a friend");
  const parts = [el("h2", {}, title)];
  const wayOut = el(
    "div",
    { class: "row" },
    el("button", { type: "button", class: "quiet", onclick: callOff }, t("Call the game off")),
  );
  if (kind === "seed") {
    const other = state.names[state.you === "X" ? 1 : 0];
    return [...parts, el("p", {}, t`The game begins as soon as ${other} has it open.`), wayOut];
  }
  const task = el(
    "p",
    { id: "warm-words", role: "status" },
    t("While you wait: "),
    el("a", { href: "/", target: "_blank" }, t("warm up with the position of the day")),
    ".",
  );
  import("/static/game/warmup.js")
    .then(({ warmUp }) => warmUp(byId("warm"), task))
    .catch((error) => problem(error.message));
  if (kind === "watched") return [...parts, el("p", {}, t`${state.names[0]} waits for a second player.`), task];
  if (!key) {
    const words = t("The link for your friend is in the browser in which you began this game.");
    return [...parts, el("p", {}, words), task, wayOut];
  }
  const link = el("div");
  import("/static/parts/share.js")
    .then(({ sharing }) => link.replaceChildren(...sharing(`/game/${id}#invite=${key}`, t("Link for your friend"))))
    .catch((error) => problem(error.message));
  const words = target
    ? t`The board opens when ${target} accepts. This link leads here as well: the first to open it takes the other seat.`
    : t("Send this link to one person: the first to open it takes the other seat.");
  if (challenge && seat) watchChallenge(id, seat);
  return [...parts, el("p", {}, words), link, task, wayOut];
}

/** True if there is no such game any more. @param {string} id @param {string} key */
const isGone = (id, key) =>
  call(`/games/${id}`, undefined, key).then(
    () => false,
    (error) => error instanceof Refusal && error.isMissing,
  );

/**
 * Say so when a challenge is over whose answer is waited for here: its game is gone then.
 * @param {string} id @param {string} key
 */
function watchChallenge(id, key) {
  const place = byId("waiting");
  const looks = setInterval(async () => {
    if (place.hidden) {
      clearInterval(looks);
      return;
    }
    if (!(await isGone(id, key))) return;
    clearInterval(looks);
    const words = t("The challenge is over.");
    byId("status").textContent = words;
    place.replaceChildren(
      el("h2", {}, words),
      el("p", {}, t("The challenge was declined or withdrawn, or its time is over.")),
      el(
        "p",
        { class: "row" },
        el("a", { class: "button primary", href: "/lobby" }, t("Find an opponent")),
        el("a", { class: "button plain", href: "/" }, t("Play a bot")),
      ),
    );
  }, AGAIN);
}

/**
 * The clock of a game that one may join. The reserve is for the whole match; in money play, for each game.
 * @param {import("/static/parts/state").ClockState} clock @param {number} length of the match; 0 for money play
 */
function clockSentence({ delay, days, left }, length) {
  if (days) return plural(days, "Each turn has {n} day.", "Each turn has {n} days.");
  const reserve = `${Math.floor(left[1] / 60)}:${String(Math.round(left[1] % 60)).padStart(2, "0")}`;
  return length
    ? t`With a clock: ${String(delay)} s delay in each turn, and a reserve of ${reserve} minutes for the match.`
    : t`With a clock: ${String(delay)} s delay in each turn, and a reserve of ${reserve} minutes for each game.`;
}

/**
 * Ask the person who opened the link for a name, and take the seat; or let them watch.
 * @param {string} id @param {string} secret the invitation
 */
export async function join(id, secret) {
  const input = /** @type {HTMLInputElement} */ (el("input", { id: "name", maxlength: 40, placeholder: t("Guest") }));
  const note = el("p", { class: "hint", role: "alert" });
  // A game that strangers may not watch is shown only after joining.
  const { state } = await call(`/games/${id}`).catch(
    () => /** @type {{state: StateMessage["state"] | null}} */ ({ state: null }),
  );
  const about = state
    ? [
        el("p", {}, t`${state.names[0]} invites you: ${t(state.title)}, ${state.played_for}.`),
        ...(state.clock ? [el("p", {}, clockSentence(state.clock, state.length))] : []),
      ]
    : [];
  for (;;) {
    const answer = await ask(
      t("Join the game"),
      [...about, el("p", { class: "field" }, el("label", { for: "name" }, t("Your name")), input), note],
      [
        ["", t("Only watch")],
        ["join", t("Join"), "primary"],
      ],
    );
    if (!answer) return;
    try {
      const joined = await call(`/games/${id}/join`, { invitation: secret, name: input.value.trim() || undefined });
      keep(id, { key: joined.key });
      return;
    } catch (error) {
      note.textContent = error.message;
    }
  }
}
