// @ts-check
/** Maps below the answer of the analysis board: two plays compared by rolls, and every roll; every score is a dialog. */

import { rollTable } from "/static/board/figures.js";
import { byId, el } from "/static/parts/page.js";
import { reveal } from "/static/parts/reveal.js";
import { t } from "/static/parts/texts.js";
import { signed } from "/static/parts/words.js";

/** What a button below the answer asked for: it is seen. @param {HTMLElement[]} parts */
function showMap(...parts) {
  byId("map").replaceChildren(...parts);
  reveal(byId("map"), true);
}

export class Maps {
  /**
   * @param {import("/static/analysis/engine.js").Questions} questions
   * @param {() => any} setup that of the position which is shown
   * @param {(changes: Record<string, any>) => void} setUp shows the position with changes
   */
  constructor(questions, setup, setUp) {
    this.questions = questions;
    this.setup = setup;
    this.setUp = setUp;
  }

  /** Two plays, by the opponent's next roll. @param {string[]} plays */
  async compare(plays) {
    const comparison = await this.questions.ask("compare", { plays }, "thinking");
    if (!comparison) return;
    const [first, second] = comparison.plays;
    showMap(
      el(
        "p",
        {},
        t`${first} less ${second}: ${signed(comparison.difference)} on average (${signed(comparison.means[0])} and ${signed(comparison.means[1])}), for the player on roll, by the opponent's next roll.`,
      ),
      rollTable(
        t`${first} less ${second}`,
        comparison.rolls,
        (roll) => roll.difference,
        ({ dice, equities, replies }) =>
          t`${dice.join("-")}: ${signed(equities[0])} (answer ${replies[0]}), ${signed(equities[1])} (answer ${replies[1]})`,
      ),
    );
  }

  /** Every roll, against the mean. */
  async showRolls() {
    const answer = await this.questions.ask("rolls", {}, "thinking");
    if (!answer) return;
    showMap(
      rollTable(
        t`Every roll against the mean of ${signed(answer.mean)}`,
        answer.rolls,
        (roll) => roll.gain,
        ({ dice, equity, play }) => `${dice.join("-")}: ${play} ${signed(equity)}`,
        ({ dice }) => this.leaveFor({ dice, offered: false }),
      ),
    );
  }

  /**
   * What a cell of a map leads to: the map goes, so that the focus and the eye move to the answer.
   * @param {Record<string, any>} changes
   */
  leaveFor(changes) {
    this.setUp(changes);
    byId("advice-title").focus({ preventScroll: true });
    byId("advice-title").scrollIntoView();
  }

  /** Every score, with the cube at each of its places. */
  async showScores() {
    const { showScores } = await import("/static/analysis/scores.js");
    await showScores(this.questions, this.setup(), byId("level").value, (changes) => this.leaveFor(changes));
  }
}
