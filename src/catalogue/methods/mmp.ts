import * as z from "zod";
import { mmpConfig, mmpStatus } from "../accountEntities.ts";
import { flag, suggested } from "../fields.ts";
import { MMP_INDEXES } from "../values.ts";
import { changes, methodsOf, reads } from "../method.ts";

const { method } = methodsOf("Trading");

const index = suggested(MMP_INDEXES);
const indexName = index.meta({ description: "Index (default: all)." }).optional();
const group = z
  .string()
  .max(64)
  .meta({ description: "MMP group of mass quotes. Empty for regular orders. Requires index_name." })
  .optional();
const blockRfq = flag("Whether the request is about Block RFQ quotes instead of orders and quotes (default: false).");

const needsIndex = { kind: "needs", param: "mmp_group", other: "index_name" } as const;
/** The scopes of Block RFQ protection, which differ from the others. */
const scopesWhen = (
  level: "read" | "read_write",
): { readonly param: "block_rfq"; readonly scopes: readonly string[] } => ({
  param: "block_rfq",
  scopes: [`block_rfq:${level}`],
});

const seconds = z.int().min(0).max(3600);

export const mmpMethods = [
  method("private/get_mmp_config", reads("trade"), {
    summary: "Returns the market maker protection (MMP) limits.",
    params: z.strictObject({ index_name: indexName, mmp_group: group, block_rfq: blockRfq }),
    rules: [needsIndex],
    result: z.array(mmpConfig),
    rows: { mmpConfig },
    scopesWhen: scopesWhen("read"),
    isContract: true,
  }),
  method("private/get_mmp_status", reads("trade"), {
    summary: "Lists the frozen MMP groups.",
    params: z.strictObject({ index_name: indexName, mmp_group: group, block_rfq: blockRfq }),
    rules: [needsIndex],
    result: z.array(mmpStatus),
    rows: { mmpStatus },
    scopesWhen: scopesWhen("read"),
  }),
  method("private/set_mmp_config", changes("trade", "write"), {
    summary: "Sets the market maker protection (MMP) limits of an index. An interval of 0 removes them.",
    params: z.strictObject({
      index_name: index.meta({ description: "Index the limits apply to." }),
      interval: seconds.meta({
        description: "Time window in which fills are counted, in seconds, 0 to 3600. 0 removes the limits.",
      }),
      frozen_time: seconds.meta({
        description: "How long a group stays frozen, in seconds, 0 to 3600. 0: until it is reset manually.",
      }),
      // Required since December 16, 2025 (facts §4), although older documents mark it as optional.
      max_quote_quantity: z.number().min(0).meta({ description: "Maximum quantity on one side of a quote." }),
      quantity_limit: z
        .number()
        .min(0)
        .meta({ description: "Maximum quantity filled within the interval." })
        .optional(),
      delta_limit: z.number().min(0).meta({ description: "Maximum delta within the interval." }).optional(),
      vega_limit: z.number().min(0).meta({ description: "Maximum vega within the interval." }).optional(),
      trade_count_limit: z
        .int()
        .min(1)
        .max(1000)
        .meta({ description: "Maximum number of trades within the interval, 1 to 1000. Block RFQ only." })
        .optional(),
      mmp_group: group,
      block_rfq: blockRfq,
    }),
    // A list by the schema, one object in the example.
    result: z.union([z.array(mmpConfig), mmpConfig]),
    scopesWhen: scopesWhen("read_write"),
  }),
  method("private/reset_mmp", changes("trade", "write"), {
    summary: "Resets a frozen MMP group so that it can quote again.",
    params: z.strictObject({
      index_name: index.meta({ description: "Index of the group. `all` is for Block RFQ only." }),
      mmp_group: group,
      block_rfq: blockRfq,
    }),
    result: z.literal("ok"),
    scopesWhen: scopesWhen("read_write"),
  }),
] as const;
