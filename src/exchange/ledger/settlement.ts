import type { AccountId, TradedInstrument } from "../instrument.ts";
import { divideRounded } from "../units.ts";
import { keepLatest } from "../keepLatest.ts";
import { feeOf, feeRates } from "./fees.ts";
import { strikeOf } from "./margin.ts";
import { FINE_ONE, FIXED_ONE, magnitude, times, type Fixed } from "./money.ts";
import { beginSession, profitOf, type Position } from "./position.ts";
import { positionsOf, type LedgerState, type Settlement } from "./state.ts";
import { payoutOf } from "./valuation.ts";

/*
 * How profit becomes cash: at 08:00 UTC of each day for futures, and at the end of an instrument. Each account's money
 * is rounded for itself; what that leaves over goes to the fee account, so that no money is made or lost.
 */

/** The funding of a perpetual over a time, as the part of its value that longs pay to shorts. */
export interface Interest {
  /** Rounded to 1e-16; that of one unit of amount is rounded to 1e-24. */
  readonly interest: number;
  /**
   * Whether the time is over. Until then the same time is told again with what was added to it since, so that it makes
   * no difference how often it is told.
   */
  readonly isOver: boolean;
}

/**
 * Adds the funding of a perpetual over a time, at the index price of now. It counts for the position of each moment:
 * one that changes while the time is not over has paid for what it was.
 * https://support.deribit.com/hc/en-us/articles/31424939178397-Funding-Specifications
 */
export function fund(state: LedgerState, instrument: TradedInstrument, { interest, isOver }: Interest): void {
  const index = state.ports.prices.index(instrument);
  const part = BigInt(Math.round(interest * 1e16));
  const scale = FINE_ONE / 10n ** 16n;
  const perUnit = instrument.isInverse
    ? divideRounded(part * scale * FIXED_ONE, index, "nearest")
    : (part * scale * index) / FIXED_ONE;
  const before = state.fundingPerUnit.get(instrument.name)?.over ?? 0n;
  state.fundingPerUnit.set(instrument.name, { over: isOver ? before + perUnit : before, now: before + perUnit });
}

/** Ends the session of all that is open: the profit of futures becomes cash, that of options starts again at 0. */
export function settle(state: LedgerState, atMs: number): void {
  const paid = new Map<string, Fixed>();
  for (const account of [...state.positions.keys()]) {
    for (const [instrument, position] of positionsOf(state, account)) {
      if (instrument.kind === "future") payProfit(state, { account, instrument, position, atMs, paid });
      beginSession(position, instrument, state.ports.prices.mark(instrument));
      if (position.size === 0n) state.positions.get(account)?.delete(instrument.name);
    }
  }
  balance(state, paid, "settlement", atMs);
}

interface Settling {
  readonly account: AccountId;
  readonly instrument: TradedInstrument;
  readonly position: Position;
  readonly atMs: number;
  /** What the accounts were paid in all, by currency. */
  readonly paid: Map<string, Fixed>;
}

function payProfit(state: LedgerState, { account, instrument, position, atMs, paid }: Settling): void {
  const markPrice = state.ports.prices.mark(instrument);
  const indexPrice = state.ports.prices.index(instrument);
  const profit = profitOf(position, instrument, markPrice);
  const change = profit.sessionRealized + profit.sessionUnrealized;
  const currency = instrument.settlementCurrency;
  state.cash.post(account, {
    type: "settlement",
    atMs,
    currency,
    change,
    cashflow: change,
    commission: 0n,
    instrument: instrument.name,
    side: sideOf(position),
    position: position.size,
    settlementPrice: markPrice,
    markPrice,
    indexPrice,
    sessionRpl: profit.sessionRealized,
    sessionUpl: profit.sessionUnrealized,
    totalInterestPl: profit.sessionFunding,
  });
  paid.set(currency, (paid.get(currency) ?? 0n) + change);
  remember(state, {
    type: "settlement",
    account,
    atMs,
    instrument: instrument.name,
    position: position.size,
    indexPrice,
    markPrice,
    sessionProfitLoss: change,
    profitLoss: profit.total,
    funding: profit.sessionFunding,
  });
}

/**
 * Delivers an instrument at the end of its life and closes every position in it: a future at the delivery price, an
 * option at what it pays. The delivery fee goes to the fee account.
 */
export function deliver(state: LedgerState, instrument: TradedInstrument, deliveryPrice: Fixed, atMs: number): void {
  const paid = new Map<string, Fixed>();
  for (const account of [...state.positions.keys()]) {
    const position = positionsOf(state, account).find(([each]) => each.name === instrument.name)?.[1];
    if (position === undefined) continue;
    payDelivery(state, { account, instrument, position, atMs, paid }, deliveryPrice);
    state.positions.get(account)?.delete(instrument.name);
  }
  balance(state, paid, "delivery", atMs);
}

function payDelivery(
  state: LedgerState,
  { account, instrument, position, atMs, paid }: Settling,
  deliveryPrice: Fixed,
): void {
  const isOption = instrument.kind === "option";
  const price = isOption ? payoutOf(instrument, strikeOf(instrument), deliveryPrice) : deliveryPrice;
  const profit = profitOf(position, instrument, price);
  const session = profit.sessionRealized + profit.sessionUnrealized;
  const cashflow = isOption ? times(position.size, price) : session;
  const rate = feeRates(instrument).delivery;
  const fee = feeOf(instrument, { amount: position.size, price, indexPrice: deliveryPrice, rate });
  // An order alone makes a position of size 0, which pays nothing.
  if (position.size === 0n && cashflow === 0n) return;
  const currency = instrument.settlementCurrency;
  state.cash.post(account, {
    type: "delivery",
    atMs,
    currency,
    change: cashflow - fee,
    cashflow,
    commission: fee,
    instrument: instrument.name,
    side: sideOf(position),
    position: 0n,
    amount: magnitude(position.size),
    price,
    settlementPrice: deliveryPrice,
    markPrice: price,
    indexPrice: deliveryPrice,
    sessionRpl: profit.sessionRealized,
    sessionUpl: profit.sessionUnrealized,
  });
  paid.set(currency, (paid.get(currency) ?? 0n) + cashflow - fee);
  remember(state, {
    type: "delivery",
    account,
    atMs,
    instrument: instrument.name,
    position: position.size,
    indexPrice: deliveryPrice,
    markPrice: price,
    sessionProfitLoss: session,
    profitLoss: profit.total,
    funding: profit.sessionFunding,
  });
}

function sideOf({ size }: Position): "long" | "short" | "-" {
  if (size === 0n) return "-";
  return size > 0n ? "long" : "short";
}

/** Books the other side of what was paid. */
function balance(
  state: LedgerState,
  paid: ReadonlyMap<string, Fixed>,
  type: "settlement" | "delivery",
  atMs: number,
): void {
  for (const [currency, change] of paid) {
    if (change === 0n) continue;
    const money = { currency, change: -change, cashflow: -change, commission: 0n };
    state.cash.post(state.ports.feeAccount, { type, atMs, ...money });
  }
}

/** How many settlements of all accounts are kept, and up to twice as many. There are few of them in a day. */
const KEPT_SETTLEMENTS = 10_000;

function remember(state: LedgerState, settlement: Settlement): void {
  keepLatest(state.settlements, settlement, KEPT_SETTLEMENTS);
}
