// @ts-check
/** P7, in a process of its own for each variant: what 10,000 orders keep in memory once they are there. */
import path from "node:path";
import { connectCcxt } from "./ccxt.mjs";
import { responseOf, openFed, untilLive } from "./feed.mjs";
import { builtDir, projectRequire } from "./shipped.mjs";
import { createPane } from "./view.mjs";

const { url, variant, count } = JSON.parse(process.argv[2] ?? "{}");

function usedBytes() {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** @param {(result: any[]) => any[]} convert @returns {Promise<[number, unknown]>} */
async function parsed(convert) {
  const load = (/** @type {Buffer} */ data) =>
    new Map(convert(JSON.parse(data.toString()).result).map((order) => [order.order_id ?? order.id, order]));
  load(responseOf(10)("1"));
  const data = responseOf(count)("1");
  const before = usedBytes();
  const orders = load(data);
  // The bytes they came from are alive at both moments.
  return [usedBytes() - before, [orders, data]];
}

/** @returns {Promise<[number, unknown]>} */
async function ccxt() {
  const { exchange, close } = await connectCcxt(url);
  const result = await parsed((orders) => exchange.parseOrders(orders));
  close();
  return result;
}

/** @returns {Promise<[number, unknown]>} */
async function shipped() {
  const fed = await openFed(url);
  const load = async (/** @type {number} */ size) => {
    const { store, id } = await fed.makeStore();
    const { pane } = createPane(fed.main, { orders: store, clock: fed.clock });
    const data = responseOf(size)(id);
    const before = usedBytes();
    const live = untilLive(store);
    fed.receive(data);
    await live;
    pane.provider.getChildren(undefined);
    // A turn of the loop later nothing of the call itself is left.
    await new Promise((resolve) => void setTimeout(resolve, 300));
    return {
      bytes: usedBytes() - before,
      keep: [store, pane, data],
      end: () => [pane, store].forEach((each) => each.dispose()),
    };
  };
  (await load(10)).end();
  const { bytes, keep } = await load(count);
  fed.close();
  return [bytes, keep];
}

const { zod: z, order } = projectRequire(path.join(builtDir, "zod.cjs"));
/** @type {Record<string, () => Promise<[number, unknown]>>} */
const variants = {
  "JSON.parse and Map": () => parsed((result) => result),
  shipped,
  "zod strip": () => parsed((result) => z.array(z.object(order.shape)).parse(result)),
  "zod loose": () => parsed((result) => z.array(order).parse(result)),
  ccxt,
};
const [bytes, kept] = await /** @type {() => Promise<[number, unknown]>} */ (variants[variant])();
if (kept === undefined) throw new Error("Nothing was kept.");
process.send?.({ bytes });
process.disconnect?.();
