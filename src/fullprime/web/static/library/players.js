// @ts-check
/** Everybody in the library; names of one person made one, and two again. */

import { attempt } from "/static/library/shelf.js";
import { call } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";

async function list() {
  const library = await attempt(() => call("/library/players"));
  if (!library) return;
  byId("players").replaceChildren(
    ...library.players.map((/** @type {any} */ person) =>
      el(
        "li",
        {},
        el("a", { href: `/library/player?${new URLSearchParams({ player: person.player })}` }, person.player),
        el("span", { class: "hint" }, plural(person.matches, "{n} match", "{n} matches")),
        ...person.names
          .filter((/** @type {string} */ name) => name !== person.player)
          .map((/** @type {string} */ name) =>
            el(
              "span",
              {},
              t`also ${name}`,
              " ",
              el(
                "button",
                {
                  type: "button",
                  class: "quiet",
                  "aria-label": t`${name} is somebody else`,
                  onclick: () => change("split", { name }),
                },
                t("Somebody else"),
              ),
            ),
          ),
      ),
    ),
  );
  byId("people").replaceChildren(
    ...library.players.slice(0, 500).map((/** @type {any} */ person) => el("option", { value: person.player })),
  );
}

/** @param {string} way @param {object} body */
async function change(way, body) {
  if (await attempt(() => call(`/library/players/${way}`, body))) await list();
}

byId("merge").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  await change("merge", { name: byId("name").value, others: [byId("other").value] });
});
list();
