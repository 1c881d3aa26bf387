import type { Random } from "../../base/clock.ts";
import { writeJson } from "../text/json.ts";
import type { SimulatedInstrument } from "./instruments.ts";
import { randomInteger } from "../text/seededRandom.ts";

/** An order as the exchange keeps it, with the exchange's names. It changes in place; `orderText` is what leaves. */
export type WorldOrder = OrderSpec & {
  readonly order_id: string;
  order_state: string;
  price: number | "market_price";
  order_type: string;
  replaced: boolean;
  readonly creation_timestamp: number;
  last_update_timestamp: number;
};

/** The required facts about an order that is placed; the rest follows from its instrument and type. */
export type OrderSpec = {
  readonly instrument_name: string;
  readonly direction: "buy" | "sell";
  amount: number;
  contracts?: number;
  price?: number | "market_price";
  filled_amount?: number;
  average_price?: number;
  order_type?: string;
  readonly original_order_type?: string;
  readonly time_in_force?: string;
  readonly label?: string;
  max_show?: number;
  display_amount?: number;
  readonly refresh_amount?: number;
  readonly reduce_only?: boolean;
  readonly post_only?: boolean;
  readonly reject_post_only?: boolean;
  readonly api?: boolean;
  readonly web?: boolean;
  readonly mobile?: boolean;
  readonly app_name?: string;
  readonly mmp?: boolean;
  readonly mmp_group?: string;
  mmp_cancelled?: boolean;
  readonly risk_reducing?: boolean;
  readonly is_rebalance?: boolean;
  readonly is_liquidation?: boolean;
  auto_replaced?: boolean;
  readonly block_trade?: boolean;
  readonly quote?: boolean;
  readonly quote_set_id?: string;
  readonly quote_id?: string;
  cancel_reason?: string;
  readonly advanced?: "usd" | "implv";
  readonly implv?: number;
  readonly usd?: number;
  triggered?: boolean;
  readonly trigger?: "index_price" | "mark_price" | "last_price";
  trigger_price?: number;
  readonly trigger_offset?: number | null;
  readonly commission?: number;
  trigger_reference_price?: number;
  readonly trigger_order_id?: string;
  readonly trigger_fill_condition?: string;
  readonly oto_order_ids?: readonly string[];
  readonly oco_ref?: string;
  readonly primary_order_id?: string;
  readonly is_secondary_oto?: boolean;
  readonly is_primary_otoco?: boolean;
  readonly user_id?: number;
  readonly starbase_order_id?: bigint;
  starbase_last_update_timestamp?: bigint;
};

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

/** Makes an order from its facts. Trigger orders carry no filled amount, as recorded messages have it. */
export function createOrder(
  spec: OrderSpec,
  instrument: SimulatedInstrument,
  made: { readonly id: string; readonly nowMs: number },
): WorldOrder {
  const type = spec.order_type ?? "limit";
  const isTrigger = spec.trigger !== undefined;
  return {
    time_in_force: "good_til_cancelled",
    // As the exchange has sent them: null instead of nothing, and a member that is documented nowhere.
    trigger_offset: null,
    commission: 0,
    ...(instrument.kind === "spot" ? { is_rebalance: false } : { reduce_only: false, is_liquidation: false }),
    post_only: false,
    reject_post_only: false,
    label: "",
    api: true,
    web: false,
    mmp: false,
    risk_reducing: false,
    user_id: USER_ID,
    contracts: Number((spec.amount / instrument.contractSize).toPrecision(12)),
    ...(isTrigger ? { triggered: false } : { filled_amount: 0, average_price: 0 }),
    ...spec,
    price: spec.price ?? (type.endsWith("_market") ? "market_price" : instrument.startPrice),
    order_type: type,
    order_state: isTrigger || spec.is_secondary_oto === true ? "untriggered" : "open",
    replaced: false,
    order_id: made.id,
    creation_timestamp: made.nowMs,
    last_update_timestamp: made.nowMs,
  };
}

/** The numbers of an order or trade that keep their decimal point on linear and spot instruments. */
export const DECIMAL_MEMBERS: ReadonlySet<string> = new Set([
  ...["amount", "filled_amount", "average_price", "price", "contracts", "max_show", "display_amount", "refresh_amount"],
  ...["trigger_price", "trigger_offset", "trigger_reference_price", "implv", "usd", "mark_price", "index_price", "iv"],
]);

/** Returns the order as it goes over the wire. */
export function orderText(order: WorldOrder, instrument: SimulatedInstrument): string {
  // Where nothing in it is written otherwise than JavaScript does, the engine's own writer is three times as fast.
  if (!instrument.isDecimal && order.starbase_order_id === undefined) {
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
 * The source of identifiers in the exchange's forms: `81230000007`, `ETH-349280`, `BTC_USDC-13133482`, `ETH-SLIS-12`,
 * `OTO-7`.
 */
export interface OrderIds {
  next(instrument: SimulatedInstrument, spec: OrderSpec): string;
}

/**
 * Makes the counters, with gaps, because others place orders too. `offset`: the distance from the first number at the
 * beginning.
 */
export function createOrderIds(random: Random, offset: number): OrderIds {
  const counters = new Map<string, number>();
  const count = (prefix: string, start: number, gap: number): string => {
    const value = (counters.get(prefix) ?? start + offset) + randomInteger(random, 1, gap);
    counters.set(prefix, value);
    return `${prefix}${value}`;
  };
  return {
    next(instrument, spec) {
      if (spec.is_secondary_oto === true) return count("OTO-", 10_838_700, 3);
      if (spec.trigger !== undefined) return count(triggerPrefix(instrument, spec), 12, 5);
      return count(instrument.idPrefix, instrument.idPrefix === "" ? 81_230_000_000 : 349_000, 37);
    },
  };
}

/** Returns a prefix, e.g. `ETH-SLIS-`: stop, of the index, selling. */
function triggerPrefix(instrument: SimulatedInstrument, spec: OrderSpec): string {
  const type = spec.order_type ?? "";
  const action = type.startsWith("take") ? "TP" : type.startsWith("trailing") ? "TS" : "SL";
  const source = spec.trigger === "index_price" ? "I" : spec.trigger === "mark_price" ? "M" : "T";
  const currency = instrument.idPrefix === "" ? "BTC-" : instrument.idPrefix;
  return `${currency}${action}${source}${spec.direction === "buy" ? "B" : "S"}-`;
}
