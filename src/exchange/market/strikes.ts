import { DAY_MS, type Cycle } from "./calendar.ts";

/** The distances between the strikes of one expiration: near the price, and farther away. */
interface StrikeSteps {
  readonly near: number;
  readonly far: number;
}

/**
 * How far strikes reach, as a part of the price, by how long the options still live. The exchange lists deltas from 0.1
 * to 0.9, closer together near the price and near the expiry; its own figures are not documented.
 * https://support.deribit.com/hc/en-us/articles/25944688876957-Contract-Introduction-Policy
 */
const REACHES: Readonly<Record<Cycle, { readonly near: number; readonly far: number }>> = {
  day: { near: 0.02, far: 0.05 },
  week: { near: 0.04, far: 0.12 },
  month: { near: 0.08, far: 0.25 },
  quarter: { near: 0.175, far: 0.5 },
};

/** Returns the cycle within which options expire that still live for a time: up to 3, 21, or 59 days, or longer. */
export function remainingCycle(livesMs: number): Cycle {
  if (livesMs <= 3 * DAY_MS) return "day";
  if (livesMs <= 21 * DAY_MS) return "week";
  return livesMs <= 59 * DAY_MS ? "month" : "quarter";
}

/** The steps of an underlying, by the cycle within which its options expire. */
export type StrikeLadder = Readonly<Record<Cycle, StrikeSteps>>;

/** Returns the strikes that are listed around a price for options that expire within a cycle, lowest first. */
export function strikesAround(price: number, cycle: Cycle, ladder: StrikeLadder): number[] {
  const { near, far } = REACHES[cycle];
  const steps = ladder[cycle];
  const outside = multiples(steps.far, price, far).filter((strike) => Math.abs(strike / price - 1) > near);
  const strikes = new Set([...multiples(steps.near, price, near), ...outside]);
  return [...strikes].sort((one, other) => one - other);
}

/** Returns the multiples of a step above 0 that are within a part of a price. */
function multiples(step: number, price: number, reach: number): number[] {
  const first = Math.max(1, Math.ceil((price * (1 - reach)) / step));
  const last = Math.floor((price * (1 + reach)) / step);
  // Steps such as 0.025 have no exact binary form.
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, count) =>
    Number(((first + count) * step).toPrecision(8)),
  );
}
