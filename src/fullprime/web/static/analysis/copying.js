// @ts-check
/** A position out of the analysis board: its identifiers, its link and its picture, copied or as a file. */

import { readRefusal } from "/static/parts/api.js";
import { pngOf } from "/static/parts/clipboard.js";
import { byId } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { reveal } from "/static/parts/reveal.js";

/**
 * A position that can be copied: its setup, its identifiers, and the plays whose arrows stand on its picture.
 * @typedef {{setup: any, ids: Record<string, string>, plays: string[]}} Shown
 */

/** @param {Shown} shown */
async function picture({ setup, plays }) {
  const { theme, home } = preferences.read();
  const response = await fetch("/api/analysis/picture", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ setup, plays, theme: theme === "print" ? "print" : "classic", home }),
  });
  if (!response.ok) throw await readRefusal(response);
  return response.text();
}

/**
 * What is to be copied or saved: a text or a picture, and what a file of it is called.
 * @param {Shown} shown
 * @returns {Promise<[string | Blob, string]>}
 */
async function contents(shown) {
  const what = byId("copy-what").value;
  if (what === "link") return [location.href, "position.txt"];
  if (what === "svg") return [await picture(shown), "board.svg"];
  if (what === "png") return [await pngOf(await picture(shown)), "board.png"];
  return [shown.ids[what], "position.txt"];
}

/**
 * Copy or save what is chosen.
 * @param {Shown} shown
 * @param {(what: any, name: string) => Promise<string> | string} give
 */
export async function hand(shown, give) {
  try {
    const [what, name] = await contents(shown);
    byId("copied").textContent = await give(what, name);
  } catch (error) {
    byId("copied").textContent = error instanceof Error ? error.message : "";
  }
  reveal(byId("copied"), true);
}
