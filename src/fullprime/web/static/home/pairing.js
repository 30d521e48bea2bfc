// @ts-check
/** A grid of matches, by length and clock: one press finds an opponent of a near rating, another one takes it back. */

import { listen } from "/static/accounts/accounts.js";
import { call, forget, keep, ownGames, Refusal } from "/static/parts/api.js";
import { el } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";

/** @typedef {{length: number, clock: string, rated: boolean}} Pool */
/** @typedef {Pool & {waiting: number, playing: number}} PoolNow */
/** @typedef {{game: string, pool: Pool, challenge: string, key: string, leave: () => void, isMissing?: boolean}} Waiting a seek of this page */

const LENGTHS = [1, 3, 5, 7];
/** The clocks, and how long one of them is. */
const CLOCKS = /** @type {[string, () => string, () => string][]} */ ([
  ["fast", () => t("Quick"), () => t("8 s delay, 20 s a point")],
  ["medium", () => t("Normal"), () => t("10 s delay, 1 min a point")],
  ["1d", () => t("No hurry"), () => t("a day for each turn")],
]);
const UNRATED = "fullprime.unrated";
/** Milliseconds between two looks: a seek lapses when its page is silent for longer than a minute. */
const RENEWED = 8000;
const COUNTED = 15000;

/** @param {Pool} pool */
const nameOf = ({ length, clock, rated }) => `${length}:${clock}:${rated ? "rated" : "casual"}`;

/** @param {Pool} pool */
const isSlow = ({ clock }) => clock.endsWith("d");

export class Pairing {
  /**
   * @param {HTMLElement} place where the grid stands
   * @param {{name: string | null, bot: boolean}} account
   * @param {() => string | undefined} guestName
   */
  constructor(place, account, guestName) {
    this.place = place;
    this.account = account;
    this.guestName = guestName;
    /** @type {Map<string, Waiting>} the games that wait for an opponent, by pool */
    this.waiting = new Map();
    /** @type {PoolNow[]} */
    this.pools = [];
    this.isLeaving = false;
    this.isBusy = false;
    /** @type {Map<string, {button: HTMLElement, count: HTMLElement}>} by length and clock */
    this.buttons = new Map();
    this.status = el("p", { role: "status", class: "hint" });
    this.problem = el("p", { role: "alert", class: "problem" });
    this.rated = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox" }));
    this.rated.checked = Boolean(account.name) && localStorage.getItem(UNRATED) === null;
    this.rated.addEventListener("change", () => {
      if (this.rated.checked) localStorage.removeItem(UNRATED);
      else localStorage.setItem(UNRATED, "1");
      this.show();
    });
    place.replaceChildren(
      ...CLOCKS.map(([clock, word, about]) => this.row(clock, word(), about())),
      el(
        "p",
        { class: "check" },
        account.name
          ? el("label", {}, this.rated, ` ${t("Rated")}`)
          : el("span", { class: "hint" }, t("Guests play casual matches; those of accounts can be rated.")),
      ),
      this.status,
      this.problem,
    );
    addEventListener("pagehide", () => this.leave());
    setInterval(() => this.renew(), RENEWED);
    setInterval(() => document.visibilityState === "visible" && this.count(), COUNTED);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.count());
    this.show();
    this.resume();
    this.count();
  }

  /** @param {string} clock @param {string} word @param {string} about */
  row(clock, word, about) {
    const buttons = LENGTHS.map((length) => {
      const count = el("span", { class: "count" });
      const button = el(
        "button",
        { type: "button", class: "pool", "data-pool": `${length}:${clock}`, "aria-pressed": "false" },
        el("strong", {}, plural(length, "{n} point", "{n} points")),
        count,
      );
      button.addEventListener("click", () => this.press({ length, clock, rated: this.rated.checked }));
      this.buttons.set(`${length}:${clock}`, { button, count });
      return button;
    });
    return el(
      "div",
      { class: "pools", role: "group", "aria-label": `${word}: ${about}` },
      el("p", {}, el("strong", {}, word), " ", el("span", { class: "hint" }, about)),
      ...buttons,
    );
  }

  /** Show the numbers of those who wait and play, and one's own seeks. */
  show() {
    for (const [place, { button, count }] of this.buttons) {
      const [length, clock] = place.split(":");
      const pool = { length: Number(length), clock, rated: this.rated.checked };
      const isOwn = this.waiting.has(nameOf(pool));
      const now = this.pools.find((other) => nameOf(other) === nameOf(pool)) ?? { waiting: 0, playing: 0 };
      const others = now.waiting - Number(isOwn);
      button.setAttribute("aria-pressed", String(isOwn));
      count.textContent = isOwn
        ? t("You wait …")
        : [
            ...(others > 0 ? [plural(others, "{n} waits", "{n} wait")] : []),
            ...(now.playing ? [plural(now.playing, "{n} game", "{n} games")] : []),
          ].join(" · ");
      button.classList.toggle("busy", others > 0 && !isOwn);
    }
    const live = [...this.waiting.values()].find(({ pool }) => !isSlow(pool));
    const slow = [...this.waiting.values()].some(({ pool }) => isSlow(pool));
    this.status.textContent = live
      ? t("You wait for an opponent of about your strength; after a minute for anybody. Another press takes it back.")
      : slow
        ? t("You may leave this page: the match waits for an opponent, and then stands among your games.")
        : "";
  }

  /** Look for an opponent, or withdraw one's seek. @param {Pool} pool */
  async press(pool) {
    if (this.isBusy || this.isLeaving) return;
    this.isBusy = true;
    this.problem.textContent = "";
    try {
      const own = this.waiting.get(nameOf(pool));
      if (own) await this.withdraw(own);
      else {
        const live = [...this.waiting.values()].filter((other) => !isSlow(pool) && !isSlow(other.pool));
        for (const other of live) await this.withdraw(other);
        if (this.isLeaving) return;
        const seek = await call("/lobby/seek", { ...pool, name: this.guestName() });
        const challenge = seek.waiting?.id;
        keep(seek.game, {
          key: seek.key,
          commitment: seek.commitment,
          ...(challenge ? { seek: challenge, pool } : {}),
        });
        if (challenge) this.wait(seek.game, pool, challenge, seek.key);
        else this.enter(seek.game);
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.problem.textContent = error.message;
    } finally {
      this.isBusy = false;
    }
    this.count();
  }

  /**
   * Wait at the board of one's own, until an opponent sits down there.
   * @param {string} game @param {Pool} pool @param {string} challenge @param {string} key
   */
  wait(game, pool, challenge, key) {
    const leave = listen(
      `/games/${game}/stream?tree=false`,
      ({ state }) => {
        if (!state.free_seat) this.begin(game, pool);
      },
      key,
    );
    this.waiting.set(nameOf(pool), { game, pool, challenge, key, leave });
    this.show();
  }

  /** Forget the seek of this page in a pool. @param {Pool} pool */
  stop(pool) {
    this.waiting.get(nameOf(pool))?.leave();
    this.waiting.delete(nameOf(pool));
    this.show();
  }

  /** Go to the board: an opponent has come. @param {string} game @param {Pool} pool */
  begin(game, pool) {
    keep(game, { seek: undefined, pool: undefined });
    this.stop(pool);
    this.enter(game);
  }

  /** @param {string} game */
  enter(game) {
    if (this.isLeaving) return;
    this.isLeaving = true;
    location.href = `/game/${game}`;
  }

  /** Take a seek back; an opponent may have come just now. @param {Waiting} seek */
  async withdraw({ game, pool, challenge, key }) {
    try {
      await call(`/challenge/${challenge}/cancel`, {}, key);
    } catch (error) {
      if (!(error instanceof Refusal) || !error.isMissing) throw error;
      if (await this.look(game, pool, key)) return;
    }
    this.stop(pool);
    forget(game);
  }

  /**
   * Keep a seek up, and look again; true while it waits and once there is an opponent.
   * @param {string} game @param {Pool} pool @param {string} key
   */
  async look(game, pool, key) {
    try {
      const seek = await call(`/lobby/seek/${game}/renew`, {}, key);
      if (seek.waiting) return true;
      if (seek.game !== game) {
        forget(game);
        keep(seek.game, { key: seek.key, commitment: seek.commitment });
      }
      this.begin(seek.game, pool);
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.isMissing) return false;
      return true; // the server does not answer now
    }
  }

  async renew() {
    for (const seek of [...this.waiting.values()]) {
      const { game, pool, key } = seek;
      const isKept = await this.look(game, pool, key);
      // Meanwhile it may have been taken back, with another one in its place, or an opponent may have come.
      if (this.waiting.get(nameOf(pool)) !== seek) continue;
      const wasMissing = seek.isMissing;
      seek.isMissing = !isKept;
      // It is missing for a moment while an opponent sits down, too.
      if (isKept || !wasMissing) continue;
      this.stop(pool);
      forget(game);
      this.problem.textContent = t("The connection was away for too long, and you wait no more: press again.");
    }
  }

  /** Wait on in the pools where this browser has a seek, as after a reload. */
  async resume() {
    const own = Object.entries(ownGames()).filter(([, { seek }]) => seek);
    for (const [game, { key, seek, pool }] of own.slice(-LENGTHS.length)) {
      if (!pool || !seek) continue;
      if (!isSlow(pool))
        forget(game); // it was withdrawn when its page was left
      else if (await this.look(game, pool, key)) this.wait(game, pool, seek, key);
      else forget(game);
    }
  }

  /** The page is left: only a match without hurry waits on. */
  leave() {
    for (const { game, pool, challenge, key } of [...this.waiting.values()]) {
      if (isSlow(pool)) continue;
      const headers = { "Content-Type": "application/json", Authorization: `Bearer ${key}` };
      fetch(`/api/challenge/${challenge}/cancel`, { method: "POST", keepalive: true, headers, body: "{}" }).catch(
        () => {},
      );
      forget(game);
      this.stop(pool);
    }
    this.isLeaving = false;
  }

  /** Fetch the numbers of those who wait and play. */
  async count() {
    try {
      this.pools = (await call("/lobby/pools")).pools;
      this.show();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
}
