import type { Disposable, Event } from "../base/emitter.ts";
import type { ResultOf } from "../catalogue/index.ts";
import type { Snapshot } from "./snapshot.ts";

/** An order as the exchange describes it. */
export type Order = ResultOf<"private/cancel">;

/** An order in the store. */
export interface OrderItem {
  readonly order: Order;
  /** When the exchange reported an end state; the row stays, greyed and without actions, for 10 s. */
  readonly endedAtMs: number | undefined;
}

/** What changed since the last event, for views that draw rows one by one. */
export interface OrdersChange {
  /** Orders whose content changed. */
  readonly changed: ReadonlySet<string>;
  /** Whether orders came or went, or the whole list was read anew. */
  readonly membership: "same" | "changed" | "reset";
}

/** The open orders of one connection. It only listens: nothing in here can change an order. */
export interface OrdersStore extends Disposable {
  readonly snapshot: Snapshot<OrderItem>;
  readonly onDidChange: Event<OrdersChange>;
  /** Reads the list anew, sorted; a second call while one is under way joins it. Failures go into the snapshot. */
  refresh(): Promise<void>;
}
