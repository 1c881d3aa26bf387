import type { Clock } from "../base/clock.ts";
import { rateClassOf, type RateClass } from "../catalogue/index.ts";

/** The exchange's budgets. docs.deribit.com/articles/rate-limits */
export interface Limits {
  /** Takes the price of a call from a caller's budget; false when there is not enough. */
  take(caller: string, method: string): boolean;
}

interface Budget {
  readonly size: number;
  readonly perMs: number;
  readonly cost: number;
}

const BUDGETS: Readonly<Record<RateClass, Budget>> = {
  default: { size: 50_000, perMs: 10, cost: 500 },
  subscribe: { size: 30_000, perMs: 10, cost: 3000 },
  instruments: { size: 500_000, perMs: 10, cost: 10_000 },
  // The lowest of the four tiers: 5 a second, 20 at once.
  matching: { size: 20, perMs: 0.005, cost: 1 },
};

export function createLimits(clock: Clock): Limits {
  const pools = new Map<string, { left: number; atMs: number }>();
  return {
    take(caller, method) {
      const rate = rateClassOf(method);
      const { size, perMs, cost } = BUDGETS[rate];
      const nowMs = clock.monotonicMs();
      const pool = pools.get(`${caller} ${rate}`) ?? { left: size, atMs: nowMs };
      const left = Math.min(size, pool.left + (nowMs - pool.atMs) * perMs);
      const isEnough = left >= cost;
      pools.set(`${caller} ${rate}`, { left: isEnough ? left - cost : left, atMs: nowMs });
      return isEnough;
    },
  };
}

/** Without limits. */
export const noLimits: Limits = { take: () => true };
