// @ts-check
/** The dice, thrown again in this browser from the seeds. docs/web-api.md has the formula. */

import { call, keyOf, ownGames } from "/static/parts/api.js";
import { ask } from "/static/parts/dialogs.js";
import { el } from "/static/parts/page.js";

/** @typedef {import("/static/parts/state").DiceProof} DiceProof */

/** @param {Uint8Array} bytes */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} text */
const sha256 = async (text) => new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

/** The first `count` dice of a seed. @param {string} seed @param {number} count */
export async function diceOf(seed, count) {
  const dice = /** @type {number[]} */ ([]);
  for (let block = 0; dice.length < count; block++) {
    for (const byte of await sha256(`${seed}:${block}`)) if (byte < 252) dice.push((byte % 6) + 1);
  }
  return dice.slice(0, count);
}

/**
 * What the check finds: a sentence, and whether all is well.
 * @param {DiceProof} proof of a game that is over @param {{commitment?: string, seed?: string} | undefined} own
 * @returns {Promise<[string, boolean]>}
 */
export async function check(proof, own) {
  if (await sha256(proof.secret).then(hex) !== proof.commitment) return ["The secret is not the one the server committed to.", false];
  if (own?.commitment && own.commitment !== proof.commitment) return ["The commitment is not the one given before the game.", false];
  if (own?.seed && !Object.values(proof.seeds).includes(own.seed)) return ["Your seed is not among the seeds.", false];
  // After a takeback the dice come again: each throw says how many dice of the seed were before it.
  const dice = await diceOf(`${proof.formula}:${proof.secret}:${proof.seeds.X}:${proof.seeds.O}`, Math.max(0, ...proof.drawn) + 2);
  const wrong = proof.throws.findIndex(([a, b], at) => {
    const [x, y] = dice.slice(proof.drawn[at], proof.drawn[at] + 2);
    return !((a === x && b === y) || (a === y && b === x));
  });
  if (wrong >= 0) return [`Throw ${wrong + 1} does not follow from the seeds.`, false];
  return [`All ${proof.throws.length} throws follow from the seeds.`, true];
}

/** @param {string} name @param {string} value */
function fact(name, value) {
  return [el("dt", {}, name), el("dd", {}, el("code", {}, value || "nothing"))];
}

/** @param {string} id */
export async function showProof(id) {
  /** @type {DiceProof & {error?: string}} */
  const proof = await call(`/games/${id}/proof`, undefined, keyOf(id)).catch((error) => ({ error: error.message }));
  if (proof.error) return ask("Dice", [proof.error], [["", "Close", "primary"]]);
  const body = [
    el("p", {}, "Before the game the server commits to a secret; then each player's browser adds a seed. Every throw follows from them, so that nobody can choose the dice."),
    el("dl", {}, ...fact("Commitment", proof.commitment), ...fact("Seed of X", proof.seeds.X), ...fact("Seed of O", proof.seeds.O),
      ...(proof.secret ? fact("Secret", proof.secret) : [])),
  ];
  if (!proof.secret) body.push(el("p", {}, "The secret is told when nothing more is played; then every throw can be checked here."));
  else if (!globalThis.crypto?.subtle) body.push(el("p", {}, "This browser checks only on a secure connection; fullprime verify does it anywhere."));
  else {
    const [said, well] = await check(proof, ownGames()[id]);
    body.push(el("p", { class: well ? "good" : "bad", id: "proof-verdict" }, said));
  }
  return ask("Dice", body, [["", "Close", "primary"]]);
}
