// @ts-check
/**
 * Plays that were written down without a connection: the server looks at them as soon as there is one. Those that can
 * be get the board after them; the form asks again for the first that cannot.
 */

import { ask } from "/static/parts/dialogs.js";
import { byId, el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";
import { boardsOf } from "/static/real/recorder.js";
import { tableOf } from "/static/real/sitting.js";

/** @typedef {import("/static/real/sitting.js").Sitting} Sitting */
/** @typedef {import("/static/real/sitting.js").Event} Event */
/** @typedef {import("/static/real/sitting.js").GameSheet} GameSheet */

/** Whether the server has not seen a play. @param {Event} event */
const isUnseen = ({ k, then }) => k === "play" && !then;

/**
 * A sitting with other events in the place of some.
 * @param {Sitting} sitting
 * @param {Map<Event, Event>} others
 * @returns {Sitting}
 */
const replaceEvents = (sitting, others) => ({
  ...sitting,
  events: sitting.events.map((event) => others.get(event) ?? event),
});

/**
 * Ask again for a play that cannot be; null when it is left as it is.
 * @param {number} game @param {Event} event @param {Event | undefined} thrown @param {string} why
 */
async function askAgain(game, event, thrown, why) {
  const dice = (thrown?.dice ?? [event.n, event.n]).join("-");
  const answer = await ask(
    t("A play that cannot be"),
    [
      el(
        "p",
        {},
        t`Game ${game}, a ${dice} that was written down without a connection: ${event.text || t("no play")}.`,
      ),
      el("p", { class: "hint warn" }, why),
      el(
        "p",
        { class: "field" },
        el("label", { for: "again" }, t("It was played so")),
        el("input", { id: "again", maxlength: 60, value: event.text ?? "", autocapitalize: "off", spellcheck: false }),
      ),
    ],
    [
      ["", t("Later")],
      ["written", t("Write down"), "primary"],
    ],
  );
  return answer ? byId("again").value.trim() : null;
}

/**
 * Have the server check all plays that it has not seen. `why` is empty, or the fault of a play that was left so.
 * Raises Refusal, with status 0 when there is no answer.
 * @param {Sitting} sitting @returns {Promise<{sitting: Sitting, why: string}>}
 */
export async function checkPlays(sitting) {
  let now = sitting;
  for (let number = 0; ; ) {
    const table = tableOf(now);
    const games = [
      ...table.records,
      { game: table.game, sides: table.sides, played: table.played, score: table.before, result: null },
    ];
    const game = games.slice(number).find(({ played }) => played.some(isUnseen));
    if (!game) return { sitting: now, why: "" };
    number = games.indexOf(game);
    const { boards, wrong } = await boardsOf(now, table, game);
    const others = new Map();
    for (const [at, board] of boards.entries())
      if (isUnseen(game.played[at])) others.set(game.played[at], { ...game.played[at], then: board });
    const event = game.played[boards.length];
    if (wrong) {
      const text = event.k === "play" ? await askAgain(game.game, event, game.played[boards.length - 1], wrong) : null;
      if (text === null) return { sitting: replaceEvents(now, others), why: t`Game ${game.game}: ${wrong}` };
      others.set(event, { ...event, text });
    }
    now = replaceEvents(now, others);
  }
}
