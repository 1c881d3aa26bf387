import type { TradedInstrument } from "../../exchange/instrument.ts";
import type { ExchangeLedger } from "../../exchange/ledger/ledger.ts";
import type { LiquidationRatios } from "../../exchange/ledger/liquidationRatio.ts";
import { numberOf } from "../../exchange/ledger/money.ts";
import type { PositionReport } from "../../exchange/ledger/summary.ts";
import { fromSteps, roundToSteps } from "../../exchange/units.ts";
import { roundTo, type Json } from "../text/json.ts";

/** An object as it goes over the wire. */
export type WireMembers = { readonly [name: string]: Json | undefined };

/**
 * Returns the positions of an account that fit, with the exchange's names, oldest first. The estimated liquidation
 * price is that of the account: the exchange has one ratio for each currency and index, "multiplying it by future
 * position's market price returns its estimated liquidation price". So a short future has one below its mark where
 * longs outweigh it. https://docs.deribit.com/api-reference/account-management/private-get_account_summary
 */
export function describePositions(
  ledger: ExchangeLedger,
  account: string,
  isMeant: (instrument: TradedInstrument) => boolean,
): WireMembers[] {
  const known = new Map<string, LiquidationRatios>();
  const ratiosIn = (currency: string): LiquidationRatios => {
    const ratios = known.get(currency) ?? ledger.liquidationRatios(account, currency);
    known.set(currency, ratios);
    return ratios;
  };
  return ledger
    .positions(account)
    .filter(({ instrument }) => isMeant(instrument))
    .map((report) => {
      const { kind, settlementCurrency, indexName } = report.instrument;
      const ratio = kind === "future" ? ratiosIn(settlementCurrency).byIndex.get(indexName) : undefined;
      return positionMembers(report, report.size === 0n ? undefined : ratio);
    });
}

/**
 * Returns a position with the exchange's names. A position of size 0 is listed until the next settlement, with the
 * direction `zero`. The size of a future counts the quote currency, that of a linear one too, and an option's coins.
 * https://docs.deribit.com/api-reference/account-management/private-get_positions
 */
function positionMembers(report: PositionReport, liquidationRatio: number | undefined): WireMembers {
  const { instrument, size, quoteValue } = report;
  const { kind, name } = instrument;
  return {
    instrument_name: name,
    kind,
    direction: size === 0n ? "zero" : size > 0n ? "buy" : "sell",
    size: numberOf(kind === "option" ? size : quoteValue),
    average_price: numberOf(report.averagePrice),
    mark_price: numberOf(report.markPrice),
    index_price: numberOf(report.indexPrice),
    settlement_price: numberOf(report.settlementPrice),
    total_profit_loss: numberOf(report.totalProfitLoss),
    floating_profit_loss: numberOf(report.floatingProfitLoss),
    realized_profit_loss: numberOf(report.realizedProfitLoss),
    initial_margin: numberOf(report.initialMargin),
    maintenance_margin: numberOf(report.maintenanceMargin),
    open_orders_margin: numberOf(report.openOrdersMargin),
    delta: rounded(report.delta),
    ...(kind === "option" ? optionMembers(report) : futureMembers(report, liquidationRatio)),
  };
}

/** The members of what is isolated: of an order, a trade, or a position of a hidden subaccount. Others have none. */
export interface IsolatedMarks {
  readonly main_uid?: number;
  readonly isolated?: boolean;
}

/** Returns the marks of what belongs to an account. `isolatedOf`: its main account, where it is a hidden subaccount. */
export function isolatedMarks({ isolatedOf }: { readonly isolatedOf?: number } = {}): IsolatedMarks {
  return isolatedOf === undefined ? {} : { main_uid: isolatedOf, isolated: true };
}

/** Returns a position with the marks of its account. */
export function withMarks(position: WireMembers, account: number, marks: IsolatedMarks): WireMembers {
  return marks.isolated === true ? { ...position, user_id: account, ...marks } : position;
}

/** Returns the position that an account without one has: the exchange describes it with size 0. */
export function emptyPosition(
  { name, kind }: PositionReport["instrument"],
  prices: { readonly mark: number; readonly index: number; readonly settlement: number },
): WireMembers {
  return {
    instrument_name: name,
    kind,
    direction: "zero",
    size: 0,
    ...(kind === "option" ? {} : { size_currency: 0 }),
    average_price: 0,
    mark_price: prices.mark,
    index_price: prices.index,
    settlement_price: prices.settlement,
    total_profit_loss: 0,
    floating_profit_loss: 0,
    realized_profit_loss: 0,
    initial_margin: 0,
    maintenance_margin: 0,
    open_orders_margin: 0,
    delta: 0,
  };
}

/**
 * Returns what only futures have. Funding follows from how `interest_value` changes, the same value as in the ticker;
 * what it counts is not documented, and it is what one unit of amount paid here. The leverage is that which the margin
 * of the position allows, as the nearest whole number: a position of 1 USD in ETH-PERPETUAL was recorded with 50.
 */
function futureMembers(
  { instrument, sizeCurrency, quoteValue, initialMargin, markPrice, realizedFunding, interestValue }: PositionReport,
  liquidationRatio: number | undefined,
): WireMembers {
  const isPerpetual = instrument.expiresAtMs === undefined;
  const value = Math.abs(numberOf(instrument.isInverse ? sizeCurrency : quoteValue));
  return {
    size_currency: numberOf(sizeCurrency),
    leverage: initialMargin === 0n ? undefined : Math.round(value / numberOf(initialMargin)),
    realized_funding: isPerpetual ? numberOf(realizedFunding) : undefined,
    interest_value: isPerpetual ? interestValue : undefined,
    estimated_liquidation_price:
      liquidationRatio === undefined ? null : priceOn(instrument, numberOf(markPrice) * liquidationRatio),
  };
}

function priceOn({ tick }: TradedInstrument, price: number): number {
  return fromSteps(roundToSteps(price, tick, "nearest"), tick);
}

/** Returns what only options have: their sensitivities, and prices in USD where the premium is paid in the coin. */
function optionMembers({
  instrument,
  averagePrice,
  floatingProfitLoss,
  indexPrice,
  ...greeks
}: PositionReport): WireMembers {
  const isInCoin = instrument.baseCurrency === instrument.settlementCurrency;
  const inUsd = (value: bigint): number => roundTo(numberOf(value) * (isInCoin ? numberOf(indexPrice) : 1), 0.01);
  return {
    gamma: rounded(greeks.gamma),
    vega: rounded(greeks.vega),
    theta: rounded(greeks.theta),
    average_price_usd: inUsd(averagePrice),
    floating_profit_loss_usd: inUsd(floatingProfitLoss),
  };
}

/** Rounds a sensitivity, which is a number and no money. */
export function rounded(value: number): number {
  return roundTo(value, 1e-8);
}
