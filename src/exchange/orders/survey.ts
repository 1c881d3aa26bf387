import type { PriceLevel, Resting } from "../book/book.ts";
import { membersOf } from "../book/queue.ts";
import { opposite, type AccountId, type Side } from "../instrument.ts";
import type { Lots, Ticks } from "../units.ts";
import type { Desk } from "./desk.ts";
import { remainingOf, type BookOrder } from "./order.ts";
import { reducibleBy } from "./reducing.ts";

/** What an order would meet. */
interface Survey {
  /** What it is sure to get, up to what it wants: nothing that may vanish while it trades is counted. */
  readonly available: Lots;
  /** The worst price of those, where they are all that it wants. */
  readonly worst: Ticks | undefined;
  /** Whether it would reach an order that it may not trade with, and is refused for that. */
  readonly overlaps: boolean;
}

/**
 * Looks at the orders that an order would trade with, without a change. Of two orders that cancel each other one is
 * counted, and only what it shows; of orders that may only reduce a position no more than the position allows.
 */
export function surveyBook(desk: Desk, order: BookOrder, limit: Ticks | undefined): Survey {
  const wanted = remainingOf(order);
  const isRefused = desk.ports.selfTrading(order.account).mode === "reject_taker";
  const count = createCount(desk);
  let available = 0;
  for (const level of desk.marketOf(order).book.levels(opposite(order.direction))) {
    if (!isNoWorse(order.direction, level.price, limit)) break;
    for (const { maker, amount } of inTurn(level)) {
      if (available >= wanted) break;
      // Meeting it would end the order itself.
      if (order.ocoRef !== undefined && maker.ocoRef === order.ocoRef)
        return { available, worst: undefined, overlaps: false };
      if (overlapOf(desk, order, maker) === undefined) available += count(maker, amount);
      else if (isRefused) return { available, worst: undefined, overlaps: true };
    }
    if (available >= wanted) return { available: wanted, worst: level.price, overlaps: false };
  }
  return { available, worst: undefined, overlaps: false };
}

/** Goes through a level in the order in which it trades: what is shown, then what icebergs keep back. */
function* inTurn(level: PriceLevel): Iterable<{ readonly maker: BookOrder; readonly amount: Lots }> {
  for (const { order, tip } of membersOf<Resting>(level.queue)) yield { maker: order, amount: tip };
  for (const { order, reserve } of membersOf<Resting>(level.queue))
    if (reserve > 0) yield { maker: order, amount: reserve };
}

/** Counts what is sure to be there when its turn comes. */
function createCount(desk: Desk): (maker: BookOrder, amount: Lots) => Lots {
  const seen = new Set<string>();
  const byAccount = new Map<AccountId, Lots>();
  return (maker, amount) => {
    const before = byAccount.get(maker.account) ?? 0;
    const isGone = maker.ocoRef !== undefined && seen.has(maker.ocoRef);
    if (maker.ocoRef !== undefined) seen.add(maker.ocoRef);
    const most = maker.reduceOnly ? Math.max(0, reducibleBy(desk, maker) - before) : amount;
    byAccount.set(maker.account, before + amount);
    return isGone ? 0 : Math.min(amount, most);
  };
}

/** Why two orders may not trade with each other; undefined where they may. A liquidation takes what there is. */
export function overlapOf(
  { ports }: Pick<Desk, "ports">,
  taker: BookOrder,
  maker: BookOrder,
): "order_overlap" | "order_overlap_another_sub" | undefined {
  const { mode, extendsToSubaccounts, mainAccount } = ports.selfTrading(taker.account);
  if (mode === "allow" || taker.isLiquidation) return undefined;
  if (maker.account === taker.account) return "order_overlap";
  const isOfSame = extendsToSubaccounts && ports.selfTrading(maker.account).mainAccount === mainAccount;
  return isOfSame ? "order_overlap_another_sub" : undefined;
}

/** Whether a price is at least as good as a limit for an order of a side. */
export function isNoWorse(side: Side, price: Ticks, limit: Ticks | undefined): boolean {
  if (limit === undefined) return true;
  return side === "buy" ? price <= limit : price >= limit;
}
