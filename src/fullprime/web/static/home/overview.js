// @ts-check
/** Live play: games to watch with small boards, one's friends, those present, and the leaders. */

import { challengeButton } from "/static/accounts/accounts.js";
import { FOLLOWED, followButton, readFriends } from "/static/accounts/friends.js";
import { personName } from "/static/accounts/names.js";
import { call, Refusal } from "/static/parts/api.js";
import { picture } from "/static/parts/mini.js";
import { counted, el } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";
import { versus } from "/static/parts/words.js";

/** @typedef {import("/static/parts/state").LobbyNow} LobbyNow */
/** @typedef {import("/static/parts/state").WatchedGame} WatchedGame */
/** @typedef {import("/static/parts/state").Friend} Friend */

/** Milliseconds between two looks. */
const AGAIN = 20000;

/** @param {WatchedGame} game */
const tile = (game) =>
  el(
    "li",
    { class: "tile" },
    picture({ X: game.x, O: game.o }, ""),
    el("h3", {}, el("a", { class: "whole", href: `/game/${game.id}` }, versus(game.names))),
    el("p", {}, t`${game.score.map((points) => counted(points, game.length)).join("–")} of ${game.length}`),
  );

/**
 * @param {{name: string, bot: boolean}} person
 * @param {{rating: number, provisional: boolean} | null} rating
 * @param {Node[]} more
 */
const line = ({ name, bot }, rating, ...more) =>
  el(
    "li",
    { "data-person": name },
    personName(name, true, bot),
    el("span", { class: "hint" }, rating ? `${rating.rating}${rating.provisional ? "?" : ""}` : ""),
    ...more,
  );

/** @param {string} title @param {Node[]} body */
const part = (title, ...body) => el("section", {}, el("h2", {}, title), ...body);

/**
 * The friends of the account: those who are here, and behind a word the others.
 * @param {Friend[]} friends @param {boolean} isOpen whether the others are shown
 */
function friendsPart(friends, isOpen) {
  const here = friends.filter((friend) => friend.is_here);
  const others = friends.filter((friend) => !friend.is_here); // null where the profile is private
  const dot = () => el("span", { class: "presence", role: "img", "aria-label": t("here"), title: t("here") });
  const present = here.map((friend) => line(friend, friend.short_rating, dot(), challengeButton(friend.name)));
  const absent = others.map((friend) =>
    line(friend, friend.short_rating, challengeButton(friend.name), followButton(friend.name, true)),
  );
  return el(
    "section",
    { class: "friends" },
    el("h2", {}, t("Friends")),
    present.length
      ? el("ul", { class: "names" }, ...present)
      : others.every((friend) => friend.is_here === false)
        ? el("p", { class: "hint" }, t("None of them is here just now."))
        : null,
    absent.length
      ? el(
          "details",
          { class: "away", open: isOpen },
          el("summary", {}, plural(absent.length, "{n} more friend", "{n} more friends")),
          el("ul", { class: "names" }, ...absent),
        )
      : null,
  );
}

/**
 * @param {HTMLElement} place @param {LobbyNow} now
 * @param {Friend[] | null} friends of the account; null for a guest
 * @param {string | null} own the account of this browser
 */
function show(place, { present, people, games, leaders }, friends, own) {
  const followed = new Set(friends?.map(({ name }) => name));
  /** @param {string} name */
  const follow = (name) => (friends && !followed.has(name) ? [followButton(name, false)] : []);
  /** @param {string} name */
  const ways = (name) => (name === own ? [] : [challengeButton(name), ...follow(name)]);
  const here = part(
    t("Who is here"),
    el(
      "p",
      { class: "hint" },
      present
        ? plural(present, "{n} player is at a board or waits.", "{n} players are at a board or wait.")
        : t("Nobody plays or waits just now."),
    ),
    el("ul", { class: "names" }, ...people.map((person) => line(person, person.short_rating, ...ways(person.name)))),
  );
  const watch = part(t("Live games"), el("ul", { class: "tiles" }, ...games.map(tile)));
  const best = part(t("Leaders"), el("ol", { class: "names" }, ...leaders.map((leader) => line(leader, leader))));
  const isOpen = Boolean(place.querySelector("details.away[open]"));
  const focus = focusOf(place);
  place.replaceChildren(
    ...(games.length ? [watch] : []),
    ...(friends?.length ? [friendsPart(friends, isOpen)] : []),
    here,
    ...(leaders.length ? [best] : []),
  );
  focus();
}

/** Note what has the focus there; gives the function that puts it back once all is new. @param {HTMLElement} place */
function focusOf(place) {
  const focused = document.activeElement;
  const row = focused && place.contains(focused) ? focused.closest("li[data-person]") : null;
  if (!row) return () => {};
  const { person } = /** @type {HTMLElement} */ (row).dataset;
  const kind = focused?.matches(".follow") ? ".follow" : focused?.matches(".challenge") ? ".challenge" : "a";
  return () => {
    const rows = /** @type {HTMLElement[]} */ ([...place.querySelectorAll("li[data-person]")]);
    const same = rows.filter((other) => other.dataset.person === person);
    const parts = /** @type {(HTMLElement | null)[]} */ (same.map((other) => other.querySelector(kind)));
    (parts.find(Boolean) ?? same[0]?.querySelector("a"))?.focus({ preventScroll: true });
  };
}

/**
 * Show it there, and again while the page is looked at.
 * @param {HTMLElement} place @param {string | null} own the account of this browser, which is not challenged
 */
export function showOverview(place, own) {
  let last = "";
  let looks = 0;
  /** @type {Friend[] | null} */
  let friends = null;
  /** Those that were read last, where they cannot be read now. */
  const readFriendsOrLast = () =>
    readFriends().catch((error) => {
      if (!(error instanceof Refusal)) throw error;
      return friends;
    });
  const look = async () => {
    // What opened a dialog stays, to have the focus again.
    if (document.visibilityState !== "visible" || document.querySelector("dialog[open]")) return;
    const number = ++looks;
    try {
      const [now, read] = await Promise.all([call("/lobby/now"), own ? readFriendsOrLast() : null]);
      // A link under the pointer or with the focus stays as long as nothing has changed.
      if (number !== looks) return; // the newest answer counts
      friends = read;
      const seen = JSON.stringify([now, friends]);
      if (seen !== last) show(place, now, friends, own);
      last = seen;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  };
  document.addEventListener("visibilitychange", look);
  addEventListener(FOLLOWED, look);
  setInterval(look, AGAIN);
  look();
}
