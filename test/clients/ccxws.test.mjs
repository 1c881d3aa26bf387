// @ts-check
/**
 * `ccxws`, a client for market data that is not ours, against the simulator as it ships. It is told the address, and is
 * signed in over its own socket: what it subscribes to is raw, which the exchange refuses to strangers.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createRequire } from "node:module";
import path from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { fileURLToPath } from "node:url";
import { installLocked } from "../host/npm.mjs";
import { until } from "../host/process.mjs";
import { startSimulator } from "../host/simulator.mjs";

/** @typedef {Record<string, any>} Wire an object as it goes over the wire, or as ccxws hands it out */

const place = await installLocked(path.dirname(fileURLToPath(import.meta.url)), "the clients");
/** @type {Record<string, any>} */
const ccxws = createRequire(path.join(place, "package.json"))("ccxws");

const MARKET = { id: "BTC-PERPETUAL", base: "BTC", quote: "USD" };
const CHANNELS = [
  "book.BTC-PERPETUAL.raw",
  "chart.trades.BTC-PERPETUAL.1",
  "ticker.BTC-PERPETUAL.raw",
  "trades.BTC-PERPETUAL.raw",
];

describe("ccxws", () => {
  /** @type {Awaited<ReturnType<typeof startSimulator>>} */
  let simulator;
  /** @type {Wire} */
  let client;
  /** @returns {Promise<Wire | undefined>} the connection of the client, as the simulator sees it */
  const connection = async () => (await simulator.run("connections"))[0];
  const subscribe = () => {
    client["subscribeTicker"](MARKET);
    client["subscribeTrades"](MARKET);
    client["subscribeCandles"](MARKET);
    client["subscribeLevel2Updates"](MARKET);
  };
  const note = (/** @type {string} */ what, /** @type {unknown} */ returned) =>
    console.log(`note: ccxws ${what}: ${JSON.stringify(returned)}`);

  beforeEach(async () => {
    simulator = await startSimulator(["--seed", "5", "--orders", "0"]);
    client = new ccxws["DeribitClient"]({ wssPath: simulator.webSocket });
  });
  afterEach(async () => {
    client["close"]();
    await simulator.stop();
  });

  test("as a stranger it gets candles; its raw channels are refused", async () => {
    subscribe();
    const answers = async () => await simulator.run("ledger");
    await until(async () => (await answers()).length === CHANNELS.length, { what: "the answers to its requests" });
    const codes = (await answers()).map((/** @type {Wire} */ { errorCode }) => errorCode ?? "subscribed");
    note("as a stranger", codes);
    assert.deepEqual(codes.sort(), [13_778, 13_778, 13_778, "subscribed"]);
    assert.deepEqual((await connection())?.["channels"], ["chart.trades.BTC-PERPETUAL.1"]);
  });

  test("signed in, it gets ticker, trades, candles, and the book, which agree", async () => {
    client["subscribeCandles"](MARKET);
    await once(/** @type {any} */ (client), "connected");
    const { clientId, clientSecret } = simulator;
    const params = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    client["_wss"].send(JSON.stringify({ jsonrpc: "2.0", id: 1000, method: "public/auth", params }));
    await until(async () => (await connection())?.["scope"] !== undefined, { what: "the sign-in" });
    const events = ["ticker", "trade", "candle", "l2snapshot", "l2update"];
    const heard = Promise.all(events.map((event) => once(/** @type {any} */ (client), event)));
    subscribe();
    const found = async () => (await connection())?.["channels"].toSorted();
    await until(async () => (await found()).length === CHANNELS.length, { what: "its channels" });
    assert.deepEqual(await found(), CHANNELS);
    // A trade at once: candles change with trades.
    await simulator.run("trade", { instrument_name: MARKET.id });
    const [ticker, trade, candle, snapshot, update] = (await heard).map(([first]) => /** @type {Wire} */ (first));
    note("ticker", { bid: ticker?.["bid"], ask: ticker?.["ask"], last: ticker?.["last"] });
    note("trade", { side: trade?.["side"], price: trade?.["price"], amount: trade?.["amount"] });
    note("candle", candle);
    note("l2snapshot", `${snapshot?.["bids"].length} bids, ${snapshot?.["asks"].length} asks`);
    note("l2update", { bids: update?.["bids"].length, asks: update?.["asks"].length });
    assert.ok(Number(ticker?.["bid"]) < Number(ticker?.["ask"]));
    assert.ok(
      Number(candle?.["low"]) <= Number(candle?.["close"]) && Number(candle?.["close"]) <= Number(candle?.["high"]),
    );
    assert.ok(Number(snapshot?.["bids"][0].price) < Number(snapshot?.["asks"][0].price));
    assert.equal(trade?.["base"], "BTC");
    assert.ok(Number(trade?.["amount"]) >= 10);
    assert.ok(update?.["sequenceId"] > snapshot?.["sequenceId"]);
  });
});
