// @ts-check
/** The clocks of a game between people. The server decides; this only counts down between two of its messages. */

import { sound } from "/static/game/sound.js";

/** @typedef {import("/static/parts/state").ClockState} ClockState */
/** @typedef {import("/static/parts/state").Side} Side */

/** @param {number} seconds */
export function timeText(seconds) {
  const total = Math.max(0, Math.ceil(seconds - 0.05));
  if (total >= 86400) return `${Math.floor(total / 86400)} d ${Math.floor((total % 86400) / 3600)} h`;
  const [hours, minutes, left] = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60];
  const two = /** @param {number} number */ (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(left)}` : `${minutes}:${two(left)}`;
}

/** Seconds left at which a player is warned, the fewer first. */
const LOW = [10, 60];

export class Clocks {
  /** @param {{onFall: () => void, onLow: (side: Side, seconds: number) => void}} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    /** @type {ClockState | null} */
    this.clock = null;
    this.ahead = 0;
    this.warned = /** @type {Set<number>} */ (new Set());
    this.claimed = 0;
    setInterval(() => this.tick(), 250);
  }

  /** Take the clock of the server, at its time `now` in seconds. @param {ClockState | null} clock @param {number} now */
  set(clock, now) {
    if (clock?.since !== this.clock?.since) this.warned.clear();
    this.clock = clock;
    this.ahead = now - Date.now() / 1000;
    this.tick();
  }

  get now() {
    return Date.now() / 1000 + this.ahead;
  }

  /** Seconds of delay and of reserve that a side has now. @param {Side} side */
  left(side) {
    const { left, running, since, delay } = this.clock;
    const reserve = left[side === "X" ? 0 : 1];
    if (running !== side) return { delay: 0, reserve };
    const used = Math.max(0, this.now - since);
    return { delay: Math.max(0, delay - used), reserve: Math.max(0, reserve - Math.max(0, used - delay)) };
  }

  tick() {
    for (const place of document.querySelectorAll("[data-clock]")) {
      const side = /** @type {Side} */ (place.getAttribute("data-clock"));
      place.toggleAttribute("hidden", !this.clock);
      if (!this.clock) continue;
      const { delay, reserve } = this.left(side);
      const running = this.clock.running === side;
      const text = this.clock.days
        ? running
          ? timeText(delay)
          : ""
        : `${timeText(reserve)}${running && delay > 0 ? ` +${Math.ceil(delay)}` : ""}`;
      if (place.textContent !== text) place.textContent = text;
      place.classList.toggle("running", running);
      const low = running && delay + reserve < (this.clock.days ? 3600 : 20);
      place.classList.toggle("low", low);
      const limit = running ? LOW.find((seconds) => delay + reserve <= seconds) : undefined;
      if (limit && !this.warned.has(limit)) {
        for (const seconds of LOW) if (seconds >= limit) this.warned.add(seconds);
        // The warning names the time left, which may be less than the limit from the start.
        this.handlers.onLow(side, Math.max(1, Math.ceil(delay + reserve)));
        if (limit === LOW[0]) sound("time");
      }
    }
    const falls = this.clock?.falls;
    if (falls && this.now > falls + 0.3 && Date.now() - this.claimed > 3000) {
      this.claimed = Date.now();
      this.handlers.onFall();
    }
  }
}
