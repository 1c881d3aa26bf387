import { isObject } from "../../base/json.ts";

/** The fill of an order or a quote, as a response reports it. */
export interface Fill {
  readonly filled: number;
  /** The whole amount; undefined where the response does not say. */
  readonly amount: number | undefined;
}

/**
 * Returns the fill that an order or a quote reports, or the order that a response holds; undefined where it reports
 * none.
 */
export function fillOf(result: unknown): Fill | undefined {
  if (!isObject(result)) return undefined;
  if (isObject(result["order"])) return fillOf(result["order"]);
  const { filled_amount: filled, amount } = result;
  return typeof filled === "number" ? { filled, amount: typeof amount === "number" ? amount : undefined } : undefined;
}

/** Whether an order or a quote was filled at least in part, as far as it says. */
export function isPartlyFilled(result: unknown): boolean {
  return (fillOf(result)?.filled ?? 0) > 0;
}
