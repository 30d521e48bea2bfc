// @ts-check
/**
 * The links of this browser for the dice of its games: chains made by SHA-256, again and again, from a secret that
 * never leaves it. The hash is our own, since a page has no `crypto.subtle` over plain http. docs/dice.md has the
 * protocol.
 */

import { keep, ownGames } from "/static/parts/api.js";

/** @typedef {import("/static/parts/state").LinksState} LinksState */
/** @typedef {import("/static/parts/state").Side} Side */

const K = new Uint32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);
const BEGIN = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const words = new Uint32Array(64);

/** SHA-256 (FIPS 180-4). @param {Uint8Array} bytes */
export function sha256(bytes) {
  const blocks = (bytes.length + 9 + 63) >> 6;
  const padded = new Uint8Array(64 * blocks);
  const view = new DataView(padded.buffer);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  view.setUint32(64 * blocks - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(64 * blocks - 4, bytes.length << 3);
  const state = Uint32Array.from(BEGIN);
  for (let block = 0; block < blocks; block++) compress(state, view, 64 * block);
  const out = new Uint8Array(32);
  const digest = new DataView(out.buffer);
  state.forEach((word, at) => digest.setUint32(4 * at, word));
  return out;
}

/** @param {Uint32Array} state @param {DataView} view @param {number} from */
function compress(state, view, from) {
  for (let at = 0; at < 16; at++) words[at] = view.getUint32(from + 4 * at);
  for (let at = 16; at < 64; at++) {
    const x = words[at - 15];
    const y = words[at - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[at] = words[at - 16] + s0 + words[at - 7] + s1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let at = 0; at < 64; at++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[at] + words[at]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => {
    state[at] += word;
  });
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} text */
export const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** @param {string} text */
export const hashText = (text) => hex(sha256(new TextEncoder().encode(text)));
/** The hash of a link's bytes, `times` times over. @param {string} link @param {number} times */
export function hashLink(link, times = 1) {
  let value = bytesOf(link);
  for (let time = 0; time < times; time++) value = sha256(value);
  return hex(value);
}

/** The first `count` dice of a seed. @param {string} seed @param {number} count */
export function diceOf(seed, count) {
  const dice = /** @type {number[]} */ ([]);
  for (let block = 0; dice.length < count; block++) {
    for (const byte of bytesOf(hashText(`${seed}:${block}`))) if (byte < 252) dice.push((byte % 6) + 1);
  }
  return dice.slice(0, count);
}

/** All links of a chain: `[0]` is the anchor, the last one the secret. @param {string} secret @param {number} length */
export function chainOf(secret, length) {
  const links = /** @type {Uint8Array[]} */ (Array(length + 1));
  links[length] = bytesOf(secret);
  for (let at = length; at > 0; at--) links[at - 1] = sha256(links[at]);
  return links;
}

/** The links of one seat of one game. Their secret is kept with the key of the seat. */
export class OwnLinks {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.chains = /** @type {Map<string, Uint8Array[]>} */ (new Map());
  }

  /** The secret from which all chains of this seat follow: made once, and kept in this browser. */
  get seed() {
    const stored = ownGames()[this.id]?.dice;
    if (stored) return stored;
    const seed = hex(crypto.getRandomValues(new Uint8Array(32)));
    keep(this.id, { dice: seed });
    return seed;
  }

  /** @param {Side} side @param {number} first @param {number} length */
  chain(side, first, length) {
    const name = `${this.seed}:${this.id}:${side}:${first}`;
    const chain = this.chains.get(name) ?? chainOf(hashText(name), length);
    this.chains.set(name, chain);
    return chain;
  }

  /** @param {Side} side @param {number} first @param {number} length */
  anchor(side, first, length) {
    return hex(this.chain(side, first, length)[0]);
  }

  /**
   * This browser's link for the next throw; null where the seat's chain is another's, or used up, or there is none.
   * @param {LinksState} links
   * @param {Side} side
   */
  next(links, side) {
    const newest = links.chains.filter((chain) => chain.whose === side).pop();
    if (!newest || this.anchor(side, newest.first, links.length) !== newest.anchor) return null;
    const link = this.chain(side, newest.first, links.length)[links.number - newest.first + 1];
    return link ? hex(link) : null;
  }

  /** True if the next throw's link has been sent: only the roll is left. @param {LinksState} links */
  hasSent(links) {
    return ownGames()[this.id]?.told === links.number;
  }

  /** @param {LinksState} links */
  noteSent(links) {
    keep(this.id, { told: links.number });
  }
}
