// @ts-check
/**
 * A bot on `ccxt` that trades at the simulator as it ships: it is told the addresses and the credentials and nothing
 * else. What each call returned is noted as a table, plain and with `--odd`, and held against the simulator's own word.
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { fileURLToPath } from "node:url";
import { installLocked } from "../host/npm.mjs";
import { startSimulator } from "../host/simulator.mjs";

/** @typedef {Record<string, any>} Wire an object as it goes over the wire, or as ccxt hands it out */

const place = await installLocked(path.dirname(fileURLToPath(import.meta.url)), "ccxt");
/** @type {Record<string, any>} */
const ccxt = createRequire(path.join(place, "package.json"))("ccxt");

const SYMBOL = "BTC/USD:BTC";
const OPTION = "BTC/USD:BTC-270326-96000-C";

/** @param {Awaited<ReturnType<typeof startSimulator>>} simulator @returns {Wire} a client of it */
const connect = (simulator) =>
  new ccxt["pro"].deribit({
    apiKey: simulator.clientId,
    secret: simulator.clientSecret,
    urls: { api: { rest: new URL(simulator.http).origin, ws: simulator.webSocket } },
  });

describe("ccxt trades", () => {
  /** @type {Awaited<ReturnType<typeof startSimulator>>} */
  let simulator;
  /** @type {Wire} */
  let client;
  /** @param {string} call @param {unknown} returned one line of the table */
  const note = (call, returned) => console.log(`note: ccxt ${call}: ${JSON.stringify(returned)}`);
  /** @param {Wire} order */
  const short = ({ side, type, amount, filled, price, status, stopPrice }) => ({
    side,
    type,
    amount,
    filled,
    price,
    status,
    ...(stopPrice === undefined ? {} : { stopPrice }),
  });

  beforeAll(async () => {
    simulator = await startSimulator(["--seed", "5", "--orders", "0"]);
    client = connect(simulator);
    // Its own step for addresses that begin with ws:// instead of wss://.
    await client["loadHttpProxyAgent"]();
    await client["loadMarkets"]();
  });
  afterAll(async () => {
    await client?.["close"]();
    await simulator?.stop();
  });

  test("market data agrees with itself", async () => {
    const ticker = await client["fetchTicker"](SYMBOL);
    note("fetchTicker", { bid: ticker.bid, ask: ticker.ask, last: ticker.last, high: ticker.high, low: ticker.low });
    assert.ok(ticker.bid < ticker.ask && ticker.low <= ticker.last && ticker.last <= ticker.high);
    const tickers = await client["fetchTickers"](undefined, { code: "BTC" });
    note("fetchTickers", `${Object.keys(tickers).length} tickers`);
    assert.ok(Object.keys(tickers).includes(SYMBOL));
    const book = await client["fetchOrderBook"](SYMBOL, 10);
    note("fetchOrderBook", { bids: book.bids.slice(0, 2), asks: book.asks.slice(0, 2) });
    assert.equal(book.bids.length, 10);
    assert.ok(book.bids[0][0] < book.asks[0][0]);
    const candles = await client["fetchOHLCV"](SYMBOL, "1m", Date.now() - 20 * 60_000, 10);
    note("fetchOHLCV", candles.slice(-2));
    assert.ok(candles.length > 0);
    for (const [, open, high, low, close] of candles)
      assert.ok(low <= Math.min(open, close) && Math.max(open, close) <= high);
    const trades = await client["fetchTrades"](SYMBOL, undefined, 20);
    note("fetchTrades", `${trades.length} trades, the last ${trades.at(-1).side} ${trades.at(-1).amount}`);
    assert.equal(trades.length, 20);
    const funding = await client["fetchFundingRate"](SYMBOL);
    note("fetchFundingRate", { rate: funding.fundingRate });
    assert.equal(typeof funding.fundingRate, "number");
    const history = await client["fetchFundingRateHistory"](SYMBOL, Date.now() - 86_400_000);
    note("fetchFundingRateHistory", `${history.length} hours`);
    assert.ok(history.length >= 20);
    const { delta, gamma, vega, theta, markImpliedVolatility } = await client["fetchGreeks"](OPTION);
    note("fetchGreeks", { delta, gamma, vega, theta, markImpliedVolatility });
    assert.ok(delta > 0 && delta < 1 && gamma > 0 && vega > 0 && theta < 0 && markImpliedVolatility > 0);
    const interest = await client["fetchOpenInterest"](SYMBOL);
    note("fetchOpenInterest", interest.openInterestAmount ?? interest.openInterestValue);
    note("fetchVolatilityHistory", `${(await client["fetchVolatilityHistory"]("BTC")).length} hours`);
  });

  test("eight kinds of orders are placed, read back, edited, and cancelled", async () => {
    const { bid, ask } = await client["fetchTicker"](SYMBOL);
    const under = Math.round(bid * 0.99);
    const over = Math.round(ask * 1.01);
    /** @type {readonly (readonly [name: string, ...of: any[]])[]} type, side, amount, price, params */
    const kinds = [
      ["limit", "limit", "buy", 100, under],
      ["post-only", "limit", "buy", 100, under, { postOnly: true }],
      ["immediate or cancel", "limit", "buy", 100, over, { timeInForce: "IOC" }],
      ["market", "market", "buy", 200],
      ["stop market", "market", "sell", 100, undefined, { stopLossPrice: under }],
      ["stop limit", "limit", "sell", 100, under, { stopLossPrice: under }],
      ["take limit", "limit", "buy", 100, under, { takeProfitPrice: under }],
      ["trailing stop", "market", "sell", 100, undefined, { trailingAmount: 500 }],
    ];
    /** @type {Wire[]} */
    const placed = [];
    for (const [name, ...of] of kinds) {
      const order = await client["createOrder"](SYMBOL, ...of);
      note(`createOrder ${name}`, short(order));
      assert.equal(order.status, ["market", "immediate or cancel"].includes(name) ? "closed" : "open", name);
      const read = await client["fetchOrder"](order.id);
      assert.deepEqual(short(read), short({ ...order, stopPrice: read.stopPrice }), name);
      placed.push(order);
    }
    const open = await client["fetchOpenOrders"](SYMBOL);
    note("fetchOpenOrders", `${open.length} orders`);
    const ids = placed.filter(({ status }) => status === "open").map(({ id }) => id);
    assert.deepEqual(open.map((/** @type {Wire} */ { id }) => id).sort(), [...ids].sort());
    const [limit] = placed;
    const edited = await client["editOrder"](limit?.["id"], SYMBOL, "limit", "buy", 150, under - 50);
    note("editOrder", short(edited));
    assert.deepEqual([edited.amount, edited.price], [150, under - 50]);
    const cancelled = await client["cancelOrder"](limit?.["id"]);
    note("cancelOrder", short(cancelled));
    assert.equal(cancelled.status, "canceled");
    await client["cancelAllOrders"](SYMBOL);
    note("cancelAllOrders, then fetchOpenOrders", (await client["fetchOpenOrders"](SYMBOL)).length);
    assert.deepEqual(await client["fetchOpenOrders"](SYMBOL), []);
    const closed = await client["fetchClosedOrders"](SYMBOL);
    note("fetchClosedOrders", `${closed.length} orders`);
    const closedIds = closed.map((/** @type {Wire} */ { id }) => id);
    for (const { id, status } of placed) if (status === "closed") assert.ok(closedIds.includes(id));
  });

  test("fills change trades, positions, and balances", async () => {
    const before = await client["fetchBalance"]();
    const [positionBefore] = await client["fetchPositions"]([SYMBOL]);
    const order = await client["createOrder"](SYMBOL, "market", "buy", 1000);
    const fills = await client["fetchOrderTrades"](order.id);
    const sum = fills.reduce((/** @type {number} */ all, /** @type {Wire} */ { amount }) => all + amount, 0);
    note("fetchOrderTrades", `${fills.length} trades of ${sum}`);
    assert.equal(sum, 1000);
    const mine = await client["fetchMyTrades"](SYMBOL, undefined, 100);
    note("fetchMyTrades", `${mine.length} trades`);
    const mineIds = mine.map((/** @type {Wire} */ { id }) => id);
    for (const { id } of fills) assert.ok(mineIds.includes(id));
    const [position] = await client["fetchPositions"]([SYMBOL]);
    const { side, contracts, entryPrice, markPrice, unrealizedPnl } = position;
    note("fetchPositions", { side, contracts, entryPrice, markPrice, unrealizedPnl });
    assert.equal(position.info.size - (positionBefore?.info.size ?? 0), 1000);
    assert.deepEqual((await client["fetchPosition"](SYMBOL)).info.size, position.info.size);
    const balance = await client["fetchBalance"]();
    note("fetchBalance", { BTC: balance.BTC, ETH: balance.ETH, USDC: balance.USDC });
    const fee = fills.reduce((/** @type {number} */ all, /** @type {Wire} */ each) => all + each["fee"].cost, 0);
    assert.ok(fee > 0 && before.BTC.total > balance.BTC.total - 0.01);
    const ledger = await client["fetchDeposits"]("BTC");
    note(
      "fetchDeposits",
      ledger.map((/** @type {Wire} */ { amount, status }) => ({ amount, status })),
    );
  });

  test("what is watched arrives", async () => {
    const ticker = await client["watchTicker"](SYMBOL);
    note("watchTicker", { bid: ticker.bid, ask: ticker.ask, last: ticker.last });
    assert.ok(ticker.bid < ticker.ask);
    const book = await client["watchOrderBook"](SYMBOL);
    note("watchOrderBook", { bids: book.bids.slice(0, 2), asks: book.asks.slice(0, 2) });
    assert.ok(book.bids[0][0] < book.asks[0][0]);
    const orders = client["watchOrders"]();
    const mine = client["watchMyTrades"]();
    const trades = client["watchTrades"](SYMBOL);
    const balance = client["watchBalance"]();
    // Calls of ccxt over one socket are in order: when this one is answered, the subscriptions before it are.
    await client["watchTicker"]("ETH/USD:ETH");
    const { id } = await client["createOrder"](SYMBOL, "market", "sell", 300);
    const heard = await orders;
    note("watchOrders", heard.map(short));
    assert.ok(heard.some((/** @type {Wire} */ each) => each["id"] === id));
    const own = await mine;
    note("watchMyTrades", `${own.length} trades`);
    assert.ok(own.some((/** @type {Wire} */ each) => each["order"] === id));
    note("watchTrades", `${(await trades).length} trades`);
    const { BTC: watched } = await balance;
    note("watchBalance", watched.total);
    assert.ok(watched.total.BTC > 0);
  });
});

test("ccxt reads words and members that it has never heard of, or says which one it can't", async () => {
  const simulator = await startSimulator(["--seed", "5", "--orders", "0", "--odd"]);
  const client = connect(simulator);
  await client["loadHttpProxyAgent"]();
  /** @type {readonly (readonly [name: string, ...of: unknown[]])[]} */
  const calls = [
    ["loadMarkets"],
    ["fetchTicker", SYMBOL],
    ["fetchTickers", undefined, { code: "BTC" }],
    ["fetchOrderBook", SYMBOL, 10],
    ["fetchOHLCV", SYMBOL, "1m", Date.now() - 20 * 60_000, 10],
    ["fetchTrades", SYMBOL],
    ["fetchFundingRate", SYMBOL],
    ["fetchGreeks", OPTION],
    ["createOrder", SYMBOL, "limit", "buy", 100, 91_500],
    ["createOrder", SYMBOL, "market", "buy", 1000],
    ["fetchOpenOrders", SYMBOL],
    ["fetchClosedOrders", SYMBOL],
    ["fetchMyTrades", SYMBOL],
    ["fetchPositions", [SYMBOL]],
    ["fetchBalance"],
    ["cancelAllOrders", SYMBOL],
    ["watchTicker", SYMBOL],
    ["watchOrderBook", SYMBOL],
  ];
  for (const [name, ...of] of calls) {
    const outcome = await client[name](...of).then(
      (/** @type {unknown} */ result) => (Array.isArray(result) ? `${result.length} of them` : "an object"),
      (/** @type {Error} */ error) => `${error.name}: ${error.message}`,
    );
    console.log(`note: ccxt --odd ${name}: ${outcome}`);
  }
  /** @type {Wire[]} */
  const ledger = await simulator.run("ledger");
  assert.deepEqual(
    ledger.filter(({ errorCode }) => errorCode !== undefined).map(({ method, errorCode }) => [method, errorCode]),
    [],
  );
  assert.ok(ledger.length >= calls.length);
  await client["close"]();
  await simulator.stop();
});
