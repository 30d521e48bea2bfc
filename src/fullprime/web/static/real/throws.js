// @ts-check
/**
 * Dice thrown by this device: by chance alone, or from a secret that it has promised together with numbers that the players
 * say, by the formula `fullprime-1` of docs/dice.md, so that every throw can be proved afterwards.
 */

import { randomSeed } from "/static/parts/api.js";
import { diceOf, hashText } from "/static/game/links.js";

/** @typedef {import("/static/real/sitting.js").Sitting} Sitting */

const FORMULA = "fullprime-1";

/** A die by chance: bytes that would make some faces likelier are passed over. */
export function die() {
  const bytes = new Uint8Array(16);
  for (;;) {
    crypto.getRandomValues(bytes);
    for (const byte of bytes) if (byte < 252) return byte % 6 + 1;
  }
}

/** What the device promises before anybody says a number. */
export function promise() {
  const secret = randomSeed() + randomSeed();
  return { secret, commitment: hashText(secret), seeds: /** @type {string[]} */ ([]) };
}

/** The two parts of the formula: the first player's number, and those of all others in a row. @param {string[]} seeds */
const parts = (seeds) => [seeds[0] ?? "", seeds.slice(1).join("").slice(0, 64)];

/** Throws of this device so far, the annulled ones among them. @param {Sitting} sitting */
const made = (sitting) => sitting.events.filter((event) => event.k === "throw");

/** The next throw of a sitting. @param {Sitting} sitting @returns {number[]} */
export function nextThrow(sitting) {
  if (!sitting.proof) return [die(), die()];
  const { secret, seeds } = sitting.proof, [x, o] = parts(seeds), at = 2 * made(sitting).length;
  return diceOf(`${FORMULA}:${secret}:${x}:${o}`, at + 2).slice(at);
}

/** The proof, for the page and the program that check the proofs of games on a server. @param {Sitting} sitting */
export function proofOf(sitting) {
  if (!sitting.proof) return null;
  const { secret, commitment, seeds } = sitting.proof, [X, O] = parts(seeds), thrown = made(sitting);
  return {
    formula: FORMULA, commitment, seeds: { X, O }, secret, links: null,
    throws: thrown.map(({ dice }) => dice), drawn: thrown.map((_, at) => 2 * at),
  };
}
