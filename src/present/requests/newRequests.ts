import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { KEY_METHODS } from "../../actions/changes/apiKeys.ts";
import { CANCEL_BY_LABEL_METHOD } from "../../actions/changes/cancelMany.ts";
import { CANCEL_METHOD } from "../../actions/changes/orders.ts";
import type { KnownKey } from "../../state/apiKeys.ts";
import { OPEN_ORDERS_OF_INSTRUMENT_METHOD, ORDER_STATE_METHOD } from "../../state/orderRows.ts";
import type { Order } from "../../state/orders.ts";
import { TRADES_METHOD } from "../../state/tradePages.ts";
import { orderLine } from "../orders/orderWords.ts";

/** A request about the object of a row. */
export interface OfferedRequest {
  /** The purpose of the request. */
  readonly label: Plain;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Returns the question which of the requests about an order is wanted. */
export function aboutOrderText(order: Order): Plain {
  return l10n.t("Select a request for {0} {1}", plain.name(order.instrument_name), orderLine(order));
}

/** Returns requests about an order, reads first. */
export function requestsAboutOrder({
  order_id: orderId,
  instrument_name: instrument,
  label,
}: Order): readonly OfferedRequest[] {
  return [
    { label: l10n.t("Read the state of the order"), method: ORDER_STATE_METHOD, params: { order_id: orderId } },
    {
      label: l10n.t("List open orders for the instrument"),
      method: OPEN_ORDERS_OF_INSTRUMENT_METHOD,
      params: { instrument_name: instrument },
    },
    {
      label: l10n.t("Read the last trades of the instrument"),
      method: TRADES_METHOD,
      params: { instrument_name: instrument, count: 10 },
    },
    { label: l10n.t("Cancel the order"), method: CANCEL_METHOD, params: { order_id: orderId } },
    ...(label === undefined || label === ""
      ? []
      : [
          { label: l10n.t("Cancel all orders with the same label"), method: CANCEL_BY_LABEL_METHOD, params: { label } },
        ]),
  ];
}

/**
 * Returns requests about an API key. They hold its present scope and name, because a change takes a missing one as
 * none. Unknown ones are missing, and the request is held back until the user writes them.
 */
export function requestsAboutKey({ id, key }: KnownKey): readonly OfferedRequest[] {
  const scope = maxScopeText({ key });
  const kept = scope === undefined ? {} : { max_scope: scope };
  const name = key?.name === undefined ? {} : { name: key.name };
  const enabled = key?.enabled === undefined ? {} : { enabled: key.enabled };
  return [
    { label: l10n.t("Edit the API key"), method: KEY_METHODS.edit, params: { id, ...kept, ...name, ...enabled } },
    { label: l10n.t("Change the scope of the API key"), method: KEY_METHODS.changeScope, params: { id, ...kept } },
    { label: l10n.t("Enable the API key"), method: KEY_METHODS.enable, params: { id } },
    { label: l10n.t("Disable the API key"), method: KEY_METHODS.disable, params: { id } },
  ];
}

/** Returns the scope of a key as requests give it; undefined where it is not known. */
export function maxScopeText({ key }: Pick<KnownKey, "key">): string | undefined {
  const scope = key?.max_scope;
  return Array.isArray(scope) ? scope.join(" ") : scope;
}
