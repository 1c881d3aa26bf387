// @ts-check
/**
 * Lets only so many pieces of work run at once; the others wait in the order in which they came, but for one that needs
 * more slots than are free: those behind it that need fewer go first.
 * @param {number} count
 * @returns {<T>(work: () => Promise<T>, needed?: number) => Promise<T>} `needed` slots, one where it is left out
 */
export function createSlots(count) {
  /** @type {{ needed: number, start: () => void }[]} */
  const waiting = [];
  let free = count;
  const startNext = () => {
    for (let at = 0; at < waiting.length;) {
      const { needed, start } = /** @type {typeof waiting[0]} */ (waiting[at]);
      if (needed > free) {
        at += 1;
        continue;
      }
      waiting.splice(at, 1);
      free -= needed;
      start();
    }
  };
  return async (work, needed = 1) => {
    await new Promise((resolve) => {
      waiting.push({ needed, start: () => resolve(undefined) });
      startNext();
    });
    try {
      return await work();
    } finally {
      free += needed;
      startNext();
    }
  };
}
