// @ts-check
/** The buttons of the analysis board, as the position lets them be pressed; and the words about a level. */

import { dicePicture } from "/static/board/picture.js";
import { buttonOf, showActions } from "/static/parts/actions.js";
import { byId, el } from "/static/parts/page.js";
import { decimal, t } from "/static/parts/texts.js";

/**
 * Show the buttons that the position has, and let those be pressed that can be.
 * @param {any} now the position as the server shows it
 * @param {import("/static/board/mover.js").Mover} mover
 * @param {boolean} editing
 * @param {{back: boolean, forward: boolean, compare: boolean}} can
 * @param {(number: number) => void} choose called with the double that is named
 */
export function showButtons(now, mover, editing, can, choose) {
  /** @param {string} action */
  const legal = (action) => now.actions.includes(action) && !editing;
  const shown = {
    back: true,
    forward: true,
    edit: true,
    roll: legal("roll"),
    double: legal("double"),
    take: legal("take"),
    beaver: legal("beaver"),
    undo: mover.active && !editing,
    done: mover.active && !editing,
  };
  showActions(shown, { back: can.back, forward: can.forward, undo: mover.made, done: mover.complete });
  buttonOf("edit").setAttribute("aria-pressed", String(editing));
  const numbers = legal("choose") ? [1, 2, 3, 4, 5, 6] : [];
  if (byId("choices").children.length !== numbers.length) {
    byId("choices").replaceChildren(
      ...numbers.map((n) => {
        const button = el("button", {
          type: "button",
          class: "throw",
          "aria-label": `${n} ${n}`,
          onclick: () => choose(n),
        });
        button.append(dicePicture([n, n]));
        return button;
      }),
    );
  }
  byId("compare").hidden = !now.dice;
  byId("compare").disabled = !can.compare;
  byId("rolls").hidden = Boolean(now.dice);
  byId("scores").hidden = !now.cube.in_use && now.length !== 1 && !now.crawford;
  byId("rollout-hint").hidden = !now.dice;
}

/** What the chosen level does, how strong it was measured to be, and how long a play takes. @param {any[]} levels */
export function showLevel(levels) {
  const chosen = levels.find(({ level }) => level === byId("level").value);
  const parts = chosen
    ? [
        t(chosen.about),
        chosen.pr === null ? "" : t`PR ${decimal(chosen.pr, 2)} ± ${decimal(chosen.error, 2)}`,
        chosen.ms === null ? "" : t`about ${chosen.ms < 1 ? decimal(chosen.ms, 2) : Math.round(chosen.ms)} ms a play`,
      ]
    : [];
  byId("level-words").textContent = parts.filter(Boolean).join("; ");
}
