// @ts-check
/** Dialogs, made of text only: nothing that somebody typed becomes markup. */

/**
 * An element with attributes and children.
 * @param {string} name @param {Record<string, any>} attributes @param {(Node | string | null)[]} children
 */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (typeof value === "boolean") element.toggleAttribute(key, value);
    else element.setAttribute(key, String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const dialog = () => /** @type {HTMLDialogElement} */ (document.getElementById("dialog"));

/**
 * Ask, and give the value of the button; "" when the dialog is left without an answer.
 * @param {string} title @param {(Node | string)[]} body @param {[value: string, label: string, kind?: string][]} choices
 * @returns {Promise<string>}
 */
export function ask(title, body, choices) {
  return new Promise((done) => {
    const box = dialog();
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
