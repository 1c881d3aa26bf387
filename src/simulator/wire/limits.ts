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
      const name = `${caller} ${rate}`;
      const pool = pools.get(name) ?? { left: size, atMs: nowMs };
      pools.set(name, pool);
      pool.left = Math.min(size, pool.left + (nowMs - pool.atMs) * refillPerMs);
      pool.atMs = nowMs;
      const isEnough = pool.left >= cost;
      if (isEnough) pool.left -= cost;
      else excessCalls += 1;
      return isEnough || !areHeld;
    },
  };
}
