import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { payoutOf } from "../../../src/exchange/ledger/valuation.ts";
import { fixedOf, numberOf } from "../../../src/exchange/ledger/money.ts";
import { impliedVolatility, optionGreeks, optionValue } from "../../../src/exchange/market/marks.ts";
import {
  DAY_MS,
  dayName,
  cycleOf,
  expirationName,
  expirationsIn,
  expirations,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
  settlementsBetween,
} from "../../../src/exchange/market/calendar.ts";
import {
  fundingRate,
  createExchangeMarket,
  marketPrices,
  type ExchangeMarket,
} from "../../../src/exchange/market/market.ts";
import { deliveryPrices, historicalVolatility, type Coin } from "../../../src/exchange/market/indexPath.ts";
import type { Candle } from "../../../src/exchange/market/candles.ts";
import { fromSteps } from "../../../src/exchange/units.ts";
import { createSeededRandom, randomInteger } from "../../../src/simulator/text/seededRandom.ts";
import { rounds } from "../../rounds.mjs";
import { EXPIRY_MS, inverseFuture, linearFuture, option, spot } from "./contracts.ts";

/** 2027-01-15 08:00 UTC. */
const START_MS = 1_800_000_000_000;
const COINS = new Map<string, Coin>([
  ["BTC", { usdPrice: 92_418.5, volatility: 0.46 }],
  ["ETH", { usdPrice: 2104.15, volatility: 0.6 }],
  ["SOL", { usdPrice: 141.22, volatility: 0.8 }],
  ["XRP", { usdPrice: 2.1134, volatility: 0.8 }],
]);
const PERPETUAL = inverseFuture("BTC-PERPETUAL");
const DATED = inverseFuture("BTC-26MAR27");
const CALL = option("BTC-26MAR27-90000-C");
const PUT = option("BTC-26MAR27-90000-P");
const INSTRUMENTS = [
  PERPETUAL,
  DATED,
  linearFuture("SOL_USDC", 0.01, 0.1),
  CALL,
  PUT,
  option("BTC-26MAR27-150000-C"),
  option("XRP_USDC-26MAR27-2d25-C"),
  spot("BTC_USDC", 1, 0.0001),
  spot("ETH_BTC", 0.0001, 0.0001),
];
const MOMENTS = rounds({ short: 200, full: 1000, long: 10_000 });

function market(seed = 1): ExchangeMarket {
  return createExchangeMarket({ seed, startMs: START_MS, coins: COINS });
}

/** Calls a function with moments of the time until the options expire. */
function atMoments(run: (atMs: number, market: ExchangeMarket) => void): void {
  const random = createSeededRandom(7);
  const made = market(7);
  for (let count = 0; count < MOMENTS; count++)
    run(START_MS + randomInteger(random, 0, EXPIRY_MS - START_MS - 1), made);
}

describe("index prices", () => {
  test("begin where they are told, and indexes of the same coins agree", () => {
    const { indexes } = market();
    assert.deepEqual(
      ["btc_usd", "btc_usdc", "eth_usd", "xrp_usdc", "eth_btc"].map((name) => indexes.price(name, START_MS)),
      [92_418.5, 92_418.5, 2104.15, 2.1134, 0.022768],
    );
    const later = START_MS + 12_345_678;
    const [btc, eth, pair] = ["btc_usd", "eth_usd", "eth_btc"].map((name) => indexes.price(name, later));
    assert.ok(Math.abs((eth ?? 0) / (btc ?? 1) - (pair ?? 0)) < 1e-6);
  });

  test("are the same for a seed, whatever was asked before, and others for another seed", () => {
    const asked = market();
    for (let at = START_MS; at < START_MS + HOUR_MS; at += MINUTE_MS) asked.indexes.price("btc_usd", at);
    const moments = [START_MS - DAY_MS, START_MS + 1000, START_MS + 400 * DAY_MS];
    const prices = (of: ExchangeMarket): number[] => moments.map((at) => of.indexes.price("btc_usd", at));
    assert.deepEqual(prices(asked), prices(market()));
    assert.notDeepEqual(prices(asked), prices(market(2)));
  });

  test("stay for a second and are as volatile as their coin", () => {
    const { indexes } = market();
    assert.equal(indexes.price("btc_usd", START_MS + 999), indexes.price("btc_usd", START_MS));
    for (const stepMs of [MINUTE_MS, HOUR_MS, DAY_MS]) {
      let sum = 0;
      for (let count = 0; count < 1000; count++) {
        const at = START_MS + count * stepMs;
        sum += Math.log(indexes.price("btc_usd", at + stepMs) / indexes.price("btc_usd", at)) ** 2;
      }
      const volatility = Math.sqrt(((sum / 1000) * 365 * DAY_MS) / stepMs);
      assert.ok(Math.abs(volatility - 0.46) < 0.07, `${volatility} over ${stepMs} ms`);
    }
  });

  test("historical volatility has a figure for each hour of sixteen days", () => {
    const figures = historicalVolatility(market().indexes, "btc_usd", START_MS + 5 * MINUTE_MS);
    assert.equal(figures.length, 384);
    assert.deepEqual([figures[0]?.[0], figures.at(-1)?.[0]], [START_MS - 383 * HOUR_MS, START_MS]);
    const mean = figures.reduce((sum, [, percent]) => sum + percent, 0) / figures.length;
    assert.ok(mean > 30 && mean < 60, String(mean));
  });
});

describe("marks", () => {
  test("lie between the best prices, which lie within the band", () => {
    atMoments((atMs, made) => {
      for (const instrument of INSTRUMENTS) {
        const { bids, asks } = made.ladder(instrument, atMs);
        const limits = made.band(instrument, atMs);
        const mark = made.marks.mark(instrument, atMs);
        const what = `${instrument.name} at ${atMs}: ${mark}`;
        const [bid, ask] = [bids[0]?.price, asks[0]?.price ?? 0];
        assert.ok(bid === undefined || fromSteps(bid, instrument.tick) < mark, what);
        assert.ok(fromSteps(ask, instrument.tick) > mark, what);
        assert.ok((bid ?? limits.min) >= limits.min && ask <= limits.max, what);
        assert.ok(
          bids.every(({ price }, index) => index === 0 || price < (bids[index - 1]?.price ?? 0)),
          what,
        );
        assert.ok(
          asks.every(({ price }, index) => index === 0 || price > (asks[index - 1]?.price ?? 0)),
          what,
        );
        assert.ok(
          [...bids, ...asks].every(({ amount }) => amount >= instrument.minAmount),
          what,
        );
        if (instrument.kind !== "option") assert.ok(ask - (bid ?? 0) <= Math.max(2, 0.000_5 * ask), what);
      }
    });
  });

  test("of calls and puts differ by what the future is from the strike", () => {
    atMoments((atMs, { marks }) => {
      const [call, put] = [marks.option(CALL, atMs)!, marks.option(PUT, atMs)!];
      const parity = (call.underlying - 90_000) / call.underlying;
      assert.ok(Math.abs(call.mark - put.mark - parity) < 0.000_11, `${call.mark} ${put.mark} ${parity}`);
      const left = Math.min(1, (EXPIRY_MS - atMs) / (30 * MINUTE_MS));
      assert.ok(Math.abs(call.greeks.delta - put.greeks.delta - left) < 1e-9);
      assert.equal(call.underlying, marks.mark(DATED, atMs));
      assert.equal(call.markIv, put.markIv);
    });
  });

  // "A call with Delta 0.5 will be Delta 0.25 after 15mins into the settlement period":
  // https://support.deribit.com/hc/en-us/articles/25944751433757-Delta-decay-during-settlement
  test("lose their delta evenly in the last 30 minutes, those of perpetuals never", () => {
    const made = market();
    const deep = option("BTC-26MAR27-9000-C");
    for (const [minutes, left] of [
      [60, 1],
      [30, 1],
      [15, 0.5],
      [3, 0.1],
      [0, 0],
    ] as const) {
      const prices = marketPrices(made, () => EXPIRY_MS - minutes * MINUTE_MS);
      assert.ok(Math.abs((prices.greeks(deep)?.delta ?? NaN) - left) < 1e-9, `${minutes} minutes`);
      assert.deepEqual(
        [DATED, deep, PERPETUAL].map((each) => prices.deltaLeft(each)),
        [left, left, 1],
      );
    }
  });

  test("of options follow from the volatility beside them", () => {
    const { marks } = market();
    for (const instrument of [CALL, PUT, option("XRP_USDC-26MAR27-2d25-C")]) {
      const { mark, markIv } = marks.option(instrument, START_MS)!;
      const volatility = marks.volatilityAt(instrument, mark, START_MS) ?? 0;
      assert.ok(Math.abs(volatility - markIv) < 0.1, `${instrument.name} ${volatility} ${markIv}`);
    }
    assert.equal(marks.volatilityAt(PERPETUAL, 1, START_MS), undefined);
    assert.equal(marks.option(PERPETUAL, START_MS), undefined);
  });

  test("are handed to the ledger in its numbers", () => {
    const made = market();
    const prices = marketPrices(made, () => START_MS);
    assert.equal(numberOf(prices.mark(CALL)), made.marks.mark(CALL, START_MS));
    assert.equal(numberOf(prices.index(CALL)), 92_418.5);
    assert.equal(numberOf(prices.underlying(CALL)), made.marks.mark(DATED, START_MS));
    assert.deepEqual(prices.greeks(CALL), made.marks.option(CALL, START_MS)?.greeks);
  });
});

describe("delivery", () => {
  test("a future and an option end at the delivery price", () => {
    const { indexes, marks } = market();
    const delivery = indexes.deliveryPrice("btc_usd", EXPIRY_MS);
    assert.equal(marks.mark(DATED, EXPIRY_MS), delivery);
    for (const each of [CALL, PUT]) {
      const payout = numberOf(payoutOf(each, fixedOf(90_000), fixedOf(delivery)));
      assert.ok(Math.abs(marks.mark(each, EXPIRY_MS) - payout) <= 0.000_05, `${each.name} ${payout}`);
    }
  });

  test("its price is the mean of the last half hour", () => {
    const { indexes } = market();
    let sum = 0;
    for (let at = EXPIRY_MS - 30 * MINUTE_MS; at <= EXPIRY_MS; at += SECOND_MS) sum += indexes.price("btc_usd", at);
    assert.ok(Math.abs(indexes.deliveryPrice("btc_usd", EXPIRY_MS) - sum / 1801) < 0.01);
    const estimated = (beforeMs: number): number => indexes.estimatedDeliveryPrice("btc_usd", EXPIRY_MS - beforeMs);
    assert.equal(estimated(31 * MINUTE_MS), indexes.price("btc_usd", EXPIRY_MS - 31 * MINUTE_MS));
    assert.equal(estimated(30 * MINUTE_MS), indexes.price("btc_usd", EXPIRY_MS - 30 * MINUTE_MS));
    assert.notEqual(estimated(MINUTE_MS), indexes.price("btc_usd", EXPIRY_MS - MINUTE_MS));
    assert.equal(estimated(0), indexes.deliveryPrice("btc_usd", EXPIRY_MS));
  });

  test("the prices of the last days are listed, newest first", () => {
    const { indexes } = market();
    const days = deliveryPrices(indexes, "btc_usd", EXPIRY_MS + HOUR_MS, { offset: 1, count: 2 });
    assert.deepEqual(
      days.map(([at, price]) => [dayName(at), price === indexes.deliveryPrice("btc_usd", at)]),
      [
        ["2027-03-25", true],
        ["2027-03-24", true],
      ],
    );
  });
});

describe("funding", () => {
  test("the rate is the premium beyond the damper, up to the cap", () => {
    const rates = [100, 100.02, 100.025, 100.1, 99.9, 101, 99].map((mark) => fundingRate(mark, 100).toFixed(6));
    assert.deepEqual(rates, ["0.000000", "0.000000", "0.000000", "0.000750", "-0.000750", "0.005000", "-0.005000"]);
  });

  test("the rate of now follows from the mark and the index of its minute", () => {
    atMoments((atMs, { funding, marks, indexes }) => {
      const minute = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
      const expected = fundingRate(marks.mark(PERPETUAL, minute), indexes.price("btc_usd", minute));
      assert.equal(funding.current(PERPETUAL, atMs), expected);
    });
  });

  test("sums over parts of a time are the sum over all of it", () => {
    const { funding } = market();
    const [from, middle, until] = [START_MS + 1234, START_MS + 1_000_777, START_MS + 30_000_000];
    const parts = funding.between(PERPETUAL, from, middle) + funding.between(PERPETUAL, middle, until);
    assert.ok(Math.abs(parts - funding.between(PERPETUAL, from, until)) < 1e-15);
    const hours = funding.history(PERPETUAL, START_MS, START_MS + 8 * HOUR_MS);
    assert.equal(hours.length, 8);
    const sum = hours.reduce((all, { interest1h }) => all + interest1h, 0);
    assert.ok(sum !== 0 && Math.abs(sum - (hours.at(-1)?.interest8h ?? 0)) < 1e-15);
  });
});

describe("the tape", () => {
  const closeOf = (candles: readonly Candle[]): number | undefined => candles.at(-1)?.close;

  test("candles of one length add up to those of another", () => {
    const { tape } = market();
    const minutes = tape.candles(PERPETUAL, MINUTE_MS, START_MS, START_MS + 3 * HOUR_MS - 1);
    const hours = tape.candles(PERPETUAL, HOUR_MS, START_MS, START_MS + 3 * HOUR_MS - 1);
    assert.deepEqual([minutes.length, hours.length], [180, 3]);
    for (const [index, hour] of hours.entries()) {
      const own = minutes.slice(60 * index, 60 * index + 60);
      assert.equal(hour.open, own[0]?.open);
      assert.equal(hour.close, own.at(-1)?.close);
      assert.equal(hour.high, Math.max(...own.map(({ high }) => high)));
      assert.equal(hour.low, Math.min(...own.map(({ low }) => low)));
      assert.equal(
        hour.volume,
        own.reduce((sum, { volume }) => sum + volume, 0),
      );
    }
  });

  test("the last candle closes at the last trade, and trades are near the mark", () => {
    atMoments((atMs, { tape, marks }) => {
      const last = tape.last(PERPETUAL, atMs);
      assert.equal(closeOf(tape.candles(PERPETUAL, MINUTE_MS, atMs - 2 * MINUTE_MS, atMs)), last.price);
      const mark = marks.mark(PERPETUAL, last.atMs);
      assert.ok(Math.abs(fromSteps(last.price, PERPETUAL.tick) - mark) < 2, `${last.price} ${mark}`);
    });
  });

  test("others sell no option for less than it would pay: no volatility has such a price", () => {
    atMoments((atMs, { tape, marks }) => {
      for (const instrument of [CALL, PUT, option("BTC-26MAR27-54000-C"), option("BTC-26MAR27-150000-P")]) {
        const { price, atMs: tradedMs } = tape.last(instrument, atMs);
        const volatility = marks.volatilityAt(instrument, fromSteps(price, instrument.tick), tradedMs) ?? 0;
        assert.ok(volatility > 0, `${instrument.name} at ${tradedMs}: ${price}`);
      }
    });
  });

  test("a recorded trade is the last one until others trade again", () => {
    const { tape } = market();
    const at = START_MS + 1001;
    tape.record(PERPETUAL, { atMs: at, price: 190_000, amount: 500, direction: "buy" });
    assert.equal(tape.last(PERPETUAL, at - 1).price === 190_000, false);
    assert.equal(tape.last(PERPETUAL, at).price, 190_000);
    const [candle] = tape.candles(PERPETUAL, SECOND_MS, START_MS + SECOND_MS, at);
    assert.deepEqual([candle?.high, candle?.close, candle?.volume], [190_000, 190_000, 500]);
    assert.notEqual(tape.last(PERPETUAL, at + 5000).price, 190_000);
    assert.equal(tape.day(PERPETUAL, at).high, 190_000);
  });

  test("every trade has the number after that of the one before, recorded ones among them", () => {
    const { tape } = market();
    const made = [1001, 1001, 7000].map((afterMs) =>
      tape.record(PERPETUAL, { atMs: START_MS + afterMs, price: 190_000, amount: 500, direction: "buy" }),
    );
    const prints = tape.prints(PERPETUAL, START_MS - 20_000, START_MS + 20_000);
    const first = tape.count(PERPETUAL, START_MS - 20_000) + 1;
    assert.deepEqual(
      prints.map(({ seq }) => seq),
      prints.map((_, index) => first + index),
    );
    assert.equal(prints.length, 8 + made.length);
    assert.deepEqual(
      prints.filter(({ isRecorded }) => isRecorded),
      made,
    );
    assert.equal(tape.last(PERPETUAL, START_MS + 4000).seq, tape.count(PERPETUAL, START_MS + 4000));
  });

  test("others trade neither in a pause nor after the end of an instrument", () => {
    const { tape, pauses, marks } = market();
    pauses.begin(START_MS + 7000);
    const { seq, price } = tape.last(PERPETUAL, START_MS + 60_000);
    assert.equal(tape.last(PERPETUAL, START_MS + 7000).price, price);
    const made = tape.record(PERPETUAL, { atMs: START_MS + 33_000, price: 190_000, amount: 500, direction: "buy" });
    assert.equal(made.seq, seq + 1);
    pauses.end(START_MS + 62_000);
    assert.deepEqual(
      tape.prints(PERPETUAL, START_MS + 5000, START_MS + 70_000).map((print) => [print.atMs - START_MS, print.seq]),
      [
        [33_000, seq + 1],
        [65_000, seq + 2],
        [70_000, seq + 3],
      ],
    );
    assert.equal(pauses.heldAt(START_MS + 40_000), START_MS + 7000);
    assert.equal(pauses.heldAt(START_MS + 62_000), START_MS + 62_000);
    const last = tape.last(DATED, EXPIRY_MS + DAY_MS);
    assert.ok(last.atMs < EXPIRY_MS);
    assert.equal(tape.count(DATED, EXPIRY_MS + DAY_MS), last.seq);
    assert.deepEqual(tape.prints(DATED, EXPIRY_MS, EXPIRY_MS + DAY_MS), []);
    assert.ok(marks.mark(DATED, EXPIRY_MS) > 0);
  });

  test("a stretch without trades is flat at the last price", () => {
    const { tape } = market();
    const [candle] = tape.candles(CALL, SECOND_MS, START_MS + 10 * SECOND_MS, START_MS + 10 * SECOND_MS);
    const { price } = tape.last(CALL, START_MS + 9 * SECOND_MS);
    assert.deepEqual(
      [candle?.open, candle?.high, candle?.low, candle?.close, candle?.volume],
      [price, price, price, price, 0],
    );
  });

  test("how often it was read changes nothing", () => {
    const random = createSeededRandom(3);
    const [often, once] = [market(), market()];
    const lengths = [SECOND_MS, MINUTE_MS, HOUR_MS];
    const read = ({ tape }: ExchangeMarket, atMs: number): readonly Candle[] => [
      tape.day(PERPETUAL, atMs),
      ...lengths.flatMap((each) => tape.candles(PERPETUAL, each, atMs - 2 * each, atMs)),
    ];
    let atMs = START_MS;
    for (let count = 0; count < 400; count++) {
      const trade = { atMs, price: randomInteger(random, 180_000, 190_000), amount: 500, direction: "buy" } as const;
      for (const { tape } of [often, once]) tape.record(PERPETUAL, trade);
      read(often, atMs);
      // Several trades at one moment, and moments at which others trade too.
      if (random() < 0.5) atMs += randomInteger(random, 0, 2) * 500;
      if (count % 40 === 0) assert.deepEqual(read(often, atMs), read(once, atMs));
    }
    assert.ok(atMs > START_MS + 90 * SECOND_MS, "The trades are in more than one minute.");
    assert.deepEqual(read(often, atMs), read(once, atMs));
  });

  test("the last day is the sum of its trades", () => {
    const { tape } = market();
    const now = START_MS + 100 * MINUTE_MS;
    const prints = tape.prints(DATED, now - DAY_MS - 1, now);
    const day = tape.day(DATED, now);
    assert.equal(
      day.volume,
      prints.reduce((sum, { amount }) => sum + amount, 0),
    );
    assert.equal(day.high, Math.max(...prints.map(({ price }) => price)));
    assert.equal(day.close, prints.at(-1)?.price);
  });
});

describe("the calendar", () => {
  test("lists days, Fridays, months, and quarters", () => {
    const cycles = { days: 2, weeks: 2, months: 3, quarters: 4 };
    const names = (atMs: number): string => expirations(atMs, cycles).map(expirationName).join(" ");
    assert.equal(names(START_MS - 1), "15JAN27 16JAN27 22JAN27 29JAN27 26FEB27 26MAR27 25JUN27 24SEP27 31DEC27");
    assert.equal(names(START_MS), "16JAN27 17JAN27 22JAN27 29JAN27 26FEB27 26MAR27 25JUN27 24SEP27 31DEC27");
    // 2028-02-28, in a leap year.
    assert.equal(
      names(1_835_308_800_000),
      "28FEB28 29FEB28 3MAR28 10MAR28 31MAR28 28APR28 26MAY28 30JUN28 29SEP28 29DEC28",
    );
    assert.ok(expirations(START_MS, cycles).includes(EXPIRY_MS));
  });

  test("an expiration ends the longest of its cycles, and is read from a name as it was written", () => {
    const day = (text: string): number => Date.parse(`${text}T08:00:00Z`);
    const rows = [
      ["2027-03-26", "26MAR27", "quarter"],
      ["2027-03-25", "25MAR27", "day"],
      ["2027-03-19", "19MAR27", "week"],
      ["2027-04-30", "30APR27", "month"],
      ["2028-02-25", "25FEB28", "month"],
      ["2028-02-29", "29FEB28", "day"],
      ["2027-12-31", "31DEC27", "quarter"],
      ["2027-01-01", "1JAN27", "week"],
    ] as const;
    for (const [date, name, cycle] of rows) {
      assert.deepEqual([expirationName(day(date)), cycleOf(day(date))], [name, cycle]);
      assert.deepEqual(expirationsIn(`BTC-${name}-96000-C`), [day(date)]);
    }
    assert.deepEqual(expirationsIn("BTC-FS-25JUN27_26MAR27"), [day("2027-06-25"), day("2027-03-26")]);
    assert.deepEqual(["BTC-PERPETUAL", "BTC_USDC", "BTC-FS-PERP"].flatMap(expirationsIn), []);
  });

  test("days end at 08:00 UTC", () => {
    assert.deepEqual(settlementsBetween(START_MS - DAY_MS, START_MS + 1), [START_MS]);
    assert.deepEqual(settlementsBetween(START_MS, START_MS + 2 * DAY_MS), [START_MS + DAY_MS, START_MS + 2 * DAY_MS]);
  });
});

describe("options on futures", () => {
  const terms = { forward: 100, strike: 100, years: 1, volatility: 0.2 } as const;

  // For an option at the money the formula is short: 100 × (2 N(0.1) - 1), with N(0.1) = 0.539828.
  test("have the value and the sensitivities of the textbook", () => {
    const call = { ...terms, right: "call" } as const;
    assert.equal(optionValue(call).toFixed(4), "7.9656");
    assert.equal(optionValue({ ...call, right: "put" }).toFixed(4), "7.9656");
    const { delta, gamma, vega, theta, rho } = optionGreeks(call);
    assert.deepEqual(
      [delta, gamma, vega, theta, rho].map((each) => each.toFixed(5)),
      ["0.53983", "0.01985", "0.39695", "-0.01088", "0.46017"],
    );
  });

  test("pay the difference to the strike at the end", () => {
    const values = [90, 100, 120].flatMap((forward) =>
      (["call", "put"] as const).map((right) => optionValue({ ...terms, right, forward, years: 0 })),
    );
    assert.deepEqual(values, [0, 10, 0, 0, 20, 0]);
    assert.equal(optionGreeks({ ...terms, right: "put", forward: 90, years: 0 }).delta, -1);
  });

  test("give back the volatility that made them", () => {
    for (const volatility of [0.05, 0.4, 1.5]) {
      const whole = { ...terms, right: "put", volatility } as const;
      assert.equal(impliedVolatility(whole, optionValue(whole)).toFixed(6), volatility.toFixed(6));
    }
    assert.equal(impliedVolatility({ ...terms, right: "call" }, 0), 0);
  });
});
