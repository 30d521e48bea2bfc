// @ts-check
/**
 * Dice thrown by this device: by chance alone, or from a chain of links that it has promised together with numbers that
 * the players say, by the formula of docs/dice.md, so that every throw can be proved afterwards.
 */

import { chainOf, diceOf, hashText, hex } from "/static/game/links.js";
import { randomSeed } from "/static/parts/api.js";
import { tableOf } from "/static/real/sitting.js";

/** @typedef {import("/static/real/sitting.js").Sitting} Sitting */
/** @typedef {NonNullable<Sitting["proof"]>} Promised */
/** @typedef {import("/static/parts/state").DiceProof} DiceProof */
/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {{first: number, links: Uint8Array[]}} Chain */

const FORMULA = "fullprime-2";
const LENGTH = 4096;
const SIDES = /** @type {Side[]} */ (["X", "O"]);
/** Chains by their secret: each takes some 4,000 hashes. */
const chainsBySecret = /** @type {Map<string, Uint8Array[]>} */ (new Map());

/** A die by chance: bytes that would make some faces likelier are passed over. */
export function randomDie() {
  const bytes = new Uint8Array(16);
  for (;;) {
    crypto.getRandomValues(bytes);
    for (const byte of bytes) if (byte < 252) return (byte % 6) + 1;
  }
}

/** @param {string} secret */
function linksOf(secret) {
  const links = chainsBySecret.get(secret) ?? chainOf(secret, LENGTH);
  chainsBySecret.set(secret, links);
  return links;
}

/** The promise of the device, made before the players give numbers. @returns {Promised} */
export function makePromise() {
  const secret = randomSeed() + randomSeed();
  return { secret, commitment: hex(linksOf(secret)[0]), seeds: [] };
}

/** Whether a promise is the anchor of a chain: an older one is not proved any more. @param {Promised} proof */
export const isPromised = ({ secret, commitment }) => hex(linksOf(secret)[0]) === commitment;

/**
 * The two parts of the formula: the first player's number, and those of all others in a row.
 * @param {string[]} seeds
 */
const parts = (seeds) => [seeds[0] ?? "", seeds.slice(1).join("").slice(0, 64)];

/**
 * The chains for throws by these sides (null: an opening): before an opening a new one begins when half of the links
 * are used.
 * @param {string} secret
 * @param {(number | null)[]} throwers
 * @returns {Chain[]}
 */
function chainsFor(secret, throwers) {
  const chains = [{ first: 1, links: linksOf(secret) }];
  throwers.forEach((who, at) => {
    const first = at + 1;
    const left = chains[chains.length - 1].first + LENGTH - first;
    if (who === null && left < LENGTH / 2) chains.push({ first, links: linksOf(hashText(`${secret}:${first}`)) });
  });
  return chains;
}

/** The device's link of a throw. @param {Chain[]} chains @param {number} number */
function linkOf(chains, number) {
  const serving = chains.filter((chain) => chain.first <= number);
  const { first, links } = serving[serving.length - 1];
  return hex(links[number - first + 1]);
}

/** The next throw of a sitting. @param {Sitting} sitting @returns {number[]} */
export function nextThrow(sitting) {
  if (!sitting.proof || !isPromised(sitting.proof)) return [randomDie(), randomDie()];
  const { secret, seeds } = sitting.proof;
  const [x, o] = parts(seeds);
  const { throwers, phase, turn } = tableOf(sitting);
  const number = throwers.length + 1;
  const chains = chainsFor(secret, [...throwers, phase === "opening" ? null : turn]);
  return diceOf(`${FORMULA}:${number}:${linkOf(chains, number)}:${x}:${o}`, 2);
}

/**
 * The proof, for the page and the program that check the proofs of games on a server: the device stands for the server,
 * and the players give no links. Annulled throws stand in it.
 * @param {Sitting} sitting
 * @returns {DiceProof | null}
 */
export function proofOf(sitting) {
  if (!sitting.proof) return null;
  const { secret, commitment, seeds } = sitting.proof;
  const [X, O] = parts(seeds);
  const { throwers } = tableOf(sitting);
  const chains = chainsFor(secret, throwers);
  const throws = sitting.events
    .filter((event) => event.k === "throw")
    .map(({ dice = [] }, at) => {
      const who = throwers[at];
      const by = who === null ? /** @type {const} */ ("both") : SIDES[who];
      return {
        number: at + 1,
        by,
        server: linkOf(chains, at + 1),
        x: X,
        o: O,
        links: /** @type {Side[]} */ ([]),
        without: /** @type {Side[]} */ ([]),
        dice,
      };
    });
  return {
    formula: FORMULA,
    commitment,
    seeds: { X, O },
    secret,
    throws: throws.map(({ dice }) => dice),
    drawn: throws.map(({ number }) => 2 * number - 2),
    links: {
      game: sitting.id,
      names: sitting.names,
      seats: ["human", "human"],
      length: LENGTH,
      givers: ["X", "X"],
      chains: chains.map(({ first, links }) => ({ whose: "server", first, anchor: hex(links[0]) })),
      throws,
    },
  };
}
