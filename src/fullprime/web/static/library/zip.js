// @ts-check
/**
 * Files of a folder as one archive, stored as they are: the server reads an archive in one piece, apart from itself.
 */

const TABLE = Uint32Array.from({ length: 256 }, (_, at) => {
  let value = at;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

/** @param {Uint8Array} bytes */
function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** Numbers as bytes, the low ones first. @param {[number, number][]} fields each a size in bytes and a value */
function record(fields) {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of fields)
    for (let part = 0; part < size; part++) bytes[at++] = Math.floor(value / 2 ** (8 * part)) & 0xff;
  return bytes;
}

/** @param {{name: string, data: Uint8Array}[]} files @returns {Blob} */
export function zip(files) {
  const parts = /** @type {Uint8Array[]} */ ([]);
  const directory = /** @type {Uint8Array[]} */ ([]);
  let at = 0;
  let long = 0;
  for (const { name, data } of files) {
    const word = new TextEncoder().encode(name);
    const sum = crc(data);
    const common = /** @type {[number, number][]} */ ([
      [2, 20],
      [2, 0x800],
      [2, 0],
      [2, 0],
      [2, 33],
      [4, sum],
      [4, data.length],
      [4, data.length],
      [2, word.length],
      [2, 0],
    ]);
    const head = record([[4, 0x04034b50], ...common]);
    const entry = record([[4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]]);
    parts.push(head, word, data);
    directory.push(entry, word);
    at += head.length + word.length + data.length;
    long += entry.length + word.length;
  }
  const end = record([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
    [4, long],
    [4, at],
    [2, 0],
  ]);
  return new Blob(/** @type {BlobPart[]} */ ([...parts, ...directory, end]), { type: "application/zip" });
}
