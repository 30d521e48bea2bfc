// @ts-check
/** The builder of house rules: the options of a game, one by one, kept under a name and shared by a link. */

import { begin } from "/static/home/form.js";
import {
  addressOf,
  control,
  dropHouse,
  houseFrom,
  houses,
  keepHouse,
  nameWords,
  valueWords,
} from "/static/house/options.js";
import { call, Refusal } from "/static/parts/api.js";
import { byId, el, fill } from "/static/parts/page.js";
import { sharing } from "/static/parts/share.js";
import { t } from "/static/parts/texts.js";
import { NotKept } from "/static/real/storage.js";

/** @typedef {import("/static/house/options.js").House} House */

/** @type {House} */
let house = houseFrom(new URLSearchParams(location.search));
/** The options as the server sent them last. @type {any} */
let answer = null;
let request = 0;

/** @param {string} text */
function showProblem(text) {
  byId("problem").textContent = text;
}

/** Show rules; after a refusal, its words, and the rules before stay. @param {House} next */
async function show(next) {
  const mine = ++request;
  showProblem("");
  try {
    const latest = await call(addressOf({ ...next, name: "" }, "/house"));
    if (mine !== request) return;
    answer = latest;
    house = { name: next.name, variant: latest.variant, rules: latest.rules };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    showProblem(error.message);
    if (!answer) return;
  }
  draw();
}

function draw() {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.id;
  byId("variant").value = house.variant;
  byId("summary").textContent = Object.keys(house.rules).length
    ? t`${t(answer.title)}, ${answer.played_for}. Otherwise than usual: ${Object.entries(house.rules)
        .map(([name, value]) => `${nameWords(name)}: ${valueWords(value)}`)
        .join("; ")}.`
    : t`${t(answer.title)}, ${answer.played_for}. Everything as usual.`;
  byId("options").replaceChildren(
    ...answer.options.map((/** @type {any} */ option) =>
      control(option, (value) => show({ ...house, rules: { ...house.rules, [option.name]: value } })),
    ),
  );
  if (focused) byId(focused)?.focus();
  updateLinks();
  showSaved();
}

/** Give the links from here the rules and their name. */
function updateLinks() {
  history.replaceState(null, "", addressOf(house));
  byId("to-rules").href = addressOf({ ...house, name: "" }, "/rules");
  byId("to-lab")?.setAttribute("href", addressOf(house, "/lab"));
  byId("to-real").href =
    house.name && houses().some((saved) => saved.name === house.name)
      ? `/real?house=${encodeURIComponent(house.name)}`
      : "/real";
}

function showSaved() {
  const saved = houses();
  byId("kept").hidden = !saved.length;
  byId("houses").replaceChildren(
    ...saved.map((rules) =>
      el(
        "li",
        {},
        el("a", { href: addressOf(rules) }, rules.name),
        el(
          "span",
          { class: "hint" },
          Object.entries(rules.rules)
            .map(([name, value]) => `${nameWords(name)}: ${valueWords(value)}`)
            .join("; ") || t("as usual"),
        ),
        el(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": t`Forget the rules ${rules.name}`,
            onclick: () => {
              dropHouse(rules.name);
              showSaved();
            },
          },
          t("Forget"),
        ),
      ),
    ),
  );
}

/** @param {string} opponent */
function play(opponent) {
  return begin({
    opponent,
    variant: house.variant,
    rules: { length: "0", ...house.rules },
    ...(house.name ? { house: house.name } : {}),
  });
}

byId("name").value = house.name;
byId("name").addEventListener("input", () => {
  house.name = byId("name").value.trim();
});
byId("name").addEventListener("change", () => {
  if (answer) updateLinks();
}); // the options stay: one of them may be what is pressed now
byId("variant").addEventListener("change", () => show({ ...house, variant: byId("variant").value, rules: {} }));
byId("usual").addEventListener("click", () => show({ ...house, rules: {} }));
byId("keep").addEventListener("click", () => {
  if (!answer) return;
  if (!house.name) {
    showProblem(t("Give these rules a name first."));
    byId("name").focus();
    return;
  }
  try {
    keepHouse(house);
    draw();
    byId("summary").append(" ", t`Saved as ${house.name}.`);
  } catch (error) {
    if (!(error instanceof NotKept)) throw error;
    showProblem(error.message);
  }
});
byId("share").addEventListener("click", () =>
  byId("shared").replaceChildren(...sharing(addressOf(house), t("The link to these rules"))),
);
byId("play-bot").addEventListener("click", () => play("bot"));
byId("play-friend").addEventListener("click", () => play("friend"));

call("/options")
  .then(({ variants }) => {
    fill(
      byId("variant"),
      Object.entries(variants).map(([name, { title }]) => [name, t(title)]),
      house.variant,
    );
    return show(house);
  })
  .catch((error) => {
    if (!(error instanceof Refusal)) throw error;
    showProblem(error.message);
  });
