// @ts-check
/** Push messages for this browser: switched on and off by a tap, with the reason where they cannot be. */

import { call, Refusal } from "/static/parts/api.js";
import { el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/**
 * The subject of the messages: the account that is signed in here, or one seat.
 * @typedef {{game?: string, key?: string | null}} About
 */

/** The reason why this browser gets no messages, in words; null where nothing is missing but consent. */
function missingWords() {
  if (!window.isSecureContext) return t("Messages need a safe address: https, or this computer.");
  if (!("serviceWorker" in navigator) || !window.PushManager || !window.Notification) {
    // iOS has them for pages on the home screen alone.
    return /iPhone|iPad/.test(navigator.userAgent)
      ? t("On this device messages come once the page is on the home screen: Share, then Add to Home Screen.")
      : t("This browser has no push messages.");
  }
  if (Notification.permission === "denied")
    return t("Messages are blocked for this page: allow them in the browser's settings.");
  return null;
}

/**
 * The push manager of the worker that shows the messages. It registers the worker first, because a page at a board
 * does not.
 */
async function openPushManager() {
  await navigator.serviceWorker.register("/service-worker.js");
  return (await navigator.serviceWorker.ready).pushManager;
}

/** @param {string} text in base64url */
function decodeKey(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
}

/** @param {ArrayBuffer | null | undefined} serverKey @param {Uint8Array} key */
const isFor = (serverKey, key) =>
  Boolean(serverKey) && new Uint8Array(/** @type {ArrayBuffer} */ (serverKey)).join() === key.join();

/** This browser's subscription with the server's key: the one it has, or a new one. @param {string} text */
async function subscribe(text) {
  const pushManager = await openPushManager();
  const key = decodeKey(text);
  const had = await pushManager.getSubscription();
  if (had && isFor(had.options.applicationServerKey, key)) return had;
  await had?.unsubscribe();
  try {
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch (error) {
    throw new Error(
      Notification.permission === "denied"
        ? t("Messages are blocked for this page: allow them in the browser's settings.")
        : t("This browser cannot reach its push service."),
      { cause: error },
    );
  }
}

/** @param {About} about */
async function isOn({ game, key }) {
  const had = await (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription();
  if (!had) return false;
  return (await call("/push/state", { browser: had.toJSON(), game: game ?? null }, key)).on;
}

/** @param {About} about @param {string} server */
async function turnOn({ game, key }, server) {
  if ((await Notification.requestPermission()) !== "granted") throw new Error(t("You have not allowed messages."));
  const browser = await subscribe(server);
  await call("/push/subscribe", { browser: browser.toJSON(), game: game ?? null }, key);
}

async function turnOff() {
  const pushManager = await openPushManager();
  const had = await pushManager.getSubscription();
  if (!had) return;
  await call("/push/unsubscribe", { browser: had.toJSON() });
  await had.unsubscribe();
}

/**
 * A button that switches messages on and off, in a place that stays empty where the server sends none.
 * @param {HTMLElement} place @param {About} about @param {string} words the events that the messages are about
 */
export async function pushButton(place, about, words) {
  const lacking = missingWords();
  if (lacking) {
    place.replaceChildren(el("p", { class: "hint" }, t`${words}: ${lacking}`));
    return;
  }
  const server = /** @type {string} */ ((await call("/push").catch(() => ({ key: "" }))).key);
  if (!server) {
    place.replaceChildren();
    return;
  }
  const status = el("span", { class: "hint", role: "status" });
  const button = /** @type {HTMLButtonElement} */ (el("button", { type: "button", class: "quiet" }, words));
  /** @param {boolean} on */
  const show = (on) => {
    button.setAttribute("aria-pressed", String(on));
    button.textContent = on ? t`${words}: on` : words;
    place.dataset.push = on ? "on" : "off";
  };
  button.addEventListener("click", async () => {
    button.disabled = true;
    status.textContent = "";
    try {
      if (button.getAttribute("aria-pressed") === "true") {
        await turnOff();
        show(false);
        status.textContent = t("This browser is told nothing more.");
      } else {
        await turnOn(about, server);
        show(true);
        status.textContent = t("This browser is told, also while no page is open.");
      }
    } catch (error) {
      status.textContent = /** @type {Error} */ (error).message;
    }
    button.disabled = false;
  });
  show(
    await isOn(about).catch((error) => {
      if (error instanceof Refusal) return false;
      throw error;
    }),
  );
  place.replaceChildren(el("div", { class: "row push" }, button, status));
}
