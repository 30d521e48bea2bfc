// @ts-check
/** The question before something goes that does not come back. */

import { ask } from "/static/parts/dialogs.js";
import { el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/**
 * Ask; true where it is to go.
 * @param {string} title @param {string} loss what goes @param {string} label of the button that does it
 */
export async function confirmLoss(title, loss, label) {
  const choices = /** @type {[string, string, string][]} */ ([
    ["", t("Cancel"), "quiet"],
    ["lose", label, "danger"],
  ]);
  return (await ask(title, [el("p", {}, loss)], choices)) === "lose";
}
