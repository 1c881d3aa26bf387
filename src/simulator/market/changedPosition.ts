import type { PositionReport } from "../../exchange/ledger/summary.ts";
import { numberOf } from "../../exchange/ledger/money.ts";
import { writeJson } from "../text/json.ts";

/** The leverage that standard margin allows at most. */
const FUTURE_LEVERAGE = 50;

/** Returns a position as an event about its change has it. */
export function changedPositionText(report: PositionReport): string {
  const { instrument, size } = report;
  const isFuture = instrument.kind === "future";
  return writeJson({
    instrument_name: instrument.name,
    kind: instrument.kind,
    direction: size > 0n ? "buy" : size < 0n ? "sell" : "zero",
    size: numberOf(size),
    ...(isFuture ? { size_currency: numberOf(report.sizeCurrency), leverage: FUTURE_LEVERAGE } : {}),
    average_price: numberOf(report.averagePrice),
    mark_price: numberOf(report.markPrice),
    index_price: numberOf(report.indexPrice),
    settlement_price: numberOf(report.settlementPrice),
    delta: report.delta,
    ...(isFuture ? {} : { gamma: report.gamma, vega: report.vega, theta: report.theta }),
    total_profit_loss: numberOf(report.totalProfitLoss),
    floating_profit_loss: numberOf(report.floatingProfitLoss),
    realized_profit_loss: numberOf(report.realizedProfitLoss),
    ...(isFuture ? { realized_funding: numberOf(report.realizedFunding) } : {}),
    initial_margin: numberOf(report.initialMargin),
    maintenance_margin: numberOf(report.maintenanceMargin),
    open_orders_margin: numberOf(report.openOrdersMargin),
  });
}
