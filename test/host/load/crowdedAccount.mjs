// @ts-check
/**
 * A server between the extension and a simulator: the account has thousands of positions, and hundreds of them change
 * in a second. Everything else is the simulator's own.
 */
import WebSocket, { WebSocketServer } from "ws";

const CHANNEL = "user.changes.any.any.raw";
const TICK_MS = 20;
const EXPIRY = "1JAN27";

/**
 * @typedef {object} CrowdedAccount
 * @property {string} webSocket the address to connect to
 * @property {Map<string, import("../orderWatch.mjs").Version[]>} versions what each position was, and since when
 * @property {(method: string) => number} count how many requests of a method arrived
 * @property {() => number} published how many events were sent
 * @property {() => void} stop
 */

/**
 * @param {import("../simulator.mjs").Simulator} simulator
 * @param {{ positions: number, changesPerSecond: number }} options
 * @returns {Promise<CrowdedAccount>}
 */
export async function startCrowdedAccount(simulator, { positions: count, changesPerSecond }) {
  const startedMs = Date.now();
  const names = Array.from({ length: count }, (_, index) => `BTC-${EXPIRY}-${20_000 + index * 50}-C`);
  /** @type {Map<string, number>} */
  const sizes = new Map(names.map((name, index) => [name, 1 + (index % 7)]));
  /** @type {CrowdedAccount["versions"]} */
  const versions = new Map(names.map((name) => [name, [{ atMs: startedMs, terms: String(sizes.get(name)) }]]));
  /** @type {Map<string, number>} */
  const counts = new Map();
  let published = 0;

  /** @param {string} name */
  const positionOf = (name) => {
    const size = sizes.get(name) ?? 0;
    const mark = 0.05 + (Date.now() % 1000) / 1e6;
    return {
      instrument_name: name,
      kind: "option",
      direction: "buy",
      size,
      average_price: 0.05,
      mark_price: mark,
      index_price: 90_000,
      total_profit_loss: Number((size * (mark - 0.05)).toFixed(8)),
      floating_profit_loss: 0,
      realized_profit_loss: 0,
      initial_margin: 0.01,
      maintenance_margin: 0.005,
      delta: 0.5,
    };
  };

  /** @param {any} row an option of the simulator */
  const withOurs = (row) => names.map((name) => ({ ...row, instrument_name: name }));

  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  await new Promise((resolve) => void server.once("listening", () => resolve(undefined)));
  server.on("connection", (client) => {
    const upstream = new WebSocket(simulator.webSocket, { perMessageDeflate: false });
    /** @type {Map<number, string>} */
    const asked = new Map();
    /** @type {string[]} */
    const early = [];
    upstream.once("open", () => void early.splice(0).forEach((text) => void upstream.send(text)));
    client.on("message", (data) => {
      const text = String(data);
      const { id, method } = JSON.parse(text);
      counts.set(method, (counts.get(method) ?? 0) + 1);
      asked.set(id, method);
      if (upstream.readyState === WebSocket.OPEN) upstream.send(text);
      else early.push(text);
    });
    upstream.on("message", (data) => {
      const text = String(data);
      const method = text.includes('"method":"subscription"') ? undefined : asked.get(JSON.parse(text).id);
      if (method !== "private/get_positions" && method !== "public/get_instruments") return void client.send(text);
      const response = JSON.parse(text);
      if (method === "private/get_positions") response.result = names.map(positionOf);
      else {
        const option = response.result?.find((/** @type {any} */ each) => /^BTC-\S+-C$/.test(each.instrument_name));
        if (option) response.result.push(...withOurs(option));
      }
      client.send(JSON.stringify(response));
    });
    client.on("close", () => void upstream.terminate());
    upstream.on("close", () => void client.terminate());
  });

  let due = 0;
  let next = 0;
  const timer = setInterval(() => {
    for (due += (changesPerSecond * TICK_MS) / 1000; due >= 1; due -= 1) {
      // A step that shares no divisor with the number of positions meets all of them in turn, far from each other.
      next = (next + 7919) % names.length;
      const name = names[next] ?? "";
      const size = ((sizes.get(name) ?? 0) % 90) + 1;
      sizes.set(name, size);
      versions.get(name)?.push({ atMs: Date.now(), terms: String(size) });
      const data = { instrument_name: name, positions: [positionOf(name)], orders: [], trades: [] };
      const text = JSON.stringify({ jsonrpc: "2.0", method: "subscription", params: { channel: CHANNEL, data } });
      published += server.clients.size;
      for (const client of server.clients) client.send(text);
    }
  }, TICK_MS);

  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    webSocket: simulator.webSocket.replace(/:\d+/, `:${port}`),
    versions,
    count: (method) => counts.get(method) ?? 0,
    published: () => published,
    stop() {
      clearInterval(timer);
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}
