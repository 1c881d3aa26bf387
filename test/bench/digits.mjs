// @ts-check
/**
 * P16, in a process of its own: numbers from a request file through the gate and the session to the exchange, which
 * sends them back as they came, and into the text of the response. Counted are those that are not written as before.
 */
import { openSession } from "./clients.mjs";
import { loadParts } from "./shipped.mjs";

const { url, count, seed } = JSON.parse(process.argv[2] ?? "{}");
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Such as a number of JavaScript does not keep, or would write in another way. */
const KNOWN = [
  "9007199254740993",
  "-9007199254740993",
  "123456789012345678901234567890",
  "1e-8",
  "0.00000001",
  "1E+2",
  "6.4e4",
  "50000.50",
  "0.10",
  "1.0",
  "-0.0",
  "1e400",
  "0.1000000000000000055511151231257827",
];

let state = seed;
const random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
const digits = (/** @type {number} */ most) =>
  Array.from({ length: 1 + Math.floor(random() * most) }, () => Math.floor(random() * 10)).join("");
/** A number as JSON allows it: no zero in front. */
const literal = () =>
  `${random() < 0.3 ? "-" : ""}${digits(20).replace(/^0+(?=\d)/, "")}${random() < 0.6 ? `.${digits(12)}` : ""}${random() < 0.3 ? `${random() < 0.5 ? "e" : "E"}${["", "+", "-"][Math.floor(random() * 3)]}${digits(2)}` : ""}`;

const { session, clock, log, main } = await openSession(url);
const requests = loadParts();
const written = [...KNOWN, ...Array.from({ length: count - KNOWN.length }, literal)];
const gate = main.createGate({
  connectionId: "bench",
  connectionName: () => "bench",
  environment: () => "simulator",
  session,
  routes: main.createRoutes({ session, isHttpOnly: false, createHttpSession: () => undefined }),
  ask: () => Promise.resolve(true),
  journal: { append: () => Promise.resolve() },
  clock,
  settings: () => ({ allowChangesMinutes: 0 }),
  reconcilers: async () => () => undefined,
  log,
});
const file = requests.scanRequests(
  `// numbers\n{ "method": "public/echo", "params": { "values": [${written.join(", /* next */ ")}] } }`,
);
const results = requests.createResults();
const plan = requests.planRun(file, { kind: "some", indexes: new Set([0]) }, results);
const [ended] = await requests.runPlan(plan, {
  gate,
  fileName: "digits.rpc.json",
  environment: () => "simulator",
  connectionId: "bench",
  results,
  clock,
  variables: { uuid: () => "" },
});
const { text } = requests.responseDocument({
  result: ended.run,
  environment: "simulator",
  connectionName: "bench",
  endedAtMs: 0,
  verdicts: [],
  times: main.createTimes(0),
});
const shown = text.replaceAll(/^\/\/.*$/gm, "").match(NUMBER) ?? [];
if (shown.length !== written.length)
  throw new Error(`${written.length} numbers were sent, and ${shown.length} are shown:\n${text.slice(0, 500)}`);
session.dispose();

/** How many of them are written in another way. @param {readonly string[]} found */
const changed = (found) => written.filter((each, index) => each !== found[index]).length;
process.send?.({
  count: written.length,
  changed: changed(shown),
  changedByParsing: changed(written.map((each) => JSON.stringify(JSON.parse(each)))),
});
process.disconnect?.();
