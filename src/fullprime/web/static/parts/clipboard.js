// @ts-check
/** Copying and saving texts and pictures. */

import { t } from "/static/parts/texts.js";

/** Give it to the clipboard; says what happened. @param {string | Blob} what */
export async function copy(what) {
  if (!navigator.clipboard) throw new Error(t("This browser lets pages copy only from a safe address (https, or this computer): save it instead."));
  if (typeof what === "string") await navigator.clipboard.writeText(what);
  else await navigator.clipboard.write([new ClipboardItem({ [what.type]: what })]);
  return t("Copied.");
}

/** Have the browser save it. @param {string | Blob} what @param {string} name */
export async function download(what, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(typeof what === "string" ? new Blob([what]) : what);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
  return t`Saved as ${name}.`;
}

/** A picture as PNG, twice as large. @param {string} svg @returns {Promise<Blob>} */
export async function pngOf(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => {
    canvas.toBlob((blob) => { if (blob) done(blob); else fail(new Error(t("This browser draws no PNG."))); }, "image/png");
  });
}
