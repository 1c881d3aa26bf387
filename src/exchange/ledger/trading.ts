import { opposite, type AccountId, type ExchangeTrade, type TradedInstrument, type Side } from "../instrument.ts";
import { keepLatest } from "../keepLatest.ts";
import type { EntryDetails } from "./cash.ts";
import { feeOf, feeRates, tradeFeeCurrency } from "./fees.ts";
import { fixedOfSteps, magnitude, payable, times, type Fixed } from "./money.ts";
import { fill } from "./position.ts";
import { mustFind, positionOf, signed, type AccountTrade, type LedgerState } from "./state.ts";

/** Books a trade on the accounts of its maker and its taker, in this order. */
export function bookTrade(state: LedgerState, trade: ExchangeTrade): void {
  bookSide(state, trade, "maker", opposite(trade.direction));
  bookSide(state, trade, "taker", trade.direction);
}

/** What one account did in a trade or a moved position. */
interface Deal {
  readonly account: AccountId;
  readonly instrument: TradedInstrument;
  /** Signed. */
  readonly amount: Fixed;
  readonly price: Fixed;
  readonly fee: Fixed;
  readonly entry: Pick<EntryDetails, "atMs" | "trade" | "orderId" | "role" | "isLiquidation" | "other">;
}

function bookSide(state: LedgerState, trade: ExchangeTrade, role: "maker" | "taker", direction: Side): void {
  const instrument = mustFind(state, trade.instrument);
  if (instrument.kind.endsWith("_combo")) throw new RangeError(`${instrument.name} is a combo: its legs are booked.`);
  const { account, orderId, isLiquidation } = trade[role];
  const amount = fixedOfSteps(trade.amount, instrument.lot);
  const price = fixedOfSteps(trade.price, instrument.tick);
  const indexPrice = state.ports.prices.index(instrument);
  const rate = feeRates(instrument)[isLiquidation === true ? "liquidation" : role];
  const signedAmount = signed(amount, direction);
  const fee = feeOf(instrument, { amount: signedAmount, price, indexPrice, rate });
  const profitLoss = bookDeal(state, {
    account,
    instrument,
    amount: signedAmount,
    price,
    fee,
    entry: {
      atMs: trade.atMs,
      trade,
      orderId,
      role,
      ...(isLiquidation === undefined ? {} : { isLiquidation }),
    },
  });
  const booked: AccountTrade = {
    trade,
    account,
    orderId,
    direction,
    role,
    amount,
    price,
    fee,
    feeCurrency: tradeFeeCurrency(instrument, direction),
    profitLoss,
    markPrice: state.ports.prices.mark(instrument),
    indexPrice,
    underlyingPrice: instrument.kind === "option" ? state.ports.prices.underlying(instrument) : undefined,
  };
  const trades = state.trades.get(account) ?? [];
  state.trades.set(account, trades);
  keepLatest(trades, booked, state.ports.keptEntries(account), (each) => each.trade.atMs);
  state.ports.onTrade(booked);
}

function bookDeal(state: LedgerState, deal: Deal): Fixed | undefined {
  const profitLoss = deal.instrument.kind === "spot" ? undefined : bookDerivative(state, deal);
  if (deal.instrument.kind === "spot") bookSpot(state, deal);
  bookFee(state, deal);
  return profitLoss;
}

/**
 * Books both currencies of a spot trade. In recorded logs the entry in the base currency opens, and that in the quote
 * currency closes; each has its own amount.
 */
function bookSpot(state: LedgerState, { account, instrument, amount, price, fee, entry }: Deal): void {
  const direction = directionOf(amount);
  const post = (does: "open" | "close", currency: string, cashflow: Fixed): void => {
    const commission = currency === tradeFeeCurrency(instrument, direction) ? fee : 0n;
    state.cash.post(account, {
      ...entry,
      type: "trade",
      instrument: instrument.name,
      side: `${does} ${direction}`,
      amount: magnitude(cashflow),
      price,
      currency,
      change: cashflow - commission,
      cashflow,
      commission,
    });
  };
  post("open", instrument.baseCurrency, amount);
  post("close", instrument.quoteCurrency, -times(amount, price));
}

function directionOf(amount: Fixed): Side {
  return amount > 0n ? "buy" : "sell";
}

/**
 * Books a future or an option. The premium of an option is paid at once; the profit of a future waits for settlement,
 * so that its fee alone changes the cash.
 */
function bookDerivative(state: LedgerState, { account, instrument, amount, price, fee, entry }: Deal): Fixed {
  const position = positionOf(state, account, instrument.name);
  const { realized, isClosing } = fill(position, instrument, amount, price);
  const isOption = instrument.kind === "option";
  const cashflow = isOption ? -times(amount, price) : payable(realized);
  state.cash.post(account, {
    ...entry,
    type: "trade",
    currency: instrument.settlementCurrency,
    change: (isOption ? cashflow : 0n) - fee,
    cashflow,
    commission: fee,
    instrument: instrument.name,
    side: `${isClosing ? "close" : "open"} ${directionOf(amount)}`,
    position: position.size,
    amount: magnitude(amount),
    price,
    markPrice: state.ports.prices.mark(instrument),
    indexPrice: state.ports.prices.index(instrument),
  });
  return payable(realized);
}

function bookFee(state: LedgerState, { instrument, amount, fee, entry: { atMs, trade } }: Deal): void {
  if (fee === 0n) return;
  state.cash.post(state.ports.feeAccount, {
    type: "trade",
    atMs,
    currency: tradeFeeCurrency(instrument, directionOf(amount)),
    change: fee,
    cashflow: fee,
    commission: 0n,
    instrument: instrument.name,
    ...(trade === undefined ? {} : { trade }),
  });
}

/** A part of a position that changes its account. */
export interface PositionMove {
  readonly instrument: TradedInstrument;
  /** Signed as the target receives it. */
  readonly amount: Fixed;
  readonly price: Fixed;
}

/** Books a moved position on both accounts: a trade without fees that no book and no tape knows. */
export function bookMove(
  state: LedgerState,
  accounts: { readonly source: AccountId; readonly target: AccountId },
  { instrument, amount, price }: PositionMove,
  atMs: number,
): void {
  const { source, target } = accounts;
  const common = { instrument, price, fee: 0n };
  bookDeal(state, { ...common, account: source, amount: -amount, entry: { atMs, other: target } });
  bookDeal(state, { ...common, account: target, amount, entry: { atMs, other: source } });
}

/** Books a position that an account begins with: the other account gets the opposite one, and no money moves. */
export function bookOpening(
  state: LedgerState,
  accounts: { readonly source: AccountId; readonly target: AccountId },
  { instrument, amount, price }: PositionMove,
): void {
  fill(positionOf(state, accounts.source, instrument.name), instrument, -amount, price);
  fill(positionOf(state, accounts.target, instrument.name), instrument, amount, price);
}
