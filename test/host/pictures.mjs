// @ts-check
/// <reference path="./untyped.d.ts" />
/** Screenshots as the small files that a page can load: PNG with a palette, and GIF of several. */
import zlib from "node:zlib";
import gifenc from "gifenc";
import { PNG } from "pngjs";

const { applyPalette, GIFEncoder, quantize } = gifenc;

/** @typedef {{ width: number, height: number, data: Uint8Array }} Picture of 4 bytes a pixel */

/** @param {Uint8Array} png @returns {Picture} */
export function decode(png) {
  const { width, height, data } = PNG.sync.read(Buffer.from(png));
  return { width, height, data: new Uint8Array(data) };
}

/** @param {Uint8Array} png as a browser takes it @returns {Buffer} the same with 256 colours at most */
export function smallPng(png) {
  const { width, height, data } = decode(png);
  const palette = quantize(data, 256);
  const pixels = applyPalette(data, palette);
  const lines = Buffer.alloc(height * (width + 1));
  // Each line begins with its filter; with a palette none compresses best.
  for (let y = 0; y < height; y++) lines.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("PLTE", Buffer.from(palette.flat())),
    chunk("IDAT", zlib.deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** https://www.w3.org/TR/png-3/#5Chunk-layout @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(zlib.crc32(body));
  return Buffer.concat([length, body, sum]);
}

/**
 * An animation that begins again at its end. Of each frame but the first only what changed is written.
 * @param {readonly { png: Uint8Array, showMs: number }[]} frames of one size
 * @returns {Buffer}
 */
export function gifOf(frames) {
  const gif = GIFEncoder();
  const pictures = frames.map(({ png }) => decode(png));
  const [first] = pictures;
  if (first === undefined) throw new Error("An animation needs a frame.");
  const { width, height } = first;
  // One palette for all, from a few pixels of each, so that what stays the same keeps its colour.
  const palette = quantize(sampleOf(pictures), 255);
  const transparent = palette.length;
  palette.push([0, 0, 0]);
  const opaque = palette.slice(0, transparent);
  /** @type {Uint8Array | undefined} */
  let before;
  for (const [number, picture] of pictures.entries()) {
    const pixels = applyPalette(picture.data, opaque);
    const shown = pixels.slice();
    if (before !== undefined)
      for (let at = 0; at < pixels.length; at++) if (pixels[at] === before[at]) shown[at] = transparent;
    before = pixels;
    gif.writeFrame(shown, width, height, {
      delay: frames[number]?.showMs ?? 0,
      dispose: 1,
      ...(number === 0 ? { palette, repeat: 0 } : { transparent: true, transparentIndex: transparent }),
    });
  }
  gif.finish();
  return Buffer.from(gif.bytes());
}

/** @param {readonly Picture[]} pictures every seventh pixel, so that no column is left out */
function sampleOf(pictures) {
  const each = Math.ceil((pictures[0]?.data.length ?? 0) / 4 / 7);
  const sample = new Uint8Array(each * pictures.length * 4);
  let to = 0;
  for (const { data } of pictures) {
    for (let at = 0; at < data.length; at += 28, to += 4) sample.set(data.subarray(at, at + 4), to);
  }
  return sample.subarray(0, to);
}
