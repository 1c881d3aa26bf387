// @ts-check
/**
 * How much a test run does: `npm test` is short, `npm run test:full` runs everything, `npm run test:long` adds the
 * large rounds. The runner hands the size to its layers in RPC_ROUNDS.
 */

/** @typedef {"short" | "full" | "long"} Size */

const SIZES = /** @type {const} */ (["short", "full", "long"]);

/** @type {Size} */
export const size = SIZES.find((each) => each === process.env["RPC_ROUNDS"]) ?? "short";

/** Whether this run does everything, not only what `npm test` does. */
export const isFull = size !== "short";

/**
 * @template T
 * @param {{ short: T, full: T, long: T }} choices
 * @returns {T} the one for this run
 */
export const rounds = (choices) => choices[size];
