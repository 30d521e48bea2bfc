// @ts-check
/** The buttons of the table: one main action, which always stands in the same place, the others beside it, and a menu of what is rarely wanted. */

import * as leaving from "/static/game/leaving.js";
import { other } from "/static/game/table.js";
import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/board/buttons.js").Button} Button */

/** The button of the menu; the page opens it by itself. @type {Button} */
const MORE = ["more", t("More"), () => {}];

/**
 * The main action of now, if there is one, and everything else that may be done; `rare` is what the menu holds.
 * @param {import("/static/game/table.js").Table} table @param {import("/static/game/deeds.js").Deeds} deeds
 * @param {import("/static/board/mover.js").Mover} mover @param {import("/static/game/throws.js").Throws} throws @returns {{main: Button[], more: Button[], rare: Button[]}}
 */
export function offers(table, deeds, mover, throws) {
  const { state, begun: now, gameOver } = table, { walk } = mover;
  const main = /** @type {Button[]} */ ([]), more = /** @type {Button[]} */ ([]), rare = /** @type {Button[]} */ ([]);
  const owed = state.links?.awaits ?? [];
  if (table.can("move")) main.push(["done", t("Done"), () => deeds.finish(), "primary", !walk.complete]);
  else if (table.can("roll") && !owed.length) main.push(["roll", t("Roll"), () => deeds.roll(), "primary"]);
  else if (owed.includes(table.giver) && !throws.known) main.push(["here", t("Throw on this device"), () => throws.here(), "primary"]);
  else if (table.can("take")) main.push(["take", t("Take"), () => deeds.take(), "primary"]);
  else if (table.can("accept")) main.push(["accept", t("Accept"), () => deeds.act("accept"), "primary"]);
  else if (state.you && state.status === "playing" && now?.game_over && !now.match_over) main.push(["next", t("Next game"), () => deeds.act("next"), "primary"]);
  else if (state.you && state.status === "over") main.push(rematch(table, deeds));
  // After a game, its review and the next one are equals; after a match its review and another one.
  if (gameOver && state.sequence && (state.you || state.status === "over")) main.unshift(["review", t("Review"), () => { location.href = `/review?game=${table.id}`; }, "primary"]);

  // Where checkers are entered, the table is chosen before anything else; elsewhere it is a matter of taste.
  if (state.chooser && (state.you === state.chooser || state.you === "both")) (now.has_hand ? more : rare).push(["look", now.has_hand ? t("Choose the table") : t("Colour and side"), () => deeds.chooseLook()]);
  if (table.can("double") && !throws.told) more.push(["double", t("Double"), () => deeds.double()]);
  // While the other side plays, the row stays as it is and sleeps: nothing comes and goes with every turn.
  const waits = Boolean(state.you && state.status === "playing" && now?.turn && !table.mine && !gameOver);
  if (table.can("move") || waits) more.push(["undo", t("Undo"), () => mover.undo(), "", waits || !walk.made.length]);
  if (table.can("drop")) more.push(["drop", t("Drop"), () => deeds.drop()]);
  if (table.can("raccoon")) more.push(["raccoon", t("Raccoon"), () => deeds.act("raccoon")]);
  if (table.can("beaver")) more.push(["beaver", t("Beaver"), () => deeds.act("beaver")]);
  // Between people the player on turn may also answer an offer to resign by playing on: the main action stays theirs.
  if (table.can("accept") && !main.some(([name]) => name === "accept")) more.push(["accept", t("Accept"), () => deeds.act("accept")]);
  if (table.can("refuse")) more.push(["refuse", t("Refuse"), () => deeds.act("refuse")]);
  if (table.can("choose")) for (let n = 1; n <= 6; n++) more.push([`choose-${n}`, `${n} ${n}`, () => deeds.act(`choose ${n}`)]);
  if (state.you && state.status === "over") more.push(["again", t("New game"), () => { location.href = "/"; }]);
  if (state.help && state.status === "playing" && !state.ending.how && (table.mine || waits)) more.push(["hint", deeds.advised ? t("Hide hint") : t("Hint"), () => deeds.hint(), "", waits]);
  // It stays while checkers are moved, so that those after it stand still.
  if (state.takebacks && (table.mine || gameOver || waits)) more.push(["back", t("Take back"), () => deeds.takeBack(), "", waits || walk.made.length > 0]);
  const claim = claimOf(table);
  if (claim && claim.after <= Date.now() / 1000 + claim.ahead) more.push(["claim", t("Claim the win"), () => deeds.claim()]);
  if (table.can("resign")) rare.push(["resign", t("Resign"), () => deeds.resign()]);
  if (state.you && state.status === "playing") (leaving.near(state) ? more : rare).push(leaving.button(state, () => deeds.end()));
  if (rare.length) more.push(MORE);
  return { main, more, rare };
}

/** @param {import("/static/game/table.js").Table} table @param {import("/static/game/deeds.js").Deeds} deeds @returns {Button} */
function rematch({ state }, deeds) {
  const { offered, game } = state.rematch;
  if (game) return ["rematch", t("To the rematch"), () => deeds.go(game), "primary"];
  const theirs = state.you !== "both" && offered.includes(other(/** @type {"X" | "O"} */ (state.you)));
  const mine = offered.includes(state.you), words = theirs ? t("Accept the rematch") : mine ? t("Rematch offered") : t("Rematch");
  return ["rematch", words, () => deeds.rematch(), "primary", mine];
}

/** The time, in seconds since 1970, after which the win may be claimed: over a player who is away, withholds a link, or owes a decision in a rated match without a clock; null where there is none. @param {import("/static/game/table.js").Table} table */
export function claimOf({ state, begun, giver, gameOver, ahead }) {
  const { you, grace } = state, owed = state.links?.awaits ?? [];
  if (!you || you === "both" || gameOver) return null;
  const withheld = owed.length && !owed.includes(giver) ? state.links.since : undefined;
  const gone = state.away[other(you)] ?? withheld;
  const times = [...(gone && grace ? [gone + grace] : []), ...(state.overdue && begun?.turn === other(you) ? [state.overdue] : [])];
  return times.length ? { after: Math.min(...times), ahead } : null;
}
