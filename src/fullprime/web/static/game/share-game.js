// @ts-check
/** A game that is over, for others: where they may look at it themselves, or how it ended. */

import { toAddress } from "/static/analysis/setup.js";
import { other } from "/static/board/numbering.js";
import { textForm } from "/static/board/text-form.js";
import { call, keyOf, Refusal } from "/static/parts/api.js";
import { sharePosition, showShared } from "/static/parts/share-position.js";
import { t } from "/static/parts/texts.js";
import { versus } from "/static/parts/words.js";

/** @typedef {import("/static/game/table.js").Table} Table */

/**
 * True if a person without a seat is shown the game now: it is neither private nor seen late.
 * @param {string} id
 */
const isForAll = (id) =>
  call(`/games/${id}/card`).then(
    () => true,
    (error) => {
      if (!(error instanceof Refusal)) throw error;
      return false;
    },
  );

/**
 * The last decision of the game as fields of the analysis board's address, which has no board for a game that is over.
 * @param {Table} table
 */
async function lastDecision({ id, begun }) {
  const { rounds, plies } = await call(`/games/${id}/plies`, undefined, keyOf(id));
  const ply = plies.at(-1);
  const { variant, length, multiplier } = begun;
  const usual = /** @type {Record<string, any>} */ ({
    variant,
    rules: { length: String(length) },
    cube: 1,
    owner: null,
    multiplier,
  });
  if (!ply) return toAddress({ ...usual, on_roll: "X", score: [0, 0], crawford: null });
  const { score, crawford } = rounds[ply.game - 1];
  const answers = ["take", "drop", "beaver", "raccoon"].includes(ply.kind);
  const onRoll = answers ? other(ply.player) : ply.player;
  const fields = new URLSearchParams(
    toAddress({
      ...usual,
      position: textForm(ply.points, onRoll),
      on_roll: onRoll,
      score,
      crawford: length ? crawford : null,
      cube: ply.value,
      owner: ply.owner,
      offered: answers,
      dice: ply.dice,
    }),
  );
  if (ply.kind === "play" && ply.text) fields.set("play", ply.text);
  return fields.toString();
}

/** Show what can be given to others of a game that is over. @param {Table} table */
export async function shareGame(table) {
  const { id, state } = table;
  const words = `${versus(state.names)}: ${t(state.title)}, ${state.played_for}`;
  const more = { match: `/games/${id}/record?`, key: keyOf(id) };
  if (await isForAll(id))
    await showShared(t("Share this game"), `/picture/game/${id}.png`, words, { path: `/game/${id}`, ...more });
  else await sharePosition(await lastDecision(table), words, more);
}
