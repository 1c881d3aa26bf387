// @ts-check
/**
 * P13, in a process of its own: a request file is run by the shipped runner, through the gate, over the shipped
 * session.
 */
import { connectRaw, openSession } from "./clients.mjs";
import { loadParts } from "./shipped.mjs";
import { shuffled } from "./statistics.mjs";

const { url, rounds, count, sequential } = JSON.parse(process.argv[2] ?? "{}");
const IN_FLIGHT = 16;
const METHOD = "private/get_order_state";
const PARAMS = { order_id: "BTC-58400000052" };

const { session, clock, log, main } = await openSession(url);
const requests = loadParts();
const raw = await connectRaw("limit", url);
const routes = main.createRoutes({ session, isHttpOnly: false, createHttpSession: () => undefined });
const never = () => Promise.reject(new Error("Reads need no confirmation and are not noted."));
const gate = main.createGate({
  connectionId: "bench",
  connectionName: () => "bench",
  environment: () => "simulator",
  session,
  routes,
  ask: never,
  journal: { append: never },
  clock,
  settings: () => ({ allowChangesMinutes: 0 }),
  reconcilers: async () => () => undefined,
  log,
});

const text = `[${Array.from({ length: count }, (_, index) => JSON.stringify({ id: index, method: METHOD, params: PARAMS })).join(",\n")}]`;
const file = requests.scanRequests(text);

/** Of so many requests, so many at once: ms for each of them. @param {number} length @param {number} concurrency */
async function shipped(length, concurrency) {
  const results = requests.createResults();
  const startedMs = performance.now();
  const plan = requests.planRun(
    file,
    { kind: "some", indexes: new Set(Array.from({ length }, (_, index) => index)) },
    results,
  );
  const ended = await requests.runPlan(plan, {
    gate,
    fileName: "bench.rpc.json",
    environment: () => "simulator",
    connectionId: "bench",
    results,
    clock,
    variables: { uuid: () => "" },
    concurrency,
  });
  const tookMs = performance.now() - startedMs;
  if (ended.length !== length || ended.some((/** @type {any} */ { verdict }) => verdict !== "passed"))
    throw new Error(
      `Not all requests passed: ${JSON.stringify(ended.find((/** @type {any} */ { verdict }) => verdict !== "passed")?.run.outcome)}`,
    );
  return tookMs / length;
}

/** The same by hand on the socket alone. @param {number} length @param {number} concurrency */
async function byHand(length, concurrency) {
  const startedMs = performance.now();
  let left = length;
  const work = async () => {
    while (left-- > 0) await raw.call(METHOD, PARAMS);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return (performance.now() - startedMs) / length;
}

/** @type {Record<string, () => Promise<number>>} */
const variants = {
  sequential: () => shipped(sequential, 1),
  "sequential again": () => shipped(sequential, 1),
  shipped: () => shipped(count, IN_FLIGHT),
  "by hand": () => byHand(count, IN_FLIGHT),
};
/** @type {Record<string, number[]>} */
const measured = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
await shipped(sequential, IN_FLIGHT);
for (let round = 0; round < rounds; round++) {
  for (const name of shuffled(Object.keys(variants), Math.random))
    measured[name]?.push(await /** @type {() => Promise<number>} */ (variants[name])());
}
raw.close();
session.dispose();
process.send?.(measured);
process.disconnect?.();
