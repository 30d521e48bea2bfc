// @ts-check
/** Everybody in the library; names of one person made one, and two again. */

import { call } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { trying } from "/static/library/shelf.js";
import { plural, t } from "/static/parts/texts.js";

async function list() {
  const told = await trying(() => call("/library/players"));
  if (!told) return;
  byId("players").replaceChildren(...told.players.map((/** @type {any} */ each) => el("li", {},
    el("a", { href: `/library/player?${new URLSearchParams({ player: each.player })}` }, each.player),
    el("span", { class: "hint" }, plural(each.matches, "{n} match", "{n} matches")),
    ...each.names.filter((/** @type {string} */ name) => name !== each.player).map((/** @type {string} */ name) => el("span", {}, t`also ${name}`, " ",
      el("button", { type: "button", class: "quiet", "aria-label": t`${name} is somebody else`, onclick: () => change("split", { name }) }, t("Somebody else")))))));
  byId("people").replaceChildren(...told.players.slice(0, 500).map((/** @type {any} */ each) => el("option", { value: each.player })));
}

/** @param {string} way @param {object} body */
async function change(way, body) {
  if (await trying(() => call(`/library/players/${way}`, body))) await list();
}

byId("merge").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  await change("merge", { name: byId("name").value, others: [byId("other").value] });
});
list();
