import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";

/** Orders of one connection that were filled, in part or whole, since the user last looked. */
interface FilledOrders {
  /** The environment and name of the connection. */
  readonly place: Plain;
  readonly count: number;
}

/** Returns the badge of the orders; undefined where there is nothing new. */
export function fillsBadge(
  filled: readonly FilledOrders[],
): { readonly value: number; readonly tooltip: Plain } | undefined {
  const unseen = filled.filter(({ count }) => count > 0);
  const value = unseen.reduce((sum, { count }) => sum + count, 0);
  if (value === 0) return undefined;
  const [only] = unseen;
  if (unseen.length === 1 && only !== undefined) {
    return {
      value,
      tooltip:
        value === 1
          ? l10n.t("1 of your orders was filled on {0} since you last looked.", only.place)
          : l10n.t("{0} of your orders were filled on {1} since you last looked.", value, only.place),
    };
  }
  const parts = plain.join(
    unseen.map(({ place, count }) => l10n.t("{0} on {1}", count, place)),
    ", ",
  );
  return { value, tooltip: l10n.t("{0} of your orders were filled since you last looked: {1}.", value, parts) };
}

/** Returns the orders of an event of the account's trades. Legs of block trades belong to no order. */
export function ordersOfTrades(data: unknown): string[] {
  const trades = (Array.isArray(data) ? data : [data]) as readonly unknown[];
  return trades.flatMap((trade) => {
    if (
      typeof trade !== "object" ||
      trade === null ||
      ("block_trade_id" in trade && typeof trade.block_trade_id === "string")
    )
      return [];
    return "order_id" in trade && typeof trade.order_id === "string" ? [trade.order_id] : [];
  });
}
