// @ts-check
/** Module hooks: imports of node:test and mocha lead to the stand-in. */

const STAND_INS = new Map([
  ["node:test", "./standIn.cjs"],
  ["mocha", "./standIn.cjs"],
  ["vscode", "./vscodeStandIn.cjs"],
]);

/**
 * @param {string} specifier
 * @param {object} context
 * @param {(specifier: string, context: object) => unknown} next
 */
export function resolve(specifier, context, next) {
  const file = STAND_INS.get(specifier);
  return file === undefined
    ? next(specifier, context)
    : { url: new URL(file, import.meta.url).href, format: "commonjs", shortCircuit: true };
}
