// @ts-check
/** A challenge to an account: a dialog asks for the terms of the match. */

import { CHALLENGED, me } from "/static/accounts/accounts.js";
import { askTerms } from "/static/home/match-terms.js";
import { call, keep } from "/static/parts/api.js";
import { t } from "/static/parts/texts.js";

/**
 * Challenge an account, and go where one waits for the answer: to the lobby, which tells it; a guest to the board.
 * @param {string} target its name
 */
export async function challenge(target) {
  const account = await me();
  let game = "";
  await askTerms({
    title: t`Challenge ${target}`,
    hint: t("It stands for half an hour, and the board opens when it is accepted."),
    button: t("Challenge"),
    isGuest: !account.name,
    name: "",
    clock: "medium",
    canRate: Boolean(account.name),
    send: async ({ name, length, clock, rated }) => {
      const created = await call(`/challenge/${encodeURIComponent(target)}`, { name, rules: { length }, clock, rated });
      game = created.challenge.game;
      keep(game, {
        key: created.key,
        commitment: created.commitment,
        invitation: created.invitation,
        challenge: created.challenge.id,
        target,
      });
    },
  });
  if (game && dispatchEvent(new CustomEvent(CHALLENGED, { cancelable: true, detail: game })))
    location.href = account.name ? `/lobby?wait=${game}` : `/game/${game}`;
}
