import assert from "node:assert/strict";
import { test } from "vitest";
import type { Random } from "../../../src/base/clock.ts";
import type { Fact } from "../../../src/exchange/facts.ts";
import type { TradedInstrument } from "../../../src/exchange/instrument.ts";
import { createExchangeLedger, type ExchangeLedger } from "../../../src/exchange/ledger/ledger.ts";
import { fixedOfSteps, type Fixed } from "../../../src/exchange/ledger/money.ts";
import { createExchangeMarket, marketPrices, type ExchangeMarket } from "../../../src/exchange/market/market.ts";
import { createEngine, type Engine, type EngineOutcome } from "../../../src/exchange/orders/engine.ts";
import type { OrderDraft, OrderView } from "../../../src/exchange/orders/order.ts";
import { createParticipants, type Participants } from "../../../src/exchange/participants/participants.ts";
import { createSeededRandom, randomInteger, randomOf } from "../../../src/simulator/text/seededRandom.ts";
import { rounds } from "../../rounds.mjs";
import { inverseFuture, linearFuture, option, spot } from "./contracts.ts";
import { NaiveBook } from "./naiveBook.ts";
import type { NaiveDraft } from "./naiveOrder.ts";
import { createSecondLedger, q, units, type Contract, type Q, type SecondLedger } from "./secondLedger.ts";

/*
 * Random schedules of two accounts among the participants, in a market that moves. Each order, whoever places it, goes
 * to a naive book as well, and each trade to a second ledger: they agree on all trades, orders, positions, and money.
 */

const SCHEDULES = rounds({ short: 12, full: 100, long: 10_000 });
const STEPS = 15;
const START_MS = Date.UTC(2026, 10, 20, 12);
const OTHERS = "market";
const ACCOUNTS = ["user", "sub"] as const;
const CURRENCIES = ["BTC", "ETH", "USDC", "SOL"] as const;
const COINS = new Map([
  ["BTC", { usdPrice: 92_418.5, volatility: 4 }],
  ["ETH", { usdPrice: 2104.15, volatility: 5 }],
  ["SOL", { usdPrice: 141.22, volatility: 6 }],
]);
const MARKETS: readonly (readonly [TradedInstrument, Contract["kind"]])[] = [
  [inverseFuture("BTC-PERPETUAL"), "inverse"],
  [inverseFuture("ETH-PERPETUAL"), "inverse"],
  [linearFuture("SOL_USDC", 0.01, 0.1), "linear"],
  [option("BTC-26MAR27-90000-C"), "coin option"],
  [spot("BTC_USDC", 1, 0.0001), "spot"],
];

/** What is played on, and what it is held against. */
interface Game {
  readonly random: Random;
  readonly instrument: TradedInstrument;
  readonly contract: Contract;
  readonly market: ExchangeMarket;
  readonly engine: Engine;
  readonly ledger: ExchangeLedger;
  readonly others: Participants;
  readonly book: NaiveBook;
  readonly second: SecondLedger;
  /** The trades so far as the engine told them, and as the naive book did. */
  readonly trades: string[];
  readonly naiveTrades: string[];
  nowMs: number;
  count: number;
}

for (const part of [1, 2, 3, 4])
  test(`among the participants everything is as the naive book and the second ledger say, part ${part} of 4`, async ({
    annotate,
  }) => {
    await annotate(`${SCHEDULES / 4} schedules: seeds ${part}, ${part + 4}, …`);
    let trades = 0;
    for (let seed = part; seed <= SCHEDULES; seed += 4) {
      try {
        trades += playSchedule(seed);
      } catch (error) {
        throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
      }
    }
    assert.ok(trades > SCHEDULES / 4, String(trades));
  });

function playSchedule(seed: number): number {
  const game = startGame(seed);
  for (let step = 0; step < STEPS; step++) {
    for (let seconds = randomInteger(game.random, 1, 4); seconds > 0; seconds--) {
      const before = game.nowMs;
      game.nowMs += 1000;
      game.others.tradeSince(before);
    }
    for (let count = randomInteger(game.random, 1, 3); count > 0; count--) act(game);
    compare(game);
  }
  return game.trades.length;
}

function startGame(seed: number): Game {
  const random = createSeededRandom(seed);
  const [instrument, kind] = randomOf(random, MARKETS as readonly [(typeof MARKETS)[number]]);
  const market = createExchangeMarket({ seed, startMs: START_MS, coins: COINS });
  const game = { nowMs: START_MS, count: 0 };
  const prices = marketPrices(market, () => game.nowMs);
  const ledger = createExchangeLedger({
    ...{ instrument: () => instrument, prices, onTrade: () => undefined },
    ...{ marketAccount: OTHERS, feeAccount: "fees", keptEntries: () => 100_000 },
  });
  let [ids, changes, links] = [0, 0, 0];
  let tradeCount = 0;
  const plain = createEngine({
    instrument: () => instrument,
    ids: {
      order: () => String(++ids),
      trade: () => ++tradeCount,
      change: () => ++changes,
      link: () => String(++links),
    },
    risk: ledger.risk,
    selfTrading: (account) => ({ mode: modeOf(account), extendsToSubaccounts: false, mainAccount: account }),
  });
  const fixed = (value: Fixed): Q => q(value, 100_000_000);
  const contract: Contract = {
    ...{ name: instrument.name, kind, coin: instrument.baseCurrency },
    money: kind === "spot" ? instrument.quoteCurrency : instrument.settlementCurrency,
    ...(instrument.option === undefined ? {} : { strike: q(instrument.option.strike) }),
  };
  const second = createSecondLedger(
    () => ({
      mark: fixed(prices.mark(instrument)),
      index: fixed(prices.index(instrument)),
      underlying: fixed(prices.underlying(instrument)),
      // Deltas are compared elsewhere.
      ...{ delta: q(0), left: q(1) },
    }),
    OTHERS,
    "fees",
  );
  const made = { ...game, random, instrument, contract, market, ledger, second, book: new NaiveBook() };
  const whole = Object.assign(game, made, { trades: [] as string[], naiveTrades: [] as string[] });
  const engine = mirrored(whole, plain);
  const announce = (facts: readonly Fact[]): void => {
    for (const fact of facts) if (fact.kind === "trade") market.tape.record(instrument, { ...fact.trade });
  };
  const others = createParticipants({
    ...{ engine, market, account: OTHERS, announce },
    moment: () => ({ marketMs: game.nowMs, nowMs: game.nowMs }),
    isOpen: () => true,
  });
  for (const account of ACCOUNTS)
    for (const currency of CURRENCIES) {
      const money = BigInt(randomInteger(random, 1, 40)) * (currency === "USDC" ? 10n ** 11n : 10n ** 7n);
      ledger.deposit(account, { currency, amount: money }, START_MS);
      second.deposit(account, currency, fixed(money));
    }
  others.goLive(instrument);
  return Object.assign(whole, { engine, others });
}

function modeOf(account: string): NaiveDraft["mode"] {
  return account === "user" ? "reject_taker" : account === "sub" ? "cancel_maker" : "allow";
}

/** Returns an engine of which the naive book does all that it took on, and whose trades are checked and booked twice. */
function mirrored(game: Omit<Game, "engine" | "others">, engine: Engine): Engine {
  const labels = new Map<string, string>();
  const took = (facts: readonly Fact[]): void => {
    for (const fact of facts) {
      if (fact.kind === "placed") labels.set(fact.order.id, fact.order.label);
      if (fact.kind !== "trade") continue;
      const { trade } = fact;
      const [own, other] = [labels.get(trade.taker.orderId), labels.get(trade.maker.orderId)];
      game.trades.push(`${own} ${trade.direction} ${trade.amount} @ ${trade.price} of ${other}`);
      const [buyer, seller] =
        trade.direction === "buy"
          ? [trade.taker.account, trade.maker.account]
          : [trade.maker.account, trade.taker.account];
      game.second.trade(buyer, seller, game.contract, {
        amount: q(fixedOfSteps(trade.amount, game.instrument.lot), 100_000_000),
        price: q(fixedOfSteps(trade.price, game.instrument.tick), 100_000_000),
        taker: trade.direction,
      });
    }
    game.naiveTrades.push(...game.book.trades.splice(0));
  };
  /** Carries out what may trade: what does lies inside the touch, and leaves its taker with funds. */
  const checked = (account: string, run: () => EngineOutcome): EngineOutcome => {
    const best = engine.best(game.instrument.name);
    const funds = CURRENCIES.map((currency) => game.ledger.summary(account, currency).availableFunds);
    const outcome = run();
    const first = outcome.facts.find((fact) => fact.kind === "trade");
    // An order that gives way to one of its own account is not there any more.
    const isCleared = outcome.facts.some((fact) => fact.kind === "cancelled" && fact.reason === "order_overlap");
    if (first !== undefined && !isCleared)
      assert.equal(first.trade.price, (first.trade.direction === "buy" ? best.ask : best.bid)?.price, "the touch");
    if (first !== undefined && account !== OTHERS)
      for (const [at, currency] of CURRENCIES.entries()) {
        const after = game.ledger.summary(account, currency).availableFunds;
        // What the market has taken, a fill need not give back.
        assert.ok(after >= 0n || (funds[at] ?? 0n) < 0n, `funds of ${account} in ${currency}: ${after}`);
      }
    return outcome;
  };
  return {
    ...engine,
    place(draft, nowMs) {
      const label = String(++game.count);
      const outcome = checked(draft.account, () => engine.place({ ...draft, label }, nowMs));
      if (outcome.isDone) game.book.place(naiveDraft(draft, label));
      took(outcome.facts);
      return outcome;
    },
    cancel(account, id, nowMs) {
      const label = engine.find(id)?.label ?? "";
      const outcome = engine.cancel(account, id, nowMs);
      if (outcome.isDone) game.book.cancel(label);
      took(outcome.facts);
      return outcome;
    },
    edit(account, id, edit, nowMs) {
      const label = engine.find(id)?.label ?? "";
      const outcome = checked(account, () => engine.edit(account, id, edit, nowMs));
      if (outcome.isDone) game.book.edit(label, edit.amount ?? 0, edit.price ?? 0);
      took(outcome.facts);
      return outcome;
    },
  };
}

function naiveDraft(draft: OrderDraft, label: string): NaiveDraft {
  const { account, direction: side, type = "limit", amount, price, timeInForce, postOnly, rejectPostOnly } = draft;
  return {
    ...{ label, account, side, type, amount, price, mode: modeOf(account), isReduceOnly: draft.reduceOnly === true },
    ...(timeInForce === undefined ? {} : { timeInForce }),
    ...(postOnly === true ? { post: rejectPostOnly === true ? "reject" : "reprice" } : {}),
  };
}

/** Lets an account do something near the best prices. */
function act({ random, instrument, engine, nowMs }: Game): void {
  const account = randomOf(random, ACCOUNTS);
  const { name, contractSize, minAmount } = instrument;
  const { bid, ask } = engine.best(name);
  const near = (): number => Math.max(1, randomInteger(random, (bid ?? ask)!.price - 8, (ask ?? bid)!.price + 8));
  const most = instrument.kind === "option" ? 20 : 6000;
  const amount = Math.max(minAmount, contractSize) * randomInteger(random, 1, random() < 0.8 ? most : most * 20);
  const own = [...engine.open(account)];
  const order: OrderView | undefined = own[randomInteger(random, 0, Math.max(0, own.length - 1))];
  const chance = random();
  if (order !== undefined && chance < 0.15) engine.cancel(account, order.id, nowMs);
  else if (order !== undefined && chance < 0.4)
    engine.edit(account, order.id, { amount: order.filled + amount, price: near() }, nowMs);
  else engine.place(chanceDraft(random, { account, instrument: name, amount, price: near() }), nowMs);
}

function chanceDraft(
  random: Random,
  {
    price,
    ...common
  }: { readonly account: string; readonly instrument: string; readonly amount: number; readonly price: number },
): OrderDraft {
  const direction = randomOf(random, ["buy", "sell"]);
  const reduceOnly = random() < 0.15;
  if (random() < 0.2) return { ...common, direction, reduceOnly, type: "market" };
  const timeInForce = randomOf(random, [
    "good_til_cancelled",
    "good_til_cancelled",
    "immediate_or_cancel",
    "fill_or_kill",
  ]);
  const isPosted = timeInForce === "good_til_cancelled" && random() < 0.3;
  return {
    ...{ ...common, direction, reduceOnly, type: "limit", price, timeInForce },
    ...(isPosted ? { postOnly: true, rejectPostOnly: random() < 0.5 } : {}),
  };
}

function compare({ instrument, contract, engine, ledger, second, book, trades, naiveTrades }: Game): void {
  assert.deepEqual(trades.slice(-20), naiveTrades.slice(-20), "the trades");
  assert.equal(trades.length, naiveTrades.length);
  const open = [...engine.open()].map(({ label, amount, filled, price }) => `${label} ${amount - filled} @ ${price}`);
  assert.deepEqual(open, book.open(), "the open orders");
  const { bid, ask } = engine.best(instrument.name);
  assert.ok((bid?.price ?? 0) < (ask?.price ?? Infinity), "no order that crosses rests");
  for (const account of ACCOUNTS) {
    for (const currency of CURRENCIES) {
      const { balance, equity } = ledger.summary(account, currency);
      assert.equal(balance, units(second.balance(account, currency)), `balance of ${account} in ${currency}`);
      assert.equal(equity, units(second.equity(account, currency)), `equity of ${account} in ${currency}`);
    }
    for (const report of ledger.positions(account)) {
      const shown = second.position(account, contract);
      assert.deepEqual(
        [report.size, report.totalProfitLoss, report.initialMargin, report.maintenanceMargin],
        [shown.size, shown.total, shown.initial, shown.maintenance].map(units),
      );
    }
  }
  for (const currency of CURRENCIES) {
    const all = [...ACCOUNTS, OTHERS, "fees"].reduce((sum, each) => sum + ledger.balance(each, currency), 0n);
    assert.equal(all, 0n, `all ${currency}`);
  }
}
