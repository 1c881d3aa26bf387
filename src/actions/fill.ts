import { isObject } from "../base/json.ts";

/** How much of an order or a quote was filled, as a response says it. */
export interface Fill {
  readonly filled: number;
  /** Of how much; undefined where the response does not say. */
  readonly amount: number | undefined;
}

/**
 * The fill that an order or a quote reports, or the order that a response holds; undefined where nothing is said of
 * one.
 */
export function fillOf(result: unknown): Fill | undefined {
  if (!isObject(result)) return undefined;
  if (isObject(result["order"])) return fillOf(result["order"]);
  const { filled_amount: filled, amount } = result;
  return typeof filled === "number" ? { filled, amount: typeof amount === "number" ? amount : undefined } : undefined;
}

/** Whether something was filled of an order or a quote, as far as is said. */
export function isPartlyFilled(result: unknown): boolean {
  return (fillOf(result)?.filled ?? 0) > 0;
}
