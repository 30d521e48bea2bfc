// @ts-check
/** Motion that explains: dice that roll, a checker that is hit or dragged, and waits that a click cuts short. */

import { turnDie } from "/static/board/picture.js";
import * as preferences from "/static/parts/preferences.js";

/** Milliseconds that dice roll, and the moments at which another number shows. */
const ROLL = 520;
const TURNS = [70, 140, 220, 310];

/**
 * Dice come in from the side and settle; a click shows them as they lie.
 * @param {SVGElement[]} dice
 * @param {number} size
 * @param {number[]} numbers
 */
export function rollDice(dice, size, numbers) {
  const pace = preferences.pace();
  if (!pace) return;
  dice.forEach((die, index) => {
    const way = index % 2 ? -1 : 1;
    const tumble = die.querySelector(".tumble");
    if (!tumble) return;
    const rolling = tumble.animate(
      [
        { translate: `${-90 - 40 * index}px ${-50 * way}px`, rotate: `${-420 * way}deg`, opacity: 0.2 },
        { translate: `${-18 * way}px ${9 * way}px`, rotate: `${-40 * way}deg`, opacity: 1, offset: 0.7 },
        { translate: "0 0", rotate: "0deg", opacity: 1 },
      ],
      { duration: ROLL * pace, easing: "cubic-bezier(.2, .7, .3, 1)" },
    );
    TURNS.forEach((after, turn) =>
      pause(after * pace).then(() => {
        if (die.isConnected && rolling.playState === "running")
          turnDie(
            die,
            size,
            turn === TURNS.length - 1 ? numbers[index] : ((numbers[index] + 2 * turn + index) % 6) + 1,
          );
      }),
    );
    skipped.add(() => {
      rolling.finish();
      turnDie(die, size, numbers[index]);
    });
    rolling.onfinish = () => turnDie(die, size, numbers[index]);
  });
}

/** A checker that is hit is seen to be. @param {SVGElement} node */
export function strike(node) {
  if (!preferences.pace()) return;
  node.classList.add("struck");
  node.addEventListener("animationend", () => node.classList.remove("struck"), { once: true });
}

/** Functions that end motion, called by a click. @type {Set<() => void>} */
const skipped = new Set();

/** End all motion that is under way. */
export function skip() {
  for (const end of [...skipped]) end();
  skipped.clear();
}

/** Wait `time` milliseconds, or less when a click ends the wait. @param {number} time @returns {Promise<void>} */
export function pause(time) {
  if (!time) return Promise.resolve();
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      skipped.delete(end);
      done();
    };
    const timer = setTimeout(end, time);
    skipped.add(end);
  });
}

/** Pixels of the screen by which a checker is above the finger that drags it. */
const ABOVE = 52;

/** A checker that is dragged: it hangs at the mouse, and above a finger, which would hide it. */
export class Lifted {
  /**
   * @param {SVGElement} node the checker that is dragged
   * @param {SVGElement} layer where it is drawn while it is
   * @param {PointerEvent} event
   * @param {number} scale pixels of the screen for a unit of the picture
   */
  constructor(node, layer, event, scale) {
    this.node = node;
    this.ghost = /** @type {SVGElement} */ (node.cloneNode(true));
    this.ghost.classList.add("ghost");
    const finger = event.pointerType !== "mouse";
    this.ghost.classList.toggle("above", finger);
    /** How far it hangs above the pointer, in units of the picture. */
    this.above = finger ? ABOVE / (scale || 1) : 0;
    node.classList.add("lifted");
    layer.append(this.ghost);
  }

  /** Where it hangs while the pointer is there. @param {{x: number, y: number}} point */
  at({ x, y }) {
    return new DOMPoint(x, y - this.above);
  }

  /** @param {{x: number, y: number}} point of the pointer */
  follow(point) {
    const { x, y } = this.at(point);
    this.ghost.style.transform = `translate(${x}px, ${y}px)`;
  }

  drop() {
    this.ghost.remove();
    this.node.classList.remove("lifted");
  }
}
