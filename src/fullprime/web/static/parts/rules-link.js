// @ts-check
/** The button that leads from a board to the rules of its game. */

import { byId, el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/**
 * Lead to the rules with the options in force.
 * @param {{variant: string, length?: number, setup?: {rules: Record<string, string>}}} board
 * @param {HTMLAnchorElement} [link]
 */
export function leadToRules({ variant, length, setup }, link = byId("open-rules")) {
  const rules = Object.entries({ length: String(length ?? 0), ...setup?.rules }).map(([name, value]) => [
    "rule",
    `${name}=${value}`,
  ]);
  link.href = `/rules?${new URLSearchParams([["variant", variant], ...rules])}`;
}

/** A link to the same rules, for the sentence of a refusal. */
export const toRules = () => el("a", { href: byId("open-rules").href, target: "_blank" }, t("The rules"));

/**
 * The nodes after the sentence of a refusal: a link to the rules, where they refuse a play.
 * @param {{code?: string}} error
 * @returns {(string | HTMLElement)[]}
 */
export const andRules = ({ code }) => (code === "illegal" ? [" ", toRules()] : []);
