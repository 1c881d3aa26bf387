/* Names around orders that are to be placed, which more than one part of the program needs. */

/** The fields of `Intent.before` of an order that is to be placed: what was known before it was sent. */
export const BEFORE_PLACING = {
  /** The time at the exchange, in ms since the Unix epoch: an order that was made before is another one. */
  exchangeMs: "exchange_ms",
  /** The IDs of the orders that have its label, separated by blanks. */
  orderIds: "order_ids",
} as const;

/** The side of an order. */
export type OrderSide = "buy" | "sell";
