// @ts-check
/** A link for another player: in full, to copy, to scan, or through the phone's own share sheet. */

import { call, Refusal } from "/static/parts/api.js";
import { el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** Copy the text of an input, also over plain http. @param {HTMLInputElement} input @returns {Promise<boolean>} */
export async function copyFrom(input) {
  input.select();
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(input.value);
      return true;
    }
    // Old, but it works where the newer way is kept for safe addresses.
    return document.execCommand("copy");
  } catch {
    return false;
  }
}

/**
 * An input to copy from, with its buttons, and the line that says what came of it.
 * @param {HTMLElement} box the input
 * @param {string | null} [words] what a phone's share sheet says of the link in it; null where there is no link in it
 * @returns {[HTMLElement, HTMLElement]}
 */
export function copyRow(box, words = null) {
  const input = /** @type {HTMLInputElement} */ (box);
  const status = el("span", { role: "status", class: "hint" });
  const copy = async () => {
    status.textContent = (await copyFrom(input)) ? t("Copied.") : t("Copy it by hand: it is selected.");
  };
  const share = () => navigator.share({ title: "Fullprime", text: words ?? "", url: input.value }).catch(() => {});
  const buttons = [
    el("button", { type: "button", onclick: copy }, t("Copy")),
    ...(words !== null && navigator.share ? [el("button", { type: "button", onclick: share }, t("Share"))] : []),
  ];
  return [el("div", { class: "row" }, input, ...buttons), status];
}

/** The link as a picture that a phone's camera reads. @param {string} link */
async function codePicture(link) {
  const answer = await fetch("/api/share/code", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ link }),
  }).catch(/** @returns {undefined} */ () => undefined);
  if (!answer?.ok) return null;
  const picture = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}`;
  return el("img", { class: "code", src: picture, alt: t("The link as a code to scan"), width: 176, height: 176 });
}

/** The limits of this address, in words. @param {{only_here: boolean, addresses: string[]}} addresses */
function addressNotes({ only_here: here, addresses }) {
  const notes = [];
  if (here && !addresses.length) {
    notes.push(
      el(
        "p",
        { class: "warn" },
        t(
          "This address works on this computer alone. To let others in your network in, stop the server and start it with ",
        ),
        el("code", {}, "fullprime serve --lan"), // not a text
        t(" (or "),
        el("code", {}, "make play ARGS=--lan"), // not a text
        ").",
      ),
    );
  } else if (here) {
    notes.push(
      el(
        "p",
        { class: "hint" },
        t("The link has this computer's address in your network: it works for everybody in the same network."),
      ),
    );
  }
  if (!window.isSecureContext || (here && addresses.length)) {
    notes.push(
      el(
        "p",
        { class: "hint" },
        t("Over plain http a phone has no share sheet for it, and cannot install the app: that needs https."),
      ),
    );
  }
  return notes;
}

/**
 * The parts of an invitation. The link is there at once; the code and the words about the address follow.
 * @param {string} path the way on this server, with its fragment
 * @param {string} label what a screen reader calls the link
 * @param {string} [words] what the phone's share sheet says of it
 */
export function sharing(path, label, words = t("A game of backgammon?")) {
  const input = /** @type {HTMLInputElement} */ (
    el("input", { id: "invite", readonly: true, value: location.origin + path, "aria-label": label })
  );
  const more = el("div", { class: "share-more" });
  call("/share")
    .then(async (addresses) => {
      if (addresses.only_here && addresses.addresses.length) input.value = addresses.addresses[0] + path;
      const drawn = addresses.only_here && !addresses.addresses.length ? null : await codePicture(input.value);
      more.replaceChildren(...(drawn ? [drawn] : []), ...addressNotes(addresses));
    })
    .catch((error) => {
      if (!(error instanceof Refusal)) throw error;
    });
  return [...copyRow(input, words), more];
}
