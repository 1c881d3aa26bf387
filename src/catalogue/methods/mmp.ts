import * as z from "zod";
import { mmpConfig, mmpStatus } from "../accountEntities.ts";
import { flag, suggested } from "../fields.ts";
import { MMP_INDEXES } from "../values.ts";
import { method } from "../method.ts";

const documentation = (name: string): string => `https://docs.deribit.com/api-reference/trading/private-${name}`;

const index = suggested(MMP_INDEXES);
const indexName = index.meta({ description: "Index; all when left out." }).optional();
const group = z
  .string()
  .max(64)
  .meta({ description: "Group of mass quotes; empty for regular orders. Needs index_name." })
  .optional();
const blockRfq = flag("Whether Block RFQ quotes are meant instead of orders and quotes; false when left out.");

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
  method({
    name: "private/get_mmp_config",
    summary: "Returns the configuration of market maker protection.",
    params: z.strictObject({ index_name: indexName, mmp_group: group, block_rfq: blockRfq }),
    rules: [needsIndex],
    result: z.array(mmpConfig),
    scopes: ["trade:read"],
    scopesWhen: scopesWhen("read"),
    effect: "read",
    rate: "default",
    documentation: documentation("get_mmp_config"),
    isContract: true,
  }),
  method({
    name: "private/get_mmp_status",
    summary: "Lists what market maker protection has frozen.",
    params: z.strictObject({ index_name: indexName, mmp_group: group, block_rfq: blockRfq }),
    rules: [needsIndex],
    result: z.array(mmpStatus),
    scopes: ["trade:read"],
    scopesWhen: scopesWhen("read"),
    effect: "read",
    rate: "default",
    documentation: documentation("get_mmp_status"),
    isContract: false,
  }),
  method({
    name: "private/set_mmp_config",
    summary: "Configures market maker protection for an index; an interval of 0 removes it.",
    params: z.strictObject({
      index_name: index.meta({ description: "Index that is protected." }),
      interval: seconds.meta({
        description: "Seconds within which fills are counted, 0 to 3600; 0 removes the configuration.",
      }),
      frozen_time: seconds.meta({
        description: "Seconds for which a group stays frozen, 0 to 3600; 0 until it is reset by hand.",
      }),
      max_quote_quantity: z
        .number()
        .min(0)
        .meta({ description: "Most that one side of a quote may offer." })
        .optional(),
      quantity_limit: z
        .number()
        .min(0)
        .meta({ description: "Most that may be filled within the interval." })
        .optional(),
      delta_limit: z.number().min(0).meta({ description: "Most delta within the interval." }).optional(),
      vega_limit: z.number().min(0).meta({ description: "Most vega within the interval." }).optional(),
      trade_count_limit: z
        .int()
        .min(1)
        .max(1000)
        .meta({ description: "Most trades within the interval, 1 to 1000; Block RFQ only." })
        .optional(),
      mmp_group: group,
      block_rfq: blockRfq,
    }),
    // A list by the schema, one object in the example.
    result: z.union([z.array(mmpConfig), mmpConfig]),
    scopes: ["trade:read_write"],
    scopesWhen: scopesWhen("read_write"),
    effect: "write",
    rate: "default",
    documentation: documentation("set_mmp_config"),
    isContract: false,
  }),
  method({
    name: "private/reset_mmp",
    summary: "Lets a group quote again that market maker protection has frozen.",
    params: z.strictObject({
      index_name: index.meta({ description: "Index of the group; `all` only for Block RFQ." }),
      mmp_group: group,
      block_rfq: blockRfq,
    }),
    result: z.literal("ok"),
    scopes: ["trade:read_write"],
    scopesWhen: scopesWhen("read_write"),
    effect: "write",
    rate: "default",
    documentation: documentation("reset_mmp"),
    isContract: false,
  }),
] as const;
