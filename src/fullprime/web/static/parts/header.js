// @ts-check
/** The header that pages without a board share: the account, and the preferences. */

import { call, Refusal } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** @typedef {{name: string | null, bot: boolean, public: boolean}} Account */

/** The request that the header and the page share. @type {Promise<Account> | null} */
let pending = null;

/** The account that is signed in. @param {boolean} [anew] it may have changed @returns {Promise<Account>} */
export function me(anew = false) {
  if (anew || !pending) {
    // Without a connection the page shows what is stored, as for a guest.
    pending = call("/account").catch((error) => {
      if (!(error instanceof Refusal) || error.status !== 0) throw error;
      noteUnanswered();
      return { name: null, bot: false, public: false };
    });
  }
  return /** @type {Promise<Account>} */ (pending);
}

/** The account, or the way to one. @param {Account} account */
export function showAccount(account) {
  const links = account.name
    ? [
        [`/profile?name=${encodeURIComponent(account.name)}`, account.name],
        ["/account", t("Account")],
      ]
    : [["/account", t("Sign in")]];
  byId("who")?.replaceChildren(...links.map(([href, text]) => el("a", { class: "link", href }, text)));
}

const AGAIN = 5000;
/** Whether the server has not answered, although the device has a network. */
let unanswered = false;

/** Show that the server does not answer, and ask again. */
function noteUnanswered() {
  unanswered = true;
  showConnection();
  setTimeout(() => {
    unanswered = false;
    me(true)
      .then(showAccount)
      .catch(() => {})
      .finally(showConnection);
  }, AGAIN);
}

/** Show or hide the notice that there is no connection. */
function showConnection() {
  const shown = byId("offline");
  if (navigator.onLine && !unanswered) shown?.remove();
  else if (!shown)
    document
      .querySelector("header.top")
      ?.after(
        el(
          "p",
          { id: "offline", role: "status" },
          t(
            "No connection: you see what is stored on this device. Games, analysis, reviews and accounts need the server.",
          ),
        ),
      );
}

addEventListener("online", showConnection);
addEventListener("offline", showConnection);
showConnection();
// Only a safe address has one: over plain http everything works but being installed and being opened offline.
if (window.isSecureContext && "serviceWorker" in navigator)
  navigator.serviceWorker.register("/service-worker.js").catch(() => {});

const open = byId("open-preferences");
if (open && byId("who")) {
  if (!byId("dialog")) document.body.append(el("dialog", { id: "dialog", "aria-labelledby": "dialog-title" }));
  open.addEventListener("click", () =>
    import("/static/parts/preferences-dialog.js")
      .then(({ showPreferences }) => showPreferences(() => dispatchEvent(new Event("preferences")), null))
      .catch((error) => byId("problem")?.replaceChildren(error.message)),
  );
  // Without an answer the header shows the link to sign in; that page says what is wrong.
  me()
    .catch((error) => {
      if (!(error instanceof Refusal)) throw error;
      return { name: null, bot: false, public: false };
    })
    .then(showAccount);
}
