import * as z from "zod";
import { publicTrade } from "../entities.ts";
import { timestampMs } from "../fields.ts";
import { method } from "../method.ts";

export const marketMethods = [
  method({
    name: "public/get_last_trades_by_instrument",
    summary: "Lists recent public trades of one instrument.",
    params: z.strictObject({
      instrument_name: z.string().min(1).meta({ description: "Unique instrument identifier, e.g. BTC-PERPETUAL." }),
      start_seq: z.int().meta({ description: "Sequence number of the first trade to return." }).optional(),
      end_seq: z.int().meta({ description: "Sequence number of the last trade to return." }).optional(),
      start_timestamp: timestampMs("Earliest time; trades are returned from the earliest one after it.").optional(),
      end_timestamp: timestampMs("Most recent time.").optional(),
      count: z.int().min(1).max(1000).meta({ description: "Number of trades, 1 to 1000; 10 when left out." }).optional(),
      sorting: z
        .enum(["asc", "desc", "default"])
        .meta({ description: "Direction of sorting; `default` keeps the order in which trades left the database." })
        .optional(),
    }),
    result: z.looseObject({ trades: z.array(publicTrade), has_more: z.boolean().meta({ description: "Whether there are more trades." }) }),
    scopes: [],
    effect: "read",
    rate: "default",
    documentation: "https://docs.deribit.com/api-reference/market-data/public-get_last_trades_by_instrument",
    isContract: true,
  }),
] as const;
