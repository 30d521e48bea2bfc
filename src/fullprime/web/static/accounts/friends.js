// @ts-check
/** Friends: the accounts that one's own follows, and the button that follows and unfollows one. */

import { call, Refusal } from "/static/parts/api.js";
import { el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").Friend} Friend */

/** Told to the page when an account is followed, or is so no more. */
export const FOLLOWED = "followed";

/** Fetch the friends of the account that is signed in; null for a guest. @returns {Promise<Friend[] | null>} */
export async function readFriends() {
  try {
    return (await call("/friends")).friends;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "unknown") throw error;
    return null;
  }
}

/**
 * A button that follows an account, or unfollows it; it shows the name where none stands beside it.
 * @param {string} name @param {boolean} isFollowed @param {boolean} [isNamed]
 */
export function followButton(name, isFollowed, isNamed = false) {
  const button = /** @type {HTMLButtonElement} */ (el("button", { type: "button", class: "follow" }));
  button.classList.toggle("quiet", !isNamed);
  const problem = el("span", { class: "problem", role: "alert" });
  const show = () => {
    const label = isFollowed ? t`Unfollow ${name}` : t`Follow ${name}`;
    button.setAttribute("aria-label", label);
    button.textContent = isNamed ? label : isFollowed ? t("Unfollow") : t("Follow");
  };
  button.addEventListener("click", async () => {
    problem.textContent = "";
    try {
      await call(`/friends/${encodeURIComponent(name)}/${isFollowed ? "unfollow" : "follow"}`, {});
      isFollowed = !isFollowed;
      show();
      dispatchEvent(new Event(FOLLOWED));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problem.textContent = error.message;
    }
  });
  show();
  return el("span", {}, button, problem);
}

/** Offer to follow an account there, or to unfollow it, where one is signed in. @param {HTMLElement} place @param {string} name */
export async function offerFollow(place, name) {
  const friends = await readFriends();
  const isFollowed = Boolean(friends?.some((friend) => friend.name === name));
  if (friends) place.replaceChildren(followButton(name, isFollowed, true));
}

/** The same for an account that was met at a board; refused where its profile is private. @param {HTMLElement} place @param {string} name */
export async function offerFollowOfRival(place, name) {
  await call(`/users/${encodeURIComponent(name)}`);
  await offerFollow(place, name);
}
