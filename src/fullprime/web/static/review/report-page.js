// @ts-check
/** The server's additions to the report of a review: saving it, and the way from each decision to the analysis board. */

import { call, Refusal, save } from "/static/parts/api.js";
import { el } from "/static/parts/page.js";
// The set of boards and the light that this browser has chosen.
import "/static/parts/preferences.js";
import { t } from "/static/parts/texts.js";

const top = /** @type {HTMLElement} */ (document.querySelector("nav.page-top"));
const button = /** @type {HTMLButtonElement} */ (document.getElementById("save"));
const choice = /** @type {HTMLSelectElement} */ (document.getElementById("save-as"));
const again = /** @type {HTMLButtonElement} */ (document.getElementById("again"));

async function keepScroll() {
  button.disabled = true;
  try {
    await save(
      `${(top.dataset.review ?? "").replace("/review", "/reviews")}/${top.dataset.match}/file?format=${choice.value}`,
      null,
    );
    button.textContent = t("Save");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    button.textContent = t("Not possible");
    button.title = error.message;
  } finally {
    button.disabled = false;
  }
}

/** Judge the match again, by the nets of today; the page of reviews follows it and opens the new report. */
async function judgeAgain() {
  const level = /** @type {HTMLSelectElement} */ (document.getElementById("again-level")).value;
  again.disabled = true;
  try {
    const { id } = await call(
      `${(top.dataset.review ?? "").replace("/review", "/reviews")}/${top.dataset.match}/again`,
      { level },
    );
    location.assign(`/review#${id}`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    /** @type {HTMLElement} */ (document.getElementById("again-said")).textContent = error.message;
    again.disabled = false;
  }
}

/** The way from each decision to the analysis board. */
function addLinks() {
  for (const code of document.querySelectorAll(".id code:last-child")) {
    const id = code.parentElement?.textContent?.startsWith("XGID")
      ? `XGID=${code.textContent}`
      : (code.textContent ?? "");
    const about = new URLSearchParams({ id, variant: top.dataset.variant ?? "backgammon" });
    code.after(" ", el("a", { href: `/analysis?${about}` }, t("On the analysis board")));
  }
}

// The report of a match in the library has neither: its own page saves it and has it judged again.
if (button) {
  button.addEventListener("click", keepScroll);
  choice.addEventListener("change", () => {
    button.textContent = t("Save");
  });
  again.addEventListener("click", judgeAgain);
}
document.addEventListener("decisions", addLinks);
addLinks();
