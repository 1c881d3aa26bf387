// @ts-check
import { createRequire } from "node:module";
import path from "node:path";
import { PAUSE_MS, pause } from "./exchange.mjs";

/*
 * A careful bot on ccxt, over HTTP. The folder of ccxt is on its command line. After an error of the network, which ccxt
 * does not say more about, it looks for its order by its label, and goes on without it.
 */

/** @type {Record<string, any>} */
const ccxt = createRequire(path.join(process.argv[2] ?? "", "package.json"))("ccxt");
const SYMBOL = "BTC/USD:BTC";
const exchange = new ccxt["deribit"]({
  apiKey: process.env["TRADING_RPC_SIM_CLIENT_ID"],
  secret: process.env["TRADING_RPC_SIM_CLIENT_SECRET"],
  urls: { api: { rest: new URL(String(process.env["TRADING_RPC_SIM_HTTP_URL"])).origin } },
  timeout: 900,
  options: { code: "BTC" },
});

/** Reads until that succeeds. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
async function until(work) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ccxt["BaseError"])) throw error;
      if (error instanceof ccxt["AuthenticationError"]) await signInAgain();
      await pause(PAUSE_MS);
    }
  }
}

/** ccxt keeps a token for as long as it should live, also where the exchange refuses it. */
async function signInAgain() {
  exchange.options.accessToken = undefined;
  exchange.options.expires = undefined;
}

// Without `true`, ccxt hands out a failed load again and again.
await until(async () => await exchange.loadMarkets(true));
for (let round = 1; round <= 5; round++) {
  const { bid } = await until(async () => await exchange.fetchTicker(SYMBOL));
  const label = `ccxt-${round}`;
  await exchange.createOrder(SYMBOL, "limit", "buy", 100, Math.round(bid * 0.98), { label }).catch(async () => {
    await pause(PAUSE_MS);
  });
  for (const { id } of await until(async () => await exchange.fetchOpenOrders(SYMBOL)))
    await exchange.cancelOrder(id, SYMBOL).catch(async (/** @type {Error} */ error) => {
      if (error instanceof ccxt["AuthenticationError"]) await signInAgain();
      await pause(PAUSE_MS);
    });
}
for (const { id } of await until(async () => await exchange.fetchOpenOrders(SYMBOL)))
  await exchange.cancelOrder(id, SYMBOL).catch(async () => await pause(PAUSE_MS));
