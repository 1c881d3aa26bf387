import type { Random } from "../../base/clock.ts";
import { isTriggerType, type OrderType, type PriceSource } from "../../exchange/orders/order.ts";
import { writeJson, type WrittenRow } from "../text/json.ts";
import type { SimulatedInstrument } from "./instruments.ts";
import { randomInteger } from "../text/seededRandom.ts";

/** An order with the exchange's names; `orderText` is what leaves. */
export type WorldOrder = WrittenRow<
  "order",
  | ("order_id" | "instrument_name" | "order_state" | "order_type" | "amount")
  | ("replaced" | "creation_timestamp" | "last_update_timestamp"),
  {
    direction: "buy" | "sell";
    price: number | "market_price";
    trigger?: PriceSource;
    trigger_offset?: number | null;
    oto_order_ids?: readonly string[];
  }
>;

/** An order, as far as its ID tells of it. */
export interface NumberedOrder {
  readonly account: string;
  readonly instrument: string;
  readonly direction: "buy" | "sell";
  readonly type?: OrderType;
  readonly trigger?: PriceSource | undefined;
  readonly isSecondaryOto?: boolean;
}

/** The account that everything in here belongs to. */
export const USER_ID = 48_595;

/** Whether an order waits for its trigger, or for the order that it is linked to. */
export function isWaiting(order: WorldOrder): boolean {
  return order.order_state === "untriggered";
}

/** Whether an order can still be cancelled. */
export function isCancellable(order: WorldOrder): boolean {
  return order.order_state === "open" || isWaiting(order);
}

/** The numbers of an order or trade that keep their decimal point on linear and spot instruments. */
export const DECIMAL_MEMBERS: ReadonlySet<string> = new Set([
  ...["amount", "filled_amount", "average_price", "price", "contracts", "max_show", "display_amount", "refresh_amount"],
  ...["trigger_price", "trigger_offset", "trigger_reference_price", "implv", "usd", "mark_price", "index_price", "iv"],
]);

/** Returns the order as it goes over the wire. */
export function orderText(order: WorldOrder, instrument: SimulatedInstrument): string {
  // Where nothing in it is written otherwise than JavaScript does, the engine's own writer is three times as fast.
  if (!instrument.isDecimal) {
    const text = JSON.stringify(order);
    if (!hasExponent(text)) return text;
  }
  return writeJson(order, instrument.isDecimal ? DECIMAL_MEMBERS : undefined);
}

/** Whether a text may have a number with an exponent, which the exchange writes with a point. */
function hasExponent(text: string): boolean {
  // To look for two characters takes much less time than to look for a pattern. No figure is so large that it has "e+".
  return text.includes("e-") && /\de-\d/.test(text);
}

/**
 * Makes the source of order IDs in the exchange's forms: `81230000007`, `ETH-349280`, `BTC_USDC-13133482`,
 * `ETH-SLIS-12`, `OTO-10838714` of BTC, `ETH-OTO-6910166`. They have gaps, because others place orders too.
 */
export function createOrderIds(
  random: Random,
  instruments: ReadonlyMap<string, SimulatedInstrument>,
): (order: NumberedOrder) => string {
  const counters = new Map<string, number>();
  const count = (prefix: string, start: number, gap: number): string => {
    const value = (counters.get(prefix) ?? start) + randomInteger(random, 1, gap);
    counters.set(prefix, value);
    return `${prefix}${value}`;
  };
  return (order) => {
    const prefix = instruments.get(order.instrument)?.idPrefix ?? "";
    if (order.isSecondaryOto === true) return count(`${prefix}OTO-`, 10_838_700, 3);
    // What a trigger order goes on as has an ID like every other order.
    if (order.trigger !== undefined && isTriggerType(order.type ?? "limit"))
      return count(triggerPrefix(prefix, order), 12, 5);
    return count(prefix, prefix === "" ? 81_230_000_000 : 349_000, 37);
  };
}

/** Returns a prefix, e.g. `ETH-SLIS-`: stop, of the index, selling. */
function triggerPrefix(prefix: string, { type = "limit", trigger, direction }: NumberedOrder): string {
  const action = type.startsWith("take") ? "TP" : type.startsWith("trailing") ? "TS" : "SL";
  const source = trigger === "index_price" ? "I" : trigger === "mark_price" ? "M" : "T";
  return `${prefix === "" ? "BTC-" : prefix}${action}${source}${direction === "buy" ? "B" : "S"}-`;
}
