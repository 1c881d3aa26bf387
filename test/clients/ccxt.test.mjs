// @ts-check
/**
 * `ccxt`, a client that is not ours, against the simulator as it ships. It is told the addresses and the credentials of
 * the simulator and nothing else, and what it reads is held against the simulator's own word.
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { fileURLToPath } from "node:url";
import { installLocked } from "../host/npm.mjs";
import { until } from "../host/process.mjs";
import { startSimulator } from "../host/simulator.mjs";

/** @typedef {Record<string, any>} Wire an object as it goes over the wire, or as ccxt hands it out */

const note = (/** @type {string} */ text) => console.log(`note: ${text}`);

const place = await installLocked(path.dirname(fileURLToPath(import.meta.url)), "ccxt");
const require = createRequire(path.join(place, "package.json"));
/** @type {Record<string, any>} */
const ccxt = require("ccxt");

/** @type {Awaited<ReturnType<typeof startSimulator>>} */
let simulator;
/** @type {Wire} */
let client;

/** @param {Wire} [changes] */
const connect = (changes) =>
  new ccxt["pro"].deribit({
    apiKey: simulator.clientId,
    secret: simulator.clientSecret,
    urls: { api: { rest: new URL(simulator.http).origin, ws: simulator.webSocket } },
    ...changes,
  });

/** @returns {Promise<Wire[]>} what the simulator says is open */
const openOrders = () => simulator.run("openOrders");
/** @param {string} id @returns {Promise<Wire>} */
const orderOf = (id) => simulator.run("order", { id });

/**
 * A public call of our own: it carries an id, which calls of ccxt over HTTP do not.
 * @param {string} method
 * @param {object} params
 * @returns {Promise<any>}
 */
async function ask(method, params) {
  const response = await fetch(simulator.http, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = /** @type {any} */ (await response.json());
  assert.equal(error, undefined);
  return result;
}

/** What ccxt has sent. @returns {Promise<Wire[]>} */
async function asked() {
  /** @type {Wire[]} */
  const ledger = await simulator.run("ledger");
  return ledger.filter(({ link, id }) => link === "webSocket" || id === undefined);
}

/**
 * A response that holds an integer too long for a number comes from ccxt with all its numbers as texts.
 * @param {Wire} info
 * @param {Wire} wire
 */
const withNumbers = (info, wire) =>
  Object.fromEntries(
    Object.entries(info).map(([name, value]) => [name, typeof wire[name] === "number" ? Number(value) : value]),
  );

const STATES = /** @type {Record<string, string>} */ ({
  open: "open",
  untriggered: "open",
  cancelled: "canceled",
  filled: "closed",
});

/** Every member of an order of ccxt's against the simulator's. @param {Wire} theirs @param {Wire} order */
function sameOrder(theirs, order) {
  assert.deepEqual(withNumbers(theirs["info"], order), order, order["order_id"]);
  const { id, side, status, timestamp, amount, filled, average, price } = theirs;
  assert.deepEqual(
    { id, side, status, timestamp, amount },
    {
      id: order["order_id"],
      side: order["direction"],
      status: STATES[order["order_state"]] ?? order["order_state"],
      timestamp: order["creation_timestamp"],
      amount: order["amount"],
    },
  );
  assert.equal(theirs["symbol"], client["safeSymbol"](order["instrument_name"]));
  if (typeof order["price"] === "number") assert.equal(price, order["price"]);
  if (order["filled_amount"] !== undefined) assert.equal(filled, order["filled_amount"]);
  if (order["filled_amount"] > 0) assert.equal(average, order["average_price"]);
}

/** @param {Wire[]} theirs @param {Wire[]} orders */
function sameOrders(theirs, orders) {
  const byId = new Map(theirs.map((each) => [each["id"], each]));
  assert.deepEqual([...byId.keys()].sort(), orders.map((order) => order["order_id"]).sort());
  for (const order of orders) sameOrder(byId.get(order["order_id"]) ?? {}, order);
}

/** @param {Wire[]} theirs @param {Wire[]} trades oldest first, as ccxt sorts them */
function sameTrades(theirs, trades) {
  assert.deepEqual(
    theirs.map(({ id, timestamp, side, price, amount }) => ({ id, timestamp, side, price, amount })),
    trades.map((trade) => ({
      id: trade["trade_id"],
      timestamp: trade["timestamp"],
      side: trade["direction"],
      price: trade["price"],
      amount: trade["amount"],
    })),
  );
  for (const [index, trade] of trades.entries()) assert.deepEqual(withNumbers(theirs[index]?.["info"], trade), trade);
}

describe("ccxt", () => {
  beforeAll(async () => {
    simulator = await startSimulator(["--still", "--seed", "5"]);
    client = connect();
    // Its own step for addresses that begin with ws:// instead of wss://.
    await client["loadHttpProxyAgent"]();
  });
  afterAll(async () => {
    const counts = new Map();
    for (const { link, method } of await asked())
      counts.set(`${method} (${link})`, (counts.get(`${method} (${link})`) ?? 0) + 1);
    note(`ccxt ${ccxt["version"]} asked:`);
    for (const [what, count] of [...counts].sort()) note(`  ${String(count).padStart(3)} ${what}`);
    await client?.["close"]();
    await simulator?.stop();
  });

  /** Returns a quarter that futures and options end with, in the forms of the exchange and of ccxt. */
  const farQuarter = async () => {
    /** @type {Wire[]} */
    const options = await ask("public/get_instruments", { currency: "USDC", kind: "option" });
    const last = options.findLast((each) => /^XRP_USDC-\w+-2d25-C$/.test(String(each["instrument_name"])));
    const day = new Date(Number(last?.["expiration_timestamp"])).toISOString().slice(2, 10).replaceAll("-", "");
    return { quarter: String(last?.["instrument_name"]).split("-")[1], day };
  };

  test("loadMarkets: every instrument, with its precision", async () => {
    await client["loadMarkets"]();
    /** @type {Wire[]} */
    const instruments = await ask("public/get_instruments", { currency: "any" });
    assert.ok(instruments.length > 200);
    assert.deepEqual(client["ids"], instruments.map((each) => each["instrument_name"]).sort());
    for (const instrument of instruments) {
      const { precision, limits, contractSize, expiry, active, maker, taker } =
        client["markets_by_id"][instrument["instrument_name"]][0];
      assert.deepEqual(
        { precision, least: limits.amount.min, contractSize, expiry, active, maker, taker },
        {
          precision: { amount: instrument["min_trade_amount"], price: instrument["tick_size"] },
          least: instrument["min_trade_amount"],
          contractSize: instrument["contract_size"],
          expiry: instrument["expiration_timestamp"],
          active: true,
          maker: instrument["maker_commission"],
          taker: instrument["taker_commission"],
        },
        instrument["instrument_name"],
      );
    }
    const { quarter, day } = await farQuarter();
    const of = (/** @type {string} */ id) => {
      const { symbol, type, base, quote, settle, linear, inverse, strike, precision } = client["markets_by_id"][id][0];
      return [symbol, type, base, quote, settle, linear, inverse, strike, precision.price, precision.amount];
    };
    assert.deepEqual(of("BTC-PERPETUAL"), [
      "BTC/USD:BTC",
      "swap",
      "BTC",
      "USD",
      "BTC",
      false,
      true,
      undefined,
      0.5,
      10,
    ]);
    assert.deepEqual(of(`ETH-${quarter}`), [
      `ETH/USD:ETH-${day}`,
      "future",
      "ETH",
      "USD",
      "ETH",
      false,
      true,
      undefined,
      0.05,
      1,
    ]);
    assert.deepEqual(of(`BTC-${quarter}-96000-C`), [
      `BTC/USD:BTC-${day}-96000-C`,
      "option",
      "BTC",
      "USD",
      "BTC",
      false,
      true,
      96_000,
      0.0005,
      0.1,
    ]);
    assert.deepEqual(of(`XRP_USDC-${quarter}-2d25-C`), [
      `XRP/USDC:USDC-${day}-2.25-C`,
      "option",
      "XRP",
      "USDC",
      "USDC",
      true,
      false,
      2.25,
      0.0001,
      1000,
    ]);
    assert.deepEqual(of("SOL_USDC-PERPETUAL"), [
      "SOL/USDC:USDC",
      "swap",
      "SOL",
      "USDC",
      "USDC",
      true,
      false,
      undefined,
      0.01,
      0.1,
    ]);
    assert.deepEqual(of("BTC_USDC"), [
      "BTC/USDC",
      "spot",
      "BTC",
      "USDC",
      undefined,
      undefined,
      undefined,
      undefined,
      1,
      0.0001,
    ]);
    assert.deepEqual(
      [client["priceToPrecision"]("BTC/USD:BTC", 92_418.37), client["amountToPrecision"]("BTC/USD:BTC", 57)],
      ["92418.5", "50"],
    );
    for (const { currency, currency_long: name } of await ask("public/get_currencies", {}))
      assert.deepEqual([currency, client["currencies"][currency]?.name], [currency, name]);
  });

  test("fetchOpenOrders: those of the simulator, by currency and by symbol", async () => {
    const orders = await openOrders();
    assert.ok(orders.length >= 20);
    /** @type {Map<string, Wire>} */
    const found = new Map();
    for (const code of ["BTC", "ETH", "USDC"]) {
      /** @type {Wire[]} */
      const theirs = await client["fetchOpenOrders"](undefined, undefined, undefined, { code });
      assert.ok(theirs.length > 0, code);
      for (const each of theirs) found.set(each["id"], each);
    }
    sameOrders([...found.values()], orders);
    for (const id of new Set(orders.map((order) => order["instrument_name"]))) {
      sameOrders(
        await client["fetchOpenOrders"](client["safeSymbol"](id)),
        orders.filter((order) => order["instrument_name"] === id),
      );
    }
  });

  test("fetchOrder: open, waiting, filled and cancelled; one that never was is not found", async () => {
    const open = await openOrders();
    const [cancelled, filled] = open.filter((order) => order["order_state"] === "open");
    const [stop] = open.filter((order) => order["order_type"] === "stop_market");
    await simulator.run("cancel", { id: cancelled?.["order_id"] });
    await simulator.run("fill", { id: filled?.["order_id"] });
    await simulator.run("fire", { id: stop?.["order_id"] });
    const orders = [...(await openOrders()), ...(await simulator.run("closedOrders"))];
    assert.deepEqual([...new Set(orders.map((order) => order["order_state"]))].sort(), [
      "cancelled",
      "filled",
      "open",
      "triggered",
      "untriggered",
    ]);
    const byState = [
      ...new Map(orders.map((order) => [`${order["order_state"]} ${order["order_type"]}`, order])).values(),
    ];
    for (const order of byState) sameOrder(await client["fetchOrder"](order["order_id"]), order);
    await assert.rejects(client["fetchOrder"]("ETH-1"), ccxt["OrderNotFound"]);
  });

  test("cancelOrder: cancelled at the simulator, by one frame", async () => {
    const [order] = (await openOrders()).filter((each) => each["order_state"] === "open");
    const id = order?.["order_id"];
    const cancels = async () => (await asked()).filter(({ method }) => method === "private/cancel");
    assert.deepEqual(await cancels(), []);
    const theirs = await client["cancelOrder"](id);
    const truth = await orderOf(id);
    assert.deepEqual(
      [truth["order_state"], truth["cancel_reason"], theirs["status"]],
      ["cancelled", "user_request", "canceled"],
    );
    sameOrder(theirs, truth);
    const [frame, ...others] = await cancels();
    assert.deepEqual(
      [frame?.["text"], frame?.["isApplied"], frame?.["response"], others.length],
      [`GET /api/v2/private/cancel?order_id=${id}`, true, "result", 0],
    );
    assert.ok(!(await openOrders()).some((each) => each["order_id"] === id));
    await assert.rejects(client["cancelOrder"](id), ccxt["InvalidOrder"]);
    await assert.rejects(client["cancelOrder"]("ETH-1"), ccxt["OrderNotFound"]);
    const found = (await cancels()).map(({ isApplied, errorCode }) => [isApplied, errorCode ?? "none"]);
    assert.deepEqual(found, [
      [true, "none"],
      [false, 11044],
      [false, 10004],
    ]);
  });

  test("fetchTrades: the latest, and those of a time range", async () => {
    const { quarter } = await farQuarter();
    for (const id of ["BTC-PERPETUAL", `BTC-${quarter}-96000-C`, "BTC_USDC"]) {
      const symbol = client["safeSymbol"](id);
      /** @type {Wire[]} oldest first */
      const trades = (
        await ask("public/get_last_trades_by_instrument", { instrument_name: id, count: 30, sorting: "asc" })
      ).trades;
      assert.equal(trades.length, 30);
      sameTrades(await client["fetchTrades"](symbol), trades.slice(-10));
      sameTrades(await client["fetchTrades"](symbol, undefined, 30), trades);
      const [since, end] = [trades[10]?.["timestamp"], trades[20]?.["timestamp"]];
      sameTrades(await client["fetchTrades"](symbol, since, 1000), trades.slice(10));
      sameTrades(await client["fetchTrades"](symbol, since, 1000, { until: end }), trades.slice(10, 21));
    }
  });

  test("fetchMyTrades: each fill, and the public trade that it is", async () => {
    const symbol = "ETH/USD:ETH";
    const since = Date.now();
    const { best_ask_price: price } = await ask("public/ticker", { instrument_name: "ETH-PERPETUAL" });
    const { order_id: id } = await simulator.run("place", {
      instrument_name: "ETH-PERPETUAL",
      direction: "sell",
      amount: 90,
      price,
      label: "ccxt",
    });
    for (const amount of [20, 30, 40]) await simulator.run("fill", { id, amount });
    /** @type {Wire[]} */
    const shown = (
      await ask("public/get_last_trades_by_instrument", { instrument_name: "ETH-PERPETUAL", count: 3, sorting: "asc" })
    ).trades;
    /** @type {Wire[]} */
    const theirs = (await client["fetchMyTrades"](symbol)).slice(-3);
    assert.deepEqual(
      theirs.map(({ id: trade, order, side, price, amount, takerOrMaker, fee, timestamp }) => ({
        trade,
        order,
        side,
        price,
        amount,
        takerOrMaker,
        fee,
        timestamp,
      })),
      shown.map(({ trade_id: trade, timestamp }, index) => ({
        trade,
        order: id,
        side: "sell",
        price,
        amount: [20, 30, 40][index],
        takerOrMaker: "maker",
        fee: { cost: 0, currency: "ETH" },
        timestamp,
      })),
    );
    const found = theirs.map(({ info }) => [info.state, info.label, info.trade_seq]);
    assert.deepEqual(
      found,
      shown.map(({ trade_seq: seq }, index) => [index === 2 ? "filled" : "open", "ccxt", seq]),
    );
    assert.deepEqual(await client["fetchMyTrades"](symbol, since), theirs);
    assert.deepEqual(await client["fetchMyTrades"](symbol, undefined, 2), theirs.slice(1));
    /** @type {Wire[]} */
    const ofCurrency = await client["fetchMyTrades"](undefined, since, undefined, { code: "ETH" });
    assert.deepEqual(ofCurrency, theirs);
    assert.deepEqual(
      (await client["fetchMyTrades"](undefined, undefined, undefined, { code: "ETH" })).slice(-3),
      theirs,
    );
    sameOrder(await client["fetchOrder"](id), await orderOf(id));
  });

  test("watchOrders: hears of what is placed, filled and cancelled by others", async () => {
    const watch = () => client["watchOrders"]();
    let next = watch();
    const isSubscribed = async () =>
      (await simulator.run("connections")).some((/** @type {Wire} */ each) =>
        each["channels"].includes("user.orders.any.any.raw"),
      );
    await until(isSubscribed, { what: "the subscription" });
    /** What is done to an order, and what ccxt calls its state after that. @type {[string, object, string][][]} */
    const lives = [
      [
        ["fill", { amount: 200 }, "open"],
        ["amend", { amount: 600 }, "open"],
        ["cancel", {}, "canceled"],
      ],
      [
        ["fill", { amount: 200 }, "open"],
        ["fill", {}, "closed"],
      ],
    ];
    for (const life of lives) {
      const { best_bid_price: price } = await ask("public/ticker", { instrument_name: "BTC-PERPETUAL" });
      const { order_id: id } = await simulator.run("place", {
        ...{ instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 500, price },
      });
      /** @param {string} status */
      const hear = async (status) => {
        /** @type {Wire[]} */
        const heard = await next;
        const found = heard.map((each) => [each["id"], each["status"]]);
        assert.deepEqual(found, [[id, status]]);
        sameOrder(heard[0] ?? {}, await orderOf(id));
        next = watch();
      };
      await hear("open");
      for (const [name, body, status] of life) {
        await simulator.run(name, { id, ...body });
        await hear(status);
      }
    }
    next.catch(() => "The connection is closed in the end.");
  });

  test("a wrong secret is refused, over HTTP and WebSocket", async () => {
    const stranger = connect({ secret: "wrong" });
    const before = await openOrders();
    await assert.rejects(stranger.cancelOrder(before[0]?.["order_id"]), ccxt["AuthenticationError"]);
    assert.deepEqual(await openOrders(), before);
    await stranger.loadHttpProxyAgent();
    await assert.rejects(stranger.watchOrders(), /13004/);
    await stranger.close();
  });

  test("nothing that it asked is missing", async () => {
    const missing = (await asked()).filter(({ errorCode }) => errorCode === -32601 || errorCode === -32602);
    const found = missing.map(({ method, text }) => [method, text]);
    assert.deepEqual(found, []);
  });
});
