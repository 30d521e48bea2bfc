// @ts-check
/**
 * The connection to the server: states come over it, and each action goes over it once. When it is lost, the action is
 * kept, shown as waiting, and sent as soon as there is a connection again.
 */

import { call, keyOf, Live, Refusal } from "/static/parts/api.js";
import { byId } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").GameEvent} GameEvent */
/** @typedef {import("/static/parts/state").StateMessage} StateMessage */

/** Milliseconds after which the page shows that it waits for an answer. */
const PATIENCE = 2500;

export class Wire {
  /**
   * @param {import("/static/game/table.js").Table} table @param {(message: StateMessage, fresh: boolean) => void} heard
   * @param {(text: string) => void} problem
   */
  constructor(table, heard, problem) {
    this.table = table;
    this.receive = heard;
    this.problem = problem;
    this.live = /** @type {Live | null} */ (null);
    this.up = false;
    this.pending = "";
    this.slow = false;
    /** The newest sequence received, which may not be shown yet. */
    this.received = -1;
    /** @type {Set<() => void>} */
    this.waiting = new Set();
    /** @type {Set<AbortController>} */
    this.requests = new Set();
  }

  get key() {
    return keyOf(this.table.id);
  }

  connect() {
    this.live?.close();
    this.live = new Live(this.table.id, this.key, {
      onState: (message, fresh) => {
        this.received = message.state.sequence;
        this.receive(message, fresh);
      },
      onLink: (up, reason) => {
        this.up = up;
        if (up) {
          for (const go of [...this.waiting]) go();
        } else for (const one of this.requests) one.abort();
        document.body.classList.toggle("offline", !up);
        this.show(reason);
      },
    });
  }

  /** The state of the line, in words, where it is not as it should be. @param {string} [reason] */
  show(reason) {
    const place = byId("connection");
    const note = this.pending ? t` “${this.pending}” is kept, and sent once when it is back.` : "";
    const text = reason
      ? t`The server says: ${reason}.`
      : this.up
        ? this.pending && this.slow
          ? t`Waiting for the server to answer “${this.pending}”.`
          : ""
        : this.live
          ? t`The connection is lost; trying again.${note}`
          : "";
    if (place.textContent !== text) place.textContent = text;
    place.hidden = !text;
  }

  /** Wait for the line, or a moment where it is thought to be there. */
  back() {
    return new Promise((done) => {
      const go = () => {
        clearTimeout(timer);
        this.waiting.delete(go);
        done(undefined);
      };
      const timer = setTimeout(go, this.up ? 1000 : 5000);
      this.waiting.add(go);
    });
  }

  /**
   * Tell the server, again and again until it has answered; the number of events makes sure that nothing is done twice.
   * @param {string} path
   * @param {{sequence?: number, [field: string]: unknown}} body
   * @param {string} label of the button
   * @returns {Promise<any>} null where the game has gone on meanwhile
   */
  async send(path, body, label) {
    const patience = setTimeout(() => {
      this.slow = true;
      this.show();
    }, PATIENCE);
    this.pending = label;
    try {
      for (;;) {
        const one = new AbortController();
        this.requests.add(one);
        try {
          return await call(`/games/${this.table.id}/${path}`, body, this.key, one.signal);
        } catch (error) {
          if (!(error instanceof Refusal) || error.status !== 0) throw error;
        } finally {
          this.requests.delete(one);
        }
        this.show();
        await this.back();
        // It was done after all, and only the answer was lost.
        if (body.sequence !== undefined && this.received > body.sequence) return null;
      }
    } finally {
      clearTimeout(patience);
      this.pending = "";
      this.slow = false;
      this.show();
    }
  }

  /** Send an action beside the rules; gives the server's answer, or null when it refuses. @param {string} path */
  async sendBeside(path, body = {}, quietly = false) {
    this.problem("");
    try {
      return await call(`/games/${this.table.id}/${path}`, body, this.key);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!quietly) this.problem(error.message);
      return null;
    }
  }
}
