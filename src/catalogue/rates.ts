import type { RateClass } from "./method.ts";

/** A budget that refills with time, in the exchange's own credits. */
export interface RateBudget {
  readonly size: number;
  readonly refillPerMs: number;
  /** The cost of one call. */
  readonly cost: number;
}

/**
 * The exchange's budgets. The one of the matching engine is the lowest of its four tiers: 5 calls a second, 20 at once.
 * https://docs.deribit.com/articles/rate-limits
 */
export const RATE_BUDGETS: Readonly<Record<RateClass, RateBudget>> = {
  default: { size: 50_000, refillPerMs: 10, cost: 500 },
  subscribe: { size: 30_000, refillPerMs: 10, cost: 3000 },
  instruments: { size: 500_000, refillPerMs: 10, cost: 10_000 },
  transactionLog: { size: 80_000, refillPerMs: 10, cost: 10_000 },
  movePositions: { size: 600_000, refillPerMs: 10, cost: 100_000 },
  matching: { size: 20, refillPerMs: 0.005, cost: 1 },
};
