// @ts-check
/** The list of trainers, with what has been done in each. */

import { Refusal, call } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { me, showTop } from "/static/people/people.js";
import { result } from "/static/train/results.js";
import { plural, t } from "/static/parts/texts.js";

async function begin() {
  try {
    const [account, { trainers }, { deck }] = await Promise.all([me(), call("/drills/trainers"), call("/drills/cards")]);
    showTop(account);
    byId("cards").textContent = deck.cards ? plural(deck.cards, "{n} card, {1} due.", "{n} cards, {1} due.", deck.due) : "";
    byId("trainers").replaceChildren(...trainers.map((/** @type {import("/static/train/results.js").Trainer} */ trainer) => el("li", {},
      el("a", { href: `/drill/${trainer.name}` }, t(trainer.title)),
      el("span", { class: "mark" }, trainer.tries ? t`${trainer.right} of ${trainer.tries}` : ""),
      el("span", { class: "hint" }, `${t(trainer.about)} ${result(trainer)}`))));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("problem").textContent = error.message;
  }
}

begin();
