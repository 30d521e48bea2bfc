// @ts-check
/** A position for others: its picture, its link, and a line of HTML that shows it on another page. */

import { ask } from "/static/parts/dialogs.js";
import { el } from "/static/parts/page.js";
import { copyRow, sharing } from "/static/parts/share.js";
import { matchPart } from "/static/parts/share-match.js";
import { t } from "/static/parts/texts.js";

/**
 * What else is given of a position: another way to it than the analysis board; the way of its match's file at the
 * server, with a question mark, to which a format is added, and the key that opens it.
 * @typedef {{path?: string, match?: string, key?: string | null}} More
 */

/** The size in which another page shows it; the picture itself is twice as large. */
const SIZE = { width: 600, height: 315 };

/** A text within an attribute of HTML. @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`); // not a text

/**
 * Show what can be given to others of a position.
 * @param {string} fields those of the analysis board's address, of which the picture is drawn
 * @param {string} words what stands with the link
 * @param {More} [more]
 */
export function sharePosition(fields, words, more) {
  return showShared(t("Share this position"), `/picture/position.png?${fields}`, words, {
    path: `/analysis?${fields}`,
    ...more,
  });
}

/**
 * Show what can be given to others, in a dialog.
 * @param {string} title
 * @param {string} picture its way on this server
 * @param {string} words
 * @param {More & {path: string}} more
 */
export function showShared(title, picture, words, { path, match, key = null }) {
  const { origin } = location;
  const image = `<img src="${escaped(origin + picture)}" width="${SIZE.width}" height="${SIZE.height}" alt="${escaped(words)}">`; // not a text
  const embedded = `<a href="${escaped(origin + path)}">${image}</a>`; // not a text
  const embed = el("input", { id: "embed", readonly: true, value: embedded, "aria-label": t("HTML for another page") });
  return ask(
    title,
    [
      el("img", { src: picture, ...SIZE, class: "shared-picture", alt: t("The picture of the position") }),
      el("p", {}, el("a", { href: picture, download: "position.png" }, t("Save the picture"))),
      el("p", { class: "hint" }, t("Link")),
      ...sharing(path, t("The link to this position"), words),
      el("p", { class: "hint" }, t("HTML for another page")),
      ...copyRow(embed),
      ...(match ? [el("p", { class: "hint" }, t("The whole match")), matchPart(match, key, words)] : []),
    ],
    [["", t("Close"), "primary"]],
  );
}
