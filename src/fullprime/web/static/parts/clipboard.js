// @ts-check
/** Copying and saving texts and pictures. */

import { t } from "/static/parts/texts.js";

/** Write to the clipboard; gives a sentence that says so. @param {string | Blob} content */
export async function copy(content) {
  if (!navigator.clipboard)
    throw new Error(
      t("This browser lets pages copy only from a safe address (https, or this computer): save it instead."),
    );
  if (typeof content === "string") await navigator.clipboard.writeText(content);
  else await navigator.clipboard.write([new ClipboardItem({ [content.type]: content })]);
  return t("Copied.");
}

/** Have the browser save a file. @param {string | Blob} content @param {string} name */
export async function download(content, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(typeof content === "string" ? new Blob([content]) : content);
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
    canvas.toBlob((blob) => {
      if (blob) done(blob);
      else fail(new Error(t("This browser draws no PNG.")));
    }, "image/png");
  });
}
