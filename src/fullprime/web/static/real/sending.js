// @ts-check
/** The way of a record from a real board to the library and its review. */

import { Refusal } from "/static/parts/api.js";
import { Job, stateWords } from "/static/parts/jobs.js";
import { el } from "/static/parts/page.js";
import { rememberReview } from "/static/library/reviews.js";
import { t } from "/static/parts/texts.js";

/**
 * Put a record into the library, and have it reviewed; without a library of one's own it is reviewed alone.
 * @param {Blob} file @param {string} name @param {(text: string | Node) => void} note tells how far it is
 */
export async function keepRecord(file, name, note) {
  /** @param {string} path */
  const upload = (path) => new Job(`${path}?${new URLSearchParams({ name, level: "standard" })}`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file },
    ({ progress, ...told }) => note(progress?.name ? t`Reviewed: ${progress.name}` : stateWords(told))).done;
  try {
    const told = await upload("/library/files"), wrong = told?.error ?? told?.result?.failed[0] ?? told?.result?.files.find((/** @type {any} */ each) => each.status === "failed")?.problems[0];
    return wrong ? String(wrong) : el("a", { href: "/library" }, t("The record is in the library, reviewed"));
  } catch (error) {
    if (!(error instanceof Refusal) || ![401, 403].includes(error.status)) throw error;
  }
  const told = await upload("/reviews");
  rememberReview(told);
  return told?.result?.matches?.length ? el("a", { href: `/review/${told.id}/1` }, t("The review is ready; sign in to keep records in a library of your own")) : String(told?.error ?? t("There was nothing to review."));
}
