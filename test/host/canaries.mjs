// @ts-check
/** Looks for secrets on a disk, however they are written down. */
import fs from "node:fs";
import path from "node:path";

/** Shorter pieces are found by chance. */
const MIN_PIECE = 8;

/**
 * The ways a secret is looked for, by name. What is shorter than a piece is not looked for.
 * @param {string} secret
 * @returns {Map<string, Buffer>}
 */
export function encodingsOf(secret) {
  const bytes = Buffer.from(secret, "utf8");
  const base64 = (/** @type {number} */ skipped) => Buffer.concat([Buffer.alloc(skipped), bytes]).toString("base64");
  const half = Math.ceil(secret.length / 2);
  const ways = {
    plain: secret,
    // The same bytes look different by where in a longer text they begin; the ends depend on their neighbours.
    base64: base64(0).slice(0, -4),
    "base64 from its second byte": base64(1).slice(4, -4),
    "base64 from its third byte": base64(2).slice(4, -4),
    base64url: bytes.toString("base64url").slice(0, -4),
    hex: bytes.toString("hex"),
    HEX: bytes.toString("hex").toUpperCase(),
    "percent-encoded": [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
    "URL-encoded": encodeURIComponent(secret),
    "escaped as JSON": [...secret].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    reversed: [...secret].reverse().join(""),
    "its first half": secret.slice(0, half),
    "its second half": secret.slice(half),
    "its first eight letters": secret.slice(0, MIN_PIECE),
  };
  const texts = Object.entries(ways).map(([name, text]) => /** @type {const} */ ([name, Buffer.from(text, "latin1")]));
  return new Map(
    [...texts, /** @type {const} */ (["UTF-16", Buffer.from(secret, "utf16le")])].filter(
      ([, piece]) => piece.length >= MIN_PIECE,
    ),
  );
}

/**
 * Reads every file below the folders, names of files too.
 * @param {readonly string[]} folders
 * @param {readonly { name: string, secret: string }[]} secrets
 * @param {{ except?: RegExp }} [options] paths, relative to their folder, that are not read
 * @returns {{ files: number, found: string[] }} how many were read, and what stands where, without the secret
 */
export function findSecrets(folders, secrets, { except } = {}) {
  const wanted = secrets.flatMap(({ name, secret }) =>
    [...encodingsOf(secret)].map(([way, piece]) => ({ what: `${name}, ${way}`, piece })),
  );
  /** @type {string[]} */
  const found = [];
  let files = 0;
  for (const folder of folders) {
    for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      const place = path.relative(folder, file);
      if (!entry.isFile() || except?.test(place)) continue;
      files += 1;
      const content = Buffer.concat([Buffer.from(`${place}\0`), fs.readFileSync(file)]);
      found.push(...wanted.filter(({ piece }) => content.includes(piece)).map(({ what }) => `${what}: ${place}`));
    }
  }
  return { files, found };
}

/**
 * The secrets of a simulator: that of its key, and, unless a test has ended it, the tokens that came back to it in
 * requests.
 * @param {import("./simulator.mjs").Simulator} simulator
 * @returns {Promise<{ name: string, secret: string }[]>}
 */
export async function secretsOf(simulator) {
  /** @type {{ text: string }[]} */
  const frames = await simulator.run("ledger").catch(() => []);
  const tokens = new Set(
    frames.flatMap(({ text }) => [...text.matchAll(/"access_token":"([^"]+)"/g)].map(([, token = ""]) => token)),
  );
  return [
    { name: "the client secret", secret: simulator.clientSecret },
    ...[...tokens].map((secret, index) => ({ name: `access token ${index + 1}`, secret })),
  ];
}
