// @ts-check
/** The header that pages without a board share: who is signed in, and the settings. */

import { Refusal, call } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** @typedef {{name: string | null, bot: boolean, public: boolean}} Account */

/** The question that the header and the page ask together. @type {Promise<Account> | null} */
let asked = null;

/** Who is signed in. @param {boolean} [anew] it may have changed @returns {Promise<Account>} */
export function me(anew = false) {
  if (anew || !asked) {
    // Without a connection nobody is signed in: what is stored is shown all the same.
    asked = call("/account").catch((error) => {
      if (!(error instanceof Refusal) || error.status !== 0) throw error;
      away();
      return { name: null, bot: false, public: false };
    });
  }
  return /** @type {Promise<Account>} */ (asked);
}

/** The account, or the way to one. @param {Account} account */
export function showAccount(account) {
  const links = account.name
    ? [[`/profile?name=${encodeURIComponent(account.name)}`, account.name], ["/account", t("Account")]]
    : [["/account", t("Sign in")]];
  byId("who")?.replaceChildren(...links.map(([href, text]) => el("a", { class: "link", href }, text)));
}

const AGAIN = 5000;
/** Whether the server has not answered, although the device has a network. */
let unanswered = false;

/** The server does not answer: say so, and ask again. */
function away() {
  unanswered = true;
  connection();
  setTimeout(() => {
    unanswered = false;
    me(true).then(showAccount).catch(() => {}).finally(connection);
  }, AGAIN);
}

/** Say that there is no connection, as long as there is none. */
function connection() {
  const shown = byId("offline");
  if (navigator.onLine && !unanswered) shown?.remove();
  else if (!shown) document.querySelector("header.top")?.after(el("p", { id: "offline", role: "status" }, t("No connection: you see what is stored on this device. Games, analysis, reviews and accounts need the server.")));
}

addEventListener("online", connection);
addEventListener("offline", connection);
connection();
// Only a safe address has one: over plain http everything works but being installed and being opened offline.
if (window.isSecureContext && "serviceWorker" in navigator) navigator.serviceWorker.register("/service-worker.js").catch(() => {});

const open = byId("open-settings");
if (open && byId("who")) {
  if (!byId("dialog")) document.body.append(el("dialog", { id: "dialog", "aria-labelledby": "dialog-title" }));
  open.addEventListener("click", () => import("/static/parts/settings-dialog.js").then(({ showSettings }) => showSettings(() => dispatchEvent(new Event("settings")), null)).catch((error) => byId("problem")?.replaceChildren(error.message)));
  // Without an answer there is the way to sign in, which says what is wrong.
  me().catch((error) => {
    if (!(error instanceof Refusal)) throw error;
    return { name: null, bot: false, public: false };
  }).then(showAccount);
}
