import * as l10n from "@vscode/l10n";
import type { Order } from "../state/orders.ts";
import { instrumentKindOf } from "./instrumentKind.ts";

/** What stands above the orders; `none` for a flat list. */
export type OrderGrouping = "instrument" | "currency" | "kind" | "type" | "label" | "none";

/** All groupings, the usual one first. */
export const ORDER_GROUPINGS: readonly OrderGrouping[] = ["instrument", "currency", "kind", "type", "label", "none"];

/** The name of the group in which an order stands; empty where orders are not grouped. */
export function groupName(grouping: OrderGrouping, order: Order): string {
  switch (grouping) {
    case "instrument":
      return order.instrument_name;
    case "currency":
      return currencyOf(order.instrument_name);
    case "kind":
      return instrumentKindOf(order.instrument_name) ?? l10n.t("other kinds");
    case "type":
      return order.order_type ?? l10n.t("without a type");
    case "label":
      return order.label === undefined || order.label === "" ? l10n.t("without a label") : order.label;
    case "none":
      return "";
  }
}

/**
 * What an instrument's name begins with: a currency, or a pair of them where it is settled in another one. An order
 * does not say its currency; https://docs.deribit.com/articles/deribit-quickstart names instruments this way.
 */
function currencyOf(instrumentName: string): string {
  return instrumentName.split("-")[0] ?? instrumentName;
}
