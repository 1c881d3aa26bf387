import type { AccountId, TradedInstrument } from "../instrument.ts";
import type { Refusal } from "../refusal.ts";
import type { Risk } from "../risk.ts";
import { type Lots, type Ticks, divideRounded } from "../units.ts";
import { orderCurrency, orderMargin, setReserve } from "./accountMargin.ts";
import { createCashBooks, type LogEntry } from "./cash.ts";
import { liquidationRatios, type LiquidationRatios } from "./liquidationRatio.ts";
import {
  insure,
  marginLevel,
  setLocked,
  shortOfMargin,
  type AccountCurrency,
  type MarginLevel,
  refuseControl,
} from "./maintenance.ts";
import { createMargins } from "./margin.ts";
import { larger, total, type Fixed, FIXED_ONE, times, fixedOfSteps, magnitude } from "./money.ts";
import { createOpenOrders } from "./openOrders.ts";
import { createRisk, marginsOf, type OrderMargins, refuseOrder } from "./risk.ts";
import { deliver, fund, settle, type Interest } from "./settlement.ts";
import {
  interestValue,
  mustFind,
  pay,
  type AccountTrade,
  type LedgerPorts,
  type LedgerState,
  type MarginReserve,
  type Settlement,
  positionOf,
  signed,
  sizeOf,
} from "./state.ts";
import { reportPositions, summarize, type AccountSummary, type PositionReport } from "./summary.ts";
import { bookOpening, type PositionMove, bookMove } from "./trading.ts";
import { fill, type Position } from "./position.ts";

/** Money of one currency that moves between accounts. */
interface Money {
  readonly currency: string;
  /** Above 0. */
  readonly amount: Fixed;
}

/**
 * The accounts of an exchange: cash, positions, and the log of what changed the cash. All cash of all accounts adds up
 * to 0 in every currency, exactly, at any time.
 */
export interface ExchangeLedger {
  /** What matching asks before an order rests or trades, and tells of orders and trades: here trades are booked. */
  readonly risk: Risk;
  /** Adds the funding of a perpetual over a time. */
  fund(instrument: TradedInstrument, interest: Interest): void;
  /** Turns the profit of the session of every future into cash, at the mark prices of now. */
  settle(atMs: number): void;
  /** Closes every position of an instrument that expires. */
  deliver(instrument: TradedInstrument, deliveryPrice: Fixed, atMs: number): void;
  /** Gives an account money of the market's account. */
  deposit(account: AccountId, money: Money, atMs: number): void;
  /** Gives an account a position that it begins with, bought of the market's account at a price; no money moves. */
  open(account: AccountId, position: PositionMove): void;
  /** Moves money between accounts, or returns why not. */
  transfer(from: AccountId, to: AccountId, money: Money, atMs: number): Refusal | undefined;
  /** Moves parts of positions from one account to another, all of them or none. */
  move(
    source: AccountId,
    target: AccountId,
    moves: readonly AskedMove[],
    atMs: number,
  ): readonly MovedPosition[] | Refusal;
  /** Returns why an account may not change its margin model: there is one only. */
  refusesMarginModel(model: string): Refusal | undefined;
  /** Keeps margin for protected orders of an account under a name, or no more. Returns why not: the funds are short. */
  reserve(account: AccountId, name: string, reserve: MarginReserve | undefined): Refusal | undefined;
  balance(account: AccountId, currency: string): Fixed;
  /** Returns the currencies in which an account has or had money, in the order of their first use. */
  currencies(account: AccountId): readonly string[];
  summary(account: AccountId, currency: string): AccountSummary;
  /** Returns what an account would have with other positions. Throws a RangeError for an unknown instrument. */
  simulate(account: AccountId, currency: string, positions: SimulatedPositions): SimulatedHolding;
  positions(account: AccountId): readonly PositionReport[];
  /** Returns how far the prices of futures are from those at which an account would be liquidated. */
  liquidationRatios(account: AccountId, currency: string): LiquidationRatios;
  /** Returns the accounts of users whose maintenance margin has reached their margin balance. */
  shortOfMargin(): readonly AccountCurrency[];
  marginLevel(of: AccountCurrency): MarginLevel;
  /** Takes an account's control over its orders in a currency, or gives it back. */
  setLocked(of: AccountCurrency, isLocked: boolean): void;
  /** Lets the fee account pay what an account lacks to a margin balance of 0; nothing where it lacks nothing. */
  insure(of: AccountCurrency, atMs: number): void;
  /** Returns the sum of all long positions in an instrument, which is that of the short ones too. */
  openInterest(instrument: string): Fixed;
  /** Returns what longs paid for one unit of amount of a perpetual since the beginning. */
  interestValue(instrument: string): number;
  /** Returns the margin that an open order alone needs; undefined when there is none with the ID. */
  orderMargin(orderId: string): { readonly initialMargin: Fixed; readonly currency: string } | undefined;
  /** Returns what an order needs on either side where there is no position and no other order. */
  margins(instrument: TradedInstrument, amount: Lots, price: Ticks): OrderMargins;
  /** Returns the transaction log of an account, oldest first. */
  log(account: AccountId): readonly LogEntry[];
  /** Returns the trades of an account, oldest first. */
  trades(account: AccountId): readonly AccountTrade[];
  /** Returns settlements and deliveries of all accounts, oldest first. */
  settlements(): readonly Settlement[];
}

/** The one margin model. */
export const MARGIN_MODEL = "segregated_sm";

/** Makes a ledger without money. */
export function createExchangeLedger(ports: LedgerPorts): ExchangeLedger {
  const state: LedgerState = {
    ports,
    cash: createCashBooks(ports.keptEntries, ports.onEntry ?? (() => undefined)),
    orders: createOpenOrders(),
    margins: createMargins(ports.prices),
    positions: new Map(),
    reserves: new Map(),
    fundingPerUnit: new Map(),
    trades: new Map(),
    settlements: [],
    locked: new Map(),
  };
  return {
    risk: createRisk(state),
    fund: (instrument, interest) => fund(state, instrument, interest),
    settle: (atMs) => settle(state, atMs),
    deliver: (instrument, deliveryPrice, atMs) => deliver(state, instrument, deliveryPrice, atMs),
    deposit: (account, { currency, amount }, atMs) =>
      pay(state, ports.marketAccount, account, { type: "deposit", atMs, currency, change: amount, cashflow: amount }),
    open: (account, position) => bookOpening(state, { source: ports.marketAccount, target: account }, position),
    transfer(from, to, { currency, amount }, atMs) {
      if (amount > summarize(state, from, currency).availableWithdrawalFunds) return { word: "not_enough_funds" };
      pay(state, from, to, { type: "transfer", atMs, currency, change: amount, cashflow: amount });
      return undefined;
    },
    move: (source, target, moves, atMs) => movePositions(state, { source, target }, moves, atMs),
    refusesMarginModel: (model) =>
      model === MARGIN_MODEL ? undefined : { word: "other_reject", detail: "margin_model_not_supported" },
    reserve(account, name, reserve) {
      const funds = (currency: string): Fixed => summarize(state, account, currency).availableFunds;
      return setReserve(state, account, name, { reserve, funds }) ? undefined : { word: "not_enough_funds" };
    },
    balance: (account, currency) => state.cash.balance(account, currency),
    currencies: (account) => state.cash.currencies(account),
    summary: (account, currency) => summarize(state, account, currency),
    simulate: (account, currency, positions) => simulatePositions(state, account, currency, positions),
    positions: (account) => reportPositions(state, account),
    liquidationRatios: (account, currency) => liquidationRatios(state, account, currency),
    shortOfMargin: () => shortOfMargin(state),
    marginLevel: (of) => marginLevel(state, of),
    setLocked: (of, isLocked) => setLocked(state, of, isLocked),
    insure: (of, atMs) => insure(state, of, atMs),
    openInterest: (instrument) =>
      total(state.positions.values(), (positions) => larger(0n, positions.get(instrument)?.size ?? 0n)),
    interestValue: (instrument) => interestValue(state, instrument),
    orderMargin(orderId) {
      const order = state.orders.find(orderId);
      if (order === undefined) return undefined;
      const instrument = mustFind(state, order.instrument);
      return {
        initialMargin: orderMargin(order, instrument, ports.prices),
        currency: orderCurrency(instrument, order),
      };
    },
    margins: (instrument, amount, price) => marginsOf(state, instrument, amount, price),
    log: (account) => state.cash.log(account),
    trades: (account) => state.trades.get(account) ?? [],
    settlements: () => state.settlements,
  };
}

/** Positions that an account is thought to have. */
interface SimulatedPositions {
  /** Whether they come on top of the positions and orders that the account has. */
  readonly isAdded: boolean;
  /** Signed sizes by instrument: of futures in the quote currency, of options in coins. */
  readonly sizes: ReadonlyMap<string, Fixed>;
}

/** What an account would have. */
interface SimulatedHolding {
  readonly summary: AccountSummary;
  readonly positions: readonly PositionReport[];
}

/**
 * Returns what an account would have in a currency with other positions, bought and sold at the mark prices of now
 * without fees. It changes nothing.
 */
function simulatePositions(
  state: LedgerState,
  account: AccountId,
  currency: string,
  { isAdded, sizes }: SimulatedPositions,
): SimulatedHolding {
  const own = isAdded ? [...(state.positions.get(account) ?? [])] : [];
  const positions = new Map(own.map(([name, position]): [string, Position] => [name, { ...position }]));
  const simulated: LedgerState = {
    ...state,
    positions: new Map([[account, positions]]),
    orders: isAdded ? state.orders : createOpenOrders(),
    reserves: isAdded ? state.reserves : new Map<AccountId, Map<string, MarginReserve>>(),
  };
  let paid = 0n;
  for (const [name, size] of sizes) {
    const instrument = mustFind(state, name);
    const price = state.ports.prices.mark(instrument);
    fill(positionOf(simulated, account, name), instrument, amountOf(instrument, size, price), price);
    if (instrument.kind === "option" && instrument.settlementCurrency === currency) paid += times(size, price);
  }
  const balance = state.cash.balance(account, currency) - paid;
  return {
    summary: summarize({ ...simulated, cash: { ...state.cash, balance: () => balance } }, account, currency),
    positions: reportPositions(simulated, account, currency),
  };
}

/** Returns a size in what amounts of orders count: that of a linear future is worth it at the mark price. */
function amountOf({ kind, isInverse }: TradedInstrument, size: Fixed, markPrice: Fixed): Fixed {
  return kind === "future" && !isInverse ? divideRounded(size * FIXED_ONE, markPrice, "nearest") : size;
}

/** A part of a position that is to be moved to another account. */
export interface AskedMove {
  readonly instrument: string;
  readonly amount: Lots;
  /** The mark price when undefined. */
  readonly price: Ticks | undefined;
}

/** A moved part of a position; the direction is that of the source. */
interface MovedPosition {
  readonly instrument: string;
  readonly direction: "buy" | "sell";
  readonly amount: Fixed;
  readonly price: Fixed;
}

/** The source has not as much of the position. The exchange's own code for this is not published. */
const NO_SUCH_POSITION: Refusal = { word: "other_reject", detail: "position_too_small" };

/** Moves parts of positions from one account to another, all of them or none; returns them or why not. */
function movePositions(
  state: LedgerState,
  accounts: { readonly source: AccountId; readonly target: AccountId },
  asked: readonly AskedMove[],
  atMs: number,
): readonly MovedPosition[] | Refusal {
  const moves: PositionMove[] = [];
  const left = new Map<string, Fixed>();
  for (const { instrument: name, amount, price } of asked) {
    const instrument = mustFind(state, name);
    const size = sizeOf(state, accounts.source, name);
    const lots = fixedOfSteps(amount, instrument.lot);
    const rest = (left.get(name) ?? magnitude(size)) - lots;
    if (rest < 0n) return NO_SUCH_POSITION;
    left.set(name, rest);
    const direction = size > 0n ? "buy" : "sell";
    const received = { instrument: name, direction, amount, price, reduceOnly: false, replaces: undefined } as const;
    const refusal = refuseControl(state, accounts.source, name) ?? refuseOrder(state, accounts.target, received);
    if (refusal !== undefined) return refusal;
    moves.push({
      instrument,
      amount: signed(lots, direction),
      price: price === undefined ? state.ports.prices.mark(instrument) : fixedOfSteps(price, instrument.tick),
    });
  }
  for (const move of moves) bookMove(state, accounts, move, atMs);
  return moves.map(({ instrument, amount, price }) => ({
    instrument: instrument.name,
    direction: amount > 0n ? "sell" : "buy",
    amount: magnitude(amount),
    price,
  }));
}
