// @ts-check
/**
 * A second reporter for Node's test runner: a line for each test that starts and for each hook that throws, as they
 * happen, so that the program around it can tell which test does not end.
 * @param {AsyncIterable<{ type: string, data: any }>} source
 */
export default async function* progress(source) {
  for await (const { type, data } of source) {
    if (type === "test:dequeue") yield `start ${data.name}\n`;
    if (type === "test:complete" && data.details?.error?.failureType === "hookFailed") yield `hook ${data.name}\n`;
  }
}
