import type { Clock } from "../../base/clock.ts";
import { rateClassOf } from "../../catalogue/index.ts";
import { RATE_BUDGETS } from "../../catalogue/rates.ts";

/** The budgets of callers. */
export interface CreditLimits {
  /** Takes the price of a call from a caller's budget; returns false when there is not enough. */
  take(caller: string, method: string): boolean;
}

export function createLimits(clock: Clock): CreditLimits {
  const pools = new Map<string, { left: number; atMs: number }>();
  return {
    take(caller, method) {
      const rate = rateClassOf(method);
      const { size, refillPerMs, cost } = RATE_BUDGETS[rate];
      const nowMs = clock.monotonicMs();
      const pool = pools.get(`${caller} ${rate}`) ?? { left: size, atMs: nowMs };
      const left = Math.min(size, pool.left + (nowMs - pool.atMs) * refillPerMs);
      const isEnough = left >= cost;
      pools.set(`${caller} ${rate}`, { left: isEnough ? left - cost : left, atMs: nowMs });
      return isEnough;
    },
  };
}

/** The limits that allow everything. */
export const noLimits: CreditLimits = { take: () => true };
