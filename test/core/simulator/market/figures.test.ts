import assert from "node:assert/strict";
import { afterAll, describe, test } from "vitest";
import { isRecordLike, shapeNames, typeMisfits } from "./shapeNames.ts";
import { createFakeClock } from "../../../fakeClock.ts";
import { createSituation, type Conversation } from "../conversation.ts";
import { createMarketLab, instrumentNamed, type MarketLab } from "./marketLab.ts";
import type { HandlerPorts } from "../../../../src/simulator/methods/handlers.ts";
import { settlementMethods } from "../../../../src/simulator/methods/settlementMethods.ts";
import { bookSummary, orderBook, ticker } from "../../../../src/simulator/market/figures.ts";

/* The figures of one instrument agree with each other, whoever tells them. */

const NAMES = ["BTC-PERPETUAL", "ETH-26MAR27", "BTC-26MAR27-96000-C", "SOL_USDC-PERPETUAL", "BTC_USDC"];
const COMBOS = ["BTC-FS-26MAR27_PERP", "ETH-PS-26MAR27-2000_1600"];

type Figures = Record<string, number> & {
  readonly stats: Record<string, number>;
  readonly greeks: Record<string, number>;
  readonly bids: [number, number][];
  readonly asks: [number, number][];
  readonly state: string;
};

async function figures(client: Conversation, instrument_name: string): Promise<readonly [Figures, Figures, Figures]> {
  const [summary] = await client.result<[Figures]>("public/get_book_summary_by_instrument", { instrument_name });
  return [
    await client.result<Figures>("public/ticker", { instrument_name }),
    await client.result<Figures>("public/get_order_book", { instrument_name, depth: 10_000 }),
    summary,
  ];
}

describe("at one moment", () => {
  const { connect, clock, exchange } = createSituation({ still: false, orders: 0 });
  const client = connect();

  for (const name of [...NAMES, ...COMBOS])
    test(`${name}: ticker, order book, summary, trades, candles, and index agree`, async () => {
      await clock.advance(1500);
      const [own, book, summary] = await figures(client, name);
      const { trades } = await client.result<{ trades: Figures[] }>("public/get_last_trades_by_instrument", {
        instrument_name: name,
        count: 1000,
      });
      const { bids, asks } = book;
      const without = (value: Figures, members: readonly string[]): unknown =>
        Object.fromEntries(Object.entries(value).filter(([member]) => !members.includes(member)));
      const ofTicker = ["estimated_delivery_price", "interest_value"];
      assert.deepEqual(without(own, ofTicker), without(book, ["bids", "asks", "change_id"]));
      assert.deepEqual([own["best_bid_price"], own["best_bid_amount"]], bids[0]);
      assert.deepEqual([own["best_ask_price"], own["best_ask_amount"]], asks[0]);
      assert.deepEqual(
        ["bid_price", "ask_price", "mark_price", "last", "open_interest", "high", "low", "volume", "volume_usd"].map(
          (member) => summary[member],
        ),
        [
          ...["best_bid_price", "best_ask_price", "mark_price", "last_price", "open_interest"].map((each) => own[each]),
          ...["high", "low", "volume", "volume_usd"].map((each) => own.stats[each]),
        ],
      );
      assert.deepEqual(
        [summary["funding_8h"], summary["current_funding"], summary["underlying_price"], summary["mark_iv"]],
        [own["funding_8h"], own["current_funding"], own["underlying_price"], own["mark_iv"]],
      );
      assert.equal(own["last_price"], trades[0]?.["price"]);
      const atOnce = trades.filter((trade) => trade["timestamp"] === own["timestamp"]);
      for (const trade of atOnce) assert.equal(trade["mark_price"], own["mark_price"]);
      assert.ok(own["best_bid_price"]! < own["mark_price"]! && own["mark_price"]! < own["best_ask_price"]!);
      assert.ok(own["min_price"]! <= own["best_bid_price"]! && own["best_ask_price"]! <= own["max_price"]!);
      const { price_index } = await client.result<{ price_index: string }>("public/get_instrument", {
        instrument_name: name,
      });
      const index = await client.result<Figures>("public/get_index_price", { index_name: price_index });
      assert.equal(own["index_price"], index["index_price"]);
    });

  test("funding: the ticker, the chart, and the value of eight hours", async () => {
    const instrument_name = "BTC-PERPETUAL";
    const [own] = await figures(client, instrument_name);
    const chart = await client.result<Figures>("public/get_funding_chart_data", { instrument_name, length: "8h" });
    const range = { start_timestamp: own["timestamp"]! - 8 * 3_600_000, end_timestamp: own["timestamp"] };
    assert.deepEqual([chart["current_interest"], chart["interest_8h"]], [own["current_funding"], own["funding_8h"]]);
    assert.equal(
      await client.result("public/get_funding_rate_value", { instrument_name, ...range }),
      own["funding_8h"],
    );
    const hours = await client.result<Figures[]>("public/get_funding_rate_history", { instrument_name, ...range });
    assert.equal(hours.length, 8);
    const sum = hours.reduce((all, hour) => all + hour["interest_1h"]!, 0);
    assert.ok(Math.abs(sum - hours.at(-1)!["interest_8h"]!) < 1e-15);
  });

  test("an option's mark is what its implied volatility is worth, and its bid and ask lie on both sides of that", async () => {
    const [own] = await figures(client, "BTC-26MAR27-96000-C");
    assert.ok(own["bid_iv"]! < own["mark_iv"]! && own["mark_iv"]! < own["ask_iv"]!);
    const [put] = await figures(client, "BTC-26MAR27-96000-P");
    assert.ok(Math.abs(own.greeks["delta"]! - put.greeks["delta"]! - 1) < 1e-4);
    const [future] = await figures(client, "BTC-26MAR27");
    assert.equal(own["underlying_price"], future["mark_price"]);
  });

  test("candles are the trades, and those of a day are its statistics", async () => {
    const instrument_name = "BTC-26MAR27";
    const end = clock.now();
    const start = Math.floor(end / 3_600_000) * 3_600_000 - 3_600_000;
    const candles = await client.result<Record<string, number[]>>("public/get_tradingview_chart_data", {
      ...{ instrument_name, resolution: "60", start_timestamp: start, end_timestamp: start },
    });
    const { trades, has_more } = await client.result<{ trades: Figures[]; has_more: boolean }>(
      "public/get_last_trades_by_instrument_and_time",
      { instrument_name, start_timestamp: start, end_timestamp: start + 3_599_999, count: 1000, sorting: "asc" },
    );
    const prices = trades.map((trade) => trade["price"]!);
    const sum = (of: (trade: Figures) => number): number => trades.reduce((all, trade) => all + of(trade), 0);
    assert.equal(has_more, false);
    assert.ok(trades.length > 100);
    assert.deepEqual(
      ["ticks", "open", "high", "low", "close", "cost"].map((member) => candles[member]),
      [
        [start],
        [prices[0]],
        [Math.max(...prices)],
        [Math.min(...prices)],
        [prices.at(-1)],
        [sum((each) => each["amount"]!)],
      ],
    );
    assert.ok(Math.abs(candles["volume"]![0]! - sum((each) => each["amount"]! / each["price"]!)) < 1e-7);
  });
  afterAll(() => {
    exchange.dispose();
  });
});

describe("a trade of an account", () => {
  test("changes the book, the last price, the statistics, the candles, and the open interest; the mark stays", async () => {
    const name = "BTC-PERPETUAL";
    const lab = createMarketLab({ isStill: true });
    const instrument = instrumentNamed(name);
    const read = (): Figures => orderBook(lab.market, instrument, 1000) as unknown as Figures;
    const before = read();
    const [ask, amount] = before.asks[0]!;
    lab.take(name, "buy", amount);
    await lab.flush();
    const after = read();
    assert.equal(after["last_price"], ask);
    assert.deepEqual(after.asks, before.asks.slice(1));
    assert.deepEqual(after.bids, before.bids);
    assert.equal(after["best_ask_price"], before.asks[1]?.[0]);
    assert.equal(after.stats["volume_usd"], before.stats["volume_usd"]! + amount);
    assert.equal(after["open_interest"], before["open_interest"]! + amount);
    assert.equal(after["mark_price"], before["mark_price"]);
    assert.notEqual(after["change_id"], before["change_id"]);
    const { found } = lab.market.trades(instrument, { order: "newest", count: 2 });
    assert.deepEqual(
      [found[1]?.price, found[1]?.amount, found[1]?.direction, found[1]!.trade_seq - found[0]!.trade_seq],
      [ask, amount, "buy", 1],
    );
    assert.equal(lab.market.lastSeq(instrument), found[1]?.trade_seq);
    lab.take(name, "sell", amount);
    assert.equal(read()["open_interest"], before["open_interest"]);
  });
});

describe("while the market stands still", () => {
  test("nothing changes but by what is done; then it goes on, and others traded nothing meanwhile", async () => {
    const lab = createMarketLab({ isStill: true });
    const { market, clock } = lab;
    const own = ["BTC-PERPETUAL", "BTC-26MAR27-96000-C", "ETH_BTC", "BTC-FS-26MAR27_PERP"].map(instrumentNamed);
    const read = (): string =>
      JSON.stringify(
        own.map((each) => [
          { ...ticker(market, each), timestamp: 0 },
          { ...orderBook(market, each, 50), timestamp: 0, change_id: 0 },
          { ...bookSummary(market, each), creation_timestamp: 0 },
          market.lastSeq(each),
        ]),
      );
    const before = read();
    await clock.advance(3 * 3_600_000);
    assert.equal(read(), before);
    const perpetual = own[0]!;
    const seq = market.lastSeq(perpetual);
    market.trade(perpetual);
    const [made] = market.trades(perpetual, { order: "newest", count: 1 }).found;
    assert.deepEqual([made?.trade_seq, made?.timestamp], [seq + 1, clock.now()]);
    await clock.advance(60_001);
    market.venue.setStill(false);
    assert.equal(market.lastSeq(perpetual), seq + 1);
    await clock.advance(60_000);
    assert.equal(market.lastSeq(perpetual), seq + 13);
    const { found } = market.trades(perpetual, { order: "newest", count: 20 });
    assert.deepEqual(
      found.map(({ trade_seq }) => trade_seq),
      Array.from({ length: 20 }, (_, index) => seq + 13 - 19 + index),
    );
    assert.deepEqual(market.trades(perpetual, { fromSeq: seq + 1, order: "oldest", count: 1 }).found, [made]);
    assert.notEqual(read(), before);
  });
});

describe("of every public method of the market", () => {
  const now = createSituation().clock.now();
  const range = { start_timestamp: now - 7_200_000, end_timestamp: now };
  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ...[...NAMES, ...COMBOS].flatMap(
      (instrument_name) =>
        [
          ["public/ticker", { instrument_name }],
          ["public/get_order_book", { instrument_name, depth: 3 }],
          ["public/get_book_summary_by_instrument", { instrument_name }],
          ["public/get_instrument", { instrument_name }],
          ["public/get_contract_size", { instrument_name }],
          ["public/get_mark_price_history", { instrument_name, ...range }],
          ["public/get_tradingview_chart_data", { instrument_name, ...range, resolution: "60" }],
          ["public/get_last_settlements_by_instrument", { instrument_name }],
        ] as const,
    ),
    ["public/get_order_book_by_instrument_id", { instrument_id: 210_001 }],
    ["public/get_book_summary_by_currency", { currency: "USDC" }],
    ["public/get_index_price", { index_name: "eth_usd" }],
    ["public/get_supported_index_names", {}],
    ["public/get_index_chart_data", { index_name: "btc_usd", range: "1d" }],
    ["public/get_funding_chart_data", { instrument_name: "ETH-PERPETUAL", length: "24h" }],
    ["public/get_funding_rate_history", { instrument_name: "ETH-PERPETUAL", ...range }],
    ["public/get_funding_rate_value", { instrument_name: "ETH-PERPETUAL", ...range }],
    ["public/get_historical_volatility", { currency: "ETH" }],
    ["public/get_volatility_index_data", { currency: "ETH", ...range, resolution: "60" }],
    ["public/get_delivery_prices", { index_name: "btc_usd", count: 2 }],
    ["public/get_expirations", { currency: "BTC", kind: "option" }],
    ["public/get_last_settlements_by_currency", { currency: "BTC" }],
    ["public/get_last_trades_by_currency", { currency: "ETH", count: 20 }],
    ["public/get_last_trades_by_currency_and_time", { currency: "USDC", ...range, count: 20 }],
    ["public/get_combos", { currency: "any" }],
    ["public/get_combo_ids", { currency: "BTC" }],
    ["public/get_combo_details", { combo_id: "BTC-FS-26MAR27_PERP" }],
    ["public/get_trade_volumes", {}],
    ["public/get_block_rfq_trades", { currency: "any" }],
    ["public/status", {}],
    ["public/get_announcements", {}],
  ];
  /** The members that the exchange has sent and does not document, a book's place in its changes, and keys of maps. */
  const UNDOCUMENTED = new Map([
    ["public/get_block_rfq_trades", ["btc_usd", "eth_usd"]],
    ["public/get_order_book", ["change_id"]],
    ["public/get_order_book_by_instrument_id", ["change_id"]],
  ]);

  test("the result has the documented members, and is the same for a seed", async () => {
    const [client, same] = [createSituation().connect(), createSituation().connect()];
    for (const [method, params] of calls) {
      const result = await client.result(method, params);
      assert.deepEqual(await same.result(method, params), result, method);
      const documented = [...shapeNames(method), ...(UNDOCUMENTED.get(method) ?? [])];
      const unknown = membersOf(result).filter((name) => !documented.includes(name));
      assert.deepEqual(unknown, [], `${method} ${JSON.stringify(params)}`);
      assert.doesNotMatch(JSON.stringify(result), /null,null|NaN/);
      assert.deepEqual(typeMisfits(method, result), []);
    }
  });

  test("what no parameter may be is refused, with its name", async () => {
    const client = createSituation().connect();
    const refused: readonly (readonly [string, Record<string, unknown>, unknown])[] = [
      ["public/ticker", { instrument_name: "DOGE-PERPETUAL" }, 13020],
      ["public/get_order_book_by_instrument_id", { instrument_id: 1 }, 13020],
      ["public/get_index_price", { index_name: "doge_usd" }, "index_name"],
      ["public/get_index_chart_data", { index_name: "btc_usd", range: "1w" }, "range"],
      ["public/get_supported_index_names", { type: "none" }, "type"],
      ["public/get_funding_rate_value", { instrument_name: "BTC_USDC", ...range }, "instrument_name"],
      ["public/get_funding_chart_data", { instrument_name: "BTC-PERPETUAL", length: "1y" }, "length"],
      ["public/get_tradingview_chart_data", { instrument_name: "BTC_USDC", ...range, resolution: "7" }, "resolution"],
      ["public/get_book_summary_by_currency", { currency: "DOGE" }, "currency"],
      ["public/get_last_trades_by_currency", { currency: "BTC", start_id: "1" }, "start_id"],
      ["public/get_expirations", { currency: "BTC", kind: "spot" }, "kind"],
      ["public/get_historical_volatility", { currency: "USDT" }, "currency"],
      ["public/get_volatility_index_data", { currency: "BTC", ...range, resolution: "5" }, "resolution"],
      ["public/get_combo_details", { combo_id: "BTC-PERPETUAL" }, 13020],
      [
        "public/get_mark_price_history",
        { instrument_name: "BTC_USDC", start_timestamp: now, end_timestamp: now - 1 },
        "start_timestamp",
      ],
    ];
    for (const [method, params, expected] of refused) {
      const [code, param] = await client.refusal(method, params);
      assert.equal(param ?? code, expected, method);
    }
  });
});

describe("an instrument", () => {
  const described = async (name: string, ...members: readonly string[]): Promise<unknown[]> => {
    const client = createSituation().connect();
    const all = await client.result<Record<string, unknown>>("public/get_instrument", { instrument_name: name });
    return members.map((member) => all[member]);
  };

  // The examples of https://docs.deribit.com/api-reference/market-data/public-get_instruments and of get_instrument.
  test("has the members of the documented examples", async () => {
    const future = ["max_leverage", "max_liquidation_commission", "maker_commission", "taker_commission"];
    assert.deepEqual(await described("BTC-PERPETUAL", ...future, "block_trade_commission", "instrument_type"), [
      ...[50, 0.0075, 0, 0.0005],
      ...[0.00025, "reversed"],
    ]);
    assert.deepEqual(
      await described("BTC-26MAR27-96000-C", "taker_commission", "maker_commission", "block_trade_commission"),
      [0.0003, 0.0003, 0.00015],
    );
    assert.deepEqual(await described("BTC-26MAR27-96000-C", "max_leverage", "future_type"), [undefined, undefined]);
  });

  // Half the leverage of BTC and ETH follows from twice their margin:
  // https://support.deribit.com/hc/en-us/articles/25944738177565-Linear-Perpetual
  test("has the leverage that its margin allows, and no fees where spot has none", async () => {
    assert.deepEqual(await described("SOL_USDC-PERPETUAL", "max_leverage", "future_type"), [25, "linear"]);
    assert.deepEqual(await described("ETH_USDC-PERPETUAL", "max_leverage", "product_group"), [50, "ETH"]);
    assert.deepEqual(await described("BTC_USDC", "maker_commission", "taker_commission"), [0, 0]);
  });
});

describe("trades of a currency", () => {
  test("come in the order of their time, page by id without a gap, and bounds are included", async () => {
    const client = createSituation().connect();
    const read = async (params: Record<string, unknown>): Promise<string[]> => {
      const { trades } = await client.result<{ trades: { trade_id: string }[] }>("public/get_last_trades_by_currency", {
        currency: "ETH",
        kind: "future",
        ...params,
      });
      return trades.map(({ trade_id }) => trade_id);
    };
    const newest = await read({ count: 30 });
    assert.equal(new Set(newest).size, 30);
    assert.deepEqual(await read({ end_id: newest[10], count: 20 }), newest.slice(10));
    assert.deepEqual(await read({ start_id: newest[29], end_id: newest[20], count: 50 }), newest.slice(20).reverse());
    assert.deepEqual(await read({ start_id: newest[29], count: 5 }), newest.slice(25).reverse());
  });
});

describe("an instrument that has ended", () => {
  test("is listed with those that expired, tells its delivery price, and leaves expirations and summaries", async () => {
    const { connect, clock, exchange } = createSituation({
      clock: createFakeClock(Date.UTC(2027, 2, 26, 7, 59, 59)),
      still: false,
      orders: 0,
    });
    const client = connect();
    const listed = async (expired: boolean): Promise<string[]> => {
      const found = await client.result<{ instrument_name: string }[]>("public/get_instruments", {
        currency: "BTC",
        kind: "future",
        expired,
      });
      return found.map(({ instrument_name }) => instrument_name);
    };
    const expirations = async (): Promise<string[]> =>
      await client.result<string[]>("public/get_expirations", { currency: "BTC", kind: "future" });
    assert.deepEqual(await listed(true), []);
    assert.equal((await expirations())[0], "26MAR27");
    await clock.advance(2000);
    assert.deepEqual(await listed(true), ["BTC-26MAR27"]);
    // Two weeks, three months, and four quarters, of which the first is the third month.
    const next = ["2APR27", "9APR27", "30APR27", "28MAY27", "25JUN27", "24SEP27", "31DEC27", "31MAR28"];
    assert.deepEqual((await listed(false)).sort(), ["BTC-PERPETUAL", ...next.map((name) => `BTC-${name}`)].sort());
    assert.deepEqual(await expirations(), [...next, "PERPETUAL"]);
    const summaries = await client.result<{ instrument_name: string }[]>("public/get_book_summary_by_currency", {
      currency: "BTC",
      kind: "future",
    });
    assert.equal(
      summaries.some(({ instrument_name }) => instrument_name === "BTC-26MAR27"),
      false,
    );
    const { delivery_price } = await client.result<{ delivery_price: number }>("public/ticker", {
      instrument_name: "BTC-26MAR27",
    });
    const { data } = await client.result<{ data: unknown[] }>("public/get_delivery_prices", { index_name: "btc_usd" });
    assert.deepEqual(data[0], { date: "2027-03-26", delivery_price });
    exchange.dispose();
  });
});

describe("settlements", () => {
  const startMs = Date.UTC(2026, 10, 20, 7, 58);
  const lab = (): { readonly lab: MarketLab; readonly read: (params?: Record<string, unknown>) => Told } => {
    const made = createMarketLab({ startMs });
    const world = { instruments: made.market.venue.listing.instruments, market: made.market };
    const handlers = settlementMethods({ world } as unknown as HandlerPorts);
    const read = (params: Record<string, unknown> = {}): Told =>
      JSON.parse(
        handlers["public/get_last_settlements_by_instrument"]({
          params: { instrument_name: "BTC-PERPETUAL", ...params },
        } as never),
      ) as Told;
    return { lab: made, read };
  };
  interface Told {
    readonly settlements: readonly Readonly<Record<string, number>>[];
    readonly continuation: string;
  }

  test("of the days before the beginning are told, each at the mark of 08:00 UTC", () => {
    const { lab: own, read } = lab();
    const { settlements, continuation } = read();
    const days = settlements.map(({ timestamp = 0 }) => (Date.UTC(2026, 10, 19, 8) - timestamp) / 86_400_000);
    assert.deepEqual(days, [0, 1, 2, 3, 4, 5, 6]);
    assert.equal(continuation, "none");
    const perpetual = instrumentNamed("BTC-PERPETUAL");
    const ofTicker = ticker(own.market, perpetual);
    assert.equal(settlements[0]?.["mark_price"], ofTicker["settlement_price"]);
    const [last, before] = settlements;
    const [mark = NaN, previous = NaN] = [last?.["mark_price"], before?.["mark_price"]];
    assert.equal(last?.["position"], ofTicker["open_interest"]);
    // Profit of an inverse future: amount × (1 / entry - 1 / exit), of those who gained.
    const gained = Math.abs((last?.["position"] ?? NaN) * (1 / previous - 1 / mark));
    assert.ok(Math.abs((last?.["session_profit_loss"] ?? NaN) - gained) < 1e-6);
    assert.deepEqual(read({ type: "delivery" }), { settlements: [], continuation: "none" });
    const { continuation: next } = read({ count: 3 });
    assert.deepEqual(read({ count: 3, continuation: next }).settlements, settlements.slice(3, 6));
    assert.deepEqual(
      read({ search_start_timestamp: Date.UTC(2026, 10, 17) }).settlements.map(({ timestamp }) => timestamp)[0],
      Date.UTC(2026, 10, 16, 8),
    );
  });

  test("are told of all accounts together", async () => {
    const { lab: own, read } = lab();
    const others = Number(ticker(own.market, instrumentNamed("BTC-PERPETUAL"))["open_interest"]);
    own.take("BTC-PERPETUAL", "buy", 1000);
    await own.clock.advance(180_000);
    const [told] = read().settlements;
    const settlements = own.market.venue.ledger
      .settlements()
      .filter(({ instrument }) => instrument === "BTC-PERPETUAL");
    assert.deepEqual(
      settlements.map(({ position }) => Number(position) / 1e8).sort((a, b) => a - b),
      [-1000, 1000],
    );
    assert.deepEqual([told?.["timestamp"], told?.["position"]], [Date.UTC(2026, 10, 20, 8), others + 1000]);
    assert.equal(told?.["mark_price"], Number(settlements[0]?.markPrice) / 1e8);
    assert.equal(told["mark_price"], ticker(own.market, instrumentNamed("BTC-PERPETUAL"))["settlement_price"]);
    const made = own.market.venue.ledger.trades(own.market.venue.ledger.settlements()[0]?.account ?? "")[0];
    assert.equal(made && own.market.publicTrade(made.trade)?.price, Number(made?.price) / 1e8);
  });
});

/** Returns the names of all members of a value, those of members' members too. */
function membersOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(membersOf);
  if (!isRecordLike(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...membersOf(member)]);
}
