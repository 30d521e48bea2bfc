// @ts-check
/** The ways to the match before and the next one, where a file held several. */

import { call } from "/static/parts/api.js";
import { el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** Show them on the page of a match of a review. @param {HTMLElement} place */
export async function showOtherMatches(place) {
  const [, , job, number] = location.pathname.split("/");
  const answer = await call(`/reviews/${job}`).catch(/** @returns {null} */ () => null);
  const { length } = answer?.result?.matches ?? [];
  if (length < 2) return;
  const here = Number(number);
  const way = (/** @type {number} */ to, /** @type {string} */ words) =>
    to >= 1 && to <= length ? [el("a", { href: `/review/${job}/${to}/board` }, words)] : [];
  place.replaceChildren(
    el("span", { class: "hint" }, t`Match ${here} of ${length}`),
    ...way(here - 1, t("The match before")),
    ...way(here + 1, t("The next match")),
  );
  place.hidden = false;
}
