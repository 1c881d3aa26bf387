import * as z from "zod";
import { order, orderWithState } from "../entities.ts";
import { KINDS, filledText, flag, text } from "../fields.ts";
import { changes, methodsOf, reads } from "../method.ts";

const { method } = methodsOf("Trading");

/** The values of `type` in private/get_open_orders; other methods use other lists. Core specification §4.9. */
const ORDER_TYPE_FILTERS = [
  "all",
  "limit",
  "trigger_all",
  "stop_all",
  "stop_limit",
  "stop_market",
  "take_all",
  "take_limit",
  "take_market",
  "trailing_all",
  "trailing_stop",
] as const;

/** The values of `type` in the methods that cancel several orders: not those of private/get_open_orders. */
const CANCEL_TYPES = ["all", "limit", "trigger_all", "stop", "take", "trailing_stop"] as const;
const CANCEL_KINDS = [...KINDS, "combo", "any"] as const;

const selection = {
  kind: z.enum(CANCEL_KINDS).meta({ description: "Kind of instrument (default: all)." }).optional(),
  type: z.enum(CANCEL_TYPES).meta({ description: "Type of order (default: `all`)." }).optional(),
};
const manner = {
  detailed: flag("Whether the result lists the cancelled orders instead of their number."),
  freeze_quotes: flag("Whether to reject new mass quotes for one second after cancelling."),
};
const currency = filledText("Currency symbol, for example BTC.");

/** A part of a detailed response. A success as a whole can hold parts that failed. */
const cancelledBatch = z.looseObject({
  currency: text("Currency or currency pair of this part."),
  type: text("Type of the orders in this part."),
  instrument_name: text("Instrument of this part."),
  result: z.array(order).meta({ description: "Cancelled orders of this part." }).optional(),
  error: z
    .looseObject({ code: z.number(), message: z.string() })
    .meta({ description: "Why this part failed." })
    .optional(),
});
const cancelledCount = z.int().min(0).meta({ description: "Number of cancelled orders." });
/**
 * The result of cancelling several orders. The number is documented; a recorded response to `detailed` holds the list.
 */
const cancelled = z.union([cancelledCount, z.array(cancelledBatch)]);

const listedKind = z.enum(KINDS).meta({ description: "Kind of instrument (default: all)." }).optional();
const listedType = z.enum(ORDER_TYPE_FILTERS).meta({ description: "Type of order (default: `all`)." }).optional();

const orderId = filledText("Unique order identifier.");

const cancelsMany = { ...changes("trade", "mass"), rate: "matching" } as const;

export const orderMethods = [
  method("private/get_open_orders", reads("trade"), {
    summary: "Lists the open orders of the account.",
    params: z.strictObject({
      kind: listedKind,
      type: listedType,
    }),
    result: z.array(order),
    rows: { order },
    isContract: true,
  }),
  method("private/get_open_orders_by_currency", reads("trade"), {
    summary: "Lists the open orders of the account in a currency.",
    params: z.strictObject({ currency, kind: listedKind, type: listedType }),
    result: z.array(order),
  }),
  method("private/get_open_orders_by_instrument", reads("trade"), {
    summary: "Lists the open orders of the account in one instrument.",
    params: z.strictObject({
      instrument_name: filledText("Unique instrument identifier."),
      type: listedType,
    }),
    result: z.array(order),
  }),
  method("private/get_order_state", reads("trade"), {
    summary: "Returns the state of one order, open or not.",
    params: z.strictObject({ order_id: orderId }),
    result: orderWithState,
  }),
  method("private/cancel", changes("trade", "reduce"), {
    summary: "Cancels one order.",
    params: z.strictObject({ order_id: orderId }),
    result: orderWithState,
    rate: "matching",
    isContract: true,
  }),
  method("private/cancel_all", cancelsMany, {
    summary: "Cancels all open orders of the account, including trigger orders.",
    params: z.strictObject({ ...manner }),
    result: cancelled,
  }),
  method("private/cancel_all_by_instrument", cancelsMany, {
    summary: "Cancels all open orders of an instrument.",
    params: z.strictObject({
      instrument_name: filledText("Unique instrument identifier."),
      type: selection.type,
      include_combos: flag("Whether to include combos that have the instrument as a leg."),
      ...manner,
    }),
    result: cancelled,
  }),
  method("private/cancel_all_by_currency", cancelsMany, {
    summary: "Cancels all open orders in a currency.",
    params: z.strictObject({ currency, ...selection, ...manner }),
    result: cancelled,
  }),
  method("private/cancel_all_by_currency_pair", cancelsMany, {
    summary: "Cancels all open orders in a currency pair.",
    params: z.strictObject({
      currency_pair: filledText("Currency pair, written as in index names, for example btc_usdc."),
      ...selection,
      ...manner,
    }),
    result: cancelled,
  }),
  method("private/cancel_all_by_kind_or_type", cancelsMany, {
    summary: "Cancels all open orders of a kind of instrument, or of a type.",
    params: z.strictObject({
      currency: z
        .union([z.string().min(1), z.array(z.string().min(1))])
        .meta({ description: "Currency symbol, an array of them, or `any`." }),
      ...selection,
      ...manner,
    }),
    result: cancelled,
  }),
  method("private/cancel_by_label", changes("trade", "mass"), {
    summary: "Cancels all open orders with a label.",
    params: z.strictObject({
      label: filledText("The label given by the owner."),
      currency: currency.optional(),
    }),
    result: cancelledCount,
    rate: "matching",
  }),
] as const;
