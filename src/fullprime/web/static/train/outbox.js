// @ts-check
/**
 * Answers on their way: each is kept in this browser until the server has confirmed that it is stored. The server
 * stores an answer that comes twice once, so that one is sent again without a question.
 */

import { call, Refusal } from "/static/parts/api.js";
import { byId } from "/static/parts/page.js";
import { andRules } from "/static/parts/rules-link.js";
import { t } from "/static/parts/texts.js";

const KEY = "fullprime.unsent";
/** Answers that are kept at most; the oldest go first. */
const MOST = 200;

/** @typedef {{path: string, body: object}} Answer */

/** The server could not be reached, or cannot store anything now: the answer is kept. */
class Unsent extends Error {
  constructor() {
    super(t("Not stored yet: your answer is kept in this browser, and sent again as soon as the server answers."));
  }
}

/** @returns {Answer[]} */
function storedAnswers() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {Answer[]} answers */
function write(answers) {
  try {
    localStorage.setItem(KEY, JSON.stringify(answers.slice(-MOST)));
  } catch {
    /* it is sent all the same, while the page is open */
  }
}

/** @param {Answer} one @param {Answer} other */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
/** @param {Answer} answer */
const drop = (answer) => write(storedAnswers().filter((stored) => !same(stored, answer)));

/**
 * Send an answer that is kept. Raises Unsent where it must wait, Refusal where the server says no.
 * @param {Answer} answer
 * @returns {Promise<any>}
 */
async function sendAnswer(answer) {
  try {
    const verdict = await call(answer.path, answer.body);
    drop(answer);
    return verdict;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 0 || error.status === 429 || error.status >= 500) throw new Unsent();
    drop(answer);
    throw error;
  }
}

/** Send the answers that wait from before, the oldest first, as far as the server answers. */
export async function flush() {
  for (const answer of storedAnswers()) {
    try {
      await sendAnswer(answer);
    } catch (error) {
      if (error instanceof Unsent) return;
      if (!(error instanceof Refusal)) throw error;
    }
  }
}

/** The answers of a page that asks one question after another. */
export class Outbox {
  /**
   * @param {{desk: import("/static/train/answer-board.js").AnswerBoard, button: HTMLButtonElement, problem: (text: string) => void, tell: (found: any, body: any) => void}} page
   *   `button` goes on to the next question; `tell` shows the verdict on an answer that is stored
   */
  constructor(page) {
    this.page = page;
    this.busy = false;
    /** The answer that waits: nothing else is answered or asked meanwhile. @type {Answer | null} */
    this.held = null;
    addEventListener("online", () => this.again());
  }

  /** Send an answer, and show its verdict. @param {string} path @param {object} body */
  async give(path, body) {
    if (this.busy) return;
    const { desk, button, problem, tell } = this.page;
    const answer = { path, body };
    this.busy = true;
    problem("");
    write([...storedAnswers().filter((stored) => !same(stored, answer)), answer]);
    let verdict = null;
    this.held = null;
    try {
      verdict = await sendAnswer(answer);
    } catch (error) {
      if (!(error instanceof Unsent || error instanceof Refusal)) throw error;
      if (error instanceof Unsent) this.held = answer;
      problem(error.message);
      if (error instanceof Refusal && desk.scene?.tree) byId("problem").append(...andRules(error));
    } finally {
      this.busy = false;
    }
    desk.open = !this.held;
    button.textContent = this.held ? t("Send again") : t("Next");
    button.hidden = !this.held;
    if (verdict) tell(verdict, body);
    else desk.draw();
  }

  /** Send the answer that waits, if there is one; true then. */
  again() {
    const { held } = this;
    if (held) this.give(held.path, held.body);
    return Boolean(held);
  }
}
