// @ts-check
/** The way to the analysis board for a position that was pasted on another page. */

import { toAddress } from "/static/analysis/setup.js";
import { call } from "/static/parts/api.js";
import { ask } from "/static/parts/dialogs.js";
import { picture } from "/static/parts/mini.js";
import { byId, el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/** Ask whether to open the position; for another text, say that it is none. @param {string} text */
export async function offerPasted(text) {
  if (!byId("dialog")) document.body.append(el("dialog", { id: "dialog", "aria-labelledby": "dialog-title" }));
  if (byId("dialog").open) return;
  try {
    const pasted = await call("/analysis/read", { text });
    if (byId("dialog").open) return;
    const preview = el("div", { class: "pasted" });
    preview.append(picture(pasted.points, "", pasted.turn === "O" ? "O" : "X"));
    const answer = await ask(
      t("Open the pasted position?"),
      [preview, el("p", {}, pasted.summary)],
      [
        ["open", t("On the analysis board"), "primary"],
        ["", t("Stay here")],
      ],
    );
    if (answer) location.href = `/analysis?${toAddress(pasted.setup)}`;
  } catch (error) {
    await ask(t("No position was pasted"), [el("p", {}, error.message)], [["", t("Close"), "primary"]]);
  }
}
