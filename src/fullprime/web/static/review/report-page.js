// @ts-check
/** What a server adds to the report of a review: saving it, and the way from each decision to the analysis board. */

import { Refusal, save } from "/static/parts/api.js";
import { el } from "/static/parts/page.js";

const top = /** @type {HTMLElement} */ (document.querySelector("nav.page-top"));
const button = /** @type {HTMLButtonElement} */ (document.getElementById("save"));
const choice = /** @type {HTMLSelectElement} */ (document.getElementById("save-as"));

button.addEventListener("click", async () => {
  button.disabled = true;
  try {
    await save(`${(top.dataset.review ?? "").replace("/review", "/reviews")}/${top.dataset.match}/file?format=${choice.value}`, null);
    button.textContent = "Save";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    button.textContent = "Not possible";
    button.title = error.message;
  } finally {
    button.disabled = false;
  }
});
choice.addEventListener("change", () => { button.textContent = "Save"; });

/** The way from each decision to the analysis board. */
function lead() {
  for (const code of document.querySelectorAll(".id code:last-child")) {
    const id = code.parentElement?.textContent?.startsWith("XGID") ? `XGID=${code.textContent}` : code.textContent ?? "";
    const about = new URLSearchParams({ id, variant: top.dataset.variant ?? "backgammon" });
    code.after(" ", el("a", { href: `/analysis?${about}` }, "On the analysis board"));
  }
}

document.addEventListener("decisions", lead);
lead();
