import * as z from "zod";
import { NOTHING_TO_CANCEL } from "../codes.ts";
import { blockRfq, blockRfqQuote, quoteWithState } from "../blockEntities.ts";
import { order } from "../entities.ts";
import { suggested, text } from "../fields.ts";
import { method } from "../method.ts";

const documentation = (name: string): string => `https://docs.deribit.com/api-reference/block-rfq/private-${name}`;

/**
 * The result of cancelling quotes. For `detailed` the documentation promises only "a list of all cancelled orders". The
 * same for orders returns batches, of which each may have failed alone, so this schema takes those too.
 */
const cancelledQuotes = z.union([
  z.int().min(0).meta({ description: "How many quotes were cancelled." }),
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
  method({
    name: "private/cancel_all_block_rfq_quotes",
    summary: "Cancels all Block RFQ quotes of the account, or those of one Block RFQ; labels make no difference.",
    params: z.strictObject({
      block_rfq_id: z
        .int()
        .meta({ description: "Cancels only quotes of this Block RFQ; all when left out." })
        .optional(),
      detailed: z
        .boolean()
        .meta({ description: "Responses with a list of what was cancelled instead of a number; false when left out." })
        .optional(),
    }),
    result: cancelledQuotes,
    scopes: ["block_rfq:read_write"],
    effect: "mass",
    rate: "matching",
    documentation: documentation("cancel_all_block_rfq_quotes"),
    isContract: true,
  }),
  method({
    name: "private/cancel_block_rfq_quote",
    summary: "Cancels one Block RFQ quote, named by its id, or by its Block RFQ and label.",
    params: z.strictObject({
      block_rfq_quote_id: z.int().meta({ description: "Identifier of the quote." }).optional(),
      block_rfq_id: z.int().meta({ description: "Block RFQ of the quote; goes with label." }).optional(),
      label: text("Label of the quote; goes with block_rfq_id."),
    }),
    rules: [
      { kind: "oneOf", params: ["block_rfq_quote_id", "label"] },
      { kind: "needs", param: "label", other: "block_rfq_id" },
    ],
    result: quoteWithState,
    scopes: ["block_rfq:read_write"],
    effect: "reduce",
    rate: "matching",
    refusals: NOTHING_TO_CANCEL,
    documentation: documentation("cancel_block_rfq_quote"),
    isContract: false,
  }),
  method({
    name: "private/get_block_rfq_quotes",
    summary: "Lists open Block RFQ quotes of the account.",
    params: z.strictObject({
      block_rfq_id: z.int().meta({ description: "Block RFQ that the quotes response." }).optional(),
      label: text("Label of the quote; needs block_rfq_id."),
      block_rfq_quote_id: z.int().meta({ description: "Identifier of the quote." }).optional(),
    }),
    rules: [{ kind: "needs", param: "label", other: "block_rfq_id" }],
    // A list by the schema, one object in the example.
    result: z.union([z.array(blockRfqQuote), blockRfqQuote]),
    scopes: ["block_rfq:read"],
    effect: "read",
    rate: "default",
    documentation: documentation("get_block_rfq_quotes"),
    isContract: false,
  }),
  method({
    name: "private/get_block_rfqs",
    summary: "Lists Block RFQs that the account made, or was asked to quote.",
    params: z.strictObject({
      count: z.int().min(1).max(1000).meta({ description: "Number of Block RFQs, 1 to 1000." }).optional(),
      state: suggested(["open", "filled", "cancelled", "expired"])
        .meta({ description: "State; all when left out." })
        .optional(),
      role: suggested(["taker", "maker"]).meta({ description: "Side of the account; both when left out." }).optional(),
      continuation: text("Where an earlier response ended."),
      block_rfq_id: z.int().meta({ description: "Returns this Block RFQ." }).optional(),
      currency: text("Currency; all when left out."),
    }),
    result: z.looseObject({ block_rfqs: z.array(blockRfq), continuation: z.union([z.string(), z.null()]).optional() }),
    scopes: ["block_rfq:read"],
    effect: "read",
    rate: "default",
    documentation: documentation("get_block_rfqs"),
    isContract: false,
  }),
] as const;
