import * as l10n from "../../base/l10n.ts";
import { NOT_KNOWN } from "../../base/plain.ts";
import type { Order } from "../../state/orders.ts";
import { instrumentKindOf } from "./instrumentKind.ts";

/** The grouping of the orders; `none` for a flat list. */
export type OrderGrouping = "instrument" | "currency" | "kind" | "type" | "label" | "none";

/** All groupings, the usual one first. */
export const ORDER_GROUPINGS: readonly OrderGrouping[] = ["instrument", "currency", "kind", "type", "label", "none"];

/** Returns the name of the group of an instrument. */
export function instrumentGroup(instrumentName: string | undefined): string {
  return instrumentName ?? NOT_KNOWN;
}

/** Returns the name of the group in which an order stands; empty where orders are not grouped. */
export function groupName(grouping: OrderGrouping, order: Order): string {
  switch (grouping) {
    case "instrument":
      return instrumentGroup(order.instrument_name);
    case "currency":
      return currencyOf(instrumentGroup(order.instrument_name));
    case "kind":
      return instrumentKindOf(order.instrument_name) ?? l10n.t("other kinds");
    case "type":
      return order.order_type ?? l10n.t("no type");
    case "label":
      return order.label === undefined || order.label === "" ? l10n.t("no label") : order.label;
    case "none":
      return "";
  }
}

/**
 * Returns the beginning of an instrument's name: a currency, or a pair where it is settled in another one. An order
 * does not say its currency; https://docs.deribit.com/articles/deribit-quickstart names instruments this way.
 */
export function currencyOf(instrumentName: string): string {
  return instrumentName.split("-")[0] ?? instrumentName;
}
