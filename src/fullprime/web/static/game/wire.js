// @ts-check
/**
 * The line to the server: what happens comes over it, and what a person does goes over it once. When it is cut, what was
 * pressed is kept, said to be waiting, and sent as soon as there is a line again.
 */

import { Live, Refusal, call, keyOf } from "/static/parts/api.js";
import { byId } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").GameEvent} GameEvent */
/** @typedef {import("/static/parts/state").StateMessage} StateMessage */

/** Milliseconds after which a person is told that an answer is awaited. */
const PATIENCE = 2500;

export class Wire {
  /**
   * @param {import("/static/game/table.js").Table} table @param {(message: StateMessage, fresh: boolean) => void} heard
   * @param {(text: string) => void} problem
   */
  constructor(table, heard, problem) {
    this.table = table; this.heard = heard; this.problem = problem;
    this.live = /** @type {Live | null} */ (null);
    this.up = false;
    this.pending = "";
    this.slow = false;
    /** The newest number of events that was told, which may not be shown yet. */
    this.told = -1;
    /** @type {Set<() => void>} */
    this.waiting = new Set();
    /** @type {Set<AbortController>} */
    this.asking = new Set();
  }

  get key() { return keyOf(this.table.id); }

  connect() {
    this.live?.close();
    this.live = new Live(this.table.id, this.key, {
      onState: (message, fresh) => {
        this.told = message.state.sequence;
        this.heard(message, fresh);
      },
      onLink: (up, reason) => {
        this.up = up;
        if (up) { for (const go of [...this.waiting]) go(); }
        else for (const one of this.asking) one.abort();
        document.body.classList.toggle("offline", !up);
        this.show(reason);
      },
    });
  }

  /** The state of the line, in words, where it is not as it should be. @param {string} [reason] */
  show(reason) {
    const place = byId("connection"), kept = this.pending ? t` “${this.pending}” is kept, and sent once when it is back.` : "";
    const text = reason ? t`The server says: ${reason}.` : this.up ? (this.pending && this.slow ? t`Waiting for the server to answer “${this.pending}”.` : "")
      : this.live ? t`The connection is lost; trying again.${kept}` : "";
    if (place.textContent !== text) place.textContent = text;
    place.hidden = !text;
  }

  /** Wait for the line, or a moment where it is thought to be there. */
  back() {
    return new Promise((done) => {
      const go = () => { clearTimeout(timer); this.waiting.delete(go); done(undefined); };
      const timer = setTimeout(go, this.up ? 1000 : 5000);
      this.waiting.add(go);
    });
  }

  /**
   * Tell the server, again and again until it has answered; the number of events makes sure that nothing is done twice.
   * @param {string} path @param {{sequence?: number, [field: string]: unknown}} body @param {string} label what was pressed @returns {Promise<any>} null where the game has gone on meanwhile
   */
  async tell(path, body, label) {
    const patience = setTimeout(() => { this.slow = true; this.show(); }, PATIENCE);
    this.pending = label;
    try {
      for (;;) {
        const one = new AbortController();
        this.asking.add(one);
        try {
          return await call(`/games/${this.table.id}/${path}`, body, this.key, one.signal);
        } catch (error) {
          if (!(error instanceof Refusal) || error.status !== 0) throw error;
        } finally {
          this.asking.delete(one);
        }
        this.show();
        await this.back();
        // It was done after all, and only the answer was lost.
        if (body.sequence !== undefined && this.told > body.sequence) return null;
      }
    } finally {
      clearTimeout(patience);
      this.pending = "";
      this.slow = false;
      this.show();
    }
  }

  /** Something beside the rules; gives what the server answers, or null when it refuses. @param {string} what */
  async also(what, body = {}, quietly = false) {
    this.problem("");
    try {
      return await call(`/games/${this.table.id}/${what}`, body, this.key);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!quietly) this.problem(error.message);
      return null;
    }
  }
}
