// @ts-check
/** The list of trainers, with the results of each. */

import { me, showTop } from "/static/accounts/accounts.js";
import { call } from "/static/parts/api.js";
import { attempt } from "/static/parts/attempt.js";
import { byId, el } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";
import { resultWords } from "/static/train/results.js";

async function begin() {
  const [account, { trainers }, { deck }] = await Promise.all([me(), call("/drills/trainers"), call("/drills/cards")]);
  showTop(account);
  byId("cards").textContent = deck.cards
    ? plural(deck.cards, "{n} card, {1} due.", "{n} cards, {1} due.", deck.due)
    : "";
  byId("trainers").replaceChildren(
    ...trainers.map((/** @type {import("/static/train/results.js").Trainer} */ trainer) =>
      el(
        "li",
        {},
        el("a", { href: `/drill/${trainer.name}` }, t(trainer.title)),
        el("span", { class: "mark" }, trainer.tries ? t`${trainer.right} of ${trainer.tries}` : ""),
        el("span", { class: "hint" }, `${t(trainer.about)} ${resultWords(trainer)}`),
      ),
    ),
  );
}

attempt(begin);
