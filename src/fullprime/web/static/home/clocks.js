// @ts-check
/** The clocks that a match between people may have. */

import { call } from "/static/parts/api.js";
import { t } from "/static/parts/texts.js";

/** The clocks by name, which are fetched once. @type {Promise<{clocks: Record<string, string>}> | null} */
let fetched = null;

/** The clocks, each as the server takes it and in words; "" for none. @returns {Promise<string[][]>} */
export async function clockChoices() {
  fetched ??= call("/clocks");
  fetched.catch(() => {
    fetched = null;
  });
  const { clocks } = await fetched;
  return [
    ["", t("none")],
    ...Object.entries(clocks).map(([name, about]) => [name, t(about)]),
    ["1d", t("a day for each turn")],
    ["3d", t("three days for each turn")],
    ["7d", t("a week for each turn")],
  ];
}

/** The clock of a challenge in words, or as it was written where it is none of these. @param {string} clock */
export async function clockWords(clock) {
  const choices = await clockChoices();
  return choices.find(([name]) => name === clock)?.[1] ?? t`clock ${clock}`;
}
