import type { Fact } from "../../../src/exchange/facts.ts";
import type { TradedInstrument } from "../../../src/exchange/instrument.ts";
import { createExchangeLedger, type ExchangeLedger } from "../../../src/exchange/ledger/ledger.ts";
import { fixedOf, fixedOfSteps, numberOf, type Fixed } from "../../../src/exchange/ledger/money.ts";
import {
  createLiquidations,
  type LiquidationChange,
  type Liquidations,
} from "../../../src/exchange/liquidation/liquidations.ts";
import { createEngine, type Engine } from "../../../src/exchange/orders/engine.ts";
import type { OrderView } from "../../../src/exchange/orders/order.ts";
import { roundToSteps } from "../../../src/exchange/units.ts";
import { inverseFuture, linearFuture, option } from "./contracts.ts";
import { createSecondLedger, q, type Contract, type Q, type SecondLedger, type Quote } from "./secondLedger.ts";

/* An exchange whose prices a test sets, with a market maker, and a second ledger that is told the same. */

export const PERPETUAL = inverseFuture("BTC-PERPETUAL");
export const DATED = inverseFuture("BTC-26MAR27");
export const LINEAR = linearFuture("SOL_USDC", 0.01, 0.1);
export const OTHER_LINEAR = linearFuture("BTC_USDC", 1, 0.0001);
export const CALL = option("BTC-26MAR27-90000-C");
const INSTRUMENTS = [PERPETUAL, DATED, LINEAR, OTHER_LINEAR, CALL];

export interface LiquidationDesk {
  readonly ledger: ExchangeLedger;
  readonly engine: Engine;
  readonly second: SecondLedger;
  readonly liquidations: Liquidations;
  /** What began and ended, and what happened to orders of the user. */
  readonly told: string[];
  /** The trades of the user's orders, as lines: side, amount, instrument. */
  readonly trades: string[];
  /** Sets mark and index of an instrument. `lots`: what each side of its book offers; 0 empties it. */
  price(instrument: TradedInstrument, mark: number, lots?: number): void;
  /** Lets an account begin with a position, bought at a price. */
  open(instrument: TradedInstrument, size: number, price: number): void;
  deposit(currency: string, amount: number): void;
  /** Lets seconds pass, and all that is due in them happen at once. */
  pass(seconds: number): void;
  /** Called with each trade; a test may set it. */
  onTrade: () => void;
}

export function contractOf({ name, kind, isInverse, baseCurrency, settlementCurrency }: TradedInstrument): Contract {
  const ofFuture = isInverse ? "inverse" : "linear";
  const strike = kind === "option" ? { strike: q(90_000) } : {};
  return {
    name,
    kind: kind === "option" ? "coin option" : ofFuture,
    coin: baseCurrency,
    money: settlementCurrency,
    ...strike,
  };
}

export const exact = (value: Fixed): Q => q(value, 100_000_000);

export function createLiquidationDesk(): LiquidationDesk {
  const instruments = new Map(INSTRUMENTS.map((each) => [each.name, each]));
  const prices = new Map<string, { readonly mark: Fixed; readonly lots: number }>();
  const markOf = ({ name }: { readonly name: string }): Fixed => prices.get(name)?.mark ?? 0n;
  const underlying = (): Fixed => markOf(PERPETUAL);
  const ledger = createExchangeLedger({
    instrument: (name) => instruments.get(name),
    prices: {
      mark: markOf,
      index: (each) => (each.kind === "option" ? underlying() : markOf(each)),
      underlying,
      settlement: markOf,
      deltaLeft: () => 1,
      greeks: () => undefined,
    },
    onTrade: () => undefined,
    marketAccount: "market",
    feeAccount: "fees",
    keptEntries: () => 10_000,
  });
  const quoteOf = (contract: Contract): Quote => ({
    mark: exact(markOf(contract)),
    index: exact(contract.kind === "coin option" ? underlying() : markOf(contract)),
    underlying: exact(underlying()),
    delta: q(0),
    left: q(1),
  });
  const second = createSecondLedger(quoteOf, "market", "fees");
  const counts = { orders: 0, trades: 0, changes: 0 };
  const engine = createEngine({
    instrument: (name) => instruments.get(name),
    ids: {
      order: () => `O-${++counts.orders}`,
      trade: () => ++counts.trades,
      change: () => ++counts.changes,
      link: () => "OCO-1",
    },
    risk: ledger.risk,
    selfTrading: (account) => ({
      mode: "reject_taker",
      extendsToSubaccounts: true,
      mainAccount: account === "sub" ? "user" : account,
    }),
  });
  const told: string[] = [];
  const trades: string[] = [];
  const time = { nowMs: 1_800_000_000_000 };
  const take = (facts: readonly Fact[]): void => {
    for (const fact of facts) {
      if (fact.kind === "trade") takeTrade(fact);
      else if (fact.kind !== "book" && fact.order.account === "user") told.push(describe(fact.kind, fact.order));
    }
  };
  const takeTrade = ({ trade }: Extract<Fact, { kind: "trade" }>): void => {
    const instrument = instruments.get(trade.instrument)!;
    const { maker, taker, direction } = trade;
    const [buyer, seller] = direction === "buy" ? [taker, maker] : [maker, taker];
    const amount = fixedOfSteps(trade.amount, instrument.lot);
    second.trade(buyer.account, seller.account, contractOf(instrument), {
      amount: exact(amount),
      price: exact(fixedOfSteps(trade.price, instrument.tick)),
      taker: direction,
      isLiquidation: taker.isLiquidation === true,
    });
    const side = taker.account === "user" ? direction : direction === "buy" ? "sell" : "buy";
    desk.onTrade();
    if ([maker.account, taker.account].includes("user")) trades.push(`${side} ${numberOf(amount)} ${instrument.name}`);
  };
  const restore = (name: string): void => {
    const instrument = instruments.get(name)!;
    const { mark, lots } = prices.get(name)!;
    const middle = roundToSteps(numberOf(mark), instrument.tick, "nearest");
    const isOwn = (order: OrderView): boolean => order.instrument === name;
    take(engine.cancelAll({ account: "market", where: isOwn, reason: "user_request" }, time.nowMs));
    take(engine.setPrices(name, { mark: middle }, time.nowMs));
    if (lots === 0) return;
    for (const [direction, price] of [
      ["buy", middle - 1],
      ["sell", middle + 1],
    ] as const)
      take(engine.place({ account: "market", instrument: name, direction, amount: lots, price }, time.nowMs).facts);
  };
  const onChange = ({ account, currency, state }: LiquidationChange): void =>
    void told.push(`${account} ${currency} ${state}`);
  const liquidations = createLiquidations({ ledger, engine, restore, onFacts: take, onChange }, time.nowMs);
  const desk: LiquidationDesk = {
    onTrade: () => undefined,
    ledger,
    engine,
    second,
    liquidations,
    told,
    trades,
    price(instrument, mark, lots = 1_000_000) {
      prices.set(instrument.name, { mark: fixedOf(mark), lots });
      restore(instrument.name);
    },
    open(instrument, size, price) {
      const amount = fixedOf(size);
      ledger.open("user", { instrument, amount, price: fixedOf(price) });
      second.move(["market", "user"], contractOf(instrument), exact(amount), exact(fixedOf(price)));
    },
    deposit(currency, amount) {
      ledger.deposit("user", { currency, amount: fixedOf(amount) }, time.nowMs);
      second.deposit("user", currency, exact(fixedOf(amount)));
    },
    pass(seconds) {
      time.nowMs += seconds * 1000;
      liquidations.advance(time.nowMs);
    },
  };
  return desk;
}

function describe(kind: string, { id, direction, amount, type, cancelReason, refusal }: OrderView): string {
  return [kind, id, direction, amount, type, cancelReason ?? "", refusal?.word ?? ""]
    .filter((word) => word !== "")
    .join(" ");
}
