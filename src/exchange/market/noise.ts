/*
 * Randomness that can be asked for at any time: the same seed and time give the same value, whatever was asked before.
 * The seeded random of the simulator gives a sequence instead, which would have to be played from its beginning.
 */

/** Returns a number in [0, 1) for a seed and a whole number. */
export function hashed(seed: number, index: number): number {
  let mixed = (seed ^ Math.imul(index | 0, 0x9e3779b1) ^ Math.imul(Math.floor(index / 2 ** 32), 0x85ebca6b)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** Returns a seed for a part of something seeded, by its name. */
export function partSeed(seed: number, name: string): number {
  let hash = seed >>> 0;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
}

/** Returns a number in [-1, 1) that moves smoothly: it is another one after each whole step of `position`. */
export function smooth(seed: number, position: number): number {
  const step = Math.floor(position);
  const part = position - step;
  const ease = part * part * (3 - 2 * part);
  return 2 * (hashed(seed, step) * (1 - ease) + hashed(seed, step + 1) * ease) - 1;
}

/** Returns the `partSeed` of a name with a suffix, each looked up where it was asked for before, which is often. */
export function createPartSeeds(seed: number): (name: string, suffix: string) => number {
  const known = new Map<string, Map<string, number>>();
  return (name, suffix) => {
    const own = known.get(name) ?? new Map<string, number>();
    if (own.size === 0) known.set(name, own);
    const found = own.get(suffix);
    if (found !== undefined) return found;
    const made = partSeed(seed, `${name} ${suffix}`);
    own.set(suffix, made);
    return made;
  };
}
