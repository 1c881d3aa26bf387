// @ts-check
/** Takes the place of node:test in the bundles of `mutants.mjs`: it only keeps what there is to run. */

/**
 * @typedef {{ name: string, run?: (context: object) => unknown, children: Item[], hooks: Record<"before" | "after" |
 * "beforeEach" | "afterEach", (() => unknown)[]> }} Item
 */

/** @param {string} name @param {Item["run"]} [run] @returns {Item} */
const item = (name, run) => ({
  name,
  ...(run ? { run } : {}),
  children: [],
  hooks: { before: [], after: [], beforeEach: [], afterEach: [] },
});

const root = item("");
let suite = root;
/** @type {any} */ (globalThis).mutantTests = root;

/** @param {string} name @param {any[]} rest */
export function describe(name, ...rest) {
  const outer = suite;
  suite = item(name);
  outer.children.push(suite);
  rest.at(-1)();
  suite = outer;
}

/** @param {string} name @param {any[]} rest */
export function test(name, ...rest) {
  suite.children.push(item(name, rest.at(-1)));
}

/** @param {() => unknown} run */
export const before = (run) => void suite.hooks.before.push(run);
/** @param {() => unknown} run */
export const after = (run) => void suite.hooks.after.push(run);
/** @param {() => unknown} run */
export const beforeEach = (run) => void suite.hooks.beforeEach.push(run);
/** @param {() => unknown} run */
export const afterEach = (run) => void suite.hooks.afterEach.push(run);
