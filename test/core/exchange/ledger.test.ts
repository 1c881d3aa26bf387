import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { TradedInstrument, Side } from "../../../src/exchange/instrument.ts";
import { createExchangeLedger, type ExchangeLedger } from "../../../src/exchange/ledger/ledger.ts";
import { fixedOf, numberOf, type Fixed } from "../../../src/exchange/ledger/money.ts";
import { roundToSteps } from "../../../src/exchange/units.ts";
import { EXPIRY_MS, inverseFuture, linearFuture, option, spot } from "./contracts.ts";
import { openOrder } from "./orders.ts";

/* The ledger by examples: what is traded at which prices, and what the account says then. */

const PERPETUAL = inverseFuture("BTC-PERPETUAL");
const DATED = inverseFuture("BTC-26MAR27");
const ETHER = inverseFuture("ETH-PERPETUAL");
const LINEAR = linearFuture("SOL_USDC", 0.01, 0.1);
const LINEAR_BTC = linearFuture("BTC_USDC", 1, 0.0001);
const LINEAR_ETH = linearFuture("ETH_USDC", 0.05, 0.001);
const CALL = option("BTC-26MAR27-90000-C");
const PUT = option("BTC-26MAR27-90000-P");
const PAIR = spot("BTC_USDC", 1, 0.0001);
const COMBO: TradedInstrument = { ...DATED, name: "BTC-FS-26MAR27_PERP", kind: "future_combo" };

/** A ledger whose prices a test sets. */
interface EngineCore {
  readonly ledger: ExchangeLedger;
  /** Sets mark and index, and the underlying of options. */
  price(instrument: TradedInstrument, mark: number, index?: number): void;
  /** Sets the part of its delta that what expires has. */
  decay(left: number): void;
  /** The user trades with the market. */
  trade(instrument: TradedInstrument, side: Side, amount: number, price: number): void;
  /** The user places an order, or is refused. */
  order(instrument: TradedInstrument, side: Side, amount: number, price: number): string;
}

function createEngineCore(deposits: Readonly<Record<string, number>>): EngineCore {
  const marks = new Map<string, Fixed>();
  const indexes = new Map<string, Fixed>();
  const all = [PERPETUAL, DATED, ETHER, LINEAR, LINEAR_BTC, LINEAR_ETH, CALL, PUT, PAIR, COMBO];
  const instruments = new Map(all.map((each) => [each.name, each]));
  const decay = { left: 1 };
  const indexOf = ({ name }: TradedInstrument): Fixed => indexes.get(name) ?? 0n;
  const ledger = createExchangeLedger({
    instrument: (name) => instruments.get(name),
    prices: {
      mark: ({ name }) => marks.get(name) ?? 0n,
      index: indexOf,
      underlying: indexOf,
      settlement: () => 0n,
      deltaLeft: ({ expiresAtMs }) => (expiresAtMs === undefined ? 1 : decay.left),
      greeks: ({ kind }) =>
        kind === "option" ? { delta: 0.5, gamma: 0.00001, vega: 100, theta: -50, rho: 1 } : undefined,
    },
    onTrade: () => undefined,
    marketAccount: "market",
    feeAccount: "fees",
    keptEntries: () => 1000,
  });
  for (const [currency, amount] of Object.entries(deposits))
    ledger.deposit("user", { currency, amount: fixedOf(amount) }, 0);
  let tradeId = 0;
  const steps = (
    { lot, tick }: TradedInstrument,
    amount: number,
    price: number,
  ): { amount: number; price: number } => ({
    amount: roundToSteps(amount, lot, "nearest"),
    price: roundToSteps(price, tick, "nearest"),
  });
  return {
    ledger,
    decay(left) {
      decay.left = left;
    },
    price(instrument, mark, index = mark) {
      marks.set(instrument.name, fixedOf(mark));
      indexes.set(instrument.name, fixedOf(index));
    },
    trade(instrument, direction, amount, price) {
      tradeId++;
      const taker = { orderId: `T-${tradeId}`, account: "user", remaining: 0 };
      const maker = { orderId: `M-${tradeId}`, account: "market", remaining: 0 };
      const terms = { ...steps(instrument, amount, price), atMs: tradeId, direction, maker, taker };
      ledger.risk.take({
        kind: "trade",
        trade: { ...terms, tradeId, tradeSeq: tradeId, instrument: instrument.name },
      });
    },
    order(instrument, direction, amount, price) {
      const wanted = { instrument: instrument.name, direction, ...steps(instrument, amount, price) };
      const refusal = ledger.risk.accepts("user", { ...wanted, reduceOnly: false, replaces: undefined });
      if (refusal !== undefined) return refusal.word;
      ledger.risk.take({ kind: "placed", order: openOrder(`O-${++tradeId}`, { account: "user", ...wanted }) });
      return "accepted";
    },
  };
}

/** Returns positions as lines: size, average, profit since then, of the session unrealized and realized. */
function positions({ ledger }: EngineCore): string[] {
  return ledger.positions("user").map((each) => {
    const { size, averagePrice, totalProfitLoss, floatingProfitLoss, realizedProfitLoss } = each;
    const figures = [size, averagePrice, totalProfitLoss, floatingProfitLoss, realizedProfitLoss].map(numberOf);
    return `${each.instrument.name}: ${figures.join(" ")}`;
  });
}

/** Returns the transaction log as lines: type, side, change, cashflow, fee, balance. */
function log({ ledger }: EngineCore): string[] {
  return ledger.log("user").map(({ userSeq, type, side = "-", change, cashflow, commission, balance, currency }) => {
    const figures = [change, cashflow, commission, balance].map(numberOf);
    return `${userSeq} ${type} (${side}) ${figures.join(" ")} ${currency}`;
  });
}

/** Returns what an account has in a currency: balance, margin balance, equity, margins, and what is available. */
function funds({ ledger }: EngineCore, currency: string): string {
  const all = ledger.summary("user", currency);
  const { balance, marginBalance, equity, initialMargin, maintenanceMargin, availableFunds } = all;
  return [balance, marginBalance, equity, initialMargin, maintenanceMargin, availableFunds].map(numberOf).join(" ");
}

describe("positions", () => {
  test("a long inverse position has the profit of its coins", () => {
    const desk = createEngineCore({ BTC: 10 });
    desk.price(PERPETUAL, 15_000);
    desk.trade(PERPETUAL, "buy", 185_160, 15_000);
    desk.price(PERPETUAL, 17_391);
    assert.deepEqual(positions(desk), ["BTC-PERPETUAL: 185160 15000 1.69711368 1.69711368 0"]);
  });

  test("adding makes the harmonic mean, closing keeps it, and turning begins anew", () => {
    const desk = createEngineCore({ BTC: 10 });
    desk.price(PERPETUAL, 100_000);
    desk.trade(PERPETUAL, "buy", 10_000, 80_000);
    desk.trade(PERPETUAL, "buy", 10_000, 120_000);
    assert.deepEqual(positions(desk), ["BTC-PERPETUAL: 20000 96000 0.00833333 0.00833333 0"]);
    desk.trade(PERPETUAL, "sell", 5000, 100_000);
    assert.deepEqual(positions(desk), ["BTC-PERPETUAL: 15000 96000 0.00625 0.00625 0.00208333"]);
    desk.trade(PERPETUAL, "sell", 20_000, 100_000);
    assert.deepEqual(positions(desk), ["BTC-PERPETUAL: -5000 100000 0 0 0.00833333"]);
  });

  test("a linear position has the arithmetic mean and a profit in its currency", () => {
    const desk = createEngineCore({ USDC: 10_000 });
    desk.price(LINEAR, 150);
    desk.trade(LINEAR, "sell", 10, 140);
    desk.trade(LINEAR, "sell", 30, 160);
    assert.deepEqual(positions(desk), ["SOL_USDC-PERPETUAL: -40 155 200 200 0"]);
  });
});

describe("cash", () => {
  test("the profit of a future becomes cash at settlement alone, with the funding", () => {
    const desk = createEngineCore({ BTC: 1 });
    desk.price(PERPETUAL, 100_000);
    desk.trade(PERPETUAL, "buy", 10_000, 100_000);
    desk.ledger.fund(PERPETUAL, { interest: 0.0001, isOver: true });
    desk.price(PERPETUAL, 125_000);
    assert.equal(funds(desk, "BTC"), "0.99995 1.01994 1.01994 0.00160032 0.00080032 1.01833968");
    desk.ledger.settle(10);
    assert.equal(funds(desk, "BTC"), "1.01994 1.01994 1.01994 0.00160032 0.00080032 1.01833968");
    assert.deepEqual(positions(desk), ["BTC-PERPETUAL: 10000 100000 0.02 0 0"]);
    assert.deepEqual(log(desk), [
      "1 deposit (-) 1 1 0 1 BTC",
      "2 trade (open buy) -0.00005 0 0.00005 0.99995 BTC",
      "3 settlement (long) 0.01999 0.01999 0 1.01994 BTC",
    ]);
  });

  test("the premium of an option is paid at once, and its fee is capped", () => {
    const desk = createEngineCore({ BTC: 1 });
    desk.price(CALL, 0.05, 90_000);
    desk.trade(CALL, "buy", 2, 0.05);
    desk.trade(CALL, "sell", 1, 0.001);
    assert.deepEqual(log(desk), [
      "1 deposit (-) 1 1 0 1 BTC",
      "2 trade (open buy) -0.1006 -0.1 0.0006 0.8994 BTC",
      "3 trade (close sell) 0.000875 0.001 0.000125 0.900275 BTC",
    ]);
    assert.equal(funds(desk, "BTC"), "0.900275 0.900275 0.950275 0 0 0.900275");
  });

  test("spot changes two currencies, and the fee is in the one that comes in", () => {
    const desk = createEngineCore({ BTC: 1, USDC: 1000 });
    desk.price(PAIR, 100_000);
    desk.trade(PAIR, "sell", 0.5, 100_000);
    desk.trade(PAIR, "buy", 0.1, 90_000);
    assert.deepEqual(log(desk).slice(2), [
      "3 trade (open sell) -0.5 -0.5 0 0.5 BTC",
      "4 trade (close sell) 50000 50000 0 51000 USDC",
      "5 trade (open buy) 0.1 0.1 0 0.6 BTC",
      "6 trade (close buy) -9000 -9000 0 42000 USDC",
    ]);
    assert.deepEqual(
      desk.ledger.log("user").flatMap(({ type, amount = 0n }) => (type === "trade" ? [numberOf(amount)] : [])),
      [0.5, 50_000, 0.1, 9000],
    );
    assert.deepEqual(
      desk.ledger.trades("user").map((trade) => trade.feeCurrency),
      ["USDC", "BTC"],
    );
  });

  test("funding is paid by the position of each moment", () => {
    const desk = createEngineCore({ BTC: 1 });
    desk.price(PERPETUAL, 100_000);
    const fund = (interest: number, isOver = false): void => desk.ledger.fund(PERPETUAL, { interest, isOver });
    const funding = (): number => numberOf(desk.ledger.positions("user")[0]?.realizedFunding ?? 0n);
    fund(0.001);
    desk.trade(PERPETUAL, "buy", 100_000, 100_000);
    assert.equal(funding(), 0);
    fund(0.003);
    assert.equal(funding(), -0.002);
    desk.trade(PERPETUAL, "sell", 50_000, 100_000);
    fund(0.004, true);
    assert.equal(funding(), -0.0025);
    desk.trade(PERPETUAL, "sell", 50_000, 100_000);
    fund(0.002);
    assert.equal(funding(), -0.0025);
  });

  test("expiry delivers a future at the delivery price and an option at what it pays", () => {
    const desk = createEngineCore({ BTC: 1 });
    desk.price(DATED, 100_000);
    desk.price(CALL, 0.1, 100_000);
    desk.price(PUT, 0.01, 100_000);
    desk.trade(DATED, "buy", 10_000, 80_000);
    desk.trade(CALL, "buy", 1, 0.06);
    desk.trade(PUT, "buy", 1, 0.02);
    for (const each of [DATED, CALL, PUT]) desk.ledger.deliver(each, fixedOf(100_000), EXPIRY_MS);
    assert.deepEqual(positions(desk), []);
    assert.deepEqual(log(desk).slice(4), [
      "5 delivery (long) 0.024975 0.025 0.000025 0.9443125 BTC",
      "6 delivery (long) 0.09985 0.1 0.00015 1.0441625 BTC",
      "7 delivery (long) 0 0 0 1.0441625 BTC",
    ]);
    assert.deepEqual(
      desk.ledger
        .settlements()
        .filter(({ account }) => account === "user")
        .map(({ type, instrument }) => `${type} ${instrument}`),
      ["delivery BTC-26MAR27", "delivery BTC-26MAR27-90000-C", "delivery BTC-26MAR27-90000-P"],
    );
  });

  test("a transfer takes what may be withdrawn, which profit that is not settled may not", () => {
    const desk = createEngineCore({ BTC: 1 });
    desk.price(PERPETUAL, 50_000);
    desk.trade(PERPETUAL, "buy", 10_000, 50_000);
    desk.price(PERPETUAL, 100_000);
    const transfer = (amount: number): string | undefined =>
      desk.ledger.transfer("user", "sub", { currency: "BTC", amount: fixedOf(amount) }, 5)?.word;
    assert.equal(transfer(1), "not_enough_funds");
    assert.equal(transfer(0.9), undefined);
    assert.equal(numberOf(desk.ledger.balance("sub", "BTC")), 0.9);
    assert.equal(log(desk).at(-1), "3 transfer (-) -0.9 -0.9 0 0.0999 BTC");
  });

  test("a moved position is closed on one account and opened on the other, without fees", () => {
    const desk = createEngineCore({ BTC: 1 });
    desk.ledger.deposit("sub", { currency: "BTC", amount: fixedOf(1) }, 0);
    desk.price(PERPETUAL, 100_000);
    desk.trade(PERPETUAL, "sell", 10_000, 80_000);
    const move = (amount: number): string => {
      const moves = [{ instrument: "BTC-PERPETUAL", amount: amount / 10, price: undefined }];
      const result = desk.ledger.move("user", "sub", moves, 9);
      return "word" in result
        ? `${result.word} ${result.detail ?? ""}`
        : result.map((each) => `${each.direction} ${numberOf(each.amount)} at ${numberOf(each.price)}`).join();
    };
    assert.equal(move(20_000), "other_reject position_too_small");
    assert.equal(move(4000), "buy 4000 at 100000");
    assert.deepEqual(positions(desk), ["BTC-PERPETUAL: -6000 80000 -0.015 -0.015 -0.01"]);
    assert.deepEqual(
      desk.ledger.positions("sub").map(({ size }) => numberOf(size)),
      [-4000],
    );
    assert.equal(log(desk).at(-1), "3 trade (close buy) 0 -0.01 0 0.9999375 BTC");
  });
});

describe("the delta of an account", () => {
  const deltas = (desk: EngineCore, currency: string): number[] => {
    const { deltaTotal } = desk.ledger.summary("user", currency);
    return [...desk.ledger.positions("user").map(({ delta }) => delta), Number(deltaTotal.toFixed(8))];
  };

  // https://docs.deribit.com/api-reference/account-management/private-get_account_summary
  test("has options without their value: delta - mark price", () => {
    const desk = createEngineCore({ BTC: 10 });
    desk.price(PERPETUAL, 100_000);
    desk.price(CALL, 0.05, 100_000);
    desk.trade(PERPETUAL, "sell", 20_000, 100_000);
    desk.trade(CALL, "buy", 3, 0.05);
    assert.deepEqual(deltas(desk, "BTC"), [-0.2, 1.5, 1.15]);
  });

  // The example of a call with a delta of 1 and a mark price of 0.3, 15 minutes before its end: 0.5 - 0.3 × 0.5.
  // https://support.deribit.com/hc/en-us/articles/25944751433757-Delta-decay-during-settlement
  test("goes, with the value that is taken off, before an expiry", () => {
    const desk = createEngineCore({ BTC: 10 });
    desk.price(PERPETUAL, 100_000);
    desk.price(DATED, 100_000);
    desk.price(CALL, 0.3, 100_000);
    desk.decay(0.5);
    desk.trade(CALL, "buy", 1, 0.3);
    assert.deepEqual(deltas(desk, "BTC"), [0.5, 0.35]);
    desk.trade(DATED, "buy", 100_000, 100_000);
    desk.trade(PERPETUAL, "buy", 100_000, 100_000);
    assert.deepEqual(deltas(desk, "BTC"), [0.5, 0.5, 1, 1.85]);
  });

  // Recorded of a position of -0.001 in ETH_USDC-PERPETUAL: delta_total -1.96527, delta_total_map eth_usdc -0.001.
  test("counts coins of a linear future at its mark price", () => {
    const desk = createEngineCore({ USDC: 1000 });
    desk.price(LINEAR_ETH, 1965.27, 1964.9);
    desk.trade(LINEAR_ETH, "sell", 0.001, 2105);
    assert.deepEqual(deltas(desk, "USDC"), [-0.001, -1.96527]);
    assert.equal(numberOf(desk.ledger.summary("user", "USDC").futuresPl), 0.13973);
  });
});

describe("margin", () => {
  test("the rate of a future grows with its size", () => {
    const desk = createEngineCore({ BTC: 10, USDC: 1_000_000 });
    desk.price(PERPETUAL, 100_000);
    desk.trade(PERPETUAL, "buy", 2_500_000, 100_000);
    const [{ initialMargin, maintenanceMargin }] = desk.ledger.positions("user") as [
      ReturnType<ExchangeLedger["positions"]>[0],
    ];
    assert.deepEqual([initialMargin, maintenanceMargin].map(numberOf), [0.53125, 0.28125]);
  });

  // The figures for SOL of https://support.deribit.com/hc/en-us/articles/25944738177565-Linear-Perpetual
  test("a linear future needs margin in its currency", () => {
    const desk = createEngineCore({ USDC: 1_000_000 });
    desk.price(LINEAR, 200);
    desk.trade(LINEAR, "buy", 25, 200);
    desk.trade(LINEAR, "buy", 5975, 200);
    const [position] = desk.ledger.positions("user");
    assert.equal(numberOf(position?.initialMargin ?? 0n), 84_000);
  });

  // 2 % of 8.529536 and what 0.0001 BTC adds to the rate; recorded of a position of 0.0001 BTC as 0.170590763.
  test("a linear future needs margin at its mark price", () => {
    const desk = createEngineCore({ USDC: 1_000_000 });
    desk.price(LINEAR_BTC, 85_295.36, 85_340.12);
    desk.trade(LINEAR_BTC, "buy", 0.0001, 85_300);
    const [position] = desk.ledger.positions("user");
    assert.equal(numberOf(position?.quoteValue ?? 0n), 8.529536);
    assert.equal(numberOf(position?.initialMargin ?? 0n), 0.17059076);
  });

  // 2 % + (position size in ETH) * 0.0004 %:
  // https://support.deribit.com/hc/en-us/articles/25944826427293-11-January-2022
  test("the rate of a future of ETH grows by 0.0004 % for each ETH", () => {
    const desk = createEngineCore({ ETH: 1000 });
    desk.price(ETHER, 2000);
    desk.trade(ETHER, "sell", 10_000_000, 2000);
    const [position] = desk.ledger.positions("user");
    // 5000 ETH: 4 % and 3 %.
    assert.deepEqual([position?.initialMargin, position?.maintenanceMargin], [fixedOf(200), fixedOf(150)]);
  });

  test("options that were sold need margin, those that were bought do not", () => {
    const desk = createEngineCore({ BTC: 10 });
    desk.price(CALL, 0.02, 80_000);
    desk.price(PUT, 0.12, 80_000);
    desk.trade(CALL, "sell", 1, 0.02);
    desk.trade(PUT, "sell", 1, 0.12);
    const margins = (): number[][] =>
      desk.ledger.positions("user").map((each) => [each.initialMargin, each.maintenanceMargin].map(numberOf));
    assert.deepEqual(margins(), [
      [0.12, 0.095],
      [0.27, 0.195],
    ]);
    desk.trade(CALL, "buy", 2, 0.02);
    assert.deepEqual(margins()[0], [0, 0]);
  });

  test("an order is refused when its margin is not there, unless it reduces", () => {
    const desk = createEngineCore({ BTC: 0.01 });
    desk.price(PERPETUAL, 100_000);
    assert.equal(desk.order(PERPETUAL, "buy", 60_000, 100_000), "not_enough_funds");
    assert.equal(desk.order(PERPETUAL, "buy", 30_000, 100_000), "accepted");
    assert.equal(desk.order(PERPETUAL, "buy", 30_000, 100_000), "not_enough_funds");
    assert.equal(desk.order(PERPETUAL, "sell", 30_000, 100_000), "accepted");
    assert.equal(funds(desk, "BTC"), "0.01 0.01 0.01 0.0060045 0 0.0039955");
    desk.trade(PERPETUAL, "buy", 30_000, 100_000);
    desk.price(PERPETUAL, 95_000);
    assert.equal(desk.order(PERPETUAL, "sell", 10_000, 95_000), "accepted");
    assert.equal(desk.order(CALL, "buy", 1, 0.05), "not_enough_funds");
    assert.equal(desk.order(COMBO, "buy", 10, 100), "invalid_or_unsupported_instrument");
  });

  test("spot orders reserve what they pay", () => {
    const desk = createEngineCore({ BTC: 1, USDC: 100 });
    desk.price(PAIR, 100_000);
    assert.equal(desk.order(PAIR, "buy", 0.1, 90_000), "not_enough_funds");
    assert.equal(desk.order(PAIR, "sell", 0.6, 110_000), "accepted");
    assert.equal(desk.order(PAIR, "sell", 0.6, 110_000), "not_enough_funds");
    assert.equal(numberOf(desk.ledger.summary("user", "BTC").spotReserve), 0.6);
    assert.equal(funds(desk, "USDC"), "100 100 100 0 0 100");
  });

  test("a filled or cancelled order frees its margin, and an edited one is counted once", () => {
    const desk = createEngineCore({ BTC: 0.01 });
    desk.price(PERPETUAL, 100_000);
    const place = {
      account: "user",
      instrument: "BTC-PERPETUAL",
      direction: "buy",
      amount: 3000,
      price: 200_000,
    } as const;
    const order = openOrder("O-1", place);
    const available = (): number => numberOf(desk.ledger.summary("user", "BTC").availableFunds);
    desk.ledger.risk.take({ kind: "placed", order });
    assert.equal(available(), 0.0039955);
    const wanted = { ...place, amount: 4000, reduceOnly: false };
    assert.equal(desk.ledger.risk.accepts("user", { ...wanted, replaces: undefined })?.word, "not_enough_funds");
    assert.equal(desk.ledger.risk.accepts("user", { ...wanted, replaces: "O-1" }), undefined);
    assert.deepEqual(desk.ledger.orderMargin("O-1"), { initialMargin: 600_450n, currency: "BTC" });
    desk.ledger.risk.take({ kind: "edited", order: { ...order, amount: 4000, filled: 3000 } });
    assert.equal(available(), 0.0079995);
    desk.ledger.risk.take({ kind: "cancelled", order: { ...order, state: "cancelled" }, reason: "user_request" });
    assert.equal(available(), 0.01);
    assert.equal(desk.ledger.orderMargin("O-1"), undefined);
  });

  test("margins say what either side of an order needs", () => {
    const desk = createEngineCore({});
    desk.price(CALL, 0.02, 80_000);
    const { buy, sell, makerFee, takerFee } = desk.ledger.margins(CALL, 10, 200);
    assert.deepEqual([buy, sell, makerFee, takerFee].map(numberOf), [0.0203, 0.12, 0.0003, 0.0003]);
  });

  test("there is one margin model", () => {
    const { ledger } = createEngineCore({});
    assert.equal(ledger.refusesMarginModel("segregated_sm"), undefined);
    assert.deepEqual(ledger.refusesMarginModel("cross_pm"), {
      word: "other_reject",
      detail: "margin_model_not_supported",
    });
  });
});

describe("the matching half", () => {
  test("sees positions in lots, and the market's orders are never refused", () => {
    const desk = createEngineCore({ BTC: 1 });
    desk.price(PERPETUAL, 100_000);
    desk.trade(PERPETUAL, "buy", 1230, 100_000);
    assert.equal(desk.ledger.risk.position("user", "BTC-PERPETUAL"), 123);
    assert.equal(desk.ledger.risk.position("market", "BTC-PERPETUAL"), -123);
    assert.equal(desk.ledger.risk.position("sub", "BTC-PERPETUAL"), 0);
    const all = { instrument: "BTC-PERPETUAL", direction: "buy", amount: 10_000_000, price: 200_000 } as const;
    assert.equal(desk.ledger.risk.accepts("market", { ...all, reduceOnly: false, replaces: undefined }), undefined);
  });
});
