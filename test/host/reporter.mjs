// @ts-check
/**
 * A reporter for Node's test runner: one JSON line for each test. Suites are no tests; a failed one is told only when
 * the failure is its own (a hook) and not that of a test inside.
 */

/** @typedef {{ title: string, state: 'passed' | 'failed' | 'skipped', reason?: string, error?: string }} TestLine */

/** @param {any} error */
function textOf(error) {
  const cause = error?.cause ?? error;
  return String(cause?.stack ?? cause);
}

/** @param {AsyncIterable<{ type: string, data: any }>} source */
export default async function* reporter(source) {
  /** @type {string[]} */
  const path = [];
  for await (const { type, data } of source) {
    if (type === "test:start") path.splice(data.nesting, Infinity, data.name);
    if (type !== "test:pass" && type !== "test:fail") continue;
    const title = [...path.slice(0, data.nesting), data.name].join(" › ");
    const isSuite = data.details?.type === "suite";
    const error = data.details?.error;
    /** @type {TestLine | undefined} */
    let line;
    if (type === "test:fail") {
      if (error?.failureType !== "subtestsFailed") line = { title, state: "failed", error: textOf(error) };
    } else if (data.skip !== undefined || data.todo !== undefined) {
      const reason = data.skip ?? data.todo;
      line = { title, state: "skipped", ...(typeof reason === "string" && reason ? { reason } : {}) };
    } else if (!isSuite) {
      line = { title, state: "passed" };
    }
    if (line) yield `${JSON.stringify(line)}\n`;
  }
}
