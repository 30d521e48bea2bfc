// @ts-check
/** Long work of the server: asked for, followed line by line, stopped. */

import { Refusal, call } from "/static/api.js";

const OVER = ["done", "stopped", "failed"];

/** Lines of JSON as they come. @param {ReadableStream<Uint8Array>} body */
async function* lines(body) {
  const reader = body.getReader(), decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) if (part.trim()) yield JSON.parse(part);
  }
}

export class Job {
  /** @param {any} told the job as the server told it @param {(job: any) => void} onNews called after every change */
  constructor(told, onNews) {
    this.told = told;
    this.onNews = onNews;
    this.left = false;
    /** The job when it is over; null when nobody waits for it any more. @type {Promise<any>} */
    this.done = this._follow();
  }

  async _follow() {
    for (let tries = 0; tries < 6; tries++) {
      try {
        const answer = await fetch(`/api/analysis/jobs/${this.told.id}/stream`);
        if (!answer.ok || !answer.body) throw new Refusal(answer.status, (await answer.json()).error);
        for await (const told of lines(answer.body)) {
          if (this.left) return null;
          this.told = told;
          this.onNews(told);
          if (OVER.includes(told.state)) return told;
          tries = 0;
        }
      } catch (error) {
        if (error instanceof Refusal) throw error;
      }
      await new Promise((done) => { setTimeout(done, 300 * 2 ** tries); });
    }
    throw new Refusal(0, "The server does not answer.");
  }

  /** End it; its result is what it has found by then. */
  stop() { return call(`/analysis/jobs/${this.told.id}/stop`, {}).catch(() => null); }

  /** End it, and hear nothing more of it. */
  leave() {
    if (this.left || OVER.includes(this.told.state)) return;
    this.left = true;
    this.stop();
  }
}

/** Ask the engine. @returns {Promise<Job>} */
export async function ask(question, onNews = (_job) => {}) {
  return new Job(await call("/analysis/jobs", question), onNews);
}

/** What a person reads while a job is not over. */
export function stateWords(job) {
  if (job.state === "waiting") return job.ahead ? `Waiting behind ${job.ahead} other${job.ahead === 1 ? "" : "s"} …` : "Waiting …";
  return job.state === "running" ? "Thinking …" : "";
}
