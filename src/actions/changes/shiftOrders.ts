import {
  addDecimals,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
  type Decimal,
} from "../../base/decimal.ts";
import type { Order } from "../../state/orders.ts";
import { decimalText } from "../decimal.ts";
import { tickSizeAt, type PriceSteps } from "../orderSteps.ts";
import { presentTerm } from "./editOrders.ts";
import { priceMember } from "./orderTerms.ts";

/** A common move of the prices of several orders, up or down. `text` is a JSON number; that of ticks is whole. */
export interface Shift {
  readonly by: "ticks" | "percent";
  readonly text: string;
}

const PERCENT: Decimal = { units: 1n, scale: 2 };

/**
 * Returns the price of an order after a shift as a JSON number, calculated without rounding and then rounded to the
 * tick away from a trade: down for a buy, up for a sell. Undefined for an order without a price in the currency of the
 * instrument, and where the tick is not known.
 */
export function shiftedPrice(order: Order, shift: Shift, steps: PriceSteps): string | undefined {
  const price = parseDecimal(presentTerm(order, "price") ?? "");
  const amount = parseDecimal(shift.text);
  const tick = price === undefined ? undefined : tickAt(price, steps);
  if (price === undefined || amount === undefined || tick === undefined || priceMember(order) !== "price")
    return undefined;
  const unit = shift.by === "ticks" ? tick : multiplyDecimals(magnitude(price), PERCENT);
  const moved = addDecimals(price, multiplyDecimals(unit, amount));
  const step = tickAt(moved, steps) ?? tick;
  return formatDecimal(roundDecimal(moved, step, order.direction === "sell" ? "above" : "below"));
}

/** Returns the tick size at a price; undefined where it is not known. */
function tickAt(price: Decimal, steps: PriceSteps): Decimal | undefined {
  const step = tickSizeAt(formatDecimal(price), steps);
  const tick = step === undefined ? undefined : parseDecimal(decimalText(step));
  return tick === undefined || tick.units <= 0n ? undefined : tick;
}

function magnitude({ units, scale }: Decimal): Decimal {
  return { units: units < 0n ? -units : units, scale };
}
