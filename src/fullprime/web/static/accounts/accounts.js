// @ts-check
/** The account that is signed in, shared parts of the pages of people, and streams of lines from the server. */

import { Refusal } from "/static/parts/api.js";
import { byId, el, lines } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

export { me, showAccount as showTop } from "/static/parts/header.js";

/** Dispatched when a challenge has been made: a page that prevents its default stays, and shows it. */
export const CHALLENGED = "challenged";

/** The button that challenges an account. @param {string} name */
export const challengeButton = (name) =>
  el(
    "button",
    {
      type: "button",
      class: "challenge",
      "aria-label": t`Challenge ${name}`,
      onclick: async () => {
        const { challenge } = await import("/static/accounts/challenge.js");
        await challenge(name).catch((error) => {
          if (!(error instanceof Refusal)) throw error;
          byId("problem").textContent = error.message;
        });
      },
    },
    t("Challenge"),
  );

/** "backgammon:short" for people. */
export function kindWords(kind, titles) {
  const [variant, length] = kind.split(":");
  const lengths = {
    single: t("1 point"),
    short: t("2–5 points"),
    medium: t("6–11 points"),
    long: t("12 points and more"),
  };
  return `${t(titles[variant]?.title ?? variant)}, ${lengths[length] ?? length}`;
}

/** Do something when a form is sent; a refusal is shown beside it. */
export function onSubmit(form, place, action) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    place.textContent = "";
    const buttons = [...form.querySelectorAll("button")];
    for (const button of buttons) button.disabled = true;
    try {
      await action(new FormData(form), event.submitter);
    } catch (error) {
      place.textContent = error instanceof Error ? error.message : String(error);
    } finally {
      for (const button of buttons) button.disabled = false;
    }
  });
}

/**
 * Hear the lines of a stream, and connect again when it breaks off; gives a function that ends it.
 * @param {string} path @param {(message: any) => void} heard @param {string | null} [key] of a seat
 */
export function listen(path, heard, key) {
  const stop = new AbortController();
  const headers = /** @type {Record<string, string>} */ (key ? { Authorization: `Bearer ${key}` } : {});
  (async () => {
    for (let tries = 0; !stop.signal.aborted; tries++) {
      try {
        const answer = await fetch(`/api${path}`, { signal: stop.signal, headers });
        if (answer.status === 401) return; // signed out meanwhile: to ask again gives nothing
        if (!answer.ok || !answer.body) throw new Error(String(answer.status));
        for await (const message of lines(answer.body)) {
          tries = 0;
          heard(message);
        }
      } catch {
        /* it is tried again below */
      }
      if (!stop.signal.aborted)
        await new Promise((done) => {
          setTimeout(done, Math.min(5000, 250 * 2 ** tries));
        });
    }
  })();
  return () => stop.abort();
}
