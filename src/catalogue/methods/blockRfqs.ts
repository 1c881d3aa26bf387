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
  method({
    name: "private/cancel_all_block_rfq_quotes",
    section: "Block RFQ",
    summary: "Cancels all Block RFQ quotes of the account or of one Block RFQ. Labels are ignored.",
    params: z.strictObject({
      block_rfq_id: z
        .int()
        .meta({ description: "Cancels only the quotes of this Block RFQ (default: all)." })
        .optional(),
      detailed: z
        .boolean()
        .meta({
          description: "Whether the result lists the cancelled quotes instead of their number (default: false).",
        })
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
    section: "Block RFQ",
    summary: "Cancels one Block RFQ quote, identified by its ID or by its Block RFQ and label.",
    params: z.strictObject({
      block_rfq_quote_id: z.int().meta({ description: "Identifier of the quote." }).optional(),
      block_rfq_id: z.int().meta({ description: "Block RFQ of the quote. Use it with label." }).optional(),
      label: text("Label of the quote. Requires block_rfq_id."),
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
    section: "Block RFQ",
    summary: "Lists open Block RFQ quotes of the account.",
    params: z.strictObject({
      block_rfq_id: z.int().meta({ description: "Block RFQ the quotes respond to." }).optional(),
      label: text("Label of the quote. Requires block_rfq_id."),
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
    section: "Block RFQ",
    summary: "Lists Block RFQs that the account created or was asked to quote.",
    params: z.strictObject({
      count: z.int().min(1).max(1000).meta({ description: "Number of Block RFQs, 1 to 1000." }).optional(),
      state: suggested(["open", "filled", "traded", "cancelled", "expired", "closed"])
        .meta({ description: "State (default: all)." })
        .optional(),
      role: suggested(["any", "taker", "maker"])
        .meta({ description: "Side of the account (default: both)." })
        .optional(),
      continuation: text("Continuation token from the previous response."),
      block_rfq_id: z.int().meta({ description: "Returns only this Block RFQ." }).optional(),
      currency: text("Currency (default: all)."),
    }),
    result: z.looseObject({ block_rfqs: z.array(blockRfq), continuation: z.union([z.string(), z.null()]).optional() }),
    scopes: ["block_rfq:read"],
    effect: "read",
    rate: "default",
    documentation: documentation("get_block_rfqs"),
    isContract: false,
  }),
] as const;
