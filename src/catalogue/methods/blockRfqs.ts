import * as z from "zod";
import { blockRfq, blockRfqQuote, quoteWithState } from "../blockEntities.ts";
import { order } from "../entities.ts";
import { choice, filledText, flag, integer, number, suggested, text, textList, timestampMs } from "../fields.ts";
import { changes, methodsOf, reads, unscoped } from "../method.ts";
import { amountLegs, PARAMS, shared } from "./params.ts";

const { hinted, method } = methodsOf("Block RFQ");

/**
 * The result of cancelling quotes. For `detailed` the documentation promises only "a list of all cancelled orders". The
 * same for orders returns batches, of which each may have failed alone, so this schema takes those too.
 */
const cancelledQuotes = z.union([
  z.int().min(0).meta({ description: "Number of cancelled quotes." }),
  z.array(
    z.union([
      blockRfqQuote,
      order,
      z.looseObject({ result: z.array(z.union([blockRfqQuote, order])) }),
      z.looseObject({ error: z.looseObject({ code: z.int(), message: z.string() }) }),
    ]),
  ),
]);

export const blockRfqMethods = [
  method("private/cancel_all_block_rfq_quotes", changes("block_rfq", "mass"), {
    summary: "Cancels all Block RFQ quotes of the account or of one Block RFQ. Labels are ignored.",
    params: z.strictObject({
      block_rfq_id: integer("Cancels only the quotes of this Block RFQ (default: all)."),
      detailed: flag("Whether the result lists the cancelled quotes instead of their number (default: false)."),
    }),
    result: cancelledQuotes,
    rate: "matching",
    isContract: true,
  }),
  method("private/cancel_block_rfq_quote", changes("block_rfq", "reduce"), {
    summary: "Cancels one Block RFQ quote, identified by its ID or by its Block RFQ and label.",
    params: z.strictObject({
      block_rfq_quote_id: integer("Identifier of the quote."),
      block_rfq_id: integer("Block RFQ of the quote. Use it with label."),
      label: text("Label of the quote. Requires block_rfq_id."),
    }),
    rules: [
      { kind: "oneOf", params: ["block_rfq_quote_id", "label"] },
      { kind: "needs", param: "label", other: "block_rfq_id" },
    ],
    result: quoteWithState,
    rate: "matching",
  }),
  method("private/get_block_rfq_quotes", reads("block_rfq"), {
    summary: "Lists open Block RFQ quotes of the account.",
    params: z.strictObject({
      block_rfq_id: integer("Block RFQ the quotes respond to."),
      label: text("Label of the quote. Requires block_rfq_id."),
      block_rfq_quote_id: integer("Identifier of the quote."),
    }),
    rules: [{ kind: "needs", param: "label", other: "block_rfq_id" }],
    // A list by the schema, one object in the example.
    result: z.union([z.array(blockRfqQuote), blockRfqQuote]),
    rows: { blockRfqQuote },
  }),
  method("private/get_block_rfqs", reads("block_rfq"), {
    summary: "Lists Block RFQs that the account created or was asked to quote.",
    params: z.strictObject({
      count: z.int().min(1).max(1000).meta({ description: "Number of Block RFQs, 1 to 1000." }).optional(),
      state: choice(["open", "filled", "traded", "cancelled", "expired", "closed"], "State (default: all)."),
      role: choice(["any", "taker", "maker"], "Side of the account (default: both)."),
      continuation: text("Continuation token from the previous response."),
      block_rfq_id: integer("Returns only this Block RFQ."),
      currency: text("Currency (default: all)."),
    }),
    result: z.looseObject({ block_rfqs: z.array(blockRfq), continuation: z.union([z.string(), z.null()]).optional() }),
    rows: { blockRfq },
  }),
  hinted("private/accept_block_rfq", changes("block_rfq", "write"), {
    summary: "Accepts a quote of a Block RFQ at a price, as the taker, or places a trade trigger.",
    params: z.strictObject({
      ...shared("block_rfq_id"),
      price: z.number().meta({ description: "Maximum price to buy at, or minimum price to sell at." }),
      amount: z.number().meta({ description: "Size of the trade, in the unit of the legs multiplied by their ratio." }),
      direction: PARAMS.trade_direction,
      ...shared("hedge?"),
      legs: z
        .array(
          z.strictObject({
            instrument_name: text("Unique instrument identifier."),
            direction: choice(["buy", "sell"], "Buy or sell."),
            ratio: integer("Ratio of the leg to the others."),
          }),
        )
        .meta({ description: "Legs of the structure." }),
      time_in_force: suggested(["fill_or_kill", "good_til_cancelled"]).meta({
        description: "Time in force: how long the order stays open.",
      }),
    }),
    hint: `
      { trade_trigger: { state: untriggered, price: number, direction: buy|sell }, block_trades: [{ id: string,
      timestamp: integer, trades: [{ trade_id: string, trade_seq: integer, instrument_name: string,
      timestamp: integer, starbase_timestamp: integer, starbase_order_id: integer, starbase_client_order_id: string,
      order_type: limit|market|liquidation, original_order_type: market|market_limit, advanced: usd|implv,
      order_id: string, matching_id: string|null, direction: buy|sell, tick_direction: 0|1|2|3, index_price: number,
      price: number, amount: number, contracts: number, iv: number, underlying_price: number, liquidation: M|T|MT,
      liquidity: M|T, fee: number, fee_currency: BTC|ETH|USDC|USDT|EURR, label: string,
      state: open|filled|rejected|cancelled|untriggered|archive, block_trade_id: string,
      block_trade_leg_count: integer, block_rfq_id: integer, block_rfq_quote_id: integer, reduce_only: boolean,
      post_only: boolean, mmp: boolean, risk_reducing: boolean, api: boolean, profit_loss: number,
      mark_price: number, legs: [unknown], combo_id: string, combo_trade_id: number|string, starbase_match_id: integer,
      quote_set_id: string, quote_id: string, trade_allocations: [object] }], app_name: string, broker_code: string,
      broker_name: string }] }
    `,
    isTrade: true,
    mayAskSecondFactor: true,
  }),
  hinted("private/add_block_rfq_quote", changes("block_rfq", "write"), {
    summary: "Quotes a Block RFQ as a maker.",
    params: z.strictObject({
      ...shared("label?", "block_rfq_id"),
      amount: z.number().meta({ description: "Size of the quote, in the unit of the legs multiplied by their ratio." }),
      direction: PARAMS.trade_direction,
      ...shared("legs", "hedge?"),
      execution_instruction: choice(["all_or_none", "any_part_of"], "Whether the quote can be filled in part."),
      price: number("Price of the structure. Omit it if each leg has a price."),
      expires_at: timestampMs("When the quote expires.").optional(),
    }),
    hint: "BlockRfqQuote",
    isTrade: true,
    rate: "matching",
    mayAskSecondFactor: true,
  }),
  hinted("private/cancel_block_rfq", changes("block_rfq", "reduce"), {
    summary: "Cancels a Block RFQ that the account created.",
    params: z.strictObject(shared("block_rfq_id")),
    hint: "BlockRfq",
  }),
  hinted("private/cancel_block_rfq_trigger", changes("block_rfq", "reduce"), {
    summary: "Cancels the trade trigger of a Block RFQ.",
    params: z.strictObject(shared("block_rfq_id")),
    hint: "unknown",
  }),
  hinted("private/create_block_rfq", changes("block_rfq", "write"), {
    summary: "Creates a Block RFQ and asks makers for quotes.",
    params: z.strictObject({
      legs: amountLegs.meta({ description: "Legs of the structure." }),
      trade_allocations: z
        .array(
          z.strictObject({
            user_id: integer("ID of the account."),
            client_info: z
              .strictObject({
                client_id: integer("ID of the client."),
                client_link_id: integer("ID of the link to the client."),
              })
              .meta({ description: "Client of a broker." })
              .optional(),
            amount: number("Size of the leg."),
          }),
        )
        .meta({ description: "How the trade is divided among accounts." })
        .optional(),
      ...shared("hedge?", "label?"),
      makers: textList("Makers that are asked to quote (default: all)."),
      disclosed: flag("Whether makers see who asks."),
    }),
    hint: "BlockRfq",
  }),
  hinted("private/edit_block_rfq_quote", changes("block_rfq", "write"), {
    summary: "Changes an open Block RFQ quote, identified by its ID or by its Block RFQ and label.",
    params: z.strictObject({
      ...shared("legs"),
      amount: z
        .number()
        .meta({ description: "New size of the quote, in the unit of the legs multiplied by their ratio." }),
      block_rfq_quote_id: integer("Identifier of the quote."),
      label: filledText("Label of the quote. Requires block_rfq_id.").optional(),
      ...shared("hedge?", "block_rfq_id?"),
      price: number("New price of the structure."),
    }),
    hint: "BlockRfqQuote",
    isTrade: true,
    rate: "matching",
  }),
  hinted("private/get_block_rfq_makers", reads("block_rfq"), {
    summary: "Lists the makers that can be asked to quote a Block RFQ.",
    hint: "[string]",
  }),
  hinted("private/get_block_rfq_user_info", reads("block_rfq"), {
    summary: "Returns the Block RFQ identity and ratings of the account and its subaccounts.",
    hint: `
      { parent: { identity: string, is_maker: boolean }, users: [{ user_id: integer, taker_rating: number,
      identity: string, is_maker: boolean }] }
    `,
  }),
  hinted("public/get_block_rfq_trades", unscoped("read"), {
    summary: "Lists recent Block RFQ trades of all users in a currency.",
    params: z.strictObject({
      currency: filledText("Currency, or `any` for all."),
      ...shared("continuation?", "count?"),
    }),
    hint: `
      { block_rfqs: [{ id: integer, timestamp: integer, direction: buy|sell, amount: number, mark_price: number,
      legs: [Leg], combo_id: string|null, hedge: Hedge, index_prices: object, trades: [{ direction: buy|sell,
      price: number, amount: number, hedge_amount: number }] }], continuation: string|null }
    `,
  }),
] as const;
