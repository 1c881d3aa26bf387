// @ts-check
/** How long something takes that no user waits for. */

/** As `--expose-gc` makes it. */
const collect = /** @type {((options: { type: "minor" }) => void) | undefined} */ (
  /** @type {unknown} */ (globalThis.gc)
);

/**
 * CPU time in ms: nothing here waits for anything, and what other processes take meanwhile is not its cost. What was
 * just thrown away is collected before, and nothing older: a whole collection also throws away compiled code, so that
 * each measurement would be of code that runs for the first time.
 */
export function stopwatch() {
  collect?.({ type: "minor" });
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
