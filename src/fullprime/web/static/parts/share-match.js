// @ts-check
/** A whole match for others, as a link that holds all of it; or as a file, where the link would be too long. */

import { call, Refusal, readRefusal, save } from "/static/parts/api.js";
import { LONGEST, toFragment } from "/static/parts/match-link.js";
import { el } from "/static/parts/page.js";
import { copyRow } from "/static/parts/share.js";
import { decimal, t } from "/static/parts/texts.js";

/** The shortest format first; the second has what the first cannot carry, such as games with other rules. */
const FORMATS = ["sgf", "json"];

/**
 * The file of a match in the first format that can carry it.
 * @param {string} path of its file at the server, with a question mark
 * @param {string | null} key
 * @returns {Promise<{address: string, bytes: Uint8Array<ArrayBuffer>}>}
 */
async function fetchFile(path, key) {
  let refusal = new Refusal(0, t("The server does not answer."));
  for (const format of FORMATS) {
    const address = `${path}&format=${format}`;
    const answer = await fetch(`/api${address}`, { headers: key ? { Authorization: `Bearer ${key}` } : {} });
    if (answer.ok) return { address, bytes: new Uint8Array(await answer.arrayBuffer()) };
    refusal = await readRefusal(answer);
  }
  throw refusal;
}

/** @param {number} letters */
const kilobytes = (letters) => decimal(letters / 1000, 1);

/**
 * What a person gets who asks for the link.
 * @param {string} path
 * @param {string | null} key
 * @param {string} words what stands with the link in a phone's share sheet
 */
async function linkParts(path, key, words) {
  const [{ address, bytes }, { only_here: here, addresses }] = await Promise.all([
    fetchFile(path, key),
    call("/share"),
  ]);
  const link = `${(here && addresses[0]) || location.origin}/review${await toFragment(bytes)}`;
  if (link.length <= LONGEST)
    return [
      ...copyRow(
        el("input", { id: "match-link", readonly: true, value: link, "aria-label": t("Link with the whole match") }),
        words,
      ),
      el(
        "p",
        { class: "hint" },
        t`All of the match is in the link, ${kilobytes(link.length)} kB: no server keeps it. Where it is opened, it is reviewed.`,
      ),
    ];
  return [
    el(
      "p",
      {},
      t`The link would have ${kilobytes(link.length)} kB, and links beyond ${LONGEST / 1000} kB may be cut off on their way. Send the file instead: Review opens it.`,
    ),
    el("button", { type: "button", onclick: () => save(address, key) }, t("Save the file")),
  ];
}

/**
 * The part of a dialog about a whole match: a button, in whose place stands what it was pressed for.
 * @param {string} path of the match's file at the server, with a question mark: a format is added
 * @param {string | null} key
 * @param {string} words
 */
export function matchPart(path, key, words) {
  const place = el("div", { role: "status" });
  const give = async () => {
    place.replaceChildren(t("One moment …"));
    const parts = await linkParts(path, key, words).catch((error) => [el("p", { class: "warn" }, error.message)]);
    place.replaceChildren(...parts);
    /** @type {HTMLElement | null} */ (place.querySelector("input, button"))?.focus();
  };
  place.append(el("button", { type: "button", onclick: give }, t("Link with the whole match")));
  return place;
}
