// @ts-check
/**
 * What days of updates leave in memory, in a process of its own for each variant: the session, the orders and their
 * view, on a clock that is moved, and a Map that is told the same. Orders change, end and come; tokens are renewed, and
 * the link is lost and comes back.
 */
import path from "node:path";
import { FIRST_STAMP, orderOf } from "./orders.mjs";
import { builtDir, loadParts, projectRequire } from "./shipped.mjs";
import { createPane } from "./view.mjs";

const { variant, count, days } = JSON.parse(process.argv[2] ?? "{}");
const CHANNEL = "user.orders.any.any.raw";
const MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
const UPDATES_PER_MINUTE = 20;
/** More in a day than the store remembers of those that have ended. */
const ENDS_PER_MINUTE = 5;
const MINUTES_PER_LINK = 6 * 60;
const TOKEN_SECONDS = 900;

/** The orders of the account, and what is told of them. */
function createAccount() {
  /** @type {Map<string, any>} */
  const orders = new Map(
    Array.from({ length: count }, (_, index) => orderOf(index)).map((order) => [order.order_id, order]),
  );
  let made = count;
  let stamp = FIRST_STAMP;
  return {
    orders,
    /** What happens within a minute, one event after the other. */
    *minute() {
      const ids = [...orders.keys()];
      for (let index = 0; index < UPDATES_PER_MINUTE; index++) {
        const id = /** @type {string} */ (ids[(stamp * 7919) % ids.length]);
        const order = { ...orders.get(id), filled_amount: stamp % 1000, last_update_timestamp: ++stamp };
        orders.set(id, order);
        yield order;
      }
      for (const id of ids.slice(0, ENDS_PER_MINUTE)) {
        const order = { ...orders.get(id), order_state: "cancelled", last_update_timestamp: ++stamp };
        orders.delete(id);
        yield order;
        const next = { ...orderOf(made++), creation_timestamp: ++stamp, last_update_timestamp: stamp };
        orders.set(next.order_id, next);
        yield next;
      }
    },
  };
}

/**
 * The exchange at the other end of a link in memory.
 * @param {ReturnType<typeof createAccount>} account
 * @param {() => void} onClosed
 */
function createExchange(account, onClosed) {
  /** @type {((text: string) => void) | undefined} */
  let tell;
  /** @type {((close: object) => void) | undefined} */
  let end;
  let tokens = 0;
  const token = () => ({
    access_token: `1795.${++tokens}.${"a".repeat(80)}`,
    refresh_token: `1795.${tokens}.${"r".repeat(80)}`,
    token_type: "bearer",
    expires_in: TOKEN_SECONDS,
    scope: "account:read trade:read_write mainaccount",
    sid: "bench",
  });
  /** @type {Record<string, () => unknown>} */
  const results = {
    "public/hello": () => ({ version: "bench" }),
    "public/auth": token,
    "public/test": () => ({ version: "bench" }),
    "public/set_heartbeat": () => "ok",
    "private/subscribe": () => [CHANNEL],
    "private/get_open_orders": () => [...account.orders.values()],
  };
  const hear = (/** @type {string} */ text) => {
    const { id, method } = JSON.parse(text);
    const result = results[method];
    const response = {
      jsonrpc: "2.0",
      id,
      ...(result === undefined ? { error: { code: -32601, message: "Method not found" } } : { result: result() }),
      usDiff: 412,
      testnet: true,
    };
    queueMicrotask(() => tell?.(JSON.stringify(response)));
  };
  const nothing = { dispose: () => undefined };
  return {
    transport: {
      description: "memory",
      send: hear,
      onText: (/** @type {(text: string) => void} */ listener) =>
        ((tell = listener), nothing),
      onClose: (/** @type {(close: object) => void} */ listener) =>
        ((end = listener), nothing),
      close: onClosed,
      terminate: onClosed,
      dispose: onClosed,
    },
    push: (/** @type {object} */ order) =>
      tell?.(JSON.stringify({ jsonrpc: "2.0", method: "subscription", params: { channel: CHANNEL, data: order } })),
    lose: () => end?.({ trouble: "closedByServer", detail: "lost" }),
  };
}

function usedBytes() {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * @typedef {{ tell: (order: any) => void, pass: () => Promise<void>, lose: () => Promise<void>, isTrue: () => boolean
 * }} Subject
 */

/** @param {ReturnType<typeof createAccount>} account @returns {Promise<Subject>} */
async function shipped(account) {
  const main = loadParts();
  const clock = projectRequire(path.join(builtDir, "fakeClock.cjs")).createFakeClock(FIRST_STAMP);
  const silent = () => undefined;
  const log = {
    trace: silent,
    debug: silent,
    info: silent,
    warn: silent,
    error: (/** @type {string} */ text) => console.error(text),
  };
  /** @type {ReturnType<typeof createExchange>} */
  let exchange;
  let wireId = 0;
  let generation = 0;
  const session = main.createSession({
    dial: async () => (exchange = createExchange(account, silent)).transport,
    credentials: async () => ({
      kind: "client_credentials",
      clientId: "bench",
      clientSecret: "bench-secret-of-no-account",
    }),
    client: { name: "bench", version: "0" },
    clock,
    random: () => 0.5,
    log,
    nextWireId: () => ++wireId,
    nextGeneration: () => ++generation,
    limits: "exchange",
    isTracing: () => false,
    traffic: new main.TrafficRecorder({ clock, log, isDebugging: () => false }),
  });
  const store = main.createOrdersStore({ session, clock, log });
  const { pane, frame } = createPane(main, { orders: store, clock });
  // The editor asks again for what it is told to have changed.
  frame.changes.event((/** @type {unknown} */ what) => {
    for (const id of Array.isArray(what) ? what : pane.provider.getChildren(what)) pane.provider.getTreeItem(id);
  });
  session.connect();
  await clock.advance(MINUTE_MS);
  const [group] = pane.provider.getChildren(undefined);
  frame.opened.fire({ element: group });
  return {
    tell: (order) => exchange.push(order),
    pass: () => clock.advance(MINUTE_MS),
    async lose() {
      exchange.lose();
      await clock.advance(MINUTE_MS);
    },
    isTrue: () =>
      store.snapshot.status === "live" &&
      generation > 1 &&
      [...account.orders].every(
        ([id, { last_update_timestamp: stamp }]) => store.snapshot.items.get(id)?.order.last_update_timestamp === stamp,
      ),
  };
}

/** @param {ReturnType<typeof createAccount>} account @returns {Promise<Subject>} */
async function plainMap(account) {
  const read = () => new Map([...account.orders].map(([id, order]) => [id, JSON.parse(JSON.stringify(order))]));
  let orders = read();
  return {
    tell(order) {
      const own = JSON.parse(JSON.stringify(order));
      if (own.order_state === "cancelled") orders.delete(own.order_id);
      else orders.set(own.order_id, own);
    },
    pass: async () => undefined,
    async lose() {
      orders = read();
    },
    isTrue: () => orders.size === account.orders.size,
  };
}

const account = createAccount();
const subject = await (variant === "shipped" ? shipped : plainMap)(account);
const bytes = [usedBytes()];
for (let day = 0; day < days; day++) {
  for (let minute = 0; minute < MINUTES; minute++) {
    for (const order of account.minute()) subject.tell(order);
    await subject.pass();
    if (minute % MINUTES_PER_LINK === MINUTES_PER_LINK - 1) await subject.lose();
  }
  await subject.pass();
  bytes.push(usedBytes());
}
if (!subject.isTrue()) throw new Error(`After ${days} days ${variant} does not show the account as it is.`);
process.send?.({ bytes });
process.disconnect?.();
