import * as z from "zod";
import { orderWithState } from "../entities.ts";
import { filledText, flag, number, suggested, text } from "../fields.ts";
import { changes, methodsOf, reads } from "../method.ts";
import { orderType, postOnly, shared } from "./params.ts";

const { hinted, method } = methodsOf("Trading");

/** What places or changes an order. */
const trades = { ...changes("trade", "write"), isTrade: true, rate: "matching" } as const;

const quoteSide = z.strictObject({ price: number("Price."), amount: number("Size of the leg."), ...postOnly });

/** The terms that each way to edit an order takes. */
const EDITED_TERMS = [
  "amount?",
  "contracts?",
  "price?",
  "post_only?",
  "reduce_only?",
  "reject_post_only?",
  "advanced?",
  "trigger_price?",
] as const;

const orderParams = z.strictObject({
  ...shared("instrument_name", "amount?", "contracts?"),
  type: orderType.optional(),
  ...shared(
    "label?",
    "price?",
    "time_in_force?",
    "display_amount?",
    "post_only?",
    "reject_post_only?",
    "reduce_only?",
    "trigger_price?",
    "trigger_offset?",
    "trigger?",
    "advanced?",
    "mmp?",
    "valid_until?",
    "linked_order_type?",
    "trigger_fill_condition?",
    "otoco_config?",
  ),
});

export const tradingMethods = [
  hinted("private/buy", trades, {
    summary: "Places a buy order.",
    params: orderParams,
    hint: "{ order: Order, trades: [UserTrade] }",
  }),
  hinted("private/cancel_quotes", changes("trade", "mass"), {
    summary: "Cancels the mass quotes that fit a selection.",
    // Documented as required; which of the selectors is needed depends on cancel_type.
    params: z.strictObject({
      detailed: flag("Whether the result lists the objects instead of their number."),
      freeze_quotes: flag("Whether to reject new mass quotes for one second after cancelling."),
      cancel_type: suggested([
        "delta",
        "quote_set_id",
        "instrument",
        "instrument_kind",
        "currency",
        "currency_pair",
        "all",
      ]).meta({ description: "How quotes are selected." }),
      min_delta: number("Lowest absolute delta. Used with cancel_type delta."),
      max_delta: number("Highest absolute delta. Used with cancel_type delta."),
      quote_set_id: text("Set of the quotes. Used with cancel_type quote_set_id."),
      ...shared("instrument_name?", "kind?", "currency?", "currency_pair?"),
    }),
    hint: "number",
    rate: "matching",
  }),
  hinted("private/close_position", trades, {
    summary: "Closes the position in an instrument with a reduce-only order.",
    params: z.strictObject({
      ...shared("instrument_name"),
      type: suggested(["limit", "market"]).meta({ description: "Type of the order." }),
      price: number("Limit price. Only for a limit order."),
    }),
    hint: "{ order: Order, trades: [UserTrade] }",
  }),
  method("private/edit", trades, {
    summary: "Changes the price, the amount, or other parameters of an open order.",
    params: z.strictObject(
      shared("order_id", ...EDITED_TERMS, "trigger_offset?", "mmp?", "valid_until?", "display_amount?"),
    ),
    // The outcome is judged by the order alone.
    result: z.looseObject({ order: orderWithState }),
  }),
  hinted("private/edit_by_label", trades, {
    summary: "Changes the open order that has a label. Only one open order may have it.",
    params: z.strictObject({
      label: filledText("Label of the order to change.").optional(),
      ...shared("instrument_name", ...EDITED_TERMS, "mmp?", "valid_until?"),
    }),
    hint: "{ order: Order, trades: [UserTrade] }",
  }),
  hinted("private/get_margins", reads("trade"), {
    summary: "Returns the margin that an order of an amount and price would need.",
    params: z.strictObject({
      ...shared("instrument_name", "amount"),
      price: z.number().meta({ description: "Price of the order." }),
    }),
    hint: `
      { buy: number, sell: number, buy_taker_fee: number, buy_maker_fee: number, sell_taker_fee: number,
      sell_maker_fee: number, min_price: number, max_price: number }
    `,
  }),
  hinted("private/get_order_margin_by_ids", reads("trade"), {
    summary: "Returns the initial margin of each order.",
    params: z.strictObject({ ids: z.array(z.string()).meta({ description: "IDs of the orders." }) }),
    hint: "[{ order_id: string, initial_margin: number, initial_margin_currency: string }]",
  }),
  hinted("private/mass_quote", changes("trade", "mass"), {
    summary: "Places or replaces many quotes at once.",
    params: z.strictObject({
      wait_for_response: flag("Whether the response waits for the matching engine."),
      detailed: flag("Whether the result lists the orders and trades."),
      quote_id: filledText("Identifier of the request. Returned in the response."),
      mmp_group: filledText("MMP group. Each index has its own."),
      ...shared("valid_until?"),
      quotes: z
        .array(
          z.strictObject({
            instrument_name: text("Unique instrument identifier."),
            quote_set_id: text("Set of the quote."),
            ask: quoteSide.meta({ description: "Sell quote." }).optional(),
            bid: quoteSide.meta({ description: "Buy quote." }).optional(),
          }),
        )
        .meta({ description: "Quotes, at most one for each instrument and side." }),
    }),
    hint: `
      { orders: [Order], trades: [UserTrade], errors_count: integer, pending_requests_count: integer,
      pending_requests: [{ instrument_name: string, side: string }], errors: [{ instrument_name: string,
      side: string, error: object, code: integer, message: string }] }
    `,
    isTrade: true,
    rate: "matching",
  }),
  hinted("private/move_positions", changes("trade", "money"), {
    summary: "Moves positions between two subaccounts of the same main account.",
    params: z.strictObject({
      ...shared("currency?"),
      source_uid: z.int().meta({ description: "ID of the subaccount that the positions leave." }),
      target_uid: z.int().meta({ description: "ID of the subaccount that receives the positions." }),
      trades: z
        .array(
          z.strictObject({
            instrument_name: text("Unique instrument identifier."),
            price: number("Price."),
            amount: number("Size of the leg."),
          }),
        )
        .meta({ description: "Positions to move." }),
    }),
    hint: `
      { trades: [{ source_uid: integer, target_uid: integer, instrument_name: string, direction: buy|sell,
      price: number, amount: number }] }
    `,
    rate: "movePositions",
    isOnSeveralObjects: true,
  }),
  hinted("private/sell", trades, {
    summary: "Places a sell order.",
    params: orderParams,
    hint: "{ order: Order, trades: [UserTrade] }",
  }),
] as const;
