// @ts-check
/** Who is signed in, what every page of people shares, and streams of lines from the server. */

import { el, lines } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

export { me, showAccount as showTop } from "/static/parts/header.js";

/** A name, with a link to the profile where there is an account, and the sign of a bot or a guest. */
export function who(name, account, bot, guest = !account) {
  const shown = account ? el("a", { href: `/profile?name=${encodeURIComponent(name)}` }, name) : el("strong", {}, name);
  return el("span", { class: "person" }, shown, bot ? el("span", { class: "sign" }, t("bot")) : null, guest ? el("span", { class: "sign" }, t("guest")) : null);
}

/** "backgammon:short" for people. */
export function kindWords(kind, titles) {
  const [variant, length] = kind.split(":");
  const lengths = { single: t("1 point"), short: t("2–5 points"), medium: t("6–11 points"), long: t("12 points and more") };
  return `${t(titles[variant]?.title ?? variant)}, ${lengths[length] ?? length}`;
}

/** Do something when a form is sent; what is refused stands beside it. */
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
 * @param {(message: any) => void} heard
 */
export function follow(path, heard) {
  const stop = new AbortController();
  (async () => {
    for (let tries = 0; !stop.signal.aborted; tries++) {
      try {
        const answer = await fetch(`/api${path}`, { signal: stop.signal });
        if (!answer.ok || !answer.body) throw new Error(String(answer.status));
        for await (const message of lines(answer.body)) {
          tries = 0;
          heard(message);
        }
      } catch { /* it is tried again below */ }
      if (!stop.signal.aborted) await new Promise((done) => { setTimeout(done, Math.min(5000, 250 * 2 ** tries)); });
    }
  })();
  return () => stop.abort();
}
