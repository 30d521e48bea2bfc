// @ts-check
/** Push messages for this browser: asked for by a tap, off by a tap, and what is missing where they cannot be. */

import { Refusal, call } from "/static/parts/api.js";
import { el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** What the messages are about: the account that is signed in here, or one seat. @typedef {{game?: string, key?: string | null}} About */

/** Why this browser gets no messages, in words; null where nothing is missing but consent. */
function missing() {
  if (!window.isSecureContext) return t("Messages need a safe address: https, or this computer.");
  if (!("serviceWorker" in navigator) || !window.PushManager || !window.Notification) {
    // iOS has them for pages on the home screen alone.
    return /iPhone|iPad/.test(navigator.userAgent)
      ? t("On this device messages come once the page is on the home screen: Share, then Add to Home Screen.")
      : t("This browser has no push messages.");
  }
  if (Notification.permission === "denied") return t("Messages are blocked for this page: allow them in the browser's settings.");
  return null;
}

/** The push manager of the worker that shows the messages; where nobody has asked for it yet, a page at a board has none. */
async function manager() {
  await navigator.serviceWorker.register("/service-worker.js");
  return (await navigator.serviceWorker.ready).pushManager;
}

/** @param {string} text in base64url */
function bytes(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
}

/** @param {ArrayBuffer | null | undefined} kept @param {Uint8Array} key */
const isFor = (kept, key) => Boolean(kept) && new Uint8Array(/** @type {ArrayBuffer} */ (kept)).join() === key.join();

/** This browser's subscription with the server's key: the one it has, or a new one. @param {string} text */
async function subscription(text) {
  const pushManager = await manager(), key = bytes(text);
  const had = await pushManager.getSubscription();
  if (had && isFor(had.options.applicationServerKey, key)) return had;
  await had?.unsubscribe();
  try {
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch (error) {
    throw new Error(Notification.permission === "denied"
      ? t("Messages are blocked for this page: allow them in the browser's settings.")
      : t("This browser cannot reach its push service."), { cause: error });
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
  if (await Notification.requestPermission() !== "granted") throw new Error(t("You have not allowed messages."));
  const made = await subscription(server);
  await call("/push/subscribe", { browser: made.toJSON(), game: game ?? null }, key);
}

async function turnOff() {
  const pushManager = await manager();
  const had = await pushManager.getSubscription();
  if (!had) return;
  await call("/push/unsubscribe", { browser: had.toJSON() });
  await had.unsubscribe();
}

/**
 * A button that switches messages on and off, in a place that stays empty where the server sends none.
 * @param {HTMLElement} place @param {About} about @param {string} words what one is told of
 */
export async function pushButton(place, about, words) {
  const lacking = missing();
  if (lacking) { place.replaceChildren(el("p", { class: "hint" }, t`${words}: ${lacking}`)); return; }
  const server = /** @type {string} */ ((await call("/push").catch(() => ({ key: "" }))).key);
  if (!server) { place.replaceChildren(); return; }
  const said = el("span", { class: "hint", role: "status" });
  const button = /** @type {HTMLButtonElement} */ (el("button", { type: "button", class: "quiet" }, words));
  /** @param {boolean} on */
  const show = (on) => {
    button.setAttribute("aria-pressed", String(on));
    button.textContent = on ? t`${words}: on` : words;
    place.dataset.push = on ? "on" : "off";
  };
  button.addEventListener("click", async () => {
    button.disabled = true;
    said.textContent = "";
    try {
      if (button.getAttribute("aria-pressed") === "true") { await turnOff(); show(false); said.textContent = t("This browser is told nothing more."); }
      else { await turnOn(about, server); show(true); said.textContent = t("This browser is told, also while no page is open."); }
    } catch (error) {
      said.textContent = /** @type {Error} */ (error).message;
    }
    button.disabled = false;
  });
  show(await isOn(about).catch((error) => { if (error instanceof Refusal) return false; throw error; }));
  place.replaceChildren(el("div", { class: "row push" }, button, said));
}
