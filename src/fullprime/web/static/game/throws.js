// @ts-check
/** The links that this page gives for the dice of its game, when they are needed (docs/dice.md). */

import { OwnLinks } from "/static/game/links.js";
import { call, keep, keyOf, ownGames, Refusal } from "/static/parts/api.js";

/** @typedef {import("/static/parts/state").GameState} GameState */

export class Throws {
  /** @param {import("/static/game/table.js").Table} table @param {(text: string) => void} problem */
  constructor(table, problem) {
    this.table = table;
    this.problem = problem;
    this.chains = new OwnLinks(table.id);
    this.answering = 0;
    this.seeding = false;
  }

  get links() {
    return this.table.state?.links ?? null;
  }
  get key() {
    return keyOf(this.table.id);
  }
  /** True if this page has the link that the server waits for. */
  get hasLink() {
    return Boolean(this.links && this.table.giver && this.chains.next(this.links, this.table.giver));
  }
  /** True if the link of the next throw has been sent: only the roll is left. */
  get isSent() {
    return Boolean(this.links && this.chains.hasSent(this.links));
  }

  /**
   * The link that goes with a roll, or undefined where it needs none of ours. A page that has no chain here begins one.
   */
  async link() {
    const { links, table } = this;
    const side = table.giver;
    if (!links || !side || table.gameOver || !links.needed.includes(side)) return undefined;
    let link = this.chains.next(links, side);
    if (!link) {
      const anchor = this.chains.anchor(side, links.number, links.length);
      await call(`/games/${table.id}/chain`, { number: links.number, anchor }, this.key);
      links.chains.push({ whose: side, first: links.number, anchor });
      link = this.chains.next(links, side);
    }
    this.chains.noteSent(links);
    return link ?? undefined;
  }

  /** Give the link that the server waits for, as soon as it is known. @param {GameState} next */
  async give({ links, you }) {
    const side = you === "both" ? "X" : you;
    if (!links || !side || !links.awaits.includes(side) || this.answering === links.number) return;
    const link = this.chains.next(links, side);
    if (!link) return;
    this.answering = links.number;
    this.chains.noteSent(links);
    for (let tries = 0; tries < 5; tries++) {
      try {
        await call(`/games/${this.table.id}/link`, { number: links.number, link }, this.key);
        break;
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 0) break;
        await new Promise((done) => {
          setTimeout(done, 400 * (tries + 1));
        });
      }
    }
    this.answering = 0;
  }

  /** From now on the links of this seat come from here; the page that gave them before gives none any more. */
  async here() {
    const { links } = this;
    const side = this.table.giver;
    if (!links || !side) return;
    const anchor = this.chains.anchor(side, links.number, links.length);
    await call(`/games/${this.table.id}/chain`, { number: links.number, anchor }, this.key).catch((error) =>
      this.problem(error.message),
    );
  }

  /** Our part of the dice is chosen only now that the server has committed to its own. */
  async seed() {
    const { state, giver, id } = this.table;
    if (!giver || !state.missing_seeds.includes(giver) || this.seeding) return;
    this.seeding = true;
    const seed = this.chains.anchor(giver, 1, state.links.length);
    keep(id, { seed, commitment: ownGames()[id]?.commitment ?? state.commitment });
    await call(`/games/${id}/seed`, { seed, links: true }, this.key).catch((error) => this.problem(error.message));
  }
}
