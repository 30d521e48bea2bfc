// @ts-check
/** The question before a game is left or ended: loaded when it is asked, because most games are played out. */

import { isMatch, isOffered, rival } from "/static/game/leaving.js";
import { ask } from "/static/parts/dialogs.js";
import { el } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").GameState} GameState */

/**
 * Ask for the way to leave, after its cost; "" to play on.
 * @param {GameState} state
 * @returns {Promise<string>}
 */
export async function choose(state) {
  const { alone, costs, offered: offers } = state.ending;
  const choices = /** @type {[string, string, string?][]} */ ([["", t("Play on")]]);
  const lines = [];
  if (alone === "end") {
    lines.push(
      isMatch(state)
        ? t("It has no result, and the secret of the dice is told.")
        : t("The score stands, and the secret of the dice is told."),
    );
    choices.push(["end", t("End it"), "danger"]);
    return ask(
      isMatch(state) ? t("End the match?") : t("End the session?"),
      lines.map((text) => el("p", {}, text)),
      choices,
    );
  }
  if (alone === "abort") {
    lines.push(
      isMatch(state)
        ? t("Hardly anything has been played: the match has no result.")
        : t("Hardly anything has been played: the session has no result."),
    );
    if (state.opponent === "friend") lines.push(t("Your profile counts how often you abort."));
    choices.push(["abort", t("Abort"), "danger"]);
    return ask(
      isMatch(state) ? t("Abort the match?") : t("Abort the session?"),
      lines.map((text) => el("p", {}, text)),
      choices,
    );
  }
  const name = state.names[rival(state) === "X" ? 0 : 1];
  if (isOffered(state)) {
    lines.push(
      isMatch(state)
        ? t`${name} would end the match without a result. It ends so if you agree.`
        : t`${name} would end the session without a result. It ends so if you agree.`,
    );
    choices.push(["agree", t("Agree"), "primary"]);
  } else if (state.opponent === "friend" && state.you && state.you !== "both") {
    if (offers.includes(state.you))
      lines.push(
        isMatch(state)
          ? t`You have offered to end the match without a result. ${name} has not answered.`
          : t`You have offered to end the session without a result. ${name} has not answered.`,
      );
    else {
      lines.push(
        isMatch(state)
          ? t`Offer to end the match without a result: it ends so if ${name} agrees.`
          : t`Offer to end the session without a result: it ends so if ${name} agrees.`,
      );
      choices.push(["agree", t("Offer to end it")]);
    }
  }
  const points = costs?.[state.you === "O" ? 1 : 0] ?? 0;
  const other = lines.length > 0;
  if (isMatch(state) && state.rated)
    lines.push(
      other
        ? t("Or leave now and lose the match, which is rated.")
        : t("Leave now and lose the match, which is rated."),
    );
  else if (isMatch(state))
    lines.push(other ? t("Or leave now and lose the match.") : t("Leave now and lose the match."));
  else if (other)
    lines.push(
      plural(
        points,
        "Or leave now and lose the game: {n} point, as if {1} had just borne off.",
        "Or leave now and lose the game: {n} points, as if {1} had just borne off.",
        name,
      ),
    );
  else
    lines.push(
      plural(
        points,
        "Leave now and lose the game: {n} point, as if {1} had just borne off.",
        "Leave now and lose the game: {n} points, as if {1} had just borne off.",
        name,
      ),
    );
  choices.push(["leave", isMatch(state) ? t("Leave and lose") : t`Leave and lose ${points}`, "danger"]);
  return ask(
    isMatch(state) ? t("End the match?") : t("End the session?"),
    lines.map((text) => el("p", {}, text)),
    choices,
  );
}
