// @ts-check
/** Talking to the server, and the keys of the seats that this browser holds. */

import { t } from "/static/parts/texts.js";
import { capital } from "/static/parts/words.js";

const KEYS = "fullprime.games";

/**
 * The server's words as a sentence of a page: a word at their beginning has a capital; a play or a name with a mark
 * stays.
 * @param {string} text
 */
const sentence = (text) => (/^\p{Ll}+[ ,]/u.test(text) ? capital(text) : text);

export class Refusal extends Error {
  /**
   * @param {number} status @param {string} message
   * @param {{code?: string, field?: string}} [error]
   */
  constructor(status, message, { code, field } = {}) {
    super(sentence(message));
    this.status = status;
    this.code = code;
    this.field = field;
  }

  /** True if this server says that it has no such thing: a proxy on the way may answer 404, too. */
  get isMissing() {
    return this.code === "missing";
  }
}

/**
 * @typedef {{key: string, commitment?: string, seed?: string, invitation?: string, challenge?: string, target?: string, dice?: string, told?: number, seek?: string, pool?: {length: number, clock: string, rated: boolean}, at: number}} OwnGame
 */

/** @returns {Record<string, OwnGame>} */
export function ownGames() {
  try {
    return JSON.parse(localStorage.getItem(KEYS) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} id @param {Partial<OwnGame>} facts */
export function keep(id, facts) {
  const games = ownGames();
  games[id] = { ...games[id], at: Date.now(), ...facts };
  localStorage.setItem(KEYS, JSON.stringify(games));
}

/** @param {string} id */
export function forget(id) {
  const games = ownGames();
  delete games[id];
  localStorage.setItem(KEYS, JSON.stringify(games));
}

/** @param {string} id @returns {string | null} */
export const keyOf = (id) => ownGames()[id]?.key ?? null;

/** @param {Response} answer */
export async function readRefusal(answer) {
  const error = await answer.json().catch(() => ({}));
  return new Refusal(answer.status, error.error ?? t`The server says ${answer.status}.`, error);
}

/**
 * Ask the server; the caller knows the type of the answer. Raises Refusal, with status 0 when there is no answer.
 * @param {string} path
 * @param {object} [body]
 * @param {string | null} [key]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function call(path, body, key, signal) {
  const headers = /** @type {Record<string, string>} */ ({});
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers.Authorization = `Bearer ${key}`;
  let answer;
  try {
    answer = await fetch(`/api${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  } catch {
    throw new Refusal(0, t("The server does not answer."));
  }
  if (!answer.ok) throw await readRefusal(answer);
  if (answer.status === 204) return null;
  return answer.json().catch(() => {
    // An answer that was cut off on its way, as by a page that is left, is none.
    throw new Refusal(0, t("The server does not answer."));
  });
}

/** Fetch a file and have the browser save it. @param {string} path @param {string | null} [key] */
export async function save(path, key) {
  const headers = /** @type {Record<string, string>} */ (key ? { Authorization: `Bearer ${key}` } : {});
  const answer = await fetch(`/api${path}`, { headers }).catch(/** @returns {null} */ () => null);
  if (!answer) throw new Refusal(0, t("The server does not answer."));
  if (!answer.ok) throw await readRefusal(answer);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "record";
  link.click();
  URL.revokeObjectURL(link.href);
}

export function randomSeed() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Milliseconds between two beats, for an answer to one, and for a new connection to say something. */
const BEAT = 3000;
const ANSWER = 4000;
const GREETING = 8000;

/**
 * Live events; connects again by itself, and each time the whole state comes first. A beat goes over the line now and
 * then, and comes back: so a line that was cut without a word is noticed, by both sides.
 */
export class Live {
  /**
   * @param {string} id @param {string | null} key
   * @param {{onState: (message: import("/static/parts/state").StateMessage, fresh: boolean) => void,
   *   onLink: (up: boolean, reason?: string) => void}} handlers `fresh`: the first message of a connection
   */
  constructor(id, key, { onState, onLink }) {
    this.id = id;
    this.key = key;
    this.onState = onState;
    this.onLink = onLink;
    this.tries = 0;
    this.ended = false;
    this.dead = /** @type {number | undefined} */ (undefined);
    this.beats = setInterval(() => this.beat(), BEAT);
    this.atOnce = () => {
      this.beat(1000);
    };
    addEventListener("offline", this.atOnce);
    addEventListener("online", this.atOnce);
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = (this.socket = new WebSocket(`${scheme}://${location.host}/api/games/${this.id}/live`));
    let fresh = true;
    this.await(GREETING);
    socket.onopen = () => socket.send(JSON.stringify({ key: this.key }));
    socket.onmessage = (event) => {
      this.noteAlive();
      this.tries = 0;
      const message = JSON.parse(event.data);
      if ("beat" in message) return;
      if (fresh) this.onLink(true);
      this.onState(message, fresh);
      fresh = false;
    };
    socket.onclose = (event) => this.lost(socket, event);
  }

  /** Give the connection up unless a message comes within `within` milliseconds. @param {number} within */
  await(within) {
    this.dead ??= setTimeout(() => this.lost(this.socket), within);
  }

  noteAlive() {
    clearTimeout(this.dead);
    this.dead = undefined;
  }

  beat(within = ANSWER) {
    if (this.socket.readyState !== WebSocket.OPEN || this.dead !== undefined) return;
    this.socket.send('{"beat": 1}');
    this.await(within);
  }

  /** @param {WebSocket} socket @param {CloseEvent} [event] */
  lost(socket, event) {
    if (this.ended || socket !== this.socket) return;
    socket.onclose = socket.onmessage = socket.onopen = null;
    socket.close();
    this.noteAlive();
    if (event?.code === 1008) {
      this.onLink(false, event.reason);
      return;
    }
    this.onLink(false);
    setTimeout(
      () => {
        if (!this.ended) this.connect();
      },
      Math.min(5000, 250 * 2 ** this.tries++),
    );
  }

  close() {
    this.ended = true;
    this.noteAlive();
    clearInterval(this.beats);
    removeEventListener("offline", this.atOnce);
    removeEventListener("online", this.atOnce);
    this.socket.close();
  }
}
