// @ts-check
/**
 * The buttons of the table: one main action, which always stands in the same place, the others beside it, and a menu of
 * what is rarely wanted.
 */

import { other } from "/static/board/numbering.js";
import { dicePicture } from "/static/board/picture.js";
import * as leaving from "/static/game/leaving.js";
import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/board/buttons.js").Button} Button */

/** The button of the menu; the page opens it by itself. @type {Button} */
const MORE = ["more", t("More"), () => {}];

/**
 * The main action of now, if there is one, and everything else that may be done; `rare` are those of the menu.
 * @param {import("/static/game/table.js").Table} table @param {import("/static/game/actions.js").Actions} actions
 * @param {import("/static/board/mover.js").Mover} mover
 * @param {import("/static/game/throws.js").Throws} throws
 * @param {() => void} lookBack
 * @returns {{main: Button[], more: Button[], rare: Button[]}}
 */
export function offers(table, actions, mover, throws, lookBack) {
  const { state, begun: now, gameOver } = table;
  const { walk } = mover;
  const main = /** @type {Button[]} */ ([]);
  const more = /** @type {Button[]} */ ([]);
  const rare = /** @type {Button[]} */ ([]);
  const owed = state.links?.awaits ?? [];
  if (table.can("move")) main.push(["done", t("Done"), () => actions.finish(), "primary", !walk.complete]);
  else if (table.can("roll") && !owed.length) main.push(["roll", t("Roll"), () => actions.roll(), "primary"]);
  else if (owed.includes(table.giver) && !throws.hasLink)
    main.push(["here", t("Throw on this device"), () => throws.here(), "primary"]);
  // The doubles to choose from lie where the dice do.
  else if (table.can("choose"))
    for (let n = 1; n <= 6; n++)
      main.push([
        `choose-${n}`,
        `${n} ${n}`,
        () => actions.act(`choose ${n}`),
        "throw",
        false,
        () => dicePicture([n, n]),
      ]);
  else if (table.can("take")) main.push(["take", t("Take"), () => actions.take(), "primary"]);
  else if (table.can("accept")) main.push(["accept", t("Accept"), () => actions.act("accept"), "primary"]);
  else if (state.you && state.status === "playing" && now?.game_over && !now.match_over)
    main.push(["next", t("Next game"), () => actions.act("next"), "primary"]);
  else if (state.you && state.status === "over") main.push(rematchButtons(table, actions));
  // After a game its review stands beside the way on, which alone is the main action.
  if (gameOver && state.sequence && (state.you || state.status === "over"))
    main.unshift([
      "review",
      t("Review"),
      () => {
        location.href = `/review?game=${table.id}`;
      },
    ]);

  // Where checkers are entered, the table is chosen before anything else; elsewhere it is a matter of taste.
  if (state.chooser && (state.you === state.chooser || state.you === "both"))
    (now.has_hand ? more : rare).push([
      "look",
      now.has_hand ? t("Choose the table") : t("Colour and side"),
      () => actions.chooseLook(),
    ]);
  if (table.can("double") && !throws.isSent) more.push(["double", t("Double"), () => actions.double()]);
  // While the other side plays, the row stays as it is and sleeps: nothing comes and goes with every turn.
  const waits = Boolean(state.you && state.status === "playing" && now?.turn && !table.mine && !gameOver);
  if (table.can("move") || waits) more.push(["undo", t("Undo"), () => mover.undo(), "", waits || !walk.made.length]);
  if (table.can("drop")) more.push(["drop", t("Drop"), () => actions.drop()]);
  if (table.can("raccoon")) more.push(["raccoon", t("Raccoon"), () => actions.act("raccoon")]);
  if (table.can("beaver")) more.push(["beaver", t("Beaver"), () => actions.act("beaver")]);
  // Between people the player on turn may also answer an offer to resign by playing on: the main action stays theirs.
  if (table.can("accept") && !main.some(([name]) => name === "accept"))
    more.push(["accept", t("Accept"), () => actions.act("accept")]);
  if (table.can("refuse")) more.push(["refuse", t("Refuse"), () => actions.act("refuse")]);
  if (state.you && state.status === "over")
    more.push([
      "again",
      t("New game"),
      () => {
        location.href = "/";
      },
    ]);
  if (state.help && state.status === "playing" && !state.ending.how && (table.mine || waits))
    more.push(["hint", actions.advised ? t("Hide hint") : t("Hint"), () => actions.hint(), "", waits]);
  // It stays while checkers are moved, so that those after it stand still.
  if (state.takebacks && (table.mine || gameOver || waits))
    more.push(["back", t("Take back"), () => actions.takeBack(), "", waits || walk.made.length > 0]);
  const claim = claimOf(table);
  if (claim && claim.after <= Date.now() / 1000 + claim.ahead)
    more.push(["claim", t("Claim the win"), () => actions.claim()]);
  // At the end a game is gone through; before it a look back is rare, and a key or a press on a line of the log does it.
  if (now?.sequence) (gameOver ? more : rare).push(["look-back", t("Look back"), lookBack]);
  // Between two games of a match the way on comes first, and a review has what is to be shown.
  if (state.status === "over") more.push(["share", t("Share"), () => actions.share()]);
  if (table.can("resign")) rare.push(["resign", t("Resign"), () => actions.resign()]);
  if (state.you && state.status === "playing")
    (leaving.isNear(state) ? more : rare).push(leaving.closeButton(state, () => actions.end()));
  if (rare.length) more.push(MORE);
  return { main, more, rare };
}

/**
 * @param {import("/static/game/table.js").Table} table
 * @param {import("/static/game/actions.js").Actions} actions
 * @returns {Button}
 */
function rematchButtons({ state }, actions) {
  const { offered, game } = state.rematch;
  if (game) return ["rematch", t("To the rematch"), () => actions.go(game), "primary"];
  const theirs = state.you !== "both" && offered.includes(other(/** @type {"X" | "O"} */ (state.you)));
  const mine = offered.includes(state.you);
  const words = theirs ? t("Accept the rematch") : mine ? t("Rematch offered") : t("Rematch");
  return ["rematch", words, () => actions.rematch(), "primary", mine];
}

/**
 * The time, in seconds since 1970, after which the win may be claimed: over a player who is away, withholds a link, or
 * owes a decision in a rated match without a clock; null where there is none.
 * @param {import("/static/game/table.js").Table} table
 */
export function claimOf({ state, begun, giver, gameOver, ahead }) {
  const { you, grace } = state;
  const owed = state.links?.awaits ?? [];
  if (!you || you === "both" || gameOver) return null;
  const withheld = owed.length && !owed.includes(giver) ? state.links.since : undefined;
  const gone = state.away[other(you)] ?? withheld;
  const times = [
    ...(gone && grace ? [gone + grace] : []),
    ...(state.overdue && begun?.turn === other(you) ? [state.overdue] : []),
  ];
  return times.length ? { after: Math.min(...times), ahead } : null;
}
