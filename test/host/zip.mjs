// @ts-check
/** Reads a ZIP archive (a VSIX is one): its central directory, then what is asked for. */
import fs from "node:fs";
import zlib from "node:zlib";

/** @typedef {{ name: string, size: number, packed: number, mode: number, read: () => Buffer }} ZipEntry `mode`: of Unix */

/**
 * @param {string} file
 * @returns {ZipEntry[]}
 */
export function readZip(file) {
  const data = fs.readFileSync(file);
  const end = data.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (end < 0) throw new Error(`${file} is no ZIP archive.`);
  const entries = [];
  let at = data.readUInt32LE(end + 16);
  for (let left = data.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => data.readUInt16LE(at + offset));
    const [packed = 0, size = 0] = [20, 24].map((offset) => data.readUInt32LE(at + offset));
    const [method, header] = [data.readUInt16LE(at + 10), data.readUInt32LE(at + 42)];
    const name = data.toString("utf8", at + 46, at + 46 + (nameLength ?? 0));
    const mode = data.readUInt32LE(at + 38) >>> 16;
    entries.push({ name, size, packed, mode, read: () => readEntry(data, header, packed, method) });
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return entries.filter((entry) => !entry.name.endsWith("/"));
}

/**
 * @param {Buffer} data
 * @param {number} header where the entry's own header is
 * @param {number} packed
 * @param {number} method 0: stored, 8: deflated
 */
function readEntry(data, header, packed, method) {
  const start = header + 30 + data.readUInt16LE(header + 26) + data.readUInt16LE(header + 28);
  const content = data.subarray(start, start + packed);
  return method === 0 ? content : zlib.inflateRawSync(content);
}
