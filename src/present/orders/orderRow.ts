import { isGeneratedLabel } from "../../actions/changes/placingNames.ts";
import { percentText } from "../../actions/intent/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { isIsolated } from "../../state/isolated.ts";
import type { Order, OrderItem } from "../../state/orders.ts";
import { cancelReason } from "../outcomes/cancelReasons.ts";
import {
  fact,
  factLines,
  fitsNarrow,
  marksText,
  roomBeside,
  spokenText,
  staleFact,
  type RowFact,
} from "../rows/facts.ts";
import { numberText, signedText } from "../text/numbers.ts";
import { fieldLines } from "../rows/objectFields.ts";
import {
  endText,
  fillText,
  linkText,
  orderLine,
  orderMarks,
  orderTerms,
  orderTraits,
  ownLabel,
  triggerText,
} from "./orderWords.ts";
import { pendingFact, pendingIcon, type PendingChange } from "../outcomes/pendingChanges.ts";
import { shortInstrumentName } from "./instrumentKind.ts";
import { directionIcon, rowId, sentenceLines, type Row, type RowIcon, type TooltipLine } from "../rows/row.ts";
import { coarseAgeText, coarseMinutes, type Times } from "../text/times.ts";

/** The facts beside the order that its row needs. */
export interface OrderRowContext {
  readonly connectionId: string;
  /** The change that is under way on this order. */
  readonly pending: PendingChange | undefined;
  /** Whether the list is as old as its last reading. */
  readonly isStale: boolean;
  /** Whether the row has to name its instrument itself. */
  readonly namesInstrument: boolean;
  /** Whether orders that it triggers stand below it; they are shown from the start. */
  readonly hasOrdersBelow: boolean;
  /** How far its price is from the mark price, in percent; undefined where no recent mark price is known. */
  readonly distance?: number | undefined;
  /** How long ago it was placed, in coarse minutes; undefined where that is not known. */
  readonly ageMinutes?: number | undefined;
}

/** The members of an order that are shown first below its row. */
export const ORDER_FIELDS: readonly string[] = [
  ...["price", "amount", "filled_amount", "average_price", "trigger_price", "trigger_offset", "trigger", "label"],
  ...["order_type", "time_in_force", "post_only", "reduce_only", "order_state", "cancel_reason"],
  ...["creation_timestamp", "last_update_timestamp", "instrument_name", "order_id"],
];

/** Returns the age of an order in coarse minutes; undefined where it is not known. `nowMs`: ms since the Unix epoch. */
export function orderAge(order: Order | undefined, nowMs: number | undefined): number | undefined {
  const placedAtMs = order?.creation_timestamp;
  return nowMs === undefined || placedAtMs === undefined ? undefined : coarseMinutes(nowMs - placedAtMs);
}

/** Whether the facts beside two orders are the same. */
export function isSameContext(one: OrderRowContext, other: OrderRowContext): boolean {
  return (
    one.connectionId === other.connectionId &&
    one.pending === other.pending &&
    one.isStale === other.isStale &&
    one.namesInstrument === other.namesInstrument &&
    one.hasOrdersBelow === other.hasOrdersBelow &&
    one.distance === other.distance &&
    one.ageMinutes === other.ageMinutes
  );
}

/** Returns the ID of an order's row. */
export function orderRowId(connectionId: string, orderId: string): string {
  return rowId(connectionId, "orders", "order", orderId);
}

/**
 * Returns one line for an order: side, amount and price as the label, then the owner's label, the fill, the distance to
 * the mark price, the age and the conditions, as far as the sidebar shows them whole. The rest, including the ID, is in
 * the tooltip, in the rows below and in the spoken sentence.
 */
export function orderRow(item: OrderItem, context: OrderRowContext): Row {
  const { order, endedAtMs } = item;
  const icon = orderIcon(item, context);
  const status = statusFact(item, context);
  const stale = staleFact(context.isStale);
  const instrument = plain.text(order.instrument_name, MAX_ID);
  // The outcome of an order must not be cut off behind a long name: the name then comes after it. Nor must its price:
  // a trader who sees the price and half of the name knows more than one who sees the name and half of the price.
  const isOpen = endedAtMs === undefined && context.pending === undefined;
  const namesOpen = context.namesInstrument && isOpen;
  const terms = orderTerms(order);
  const short = plain.text(shortInstrumentName(order.instrument_name), MAX_ID);
  const named = l10n.t("{0} {1}", short, terms);
  const namesFirst = namesOpen && fitsNarrow(named);
  const before = [status, context.namesInstrument && !namesFirst ? short : undefined, isolatedMark(order)];
  // What tells the order from others comes before what its icon and the heading say too.
  const after = [...(endedAtMs === undefined ? [fillText(order), triggerText(order), linkText(order)] : []), stale];
  const room = roomOf(namesOpen ? l10n.t("{0} {1}", instrument, terms) : terms, namesFirst || !namesOpen ? "" : short);
  const ownRoom = Math.max(MIN_LABEL, room - marksText([...before, "", ...after], Infinity).length - 3);
  // A label that the program has made up tells its owner nothing: it is in the tooltip and below.
  const own = isGeneratedLabel(order.label ?? "") ? undefined : ownLabel(order, ownRoom);
  const market = marketFacts(context, isOpen);
  const more = orderMarks(order).map((mark, index) => ({ mark, priority: index + 3 }));
  const told = [
    ...[ownLabelText(order), status, stale, ...orderTraits(order)],
    ...[...market.map((each) => each?.sentence ?? ""), plain.text(order.order_id, MAX_ID)],
  ];
  return {
    id: orderRowId(context.connectionId, order.order_id),
    connectionId: context.connectionId,
    objectId: order.order_id,
    label: namesFirst ? named : terms,
    description: marksText([...before, own, ...after, ...market, ...more], room),
    icon,
    spoken: spokenText(factLines(instrument, [terms, ...told])),
    contextValue: contextValue(item, context),
    children: context.hasOrdersBelow ? "expanded" : "collapsed",
    copyText: order.order_id,
  };
}

function isolatedMark(order: Order): Plain | undefined {
  return isIsolated(order) ? l10n.t("isolated") : undefined;
}

/**
 * Returns the room of a description beside a label, with that of the name that it begins with. The label has the whole
 * name of the instrument: what is shown of an order does not depend on how its name is cut.
 */
function roomOf(label: string, name: string): number {
  return roomBeside(label, true) + (name === "" ? 0 : name.length + " · ".length);
}

/** Returns the distance to the mark price and the age; none of an order that ended or is being changed. */
function marketFacts(context: OrderRowContext, isOpen: boolean): readonly (RowFact | undefined)[] {
  return isOpen ? [distanceFact(context), ageFact(context)] : [];
}

/** Returns how far the price is from the mark price, with the sign of mathematics. */
function distanceFact({ distance }: OrderRowContext): RowFact | undefined {
  if (distance === undefined) return undefined;
  const digits = percentText(numberText(Math.abs(distance)));
  const mark = percentText(signedText(distance, numberText));
  if (distance === 0) return fact(mark, l10n.t("at the mark price"), 1);
  return fact(
    mark,
    distance < 0 ? l10n.t("{0} below the mark price", digits) : l10n.t("{0} above the mark price", digits),
    1,
  );
}

function ageFact({ ageMinutes }: OrderRowContext): RowFact | undefined {
  if (ageMinutes === undefined) return undefined;
  if (ageMinutes === 0) return fact(l10n.t("just now"), l10n.t("placed just now"), 2);
  const age = coarseAgeText(ageMinutes);
  return fact(age, l10n.t("placed {0} ago", age), 2);
}

/** Returns the label that its owner gave the order, as it is spoken: a label may read like a state. */
function ownLabelText(order: Order): Plain {
  const label = ownLabel(order);
  return label === undefined ? "" : l10n.t("label {0}", label);
}

/** Returns the order in words, then every member that it has. */
export function orderTooltip(item: OrderItem, context: OrderRowContext, times: Times): TooltipLine[] {
  const { order, endedAtMs } = item;
  const ended =
    endedAtMs === undefined ? undefined : l10n.t("{0}, seen at {1}", endText(item) ?? "", times.clock(endedAtMs));
  const facts = [
    orderLine(order),
    ...orderTraits(order),
    ...[distanceFact(context), ageFact(context)].map((each) => each?.sentence),
    ...(ended === undefined ? [pendingFact(context.pending)] : [ended, ...whyEnded(order)]),
    staleFact(context.isStale),
  ];
  return [...sentenceLines(factLines(plain.text(order.instrument_name, MAX_ID), facts)), ...fieldLines(order, times)];
}

function whyEnded({ order_state: state, cancel_reason: reason }: Order): Plain[] {
  const { sentence } = (state === "cancelled" ? cancelReason(reason) : undefined) ?? {};
  return sentence === undefined ? [] : [sentence];
}

/** Returns the first fact, where there is one: how it ended, or what is under way. */
function statusFact(item: OrderItem, { pending }: OrderRowContext): RowFact | Plain | undefined {
  return endText(item) ?? pendingFact(pending);
}

/**
 * Returns flags: the kind of row, and how certain it is. Also whether it may be cancelled, including a second time
 * while an earlier outcome is unknown.
 */
function contextValue({ endedAtMs }: OrderItem, { pending, isStale }: OrderRowContext): string {
  const stale = isStale ? ".stale" : "";
  if (endedAtMs !== undefined) return `order.ended${stale}`;
  switch (pending) {
    case "sending":
    case "editing":
    case "verifying":
      return `order.pending${stale}`;
    case "unknown":
      return `order.open.cancellable.unknown${stale}`;
    case undefined:
      return `order.open.cancellable${stale}`;
  }
}

function orderIcon(item: OrderItem, { pending, isStale }: OrderRowContext): RowIcon {
  if (item.endedAtMs !== undefined)
    return { name: item.order.order_state === "filled" ? "check" : "circle-slash", color: GREY };
  if (pending !== undefined) return pendingIcon(pending);
  const { name, color } = directionIcon(item.order.direction);
  return { name, color: isStale ? GREY : color };
}

const GREY = "disabledForeground";
const MAX_ID = 64;
/** The length to which a label is cut at most. */
const MIN_LABEL = 8;
