// @ts-check
/** Questions to the engine about the position of the analysis board: one of each kind at a time, and rollouts. */

import { rolloutSettings } from "/static/analysis/rollout.js";
import { rolloutTable } from "/static/board/figures.js";
import { Refusal } from "/static/parts/api.js";
import { askEngine, stateWords } from "/static/parts/jobs.js";
import { byId } from "/static/parts/page.js";
import { reveal } from "/static/parts/reveal.js";
import { t } from "/static/parts/texts.js";
import { capital } from "/static/parts/words.js";

export class Questions {
  /** @param {() => object} setup that of the position which is shown */
  constructor(setup) {
    this.setup = setup;
    /** Work under way: one of each kind. @type {Record<string, any>} */
    this.jobs = {};
  }

  /** The position is another: nothing that was asked matters any more. */
  leave() {
    for (const job of Object.values(this.jobs)) job.leave();
  }

  /**
   * Ask the engine; a question of the same kind that is under way is given up. Gives null where there is no answer, or
   * the position is another by then.
   * @param {string} kind
   * @param {Record<string, any>} more
   * @param {string} place the element that tells how far it is
   * @param {(state: any) => void} [onNews]
   * @returns {Promise<any>}
   */
  async ask(kind, more, place, onNews) {
    this.jobs[kind]?.leave();
    const setup = this.setup();
    try {
      const job = (this.jobs[kind] = askEngine({ kind, setup, ...more }, (state) => {
        byId(place).textContent = stateWords(state);
        onNews?.(state);
      }));
      const state = await job.done;
      if (!state || setup !== this.setup()) return null;
      byId(place).textContent = state.error ?? "";
      return state.result;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      byId(place).textContent = error.message;
      return null;
    }
  }
}

/**
 * Roll the position out, or stop a rollout that is under way.
 * @param {Questions} questions
 * @param {string[]} plays those that are chosen
 */
export async function rollOut(questions, plays) {
  if (questions.jobs.rollout && byId("rollout").dataset.running) {
    questions.jobs.rollout.stop();
    return;
  }
  const showRolled = (result) => byId("rolled").replaceChildren(rolloutTable(result));
  byId("rollout").dataset.running = "yes";
  byId("rollout").textContent = t("Stop");
  const result = await questions.ask("rollout", { plays, ...rolloutSettings() }, "rolling", (state) => {
    const first = !byId("rolled").hasChildNodes();
    if (state.progress) showRolled(state.progress);
    if (state.progress && first) reveal(byId("rolled"), true);
  });
  delete byId("rollout").dataset.running;
  byId("rollout").textContent = t("Roll out");
  if (result) {
    showRolled(result);
    reveal(byId("rolled"), true);
    byId("rolling").textContent = `${capital(result.reason)}.`;
  }
}
