// @ts-check
/** A game with a friend: a dialog asks for name, length and clock, and the board gives the link. */

import { begin } from "/static/home/form.js";
import { askTerms } from "/static/home/match-terms.js";
import { byId } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** Ask for the terms of the game, and begin. @param {{name: string | null}} account */
export const playFriend = (account) =>
  askTerms({
    title: t("Play a friend"),
    hint: t("The board has a link to send, and a code to scan: the first to come plays."),
    button: t("Get the link"),
    isGuest: !account.name,
    name: byId("name").value,
    clock: "",
    canRate: false,
    send: async ({ name, length, clock }) => {
      if (!account.name) byId("name").value = name ?? "";
      const terms = { opponent: "friend", variant: "backgammon", name: account.name ?? name, rules: { length }, clock };
      await begin(terms, (refusal) => {
        throw refusal;
      });
    },
  });
