import type { Random } from "../../base/clock.ts";

/** Makes numbers in [0, 1) that repeat for a seed (mulberry32). */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a whole number from `least` to `most`, both included. */
export function randomInteger(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** Returns one of the values; the list must not be empty. */
export function randomOf<const T>(random: Random, values: readonly [T, ...T[]]): T {
  return values[Math.floor(random() * values.length)] ?? values[0];
}

const ID_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Returns a text of letters, digits, `-` and `_`, as in the exchange's tokens. */
export function randomText(random: Random, length: number): string {
  return Array.from({ length }, () => ID_CHARACTERS[Math.floor(random() * ID_CHARACTERS.length)]).join("");
}

/** Returns a seed for something that has a name, so that it does not depend on the time of its first use. */
export function namedSeed(seed: number, name: string): number {
  let hash = seed >>> 0;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}
