// @ts-check
/** Talking to the server, and the keys of the seats that this browser holds. */

const KEYS = "fullprime.games";

export class Refusal extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) { super(message); this.status = status; }
}

/** @returns {Record<string, {key: string, commitment?: string, seed?: string, invitation?: string, at: number}>} */
export function ownGames() {
  try { return JSON.parse(localStorage.getItem(KEYS) ?? "{}"); } catch { return {}; }
}

export function keep(id, facts) {
  const games = ownGames();
  games[id] = { ...games[id], at: Date.now(), ...facts };
  localStorage.setItem(KEYS, JSON.stringify(games));
}

export function forget(id) {
  const games = ownGames();
  delete games[id];
  localStorage.setItem(KEYS, JSON.stringify(games));
}

export const keyOf = (id) => ownGames()[id]?.key ?? null;

export async function call(path, body, key) {
  const headers = /** @type {Record<string, string>} */ ({});
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers.Authorization = `Bearer ${key}`;
  let answer;
  try {
    answer = await fetch(`/api${path}`, {
      method: body === undefined ? "GET" : "POST", headers, body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refusal(0, "The server does not answer.");
  }
  const data = answer.status === 204 ? null : await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(answer.status, data?.error ?? `The server says ${answer.status}.`);
  return data;
}

/** Fetch a file and have the browser save it. */
export async function save(path, key) {
  const answer = await fetch(`/api${path}`, { headers: key ? { Authorization: `Bearer ${key}` } : {} }).catch(() => null);
  if (!answer) throw new Refusal(0, "The server does not answer.");
  if (!answer.ok) throw new Refusal(answer.status, (await answer.json()).error);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "record";
  link.click();
  URL.revokeObjectURL(link.href);
}

export function randomSeed() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Live events; connects again by itself, and each time the whole state comes first. */
export class Live {
  constructor(id, key, { onState, onLink }) {
    this.id = id; this.key = key; this.onState = onState; this.onLink = onLink;
    this.tries = 0; this.ended = false;
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = this.socket = new WebSocket(`${scheme}://${location.host}/api/games/${this.id}/live`);
    let fresh = true;
    socket.onopen = () => socket.send(JSON.stringify({ key: this.key }));
    socket.onmessage = (event) => {
      this.tries = 0;
      if (fresh) this.onLink(true);
      this.onState(JSON.parse(event.data), fresh);
      fresh = false;
    };
    socket.onclose = (event) => {
      if (this.ended) return;
      if (event.code === 1008) { this.onLink(false, event.reason); return; }
      this.onLink(false);
      setTimeout(() => { if (!this.ended) this.connect(); }, Math.min(5000, 250 * 2 ** this.tries++));
    };
  }

  close() { this.ended = true; this.socket.close(); }
}
