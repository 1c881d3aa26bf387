import type { AccountId, TradedInstrument } from "../instrument.ts";
import { marginLevel } from "./maintenance.ts";
import { marginOf } from "./margin.ts";
import { fixedOf, larger, numberOf, total, type Fixed } from "./money.ts";
import { sessionUnrealized, type Position } from "./position.ts";
import type { Prices } from "./prices.ts";
import { positionsOf, type LedgerState } from "./state.ts";

/*
 * How far prices are from a liquidation. The ratio times the mark price of a future is its estimated liquidation price:
 * https://docs.deribit.com/api-reference/account-management/private-get_account_summary
 */

/** Ratios of prices at which the maintenance margin of an account reaches its margin balance. */
export interface LiquidationRatios {
  /** When all futures of the currency move; undefined where no move gets there. */
  readonly all: number | undefined;
  /** When the futures on one index move alone, by name of index. */
  readonly byIndex: ReadonlyMap<string, number>;
}

/** The furthest move that is looked at: prices become 1,024 times what they are, or a 1,024th. */
const MOST_DOUBLINGS = 10;
/** How often the stretch with the ratio in it is halved: to a 1e10th of it, which is far less than a tick. */
const HALVINGS = 34;
/** The move that tells whether higher prices are good for an account. */
const SMALL_MOVE = 0.001;

type Held = readonly [instrument: TradedInstrument, position: Position];

/**
 * Returns the ratios of an account in a currency. Everything but the marks of the futures, and the index with them,
 * stays as it is: so do options, with their margin.
 */
export function liquidationRatios(state: LedgerState, account: AccountId, currency: string): LiquidationRatios {
  const futures = positionsOf(state, account).filter(
    ([{ kind, settlementCurrency }, { size }]) => kind === "future" && settlementCurrency === currency && size !== 0n,
  );
  const level = marginLevel(state, { account, currency });
  const excess = level.marginBalance - level.maintenanceMargin;
  const ratioOf = (moving: readonly Held[]): number | undefined => {
    const others = excess - excessOf(state.ports.prices, moving, 1);
    return findRatio((ratio) => others + excessOf(state.ports.prices, moving, ratio));
  };
  const byIndex = new Map<string, number>();
  const names = new Set(futures.map(([{ indexName }]) => indexName));
  for (const name of names) {
    const ratio = ratioOf(futures.filter(([{ indexName }]) => indexName === name));
    if (ratio !== undefined) byIndex.set(name, ratio);
  }
  const [only] = byIndex.values();
  return { all: names.size > 1 ? ratioOf(futures) : only, byIndex };
}

/** Returns what futures add to the margin balance, without their maintenance margin, when prices are multiplied. */
function excessOf(prices: Prices, futures: readonly Held[], ratio: number): Fixed {
  const moved = multiplied(prices, ratio);
  return total(futures, ([instrument, position]) => {
    const profit = sessionUnrealized(position, instrument, moved.mark(instrument));
    return profit - marginOf(instrument, position.size, moved).maintenance;
  });
}

function multiplied(prices: Prices, ratio: number): Prices {
  const times = (price: Fixed): Fixed => (ratio === 1 ? price : larger(1n, fixedOf(numberOf(price) * ratio)));
  return {
    ...prices,
    mark: (instrument) => times(prices.mark(instrument)),
    index: (instrument) => times(prices.index(instrument)),
  };
}

/** Returns the ratio at which an excess becomes 0, on the side of 1 to which it moves; undefined where it does not. */
function findRatio(excessAt: (ratio: number) => Fixed): number | undefined {
  const isPositive = (ratio: number): boolean => excessAt(ratio) > 0n;
  const isHealthy = isPositive(1);
  const isRising = excessAt(1 + SMALL_MOVE) > excessAt(1 - SMALL_MOVE);
  const step = isRising === isHealthy ? 0.5 : 2;
  let near = 1;
  for (let count = 0; count < MOST_DOUBLINGS; count++) {
    const far = near * step;
    if (isPositive(far) !== isHealthy) return between(near, far, (ratio) => isPositive(ratio) === isHealthy);
    near = far;
  }
  return undefined;
}

/** Returns where something that is true at one number stops to be so before another one. */
function between(from: number, to: number, isTrue: (ratio: number) => boolean): number {
  let [near, far] = [from, to];
  for (let count = 0; count < HALVINGS; count++) {
    const middle = (near + far) / 2;
    if (isTrue(middle)) near = middle;
    else far = middle;
  }
  return (near + far) / 2;
}
