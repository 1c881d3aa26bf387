import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { slotText } from "../../actions/intent/slotKnowledge.ts";
import { isIsolated } from "../../state/isolated.ts";
import type { Order, OrderItem } from "../../state/orders.ts";
import { cancelReason, isOrdinaryReason } from "../outcomes/cancelReasons.ts";
import { numberText } from "../text/numbers.ts";
import { joined } from "../text/joined.ts";

/* What an order says of itself, in few words. Everything that comes from the exchange and is not known is shown raw. */

/** Returns side, amount and price, for example `buy 40 @ 2100`. */
export function orderTerms(order: Order): Plain {
  const size =
    order.amount === undefined
      ? plain.name(order.direction)
      : l10n.t("{0} {1}", plain.name(order.direction), numberText(order.amount));
  const price = priceText(order);
  return price === undefined ? size : l10n.t("{0} @ {1}", size, price);
}

/** Returns side, amount, price, and the label that its owner gave it, for example `buy 40 @ 2100 · mm-1`. */
export function orderLine(order: Order): Plain {
  return joined([orderTerms(order), ownLabel(order)], " · ");
}

/**
 * Returns the label that its owner gave the order, cut to the room, in characters. Undefined where there is none, or
 * where the room is so small that its beginning says nothing.
 */
export function ownLabel(order: Order, room = Infinity): Plain | undefined {
  const label = plain.name(order.label ?? "");
  if (label === "" || (label.length > room && room < MIN_LABEL)) return undefined;
  return label.length > room ? plain.text(label, Math.floor(room) - 1) : label;
}

/**
 * Returns how far the price of an order is from the mark price, or while it waits for its trigger the trigger price, in
 * percent of the mark price: tenths below 10, whole above. Undefined where one of the two isn't known, and for a price
 * in another unit. `markOf`: returns the mark price of an instrument.
 */
export function markDistance(
  order: Order,
  markOf: ((instrumentName: string) => number | undefined) | undefined,
): number | undefined {
  const { instrument_name: name, advanced, price, trigger_price: trigger, triggered } = order;
  const mark = name === undefined ? undefined : markOf?.(name);
  const at = trigger !== undefined && triggered !== true ? trigger : price;
  if (mark === undefined || mark <= 0 || typeof at !== "number" || (advanced ?? false) !== false) return undefined;
  const percent = ((at - mark) / mark) * 100;
  const rounded = Math.abs(percent) < 10 ? Math.round(percent * 10) / 10 : Math.round(percent);
  return rounded === 0 ? 0 : rounded;
}

/** Returns the limit price; `market` where the exchange writes its word for it, undefined where there is none. */
function priceText({ price }: Order): Plain | undefined {
  if (typeof price === "number") return numberText(price);
  if (price === undefined) return undefined;
  return price === "market_price" ? l10n.t("market") : plain.name(price);
}

/** Returns the special traits of an order, most important first: fill, trigger, type, links, conditions. */
export function orderTraits(order: Order): Plain[] {
  const traits: Plain[] = [];
  if (!isPlainState(order)) traits.push(plain.name(order.order_state));
  const fill = fillText(order);
  if (fill !== undefined) traits.push(fill);
  if (isIsolated(order)) traits.push(slotText(order));
  const type = typeText(order);
  if (type !== undefined) traits.push(type);
  traits.push(...linkTexts(order));
  if (order.post_only === true) traits.push(l10n.t("post-only"));
  if (order.reduce_only === true) traits.push(l10n.t("reduce-only"));
  const duration = order.time_in_force;
  if (duration !== undefined && duration !== "good_til_cancelled") traits.push(durationText(duration));
  return traits;
}

/** Returns how much of it is filled; undefined while nothing is. */
export function fillText({ filled_amount: filled }: Order): Plain | undefined {
  return filled === undefined || filled === 0 ? undefined : l10n.t("{0} filled", numberText(filled));
}

/**
 * Returns what an order waits for, in the fewest words: `SL 1900`, `trailing 500`. Undefined for one that is in the
 * book.
 */
export function triggerText(order: Order): Plain | undefined {
  const { order_type: type = "", trigger_price: price, trigger_offset: offset } = order;
  if (order.triggered === true) return undefined;
  if (offset !== undefined) return l10n.t("trailing {0}", numberText(offset));
  if (price === undefined) return undefined;
  if (type.startsWith("stop")) return l10n.t("SL {0}", numberText(price));
  return type.startsWith("take") ? l10n.t("TP {0}", numberText(price)) : l10n.t("trigger {0}", numberText(price));
}

/**
 * Returns how an order is linked to others, for its row: `OCO` where one of them ends the other, or else `OTO` where it
 * waits for one. The place of the row, below the order that it waits for, says that too.
 */
export function linkText(order: Order): Plain | undefined {
  return linkTexts(order).at(-1);
}

function linkTexts({ oco_ref: ref, is_secondary_oto: isSecondary, order_state: state }: Order): readonly Plain[] {
  return [
    ...(isSecondary === true && state === "untriggered" ? [l10n.t("OTO")] : []),
    ...(ref === undefined ? [] : [l10n.t("OCO")]),
  ];
}

/** Returns the other traits in the fewest words, for a row: `post-only`, `FOK`. */
export function orderMarks(order: Order): Plain[] {
  const isOrdinary = order.order_type === undefined || order.order_type === "limit" || triggerText(order) !== undefined;
  return [
    ...(isPlainState(order) ? [] : [plain.name(order.order_state)]),
    ...(isOrdinary ? [] : [spaced(order.order_type ?? "")]),
    ...(order.post_only === true ? [l10n.t("post-only")] : []),
    ...(order.reduce_only === true ? [l10n.t("reduce-only")] : []),
    ...(order.time_in_force === undefined || order.time_in_force === "good_til_cancelled"
      ? []
      : [durationText(order.time_in_force)]),
  ];
}

/** The states that need no word: the row shows them in another way. */
const PLAIN_STATES: ReadonlySet<string> = new Set([
  "open",
  "untriggered",
  "filled",
  "cancelled",
  "rejected",
  "triggered",
  "archive",
]);

function isPlainState({ order_state: state }: Order): boolean {
  return state === undefined || PLAIN_STATES.has(state);
}

/** Returns the type of an order; undefined for an ordinary limit order. A trigger order says what it waits for. */
function typeText(order: Order): Plain | undefined {
  const type = order.order_type ?? "limit";
  if (order.trigger_price === undefined && order.trigger === undefined)
    return type === "limit" ? undefined : spaced(type);
  if (order.triggered === true) return l10n.t("{0}, triggered", spaced(type));
  const offset =
    order.trigger_offset === undefined
      ? spaced(type)
      : l10n.t("{0}, offset {1}", spaced(type), numberText(order.trigger_offset));
  if (order.trigger_price === undefined) return offset;
  const price = numberText(order.trigger_price);
  if (order.trigger === undefined) return l10n.t("{0}, triggers at {1}", offset, price);
  return l10n.t("{0}, triggers at {1} ({2})", offset, price, spaced(order.trigger));
}

/** Returns how an order ended; undefined while it has not. */
export function endText({ order, endedAtMs }: OrderItem): Plain | undefined {
  if (endedAtMs === undefined) return undefined;
  switch (order.order_state) {
    case "filled":
      return l10n.t("filled");
    case "rejected":
      return l10n.t("rejected");
    case "triggered":
      return l10n.t("triggered");
    case "cancelled":
      return isOrdinaryReason(order.cancel_reason)
        ? l10n.t("cancelled")
        : l10n.t("cancelled: {0}", cancelReason(order.cancel_reason)?.brief ?? "");
    case "archive":
      return l10n.t("archived");
    case undefined:
    default:
      // The last state that was seen is not an end: only its absence from the list is known.
      return l10n.t("no longer open");
  }
}

/** Returns a time in force by the abbreviation that traders use, and an unknown one as the exchange writes it. */
function durationText(duration: string): Plain {
  return DURATIONS.get(duration) ?? spaced(duration);
}

const DURATIONS: ReadonlyMap<string, Plain> = new Map([
  ["good_til_day", plain`GTD`],
  ["fill_or_kill", plain`FOK`],
  ["immediate_or_cancel", plain`IOC`],
]);

/** Returns a word of the exchange with spaces: `mark_price` reads `mark price`. */
function spaced(word: string): Plain {
  return plain.text(plain.name(word).replaceAll("_", " "));
}

/** The length below which the beginning of a label says nothing. */
const MIN_LABEL = 6;
