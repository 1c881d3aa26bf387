import * as z from "zod";
import { order } from "../entities.ts";
import { KINDS } from "../fields.ts";
import { method } from "../method.ts";

/** Values of `type` in private/get_open_orders; other methods use other lists. Core specification §4.9. */
export const ORDER_TYPE_FILTERS = [
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

const orderId = z.string().min(1).meta({ description: "Unique order identifier." });

export const orderMethods = [
  method({
    name: "private/get_open_orders",
    summary: "Lists the open orders of the account.",
    params: z.strictObject({
      kind: z.enum(KINDS).meta({ description: "Kind of instrument; all kinds when left out." }).optional(),
      type: z.enum(ORDER_TYPE_FILTERS).meta({ description: "Type of order; `all` when left out." }).optional(),
    }),
    result: z.array(order),
    scopes: ["trade:read"],
    effect: "read",
    rate: "default",
    documentation: "https://docs.deribit.com/api-reference/trading/private-get_open_orders",
    isContract: true,
  }),
  method({
    name: "private/get_order_state",
    summary: "Returns the state of one order, open or not.",
    params: z.strictObject({ order_id: orderId }),
    result: order,
    scopes: ["trade:read"],
    effect: "read",
    rate: "default",
    documentation: "https://docs.deribit.com/api-reference/trading/private-get_order_state",
    isContract: false,
  }),
  method({
    name: "private/cancel",
    summary: "Cancels one order.",
    params: z.strictObject({ order_id: orderId }),
    result: order,
    scopes: ["trade:read_write"],
    effect: "reduce",
    rate: "matching",
    documentation: "https://docs.deribit.com/api-reference/trading/private-cancel",
    isContract: true,
  }),
] as const;
