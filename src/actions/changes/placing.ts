import { fieldsOf, pick, type Fields, type Members } from "./fields.ts";

/* What the gate knows of requests that place an order: private/buy and private/sell. */

/** The parameter with the time after which the exchange refuses a request. https://docs.deribit.com/api-reference */
export const DEADLINE_PARAM = "valid_until";

/** The fields of `Intent.before` of an order that is to be placed: what was known before it was sent. */
export const BEFORE_PLACING = {
  /** The time at the exchange, in ms since the Unix epoch: an order that was made before is another one. */
  exchangeMs: "exchange_ms",
  /** The IDs of the orders that have its label, separated by blanks. */
  orderIds: "order_ids",
} as const;

/** Returns the label of a request; undefined where it has none that tells its order from others. */
export function orderLabelOf(paramsText: string): string | undefined {
  const { label } = JSON.parse(paramsText) as Members;
  return typeof label === "string" && label !== "" ? label : undefined;
}

/** The side of an order. */
export type OrderSide = "buy" | "sell";

/**
 * Returns the values that a request gives to the fields of its order. The price of a market order is the exchange's, and
 * that of an option order in USD or volatility is told in another field.
 */
export function placementFields(method: string, params: Members): Fields {
  const { type = "limit", advanced } = params;
  const hasOwnPrice = advanced === undefined && typeof type === "string" && type.endsWith("limit");
  return fieldsOf({
    ...pick(params, ["instrument_name", "label", "amount", ...(hasOwnPrice ? ["price"] : [])]),
    direction: (method === "private/sell" ? "sell" : "buy") satisfies OrderSide,
  });
}
