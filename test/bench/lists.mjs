// @ts-check
/**
 * U8 and U9 in a fresh process: all CPU that a list of orders takes, with the rows that are shown and what is parsed
 * later, and that of the same list read again. Prints both in ms; of `parse`, that of JSON.parse.
 */
import { openFed, responseOf, untilLive } from "./feed.mjs";
import { stopwatch, timed } from "./stopwatch.mjs";
import { createFakeHost, createPane } from "./view.mjs";

const { url, variant, count } = JSON.parse(process.argv[2] ?? "{}");
const OPEN_GROUPS = 5;
/** What is done later is done after this. */
const QUIET_MS = 1500;

const quiet = () => new Promise((resolve) => void setTimeout(resolve, QUIET_MS));

async function shipped() {
  const fed = await openFed(url);
  const { store, id } = await fed.makeStore();
  const { pane, frame } = createPane(fed.main, { orders: store, clock: fed.clock });
  const host = createFakeHost({ frame, provider: pane.provider, openGroups: OPEN_GROUPS });
  const response = responseOf(count);
  const [data, again] = [response(id), response("0")];
  await quiet();
  const live = untilLive(store);
  const first = stopwatch();
  fed.receive(data);
  await live;
  host.show();
  await quiet();
  const firstMs = first();
  if (store.snapshot.items.size !== count) throw new Error("The store does not have the orders.");
  const asked = fed.nextReading();
  const read = store.refresh();
  const later = again.toString().replace('"id":0', `"id":${await asked}`);
  const bytes = Buffer.from(later);
  const second = stopwatch();
  fed.receive(bytes);
  await read;
  await quiet();
  const againMs = second();
  if (store.snapshot.items.size !== count) throw new Error("The store does not have the orders.");
  pane.dispose();
  store.dispose();
  fed.close();
  return { firstMs, againMs };
}

function parse() {
  const text = responseOf(count)("1").toString();
  return { firstMs: timed(() => void JSON.parse(text)), againMs: 0 };
}

process.send?.(variant === "shipped" ? await shipped() : parse());
process.disconnect?.();
