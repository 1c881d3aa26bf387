import type { Clock } from "../../base/clock.ts";
import { rateClassOf } from "../../catalogue/index.ts";
import { RATE_BUDGETS } from "../../catalogue/rates.ts";

/** The budgets of callers. */
export interface CreditLimits {
  /** Takes the price of a call from a caller's budget; returns false when the call is refused. */
  take(caller: string, method: string): boolean;
  /** The number of calls for which there was not enough. */
  readonly excessCalls: number;
}

/** Makes the budgets. Without `areHeld`, no call is refused, and those that exceed their budget are only counted. */
export function createLimits(clock: Clock, areHeld: boolean): CreditLimits {
  const pools = new Map<string, { left: number; atMs: number }>();
  let excessCalls = 0;
  return {
    get excessCalls() {
      return excessCalls;
    },
    take(caller, method) {
      const rate = rateClassOf(method);
      const { size, refillPerMs, cost } = RATE_BUDGETS[rate];
      const nowMs = clock.monotonicMs();
      const pool = pools.get(`${caller} ${rate}`) ?? { left: size, atMs: nowMs };
      const left = Math.min(size, pool.left + (nowMs - pool.atMs) * refillPerMs);
      const isEnough = left >= cost;
      pools.set(`${caller} ${rate}`, { left: isEnough ? left - cost : left, atMs: nowMs });
      if (!isEnough) excessCalls += 1;
      return isEnough || !areHeld;
    },
  };
}
