// @ts-check
/** Sounds, made here when they are wanted: no files, and none before they are switched on. */

import { byId, el } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { t } from "/static/parts/texts.js";

/** Each note: a frequency (0 for noise), when it begins, how long it lasts, how loud it is. */
const SOUNDS = /** @type {Record<string, [number, number, number, number][]>} */ ({
  move: [
    [0, 0, 0.05, 0.5],
    [180, 0, 0.07, 0.5],
  ],
  hit: [
    [0, 0, 0.08, 0.9],
    [110, 0, 0.14, 0.8],
    [0, 0.09, 0.05, 0.4],
  ],
  dice: [
    [0, 0, 0.04, 0.6],
    [0, 0.07, 0.04, 0.5],
    [0, 0.13, 0.03, 0.4],
    [0, 0.18, 0.03, 0.3],
  ],
  cube: [
    [330, 0, 0.12, 0.4],
    [440, 0.1, 0.2, 0.4],
  ],
  turn: [[520, 0, 0.1, 0.25]],
  talk: [
    [660, 0, 0.07, 0.25],
    [880, 0.08, 0.09, 0.25],
  ],
  time: [
    [880, 0, 0.09, 0.4],
    [880, 0.16, 0.09, 0.4],
  ],
  over: [
    [392, 0, 0.18, 0.4],
    [494, 0.16, 0.18, 0.4],
    [587, 0.32, 0.4, 0.4],
  ],
});

/** The sounds of the kinds of event. */
const OF = /** @type {Record<string, string>} */ ({
  roll: "dice",
  opening: "dice",
  tie: "dice",
  double: "cube",
  beaver: "cube",
  raccoon: "cube",
  take: "cube",
  drop: "cube",
  chat: "talk",
  game_over: "over",
  forfeit: "over",
});

let context = /** @type {AudioContext | null} */ (null);
let noise = /** @type {AudioBuffer | null} */ (null);

/** Sounds that were played, newest last. */
export const played = /** @type {string[]} */ ([]);

/** @param {string} name */
export function sound(name) {
  const loud = loudness();
  if (!loud || !SOUNDS[name]) return;
  played.push(name);
  if (played.length > 50) played.shift();
  document.documentElement.dataset.sound = name;
  try {
    context ??= new AudioContext();
  } catch {
    return;
  }
  if (context.state === "suspended") context.resume().catch(() => {});
  for (const [frequency, after, long, level] of SOUNDS[name]) {
    const begin = context.currentTime + after;
    const gain = context.createGain();
    gain.gain.setValueAtTime(level * loud * 0.5, begin);
    gain.gain.exponentialRampToValueAtTime(0.001, begin + long);
    gain.connect(context.destination);
    const source = frequency ? makeTone(context, frequency) : makeNoise(context);
    source.connect(gain);
    source.start(begin);
    source.stop(begin + long);
  }
}

/** Play the sound of an event, if it has one. @param {import("/static/parts/state").GameEvent} event */
export function soundOf(event) {
  if (event.kind === "play") sound(event.play.includes("*") ? "hit" : event.play ? "move" : "");
  else sound(OF[event.kind] ?? "");
}

/**
 * Ask once, at the first press, whether there shall be sounds: they are off by default.
 */
export function askForSounds() {
  const { asked: before, sound: loud } = preferences.read();
  if (before || loud) return;
  addEventListener(
    "pointerup",
    () =>
      setTimeout(() => {
        if (preferences.read().asked) return;
        const line = el("p", { class: "event question" }, t("Sounds?"));
        /** @param {number} level */
        const answer = (level) => {
          preferences.write({ sound: level, asked: true });
          line.remove();
          removeEventListener("resize", place);
          sound("move");
        };
        // In the log; where that lies in a drawer, below the actions, in sight.
        const place = () => {
          if (byId("open-drawer").checkVisibility()) byId("more-actions").after(line);
          else if (line.parentElement !== byId("log")) {
            byId("log").append(line);
            byId("log").scrollTop = byId("log").scrollHeight;
          }
        };
        line.append(
          el("button", { type: "button", class: "quiet", onclick: () => answer(0.3) }, t("On, quietly")),
          el("button", { type: "button", class: "quiet", onclick: () => answer(0) }, t("Off")),
        );
        place();
        addEventListener("resize", place, { passive: true });
      }, 600),
    { once: true },
  );
}

/** How loud sounds are by day and by night, by the clock of this device: the preferences say from when to when. */
function loudness() {
  const hour = new Date().getHours();
  return Number(preferences.read().sound) * (hour >= 22 || hour < 7 ? 0.4 : 1);
}

/** @param {AudioContext} audio @param {number} frequency */
function makeTone(audio, frequency) {
  const source = audio.createOscillator();
  source.type = "triangle";
  source.frequency.value = frequency;
  return source;
}

/** A second of noise that is the same each time: a sum of waves that never meet. @param {AudioContext} audio */
function makeNoise(audio) {
  if (!noise) {
    noise = /** @type {AudioBuffer} */ (audio.createBuffer(1, audio.sampleRate, audio.sampleRate));
    const samples = noise.getChannelData(0);
    for (let at = 0, word = 1; at < samples.length; at++) {
      word = (word * 16807) % 2147483647;
      samples[at] = word / 1073741824 - 1;
    }
  }
  const source = audio.createBufferSource();
  source.buffer = noise;
  return source;
}
