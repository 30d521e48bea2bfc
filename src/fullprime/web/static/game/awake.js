// @ts-check
/** The screen stays awake while a live game is played, where the browser lets pages ask for it. */

let wanted = false;
let held = /** @type {WakeLockSentinel | null} */ (null);

async function requestLock() {
  if (!wanted || held || document.hidden || !("wakeLock" in navigator)) return;
  try {
    held = await navigator.wakeLock.request("screen");
    held.addEventListener("release", () => {
      held = null;
    });
    if (!wanted) await held.release();
  } catch {
    // Refused, as with a low battery or over plain http: the screen sleeps when it always does.
    held = null;
  }
}

/** @param {boolean} awake */
export function stayAwake(awake) {
  wanted = awake;
  document.documentElement.dataset.awake = !awake ? "no" : "wakeLock" in navigator ? "asked" : "impossible";
  if (awake) requestLock();
  else held?.release().catch(() => {});
}

// The system lets go of it when the page is hidden.
document.addEventListener("visibilitychange", requestLock);
