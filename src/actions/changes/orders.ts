import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Order } from "../../state/orders.ts";
import { figureText } from "../intent/decimal.ts";
import type { Intent, IntentWords } from "../intent/intent.ts";

/** The facts that an intent about an order needs beside the order. */
export interface OrderContext {
  readonly origin: Intent["origin"];
  /** The time, in ms since the Unix epoch; for the order's age. */
  readonly nowMs: number;
  /** Returns the order as it is known at the moment; undefined when nothing is known of it. */
  readonly current: (orderId: string) => Order | undefined;
  /** Returns the order as which a triggered order goes on; undefined while none is known (default: none). */
  readonly successorOf?: (orderId: string) => Order | undefined;
  /** Whether the row appeared, moved or was fired in the last second. */
  readonly isRecentlyMoved?: boolean;
}

/** Several intents and the words of their one confirmation, as `Gate.submitAll` takes them. */
export interface SeveralIntents {
  readonly intents: readonly Intent[];
  readonly describe: (intents: readonly Intent[]) => IntentWords;
}

/** The number of orders that a confirmation lists by name. */
const LISTED = 10;

export const CANCEL_METHOD = "private/cancel";

/** Returns the intent to cancel an order. Void when the order is amended or triggered during the confirmation. */
export function cancelOrder(order: Order, context: OrderContext): Intent {
  const target = describeOrder(order);
  return {
    method: CANCEL_METHOD,
    paramsText: JSON.stringify({ order_id: order.order_id }),
    origin: context.origin,
    isRecentlyMoved: context.isRecentlyMoved ?? false,
    ...(order.filled_amount === undefined ? {} : { filledAsShown: order.filled_amount }),
    words: {
      action: l10n.t("Cancel Order"),
      target,
      sentence: l10n.t("Cancel {0}", target),
      detail: orderDetail(order, context.nowMs),
      keep: l10n.t("Keep Order"),
    },
    // A cancel of an unknown order is sent: the exchange reports whether there is something to cancel.
    changedObject: () => {
      const [now, successor] = [context.current(order.order_id), context.successorOf?.(order.order_id)];
      if (successor !== undefined) throw refused(cancelTriggeredReason(order, successor));
      return now === undefined || describeOrder(now) === target ? undefined : "order";
    },
  };
}

/** Returns that an order was triggered, and the order that there is to cancel instead. */
function cancelTriggeredReason({ order_id: id }: Order, successor: Order): Plain {
  return l10n.t(
    "Order {0} was triggered and goes on as {1}. Cancel the new order instead.",
    plain.name(id),
    plain.name(successor.order_id),
  );
}

/** Returns the intents to cancel several orders: one confirmation, then each by a call of its own. */
export function cancelOrders(orders: readonly Order[], context: OrderContext): SeveralIntents {
  return {
    intents: orders.map((order) => cancelOrder(order, context)),
    describe: (intents) => ({
      action: l10n.t("Cancel {0} Orders", intents.length),
      sentence: l10n.t("Cancel {0} orders", intents.length),
      ...wordsOfOrders(intents),
    }),
  };
}

/** Returns what confirmations about several orders say alike. */
export function wordsOfOrders(intents: readonly Intent[]): Omit<IntentWords, "action" | "sentence"> {
  return {
    target: l10n.t("{0} orders", intents.length),
    detail: listedOrders(intents.map(({ words }) => l10n.t("{0} · {1}", words.target, words.detail[0] ?? ""))),
    keep: l10n.t("Keep Orders"),
    show: l10n.t("Show Orders"),
  };
}

/** Returns how many orders it is about, in words. */
export function ordersText(count: number): Plain {
  return count === 1 ? l10n.t("1 order") : l10n.t("{0} orders", count);
}

/** Returns the first of the lines, and how many more there are. */
export function listedOrders(lines: readonly Plain[]): readonly Plain[] {
  return lines.length > LISTED ? [...lines.slice(0, LISTED), l10n.t("and {0} more", lines.length - LISTED)] : lines;
}

/** Returns an order in one line: instrument, direction, size, price. */
export function describeOrder(order: Order): Plain {
  const instrument = plain.name(order.instrument_name);
  const direction = plain.name(order.direction);
  const amount = figureText(order.amount);
  const price = priceText(order);
  if (order.trigger_price === undefined) return l10n.t("{0} {1} {2} @ {3}", instrument, direction, amount, price);
  return l10n.t(
    "{0} {1} {2} @ {3}, trigger {4}",
    instrument,
    direction,
    amount,
    price,
    figureText(order.trigger_price),
  );
}

function priceText({ price }: Order): Plain {
  if (typeof price === "number") return figureText(price);
  // The exchange writes market_price where an order takes whatever price there is.
  return (price ?? "market_price") === "market_price" ? l10n.t("market") : plain.name(String(price));
}

function orderDetail(order: Order, nowMs: number): Plain[] {
  const lines = [l10n.t("ID {0}", plain.name(order.order_id))];
  if (order.label !== undefined && order.label !== "") lines.push(l10n.t("label {0}", plain.name(order.label)));
  if (order.filled_amount !== undefined && order.amount !== undefined) {
    lines.push(l10n.t("{0} of {1} filled", figureText(order.filled_amount), figureText(order.amount)));
  }
  return order.creation_timestamp === undefined ? lines : [...lines, placedAgoText(nowMs - order.creation_timestamp)];
}

/** Returns how long ago something was placed. `ageMs` in ms. */
export function placedAgoText(ageMs: number): Plain {
  const seconds = Math.max(0, Math.floor(ageMs / 1000));
  if (seconds < 60) return l10n.t("placed {0} s ago", seconds);
  if (seconds < 3600) return l10n.t("placed {0} min ago", Math.floor(seconds / 60));
  if (seconds < 86_400) return l10n.t("placed {0} h ago", Math.floor(seconds / 3600));
  return l10n.t("placed {0} d ago", Math.floor(seconds / 86_400));
}
