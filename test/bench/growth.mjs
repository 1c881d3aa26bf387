// @ts-check
/** How each part grows with what it works on, in a process of its own: 100, 1,000, 10,000 and 100,000 elements. */
import { responseOf, openFed, untilLive } from "./feed.mjs";
import { FIRST_STAMP, orderOf } from "./orders.mjs";
import { loadParts } from "./shipped.mjs";
import { shuffled } from "./statistics.mjs";
import { stopwatch, timed } from "./stopwatch.mjs";
import { createFakeHost, createPane } from "./view.mjs";

const { url, sizes, repetitions } = JSON.parse(process.argv[2] ?? "{}");
const UPDATES = 1000;
const EDITS = 10;
const OPEN_GROUPS = 5;
const CHANNEL = "user.orders.any.any.raw";

const { rescanRequests, scanRequests } = loadParts();
const fed = await openFed(url);

/**
 * A response of so many orders, from the bytes to what each part makes of it.
 * @param {number} size
 * @returns {Promise<Record<string, number>>} ms
 */
async function orders(size) {
  const { store, id } = await fed.makeStore();
  const { pane, frame } = createPane(fed.main, { orders: store, clock: fed.clock });
  const data = responsesOf(size)(id);
  const text = data.toString();
  const parse = timed(() => JSON.parse(text));
  const live = untilLive(store);
  const decoded = stopwatch();
  fed.receive(data);
  await live;
  const decode = decoded();
  const host = createFakeHost({ frame, provider: pane.provider, openGroups: OPEN_GROUPS });
  const tree = timed(() => host.show());
  // Texts of the wire, made before: what is measured is what the extension does with them.
  const events = Array.from({ length: UPDATES }, (_, index) =>
    Buffer.from(
      JSON.stringify({
        jsonrpc: "2.0",
        method: "subscription",
        params: {
          channel: CHANNEL,
          data: { ...orderOf((index * 7919) % size), filled_amount: index, last_update_timestamp: FIRST_STAMP + index },
        },
      }),
    ),
  );
  const update = timed(() => {
    for (const event of events) fed.receive(event);
  });
  if (store.snapshot.items.size !== size) throw new Error("The store does not have the orders.");
  pane.dispose();
  store.dispose();
  return {
    "JSON.parse": parse,
    "bytes → store": decode,
    "tree, five groups open": tree,
    [`${UPDATES} updates`]: update,
  };
}

/** @type {Map<number, ReturnType<typeof responseOf>>} */
const responses = new Map();

/** @param {number} size */
function responsesOf(size) {
  const made = responses.get(size) ?? responseOf(size);
  responses.set(size, made);
  return made;
}

/** A text in one piece, as the editor hands it out. @param {string} text */
const ownText = (text) => Buffer.from(text).toString();

/**
 * A request file of so many requests: where they stand, and characters typed into the last but one.
 * @param {number} size
 * @returns {Record<string, number>} ms
 */
function requests(size) {
  const requestText = (/** @type {number} */ index) =>
    `  // ${index}\n  { "jsonrpc": "2.0", "id": ${index}, "method": "private/get_order_state", "params": { "order_id": "BTC-${58_400_000_000 + index}" } }`;
  const text = ownText(`[\n${Array.from({ length: size }, (_, index) => requestText(index)).join(",\n")}\n]\n`);
  const at = text.lastIndexOf('"order_id": "BTC-', text.lastIndexOf('"order_id": "BTC-') - 1) + 17;
  const edited = Array.from({ length: EDITS }, (_, index) =>
    ownText(`${text.slice(0, at)}${"1".repeat(index + 1)}${text.slice(at)}`),
  );
  /** @type {any} */
  let file;
  const places = timed(() => (file = scanRequests(text)));
  if (file.bounds.length !== 2 * size) throw new Error("The scan lost requests.");
  const edit = timed(() => {
    for (const each of edited) file = rescanRequests(file, each);
  });
  const last = file.request(size - 1).methodRange;
  if (edited.at(-1)?.slice(last.start, last.end) !== '"private/get_order_state"')
    throw new Error("What stands behind the edit was not moved.");
  return { "request file → places": places, [`${EDITS} edits of a request`]: edit };
}

/** @type {Record<string, Record<number, number[]>>} */
const measured = {};
for (let repetition = -1; repetition < repetitions; repetition++) {
  // The small sizes warm up for all: the code is the same.
  const wanted = /** @type {number[]} */ (sizes).filter((size) => repetition >= 0 || size < 100_000);
  for (const size of shuffled(wanted, Math.random)) {
    for (const [part, ms] of Object.entries({ ...(await orders(size)), ...requests(size) })) {
      if (repetition >= 0) ((measured[part] ??= {})[size] ??= []).push(ms);
    }
  }
}
fed.close();
process.send?.(measured);
process.disconnect?.();
