import type { AccountId, TradedInstrument } from "../instrument.ts";
import { FIXED_ONE, times, type Fixed } from "./money.ts";
import { divideRounded } from "../units.ts";
import { createOpenOrders } from "./openOrders.ts";
import { fill, type Position } from "./position.ts";
import { mustFind, positionOf, type LedgerState, type MarginReserve } from "./state.ts";
import { reportPositions, summarize, type AccountSummary, type PositionReport } from "./summary.ts";

/** Positions that an account is thought to have. */
export interface SimulatedPositions {
  /** Whether they come on top of the positions and orders that the account has. */
  readonly isAdded: boolean;
  /** Signed sizes by instrument: of futures in the quote currency, of options in coins. */
  readonly sizes: ReadonlyMap<string, Fixed>;
}

/** What an account would have. */
export interface SimulatedHolding {
  readonly summary: AccountSummary;
  readonly positions: readonly PositionReport[];
}

/**
 * Returns what an account would have in a currency with other positions, bought and sold at the mark prices of now
 * without fees. It changes nothing.
 */
export function simulatePositions(
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
