// @ts-check
/**
 * A second reporter for Node's test runner: a line for each test that starts or ends and for each hook that throws, as
 * they happen, so that the program around it can tell which test does not end. Tests that run at once all start first.
 * @param {AsyncIterable<{ type: string, data: any }>} source
 */
export default async function* progress(source) {
  for await (const { type, data } of source) {
    if (type === "test:dequeue") yield `start ${data.name}\n`;
    if (type === "test:complete")
      yield `${data.details?.error?.failureType === "hookFailed" ? "hook" : "end"} ${data.name}\n`;
  }
}
