// @ts-check
/** The builder of house rules: the options of a game, one by one, kept under a name and shared by a link. */

import { Refusal, call } from "/static/parts/api.js";
import { byId, el, fill } from "/static/parts/page.js";
import { sharing } from "/static/parts/share.js";
import { begin } from "/static/home/form.js";
import { addressOf, control, dropHouse, houseFrom, houses, keepHouse, shown, words } from "/static/house/options.js";
import { NotKept } from "/static/real/keep.js";
import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/house/options.js").House} House */

/** @type {House} */
let house = houseFrom(new URLSearchParams(location.search));
/** The options as the server told them last. @type {any} */
let told = null;
let asked = 0;

/** @param {string} text */
function problem(text) { byId("problem").textContent = text; }

/** Show rules; those that are refused are told, and the ones before stay. @param {House} next */
async function show(next) {
  const mine = ++asked;
  problem("");
  try {
    const found = await call(addressOf({ ...next, name: "" }, "/house"));
    if (mine !== asked) return;
    told = found;
    house = { name: next.name, variant: found.variant, rules: found.rules };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    problem(error.message);
    if (!told) return;
  }
  draw();
}

function draw() {
  const kept = /** @type {HTMLElement | null} */ (document.activeElement)?.id;
  byId("variant").value = house.variant;
  byId("summary").textContent = Object.keys(house.rules).length
    ? t`${t(told.title)}, ${told.played_for}. Otherwise than usual: ${Object.entries(house.rules).map(([name, value]) => `${words(name)}: ${shown(value)}`).join("; ")}.` : t`${t(told.title)}, ${told.played_for}. Everything as usual.`;
  byId("options").replaceChildren(...told.options.map((/** @type {any} */ option) => control(option, (value) => show({ ...house, rules: { ...house.rules, [option.name]: value } }))));
  if (kept) byId(kept)?.focus();
  link();
  list();
}

/** The ways from here have the name with them. */
function link() {
  history.replaceState(null, "", addressOf(house));
  byId("to-rules").href = addressOf({ ...house, name: "" }, "/rules");
  byId("to-lab")?.setAttribute("href", addressOf(house, "/lab"));
  byId("to-real").href = house.name && houses().some((each) => each.name === house.name) ? `/real?house=${encodeURIComponent(house.name)}` : "/real";
}

function list() {
  const known = houses();
  byId("kept").hidden = !known.length;
  byId("houses").replaceChildren(...known.map((each) => el("li", {}, el("a", { href: addressOf(each) }, each.name), el("span", { class: "hint" }, Object.entries(each.rules).map(([name, value]) => `${words(name)}: ${shown(value)}`).join("; ") || t("as usual")),
    el("button", { type: "button", class: "quiet", "aria-label": t`Forget the rules ${each.name}`, onclick: () => { dropHouse(each.name); list(); } }, t("Forget")))));
}

/** @param {string} opponent */
function play(opponent) {
  return begin({ opponent, variant: house.variant, rules: { length: "0", ...house.rules }, ...(house.name ? { house: house.name } : {}) });
}

byId("name").value = house.name;
byId("name").addEventListener("input", () => { house.name = byId("name").value.trim(); });
byId("name").addEventListener("change", () => { if (told) link(); }); // the options stay: one of them may be what is pressed now
byId("variant").addEventListener("change", () => show({ ...house, variant: byId("variant").value, rules: {} }));
byId("usual").addEventListener("click", () => show({ ...house, rules: {} }));
byId("keep").addEventListener("click", () => {
  if (!told) return;
  if (!house.name) { problem(t("Give these rules a name first.")); byId("name").focus(); return; }
  try {
    keepHouse(house);
    draw();
    byId("summary").append(" ", t`Saved as ${house.name}.`);
  } catch (error) {
    if (!(error instanceof NotKept)) throw error;
    problem(error.message);
  }
});
byId("share").addEventListener("click", () => byId("shared").replaceChildren(...sharing(addressOf(house), t("The link to these rules"))));
byId("play-bot").addEventListener("click", () => play("bot"));
byId("play-friend").addEventListener("click", () => play("friend"));

call("/options").then(({ variants }) => {
  fill(byId("variant"), Object.entries(variants).map(([name, { title }]) => [name, t(title)]), house.variant);
  return show(house);
}).catch((error) => {
  if (!(error instanceof Refusal)) throw error;
  problem(error.message);
});
