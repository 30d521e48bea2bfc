// @ts-check
/** A link for somebody else: whole, to copy, to scan, or through the phone's own share sheet. */

import { Refusal, call } from "/static/parts/api.js";
import { el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** Copy what an input shows, also over plain http. @param {HTMLInputElement} input @returns {Promise<boolean>} */
async function copyFrom(input) {
  input.select();
  try {
    if (navigator.clipboard) { await navigator.clipboard.writeText(input.value); return true; }
    // Old, but it works where the newer way is kept for safe addresses.
    return document.execCommand("copy");
  } catch { return false; }
}

/** The link as a picture that a phone's camera reads. @param {string} link */
async function code(link) {
  const answer = await fetch("/api/share/code", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ link }) }).catch(/** @returns {undefined} */ () => undefined);
  if (!answer?.ok) return null;
  const picture = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}`;
  return el("img", { class: "code", src: picture, alt: t("The link as a code to scan"), width: 176, height: 176 });
}

/** What this address cannot do, in words. @param {{only_here: boolean, addresses: string[]}} found */
function notes({ only_here: here, addresses }) {
  const said = [];
  if (here && !addresses.length) {
    said.push(el("p", { class: "warn" }, t("This address works on this computer alone. To let others in your network in, stop the server and start it with "),
      el("code", {}, "fullprime serve --lan"), t(" (or "), el("code", {}, "make play ARGS=--lan"), ").")); // not a text
  } else if (here) {
    said.push(el("p", { class: "hint" }, t("The link has this computer's address in your network: it works for everybody in the same network.")));
  }
  if (!window.isSecureContext || (here && addresses.length)) {
    said.push(el("p", { class: "hint" }, t("Over plain http a phone has no share sheet for it, and cannot install the app: that needs https.")));
  }
  return said;
}

/**
 * The parts of an invitation. The link is there at once; the code and the words about the address follow.
 * @param {string} path the way on this server, with its fragment @param {string} label what a screen reader calls the link
 */
export function sharing(path, label) {
  const input = /** @type {HTMLInputElement} */ (el("input", { id: "invite", readonly: true, value: location.origin + path, "aria-label": label }));
  const said = el("span", { role: "status", class: "hint" });
  const buttons = [el("button", { type: "button", onclick: async () => { said.textContent = (await copyFrom(input)) ? t("Copied.") : t("Copy it by hand: it is selected."); } }, t("Copy"))];
  if (navigator.share) {
    buttons.push(el("button", { type: "button", onclick: () => navigator.share({ title: "Fullprime", text: t("A game of backgammon?"), url: input.value }).catch(() => {}) }, t("Share")));
  }
  const more = el("div", { class: "share-more" });
  call("/share").then(async (found) => {
    if (found.only_here && found.addresses.length) input.value = found.addresses[0] + path;
    const drawn = found.only_here && !found.addresses.length ? null : await code(input.value);
    more.replaceChildren(...(drawn ? [drawn] : []), ...notes(found));
  }).catch((error) => { if (!(error instanceof Refusal)) throw error; });
  return [el("div", { class: "row" }, input, ...buttons), said, more];
}
