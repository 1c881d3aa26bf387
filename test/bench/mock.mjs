// @ts-check
/**
 * The exchange of the benchmark: a process of its own that costs as little as possible. Responses are serialised before
 * the first request, and a request is not parsed: its id and method are found by searching its text.
 */
import http from "node:http";
import { FIRST_STAMP, INSTRUMENTS, instrumentOf, orderOf, ordersText } from "./orders.mjs";
import { loadWs } from "./shipped.mjs";

const CHANNEL = "user.orders.any.any.raw";
/** How often updates are pushed; each time as many as are due. */
const PUSH_MS = 4;

const TAIL = Buffer.from(',"usIn":1795000000000000,"usOut":1795000000000412,"usDiff":412,"testnet":true}');
const TOKEN = {
  access_token: `1795.${"a".repeat(80)}`,
  refresh_token: `1795.${"r".repeat(80)}`,
  token_type: "bearer",
  expires_in: 31_536_000,
  scope: "account:read trade:read_write mainaccount",
  sid: "bench",
};

const UNKNOWN_METHOD = Buffer.from('{"code":-32601,"message":"Method not found"}');

/** @type {Record<string, Buffer>} */
const results = Object.fromEntries(
  Object.entries({
    "public/hello": { version: "bench" },
    "public/auth": TOKEN,
    "public/get_time": FIRST_STAMP,
    "public/set_heartbeat": "ok",
    "public/test": { version: "bench" },
    "public/get_currencies": ["BTC", "ETH", "SOL"].map((currency) => ({
      currency,
      currency_long: currency,
      withdrawal_fee: 0.0001,
    })),
    "public/get_instruments": INSTRUMENTS.map(instrumentOf),
    "private/get_order_state": orderOf(4),
    "private/cancel": { ...orderOf(4), order_state: "cancelled", cancel_reason: "user_request" },
    "private/subscribe": [CHANNEL],
    "private/unsubscribe": [CHANNEL],
  }).map(([method, result]) => [method, Buffer.from(JSON.stringify(result))]),
);

/** @type {Set<any>} */
const subscribers = new Set();
/** How long a response is held back. */
let delayMs = 0;
/** Whether the next frame that comes is told of, once. */
let isFirstWanted = false;

/** Over HTTP the method stands in the path, as ccxt has it. */
const web = http.createServer(({ url = "" }, response) => {
  const result = results[/^\/api\/v2\/([^?]+)/.exec(url)?.[1] ?? ""];
  response.writeHead(result === undefined ? 400 : 200, { "content-type": "application/json" });
  response.end(
    Buffer.concat([
      Buffer.from(`{"jsonrpc":"2.0","${result === undefined ? "error" : "result"}":`),
      result ?? UNKNOWN_METHOD,
      TAIL,
    ]),
  );
});
const server = new (loadWs().WebSocketServer)({ server: web, perMessageDeflate: false });
server.on("connection", (/** @type {any} */ socket) => {
  socket.on("message", (/** @type {Buffer} */ data) => respond(socket, data));
  socket.on("close", () => subscribers.delete(socket));
  socket.on("error", () => undefined);
});
web.listen(0, "127.0.0.1", () =>
  process.send?.({
    kind: "listening",
    url: `ws://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (web.address()).port}`,
  }),
);

/** @param {any} socket @param {Buffer} data */
function respond(socket, data) {
  if (isFirstWanted) process.send?.({ kind: "first", atMs: performance.timeOrigin + performance.now() });
  isFirstWanted = false;
  const text = data.toString("latin1");
  const methodAt = text.indexOf('"method":"') + 10;
  const method = text.slice(methodAt, text.indexOf('"', methodAt));
  if (method === "private/subscribe") subscribers.add(socket);
  // Without a list of its own it leaves that response to the benchmark, which hands the transport a buffer.
  if (method === "private/get_open_orders" && results[method] === undefined) return;
  const idAt = text.indexOf('"id":') + 5;
  let end = idAt;
  while (text.charCodeAt(end) >= 0x30 && text.charCodeAt(end) <= 0x39) end++;
  const id = text.slice(idAt, end);
  const result = method === "public/echo" ? paramsOf(text) : results[method];
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${id},"${result === undefined ? "error" : "result"}":`);
  const frame = Buffer.concat([head, result ?? UNKNOWN_METHOD, TAIL]);
  if (delayMs === 0) socket.send(frame, { binary: false });
  else setTimeout(() => socket.send(frame, { binary: false }), delayMs);
}

/** What a request sends, byte for byte. @param {string} text in which they are the last member */
const paramsOf = (text) => Buffer.from(text.slice(text.indexOf('"params":') + 9, text.lastIndexOf("}")), "latin1");

/** One event for each order, in which only the moment and the filled amount are written anew. */
function templates(/** @type {number} */ count) {
  return Array.from({ length: count }, (_, index) => {
    const text = `{"jsonrpc":"2.0","method":"subscription","params":{"channel":"${CHANNEL}","data":${JSON.stringify(orderOf(index))}}}`;
    return {
      buffer: Buffer.from(text),
      stampAt: text.indexOf('"last_update_timestamp":') + 24,
      filledAt: text.indexOf('"filled_amount":') + 16,
    };
  });
}

/**
 * Pushes updates at a steady pace, one order after the other, each later than all before it.
 * @param {{ count: number, rate: number, seconds: number }} plan
 */
async function push({ count, rate, seconds }) {
  const events = templates(count);
  const total = rate * seconds;
  const startedMs = performance.now();
  let sent = 0;
  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedMs) / 1000) * rate));
    for (; sent < due; sent++) {
      const { buffer, stampAt, filledAt } = /** @type {ReturnType<typeof templates>[number]} */ (
        events[(sent * 7919) % count]
      );
      const copy = Buffer.from(buffer);
      copy.write(String(FIRST_STAMP + sent), stampAt, "latin1");
      copy.write(String(1000 + (sent % 9000)), filledAt, "latin1");
      for (const socket of subscribers) socket.send(copy, { binary: false });
    }
    await new Promise((resolve) => void setTimeout(resolve, PUSH_MS));
  }
  process.send?.({
    kind: "pushed",
    sent,
    atMs: performance.timeOrigin + performance.now(),
    tookMs: performance.now() - startedMs,
  });
}

process.on("message", (/** @type {any} */ message) => {
  if (message.kind === "orders") results["private/get_open_orders"] = Buffer.from(ordersText(message.count));
  if (message.kind === "push") void push(message);
  if (message.kind === "delay") ({ delayMs } = message);
  if (message.kind === "tellFirst") isFirstWanted = true;
});
process.on("disconnect", () => process.exit());
