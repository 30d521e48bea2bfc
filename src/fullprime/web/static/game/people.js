// @ts-check
/** The people at the board: their ratings beside their names, and their changes by a rated match. */

import { call, keyOf, Refusal } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";
import { signed } from "/static/parts/words.js";

/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {import("/static/game/table.js").Table} Table */

/**
 * @typedef {{name: string, rating: {rating: number, provisional: boolean} | null, change: {before: number, after: number} | null}} SeatedAccount
 */

/** The accounts at a board, fetched when a player comes, and once more at the end. */
export class People {
  /** @param {Table} table @param {() => void} changed called when more is known */
  constructor(table, changed) {
    this.table = table;
    this.changed = changed;
    this.known = "";
    /** @type {Record<Side, SeatedAccount | null>} */
    this.accounts = { X: null, O: null };
  }

  /** Ask for the accounts, unless they are those of the state already. */
  async look() {
    const { state, id } = this.table;
    if (state?.status === "waiting") return;
    const wanted = `${state?.names}:${state?.status}`;
    if (wanted === this.known) return;
    this.known = wanted;
    try {
      const { x, o } = await call(`/games/${id}/people`, undefined, keyOf(id));
      if (this.known !== wanted) return; // a later look counts
      this.accounts = { X: x, O: o };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (this.known === wanted) this.known = "";
    }
    this.changed();
    this.offerFollow();
  }

  /** Offer to follow the other account at the end of a match, where one plays with an account of one's own. */
  async offerFollow() {
    const { state } = this.table;
    if (state?.status !== "over" || (state.you !== "X" && state.you !== "O")) return;
    const rival = this.accounts[state.you === "X" ? "O" : "X"];
    if (!rival || !this.accounts[state.you]) return;
    const place = el("div", { class: "follow-offer" });
    byId("end").querySelector(".rated")?.after(place);
    const { offerFollowOfRival } = await import("/static/accounts/friends.js");
    await offerFollowOfRival(place, rival.name).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
    });
  }

  /**
   * The rating of a side, after a rated match with its change; null without one.
   * @param {Side} side
   */
  rating(side) {
    const account = this.accounts[side];
    if (!account?.rating) return null;
    const { change } = account;
    const { rating, provisional } = account.rating;
    const moved = change ? ` ${signed(change.after - change.before, 0)}` : "";
    return el(
      "span",
      { class: "rating", title: provisional ? t("Rating, not certain yet") : t("Rating") },
      `${change?.after ?? rating}${provisional ? "?" : ""}${moved}`,
    );
  }

  /**
   * A dot that says whether the other player is there.
   * @param {Side} side
   */
  presence(side) {
    const { state } = this.table;
    if (state.you === side || state.status === "over") return null;
    const isAway = Boolean(state.away[side]);
    const words = isAway ? t("away") : t("here");
    return el("span", { class: `presence${isAway ? " away" : ""}`, role: "img", "aria-label": words, title: words });
  }

  /** The signs after the name of a side. @param {Side} side */
  signs(side) {
    return [this.rating(side), this.presence(side)].filter((sign) => sign !== null);
  }

  /** The change of one's own rating by the match, in words; "" where it has changed none. */
  change() {
    const { you } = this.table.state;
    const change = you === "X" || you === "O" ? this.accounts[you]?.change : null;
    return change ? t`Your rating: ${String(change.before)} → ${String(change.after)}.` : "";
  }
}
