import assert from "node:assert/strict";
import { test } from "vitest";
import type { Random } from "../../../src/base/clock.ts";
import type { TradedInstrument } from "../../../src/exchange/instrument.ts";
import type { AccountSummary } from "../../../src/exchange/ledger/summary.ts";
import { createExchangeLedger, type ExchangeLedger } from "../../../src/exchange/ledger/ledger.ts";
import { fixedOfSteps, type Fixed } from "../../../src/exchange/ledger/money.ts";
import type { OrderView } from "../../../src/exchange/orders/order.ts";
import { createSeededRandom, randomInteger, randomOf } from "../../../src/simulator/text/seededRandom.ts";
import { rounds } from "../../rounds.mjs";
import { openOrder } from "./orders.ts";
import { inverseFuture, linearFuture, option, spot } from "./contracts.ts";
import { createSecondLedger, q, units, type Contract, type Q, type Quote, type SecondLedger } from "./secondLedger.ts";

/*
 * Random schedules of everything that changes an account, played to the ledger and to a second one that was written
 * from the exchange's formulas. After each step both agree, and the identities hold.
 */

const SCHEDULES = rounds({ short: 20, full: 400, long: 10_000 });
const STEPS = 25;
const ACCOUNTS = ["user", "sub", "market", "fees"] as const;
const CURRENCIES = ["BTC", "ETH", "USDC", "XRP", "SOL"] as const;

/** Each instrument, what it is to the second ledger, and where its prices begin, in ticks. */
const MARKETS = [
  market(inverseFuture("BTC-PERPETUAL"), "inverse", 184_000),
  market(inverseFuture("BTC-26MAR27"), "inverse", 188_000),
  market(inverseFuture("ETH-PERPETUAL"), "inverse", 42_000),
  market(linearFuture("BTC_USDC", 1, 0.0001), "linear", 92_400),
  market(linearFuture("SOL_USDC", 0.01, 0.1), "linear", 14_100),
  market(option("BTC-26MAR27-90000-C"), "coin option", 700),
  market(option("BTC-26MAR27-96000-P"), "coin option", 800),
  market(option("BTC-26MAR27-150000-C"), "coin option", 12),
  market(option("XRP_USDC-26MAR27-2d25-C"), "linear option", 3000),
  market(option("XRP_USDC-26MAR27-1d875-P"), "linear option", 2200),
  market(spot("BTC_USDC", 1, 0.0001), "spot", 92_400),
] as const;

interface TestMarket {
  readonly instrument: TradedInstrument;
  readonly contract: Contract;
  readonly startTicks: number;
}

function market(instrument: TradedInstrument, kind: Contract["kind"], startTicks: number): TestMarket {
  const { name, baseCurrency, settlementCurrency, option: terms } = instrument;
  const strike = terms === undefined ? {} : { strike: q(Math.round(terms.strike * 1000), 1000) };
  const isPut = terms?.right === "put" ? { isPut: true } : {};
  return {
    instrument,
    contract: { name, kind, coin: baseCurrency, money: settlementCurrency, ...strike, ...isPut },
    startTicks,
  };
}

/** The prices of a schedule, in whole numbers of 1e-8: what both ledgers are asked to use. Deltas are hundredths. */
type Prices = Map<string, { mark: Fixed; index: Fixed; delta: number; left: number }>;

const fromFixed = (value: Fixed): Q => q(value, 100_000_000);

for (const part of [1, 2, 3, 4]) {
  test(`the ledger agrees with a second one on random schedules, part ${part} of 4`, async ({ annotate }) => {
    await annotate(`${SCHEDULES / 4} schedules: seeds ${part}, ${part + 4}, …`);
    for (let seed = part; seed <= SCHEDULES; seed += 4) {
      try {
        playSchedule(seed);
      } catch (error) {
        throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
      }
    }
  });
}

/** Both ledgers and what is needed to compare them. */
interface Game {
  readonly random: Random;
  readonly prices: Prices;
  readonly ledger: ExchangeLedger;
  readonly second: SecondLedger;
  readonly orders: OrderView[];
  /** The funding so far of the times that are not over, in units of 1e-7. */
  readonly running: Map<TestMarket, number>;
  /** The signed sums of moved positions, by account and instrument. */
  readonly moved: Map<string, Fixed>;
  nowMs: number;
  tradeId: number;
}

function playSchedule(seed: number): void {
  const game = startGame(seed);
  for (const account of ["user", "sub"] as const)
    for (const currency of CURRENCIES) deposit(game, account, currency, randomInteger(game.random, 1, 9) * 10 ** 9);
  for (let step = 0; step < STEPS; step++) {
    game.nowMs += randomInteger(game.random, 1, 1000);
    playStep(game);
    const summaries = ACCOUNTS.flatMap((account) =>
      CURRENCIES.map((currency) => ({ account, ...game.ledger.summary(account, currency) })),
    );
    checkIdentities(game, summaries);
    compare(game, summaries);
  }
}

function startGame(seed: number): Game {
  const random = createSeededRandom(seed);
  const prices: Prices = new Map();
  const instruments = new Map(MARKETS.map(({ instrument }) => [instrument.name, instrument]));
  const of = ({ name }: { readonly name: string }) => prices.get(name)!;
  const ledger = createExchangeLedger({
    instrument: (name) => instruments.get(name),
    prices: {
      mark: (each) => of(each).mark,
      index: (each) => of(each).index,
      underlying: (each) => of(each).index,
      settlement: (each) => of(each).mark,
      deltaLeft: (each) => of(each).left / 100,
      greeks: (each) =>
        each.kind === "option" ? { delta: of(each).delta / 100, gamma: 0, vega: 0, theta: 0, rho: 0 } : undefined,
    },
    onTrade: () => undefined,
    marketAccount: "market",
    feeAccount: "fees",
    keptEntries: () => 100_000,
  });
  const quoteOf = (contract: Contract): Quote => {
    const { mark, index, delta, left } = of(contract);
    const [price, underlying] = [fromFixed(mark), fromFixed(index)];
    return { mark: price, index: underlying, underlying, delta: q(delta, 100), left: q(left, 100) };
  };
  const second = createSecondLedger(quoteOf, "market", "fees");
  const game: Game = {
    random,
    prices,
    ledger,
    second,
    orders: [],
    running: new Map(),
    moved: new Map(),
    nowMs: 1_800_000_000_000,
    tradeId: 0,
  };
  movePrices(game);
  return game;
}

/**
 * Moves every price after the funding at the old ones is over, by up to five percent of where it began, to digits that are finer than a tick. */
function movePrices(game: Game): void {
  const { prices, random } = game;
  for (const [each, interest] of game.running) fundUntilNow(game, each, interest, true);
  for (const { instrument, startTicks } of MARKETS) {
    const around = (of: number): Fixed =>
      (fixedOfSteps(of, instrument.tick) * BigInt(randomInteger(random, 95_000, 105_000))) / 100_000n;
    const mark = around(startTicks);
    const coin = instrument.baseCurrency === "BTC" ? 9_240_000_000_000n : 210_000_000n;
    const index =
      instrument.kind === "option"
        ? (coin * BigInt(randomInteger(random, 95_000, 105_000))) / 100_000n
        : around(startTicks);
    const left = instrument.expiresAtMs === undefined ? 100 : randomInteger(random, 0, 100);
    const sign = instrument.option?.right === "put" ? -1 : 1;
    prices.set(instrument.name, { mark, index, delta: sign * randomInteger(random, 0, left), left });
  }
}

function playStep(game: Game): void {
  const chance = game.random();
  if (chance < 0.5) playTrade(game);
  else if (chance < 0.62) movePrices(game);
  else if (chance < 0.7) playFunding(game);
  else if (chance < 0.78) playSettlement(game);
  else if (chance < 0.82) playDelivery(game);
  else if (chance < 0.9) playMove(game);
  else if (chance < 0.95) playTransfer(game);
  else if (chance < 0.97) playInsurance(game);
  else playOrders(game);
}

function playTrade(game: Game): void {
  const { random, ledger, second } = game;
  const { instrument, contract, startTicks } = randomOf(random, MARKETS);
  const maker = randomOf(random, ["user", "sub", "market"]);
  const taker = randomOf(random, ["user", "sub", "market"]);
  const direction = randomOf(random, ["buy", "sell"]);
  const amount = randomInteger(random, 1, 300);
  const price = randomInteger(random, Math.floor(startTicks * 0.95), Math.ceil(startTicks * 1.05));
  const tradeId = ++game.tradeId;
  const party = (account: string) => ({ orderId: `${account}-${tradeId}`, account, remaining: 0 });
  const isLiquidation = tradeId % 5 === 0;
  ledger.risk.take({
    kind: "trade",
    trade: {
      tradeId,
      tradeSeq: tradeId,
      instrument: instrument.name,
      price,
      amount,
      atMs: game.nowMs,
      direction,
      maker: party(maker),
      taker: { ...party(taker), ...(isLiquidation ? { isLiquidation } : {}) },
    },
  });
  const [buyer, seller] = direction === "buy" ? [taker, maker] : [maker, taker];
  second.trade(buyer, seller, contract, {
    amount: fromFixed(fixedOfSteps(amount, instrument.lot)),
    price: fromFixed(fixedOfSteps(price, instrument.tick)),
    taker: direction,
    isLiquidation,
  });
}

/** Lets the insurance fund pay what accounts lack. */
function playInsurance({ random, ledger, second, nowMs }: Game): void {
  const of = { account: randomOf(random, ["user", "sub"]), currency: randomOf(random, CURRENCIES) };
  const { marginBalance } = ledger.marginLevel(of);
  ledger.insure(of, nowMs);
  if (marginBalance < 0n) second.transfer("fees", of.account, of.currency, fromFixed(-marginBalance));
}

/** Lets time go on for a perpetual: what has passed of it before is told again, and may be over now. */
function playFunding(game: Game): void {
  const { random, second, running } = game;
  const perpetuals = MARKETS.filter(({ instrument }) => instrument.name.endsWith("-PERPETUAL"));
  const chosen = randomOf(random, [perpetuals[0]!, ...perpetuals.slice(1)]);
  const interest = randomInteger(random, -5000, 5000);
  second.fund(chosen.contract, q(interest, 10_000_000));
  fundUntilNow(game, chosen, (running.get(chosen) ?? 0) + interest, random() < 0.5);
}

function fundUntilNow({ ledger, running }: Game, each: TestMarket, interest: number, isOver: boolean): void {
  ledger.fund(each.instrument, { interest: interest / 1e7, isOver });
  if (isOver) running.delete(each);
  else running.set(each, interest);
}

function playSettlement({ ledger, second, nowMs }: Game): void {
  const before = ["user", "sub"].flatMap((account) => CURRENCIES.map((each) => ledger.summary(account, each).equity));
  ledger.settle(nowMs);
  second.settle();
  const after = ["user", "sub"].flatMap((account) => CURRENCIES.map((each) => ledger.summary(account, each).equity));
  assert.deepEqual(after, before, "settlement changes no equity");
}

function playDelivery({ random, ledger, second, prices, nowMs }: Game): void {
  const expiring = MARKETS.filter(({ instrument }) => instrument.expiresAtMs !== undefined);
  const { instrument, contract } = randomOf(random, [expiring[0]!, ...expiring.slice(1)]);
  const { index } = prices.get(instrument.name)!;
  ledger.deliver(instrument, index, nowMs);
  second.deliver(contract, fromFixed(index));
}

function playMove(game: Game): void {
  const { random, ledger, second, moved, nowMs } = game;
  const source = randomOf(random, ["user", "sub"]);
  const target = source === "user" ? "sub" : "user";
  const { instrument, contract, startTicks } = randomOf(random, MARKETS);
  if (instrument.kind === "spot") return;
  const amount = randomInteger(random, 1, 200);
  const price = randomInteger(random, Math.ceil(startTicks * 0.98), startTicks + 20);
  const result = ledger.move(source, target, [{ instrument: instrument.name, amount, price }], nowMs);
  if ("word" in result) return;
  for (const { direction, amount: size, price: at } of result) {
    const received = direction === "sell" ? size : -size;
    second.move([source, target], contract, fromFixed(received), fromFixed(at));
    for (const [account, change] of [
      [target, received],
      [source, -received],
    ] as const)
      moved.set(`${account} ${instrument.name}`, (moved.get(`${account} ${instrument.name}`) ?? 0n) + change);
  }
}

function playTransfer(game: Game): void {
  const { random, ledger, second, nowMs } = game;
  const from = randomOf(random, ["user", "sub"]);
  const to = from === "user" ? "sub" : "user";
  const currency = randomOf(random, CURRENCIES);
  const amount = BigInt(randomInteger(random, 1, 4_000_000_000));
  if (random() < 0.3) deposit(game, from, currency, Number(amount));
  else if (ledger.transfer(from, to, { currency, amount }, nowMs) === undefined)
    second.transfer(from, to, currency, fromFixed(amount));
}

function deposit({ ledger, second, nowMs }: Game, account: string, currency: string, amount: number): void {
  ledger.deposit(account, { currency, amount: BigInt(amount) }, nowMs);
  second.deposit(account, currency, fromFixed(BigInt(amount)));
}

/** Cancels all open orders and places others. */
function playOrders({ random, orders, ledger }: Game): void {
  for (const order of orders.splice(0))
    ledger.risk.take({ kind: "cancelled", order: { ...order, state: "cancelled" }, reason: "user_request" });
  for (let count = randomInteger(random, 0, 4); count > 0; count--) {
    const { instrument, startTicks } = randomOf(random, MARKETS);
    const direction = randomOf(random, ["buy", "sell"]);
    const amount = randomInteger(random, 1, 300);
    const order = openOrder(`user-order-${count}`, {
      account: "user",
      instrument: instrument.name,
      direction,
      amount,
      price: startTicks,
    });
    ledger.risk.take({ kind: "placed", order });
    orders.push(order);
  }
}

interface Summary extends AccountSummary {
  readonly account: string;
}

/** Checks what has to be true of one ledger alone. */
function checkIdentities({ ledger, moved }: Game, summaries: readonly Summary[]): void {
  for (const { account, ...all } of summaries) {
    const entries = ledger.log(account).filter(({ currency }) => currency === all.currency);
    const changes = entries.reduce((sum, { change }) => sum + change, 0n);
    assert.equal(all.balance, changes, `the log of ${account} in ${all.currency}`);
    assert.equal(all.balance, entries.at(-1)?.balance ?? 0n);
    assert.equal(all.marginBalance - all.initialMargin, all.availableFunds);
    assert.equal(all.equity, all.balance + all.futuresSessionUpl + all.futuresSessionRpl + all.optionsValue);
    assert.ok(all.initialMargin >= all.maintenanceMargin, `margin of ${account} in ${all.currency}`);
  }
  for (const account of ACCOUNTS) {
    const sequence = ledger.log(account).map(({ userSeq }) => userSeq);
    assert.deepEqual(
      sequence,
      sequence.map((_, index) => index + 1),
    );
    for (const { instrument } of MARKETS) {
      const { name, kind } = instrument;
      if (kind === "spot") continue;
      assert.equal(sizeOf(ledger, account, name), tradedSize(ledger, account, name, moved), `${account} ${name}`);
    }
  }
  for (const currency of CURRENCIES) {
    const all = ACCOUNTS.reduce((sum, account) => sum + ledger.balance(account, currency), 0n);
    assert.equal(all, 0n, `all ${currency}`);
  }
}

function sizeOf(ledger: ExchangeLedger, account: string, name: string): Fixed {
  const lot = MARKETS.find(({ instrument }) => instrument.name === name)!.instrument.lot;
  return fixedOfSteps(ledger.risk.position(account, name), lot);
}

/** Returns the size that the trades, the deliveries, and the moved positions of an account add up to. */
function tradedSize(ledger: ExchangeLedger, account: string, name: string, moved: ReadonlyMap<string, Fixed>): Fixed {
  const traded = ledger
    .trades(account)
    .filter(({ trade }) => trade.instrument === name)
    .reduce((sum, { direction, amount }) => sum + (direction === "buy" ? amount : -amount), 0n);
  const delivered = ledger
    .settlements()
    .filter((each) => each.type === "delivery" && each.account === account && each.instrument === name)
    .reduce((sum, { position }) => sum + position, 0n);
  return traded - delivered + (moved.get(`${account} ${name}`) ?? 0n);
}

/** Compares everything that both ledgers say. Average prices are shown only and may differ in the last digit. */
function compare({ ledger, second }: Game, summaries: readonly Summary[]): void {
  for (const { account, currency, balance, equity, deltaTotal } of summaries) {
    assert.equal(balance, units(second.balance(account, currency)), `balance of ${account} in ${currency}`);
    assert.equal(equity, units(second.equity(account, currency)), `equity of ${account} in ${currency}`);
    const delta = second.delta(account, currency);
    const gap = Math.abs(deltaTotal - Number(units(delta)) / 1e8);
    assert.ok(gap < 1e-6, `delta of ${account} in ${currency}: ${gap} off`);
  }
  for (const account of ACCOUNTS) {
    for (const report of ledger.positions(account)) {
      const { contract } = MARKETS.find(({ instrument }) => instrument.name === report.instrument.name)!;
      const { size, entry, total, unrealized, realized, initial, maintenance } = second.position(account, contract);
      assert.deepEqual(
        [
          report.size,
          report.totalProfitLoss,
          report.floatingProfitLoss,
          report.realizedProfitLoss,
          report.initialMargin,
          report.maintenanceMargin,
        ],
        [size, total, unrealized, realized, initial, maintenance].map(units),
        `${account} ${contract.name}`,
      );
      const gap = Math.abs(Number(report.averagePrice - units(entry)));
      assert.ok(gap <= 1, `average price of ${account} in ${contract.name}: ${gap} off`);
    }
  }
}
