import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Order, OrderItem } from "../../state/orders.ts";
import { cancelReason } from "../outcomes/cancelReasons.ts";
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
import { pendingIcon, pendingMark, pendingSentence, type PendingChange } from "../outcomes/pendingChanges.ts";
import { rowId, type Row, type RowIcon, type TooltipLine } from "../rows/row.ts";
import type { Times } from "../text/times.ts";

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
}

/** Whether the facts beside two orders are the same. */
export function isSameContext(one: OrderRowContext, other: OrderRowContext): boolean {
  return (
    one.connectionId === other.connectionId &&
    one.pending === other.pending &&
    one.isStale === other.isStale &&
    one.namesInstrument === other.namesInstrument &&
    one.hasOrdersBelow === other.hasOrdersBelow
  );
}

/** Returns the ID of an order's row. */
export function orderRowId(connectionId: string, orderId: string): string {
  return rowId(connectionId, "orders", "order", orderId);
}

/**
 * Returns one line for an order: side, amount and price as the label, then the owner's label, the fill and the
 * conditions, as far as a narrow sidebar shows them whole. The rest, including the ID, is in the tooltip, in the rows
 * below and in the spoken sentence.
 */
export function orderRow(item: OrderItem, context: OrderRowContext): Row {
  const { order } = item;
  const status = statusParts(item, context);
  const stale = context.isStale ? [l10n.t("stale")] : [];
  const instrument = plain.text(order.instrument_name, MAX_ID);
  // The outcome of an order must not be cut off behind a long name: the name then comes after it.
  const namesFirst = context.namesInstrument && item.endedAtMs === undefined && context.pending === undefined;
  const terms = orderTerms(order);
  const label = namesFirst ? l10n.t("{0} {1}", instrument, terms) : terms;
  const before = context.namesInstrument && !namesFirst ? [...status, instrument] : status;
  // What tells the order from others comes before what its icon and the heading say too.
  const after = [
    ...(item.endedAtMs === undefined
      ? [fillText(order), triggerText(order), linkText(order)].filter((part) => part !== undefined)
      : []),
    ...stale,
  ];
  const beside = [...before, ...after].reduce((sum, part) => sum + part.length + " · ".length, 0);
  const own = ownLabel(order, ROW_CHARACTERS - label.length - beside);
  const certain = [...before, ...(own === undefined ? [] : [own]), ...after];
  return {
    id: orderRowId(context.connectionId, order.order_id),
    connectionId: context.connectionId,
    objectId: order.order_id,
    label,
    description: fitting(label, certain, [...orderMarks(order), plain.text(order.order_id, MAX_ID)]),
    icon: orderIcon(item, context),
    spoken: l10n.t(
      "{0}: {1}, {2}",
      instrument,
      terms,
      plain.join(
        [...ownLabelWords(order), ...status, ...stale, ...orderTraits(order), plain.text(order.order_id, MAX_ID)],
        ", ",
      ),
    ),
    contextValue: contextValue(item, context),
    children: context.hasOrdersBelow ? "expanded" : "collapsed",
    copyText: order.order_id,
  };
}

/** Returns the label that its owner gave the order, for the spoken sentence: a label may read like a state. */
function ownLabelWords(order: Order): Plain[] {
  const label = ownLabel(order);
  return label === undefined ? [] : [l10n.t("label {0}", label)];
}

/** Returns the required parts, and then as many further parts as fit beside the label, in their order. */
function fitting(label: string, certain: readonly Plain[], more: readonly Plain[]): Plain {
  let text = plain.join(certain, " · ");
  for (const part of more) {
    const longer = text === "" ? part : plain`${text} · ${part}`;
    if (label.length + longer.length >= ROW_CHARACTERS) return text;
    text = longer;
  }
  return text;
}

/** The characters that a sidebar of 300 px shows of a row below a group, in the font of VS Code. */
const ROW_CHARACTERS = 31;

/** Returns the order in words, then every member that it has. */
export function orderTooltip(item: OrderItem, context: OrderRowContext, times: Times): TooltipLine[] {
  const { order, endedAtMs } = item;
  const lines = [
    l10n.t("{0}: {1}", plain.text(order.instrument_name, MAX_ID), orderLine(order)),
    ...orderTraits(order),
  ];
  if (endedAtMs !== undefined)
    lines.push(l10n.t("{0}, seen at {1}", endText(item) ?? "", times.clock(endedAtMs)), ...whyEnded(order));
  else if (context.pending !== undefined) lines.push(pendingSentence(context.pending));
  if (context.isStale) lines.push(l10n.t("Not up to date: this is the last known state."));
  return [...lines.map((value) => ({ name: undefined, value })), ...fieldLines(order, times)];
}

function whyEnded({ order_state: state, cancel_reason: reason }: Order): Plain[] {
  const { sentence } = (state === "cancelled" ? cancelReason(reason) : undefined) ?? {};
  return sentence === undefined ? [] : [sentence];
}

/** Returns the first part, where there is one: how it ended, or what is under way. */
function statusParts(item: OrderItem, { pending }: OrderRowContext): readonly Plain[] {
  const end = endText(item);
  if (end !== undefined) return [end];
  return pending === undefined ? [] : [pendingMark(pending)];
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
  const { name, color } = directionIcon(item.order);
  return { name, color: isStale ? GREY : color };
}

function directionIcon({ direction }: Order): RowIcon {
  if (direction === "buy") return { name: "arrow-up", color: "charts.green" };
  if (direction === "sell") return { name: "arrow-down", color: "charts.red" };
  return { name: "circle-outline", color: undefined };
}

const GREY = "disabledForeground";
const MAX_ID = 64;
