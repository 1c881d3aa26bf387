/* Names around orders that are to be placed, which more than one part of the program needs. */

/** The field of `Intent.before` of an order that is to be placed: the IDs of known orders of its label, with blanks. */
export const KNOWN_IDS = "order_ids";

/** Returns a label that no other order has, from 16 random hexadecimal digits. */
export function generatedLabel(digits: string): string {
  return `rpc-${digits}`;
}

/** Whether a label has the form of a generated one. */
export function isGeneratedLabel(label: string): boolean {
  return /^rpc-[0-9a-f]{16}$/.test(label);
}

export const SIDES = ["buy", "sell"] as const;

/** The side of an order. */
export type OrderSide = (typeof SIDES)[number];

/** The methods that place an order, by its side. */
export const PLACE_METHODS = { buy: "private/buy", sell: "private/sell" } as const satisfies Record<OrderSide, string>;
