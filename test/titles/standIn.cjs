// @ts-check
"use strict";
/**
 * Replaces node:test and mocha while titles are listed: the bodies of suites run, those of tests and hooks don't. It is
 * CommonJS so that bundles and modules get the same instance.
 */

/** What is collected, and the suites around the current place. @type {{ titles: string[], path: string[] }} */
const collected = { titles: [], path: [] };

/** The arguments of a suite or a test: a name, options, and a body, each of them optional. @param {any[]} args */
function partsOf(args) {
  const body = args.find((arg) => typeof arg === "function");
  const options = args.find((arg) => typeof arg === "object" && arg !== null) ?? {};
  const name = typeof args[0] === "string" ? args[0] : body?.name || "<anonymous>";
  return { name, isSkipped: Boolean(options.skip), body };
}

/** @param {boolean} isSkipped whether the whole suite is skipped, which leaves its name alone */
function suite(isSkipped) {
  return (/** @type {any[]} */ ...args) => {
    const { name, isSkipped: isOff, body } = partsOf(args);
    if (isSkipped || isOff) {
      collected.titles.push([...collected.path, name].join(" › "));
      return;
    }
    collected.path.push(name);
    try {
      const result = body?.call(context);
      if (typeof result?.then === "function")
        throw new Error(`The suite "${collected.path.join(" › ")}" is asynchronous: its titles cannot be listed.`);
    } finally {
      collected.path.pop();
    }
  };
}

/** @param {any[]} args */
const noteTest = (...args) => void collected.titles.push([...collected.path, partsOf(args).name].join(" › "));

/** `this` of a mocha suite. */
const context = { timeout: () => context, slow: () => context, retries: () => context };

const describe = Object.assign(suite(false), { skip: suite(true), todo: suite(true), only: suite(false) });
const test = Object.assign(noteTest, { skip: noteTest, todo: noteTest, only: noteTest });
const hook = () => undefined;

/** Everything that only a running test may use. @param {string} name @returns {any} */
function unusable(name) {
  return new Proxy(function () {}, {
    get: (_, key) => (key === Symbol.toPrimitive || key === "then" ? undefined : unusable(`${name}.${String(key)}`)),
    // A class of the editor may be the base of one of ours.
    construct: () => {
      throw new Error(`${name} is used while titles are listed.`);
    },
    apply: () => {
      throw new Error(`${name} is used while titles are listed.`);
    },
  });
}

exports.collected = collected;
exports.unusable = unusable;
exports.describe = describe;
exports.suite = describe;
exports.test = test;
exports.it = test;
exports.before = hook;
exports.after = hook;
exports.beforeEach = hook;
exports.afterEach = hook;
exports.mock = unusable("mock");
