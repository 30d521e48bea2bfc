// @ts-check
/** A whole match in the fragment of a link, which no server gets to see: its file, packed and in letters. */

import { t } from "/static/parts/texts.js";

/** Letters of a link that every way of sending it is likely to keep whole. */
export const LONGEST = 6000;
/** Bytes of a file that is unpacked: a long match has a tenth, and a few letters could stand for gigabytes. */
const MOST = 400_000;
/** The beginning of a fragment that has a match. */
export const START = "#match=";

/** @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} way */
const piped = (bytes, way) => new Blob([bytes]).stream().pipeThrough(way).getReader();

/**
 * What comes out of a stream, up to `most` bytes. Raises an error for more.
 * @param {ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>} reader @param {number} most
 */
async function readAll(reader, most) {
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > most) {
      reader.cancel().catch(() => {});
      throw new Error(t("The match in this link is too large."));
    }
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The fragment of a link for the file of a match. @param {Uint8Array<ArrayBuffer>} file */
export async function toFragment(file) {
  // With a head and a checksum, so that a link which was cut or changed on its way is seen to be.
  const packed = await readAll(piped(file, new CompressionStream("deflate")), Number.POSITIVE_INFINITY);
  const letters = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  return START + letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The file of the match in a fragment. Raises an error with a sentence for one that is damaged. @param {string} fragment */
export async function fromFragment(fragment) {
  let reader;
  try {
    const letters = atob(fragment.slice(START.length).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    reader = piped(packed, new DecompressionStream("deflate"));
  } catch {
    throw new Error(damaged());
  }
  return readAll(reader, MOST).catch((error) => {
    throw error instanceof TypeError ? new Error(damaged()) : error;
  });
}

const damaged = () => t("The match in this link is damaged: perhaps the link was cut off. Ask for it again.");
