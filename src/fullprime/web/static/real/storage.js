// @ts-check
/**
 * The store of sittings in this browser. Every change is written, and read back, before it is shown; one that cannot be
 * written raises NotKept.
 */

import { t } from "/static/parts/texts.js";

/** @typedef {import("/static/real/sitting.js").Sitting} Sitting */
/** @typedef {{id: string, begun: number, names: string[], title: string, over: boolean}} Known */

const LIST = "fullprime.real";
const ONE = "fullprime.real.";
export const HOUSES = "fullprime.houses",
  WAITING = "fullprime.real-waiting";

export class NotKept extends Error {}

/** @param {string} key @param {unknown} value */
export function write(key, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
  } catch {
    throw new NotKept(
      t("This browser has no room left to keep it, or may not keep anything: nothing was written down."),
    );
  }
  if (localStorage.getItem(key) !== text)
    throw new NotKept(t("This browser does not keep what is written: nothing was written down."));
}

/** @template T @param {string} key @param {T} usual @returns {T} */
export function read(key, usual) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? usual;
  } catch {
    return usual;
  }
}

/** The sittings of this browser, the latest first. @returns {Known[]} */
export const sittings = () => read(LIST, /** @type {Known[]} */ ([]));

/** @param {string} id @returns {Sitting | null} */
export const sitting = (id) => read(ONE + id, /** @type {Sitting | null} */ (null));

/** Keep a sitting as it is now. @param {Sitting} sitting @param {boolean} over */
export function keep(sitting, over) {
  write(ONE + sitting.id, sitting);
  const { id, begun, names, title } = sitting;
  const entries = sittings();
  const mine = entries.find((entry) => entry.id === id);
  if (!mine || mine.over !== over)
    write(LIST, [{ id, begun, names, title, over }, ...entries.filter((entry) => entry.id !== id)]);
}

/** @param {string} id */
export function drop(id) {
  write(
    LIST,
    sittings().filter((entry) => entry.id !== id),
  );
  localStorage.removeItem(ONE + id);
}
