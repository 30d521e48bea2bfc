// @ts-check
/** Motion that explains: dice that roll, a checker that is hit, and waits that a click cuts short. */

import { turnDie } from "/static/board/picture.js";
import * as settings from "/static/parts/settings.js";

/** Milliseconds that dice roll, and the moments at which another number shows. */
const ROLL = 520, TURNS = [70, 140, 220, 310];

/** Dice come in from the side and settle; a click shows them as they lie. @param {SVGElement[]} dice @param {number} size @param {number[]} numbers */
export function rollDice(dice, size, numbers) {
  const pace = settings.pace();
  if (!pace) return;
  dice.forEach((die, index) => {
    const way = index % 2 ? -1 : 1;
    const tumble = die.querySelector(".tumble");
    if (!tumble) return;
    const rolling = tumble.animate([
      { translate: `${-90 - 40 * index}px ${-50 * way}px`, rotate: `${-420 * way}deg`, opacity: 0.2 },
      { translate: `${-18 * way}px ${9 * way}px`, rotate: `${-40 * way}deg`, opacity: 1, offset: 0.7 },
      { translate: "0 0", rotate: "0deg", opacity: 1 },
    ], { duration: ROLL * pace, easing: "cubic-bezier(.2, .7, .3, 1)" });
    TURNS.forEach((after, turn) => pause(after * pace).then(() => {
      if (die.isConnected && rolling.playState === "running") turnDie(die, size, turn === TURNS.length - 1 ? numbers[index] : ((numbers[index] + 2 * turn + index) % 6) + 1);
    }));
    skipped.add(() => { rolling.finish(); turnDie(die, size, numbers[index]); });
    rolling.onfinish = () => turnDie(die, size, numbers[index]);
  });
}

/** A checker that is hit is seen to be. @param {SVGElement} node */
export function strike(node) {
  if (!settings.pace()) return;
  node.classList.add("struck");
  node.addEventListener("animationend", () => node.classList.remove("struck"), { once: true });
}

/** What a click ends at once. @type {Set<() => void>} */
const skipped = new Set();

/** End all motion that is under way. */
export function skip() {
  for (const end of [...skipped]) end();
  skipped.clear();
}

/** So many milliseconds, or less when somebody does not want to wait. @param {number} time @returns {Promise<void>} */
export function pause(time) {
  if (!time) return Promise.resolve();
  return new Promise((done) => {
    const end = () => { clearTimeout(timer); skipped.delete(end); done(); };
    const timer = setTimeout(end, time);
    skipped.add(end);
  });
}
