import type { AccountId, Side } from "../instrument.ts";
import type { Refusal } from "../refusal.ts";
import type { Lots, Ticks } from "../units.ts";

export type OrderType =
  | "limit"
  | "market"
  | "market_limit"
  | "stop_limit"
  | "stop_market"
  | "take_limit"
  | "take_market"
  | "trailing_stop";

export type TimeInForce = "good_til_cancelled" | "good_til_day" | "fill_or_kill" | "immediate_or_cancel";

/** The price that a trigger order watches. */
export type PriceSource = "last_price" | "mark_price" | "index_price";

/** The share of a fill that reaches the linked orders: all at the first fill, all at the last one, or in proportion. */
export type FillCondition = "first_hit" | "complete_fill" | "incremental";

export type LinkType = "one_triggers_other" | "one_cancels_other" | "one_triggers_one_cancels_other";

type OrderState = "open" | "filled" | "cancelled" | "rejected" | "untriggered" | "triggered";

/**
 * Why an order was cancelled. The exchange names most of them; it says nothing about the rest of an order that its time
 * in force ended (`time_in_force`, `end_of_day`) or that had nothing left to reduce (`reduce_only`).
 */
export type CancelCause =
  | "user_request"
  | "autoliquidation"
  | "cancel_on_disconnect"
  | "mmp_trigger"
  | "mmp_config_curtailment"
  | "edit_post_only_reject"
  | "oco_other_closed"
  | "oto_primary_closed"
  | "settlement"
  | "order_overlap"
  | "order_overlap_another_sub"
  | "time_in_force"
  | "end_of_day"
  | "reduce_only";

/** What tells a quote of a mass quote from other orders: its set and its request, as the account named them. */
export interface QuoteTag {
  readonly mmpGroup: string;
  readonly setId: string | undefined;
  readonly id: string;
}

/** An order as an account asks for it. */
export interface OrderDraft extends LinkedDraft {
  readonly account: AccountId;
  readonly instrument: string;
  readonly direction: Side;
  readonly amount: Lots;
  /** The last instant, in ms since the epoch, at which the order may still arrive. */
  readonly validUntilMs?: number | undefined;
  /** Whether the exchange closes a position with it: it can't be cancelled or edited, and funds are not checked. */
  readonly isLiquidation?: boolean | undefined;
  readonly quote?: QuoteTag | undefined;
  /** The number of the connection that it comes over, which its linked orders and what it triggers have too. */
  readonly connection?: number | undefined;
  /** Whether it is matched at another venue: it is acknowledged, and trades once it has arrived there. */
  readonly isRouted?: boolean | undefined;
  readonly linked?:
    | {
        readonly type: LinkType;
        /** The default is `first_hit`. */
        readonly fillCondition?: FillCondition | undefined;
        /** One draft, with `one_triggers_one_cancels_other` two. */
        readonly legs: readonly LinkedDraft[];
      }
    | undefined;
}

/** The part of a draft that a linked order has too. Of a linked one, direction and amount follow from the primary. */
export interface LinkedDraft {
  /** The default for a linked order is the other side. */
  readonly direction?: Side | undefined;
  /** The default for a linked order is the amount of the primary one. */
  readonly amount?: Lots | undefined;
  /** The default is `limit`. */
  readonly type?: OrderType | undefined;
  /** Market orders have none. */
  readonly price?: Ticks | undefined;
  /** The default is `good_til_cancelled`. */
  readonly timeInForce?: TimeInForce | undefined;
  readonly postOnly?: boolean | undefined;
  /** Whether a post-only order that would take is refused; else it gets the next price that does not. */
  readonly rejectPostOnly?: boolean | undefined;
  readonly reduceOnly?: boolean | undefined;
  /** How much others see at a time; with 0, all of it. */
  readonly displayAmount?: Lots | undefined;
  readonly trigger?: PriceSource | undefined;
  readonly triggerPrice?: Ticks | undefined;
  /** The distance, above 0, of a trailing stop. */
  readonly triggerOffset?: Ticks | undefined;
  readonly label?: string | undefined;
  readonly mmp?: boolean | undefined;
}

/** What an edit changes; what is absent stays. */
export interface OrderEdit {
  /** The new amount in total, filled part included. */
  readonly amount?: Lots;
  readonly price?: Ticks;
  readonly postOnly?: boolean;
  readonly rejectPostOnly?: boolean;
  readonly reduceOnly?: boolean;
  readonly displayAmount?: Lots;
  readonly triggerPrice?: Ticks;
  readonly triggerOffset?: Ticks;
  readonly validUntilMs?: number;
  readonly quote?: QuoteTag;
}

/** An order as the engine keeps it. It changes in place; what leaves the engine is a copy. */
export interface BookOrder {
  readonly id: string;
  readonly account: AccountId;
  readonly instrument: string;
  readonly direction: Side;
  /** The type now: what a triggered `stop_limit` leaves behind is a `limit`. */
  type: OrderType;
  /** The type of the trigger order that this one comes from. */
  readonly originalType: OrderType | undefined;
  state: OrderState;
  amount: Lots;
  filled: Lots;
  /** The sum of price × amount over all fills: divided by `filled` it is the average price in ticks. */
  cost: number;
  /** The price, undefined of a market order. */
  price: Ticks | undefined;
  readonly timeInForce: TimeInForce;
  postOnly: boolean;
  rejectPostOnly: boolean;
  reduceOnly: boolean;
  /** The amount that an iceberg order shows again each time; undefined of a plain order. */
  refreshAmount: Lots | undefined;
  /** The amount that an iceberg order shows now; undefined of all others. */
  displayAmount: Lots | undefined;
  readonly label: string;
  readonly mmp: boolean;
  /** Undefined of an order that is not a quote. */
  quote: QuoteTag | undefined;
  readonly isLiquidation: boolean;
  /** The number of the connection that it was placed over, if there was one. */
  readonly connection: number | undefined;
  readonly isRouted: boolean;
  /** Whether a routed order has not arrived yet: it is open, and in no book. */
  isOnItsWay: boolean;
  readonly trigger: PriceSource | undefined;
  triggerPrice: Ticks | undefined;
  triggerOffset: Ticks | undefined;
  /** The best price that a trailing stop has seen. */
  triggerReferencePrice: Ticks | undefined;
  /** The trigger order, or the waiting linked order, that this one continues. */
  readonly triggerOrderId: string | undefined;
  /** The linked orders that wait for this one. */
  otoOrderIds: readonly string[];
  /** What two orders have in common of which one cancels the other. */
  readonly ocoRef: string | undefined;
  readonly primaryOrderId: string | undefined;
  readonly isSecondaryOto: boolean;
  readonly isPrimaryOtoco: boolean;
  readonly fillCondition: FillCondition | undefined;
  readonly createdAtMs: number;
  updatedAtMs: number;
  /** When a good-til-day order ends, in ms since the epoch. */
  readonly endsAtMs: number | undefined;
  /** Whether it was edited. */
  replaced: boolean;
  cancelReason: CancelCause | undefined;
  /** Why it was rejected after it had been triggered. */
  refusal: Refusal | undefined;
}

export type OrderView = Readonly<BookOrder>;

/** Returns what an order still wants. */
export function remainingOf(order: OrderView): Lots {
  return order.amount - order.filled;
}

/** Whether an order waits for a price, or for the order that it is linked to. */
export function isWaitingOrder({ state }: OrderView): boolean {
  return state === "untriggered";
}

/** Whether an order of the type waits for a price. */
export function isTriggerType(type: OrderType): boolean {
  return type !== "limit" && type !== "market" && type !== "market_limit";
}

/** Whether an order of the type has a price of its own. */
export function hasLimit(type: OrderType): boolean {
  return type === "limit" || type === "stop_limit" || type === "take_limit";
}
