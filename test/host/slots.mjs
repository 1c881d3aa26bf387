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
    for (;;) {
      const at = waiting.findIndex(({ needed }) => needed <= free);
      const [next] = at === -1 ? [] : waiting.splice(at, 1);
      if (next === undefined) return;
      free -= next.needed;
      next.start();
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
