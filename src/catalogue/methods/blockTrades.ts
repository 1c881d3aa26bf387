import * as z from "zod";
import { blockTrade } from "../blockEntities.ts";
import { number, secret, suggested, text } from "../fields.ts";
import { method } from "../method.ts";
import { CURRENCIES } from "../values.ts";

const documentation = (name: string): string => `https://docs.deribit.com/api-reference/block-trade/private-${name}`;

/** The details of a block trade, on which both parties agree beforehand. */
const agreed = {
  timestamp: z.int().meta({
    description: "Timestamp shared with the other party. The signature is valid for 5 minutes around it.",
    unit: "ms since the Unix epoch",
  }),
  nonce: z.string().min(1).meta({ description: "Nonce shared with the other party." }),
  role: suggested(["maker", "taker"]).meta({ description: "Your side of the block trade." }),
  trades: z
    .array(
      z.strictObject({
        instrument_name: text("Instrument of the leg."),
        price: number("Price of the leg."),
        amount: number("Size: USD for perpetuals and inverse futures, base currency for options."),
        direction: suggested(["buy", "sell"])
          .meta({ description: "Direction from the maker's point of view." })
          .optional(),
      }),
    )
    .min(1)
    .meta({ description: "Legs of the block trade." }),
};

export const blockTradeMethods = [
  // The signature lets the other party execute the trade, so it is no read although its scope is one.
  method({
    name: "private/verify_block_trade",
    section: "Block Trade",
    summary: "Verifies the details of a block trade and returns the signature the other party needs to execute it.",
    params: z.strictObject(agreed),
    result: z.looseObject({ signature: secret("Signature for the other party. Valid for 5 minutes.") }),
    scopes: ["block_trade:read"],
    effect: "write",
    rate: "matching",
    documentation: documentation("verify_block_trade"),
    isContract: false,
  }),
  method({
    name: "private/execute_block_trade",
    section: "Block Trade",
    summary: "Executes a block trade with the signature of the other party.",
    params: z.strictObject({
      ...agreed,
      counterparty_signature: secret("Signature of the other party, from its private/verify_block_trade."),
    }),
    result: blockTrade,
    scopes: ["block_trade:read_write"],
    effect: "write",
    rate: "matching",
    documentation: documentation("execute_block_trade"),
    isContract: false,
  }),
  method({
    name: "private/invalidate_block_trade_signature",
    section: "Block Trade",
    summary: "Invalidates a signature of yours, so that the other party can't execute the block trade with it.",
    params: z.strictObject({ signature: secret("Signature to invalidate.") }),
    result: z.string(),
    scopes: ["block_trade:read_write"],
    effect: "write",
    rate: "default",
    documentation: documentation("invalidate_block_trade_signature"),
    isContract: false,
  }),
  method({
    name: "private/get_block_trades",
    section: "Block Trade",
    summary: "Lists block trades of the account, newest first.",
    params: z.strictObject({
      currency: suggested(CURRENCIES).meta({ description: "Currency (default: all)." }).optional(),
      count: z.int().min(1).max(101).meta({ description: "Number of block trades, 1 to 101." }).optional(),
      start_id: z.string().min(1).meta({ description: "Returns block trades older than this one." }).optional(),
      end_id: z.string().min(1).meta({ description: "Oldest block trade to return. Requires start_id." }).optional(),
      block_rfq_id: z.int().meta({ description: "Returns only block trades of this Block RFQ." }).optional(),
      broker_code: z
        .string()
        .min(1)
        .meta({ description: "Returns broker block trades with this code, or all with `any`. Brokers only." })
        .optional(),
    }),
    rules: [{ kind: "needs", param: "end_id", other: "start_id" }],
    result: z.array(blockTrade),
    scopes: ["block_trade:read"],
    effect: "read",
    rate: "default",
    documentation: documentation("get_block_trades"),
    isContract: true,
  }),
  method({
    name: "private/get_block_trade",
    section: "Block Trade",
    summary: "Returns one block trade.",
    params: z.strictObject({
      id: z.string().min(1).meta({ description: "Block trade ID, for example BLOCK-282155." }),
    }),
    result: blockTrade,
    scopes: ["block_trade:read"],
    effect: "read",
    rate: "default",
    documentation: documentation("get_block_trade"),
    isContract: true,
  }),
] as const;
