import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createListing } from "../../../../src/simulator/market/listing.ts";
import { describeAccount } from "../../../../src/simulator/wire/accountFile.ts";
import { createFakeClock } from "../../../fakeClock.ts";
import { pluck } from "../../../pluck.ts";
import { PERPETUAL, startTrader, type Trader, type WireOrder, type WireTrade } from "../trader.ts";

/* The liquidation of an account over the wire, from its first round to its end. */

/** The position that the account begins with, in USD. */
const SIZE = 20_000;

/** Returns what has to be kept of a long position of some coins: 1 %, and 0.005 % more for each coin. */
const maintenanceOf = (coins: number): number => coins * (0.01 + 0.00005 * coins);

interface Beginning {
  readonly described: ReturnType<typeof describeAccount>;
  readonly balance: number;
  /** The price at which the position was bought: 4 % above the mark. */
  readonly average: number;
  readonly mark: number;
}

/** Describes an account whose margin balance is above its maintenance margin by a number of coins, or below it. */
async function beginWith(excess: number): Promise<Beginning> {
  const { client } = await startTrader();
  const { mark_price: mark } = await client.result<Position>("private/get_position", { instrument_name: PERPETUAL });
  const average = Math.round(mark * 1.04);
  const loss = SIZE / mark - SIZE / average;
  const balance = Number((loss + maintenanceOf(SIZE / mark) + excess).toFixed(8));
  const positions = [{ instrument_name: PERPETUAL, size: SIZE, average_price: average }];
  const described = describeAccount({ balances: { BTC: balance, USDC: 1000 }, positions }, INSTRUMENTS);
  return { described, balance, average, mark };
}

/** What is listed when the clock of the tests begins. */
const INSTRUMENTS = createListing(createFakeClock().now()).instruments;

const SHORT = -0.0002;
const BANKRUPT = -0.0095;
const HEALTHY = 0.003;

interface Summary {
  readonly margin_balance: number;
  readonly maintenance_margin: number;
  readonly estimated_liquidation_ratio: number;
  readonly estimated_liquidation_ratio_map: Readonly<Record<string, number>>;
}

interface Position {
  readonly size: number;
  readonly mark_price: number;
  readonly estimated_liquidation_price: number | null;
}

const CHANNELS = [
  "user.orders.any.any.raw",
  "user.trades.any.any.raw",
  `user.changes.${PERPETUAL}.raw`,
  "user.portfolio.btc",
  "user.liquidation",
  "user.lock",
] as const;

async function start(excess: number): Promise<Trader & Beginning> {
  const beginning = await beginWith(excess);
  const trader = await startTrader({ account: beginning.described });
  assert.deepEqual(await trader.client.result("private/subscribe", { channels: CHANNELS }), CHANNELS);
  return { ...trader, ...beginning };
}

const summaryOf = async ({ client }: Trader): Promise<Summary> =>
  await client.result<Summary>("private/get_account_summary", { currency: "BTC" });
const positionOf = async ({ client }: Trader): Promise<Position> =>
  await client.result<Position>("private/get_position", { instrument_name: PERPETUAL });
const isShort = ({ margin_balance: balance, maintenance_margin: margin }: Summary): boolean => margin >= balance;

/** Waits until the liquidation is over; returns the sizes of the position after each second. */
async function sizesUntilTheEnd(trader: Trader): Promise<number[]> {
  const sizes: number[] = [];
  while (isShort(await summaryOf(trader))) {
    await trader.situation.clock.advance(1000);
    sizes.push(trader.position());
    assert.ok(sizes.length < 20, sizes.join(" "));
  }
  return sizes;
}

describe("an account that begins under water", () => {
  test("is liquidated within seconds, by orders that it can't touch, until its margin is covered", async () => {
    const trader = await start(SHORT);
    const { client, situation } = trader;
    assert.ok(isShort(await summaryOf(trader)));
    const resting = await trader.place("sell", { amount: 10, price: Math.round(trader.mark * 1.01) });
    const stop = { type: "stop_market", trigger: "index_price", trigger_price: 80_000, reduce_only: true };
    const waiting = await trader.place("sell", { amount: 10, ...stop });
    const other = { instrument_name: "SOL_USDC-PERPETUAL", amount: 1, price: 130 };
    const kept = await trader.place("buy", other);

    await situation.clock.advance(1000);
    // Its events have left by themselves, before any other call.
    assert.equal(client.events("user.liquidation").length, 1);
    assert.equal(trader.position(), 17_500);
    const { order_id: id } = waiting.order;
    assert.deepEqual(
      [
        await trader.refused("private/buy", { instrument_name: PERPETUAL, amount: 10, price: 90_000 }),
        await trader.refused("private/sell", { instrument_name: PERPETUAL, amount: 10, type: "market" }),
        await trader.refused("private/close_position", { instrument_name: PERPETUAL, type: "market" }),
        await trader.refused("private/edit", { order_id: id, amount: 20, trigger_price: 81_000 }),
        await trader.refused("private/cancel", { order_id: id }),
        await trader.refused("private/cancel_all_by_instrument", { instrument_name: PERPETUAL }),
      ],
      Array.from({ length: 6 }, () => "11098 account_locked"),
    );
    // Another currency is not concerned: a call for all orders cancels what it can.
    assert.equal(await client.result("private/cancel_all"), 1);
    const states = ["order_state", "cancel_reason"] as const;
    const state = async (placed: { readonly order: WireOrder }): Promise<unknown[]> =>
      pluck(
        [await client.result<WireOrder>("private/get_order_state", { order_id: placed.order.order_id })],
        ...states,
      );
    assert.deepEqual(await state(resting), [["cancelled", "autoliquidation"]]);
    assert.deepEqual(await state(kept), [["cancelled", "user_request"]]);
    assert.deepEqual(await state(waiting), [["untriggered", undefined]]);

    const sizes = await sizesUntilTheEnd(trader);
    assert.ok(sizes.length > 1 && sizes.at(-1) !== 0);
    assert.deepEqual(
      sizes,
      sizes.map((_, round) => 15_000 - round * 2500),
    );
    await situation.clock.advance(60_000);
    assert.equal(trader.position(), sizes.at(-1));
    assert.equal((await client.result<WireOrder>("private/cancel", { order_id: id })).order_state, "cancelled");
  });

  test("is told by every channel that shows it", async () => {
    const trader = await start(SHORT);
    const { client } = trader;
    const rounds = (await sizesUntilTheEnd(trader)).length;
    const orders = client.events("user.orders.any.any.raw") as WireOrder[];
    assert.deepEqual(
      pluck(orders, "order_type", "order_state", "is_liquidation", "amount", "direction", "api"),
      Array.from({ length: rounds }, () => [
        ["market", "open", true, 2500, "sell", false],
        ["market", "filled", true, 2500, "sell", false],
      ]).flat(),
    );
    const trades = (client.events("user.trades.any.any.raw") as WireTrade[][]).flat();
    for (const trade of trades) {
      const { order_type, liquidation, liquidity, instrument_name, amount, price, fee } = trade;
      assert.deepEqual([order_type, liquidation, liquidity, instrument_name], ["liquidation", "T", "T", PERPETUAL]);
      assert.ok(Math.abs(Number(fee) - (0.0075 * amount) / price) <= 1e-8);
    }
    assert.equal(
      trades.reduce((sum, { amount }) => sum + amount, 0),
      rounds * 2500,
    );
    const changes = client.events(`user.changes.${PERPETUAL}.raw`) as { trades: unknown[]; positions: Position[] }[];
    assert.deepEqual(
      changes.flatMap((each) => each.trades),
      trades,
    );
    assert.equal(changes.at(-1)?.positions[0]?.size, SIZE - rounds * 2500);
    const { margin_balance, maintenance_margin } = await summaryOf(trader);
    assert.equal((client.events("user.portfolio.btc") as Summary[]).at(-1)?.margin_balance, margin_balance);
    const news = client.events("user.liquidation") as (Summary & Readonly<Record<string, unknown>>)[];
    assert.deepEqual(pluck(news, "state", "currency", "user_id"), [
      ["liquidation_started", "BTC", 48_595],
      ["liquidation_completed", "BTC", 48_595],
    ]);
    assert.deepEqual(news.map(isShort), [true, false]);
    assert.deepEqual(pluck(news.slice(-1), "margin_balance", "maintenance_margin"), [
      [margin_balance, maintenance_margin],
    ]);
    assert.deepEqual(client.events("user.lock"), []);
  });

  test("has its trades in its log, and the public learns an hour later that they were liquidations", async () => {
    const trader = await start(SHORT);
    const { client, situation } = trader;
    const startMs = situation.clock.now();
    await sizesUntilTheEnd(trader);
    const own = await client.result<{ trades: WireTrade[] }>("private/get_user_trades_by_instrument", {
      ...{ instrument_name: PERPETUAL, count: 100, start_timestamp: startMs },
    });
    const range = { currency: "BTC", start_timestamp: startMs - 1000, end_timestamp: startMs + 100_000 };
    const { logs } = await client.result<{ logs: Record<string, unknown>[] }>("private/get_transaction_log", {
      ...range,
      query: "liquidation",
    });
    assert.deepEqual(
      pluck(logs, "type", "side"),
      own.trades.map(() => ["trade", "close sell"]),
    );
    assert.deepEqual(
      logs.map((entry) => String(entry["order_id"])),
      pluck(own.trades, "order_id").toReversed(),
    );
    const publicly = async (): Promise<unknown[]> => {
      const anyone = situation.connect();
      const { trades } = await anyone.result<{ trades: WireTrade[] }>("public/get_last_trades_by_instrument", {
        ...{ instrument_name: PERPETUAL, count: 1000, start_timestamp: startMs, end_timestamp: startMs + 100_000 },
      });
      const ids = new Set(own.trades.map(({ trade_id: id }) => id));
      return trades.filter(({ trade_id: id }) => ids.has(id)).map((trade) => trade["liquidation"] ?? "not told");
    };
    assert.deepEqual(
      await publicly(),
      own.trades.map(() => "not told"),
    );
    await situation.clock.advance(3_600_000);
    assert.deepEqual(
      await publicly(),
      own.trades.map(() => "T"),
    );
  });

  test("keeps its positions and its money: no block trade, no transfer, and no other account takes them", async () => {
    const trader = await start(SHORT);
    const { situation } = trader;
    await situation.clock.advance(1000);
    const { control } = situation.exchange;
    const leg = { instrument_name: PERPETUAL, direction: "sell", amount: 17_500 } as const;
    assert.throws(() => control.addBlockTrade({ legs: [leg] }), {
      failure: { kind: "exchange", code: 10_009, message: "not_enough_funds" },
    });
    const [main, sub] = [48_595, 48_604];
    const move = { source_uid: main, target_uid: sub, trades: [{ instrument_name: PERPETUAL, amount: 10 }] };
    const money = { currency: "BTC", amount: 0.0001, destination: sub };
    assert.deepEqual(
      [
        await trader.refused("private/move_positions", move),
        await trader.refused("private/submit_transfer_to_subaccount", money),
        trader.position(),
      ],
      ["11098 account_locked", "10009 not_enough_funds", 17_500],
    );
    // The same is possible once the liquidation is over.
    await sizesUntilTheEnd(trader);
    control.addBlockTrade({ legs: [{ ...leg, amount: trader.position() }] });
    assert.equal(trader.position(), 0);
  });

  test("is caught up with after the computer slept, with the first call", async () => {
    const trader = await startTrader({ account: (await beginWith(SHORT)).described });
    const { situation, client } = trader;
    situation.clock.sleep(3_600_000, "stops");
    const summary = await client.result<Summary>("private/get_account_summary", { currency: "BTC" });
    assert.equal(isShort(summary), false);
    assert.ok(trader.position() > 0 && trader.position() < 17_500);
  });

  test("is bankrupt when all is closed: it is paid up to nothing", async () => {
    const trader = await start(BANKRUPT);
    const { client, situation } = trader;
    await situation.clock.advance(20_000);
    assert.equal(trader.position(), 0);
    const { margin_balance: balance, maintenance_margin: margin } = await summaryOf(trader);
    assert.deepEqual([balance, margin], [0, 0]);
    const range = { currency: "BTC", start_timestamp: 0, end_timestamp: situation.clock.now() };
    const { logs } = await client.result<{ logs: { change: number }[] }>("private/get_transaction_log", {
      ...range,
      query: "correction",
    });
    assert.ok(logs.length === 1 && Number(logs[0]?.change) > 0);
    assert.deepEqual(pluck(client.events("user.liquidation") as { state: string }[], "state"), [
      "liquidation_started",
      "liquidation_completed",
    ]);
  });
});

describe("an account that covers its margin", () => {
  test("knows at which price it will not", async () => {
    const trader = await start(HEALTHY);
    const { estimated_liquidation_ratio: ratio, estimated_liquidation_ratio_map: map } = await summaryOf(trader);
    const { estimated_liquidation_price: price } = await positionOf(trader);
    const { mark, average, balance } = trader;
    assert.ok(ratio > 0.9 && ratio < 1 && Math.abs((map["btc_usd"] ?? 0) - ratio) <= 1e-8);
    assert.ok(Math.abs((price ?? 0) - ratio * mark) <= 0.5, `${price} of ${mark}`);
    // At that price, what is left of the balance has to be kept. A tick changes it by less than this.
    const coins = SIZE / (price ?? 0);
    const left = balance + SIZE / average - coins;
    assert.ok(Math.abs(left - maintenanceOf(coins)) < (SIZE * 0.5) / mark ** 2);
    const [listed] = await trader.client.result<Position[]>("private/get_positions", { currency: "BTC" });
    assert.equal(listed?.estimated_liquidation_price, price);
    const [event] = trader.client.events("user.portfolio.btc") as Summary[];
    assert.deepEqual(event?.estimated_liquidation_ratio_map, map);
    // A position that was closed has none, though the one beside it has.
    const future = { instrument_name: "BTC-25JUN27", amount: 10, type: "market" };
    for (const side of ["buy", "sell"] as const) await trader.place(side, future);
    const closed = await trader.client.result<Position>("private/get_position", { instrument_name: "BTC-25JUN27" });
    assert.deepEqual([closed.size, closed.estimated_liquidation_price], [0, null]);
    await trader.place("buy", { amount: 10, price: 90_000 });
    await trader.situation.clock.advance(60_000);
    assert.deepEqual([trader.position(), await trader.open()], [SIZE, ["buy 10 @ 90000 limit open"]]);
    assert.deepEqual(trader.client.events("user.liquidation"), []);
  });

  test("has one ratio for all futures on an index: a short one that longs outweigh has its price below its mark", async () => {
    const trader = await start(HEALTHY);
    await trader.place("sell", { instrument_name: "BTC-25JUN27", amount: 1000, type: "market" });
    const { estimated_liquidation_ratio_map: map } = await summaryOf(trader);
    const listed = await trader.client.result<(Position & { direction: string })[]>("private/get_positions", {
      currency: "BTC",
    });
    assert.deepEqual(listed.map(({ direction }) => direction).sort(), ["buy", "sell"]);
    const ratio = map["btc_usd"] ?? 0;
    assert.ok(ratio > 0 && ratio < 1);
    for (const { estimated_liquidation_price: price, mark_price: mark } of listed)
      assert.ok(Math.abs((price ?? 0) - ratio * mark) <= 2.5, `${price} of ${mark}`);
  });

  test("has no such price without a position that could lose it", async () => {
    const trader = await startTrader();
    const { estimated_liquidation_ratio: ratio, estimated_liquidation_ratio_map: map } = await summaryOf(trader);
    assert.deepEqual([ratio, map], [0, {}]);
    await trader.place("sell", { amount: 10, type: "market" });
    // A short position that is covered by coins loses nothing more than it has.
    assert.equal((await positionOf(trader)).estimated_liquidation_price, null);
    assert.deepEqual((await summaryOf(trader)).estimated_liquidation_ratio_map, { btc_usd: 0 });
  });
});
