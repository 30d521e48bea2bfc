// @ts-check
/** Collections: made, described, ordered, commented, shared as studies. */

import { attempt } from "/static/library/shelf.js";
import { call } from "/static/parts/api.js";
import { picture } from "/static/parts/mini.js";
import { byId, el } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";

let open = new URLSearchParams(location.search).get("name") ?? "";

/** @param {any} library */
function list(library) {
  byId("collections").replaceChildren(
    ...library.collections.map((/** @type {any} */ collection) =>
      el(
        "li",
        {},
        el("a", { href: `/library/collections?${new URLSearchParams({ name: collection.name })}` }, collection.name),
        el(
          "span",
          { class: "hint" },
          [
            plural(collection.items, "{n} position", "{n} positions"),
            ...(collection.about ? [collection.about] : []),
          ].join(" · "),
        ),
        collection.link ? el("a", { href: `/study/${collection.link}` }, t("shared")) : null,
      ),
    ),
  );
}

/** @param {any} collection */
function show(collection) {
  open = collection.name;
  byId("one").hidden = false;
  byId("name").textContent = collection.name;
  byId("new-title").value = collection.name;
  byId("about").value = collection.about;
  byId("share").textContent = collection.link ? t("Take the link back") : t("Share by a link");
  byId("link").hidden = !collection.link;
  if (collection.link) {
    byId("link").setAttribute("href", `/study/${collection.link}`);
    byId("link").textContent = `${location.origin}/study/${collection.link}`; // not a text
  }
  byId("empty").hidden = collection.positions.length > 0;
  byId("positions").replaceChildren(
    ...collection.positions.map((/** @type {any} */ position) => item(position, collection.positions.length)),
  );
}

/** @param {any} position @param {number} count */
function item(position, count) {
  const comment = /** @type {HTMLTextAreaElement} */ (
    el("textarea", { maxlength: "4000", "aria-label": t`Comment at position ${position.number}` })
  );
  const arrows = /** @type {HTMLInputElement} */ (
    el("input", {
      maxlength: "200",
      "aria-label": t`Arrows at position ${position.number}`,
      placeholder: t("arrows: 13/7 8/7"),
      spellcheck: "false",
    })
  );
  comment.value = position.comment;
  arrows.value = position.arrows.join(" ");
  const change = (/** @type {object} */ body) =>
    attempt(() => call("/library/collections/position", { name: open, number: position.number, ...body })).then(
      (collection) => {
        if (collection) {
          show(collection);
          byId("told").textContent = t("Kept.");
        }
      },
    );
  const button = (
    /** @type {string} */ text,
    /** @type {string} */ label,
    /** @type {object} */ body,
    /** @type {boolean} */ off,
  ) =>
    el(
      "button",
      { type: "button", class: "quiet", "aria-label": label, disabled: off, onclick: () => change(body) },
      text,
    );
  const best = position.card.options[0];
  return el(
    "li",
    {},
    el(
      "a",
      { href: position.address, class: "open", "aria-label": t`Open position ${position.number} on the board` },
      picture(position.board.points, "", "X"),
    ),
    el(
      "p",
      {},
      el("strong", {}, `${position.number}. `),
      position.card.setup.dice
        ? position.card.setup.dice.join("-")
        : position.card.kind === "take"
          ? t("Take or drop?")
          : t("Double or roll?"),
      ...(best ? [" · ", t`best ${best.text}`] : []),
    ),
    el("p", { class: "hint" }, position.card.source),
    comment,
    arrows,
    el(
      "div",
      { class: "row" },
      el(
        "button",
        {
          type: "button",
          onclick: () => change({ comment: comment.value, arrows: arrows.value.split(/\s+/).filter(Boolean) }),
        },
        t("Keep"),
      ),
      button("↑", t`Position ${position.number} one up`, { to: position.number - 1 }, position.number === 1),
      button("↓", t`Position ${position.number} one down`, { to: position.number + 1 }, position.number === count),
      button(t("Take out"), t`Take position ${position.number} out`, { remove: true }, false),
    ),
  );
}

async function load() {
  const library = await attempt(() => call("/library/collections"));
  if (library) list(library);
  const collection = open
    ? await attempt(() => call(`/library/collection?${new URLSearchParams({ name: open })}`))
    : null;
  if (collection) show(collection);
}

/** @param {object} body */
async function change(body) {
  const collection = await attempt(() => call("/library/collections/change", { name: open, ...body }));
  if (!collection) return;
  history.replaceState(null, "", `/library/collections?${new URLSearchParams({ name: collection.name })}`);
  show(collection);
  const library = await attempt(() => call("/library/collections"));
  if (library) list(library);
}

byId("make").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const name = byId("new-name").value.trim();
  const library = await attempt(() => call("/library/collections", { name }));
  if (!library) return;
  open = name;
  byId("new-name").value = "";
  await load();
});
byId("describe").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  change({ new_name: byId("new-title").value, about: byId("about").value });
});
byId("share").addEventListener("click", () => change({ shared: byId("link").hidden }));
byId("remove").addEventListener("click", async () => {
  const { confirmLoss } = await import("/static/parts/confirm-loss.js");
  const loss = t("Its positions, their order and their comments go with it, and a link to it leads nowhere.");
  if (!(await confirmLoss(t`Remove ${open}?`, loss, t("Remove it")))) return;
  if (await attempt(() => call("/library/collections/remove", { name: open }))) location.href = "/library/collections";
});
load();
