import * as z from "zod";
import { blockTrade } from "../blockEntities.ts";
import { choice, filledText, flag, integer, number, secret, suggested, text } from "../fields.ts";
import { changes, methodsOf, reads } from "../method.ts";
import { CURRENCIES } from "../values.ts";
import { shared } from "./params.ts";

const { hinted, method } = methodsOf("Block Trade");

/** The details of a block trade, on which both parties agree beforehand. */
const agreed = {
  timestamp: z.int().meta({
    description: "Timestamp shared with the other party. The signature is valid for 5 minutes around it.",
    unit: "ms since the Unix epoch",
  }),
  nonce: filledText("Nonce shared with the other party."),
  role: suggested(["maker", "taker"]).meta({ description: "Your side of the block trade." }),
  trades: z
    .array(
      z.strictObject({
        instrument_name: text("Instrument of the leg."),
        price: number("Price of the leg."),
        amount: number("Size: USD for perpetuals and inverse futures, base currency for options."),
        direction: choice(["buy", "sell"], "Direction from the maker's point of view."),
      }),
    )
    .min(1)
    .meta({ description: "Legs of the block trade." }),
};

export const blockTradeMethods = [
  // The signature lets the other party execute the trade, so it is no read although its scope is one.
  method(
    "private/verify_block_trade",
    { scopes: ["block_trade:read"], effect: "write" },
    {
      summary: "Verifies the details of a block trade and returns the signature the other party needs to execute it.",
      params: z.strictObject(agreed),
      result: z.looseObject({ signature: secret("Signature for the other party. Valid for 5 minutes.") }),
      isTrade: true,
      rate: "matching",
    },
  ),
  method("private/execute_block_trade", changes("block_trade", "write"), {
    summary: "Executes a block trade with the signature of the other party.",
    params: z.strictObject({
      ...agreed,
      counterparty_signature: secret("Signature of the other party, from its private/verify_block_trade."),
    }),
    result: blockTrade,
    isTrade: true,
    rate: "matching",
  }),
  method("private/invalidate_block_trade_signature", changes("block_trade", "write"), {
    summary: "Invalidates a signature of yours, so that the other party can't execute the block trade with it.",
    params: z.strictObject({ signature: secret("Signature to invalidate.") }),
    result: z.string(),
  }),
  method("private/get_block_trades", reads("block_trade"), {
    summary: "Lists block trades of the account, newest first.",
    params: z.strictObject({
      currency: choice(CURRENCIES, "Currency (default: all)."),
      count: z.int().min(1).max(101).meta({ description: "Number of block trades, 1 to 101." }).optional(),
      start_id: filledText("Returns block trades older than this one.").optional(),
      end_id: filledText("Oldest block trade to return. Requires start_id.").optional(),
      block_rfq_id: integer("Returns only block trades of this Block RFQ."),
      broker_code: filledText(
        "Returns broker block trades with this code, or all with `any`. Brokers only.",
      ).optional(),
    }),
    rules: [{ kind: "needs", param: "end_id", other: "start_id" }],
    result: z.array(blockTrade),
    rows: { blockTrade },
    isContract: true,
  }),
  method("private/get_block_trade", reads("block_trade"), {
    summary: "Returns one block trade.",
    params: z.strictObject({
      id: filledText("Block trade ID, for example BLOCK-282155."),
    }),
    result: blockTrade,
    isContract: true,
  }),
  hinted("private/approve_block_trade", changes("block_trade", "write"), {
    summary: "Approves a pending block trade.",
    params: z.strictObject(shared("timestamp", "nonce", "role")),
    hint: "ok",
    isTrade: true,
    mayAskSecondFactor: true,
  }),
  hinted("private/get_block_trade_requests", reads("block_trade"), {
    summary: "Lists block trades that await approval by the account.",
    params: z.strictObject({
      broker_code: text("Returns only requests of this broker."),
    }),
    hint: `
      [{ nonce: string, timestamp: integer, trades: [{ nonce: string, timestamp: integer, trades: [{ nonce: string,
      timestamp: integer, trades: array, app_name: string, username: string, role: maker|taker, user_id: integer,
      broker_code: string, broker_name: string, state: object, counterparty_state: object, combo_id: string }],
      app_name: string, username: string, role: maker|taker, user_id: integer, broker_code: string,
      broker_name: string, state: { value: initial|accepted|rejected|executed, timestamp: integer },
      counterparty_state: { value: initial|accepted|rejected|executed, timestamp: integer }, combo_id: string }],
      app_name: string, username: string, role: maker|taker, user_id: integer, broker_code: string,
      broker_name: string, state: { value: initial|accepted|rejected|executed, timestamp: integer },
      counterparty_state: { value: initial|accepted|rejected|executed, timestamp: integer }, combo_id: string }]
    `,
  }),
  hinted("private/get_broker_clients", reads("block_trade"), {
    summary: "Lists the clients of the broker.",
    params: z.strictObject({
      client_id: integer("Returns only this client."),
      include_subaccounts: flag("Whether to include subaccounts of the clients."),
    }),
    hint: `
      [{ client_id: integer, client_name: string, company_name: string, broker_code: string, main_user_id: string,
      broker_sub_user_id: integer, lei: string, brn: string, links: [{ client_link_id: integer, user_id: string,
      name: string, note: string, state: connected|pending|rejected, confirmations_required: integer,
      broker_sub_user_id: integer }] }]
    `,
  }),
  hinted("private/get_broker_trade_requests", reads("block_trade"), {
    summary: "Lists block trades of the broker that await approval.",
    hint: `
      [{ timestamp: integer, state: string, trades: [{ amount: number, direction: string, price: number,
      instrument_name: string }], maker: { state: string, client_id: integer, user_id: string, client_name: string,
      client_link_name: string, client_link_id: integer }, taker: { state: string, client_id: integer,
      user_id: string, client_name: string, client_link_name: string, client_link_id: integer }, nonce: string }]
    `,
  }),
  hinted("private/get_broker_trades", reads("block_trade"), {
    summary: "Lists block trades that the broker arranged.",
    params: z.strictObject(shared("currency?", "count?", "start_id?", "end_id?")),
    hint: `
      { history: [{ id: string, timestamp: integer, trades: [{ id: string, timestamp: integer, trades: [object],
      app_name: string, broker_code: string, broker_name: string }], maker: { user_id: integer, client_id: integer,
      client_name: string, client_link_name: string, client_link_id: integer }, taker: { user_id: integer,
      client_id: integer, client_name: string, client_link_name: string, client_link_id: integer } }],
      next_start_id: integer }
    `,
  }),
  hinted("private/reject_block_trade", changes("block_trade", "write"), {
    summary: "Rejects a pending block trade.",
    params: z.strictObject(shared("timestamp", "nonce", "role")),
    hint: "ok",
  }),
  hinted("private/simulate_block_trade", reads("block_trade"), {
    summary: "Returns whether a block trade could be executed now.",
    params: z.strictObject(shared("role?", "trades")),
    hint: "boolean",
  }),
] as const;
