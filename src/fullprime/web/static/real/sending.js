// @ts-check
/** The way of a record from a real board to the library and its review. */

import { rememberReview } from "/static/library/reviews.js";
import { Refusal } from "/static/parts/api.js";
import { Job, stateWords } from "/static/parts/jobs.js";
import { el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

/**
 * Put a record into the library, and have it reviewed; without a library of one's own it is reviewed alone.
 * @param {Blob} file @param {string} name @param {(text: string | Node) => void} note tells how far it is
 */
export async function keepRecord(file, name, note) {
  /** @param {string} path */
  const upload = (path) =>
    new Job(
      `${path}?${new URLSearchParams({ name, level: "standard" })}`,
      { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file },
      ({ progress, ...state }) => note(progress?.name ? t`Reviewed: ${progress.name}` : stateWords(state)),
    ).done;
  try {
    const outcome = await upload("/library/files");
    const wrong =
      outcome?.error ??
      outcome?.result?.failed[0] ??
      outcome?.result?.files.find((/** @type {any} */ entry) => entry.status === "failed")?.problems[0];
    return wrong ? String(wrong) : el("a", { href: "/library" }, t("The record is in the library, reviewed"));
  } catch (error) {
    if (!(error instanceof Refusal) || !["unknown", "forbidden"].includes(error.code ?? "")) throw error;
  }
  const outcome = await upload("/reviews");
  rememberReview(outcome);
  return outcome?.result?.matches?.length
    ? el(
        "a",
        { href: `/review/${outcome.id}/1` },
        t("The review is ready; sign in to keep records in a library of your own"),
      )
    : String(outcome?.error ?? t("There was nothing to review."));
}
