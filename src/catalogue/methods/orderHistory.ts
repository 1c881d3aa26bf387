import * as z from "zod";
import { filledText } from "../fields.ts";
import { methodsOf, reads } from "../method.ts";
import { shared } from "./params.ts";

const { hinted } = methodsOf("Trading");

/** The orders that are listed, page by page. */
const endedOrders = {
  ...shared("count?", "offset?", "include_old?", "include_unfilled?"),
  ...shared("with_continuation?", "continuation?", "historical?"),
};

export const orderHistoryMethods = [
  hinted("private/get_open_orders_by_label", reads("trade"), {
    summary: "Lists the open orders of the account that have a label.",
    params: z.strictObject({ ...shared("currency"), label: filledText("Label of the orders.") }),
    hint: "[Order]",
  }),
  hinted("private/get_order_history_by_currency", reads("trade"), {
    summary: "Lists ended orders of the account in a currency.",
    params: z.strictObject({ ...shared("currency", "kind?"), ...endedOrders }),
    hint: "[Order]",
  }),
  hinted("private/get_order_history_by_instrument", reads("trade"), {
    summary: "Lists ended orders of the account in one instrument.",
    params: z.strictObject({ ...shared("instrument_name"), ...endedOrders }),
    hint: "[Order]",
  }),
  hinted("private/get_order_state_by_label", reads("trade"), {
    summary: "Lists the states of recent orders that have a label.",
    params: z.strictObject({ ...shared("currency"), label: filledText("Label of the orders.") }),
    hint: "[Order]",
  }),
  hinted("private/get_settlement_history_by_currency", reads("trade"), {
    summary: "Lists settlements, deliveries, and bankruptcies of the account in a currency.",
    params: z.strictObject(shared("currency", "type?", "count?", "continuation?", "search_start_timestamp?")),
    hint: "{ continuation: string|null, settlements: [Settlement] }",
  }),
  hinted("private/get_settlement_history_by_instrument", reads("trade"), {
    summary: "Lists settlements, deliveries, and bankruptcies of the account in one instrument.",
    params: z.strictObject(shared("instrument_name", "type?", "count?", "continuation?", "search_start_timestamp?")),
    hint: "{ continuation: string|null, settlements: [Settlement] }",
  }),
  hinted("private/get_trigger_order_history", reads("trade"), {
    summary: "Lists what happened to the trigger orders of the account.",
    params: z.strictObject(shared("currency", "instrument_name?", "count?", "continuation?")),
    hint: `
      { entries: [{ timestamp: integer, trigger: index_price|mark_price|last_price, trigger_price: number,
      trigger_offset: number|null, trigger_order_id: string, order_id: string, order_state: string,
      instrument_name: string, request: string, direction: buy|sell, price: number, amount: number,
      last_update_timestamp: integer, reduce_only: boolean, post_only: boolean, order_type: limit|market,
      label: string, is_secondary_oto: boolean, oco_ref: string, source: string }], continuation: string|null }
    `,
  }),
  hinted("private/get_user_trades_by_order", reads("trade"), {
    summary: "Lists the trades of one order of the account.",
    params: z.strictObject(shared("order_id", "sorting?", "historical?", "subaccount_id?")),
    hint: "[UserTrade]",
  }),
] as const;
