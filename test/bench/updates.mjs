// @ts-check
/** P8 to P10, in a process of its own for each variant: 20,000 updates a second on 10,000 orders. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { connectCcxt } from "./ccxt.mjs";
import { connectRaw, connectRpcWebsockets, openSession } from "./clients.mjs";
import { FIRST_STAMP } from "./orders.mjs";
import { createFakeHost, createFrame, createPane } from "./view.mjs";
import { TreeItem } from "./vscode.mjs";

const { url, variant, count } = JSON.parse(process.argv[2] ?? "{}");
const CHANNEL = "user.orders.any.any.raw";
const OPEN_GROUPS = 5;
/** How often a careless view says that it has changed. */
const CARELESS_MS = 100;

let applied = 0;
let firstMs = 0;
let lastMs = 0;
/** @type {NodeJS.CpuUsage | undefined} */
let cpu;
let cpuMicroseconds = 0;
const delay = monitorEventLoopDelay({ resolution: 1 });

function note(/** @type {number} */ updates) {
  if (cpu === undefined) {
    cpu = process.cpuUsage();
    firstMs = performance.now();
    delay.enable();
  }
  applied += updates;
  lastMs = performance.now();
}

/**
 * @typedef {{ find: (id: string) => any, ids: () => Iterable<string>, host?: ReturnType<typeof createFakeHost>, close:
 * () => void }} Subject
 */

/** @param {import("./clients.mjs").Client} client @returns {Promise<Subject & { orders: Map<string, any> }>} */
async function plainMap(client) {
  const list = /** @type {any[]} */ (await client.call("private/get_open_orders", {}));
  const orders = new Map(list.map((order) => [order.order_id, order]));
  client.onEvent((order) => {
    orders.set(order.order_id, order);
    note(1);
  });
  await client.call("private/subscribe", { channels: [CHANNEL] });
  return { orders, find: (id) => orders.get(id), ids: () => orders.keys(), close: () => client.close() };
}

/**
 * Its loop of `watchOrders`, with room for all orders. It has no list at first: each order comes with its first update.
 * @returns {Promise<Subject>}
 */
async function ccxt() {
  const { exchange, close } = await connectCcxt(url, { options: { ordersLimit: 2 * count } });
  const { handleOrders } = exchange;
  exchange.handleOrders = (/** @type {any[]} */ ...args) => {
    handleOrders.apply(exchange, args);
    note(1);
  };
  let isOpen = true;
  const watching = (async () => {
    while (isOpen) await exchange.watchOrders();
  })();
  watching.catch(() => "The connection is closed in the end.");
  const byId = () => new Map([...exchange.orders].map((order) => [order.id, order.info]));
  /** @type {ReturnType<typeof byId> | undefined} */
  let orders;
  return {
    find: (id) => (orders ??= byId()).get(id),
    ids: () => (orders ??= byId()).keys(),
    close: () => ((isOpen = false), close()),
  };
}

/** @param {boolean} hasView @returns {Promise<Subject>} */
async function shipped(hasView) {
  const { session, clock, log, main } = await openSession(url);
  const store = main.createOrdersStore({ session, clock, log });
  const view = hasView ? createPane(main, { orders: store, clock }) : undefined;
  await new Promise((resolve) => store.onDidChange(() => store.snapshot.status === "live" && resolve(undefined)));
  // An order of the list is parsed when it is looked at. The others have parsed theirs: only updates count from here on.
  for (const { order } of store.snapshot.items.values()) if (!order) throw new Error("The store lacks an order.");
  store.onDidChange((/** @type {any} */ { changed }) => note(changed.size));
  const host = view && createFakeHost({ frame: view.frame, provider: view.pane.provider, openGroups: OPEN_GROUPS });
  host?.show();
  return {
    find: (id) => store.snapshot.items.get(id)?.order,
    ids: () => store.snapshot.items.keys(),
    ...(host && { host }),
    close: () => session.dispose(),
  };
}

/** The whole tree again, ten times a second. @returns {Promise<Subject>} */
async function careless() {
  const subject = await plainMap(await connectRaw("careless", url));
  const frame = createFrame();
  /** @type {Map<string, any[]>} */
  let groups = new Map();
  const provider = {
    getChildren(/** @type {string | undefined} */ id) {
      if (id !== undefined) return (groups.get(id) ?? []).map((order) => order.order_id);
      groups = new Map();
      for (const order of subject.orders.values()) {
        const group = groups.get(order.instrument_name);
        if (group === undefined) groups.set(order.instrument_name, [order]);
        else group.push(order);
      }
      return [...groups.keys()];
    },
    getTreeItem: (/** @type {string} */ id) => new TreeItem(JSON.stringify(subject.orders.get(id) ?? id), 0),
  };
  const host = createFakeHost({ frame, provider, openGroups: OPEN_GROUPS });
  host.show();
  const timer = setInterval(() => applied > 0 && frame.changes.fire(undefined), CARELESS_MS);
  return { ...subject, host, close: () => (clearInterval(timer), subject.close()) };
}

/** @type {Record<string, () => Promise<Subject>>} */
const variants = {
  limit: async () => plainMap(await connectRaw("limit", url)),
  "limit again": async () => plainMap(await connectRaw("limit", url)),
  "rpc-websockets": async () => plainMap(await connectRpcWebsockets(url)),
  store: () => shipped(false),
  view: () => shipped(true),
  careless,
  ccxt,
};

/** Whether every order is as the last of its updates said. @param {Subject} subject @param {number} sent */
function isTrue(subject, sent) {
  const ids = [...subject.ids()];
  if (ids.length !== count) return false;
  /** @type {Map<number, number>} */
  const last = new Map();
  for (let update = Math.max(0, sent - count); update < sent; update++) last.set((update * 7919) % count, update);
  const byPlace = new Map(ids.map((id) => [id, subject.find(id)]));
  const stamps = new Set([...byPlace.values()].map((order) => `${order.last_update_timestamp} ${order.filled_amount}`));
  return [...last.values()].every((update) => stamps.has(`${FIRST_STAMP + update} ${1000 + (update % 9000)}`));
}

const subject = await /** @type {() => Promise<Subject>} */ (variants[variant])();
globalThis.gc?.();
process.send?.({ kind: "ready" });
const [sent, sentAtMs] = await new Promise((resolve) =>
  process.once("message", (/** @type {any} */ { sent: all, atMs }) => resolve([all, atMs])),
);
const patienceMs = performance.now() + 3000;
while (applied < sent && performance.now() < patienceMs) await new Promise((resolve) => void setTimeout(resolve, 1));
const used = process.cpuUsage(cpu);
cpuMicroseconds = used.user + used.system;
delay.disable();
process.send?.({
  kind: "done",
  share: applied / sent,
  isTrue: isTrue(subject, sent),
  cpu: cpuMicroseconds / applied,
  loopP99Ms: delay.percentile(99) / 1e6,
  backlogMs: Math.max(0, performance.timeOrigin + lastMs - sentAtMs),
  tree: subject.host?.report(firstMs, lastMs),
});
subject.close();
process.disconnect?.();
