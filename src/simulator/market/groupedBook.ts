import type { VisibleLevel } from "../../exchange/book/book.ts";
import type { LevelChange } from "../../exchange/facts.ts";
import type { TradedInstrument } from "../../exchange/instrument.ts";
import { roundDecimals } from "../../exchange/market/indexPath.ts";
import { decimalLevel } from "./figures.ts";

/** The groups of prices that a book can be read in. */
export const GROUPS = ["none", "1", "2", "5", "10", "25", "100", "250"];

/**
 * Returns levels by groups of prices, as decimals: bids at the lower end of their group, asks at the upper one. A group
 * is in the unit of the price for BTC and in hundredths of it for everything else.
 * https://docs.deribit.com/subscriptions/orderbook/bookinstrument_namegroupdepthinterval
 */
export function groupLevels(
  terms: TradedInstrument,
  levels: readonly VisibleLevel[],
  { group, direction }: { readonly group: string; readonly direction: "up" | "down" },
): (readonly [price: number, amount: number])[] {
  const exact = levels.map((level) => decimalLevel(terms, level));
  if (group === "none") return exact;
  const size = Number(group) / (terms.baseCurrency === "BTC" ? 1 : 100);
  const round = direction === "up" ? Math.ceil : Math.floor;
  const grouped = new Map<number, number>();
  for (const [price, amount] of exact) {
    // The quotient is rounded first, so that a price at the edge of its group stays there.
    const edge = roundDecimals(round(roundDecimals(price / size, 8)) * size, 8);
    grouped.set(edge, roundDecimals((grouped.get(edge) ?? 0) + amount, 8));
  }
  return [...grouped];
}

/** Returns the changes that make one side of a book another one. */
export function bookSteps(before: readonly VisibleLevel[], after: readonly VisibleLevel[]): LevelChange[] {
  const known = new Map(before.map(({ price, amount }) => [price, amount]));
  const changes: LevelChange[] = [];
  for (const { price, amount } of after) {
    const old = known.get(price);
    known.delete(price);
    if (old !== amount) changes.push({ action: old === undefined ? "new" : "change", price, amount });
  }
  for (const price of known.keys()) changes.push({ action: "delete", price, amount: 0 });
  return changes;
}
