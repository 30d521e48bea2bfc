// @ts-check
/** The button that leads from a board to the rules of its game. */

import { byId } from "/static/parts/page.js";

/** Lead to the rules with the options in force. @param {{variant: string, length?: number, setup?: {rules: Record<string, string>}}} board @param {HTMLAnchorElement} [link] */
export function leadToRules({ variant, length, setup }, link = byId("open-rules")) {
  const rules = Object.entries({ length: String(length ?? 0), ...setup?.rules }).map(([name, value]) => ["rule", `${name}=${value}`]);
  link.href = `/rules?${new URLSearchParams([["variant", variant], ...rules])}`;
}
