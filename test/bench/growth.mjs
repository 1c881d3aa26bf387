// @ts-check
/** How each part grows with what it works on, in a process of its own: 100, 1,000, 10,000 and 100,000 elements. */
import { answerOf, openFed, untilLive } from "./feed.mjs";
import { FIRST_STAMP, orderOf } from "./orders.mjs";
import { shuffled } from "./statistics.mjs";
import { createFakeHost, createPane } from "./view.mjs";

const { url, sizes, repetitions } = JSON.parse(process.argv[2] ?? "{}");
const UPDATES = 1000;
const OPEN_GROUPS = 5;
const CHANNEL = "user.orders.any.any.raw";

const fed = await openFed(url);

/** @param {() => unknown} action @returns {number} ms */
function timed(action) {
  const startedMs = performance.now();
  action();
  return performance.now() - startedMs;
}

/** An answer of so many orders, from the bytes to what each part makes of it. @param {number} size @returns {Promise<Record<string, number>>} ms */
async function orders(size) {
  const { store, id } = await fed.makeStore();
  const { pane, frame } = createPane(fed.main, { orders: store, clock: fed.clock });
  const data = answersOf(size)(id);
  const text = data.toString();
  globalThis.gc?.();
  const parse = timed(() => JSON.parse(text));
  globalThis.gc?.();
  const startedMs = performance.now();
  const live = untilLive(store);
  fed.receive(data);
  await live;
  const decode = performance.now() - startedMs;
  const host = createFakeHost({ frame, provider: pane.provider, openGroups: OPEN_GROUPS });
  const tree = timed(() => host.show());
  // Texts of the wire, made before: what is measured is what the extension does with them.
  const events = Array.from({ length: UPDATES }, (_, index) => Buffer.from(JSON.stringify({ jsonrpc: "2.0", method: "subscription", params: { channel: CHANNEL, data: { ...orderOf((index * 7919) % size), filled_amount: index, last_update_timestamp: FIRST_STAMP + index } } })));
  const update = timed(() => { for (const event of events) fed.receive(event); });
  if (store.snapshot.items.size !== size) throw new Error("The store does not have the orders.");
  pane.dispose();
  store.dispose();
  return { "JSON.parse": parse, "bytes → store": decode, "tree, five groups open": tree, [`${UPDATES} updates`]: update };
}

/** @type {Map<number, ReturnType<typeof answerOf>>} */
const answers = new Map();

/** @param {number} size */
function answersOf(size) {
  const made = answers.get(size) ?? answerOf(size);
  answers.set(size, made);
  return made;
}

/** A request file of so many requests: where they stand, and one of them edited. @param {number} size @returns {Record<string, number>} ms */
function requests(size) {
  const text = `[\n${Array.from({ length: size }, (_, index) => `  // ${index}\n  { "jsonrpc": "2.0", "id": ${index}, "method": "private/get_order_state", "params": { "order_id": "BTC-${58_400_000_000 + index}" } }`).join(",\n")}\n]\n`;
  return { "requests → places": timed(() => fed.main.scanRequests(text).requests.length) };
}

/** @type {Record<string, Record<number, number[]>>} */
const measured = {};
for (let repetition = -1; repetition < repetitions; repetition++) {
  for (const size of shuffled(/** @type {number[]} */ (sizes), Math.random)) {
    for (const [part, ms] of Object.entries({ ...(await orders(size)), ...requests(size) })) {
      if (repetition >= 0) ((measured[part] ??= {})[size] ??= []).push(ms);
    }
  }
}
fed.close();
process.send?.(measured);
process.disconnect?.();
