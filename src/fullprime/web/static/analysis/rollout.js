// @ts-check
/** The settings of a rollout on the analysis board: as they are asked for, and in words. */

import { byId } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";

/** A number, or null where nothing is chosen. @param {string} id */
const chosen = (id) => (byId(id).value ? Number(byId(id).value) : null);

export function rolloutSettings() {
  return {
    trials: Number(byId("trials").value),
    seed: Number(byId("rollout-seed").value),
    truncate: chosen("truncate"),
    ply: Number(byId("rollout-ply").value),
    cube_ply: chosen("rollout-cube-ply"),
    like: byId("rollout-like").value || null,
    cubeful: byId("rollout-cube").value === "yes",
    variance_reduction: byId("rollout-luck").value === "yes",
    apart: chosen("rollout-apart"),
    error: chosen("rollout-error"),
  };
}

function tell() {
  const { trials, seed, truncate, ply, like, cubeful, variance_reduction, apart, error } = rolloutSettings();
  const played = like ? [like] : [truncate ? plural(truncate, "{n} ply", "{n} plies") : t("to the end"), t`${ply}-ply`];
  byId("rollout-words").textContent = [
    t`${trials} trials`,
    ...played,
    cubeful ? t("with the cube") : t("without the cube"),
    ...(variance_reduction ? [] : [t("with the luck")]),
    ...(apart || error ? [t("may end early")] : []),
    ...(seed ? [t`seed ${seed}`] : []),
  ].join(", ");
  for (const id of ["truncate", "rollout-ply", "rollout-cube-ply"]) byId(id).disabled = Boolean(like);
}

/** Show what is set, now and after every change. */
export function showRolloutSettings() {
  byId("rollout-settings").addEventListener("input", tell);
  tell();
}
