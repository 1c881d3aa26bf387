import * as z from "zod";
import { blockTrade } from "../blockEntities.ts";
import { suggested } from "../fields.ts";
import { method } from "../method.ts";
import { CURRENCIES } from "../values.ts";

export const blockTradeMethods = [
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
    documentation: "https://docs.deribit.com/api-reference/block-trade/private-get_block_trades",
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
    documentation: "https://docs.deribit.com/api-reference/block-trade/private-get_block_trade",
    isContract: true,
  }),
] as const;
