// @ts-check
/** The dice, thrown again in this browser from their links (docs/dice.md). */

import { gameCounts } from "/static/game/dice-counts.js";
import { diceOf, hashLink, hashText } from "/static/game/links.js";
import { call, keyOf, ownGames } from "/static/parts/api.js";
import { ask } from "/static/parts/dialogs.js";
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
 * Check a proof; gives a sentence, and whether all is well.
 * @param {DiceProof} proof @param {Own} [own] the facts of the game that this browser has itself
 * @returns {[string, boolean]}
 */
export function check(proof, own) {
  if (proof.formula !== FORMULA)
    return [t`The formula ${proof.formula} is unknown: only ${FORMULA} is checked.`, false];
  if (own?.commitment && own.commitment !== proof.commitment)
    return [t("The server's commitment is not the one given before the game."), false];
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

  /**
   * Whether a link is that of its number in a chain.
   * @param {string} whose
   * @param {number} number
   * @param {string} link
   */
  fits(whose, number, link) {
    const chain = (this.known.get(whose) ?? []).filter((part) => part.first <= number).pop();
    if (!chain || !/^[0-9a-f]{64}$/.test(link) || number >= chain.first + this.length) return false;
    if (number <= chain.top) return hashLink(chain.link, chain.top - number) === link;
    if (hashLink(link, number - chain.top) !== chain.link) return false;
    chain.top = number;
    chain.link = link;
    return true;
  }

  /** The part of a side that gives no link to a throw. @param {Side} side */
  part(side) {
    return this.newest.get(side) ?? this.seeds[side] ?? "";
  }
}

/**
 * True if all is in the form that docs/dice.md says; nothing has been hashed yet.
 * @param {LinkedProof} links
 * @param {DiceProof} proof
 */
function isInForm(links, { seeds, secret }) {
  /** @param {unknown} link */
  const isLink = (link) => typeof link === "string" && /^[0-9a-f]{64}$/.test(link);
  const begun = new Set();
  let from = 1;
  for (const { whose, first, anchor } of links.chains) {
    const firstOfAll =
      !begun.has(whose) && (first !== 1 || (whose !== "server" && seeds[/** @type {Side} */ (whose)] !== anchor));
    if (
      !["server", ...SIDES].includes(whose) ||
      !Number.isInteger(first) ||
      first < from ||
      !isLink(anchor) ||
      firstOfAll
    )
      return false;
    from = first;
    begun.add(whose);
  }
  const pairs = links.givers.join();
  return (
    links.length === 4096 &&
    (pairs === "X,X" || (pairs === "X,O" && links.seats.every((seat) => seat === "human"))) &&
    SIDES.every((side) => /^[0-9a-f]{0,64}$/.test(seeds[side] ?? "")) &&
    (secret === null || isLink(secret)) &&
    links.throws.every(
      (proved) =>
        Number.isInteger(proved.number) &&
        ["both", ...SIDES].includes(proved.by) &&
        proved.dice.length === 2 &&
        proved.dice.every((die) => Number.isInteger(die)) &&
        [proved.links, proved.without].every((list) => ["", "X", "O", "X,O"].includes(list.join())),
    )
  );
}

/** @param {DiceProof} proof @param {LinkedProof} links @param {Own} [own] @returns {[string, boolean]} */
function checkLinks(proof, links, own) {
  const first = links.chains.find((chain) => chain.whose === "server");
  if (first?.anchor !== proof.commitment) return [t("The server's chain is not the one it committed to."), false];
  if (proof.secret && hashLink(proof.secret, 4096) !== proof.commitment)
    return [t("The secret is not that of the server's chain."), false];
  if (own?.seed?.length === 64 && own.dice && !links.chains.some((chain) => chain.anchor === own.seed))
    return [t("Your browser's chain is not among the chains."), false];
  // A page that has sent an anchor as O throws with links of its own: a proof that names X alone leaves them out.
  const giver = links.chains.find((chain) => chain.anchor === own?.seed)?.whose;
  if (giver === "O" && links.givers[1] !== "O") return [t("Your browser's links are not those of your throws."), false];
  if (!isInForm(links, proof)) return [t("This proof is not in the form of its document."), false];
  const openings = links.throws.filter((proved) => proved.by === "both").map((proved) => proved.number);
  const last = Math.max(0, ...links.throws.map((proved) => proved.number));
  const mine = links.chains.filter((chain) => chain.whose === "server");
  for (let at = 1; at < mine.length; at++) {
    const { first: from, anchor } = mine[at];
    if (mine[at - 1].first + links.length - from >= links.length / 2 || (!openings.includes(from) && from <= last))
      return [t`The server had no reason to begin a chain at throw ${from}.`, false];
    if (proof.secret && hashLink(hashText(`${proof.secret}:${from}`), links.length) !== anchor)
      return [t`The server's chain from throw ${from} on is not that of its secret.`, false];
  }
  const chains = new Chains(links, proof.seeds);
  const diceByNumber = /** @type {Map<number, string>} */ (new Map());
  let before = 0;
  let alone = 0;
  for (const proved of links.throws) {
    const came = diceByNumber.get(proved.number);
    const dice = proved.dice.join();
    if (came && (links.givers[1] === "O" || came !== dice))
      return [t`Throw ${proved.number} came again with other dice, or where nothing is taken back.`, false];
    diceByNumber.set(proved.number, dice);
    const fault =
      proved.number < 1 || proved.number > before + 1
        ? t("is not the next one")
        : throwFault(proved, chains, links.givers);
    if (fault) return [t`Throw ${proved.number} ${fault}.`, false];
    before = proved.number;
    alone += proved.links.length ? 0 : 1;
  }
  if (proof.secret || proof.throws || proof.drawn) {
    const its = [links.throws.map((proved) => proved.dice), links.throws.map((proved) => 2 * proved.number - 2)];
    if (JSON.stringify([proof.throws, proof.drawn]) !== JSON.stringify(its))
      return [t("The throws that are told are not those of the links."), false];
  }
  const count = links.throws.length;
  const all = proof.secret
    ? plural(count, "The throw follows from the links.", "All {n} throws follow from the links.")
    : plural(count, "The throw so far follows from the links.", "All {n} throws so far follow from the links.");
  const verdict = count ? all : t("Nothing has been thrown yet.");
  const warning =
    alone === count
      ? plural(
          alone,
          "The server knew it before, since no player gave a link for it.",
          "The server knew them before, since no player gave a link for them.",
        )
      : plural(
          alone,
          "The server knew {n} of them before, since no player gave a link for it.",
          "The server knew {n} of them before, since no player gave a link for them.",
        );
  return [alone ? `${verdict} ${warning}` : verdict, true];
}

/** The fault of one throw, or "". @param {ProvedThrow} proved @param {Chains} chains @param {Side[]} givers */
function throwFault(proved, chains, givers) {
  chains.begin(proved.number);
  if (!chains.fits("server", proved.number, proved.server)) return t("has a link that is not the server's");
  const wanted =
    proved.by === "both" ? SIDES.filter((side) => givers.includes(side)) : [givers[SIDES.indexOf(proved.by)]];
  const needed = wanted.filter((side) => chains.known.has(side)).join();
  if (SIDES.filter((side) => proved.links.includes(side) !== proved.without.includes(side)).join() !== needed)
    return t("does not name the links it needs");
  for (const side of SIDES) {
    const part = side === "X" ? proved.x : proved.o;
    if (!proved.links.includes(side)) {
      if (part !== chains.part(side)) return t`has a wrong part of ${side}`;
    } else if (chains.fits(side, proved.number, part)) chains.newest.set(side, part);
    else return t`has a link that is not ${side}'s`;
  }
  const [a, b] = diceOf(`${FORMULA}:${proved.number}:${proved.server}:${proved.x}:${proved.o}`, 2);
  return a === proved.dice[0] && b === proved.dice[1] ? "" : t("does not follow from its links");
}

/** @param {string} name @param {string} value */
function factRow(name, value) {
  return [el("dt", {}, name), el("dd", {}, el("code", {}, value || t("nothing")))];
}

/** In plain words how fair the dice are, for this game. @param {DiceProof} proof */
function fairnessWords(proof) {
  const promised = SIDES.filter((side) => proof.links.chains.some((chain) => chain.whose === side));
  const bot = proof.links.seats.some((seat) => seat !== "human");
  if (!promised.length)
    return t(
      "The server committed to its dice before the game, and cannot change them. It knows them before they fall, since no player gives links.",
    );
  return t`Each throw is made of two numbers that were promised before the game: one of the server and one of ${bot ? t("your browser") : t("the player who throws")}. Neither knows the other's before the throw, so that nobody can foresee or choose the dice.${bot ? t(" The bot belongs to the server; its throws need a number of your browser, too.") : ""}`;
}

/** @param {DiceProof} proof */
function saveLinks(proof) {
  const link = /** @type {HTMLAnchorElement} */ (
    el("a", { download: `dice-${proof.links.game}.json` }, t("Save the proof"))
  );
  link.href = URL.createObjectURL(new Blob([JSON.stringify(proof, null, 1)], { type: "application/json" }));
  return el(
    "p",
    { class: "row links" },
    link,
    el("a", { href: "/verify.html", download: "verify.html" }, t("Save a page that checks it")),
    el("a", { href: "/static/verify/verify_dice.py", download: "verify_dice.py" }, t("or a program")),
  );
}

/** @param {string} id */
export async function showProof(id) {
  /** @type {DiceProof & {error?: string}} */
  const proof = await call(`/games/${id}/proof`, undefined, keyOf(id)).catch((error) => ({ error: error.message }));
  if (proof.error) return ask(t("Dice"), [proof.error], [["", t("Close"), "primary"]]);
  const [verdict, well] = check(proof, ownGames()[id]);
  const body = [
    el("p", {}, fairnessWords(proof)),
    el("p", { class: well ? "good" : "bad", id: "proof-verdict", tabindex: "-1", autofocus: "" }, verdict),
    ...(await gameCounts(id, proof.links.names)),
  ];
  body.push(
    el(
      "dl",
      {},
      ...factRow(t("Commitment"), proof.commitment),
      ...factRow(t("Seed of X"), proof.seeds.X),
      ...factRow(t("Seed of O"), proof.seeds.O),
      ...(proof.secret ? factRow(t("Secret"), proof.secret) : []),
    ),
  );
  body.push(saveLinks(proof));
  return ask(t("Dice"), body, [["", t("Close"), "primary"]]);
}
