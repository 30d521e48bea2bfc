// @ts-check
/** The dice, thrown again in this browser from their links (docs/dice.md). */

import { call, keyOf, ownGames } from "/static/parts/api.js";
import { ask } from "/static/parts/dialogs.js";
import { diceOf, hashText, hashed } from "/static/game/links.js";
import { el } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").DiceProof} DiceProof */
/** @typedef {import("/static/parts/state").LinkedProof} LinkedProof */
/** @typedef {import("/static/parts/state").ProvedThrow} ProvedThrow */
/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {{commitment?: string, seed?: string, dice?: string}} Own */

const FORMULA = "fullprime-2";
const SIDES = /** @type {Side[]} */ (["X", "O"]);

/**
 * What the check finds: a sentence, and whether all is well.
 * @param {DiceProof} proof @param {Own} [own] what this browser knows of the game itself
 * @returns {[string, boolean]}
 */
export function check(proof, own) {
  if (proof.formula !== FORMULA) return [t`The formula ${proof.formula} is unknown: only ${FORMULA} is checked.`, false];
  if (own?.commitment && own.commitment !== proof.commitment) return [t("The server's commitment is not the one given before the game."), false];
  return checkLinks(proof, proof.links, own);
}

/** Follows the chains from throw to throw. */
class Chains {
  /** @param {LinkedProof} links @param {Record<Side, string>} seeds */
  constructor(links, seeds) {
    this.waiting = [...links.chains];
    this.length = links.length;
    this.seeds = seeds;
    this.known = /** @type {Map<string, {first: number, anchor: string, top: number, link: string}[]>} */ (new Map());
    this.newest = /** @type {Map<string, string>} */ (new Map());
  }

  /** @param {number} number */
  begin(number) {
    while (this.waiting.length && this.waiting[0].first <= number) {
      const { whose, first, anchor } = this.waiting.shift();
      this.known.set(whose, [...(this.known.get(whose) ?? []), { first, anchor, top: first - 1, link: anchor }]);
      this.newest.set(whose, anchor);
    }
  }

  /** Whether a link is that of its number in a chain. @param {string} whose @param {number} number @param {string} link */
  fits(whose, number, link) {
    const chain = (this.known.get(whose) ?? []).filter((each) => each.first <= number).pop();
    if (!chain || !/^[0-9a-f]{64}$/.test(link) || number >= chain.first + this.length) return false;
    if (number <= chain.top) return hashed(chain.link, chain.top - number) === link;
    if (hashed(link, number - chain.top) !== chain.link) return false;
    chain.top = number;
    chain.link = link;
    return true;
  }

  /** What a side adds that gives no link to a throw. @param {Side} side */
  part(side) { return this.newest.get(side) ?? this.seeds[side] ?? ""; }
}

/** True if all is in the form that docs/dice.md says; nothing has been hashed yet. @param {LinkedProof} links @param {DiceProof} proof */
function isInForm(links, { seeds, secret }) {
  /** @param {unknown} link */
  const isLink = (link) => typeof link === "string" && /^[0-9a-f]{64}$/.test(link);
  const begun = new Set();
  let from = 1;
  for (const { whose, first, anchor } of links.chains) {
    const firstOfAll = !begun.has(whose) && (first !== 1 || (whose !== "server" && seeds[/** @type {Side} */ (whose)] !== anchor));
    if (!["server", ...SIDES].includes(whose) || !Number.isInteger(first) || first < from || !isLink(anchor) || firstOfAll) return false;
    from = first;
    begun.add(whose);
  }
  const pairs = links.givers.join();
  return links.length === 4096 && (pairs === "X,X" || (pairs === "X,O" && links.seats.every((seat) => seat === "human")))
    && SIDES.every((side) => /^[0-9a-f]{0,64}$/.test(seeds[side] ?? "")) && (secret === null || isLink(secret))
    && links.throws.every((each) => Number.isInteger(each.number) && ["both", ...SIDES].includes(each.by) && each.dice.length === 2
      && each.dice.every((die) => Number.isInteger(die)) && [each.links, each.without].every((list) => ["", "X", "O", "X,O"].includes(list.join())));
}

/** @param {DiceProof} proof @param {LinkedProof} links @param {Own} [own] @returns {[string, boolean]} */
function checkLinks(proof, links, own) {
  const first = links.chains.find((each) => each.whose === "server");
  if (first?.anchor !== proof.commitment) return [t("The server's chain is not the one it committed to."), false];
  if (proof.secret && hashed(proof.secret, 4096) !== proof.commitment) return [t("The secret is not that of the server's chain."), false];
  if (own?.seed?.length === 64 && own.dice && !links.chains.some((each) => each.anchor === own.seed)) return [t("Your browser's chain is not among the chains."), false];
  // Who has told an anchor as O throws with links of its own: a proof that names X alone passes them over.
  const giver = links.chains.find((each) => each.anchor === own?.seed)?.whose;
  if (giver === "O" && links.givers[1] !== "O") return [t("Your browser's links are not those of your throws."), false];
  if (!isInForm(links, proof)) return [t("This proof is not in the form of its document."), false];
  const openings = links.throws.filter((each) => each.by === "both").map((each) => each.number);
  const last = Math.max(0, ...links.throws.map((each) => each.number));
  const mine = links.chains.filter((each) => each.whose === "server");
  for (let at = 1; at < mine.length; at++) {
    const { first: from, anchor } = mine[at];
    if (mine[at - 1].first + links.length - from >= links.length / 2 || (!openings.includes(from) && from <= last)) return [t`The server had no reason to begin a chain at throw ${from}.`, false];
    if (proof.secret && hashed(hashText(`${proof.secret}:${from}`), links.length) !== anchor) return [t`The server's chain from throw ${from} on is not that of its secret.`, false];
  }
  const chains = new Chains(links, proof.seeds);
  const seen = /** @type {Map<number, string>} */ (new Map());
  let before = 0, alone = 0;
  for (const each of links.throws) {
    const came = seen.get(each.number), dice = each.dice.join();
    if (came && (links.givers[1] === "O" || came !== dice)) return [t`Throw ${each.number} came again with other dice, or where nothing is taken back.`, false];
    seen.set(each.number, dice);
    const fault = each.number < 1 || each.number > before + 1 ? t("is not the next one") : thrown(each, chains, links.givers);
    if (fault) return [t`Throw ${each.number} ${fault}.`, false];
    before = each.number;
    alone += each.links.length ? 0 : 1;
  }
  if (proof.secret || proof.throws || proof.drawn) {
    const its = [links.throws.map((each) => each.dice), links.throws.map((each) => 2 * each.number - 2)];
    if (JSON.stringify([proof.throws, proof.drawn]) !== JSON.stringify(its)) return [t("The throws that are told are not those of the links."), false];
  }
  const count = links.throws.length;
  const all = proof.secret ? plural(count, "The throw follows from the links.", "All {n} throws follow from the links.")
    : plural(count, "The throw so far follows from the links.", "All {n} throws so far follow from the links.");
  const said = count ? all : t("Nothing has been thrown yet.");
  const known = alone === count ? plural(alone, "The server knew it before, since no player gave a link for it.", "The server knew them before, since no player gave a link for them.")
    : plural(alone, "The server knew {n} of them before, since no player gave a link for it.", "The server knew {n} of them before, since no player gave a link for them.");
  return [alone ? `${said} ${known}` : said, true];
}

/** The fault of one throw, or "". @param {ProvedThrow} each @param {Chains} chains @param {Side[]} givers */
function thrown(each, chains, givers) {
  chains.begin(each.number);
  if (!chains.fits("server", each.number, each.server)) return t("has a link that is not the server's");
  const wanted = each.by === "both" ? SIDES.filter((side) => givers.includes(side)) : [givers[SIDES.indexOf(each.by)]];
  const needed = wanted.filter((side) => chains.known.has(side)).join();
  if (SIDES.filter((side) => each.links.includes(side) !== each.without.includes(side)).join() !== needed) return t("does not name the links it needs");
  for (const side of SIDES) {
    const part = side === "X" ? each.x : each.o;
    if (!each.links.includes(side)) {
      if (part !== chains.part(side)) return t`has a wrong part of ${side}`;
    } else if (chains.fits(side, each.number, part)) chains.newest.set(side, part);
    else return t`has a link that is not ${side}'s`;
  }
  const [a, b] = diceOf(`${FORMULA}:${each.number}:${each.server}:${each.x}:${each.o}`, 2);
  return a === each.dice[0] && b === each.dice[1] ? "" : t("does not follow from its links");
}

/** @param {string} name @param {string} value */
function fact(name, value) {
  return [el("dt", {}, name), el("dd", {}, el("code", {}, value || t("nothing")))];
}

/** In plain words how fair the dice are, for this game. @param {DiceProof} proof */
function words(proof) {
  const promised = SIDES.filter((side) => proof.links.chains.some((each) => each.whose === side));
  const bot = proof.links.seats.some((seat) => seat !== "human");
  if (!promised.length) return t("The server committed to its dice before the game, and cannot change them. It knows them before they fall, since no player gives links.");
  return t`Each throw is made of two numbers that were promised before the game: one of the server and one of ${bot ? t("your browser") : t("the player who throws")}. Neither knows the other's before the throw, so that nobody can foresee or choose the dice.${bot ? t(" The bot belongs to the server; its throws need a number of your browser, too.") : ""}`;
}

/** @param {DiceProof} proof */
function file(proof) {
  const link = /** @type {HTMLAnchorElement} */ (el("a", { download: `dice-${proof.links.game}.json` }, t("Save the proof")));
  link.href = URL.createObjectURL(new Blob([JSON.stringify(proof, null, 1)], { type: "application/json" }));
  return el("p", { class: "row links" }, link, el("a", { href: "/verify.html", download: "verify.html" }, t("Save a page that checks it")),
    el("a", { href: "/static/verify/verify_dice.py", download: "verify_dice.py" }, t("or a program")));
}

/** @param {string} id */
export async function showProof(id) {
  /** @type {DiceProof & {error?: string}} */
  const proof = await call(`/games/${id}/proof`, undefined, keyOf(id)).catch((error) => ({ error: error.message }));
  if (proof.error) return ask(t("Dice"), [proof.error], [["", t("Close"), "primary"]]);
  const [said, well] = check(proof, ownGames()[id]);
  const body = [el("p", {}, words(proof)), el("p", { class: well ? "good" : "bad", id: "proof-verdict" }, said)];
  body.push(el("dl", {}, ...fact(t("Commitment"), proof.commitment), ...fact(t("Seed of X"), proof.seeds.X), ...fact(t("Seed of O"), proof.seeds.O),
    ...(proof.secret ? fact(t("Secret"), proof.secret) : [])));
  body.push(file(proof));
  return ask(t("Dice"), body, [["", t("Close"), "primary"]]);
}

