// @ts-check
import { createRequire } from "node:module";
import path from "node:path";
import { PAUSE_MS, pause } from "./exchange.mjs";

/*
 * A bot on ccxt.pro: its prices and orders come over a WebSocket, which ccxt opens again when it is lost, and its changes
 * go over HTTP. The folder of ccxt is on its command line.
 */

/** @type {Record<string, any>} */
const ccxt = createRequire(path.join(process.argv[2] ?? "", "package.json"))("ccxt");
const SYMBOL = "BTC/USD:BTC";
const exchange = new ccxt["pro"].deribit({
  apiKey: process.env["TRADING_RPC_SIM_CLIENT_ID"],
  secret: process.env["TRADING_RPC_SIM_CLIENT_SECRET"],
  urls: {
    api: {
      rest: new URL(String(process.env["TRADING_RPC_SIM_HTTP_URL"])).origin,
      ws: process.env["TRADING_RPC_SIM_URL"],
    },
  },
  timeout: 900,
});

/** Repeats a read until it succeeds. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
async function until(work) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ccxt["BaseError"])) throw error;
      if (error instanceof ccxt["AuthenticationError"]) exchange.options.accessToken = undefined;
      await pause(PAUSE_MS);
    }
  }
}

await exchange.loadHttpProxyAgent();
// Without `true`, ccxt hands out a failed load again and again.
await until(async () => await exchange.loadMarkets(true));
let isDone = false;
let bid = 0;
const following = (async () => {
  while (!isDone)
    await exchange.watchTicker(SYMBOL).then(
      (/** @type {{ bid: number }} */ ticker) => (bid = ticker.bid),
      async () => await pause(PAUSE_MS),
    );
})();
const ordering = (async () => {
  while (!isDone) await exchange.watchOrders(SYMBOL).catch(async () => await pause(PAUSE_MS));
})();
for (let round = 1; round <= 4; round++) {
  // A stream that is silent is no reason to wait.
  if (bid === 0) bid = (await until(async () => await exchange.fetchTicker(SYMBOL))).bid;
  await exchange
    .createOrder(SYMBOL, "limit", "buy", 100, Math.round(bid * 0.98), { label: `pro-${round}` })
    .catch(async () => await pause(PAUSE_MS));
  for (const { id } of await until(async () => await exchange.fetchOpenOrders(SYMBOL)))
    await exchange.cancelOrder(id, SYMBOL).catch(async () => await pause(PAUSE_MS));
  await pause(100);
}
isDone = true;
await exchange.close().catch(() => undefined);
await Promise.race([Promise.allSettled([following, ordering]), pause(100)]);
process.exit(0);
