// @ts-check
/** P5 and P6, in a process of its own: 10,000 orders from the bytes to the rows, beside JSON.parse, zod and ccxt. */
import path from "node:path";
import { connectCcxt } from "./ccxt.mjs";
import { responseOf, openFed, untilLive } from "./feed.mjs";
import { builtDir, projectRequire } from "./shipped.mjs";
import { shuffled } from "./statistics.mjs";
import { stopwatch, timed } from "./stopwatch.mjs";
import { createPane } from "./view.mjs";

const { url, repetitions, count, isProfiled } = JSON.parse(process.argv[2] ?? "{}");
const WARM_UP = 3;

const fed = await openFed(url);
const { zod: z, order } = projectRequire(path.join(builtDir, "zod.cjs"));
const loose = z.object({ result: z.array(order) });
const strip = z.object({ result: z.array(z.object(order.shape)) });
const makeResponse = responseOf(count);

async function shipped() {
  const { store, id } = await fed.makeStore();
  const { pane } = createPane(fed.main, { orders: store, clock: fed.clock });
  const data = makeResponse(id);
  const live = untilLive(store);
  const took = stopwatch();
  fed.receive(data);
  await live;
  const rows = pane.provider.getChildren(undefined);
  const tookMs = took();
  if (store.snapshot.items.size !== count || rows.length < 200) throw new Error("The store does not have the orders.");
  pane.dispose();
  store.dispose();
  return tookMs;
}

const data = makeResponse("1");
const text = data.toString();
/** @param {any} schema */
const withZod = (schema) => () => {
  const { result } = schema.parse(JSON.parse(data.toString()));
  const index = new Map();
  for (const each of result) index.set(each.order_id, each);
  if (index.size !== count) throw new Error("zod lost orders.");
};

const { exchange, close: closeCcxt } = await connectCcxt(url);
/** Its own parser, and its own structure for each order. */
function withCcxt() {
  const orders = exchange.parseOrders(exchange.parseJson(data.toString()).result);
  if (orders.length !== count) throw new Error("ccxt lost orders.");
}

/** @type {Record<string, () => number | Promise<number>>} */
const variants = {
  "JSON.parse": () => timed(() => void JSON.parse(text)),
  "JSON.parse again": () => timed(() => void JSON.parse(text)),
  "bytes to text": () => timed(() => void data.toString("latin1")),
  "JSON.parse and check": () =>
    timed(() => {
      if (!fed.main.isResult("private/get_open_orders", JSON.parse(text).result))
        throw new Error("The check refuses the orders.");
    }),
  shipped,
  "zod strip": () => timed(withZod(strip)),
  "zod loose": () => timed(withZod(loose)),
  ccxt: () => timed(withCcxt),
};
const names = isProfiled ? ["shipped"] : Object.keys(variants);
/** @type {Record<string, number[]>} */
const measured = Object.fromEntries(names.map((name) => [name, []]));
for (let repetition = -WARM_UP; repetition < repetitions; repetition++) {
  for (const name of shuffled(names, Math.random)) {
    const tookMs = await /** @type {() => number | Promise<number>} */ (variants[name])();
    if (repetition >= 0) measured[name]?.push(tookMs);
  }
}
fed.close();
closeCcxt();
process.send?.(measured);
process.disconnect?.();
