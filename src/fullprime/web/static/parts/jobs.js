// @ts-check
/** Long work of the server: requested, followed line by line, stopped. */

import { call, Refusal, readRefusal } from "/static/parts/api.js";
import { lines } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";

const OVER = ["done", "stopped", "failed"];

/** Milliseconds of silence after which the page asks why a job waits. */
const SILENT = 1500;

const NDJSON = "application/x-ndjson";

/**
 * A request whose answer is a stream.
 * @param {string} path
 * @param {RequestInit} more
 * @returns {Promise<ReadableStream<Uint8Array>>}
 */
async function streamOf(path, more) {
  const answer = await fetch(`/api${path}`, { ...more, headers: { Accept: NDJSON, ...more.headers } });
  if (answer.ok && answer.body) return answer.body;
  throw await readRefusal(answer);
}

export class Job {
  /**
   * Ask for work and follow it: the answer is its stream, so that one process of the server has all of it.
   * @param {string} path @param {RequestInit} request @param {(job: any) => void} onNews called after every change
   */
  constructor(path, request, onNews = () => {}) {
    this.state = /** @type {any} */ (null);
    this.onNews = onNews;
    this.left = false;
    this.ending = false;
    this.controller = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.silence = undefined;
    /** The job when it is over; null when the page has left it. @type {Promise<any>} */
    this.done = this._follow(path, request);
  }

  /** Follow a job that runs already. @param {string} id @param {(job: any) => void} onNews */
  static known(id, onNews) {
    return new Job(`/analysis/jobs/${id}/stream`, {}, onNews);
  }

  /** @param {string} path @param {RequestInit} request @returns {Promise<any>} */
  async _follow(path, request) {
    for (let tries = 0; tries < 6; tries++) {
      try {
        const { signal } = this.controller;
        const body = await (this.state
          ? streamOf(`/analysis/jobs/${this.state.id}/stream`, { signal })
          : streamOf(path, { ...request, signal }));
        for await (const job of lines(body)) {
          if (this.left) return null;
          this.state = job;
          this._report(job);
          if (OVER.includes(job.state)) return job;
          tries = 0;
        }
      } catch (error) {
        if (this.left) return null;
        if (this.ending) return { ...this.state, state: "stopped", result: this._soFar() };
        if (error instanceof Refusal) throw error;
        if (!this.state) throw new Refusal(0, t("The server does not answer."));
      }
      await new Promise((done) => {
        setTimeout(done, 300 * 2 ** tries);
      });
    }
    throw new Refusal(0, t("The server does not answer."));
  }

  /** Pass news on. A job that is silent for a while may be waiting for the engine itself. @param {any} job */
  _report(job) {
    clearTimeout(this.silence);
    if (job.state === "running" && !job.progress) this.silence = setTimeout(() => this._reportCompiling(job), SILENT);
    this.onNews(job);
  }

  /** Report how far the compiling of the engine is, while a job waits for that. @param {any} job */
  async _reportCompiling(job) {
    const { compiling } = await call("/health").catch(() => ({ compiling: "" }));
    if (compiling && !this.left && !this.ending && this.state === job)
      this._report((this.state = { ...job, compiling }));
  }

  _soFar() {
    const { kind, progress } = this.state ?? {};
    if (!progress || !["rollout", "scores"].includes(kind)) return null;
    return { ...progress, reason: "stopped" };
  }

  /** Stop the job; its result is that of the work done so far. */
  async stop() {
    if (!this.state) {
      this.leave();
      return;
    }
    try {
      await call(`/analysis/jobs/${this.state.id}/stop`, {});
    } catch {
      // Another process of the server has the job: its last news are its result.
      this.ending = true;
      this.controller.abort();
    }
  }

  /** Leave the job; the server gives up work that no page waits for. */
  leave() {
    if (this.left || (this.state && OVER.includes(this.state.state))) return;
    this.left = true;
    if (this.state) call(`/analysis/jobs/${this.state.id}/stop`, {}).catch(() => {});
    this.controller.abort();
  }
}

/** Ask the engine. @param {object} question @param {(job: any) => void} onNews */
export function askEngine(question, onNews = () => {}) {
  return new Job(
    "/analysis/jobs",
    { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question) },
    onNews,
  );
}

/** The words that are shown while a job is not over. @param {any} job */
export function stateWords(job) {
  if (job.state === "waiting")
    return job.ahead ? plural(job.ahead, "Waiting behind {n} other …", "Waiting behind {n} others …") : t("Waiting …");
  if (job.state !== "running") return "";
  return job.compiling ? t`The engine is being compiled for this computer, once: ${job.compiling}.` : t("Thinking …");
}
