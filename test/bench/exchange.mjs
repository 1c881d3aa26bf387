// @ts-check
/**
 * S2, in a process of its own: orders placed and cancelled over one socket, at the simulator and at a server that only
 * responds; how long a placement takes beside few and many open orders; and events as they come.
 */
import { median, quantile, shuffled } from "./statistics.mjs";
import { loadWs } from "./shipped.mjs";

/**
 * @typedef {{ url: string, clientId: string, clientSecret: string, control: { url: string, token: string } }} Address
 */

const IN_FLIGHT = 64;
const INSTRUMENT = "BTC-PERPETUAL";
const CHANNEL = "user.orders.any.any.raw";

/**
 * A socket whose responses come in the order of their requests. Texts are not parsed, so that what is compared is the
 * servers.
 * @param {string} url
 */
async function connect(url) {
  const socket = new (loadWs())(url, { perMessageDeflate: false });
  await new Promise((resolve, reject) => void socket.on("open", resolve).on("error", reject));
  /** @type {((text: string) => void)[]} */
  const waiting = [];
  let first = 0;
  let id = 0;
  /** @type {(text: string) => void} */
  let onEvent = () => undefined;
  socket.on("message", (/** @type {Buffer} */ data) => {
    const text = data.toString("latin1");
    if (text.startsWith('{"jsonrpc":"2.0","method"')) {
      onEvent(text);
      return;
    }
    const take = waiting[first++];
    if (first === waiting.length) waiting.length = first = 0;
    take?.(text);
  });
  return {
    call: (/** @type {string} */ method, /** @type {object} */ params) =>
      new Promise((/** @type {(text: string) => void} */ resolve) => {
        waiting.push(resolve);
        socket.send(`{"jsonrpc":"2.0","id":${++id},"method":"${method}","params":${JSON.stringify(params)}}`);
      }),
    onEvent: (/** @type {(text: string) => void} */ take) => void (onEvent = take),
    close: () => socket.terminate(),
  };
}

/** @typedef {Awaited<ReturnType<typeof connect>>} Client */

/** @param {Address} address */
async function signIn({ url, clientId, clientSecret }) {
  const client = await connect(url);
  const params = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  must(await client.call("public/auth", params));
  return client;
}

/** @param {string} text a response, which has to be a result */
function must(text) {
  if (!text.includes('"result"')) throw new Error(`The call was refused: ${text}`);
  return text;
}

/** The parameters of an order that rests, each at another price. @param {number} price @param {number} index */
const resting = (price, index) => ({ instrument_name: INSTRUMENT, amount: 10, price: price - 0.5 * (index % 1000) });

/** @param {string} text */
function orderId(text) {
  const at = text.indexOf('"order_id":"') + 12;
  return text.slice(at, text.indexOf('"', at));
}

/** A price at which orders rest. @param {Client} client */
async function restingPrice(client) {
  const text = must(await client.call("public/ticker", { instrument_name: INSTRUMENT }));
  return Math.round(JSON.parse(text).result.mark_price * 0.995);
}

/** Calls of which several are in flight. @param {number} count @param {(index: number) => Promise<void>} work */
async function inFlight(count, work) {
  let next = 0;
  const run = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, run));
}

/** @param {Client} client @param {number} price @param {number} count @returns {Promise<number>} pairs a second */
async function placeAndCancel(client, price, count) {
  const since = performance.now();
  await inFlight(count, async (index) => {
    const placed = must(await client.call("private/buy", resting(price, index)));
    must(await client.call("private/cancel", { order_id: orderId(placed) }));
  });
  return (count / (performance.now() - since)) * 1000;
}

/** What the two calls respond, for the server that only responds. @param {Address} address */
async function texts(address) {
  const client = await signIn(address);
  const placed = must(await client.call("private/buy", resting(await restingPrice(client), 0)));
  const cancelled = must(await client.call("private/cancel", { order_id: orderId(placed) }));
  client.close();
  return { placed, cancelled };
}

/** @param {{ simulator: Address, echoUrl: string, blocks: number, count: number }} plan */
async function throughput({ simulator, echoUrl, blocks, count }) {
  const own = await signIn(simulator);
  const price = await restingPrice(own);
  /** @type {Record<string, Client>} */
  const clients = { limit: await connect(echoUrl), simulator: own, "limit again": await connect(echoUrl) };
  /** @type {Record<string, number[]>} */
  const perSecond = { limit: [], simulator: [], "limit again": [] };
  for (let block = -2; block < blocks; block++) {
    for (const [name, client] of shuffled(Object.entries(clients), Math.random)) {
      const measured = await placeAndCancel(client, price, count);
      if (block >= 0) perSecond[name]?.push(measured);
    }
  }
  for (const client of Object.values(clients)) client.close();
  return perSecond;
}

/**
 * The times of placements, one after the other, beside so many open orders; each is cancelled again.
 * @param {{ simulator: Address, sizes: readonly number[], count: number }} plan
 */
async function placements({ simulator, sizes, count }) {
  const client = await signIn(simulator);
  const price = await restingPrice(client);
  // What runs for the first time is not compiled yet.
  await placeAndCancel(client, price, 3 * count);
  let open = 0;
  const measured = [];
  for (const size of sizes) {
    await inFlight(size - open, async (index) => void must(await client.call("private/buy", resting(price, index))));
    open = size;
    /** @type {number[]} */
    const times = [];
    for (let index = 0; index < count; index++) {
      const since = performance.now();
      const placed = must(await client.call("private/buy", resting(price, index)));
      times.push(performance.now() - since);
      must(await client.call("private/cancel", { order_id: orderId(placed) }));
    }
    measured.push({ size, p50: median(times), p99: quantile(times, 0.99) });
  }
  client.close();
  return measured;
}

/** How many events have left for the only connection that has subscribed. @param {Address} address */
async function sentEvents({ control }) {
  const response = await fetch(`${control.url}/connections`, {
    method: "POST",
    headers: { authorization: `Bearer ${control.token}` },
  });
  /** @type {{ events: Record<string, number> }[]} */
  const connections = JSON.parse(await response.text());
  return connections.reduce((sum, { events }) => sum + (events[CHANNEL] ?? 0), 0);
}

/**
 * Events for some seconds: how many; how old they are when they come, in the first and the last fourth of them; and how
 * many have left and not come yet, each second.
 * @param {{ simulator: Address, seconds: number }} plan
 */
async function events({ simulator, seconds }) {
  const client = await signIn(simulator);
  /** @type {number[]} */
  const ages = [];
  let isMeasured = false;
  let received = 0;
  client.onEvent((text) => {
    received++;
    if (!isMeasured) return;
    const at = text.indexOf('"last_update_timestamp":') + 24;
    ages.push(Date.now() - Number(text.slice(at, at + 13)));
  });
  must(await client.call("private/subscribe", { channels: [CHANNEL] }));
  await new Promise((resolve) => void setTimeout(resolve, 1000));
  isMeasured = true;
  const since = performance.now();
  /** @type {number[]} */
  const onTheirWay = [];
  for (let second = 0; second < seconds; second++) {
    await new Promise((resolve) => void setTimeout(resolve, 1000));
    // What came while the response was under way makes the figure smaller by less than its time.
    onTheirWay.push(Math.max(0, (await sentEvents(simulator)) - received));
  }
  const tookMs = performance.now() - since;
  client.close();
  const fourth = Math.floor(ages.length / 4);
  return {
    perSecond: (ages.length / tookMs) * 1000,
    firstAgeMs: median(ages.slice(0, fourth)),
    lastAgeMs: median(ages.slice(-fourth)),
    onTheirWay,
  };
}

const { task, ...plan } = JSON.parse(process.argv[2] ?? "{}");
/** @type {Record<string, (plan: any) => Promise<unknown>>} */
const TASKS = { texts: (given) => texts(given.simulator), throughput, placements, events };
process.send?.(await TASKS[task]?.(plan));
process.disconnect?.();
