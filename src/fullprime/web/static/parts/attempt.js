// @ts-check
/** What the server may refuse; the reason is shown on the page, at `#problem`. */

import { Refusal } from "/static/parts/api.js";
import { byId } from "/static/parts/page.js";

/**
 * Do it; gives null where it is refused.
 * @template T
 * @param {() => Promise<T>} request
 * @param {(error: Refusal) => (string | Node)[]} [words] what is shown
 * @returns {Promise<T | null>}
 */
export async function attempt(request, words = (error) => [error.message]) {
  byId("problem").textContent = "";
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("problem").replaceChildren(...words(error));
    return null;
  }
}
