// @ts-check
/**
 * Lets only so many pieces of work run at once; the others wait in the order in which they came.
 * @param {number} count
 * @returns {<T>(work: () => Promise<T>) => Promise<T>}
 */
export function createSlots(count) {
  /** @type {(() => void)[]} */
  const waiting = [];
  let free = count;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise((resolve) => void waiting.push(() => resolve(undefined)));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
