// @ts-check
/** Answers that come into sight. */

/** Pixels of an answer that must be in sight. */
const BEGINNING = 200;

/**
 * Bring an answer into sight within its column, and within the page where a press asked for it.
 * @param {HTMLElement} place @param {boolean} [pressed]
 */
export function reveal(place, pressed = false) {
  for (let column = place.parentElement; column && column !== document.body; column = column.parentElement) {
    if (column.scrollHeight <= column.clientHeight + 1 || !/auto|scroll/.test(getComputedStyle(column).overflowY))
      continue;
    const box = place.getBoundingClientRect();
    const frame = column.getBoundingClientRect();
    // An answer without a press need only begin in sight; of one higher than the column the beginning is shown.
    const below = (pressed ? box.bottom : Math.min(box.bottom, box.top + BEGINNING)) - frame.bottom;
    const above = box.top - frame.top;
    if (above < 0 || below > 0) column.scrollTop += above < 0 ? above : Math.min(below, above);
    break;
  }
  if (pressed && place.offsetHeight) place.scrollIntoView({ block: "nearest" });
}
