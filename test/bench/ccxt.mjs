// @ts-check
/**
 * ccxt against the mock: it is told the addresses and credentials and that it is not limited, and nothing else is
 * changed.
 */
import { loadCcxt } from "./shipped.mjs";

/**
 * @param {string} url
 * @param {object} [changes]
 */
export async function connectCcxt(url, changes = {}) {
  const rest = url.replace(/^ws/, "http");
  const exchange = new (loadCcxt().pro.deribit)({
    apiKey: "bench",
    secret: "bench-secret-of-no-account",
    enableRateLimit: false,
    urls: { api: { rest, ws: url } },
    ...changes,
  });
  // Its own step for addresses that begin with ws:// instead of wss://.
  await exchange.loadHttpProxyAgent();
  await exchange.loadMarkets();
  return {
    name: "ccxt",
    exchange: /** @type {any} */ (exchange),
    onEvent: () => undefined,
    close: () => void exchange.close(),
  };
}
