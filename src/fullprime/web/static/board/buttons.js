// @ts-check
import { el } from "/static/parts/page.js";

/**
 * @typedef {[name: string, label: string, go: () => void, kind?: string, disabled?: boolean, picture?: () => Element]} Button one with a picture has its label for readers of the screen
 */

/**
 * Show these buttons; those that stay keep their element, so that the focus stays too. Gives whether the focus was on
 * one that is gone or asleep and none could take its place.
 * @param {HTMLElement} place @param {Button[]} wanted @param {boolean} busy
 */
export function showButtons(place, wanted, busy) {
  const had = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.act : undefined;
  const old = new Map([...place.children].map((child) => [/** @type {HTMLElement} */ (child).dataset.act, child]));
  place.replaceChildren(
    ...wanted.map(([name, label, go, kind = "", disabled = false, picture]) => {
      const button = /** @type {HTMLButtonElement} */ (
        old.get(name) ?? el("button", { type: "button", "data-act": name })
      );
      if (!picture) button.textContent = label;
      else if (!button.firstElementChild) {
        button.append(picture());
        button.setAttribute("aria-label", label);
      }
      button.className = kind;
      button.disabled = disabled || busy;
      button.onclick = go;
      return button;
    }),
  );
  if (!had || document.activeElement?.getAttribute("data-act") === had) return false;
  const same = /** @type {HTMLButtonElement | null} */ (place.querySelector(`[data-act="${had}"]`));
  const next =
    same && !same.disabled
      ? same
      : /** @type {HTMLButtonElement | null} */ (place.querySelector("button.primary:enabled"));
  next?.focus();
  return !next;
}
