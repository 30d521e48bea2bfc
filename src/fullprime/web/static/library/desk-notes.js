// @ts-check
/** Notes on the analysis board: of the decision that was opened from the library, else of the position itself. */

import { notesOf } from "/static/library/shelf.js";
import { byId } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** The decision from which the page was opened, until another position is shown. */
const parameters = new URLSearchParams(location.search);
let from = parameters.get("from");
/** @type {any} */
let setup = null;

/** @param {string} place */
function placeWords(place) {
  const [, match, game] = /^match (\d+)(?: game (\d+))?/.exec(place) ?? [];
  return game && parameters.has("move")
    ? t`match ${match}, game ${game}, move ${parameters.get("move")}`
    : place.replace(" game", ", game").replace(" event", ", event");
}

const named = () => (from ? { place: from } : { position: setup });
const show = () => {
  if (byId("desk-notes").open && setup) notesOf(byId("notes-place"), named, true);
};

document.addEventListener("position", (event) => {
  if (setup) from = null;
  setup = /** @type {CustomEvent} */ (event).detail;
  byId("notes-of").textContent = from ? t`Notes on ${placeWords(from)}` : t("Notes on this position");
  show();
});
byId("desk-notes").addEventListener("toggle", show);
