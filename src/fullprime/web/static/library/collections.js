// @ts-check
/** Collections: made, described, ordered, commented, shared as studies. */

import { call } from "/static/parts/api.js";
import { picture } from "/static/parts/mini.js";
import { byId, el } from "/static/parts/page.js";
import { trying } from "/static/library/shelf.js";
import { plural, t } from "/static/parts/texts.js";

let open = new URLSearchParams(location.search).get("name") ?? "";

/** @param {any} told */
function list(told) {
  byId("collections").replaceChildren(...told.collections.map((/** @type {any} */ each) => el("li", {},
    el("a", { href: `/library/collections?${new URLSearchParams({ name: each.name })}` }, each.name),
    el("span", { class: "hint" }, [plural(each.items, "{n} position", "{n} positions"), ...(each.about ? [each.about] : [])].join(" · ")),
    each.link ? el("a", { href: `/study/${each.link}` }, t("shared")) : null)));
}

/** @param {any} found */
function show(found) {
  open = found.name;
  byId("one").hidden = false;
  byId("name").textContent = found.name;
  byId("new-title").value = found.name;
  byId("about").value = found.about;
  byId("share").textContent = found.link ? t("Take the link back") : t("Share by a link");
  byId("link").hidden = !found.link;
  if (found.link) { byId("link").setAttribute("href", `/study/${found.link}`); byId("link").textContent = `${location.origin}/study/${found.link}`; } // not a text
  byId("empty").hidden = found.positions.length > 0;
  byId("positions").replaceChildren(...found.positions.map((/** @type {any} */ each) => item(each, found.positions.length)));
}

/** @param {any} each @param {number} count */
function item(each, count) {
  const comment = /** @type {HTMLTextAreaElement} */ (el("textarea", { maxlength: "4000", "aria-label": t`Comment at position ${each.number}` }));
  const arrows = /** @type {HTMLInputElement} */ (el("input", { maxlength: "200", "aria-label": t`Arrows at position ${each.number}`, placeholder: t("arrows: 13/7 8/7"), spellcheck: "false" }));
  comment.value = each.comment;
  arrows.value = each.arrows.join(" ");
  const change = (/** @type {object} */ body) => trying(() => call("/library/collections/position", { name: open, number: each.number, ...body })).then((told) => { if (told) { show(told); byId("told").textContent = t("Kept."); } });
  const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {object} */ body, /** @type {boolean} */ off) => el("button", { type: "button", class: "quiet", "aria-label": label, disabled: off, onclick: () => change(body) }, text);
  const best = each.card.options[0];
  return el("li", {}, el("a", { href: each.address, class: "open", "aria-label": t`Open position ${each.number} on the board` }, picture(each.board.points, "", "X")),
    el("p", {}, el("strong", {}, `${each.number}. `), each.card.setup.dice ? each.card.setup.dice.join("-") : each.card.kind === "take" ? t("Take or drop?") : t("Double or roll?"), ...(best ? [" · ", t`best ${best.text}`] : [])),
    el("p", { class: "hint" }, each.card.source), comment, arrows,
    el("div", { class: "row" }, el("button", { type: "button", onclick: () => change({ comment: comment.value, arrows: arrows.value.split(/\s+/).filter(Boolean) }) }, t("Keep")),
      button("↑", t`Position ${each.number} one up`, { to: each.number - 1 }, each.number === 1), button("↓", t`Position ${each.number} one down`, { to: each.number + 1 }, each.number === count),
      button(t("Take out"), t`Take position ${each.number} out`, { remove: true }, false)));
}

async function load() {
  const told = await trying(() => call("/library/collections"));
  if (told) list(told);
  const found = open ? await trying(() => call(`/library/collection?${new URLSearchParams({ name: open })}`)) : null;
  if (found) show(found);
}

/** @param {object} body */
async function change(body) {
  const found = await trying(() => call("/library/collections/change", { name: open, ...body }));
  if (!found) return;
  history.replaceState(null, "", `/library/collections?${new URLSearchParams({ name: found.name })}`);
  show(found);
  const told = await trying(() => call("/library/collections"));
  if (told) list(told);
}

byId("make").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const name = byId("new-name").value.trim();
  const told = await trying(() => call("/library/collections", { name }));
  if (!told) return;
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
  if (!confirm(t`Remove ${open} with its positions?`)) return;
  if (await trying(() => call("/library/collections/remove", { name: open }))) location.href = "/library/collections";
});
load();
