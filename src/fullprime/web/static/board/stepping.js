// @ts-check
/** How plies are gone through, on a review and in a game: keys, the wheel, and a finger that swipes over the board. */

/** Pixels of a swipe, and of a turn of the wheel that is one ply. */
const SWIPE = 60;
const TURN = 50;
const STEPS = /** @type {Record<string, ["step" | "error" | "game" | "end", number]>} */ ({
  ArrowLeft: ["step", -1],
  ArrowRight: ["step", 1],
  k: ["step", -1],
  j: ["step", 1],
  ArrowUp: ["error", -1],
  ArrowDown: ["error", 1],
  n: ["error", 1],
  PageUp: ["game", -1],
  PageDown: ["game", 1],
  Home: ["end", -1],
  End: ["end", 1],
});
const NAMES = /** @type {Record<string, string>} */ ({ f: "done", " ": "done", u: "undo", Backspace: "undo" });

/**
 * The actions of a page. A key whose action it lacks is the browser's, and so is one whose action answers false.
 * @typedef {(by: number) => unknown} Step
 * @typedef {{step: Step, game: Step, end: Step, error?: Step, turn?: () => void, press?: (name: string) => void,
 *   unselect?: () => void, glides?: () => boolean}} SteppingActions `glides`: whether wheel and finger step now, as they
 *   do unless it is said
 */

/** @param {HTMLElement} board @param {SteppingActions} actions */
export function listen(board, actions) {
  document.addEventListener("keydown", (event) => {
    const at = event.target;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !(at instanceof Element)) return;
    if (at.closest("input, select, textarea, dialog, [role=tab]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === " " && at.closest("button, summary, a")) return;
    const [action, by] = STEPS[key] ?? [];
    const step = action && actions[action];
    if (step && by) {
      if (step(by) !== false) event.preventDefault();
      return;
    }
    if (key === "v") actions.turn?.();
    else if (key === "Escape") actions.unselect?.();
    else if (NAMES[key] && actions.press) {
      event.preventDefault();
      actions.press(NAMES[key]);
    }
  });
  const glides = actions.glides ?? (() => true);
  wheel(board, actions.step, glides);
  swipe(board, actions.step, glides);
}

/** @param {HTMLElement} board @param {Step} step @param {() => boolean} glides */
function wheel(board, step, glides) {
  let turned = 0;
  board.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || !glides()) return;
      event.preventDefault();
      turned += event.deltaY;
      if (Math.abs(turned) < TURN) return;
      step(Math.sign(turned));
      turned = 0;
    },
    { passive: false },
  );
}

/**
 * A finger that begins on a checker which can move drags it instead.
 * @param {HTMLElement} board
 * @param {Step} step
 * @param {() => boolean} glides
 */
function swipe(board, step, glides) {
  let from = /** @type {{x: number, y: number} | null} */ (null);
  board.addEventListener(
    "touchstart",
    ({ touches, target }) => {
      const held = target instanceof Element && target.closest(".spot.source, .spot.moved");
      from = held || touches.length > 1 || !glides() ? null : { x: touches[0].clientX, y: touches[0].clientY };
    },
    { passive: true },
  );
  board.addEventListener("touchend", ({ changedTouches: [end] }) => {
    if (!from) return;
    const dx = end.clientX - from.x;
    const dy = end.clientY - from.y;
    from = null;
    if (Math.abs(dx) > SWIPE && Math.abs(dx) > 2 * Math.abs(dy)) step(dx < 0 ? 1 : -1);
  });
}
