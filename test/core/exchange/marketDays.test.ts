import assert from "node:assert/strict";
import { test } from "vitest";
import type { TradedInstrument } from "../../../src/exchange/instrument.ts";
import { createExchangeLedger } from "../../../src/exchange/ledger/ledger.ts";
import { fixedOf, numberOf } from "../../../src/exchange/ledger/money.ts";
import { DAY_MS, HOUR_MS } from "../../../src/exchange/market/calendar.ts";
import { createExchangeMarket, marketPrices, passTime } from "../../../src/exchange/market/market.ts";
import { roundToSteps } from "../../../src/exchange/units.ts";
import { createSeededRandom, randomInteger } from "../../../src/simulator/text/seededRandom.ts";
import { EXPIRY_MS, inverseFuture, option } from "./contracts.ts";

/* The ledger and the market together, over the days around an expiry. */

const PERPETUAL = inverseFuture("BTC-PERPETUAL");
const DATED = inverseFuture("BTC-26MAR27");
const PUT = option("BTC-26MAR27-150000-P");
const FROM_MS = EXPIRY_MS - 30 * HOUR_MS;
const COINS = new Map([["BTC", { usdPrice: 92_418.5, volatility: 0.46 }]]);

/** The user buys one of each from the market at the mark, then time passes in pieces; returns the transaction log. */
function playDays(pieces: (fromMs: number) => number): { log: string[]; expired: string[]; positions: string[] } {
  let nowMs = FROM_MS;
  const market = createExchangeMarket({ seed: 3, startMs: FROM_MS, coins: COINS });
  const listed = new Map<string, TradedInstrument>([PERPETUAL, DATED, PUT].map((each) => [each.name, each]));
  const expired: string[] = [];
  const ledger = createExchangeLedger({
    instrument: (name) => [PERPETUAL, DATED, PUT].find((each) => each.name === name),
    prices: marketPrices(market, () => nowMs),
    onTrade: () => undefined,
    marketAccount: "market",
    feeAccount: "fees",
    keptEntries: () => 1000,
  });
  ledger.deposit("user", { currency: "BTC", amount: fixedOf(5) }, nowMs);
  for (const [index, instrument] of [PERPETUAL, DATED, PUT].entries()) {
    const price = roundToSteps(market.marks.mark(instrument, nowMs), instrument.tick, "nearest");
    const [taker, maker] = ["user", "market"].map((account) => ({ orderId: account, account, remaining: 0 }));
    const terms = { tradeId: index + 1, tradeSeq: 1, price, amount: 10, atMs: nowMs, direction: "buy" } as const;
    ledger.risk.take({ kind: "trade", trade: { ...terms, instrument: instrument.name, maker: maker!, taker: taker! } });
  }
  const onExpiry = ({ name }: TradedInstrument): void => {
    expired.push(name);
    listed.delete(name);
  };
  const setNow = (atMs: number): void => {
    nowMs = atMs;
  };
  while (nowMs < EXPIRY_MS + DAY_MS) {
    const untilMs = Math.min(EXPIRY_MS + DAY_MS, nowMs + pieces(nowMs));
    passTime({ ledger, market, instruments: () => listed.values(), setNow, onExpiry }, nowMs, untilMs);
  }
  const all = ["user", "market", "fees"].reduce((sum, account) => sum + ledger.balance(account, "BTC"), 0n);
  assert.equal(all, 0n);
  return {
    log: ledger
      .log("user")
      .slice(4)
      .map(
        ({ type, instrument = "", atMs, change }) =>
          `${(atMs - EXPIRY_MS) / HOUR_MS} ${type} ${instrument} ${numberOf(change)}`,
      ),
    expired,
    positions: ledger.positions("user").map(({ instrument, size }) => `${instrument.name} ${numberOf(size)}`),
  };
}

test("over an expiry, sessions are settled at 08:00 UTC and what expires is delivered before", () => {
  const { log, expired, positions } = playDays(() => 3 * DAY_MS);
  assert.deepEqual(
    log.map((line) => line.split(" ").slice(0, 3).join(" ")),
    [
      "-24 settlement BTC-PERPETUAL",
      "-24 settlement BTC-26MAR27",
      "0 delivery BTC-26MAR27",
      "0 delivery BTC-26MAR27-150000-P",
      "0 settlement BTC-PERPETUAL",
      "24 settlement BTC-PERPETUAL",
    ],
  );
  assert.deepEqual(expired, ["BTC-26MAR27", "BTC-26MAR27-150000-P"]);
  assert.deepEqual(positions, ["BTC-PERPETUAL 100"]);
});

test("time that passes in many pieces comes to the same", () => {
  const random = createSeededRandom(5);
  assert.deepEqual(
    playDays(() => randomInteger(random, 1, HOUR_MS)),
    playDays(() => 3 * DAY_MS),
  );
});
