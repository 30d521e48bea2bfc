// @ts-check
/** How this browser wants the board to look and behave. */

import { t } from "/static/parts/texts.js";

const KEY = "fullprime.preferences";
export const THEMES = {
  club: t("Club"),
  tournament: t("Tournament"),
  midnight: t("Midnight"),
  clear: t("Clear (safe for colour-blind eyes)"),
  bold: t("Bold (for low vision)"),
  print: t("Print"),
};
/** Shares of the room that a board may have. */
const SIZES = [1, 0.85, 0.7];
const USUAL = {
  theme: "club",
  size: 1,
  light: "auto",
  home: "right",
  agreed: true,
  numbers: true,
  numbering: "own",
  turn: false,
  speed: 1,
  confirm: true,
  sound: 0,
  asked: false,
  oneClick: "finger",
  automatic: "",
  drawer: "open",
  tutor: 0,
  tutorWay: "dialog",
  level: "1-ply",
};

/** @typedef {typeof USUAL & {analysisLevel?: string}} Preferences */

/** @returns {Preferences} */
export function read() {
  try {
    return { ...USUAL, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...USUAL };
  }
}

/** @param {Partial<Preferences>} changes */
export function write(changes) {
  localStorage.setItem(KEY, JSON.stringify({ ...read(), ...changes }));
  apply();
}

export function apply() {
  const { theme, light, size } = read();
  document.documentElement.dataset.theme = theme in THEMES ? theme : "club";
  document.documentElement.dataset.light = light;
  document.documentElement.style.setProperty("--size", String(SIZES.includes(Number(size)) ? size : 1));
  document.documentElement.style.setProperty("--pace", String(pace()));
}

/** How much slower than at once things are shown: 0 where people want no motion. */
export function pace() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : Number(read().speed);
}

/** True if one click of such a pointer moves a checker. @param {string} pointer `mouse`, `touch` or `pen` */
export function movesAtOnce(pointer) {
  const { oneClick } = read();
  return oneClick === "always" || (oneClick === "finger" && pointer !== "mouse");
}

apply();
