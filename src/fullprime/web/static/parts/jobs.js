// @ts-check
/** Long work of the server: asked for, followed line by line, stopped. */

import { Refusal, call } from "/static/parts/api.js";
import { lines } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";

const OVER = ["done", "stopped", "failed"];

/** Milliseconds after which a job that says nothing is asked about. */
const SILENT = 1500;

const NDJSON = "application/x-ndjson";

/** A request whose answer is a stream. @param {string} path @param {RequestInit} more @returns {Promise<ReadableStream<Uint8Array>>} */
async function streamOf(path, more) {
  const answer = await fetch(`/api${path}`, { ...more, headers: { Accept: NDJSON, ...more.headers } });
  if (answer.ok && answer.body) return answer.body;
  throw new Refusal(answer.status, (await answer.json().catch(() => ({}))).error ?? t`The server says ${answer.status}.`);
}

export class Job {
  /**
   * Ask for work and follow it: the answer is its stream, so that one process of the server has all of it.
   * @param {string} path @param {RequestInit} request @param {(job: any) => void} onNews called after every change
   */
  constructor(path, request, onNews = () => {}) {
    this.told = /** @type {any} */ (null);
    this.onNews = onNews;
    this.left = false;
    this.ending = false;
    this.controller = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.silence = undefined;
    /** The job when it is over; null when nobody waits for it any more. @type {Promise<any>} */
    this.done = this._follow(path, request);
  }

  /** Follow one that has been asked for already. @param {string} id @param {(job: any) => void} onNews */
  static known(id, onNews) { return new Job(`/analysis/jobs/${id}/stream`, {}, onNews); }

  /** @param {string} path @param {RequestInit} request @returns {Promise<any>} */
  async _follow(path, request) {
    for (let tries = 0; tries < 6; tries++) {
      try {
        const { signal } = this.controller;
        const body = await (this.told ? streamOf(`/analysis/jobs/${this.told.id}/stream`, { signal }) : streamOf(path, { ...request, signal }));
        for await (const told of lines(body)) {
          if (this.left) return null;
          this.told = told;
          this._tell(told);
          if (OVER.includes(told.state)) return told;
          tries = 0;
        }
      } catch (error) {
        if (this.left) return null;
        if (this.ending) return { ...this.told, state: "stopped", result: this._soFar() };
        if (error instanceof Refusal) throw error;
        if (!this.told) throw new Refusal(0, t("The server does not answer."));
      }
      await new Promise((done) => { setTimeout(done, 300 * 2 ** tries); });
    }
    throw new Refusal(0, t("The server does not answer."));
  }

  /** Pass news on. A job that says nothing for a while may be waiting for the engine itself. @param {any} told */
  _tell(told) {
    clearTimeout(this.silence);
    if (told.state === "running" && !told.progress) this.silence = setTimeout(() => this._ask(told), SILENT);
    this.onNews(told);
  }

  /** Say how far the compiling of the engine is, as long as that is what a job waits for. @param {any} told */
  async _ask(told) {
    const { compiling } = await call("/health").catch(() => ({ compiling: "" }));
    if (compiling && !this.left && !this.ending && this.told === told) this._tell(this.told = { ...told, compiling });
  }

  _soFar() {
    const { kind, progress } = this.told ?? {};
    return kind === "rollout" && progress ? { ...progress, reason: "stopped" } : null;
  }

  /** End it; its result is what it has found by then. */
  async stop() {
    if (!this.told) { this.leave(); return; }
    try {
      await call(`/analysis/jobs/${this.told.id}/stop`, {});
    } catch {
      // Another process of the server has it: what was told last is what there is.
      this.ending = true;
      this.controller.abort();
    }
  }

  /** Hear nothing more of it; the server gives up what nobody waits for. */
  leave() {
    if (this.left || (this.told && OVER.includes(this.told.state))) return;
    this.left = true;
    if (this.told) call(`/analysis/jobs/${this.told.id}/stop`, {}).catch(() => {});
    this.controller.abort();
  }
}

/** Ask the engine. @param {object} question @param {(job: any) => void} onNews */
export function askEngine(question, onNews = () => {}) {
  return new Job("/analysis/jobs", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question) }, onNews);
}

/** What a person reads while a job is not over. @param {any} job */
export function stateWords(job) {
  if (job.state === "waiting") return job.ahead ? plural(job.ahead, "Waiting behind {n} other …", "Waiting behind {n} others …") : t("Waiting …");
  if (job.state !== "running") return "";
  return job.compiling ? t`The engine is being compiled for this computer, once: ${job.compiling}.` : t("Thinking …");
}
