// @ts-check
/** How long something takes that nobody has to wait for. */

/** CPU time in ms: nothing here waits for anything, and what other processes take meanwhile is not its cost. */
export function stopwatch() {
  globalThis.gc?.();
  const since = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(since);
    return (user + system) / 1000;
  };
}

/** @param {() => unknown} action @returns {number} ms */
export function timed(action) {
  const took = stopwatch();
  action();
  return took();
}
