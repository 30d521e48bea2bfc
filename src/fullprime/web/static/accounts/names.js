// @ts-check
/** Names of people in lists. */

import { el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/**
 * A name, with a link to the profile where there is an account, and the sign of a bot or a guest.
 * @param {string} name @param {boolean} account @param {boolean} bot @param {boolean} [guest]
 */
export function personName(name, account, bot, guest = !account) {
  const shown = account ? el("a", { href: `/profile?name=${encodeURIComponent(name)}` }, name) : el("strong", {}, name);
  return el(
    "span",
    { class: "person" },
    shown,
    bot ? el("span", { class: "sign" }, t("bot")) : null,
    guest ? el("span", { class: "sign guest" }, t("guest")) : null,
  );
}
