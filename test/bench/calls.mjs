// @ts-check
/**
 * P1 to P4, in a process of its own: round trips, throughput and CPU of all clients, block by block, in shuffled order.
 * Of ccxt, which has no calls over WebSocket for this exchange, the round trip of a cancel over HTTP.
 */
import { connectCcxt } from "./ccxt.mjs";
import { connectRaw, connectSession, PEERS } from "./clients.mjs";
import { shuffled } from "./statistics.mjs";

/** @typedef {import("./clients.mjs").Client} Client */

const METHOD = "private/get_order_state";
const PARAMS = { order_id: "BTC-58400000052" };
const SEQUENTIAL = 200;
const PIPELINED = 2000;
const IN_FLIGHT = 64;
const WARM_UP = 5;

const { url, blocks, isProfiled } = JSON.parse(process.argv[2] ?? "{}");

/** @param {Client} client @returns {Promise<number>} median in µs */
async function roundTrip(client) {
  const times = new Float64Array(SEQUENTIAL);
  for (let index = 0; index < SEQUENTIAL; index++) {
    const startedMs = performance.now();
    await client.call(METHOD, PARAMS);
    times[index] = performance.now() - startedMs;
  }
  times.sort();
  const [below = 0, above = 0] = times.subarray(SEQUENTIAL / 2 - 1);
  return (below + above) * 500;
}

/**
 * @param {Client} client
 * @returns {Promise<{ perSecond: number, cpu: number }>} calls a second, and µs of CPU for each
 */
async function pipelined(client) {
  let left = PIPELINED;
  const work = async () => {
    while (left-- > 0) await client.call(METHOD, PARAMS);
  };
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  const tookMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (PIPELINED / tookMs) * 1000, cpu: (user + system) / PIPELINED };
}

/** @returns {Promise<Client[]>} */
async function connectAll() {
  const { exchange, ...ccxt } = await connectCcxt(url);
  const cancelling = {
    ...ccxt,
    call: (/** @type {string} */ _method, /** @type {any} */ { order_id: id }) => exchange.cancelOrder(id),
  };
  return [
    await connectRaw("limit", url),
    await connectRaw("limit again", url),
    await connectSession(url),
    ...(await Promise.all(Object.values(PEERS).map((connect) => connect(url)))),
    cancelling,
  ];
}

const clients = isProfiled ? [await connectSession(url)] : await connectAll();
/** @type {Record<string, { p50: number[], perSecond: number[], cpu: number[] }>} */
const measured = Object.fromEntries(clients.map(({ name }) => [name, { p50: [], perSecond: [], cpu: [] }]));
for (let block = -WARM_UP; block < blocks; block++) {
  for (const client of shuffled(clients, Math.random)) {
    const p50 = await roundTrip(client);
    const series = /** @type {typeof measured[string]} */ (measured[client.name]);
    if (block >= 0) series.p50.push(p50);
    if (client.name === "ccxt") continue;
    const { perSecond, cpu } = await pipelined(client);
    if (block < 0) continue;
    series.perSecond.push(perSecond);
    series.cpu.push(cpu);
  }
}
for (const client of clients) client.close();
process.send?.(measured);
process.disconnect?.();
