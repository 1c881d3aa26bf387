import type { TradedInstrument } from "../instrument.ts";
import { divideRounded } from "../units.ts";
import { FINE_ONE, FIXED_ONE, magnitude, payable, smaller, type Fine, type Fixed } from "./money.ts";
import { gainOf, priceOf, valueOf } from "./valuation.ts";

/**
 * One account's position in a derivative. It has two costs: one since it was built, which makes the average price and
 * the total profit, and one since the last settlement, which makes the profit of the session.
 */
export interface Position {
  /** Signed: above 0 is long. */
  size: Fixed;
  /** What `size` was worth when it was built; signed like it. */
  cost: Fine;
  /** What `size` was worth at the last settlement, or later when it was built; signed like it. */
  sessionCost: Fine;
  /** The profit of what was closed since the last settlement, without funding. */
  sessionRealized: Fine;
  /** The funding received since the last settlement, in units of 1e-32; below 0 is paid. */
  sessionFunding: bigint;
  /** The sum of funding for one unit of amount up to which `sessionFunding` counts. */
  fundedUpTo: Fine;
  /** The profit that was worked out last, with the mark price and the members above that it follows from. */
  lastProfit: { readonly from: readonly bigint[]; readonly profit: Profit } | undefined;
}

/** The unit in which funding adds up without rounding: an amount of 1e-8 times a payment of 1e-24. */
const FUNDING_ONE = FIXED_ONE * FINE_ONE;

/** Makes a position of size 0. */
export function createPosition(fundedUpTo: Fine): Position {
  return {
    size: 0n,
    cost: 0n,
    sessionCost: 0n,
    sessionRealized: 0n,
    sessionFunding: 0n,
    fundedUpTo,
    lastProfit: undefined,
  };
}

/** What a fill did to a position. */
interface FillEffect {
  /** The profit of the session on what the fill closed. */
  readonly realized: Fine;
  /** Whether the position ended nearer to 0, or beyond it. */
  readonly isClosing: boolean;
}

/**
 * Adds a signed amount at a price. What it closes leaves with its share of the cost, rounded to 1e-24, so that the
 * average price of the rest stays; what is beyond opens at the price.
 */
export function fill(position: Position, instrument: TradedInstrument, amount: Fixed, price: Fixed): FillEffect {
  const isClosing = position.size !== 0n && position.size > 0n !== amount > 0n;
  const closed = isClosing ? smaller(magnitude(amount), magnitude(position.size)) : 0n;
  const closedSigned = position.size > 0n ? closed : -closed;
  const closedCost = share(position.cost, closed, position.size);
  const closedSessionCost = share(position.sessionCost, closed, position.size);
  const realized = gainOf(instrument, closedSessionCost, valueOf(instrument, closedSigned, price));
  const opened = valueOf(instrument, amount + closedSigned, price);
  position.size += amount;
  position.cost += opened - closedCost;
  position.sessionCost += opened - closedSessionCost;
  position.sessionRealized += realized;
  return { realized, isClosing };
}

function share(cost: Fine, part: Fixed, size: Fixed): Fine {
  return part === 0n ? 0n : divideRounded(cost * part, magnitude(size), "nearest");
}

/** Counts the funding up to a sum for one unit of amount, which longs pay and shorts receive. */
export function accrue(position: Position, fundingPerUnit: Fine): void {
  // Each order asks for all positions of its account, and funding is paid once a minute.
  if (position.fundedUpTo === fundingPerUnit) return;
  position.sessionFunding -= position.size * (fundingPerUnit - position.fundedUpTo);
  position.fundedUpTo = fundingPerUnit;
}

/** Begins a new session at a settlement price. */
export function beginSession(position: Position, instrument: TradedInstrument, price: Fixed): void {
  position.sessionCost = valueOf(instrument, position.size, price);
  position.sessionRealized = 0n;
  position.sessionFunding = 0n;
}

/** Returns the average price of the trades that built the position, rounded to 1e-8; 0 for none. */
export function averagePrice(position: Position, instrument: TradedInstrument): Fixed {
  return priceOf(instrument, position.size, position.cost);
}

/** The profit of a position at a mark price, each rounded to 1e-8. */
interface Profit {
  /** The profit since the average price. */
  readonly total: Fixed;
  /** The profit of what is open, since the last settlement. */
  readonly sessionUnrealized: Fixed;
  /** The profit of what was closed since the last settlement, with funding. */
  readonly sessionRealized: Fixed;
  readonly sessionFunding: Fixed;
}

/** Returns the profit at a mark price. Each order asks for that of all positions, of which few have changed. */
export function profitOf(position: Position, instrument: TradedInstrument, markPrice: Fixed): Profit {
  const { size, cost, sessionCost, sessionRealized, sessionFunding, lastProfit } = position;
  const from = [markPrice, size, cost, sessionCost, sessionRealized, sessionFunding];
  if (lastProfit !== undefined && isSame(lastProfit.from, from)) return lastProfit.profit;
  const profit = workOutProfit(position, instrument, markPrice);
  position.lastProfit = { from, profit };
  return profit;
}

function isSame(some: readonly bigint[], others: readonly bigint[]): boolean {
  for (let place = 0; place < some.length; place++) if (some[place] !== others[place]) return false;
  return true;
}

/** Returns the profit at a mark price of what is open, since the last settlement, rounded to 1e-8. */
export function sessionUnrealized(position: Position, instrument: TradedInstrument, markPrice: Fixed): Fixed {
  if (position.size === 0n) return 0n;
  return payable(gainOf(instrument, position.sessionCost, valueOf(instrument, position.size, markPrice)));
}

function workOutProfit(position: Position, instrument: TradedInstrument, markPrice: Fixed): Profit {
  const value = position.size === 0n ? 0n : valueOf(instrument, position.size, markPrice);
  const realized = position.sessionRealized * FIXED_ONE + position.sessionFunding;
  return {
    total: payable(gainOf(instrument, position.cost, value)),
    sessionUnrealized: payable(gainOf(instrument, position.sessionCost, value)),
    sessionRealized: divideRounded(realized, FUNDING_ONE / FIXED_ONE, "nearest"),
    sessionFunding: divideRounded(position.sessionFunding, FUNDING_ONE / FIXED_ONE, "nearest"),
  };
}
