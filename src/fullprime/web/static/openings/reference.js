// @ts-check
/** The reference positions by theme, each beside the board that turns its decision. */

import { me, showTop } from "/static/accounts/accounts.js";
import { call } from "/static/parts/api.js";
import { attempt } from "/static/parts/attempt.js";
import { picture } from "/static/parts/mini.js";
import { byId, el } from "/static/parts/page.js";
import { decimal, t } from "/static/parts/texts.js";
import { capital, signed } from "/static/parts/words.js";

/** A board with its decision. @param {string} title @param {any} board */
function boardFigure(title, { points, pips, cube, address }) {
  const sure = (/** @type {number} */ equity, /** @type {number} */ error) =>
    `${signed(equity)} ± ${decimal(1.96 * error, 3)}`;
  return el(
    "figure",
    {},
    picture(points, `${title}: ${t(cube.verdict)}`),
    el(
      "figcaption",
      {},
      el("span", { class: "hint" }, pips ? t`${title}: ${pips[0]} pips, ${pips[1]} theirs` : title),
      el("strong", {}, capital(t(cube.verdict))),
      el(
        "p",
        {},
        t`No double ${sure(cube.no_double, cube.no_double_error)}; double, take ${sure(cube.double_take, cube.double_take_error)}`,
      ),
      el(
        "p",
        { class: "hint" },
        t`Wins ${decimal(100 * cube.probabilities[0], 1)} %, gammons ${decimal(100 * cube.probabilities[1], 1)} %; ${cube.trials} trials`,
      ),
      el("span", { class: "links" }, el("a", { href: address }, t("Analysis board"))),
    ),
  );
}

/** @param {any} position */
const positionPart = (position) =>
  el(
    "article",
    { id: position.name },
    el(
      "p",
      { class: "sentence" },
      position.sentence,
      " ",
      el(
        "a",
        { href: `/reference?name=${position.name}#${position.name}`, "aria-label": t`Link to ${position.name}` },
        t("Link"),
      ),
    ),
    el(
      "div",
      { class: "pair" },
      boardFigure(t("The position"), position),
      ...position.neighbours.map((/** @type {any} */ neighbour) => boardFigure(neighbour.change, neighbour)),
    ),
  );

async function begin() {
  const [account, { themes, way }] = await Promise.all([me(), call("/reference")]);
  showTop(account);
  const shown = themes.filter((/** @type {any} */ theme) => theme.positions.length);
  byId("way").textContent = way ? t`${way}. ± is half of the 95 % interval.` : t("There are none yet.");
  byId("themes").replaceChildren(
    ...shown.map((/** @type {any} */ theme) => el("li", {}, el("a", { href: `#${theme.name}` }, t(theme.title)))),
  );
  byId("positions").replaceChildren(
    ...shown.map((/** @type {any} */ theme) =>
      el(
        "section",
        { class: "card", id: theme.name, "data-terms": true, "aria-labelledby": `title-${theme.name}` },
        el("h2", { id: `title-${theme.name}` }, t(theme.title)),
        el("p", { class: "hint" }, t(theme.about)),
        ...theme.positions.map(positionPart),
      ),
    ),
  );
  const at = new URLSearchParams(location.search).get("name") ?? location.hash.slice(1);
  if (at) document.getElementById(at)?.scrollIntoView();
}

attempt(begin);
