// @ts-check
/** Shared functions of all pages: finding and making elements, dates, lines of a stream. */

import { language, t } from "/static/parts/texts.js";

/** The element of that id, of whatever kind. @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/**
 * An element with attributes and children.
 * @param {string} name @param {Record<string, any>} attributes @param {(Node | string | null)[]} children
 */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (typeof value === "boolean") element.toggleAttribute(key, value);
    else element.setAttribute(key, String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/**
 * A text whose throws and scores (6-3, 1–0) stay whole where a line ends.
 * @param {string} text
 * @returns {(string | HTMLElement)[]}
 */
export const keepWhole = (text) =>
  text.split(/(\d[-–]\d\S*)/).map((part, at) => (at % 2 ? el("span", { class: "whole" }, part) : part));

/**
 * The choices of a list, and the one that is chosen.
 * @param {HTMLSelectElement} select
 * @param {string[][]} values each a value and its text
 * @param {string | null} [chosen]
 */
export function fill(select, values, chosen) {
  select.replaceChildren(...values.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));
}

/**
 * The points of a side as players count them: those beyond the length of a match do not count, so that a match to 1 that
 * a gammon wins ends 1–0. @param {number} points @param {number} length 0 for money
 */
export const counted = (points, length) => (length ? Math.min(points, length) : points);

/**
 * Dates are in the words of the page's language; in the manner of the browser where that is a kind of it, as en-GB is
 * of en.
 */
export const dates = navigator.language.split("-")[0] === language.split("-")[0] ? navigator.language : language;

/** A day, in the words of the page's language. @param {number} seconds since 1970 */
export const day = (seconds) =>
  new Date(seconds * 1000).toLocaleDateString(dates, { year: "numeric", month: "short", day: "numeric" });

/** Lines of JSON as they come; blank ones are left out. @param {ReadableStream<Uint8Array>} body */
export async function* lines(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let partial = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (partial + decoder.decode(value, { stream: true })).split("\n");
    partial = parts.pop() ?? "";
    for (const part of parts) if (part.trim()) yield JSON.parse(part);
  }
}

/** Further reasons, behind a word that opens them. @param {string[]} more */
export const reasons = (more) =>
  el(
    "details",
    {},
    el("summary", {}, t("More reasons")),
    el("ul", { lang: "en", "data-terms": true }, ...more.map((sentence) => el("li", {}, sentence))),
  );
