// @ts-check
/** The report of the other player to the operator of the server: loaded when it is made. */

import { call, Refusal } from "/static/parts/api.js";
import { ask } from "/static/parts/dialogs.js";
import { el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** Ask what is wrong, and send it. @param {string} id @param {string | null} key @param {(text: string) => void} problem */
export async function report(id, key, problem) {
  const input = /** @type {HTMLTextAreaElement} */ (el("textarea", { id: "reason", maxlength: 500, rows: 3 }));
  const body = [
    el("p", {}, t("The operator of this server will see what you write and what has been said.")),
    el("label", { for: "reason" }, t("What is wrong?")),
    input,
  ];
  const answer = await ask(t("Report the other player"), body, [
    ["", t("Cancel")],
    ["report", t("Report"), "danger"],
  ]);
  if (!answer || !input.value.trim()) return;
  try {
    await call(`/games/${id}/report`, { reason: input.value.trim() }, key);
    await ask(
      t("Thank you"),
      [el("p", {}, t("The report has been stored. Mute the other player if you do not want to read more."))],
      [["", t("Close"), "primary"]],
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    problem(error.message);
  }
}
