// @ts-check
/** The actions of a page: buttons that have the name of what they do in `data-act`. */

/** The button of an action. @param {string} name @returns {HTMLButtonElement} */
export const buttonOf = (name) => /** @type {HTMLButtonElement} */ (document.querySelector(`[data-act=${name}]`));

/** The button of an action that can be done now. @param {string} name @returns {HTMLButtonElement | null} */
export const enabledButton = (name) => document.querySelector(`[data-act=${name}]:not([hidden]):enabled`);

/** Do what a button that is pressed names. @param {Record<string, () => unknown>} actions */
export function listenToActions(actions) {
  document.addEventListener("click", ({ target }) => {
    const pressed = target instanceof Element ? target.closest("[data-act]") : null;
    actions[pressed?.getAttribute("data-act") ?? ""]?.();
  });
}

/**
 * Show the buttons of what can be done; one that sleeps is shown, too. The focus goes from one that is gone to the main
 * one.
 * @param {Record<string, unknown>} shown by the name of the action
 * @param {Record<string, unknown>} able those that are shown and may sleep
 */
export function showActions(shown, able = {}) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest("[data-act]"));
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-act]"))) {
    const name = button.dataset.act ?? "";
    button.hidden = !shown[name];
    button.disabled = name in able && !able[name];
  }
  if (!focused || enabledButton(focused.dataset.act ?? "")) return;
  const ways = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-act]:not([hidden]):enabled")]);
  (ways.find((way) => way.classList.contains("primary")) ?? ways[0])?.focus({ preventScroll: true });
}
