import type { ExchangeTrade } from "./instrument.ts";
import type { CancelCause, OrderView } from "./orders/order.ts";
import type { Refusal } from "./refusal.ts";
import type { Lots, Ticks } from "./units.ts";

/** One thing that happened at the exchange. Orders are copies, as they were right after it. */
export type Fact =
  /** An order was accepted: it goes on to trade, rests, or waits. Its trades follow. */
  | { readonly kind: "placed"; readonly order: OrderView }
  /** An account changed its order. Trades that follow from that come after it. */
  | { readonly kind: "edited"; readonly order: OrderView }
  /** The exchange made an order smaller: its position, or the order linked to it, left less to do. */
  | { readonly kind: "reduced"; readonly order: OrderView; readonly by: Lots }
  /** A waiting order, or a part of one that is linked, goes on as another order. */
  | { readonly kind: "triggered"; readonly order: OrderView; readonly childId: string }
  /** What a waiting order goes on as was refused. */
  | { readonly kind: "rejected"; readonly order: OrderView; readonly refusal: Refusal }
  | { readonly kind: "filled"; readonly order: OrderView }
  | { readonly kind: "cancelled"; readonly order: OrderView; readonly reason: CancelCause }
  | { readonly kind: "trade"; readonly trade: ExchangeTrade }
  | BookChange;

/** What one operation changed in what others see of a book. It comes after all other facts of the operation. */
export interface BookChange {
  readonly kind: "book";
  readonly instrument: string;
  readonly atMs: number;
  readonly changeId: number;
  /** Undefined for the first change of a book. */
  readonly prevChangeId: number | undefined;
  readonly bids: readonly LevelChange[];
  readonly asks: readonly LevelChange[];
}

/** What a price level shows now; nothing of a level that was deleted. */
export interface LevelChange {
  readonly action: "new" | "change" | "delete";
  readonly price: Ticks;
  readonly amount: Lots;
}
