import type { AccountId, TradedInstrument } from "../instrument.ts";
import { accountMargin, instrumentMargin } from "./accountMargin.ts";
import { coinsOf } from "./margin.ts";
import { larger, numberOf, payable, smaller, times, total, type Fixed } from "./money.ts";
import { averagePrice, profitOf, type Position } from "./position.ts";
import type { Prices } from "./prices.ts";
import { interestValue, mustFind, positionOf, positionsOf, type LedgerState } from "./state.ts";
import { isPaidInCoin } from "./valuation.ts";

/** A position at the prices of now. Money is in the settlement currency. */
export interface PositionReport {
  readonly instrument: TradedInstrument;
  /** Signed, in what amounts of orders count. */
  readonly size: Fixed;
  /** The size in coins. */
  readonly sizeCurrency: Fixed;
  /** The size of a future in the quote currency: of a linear one at the mark price. */
  readonly quoteValue: Fixed;
  readonly averagePrice: Fixed;
  readonly markPrice: Fixed;
  readonly indexPrice: Fixed;
  /** The mark price at the last settlement. */
  readonly settlementPrice: Fixed;
  /** Since the average price. */
  readonly totalProfitLoss: Fixed;
  /** Since the last settlement, of what is open. */
  readonly floatingProfitLoss: Fixed;
  /** Since the last settlement, of what was closed, with funding. */
  readonly realizedProfitLoss: Fixed;
  readonly realizedFunding: Fixed;
  /** What longs paid for one unit of amount since the beginning; 0 of what is not funded. */
  readonly interestValue: number;
  readonly initialMargin: Fixed;
  readonly maintenanceMargin: Fixed;
  readonly openOrdersMargin: Fixed;
  /** In coins, of the whole position, like the other sensitivities. */
  readonly delta: number;
  /** What the position adds to the delta of its account, in the settlement currency. */
  readonly deltaTotal: number;
  /** The other sensitivities are 0 for futures. */
  readonly gamma: number;
  readonly vega: number;
  readonly theta: number;
}

/** What an account has in one currency at the prices of now. */
export interface AccountSummary {
  readonly currency: string;
  readonly balance: Fixed;
  /** The balance and the profit of the session of futures. */
  readonly marginBalance: Fixed;
  /** The margin balance and the value of options. */
  readonly equity: Fixed;
  readonly initialMargin: Fixed;
  readonly maintenanceMargin: Fixed;
  /** The margin balance without the initial margin; may be below 0. */
  readonly availableFunds: Fixed;
  /** What may leave the account: profit that is not settled may not, while losses count. Never below 0. */
  readonly availableWithdrawalFunds: Fixed;
  readonly spotReserve: Fixed;
  readonly futuresPl: Fixed;
  readonly futuresSessionUpl: Fixed;
  readonly futuresSessionRpl: Fixed;
  readonly optionsPl: Fixed;
  readonly optionsSessionUpl: Fixed;
  readonly optionsSessionRpl: Fixed;
  readonly optionsValue: Fixed;
  readonly optionsDelta: number;
  readonly optionsGamma: number;
  readonly optionsVega: number;
  readonly optionsTheta: number;
  /** The delta of all positions, in the currency. */
  readonly deltaTotal: number;
}

/**
 * Returns the positions of an account, of one settlement currency where one is given, oldest first. One of size 0 is
 * listed until the next settlement.
 */
export function reportPositions(state: LedgerState, account: AccountId, currency?: string): PositionReport[] {
  return positionsOf(state, account)
    .filter(([instrument]) => currency === undefined || instrument.settlementCurrency === currency)
    .map(([instrument, position]) => reportPosition(state, account, instrument, position));
}

function reportPosition(
  state: LedgerState,
  account: AccountId,
  instrument: TradedInstrument,
  position: Position,
): PositionReport {
  const { prices } = state.ports;
  const markPrice = prices.mark(instrument);
  const { size } = position;
  const profit = profitOf(position, instrument, markPrice);
  const margin = state.margins(instrument, size);
  const greeks = prices.greeks(instrument);
  const coins = payable(coinsOf(instrument, size, markPrice));
  const delta = greeks === undefined ? numberOf(coins) * prices.deltaLeft(instrument) : greeks.delta * numberOf(size);
  return {
    instrument,
    size,
    sizeCurrency: coins,
    quoteValue: instrument.isInverse ? size : times(size, markPrice),
    averagePrice: averagePrice(position, instrument),
    markPrice,
    indexPrice: prices.index(instrument),
    settlementPrice: prices.settlement(instrument),
    totalProfitLoss: profit.total,
    floatingProfitLoss: profit.sessionUnrealized,
    realizedProfitLoss: profit.sessionRealized,
    realizedFunding: profit.sessionFunding,
    interestValue: interestValue(state, instrument.name),
    initialMargin: margin.initial,
    maintenanceMargin: margin.maintenance,
    openOrdersMargin:
      instrumentMargin(state, account, instrument, { currency: instrument.settlementCurrency }).initial -
      margin.initial,
    delta,
    deltaTotal: totalDelta(instrument, size, delta, prices),
    gamma: (greeks?.gamma ?? 0) * numberOf(size),
    vega: (greeks?.vega ?? 0) * numberOf(size),
    theta: (greeks?.theta ?? 0) * numberOf(size),
  };
}

/**
 * Returns what a position adds to the delta of its account, in the settlement currency. Of an option that is paid in
 * the coin its value is taken off, which moves with the coin's price: delta - mark price for one option, where the mark
 * price goes with the delta in the last 30 minutes. Coins count at their price where they are not the settlement
 * currency: a position of -0.001 in ETH_USDC-PERPETUAL was recorded as -1.96527 USDC.
 * https://docs.deribit.com/api-reference/account-management/private-get_account_summary
 * https://support.deribit.com/hc/en-us/articles/25944751433757-Delta-decay-during-settlement
 */
function totalDelta(instrument: TradedInstrument, size: Fixed, delta: number, prices: Prices): number {
  if (!isPaidInCoin(instrument)) return delta * numberOf(priceOfCoin(instrument, prices));
  if (instrument.kind !== "option") return delta;
  return delta - numberOf(times(size, prices.mark(instrument))) * prices.deltaLeft(instrument);
}

/** Returns what a coin is worth to a linear instrument: the mark of a future, or the future that an option is on. */
function priceOfCoin(instrument: TradedInstrument, prices: Prices): Fixed {
  return instrument.kind === "option" ? prices.underlying(instrument) : prices.mark(instrument);
}

/** Returns what an account has in a currency. */
export function summarize(state: LedgerState, account: AccountId, currency: string): AccountSummary {
  const reports = reportPositions(state, account, currency);
  const futures = reports.filter(({ instrument }) => instrument.kind === "future");
  const options = reports.filter(({ instrument }) => instrument.kind === "option");
  const cash = state.cash.balance(account, currency);
  const futuresSessionUpl = total(futures, ({ floatingProfitLoss }) => floatingProfitLoss);
  const futuresSessionRpl = total(futures, ({ realizedProfitLoss }) => realizedProfitLoss);
  const balance = cash + futuresSessionUpl + futuresSessionRpl;
  const margin = accountMargin(state, account, currency);
  const optionsValue = total(options, ({ size, markPrice }) => times(size, markPrice));
  const sum = (of: (report: PositionReport) => number): number => options.reduce((all, each) => all + of(each), 0);
  return {
    currency,
    balance: cash,
    marginBalance: balance,
    equity: balance + optionsValue,
    initialMargin: margin.initial,
    maintenanceMargin: margin.maintenance,
    availableFunds: balance - margin.initial,
    availableWithdrawalFunds: larger(0n, smaller(cash, balance) - margin.initial),
    spotReserve: margin.spotReserve,
    futuresPl: total(futures, ({ totalProfitLoss }) => totalProfitLoss),
    futuresSessionUpl,
    futuresSessionRpl,
    optionsPl: total(options, ({ totalProfitLoss }) => totalProfitLoss),
    optionsSessionUpl: total(options, ({ floatingProfitLoss }) => floatingProfitLoss),
    optionsSessionRpl: total(options, ({ realizedProfitLoss }) => realizedProfitLoss),
    optionsValue,
    optionsDelta: sum(({ delta }) => delta),
    optionsGamma: sum(({ gamma }) => gamma),
    optionsVega: sum(({ vega }) => vega),
    optionsTheta: sum(({ theta }) => theta),
    deltaTotal: reports.reduce((all, each) => all + each.deltaTotal, 0),
  };
}

/** Returns the cash and the profit of the session of futures, each position's rounded to 1e-8. */
export function marginBalance(state: LedgerState, account: AccountId, currency: string): Fixed {
  let balance = state.cash.balance(account, currency);
  // Asked with each order: no list is made of the positions that count.
  for (const name of state.positions.get(account)?.keys() ?? []) {
    const instrument = mustFind(state, name);
    if (instrument.kind !== "future" || instrument.settlementCurrency !== currency) continue;
    const profit = profitOf(positionOf(state, account, name), instrument, state.ports.prices.mark(instrument));
    balance += profit.sessionRealized + profit.sessionUnrealized;
  }
  return balance;
}
