import * as l10n from "@vscode/l10n";
import { plain } from "../base/plain.ts";
import type { Order, OrderItem } from "../state/orders.ts";
import { numberText } from "./numbers.ts";

/* What an order says of itself, in few words. Everything that comes from the exchange and is not known is shown raw. */

/** Side, amount, price and label: `buy 40 @ 2100 mm-1`. */
export function orderLabel(order: Order): string {
  const size = order.amount === undefined ? plain(order.direction, MAX_WORD) : l10n.t("{0} {1}", plain(order.direction, MAX_WORD), numberText(order.amount));
  const price = priceText(order);
  const terms = price === undefined ? size : l10n.t("{0} @ {1}", size, price);
  const label = plain(order.label ?? "", MAX_WORD);
  return label === "" ? terms : l10n.t("{0} {1}", terms, label);
}

/** The limit price; `market` where the exchange writes its word for it, undefined where there is none. */
function priceText({ price }: Order): string | undefined {
  if (typeof price === "number") return numberText(price);
  if (price === undefined) return undefined;
  return price === "market_price" ? l10n.t("market") : plain(price, MAX_WORD);
}

/** What is special about an order, most important first: fill, trigger, type, conditions. */
export function orderTraits(order: Order): string[] {
  const traits: string[] = [];
  if (!PLAIN_STATES.has(order.order_state)) traits.push(plain(order.order_state, MAX_WORD));
  if (order.filled_amount !== undefined && order.filled_amount !== 0) traits.push(l10n.t("{0} filled", numberText(order.filled_amount)));
  const type = typeText(order);
  if (type !== undefined) traits.push(type);
  if (order.post_only === true) traits.push(l10n.t("post-only"));
  if (order.reduce_only === true) traits.push(l10n.t("reduce-only"));
  const duration = order.time_in_force;
  if (duration !== undefined && duration !== "good_til_cancelled") traits.push(spaced(duration));
  return traits;
}

/** States that need no word of their own: the row says them in another way. */
const PLAIN_STATES: ReadonlySet<string> = new Set(["open", "untriggered", "filled", "cancelled", "rejected", "triggered", "archive"]);

/** Undefined for an ordinary limit order. A trigger order says what it waits for. */
function typeText(order: Order): string | undefined {
  const type = order.order_type ?? "limit";
  if (order.trigger_price === undefined && order.trigger === undefined) return type === "limit" ? undefined : spaced(type);
  if (order.triggered === true) return l10n.t("{0}, triggered", spaced(type));
  const offset = order.trigger_offset === undefined ? spaced(type) : l10n.t("{0} at a distance of {1}", spaced(type), numberText(order.trigger_offset));
  if (order.trigger_price === undefined) return offset;
  const price = numberText(order.trigger_price);
  if (order.trigger === undefined) return l10n.t("{0}, triggers at {1}", offset, price);
  return l10n.t("{0}, triggers at {1} ({2})", offset, price, spaced(order.trigger));
}

/** How an order ended; undefined while it has not. */
export function endText({ order, endedAtMs }: OrderItem): string | undefined {
  if (endedAtMs === undefined) return undefined;
  switch (order.order_state) {
    case "filled":
      return l10n.t("filled");
    case "rejected":
      return l10n.t("rejected");
    case "triggered":
      return l10n.t("triggered");
    case "cancelled":
      return order.cancel_reason === undefined || order.cancel_reason === "" ? l10n.t("cancelled") : l10n.t("cancelled ({0})", spaced(order.cancel_reason));
    case "archive":
      return l10n.t("archived");
    default:
      // The last state that was seen is not an end: only its absence from the list is known.
      return l10n.t("no longer open");
  }
}

/** A word of the exchange's with spaces, as it is otherwise: `mark_price` reads `mark price`. */
function spaced(word: string): string {
  return plain(word, MAX_WORD).replaceAll("_", " ");
}

const MAX_WORD = 64;
