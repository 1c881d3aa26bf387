import { MARGIN_MODEL } from "../../exchange/ledger/ledger.ts";
import type { LiquidationRatios } from "../../exchange/ledger/liquidationRatio.ts";
import { numberOf, total, type Fixed } from "../../exchange/ledger/money.ts";
import type { AccountSummary, PositionReport } from "../../exchange/ledger/summary.ts";
import { nextSettlement } from "../../exchange/market/calendar.ts";
import type { Venue } from "../market/venue.ts";
import { rounded, type WireMembers } from "../market/positions.ts";

/** Returns what an account has in a currency, as it goes over the wire. */
export function portfolioMembers(
  { ledger, marketMs }: Pick<Venue, "ledger" | "marketMs">,
  accountId: number,
  currency: string,
): WireMembers {
  const account = String(accountId);
  const positions = ledger.positions(account).filter(({ instrument }) => instrument.settlementCurrency === currency);
  return {
    ...portfolioOf(ledger.summary(account, currency), positions, marketMs),
    ...liquidationMembers(ledger.liquidationRatios(account, currency), positions),
  };
}

/** Returns how far the account is from a liquidation; 0 where no price of futures gets it there. */
function liquidationMembers({ all, byIndex }: LiquidationRatios, positions: readonly PositionReport[]): WireMembers {
  const indexes = new Set(positions.map(({ instrument }) => instrument.indexName));
  return {
    estimated_liquidation_ratio: rounded(all ?? 0),
    estimated_liquidation_ratio_map: Object.fromEntries([...indexes].map((name) => [name, byIndex.get(name) ?? 0])),
  };
}

/**
 * Returns what an account has, or would have, in a currency, with the exchange's names: in summaries, and in the events
 * of a portfolio. Money has up to eight decimals in every currency, as the ledger keeps it, so that sums are exact.
 * https://docs.deribit.com/subscriptions/user/userportfoliocurrency
 */
export function portfolioOf(summary: AccountSummary, positions: readonly PositionReport[], nowMs: number): WireMembers {
  return {
    currency: summary.currency,
    balance: numberOf(summary.balance),
    equity: numberOf(summary.equity),
    margin_balance: numberOf(summary.marginBalance),
    initial_margin: numberOf(summary.initialMargin),
    maintenance_margin: numberOf(summary.maintenanceMargin),
    available_funds: numberOf(summary.availableFunds),
    available_withdrawal_funds: numberOf(summary.availableWithdrawalFunds),
    spot_reserve: numberOf(summary.spotReserve),
    additional_reserve: 0,
    locked_balance: 0,
    fee_balance: 0,
    ...profitMembers(summary),
    ...sensitivityMembers(summary, positions),
    ...projectedMembers(summary, positions, nowMs),
    portfolio_margining_enabled: false,
    cross_collateral_enabled: false,
    margin_model: MARGIN_MODEL,
  };
}

function profitMembers(summary: AccountSummary): WireMembers {
  return {
    total_pl: numberOf(summary.futuresPl + summary.optionsPl),
    session_upl: numberOf(summary.futuresSessionUpl + summary.optionsSessionUpl),
    session_rpl: numberOf(summary.futuresSessionRpl + summary.optionsSessionRpl),
    futures_pl: numberOf(summary.futuresPl),
    futures_session_upl: numberOf(summary.futuresSessionUpl),
    futures_session_rpl: numberOf(summary.futuresSessionRpl),
    options_pl: numberOf(summary.optionsPl),
    options_session_upl: numberOf(summary.optionsSessionUpl),
    options_session_rpl: numberOf(summary.optionsSessionRpl),
    options_value: numberOf(summary.optionsValue),
  };
}

function sensitivityMembers(summary: AccountSummary, positions: readonly PositionReport[]): WireMembers {
  const options = positions.filter(({ instrument }) => instrument.kind === "option");
  return {
    options_delta: rounded(summary.optionsDelta),
    options_gamma: rounded(summary.optionsGamma),
    options_vega: rounded(summary.optionsVega),
    options_theta: rounded(summary.optionsTheta),
    options_gamma_map: byIndex(options, ({ gamma }) => gamma),
    options_vega_map: byIndex(options, ({ vega }) => vega),
    options_theta_map: byIndex(options, ({ theta }) => theta),
    delta_total: rounded(summary.deltaTotal),
    delta_total_map: byIndex(positions, ({ delta }) => delta),
  };
}

/** Returns the sums of a sensitivity by name of index. */
function byIndex(
  positions: readonly PositionReport[],
  of: (position: PositionReport) => number,
): { readonly [name: string]: number } {
  const sums: Record<string, number> = {};
  for (const position of positions) {
    const { indexName } = position.instrument;
    sums[indexName] = rounded((sums[indexName] ?? 0) + of(position));
  }
  return sums;
}

/** Returns the margin and delta without the positions that expire at the next settlement. */
function projectedMembers(
  { initialMargin, maintenanceMargin, deltaTotal }: AccountSummary,
  positions: readonly PositionReport[],
  nowMs: number,
): WireMembers {
  const until = nextSettlement(nowMs);
  const ending = positions.filter(({ instrument }) => (instrument.expiresAtMs ?? Infinity) <= until);
  const sum = (of: (position: PositionReport) => Fixed): Fixed => total(ending, of);
  return {
    projected_initial_margin: numberOf(initialMargin - sum((each) => each.initialMargin + each.openOrdersMargin)),
    projected_maintenance_margin: numberOf(maintenanceMargin - sum((each) => each.maintenanceMargin)),
    projected_delta_total: rounded(deltaTotal - ending.reduce((all, each) => all + each.deltaTotal, 0)),
  };
}
