// @ts-check
/** Dialogs, made of text only: no typed text becomes markup. */

import { byId, el } from "/static/parts/page.js";

/**
 * Ask, and give the value of the button; "" when the dialog is left without an answer.
 * @param {string} title
 * @param {(Node | string)[]} body
 * @param {[value: string, label: string, kind?: string][]} choices
 * @returns {Promise<string>}
 */
export function ask(title, body, choices) {
  return new Promise((done) => {
    const box = byId("dialog");
    const heading = el("h2", { id: "dialog-title" });
    heading.textContent = title;
    const buttons = choices.map(([value, label, kind]) => {
      const button = el("button", { type: "button", class: kind ?? "", value });
      button.textContent = label;
      button.addEventListener("click", () => box.close(value));
      return button;
    });
    box.returnValue = "";
    box.replaceChildren(heading, ...body, el("div", { class: "actions" }, ...buttons));
    box.onclose = () => done(box.returnValue);
    box.showModal();
  });
}
