/* Names around orders that are to be placed, which more than one part of the program needs. */

/** The field of `Intent.before` of an order that is to be placed: the IDs of known orders of its label, with blanks. */
export const KNOWN_IDS = "order_ids";

/** The side of an order. */
export type OrderSide = "buy" | "sell";
