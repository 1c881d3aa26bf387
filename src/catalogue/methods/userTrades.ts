import * as z from "zod";
import { userTrade } from "../blockEntities.ts";
import { KINDS, filledText, flag, integer, text } from "../fields.ts";
import { shared } from "./params.ts";
import { methodsOf, reads } from "../method.ts";
import { oneOfTimes, tradeSelection, tradeTimes } from "./market.ts";

const { method } = methodsOf("Trading");

const currency = filledText("Currency of the instruments, for example BTC.");
const kind = z
  .enum([...KINDS, "combo", "any"])
  .meta({ description: "Kind of instrument (default: all)." })
  .optional();
const instrument_name = filledText("Unique instrument identifier.");
/**
 * The parameters that select trades of the account.
 * https://docs.deribit.com/articles/accessing-historical-trades-orders
 */
const selection = {
  ...tradeSelection,
  historical: flag("Whether to return trades older than 24 hours."),
  ...shared("subaccount_id?"),
};

const result = z.looseObject({ trades: z.array(userTrade), has_more: flag("Whether there are more trades.") });

export const userTradeMethods = [
  method("private/get_user_trades_by_currency", reads("trade"), {
    summary: "Lists recent trades of the account in a currency.",
    rows: { userTrade },
    params: z.strictObject({
      currency,
      kind,
      start_id: text("ID of the first trade to return."),
      end_id: text("ID of the last trade to return."),
      ...tradeTimes,
      ...selection,
    }),
    result,
  }),
  method("private/get_user_trades_by_currency_and_time", reads("trade"), {
    summary: "Lists trades of the account in a currency within a time range.",
    params: z.strictObject({ currency, kind, ...tradeTimes, ...selection }),
    rules: [oneOfTimes],
    result,
  }),
  method("private/get_user_trades_by_instrument", reads("trade"), {
    summary: "Lists recent trades of the account in one instrument.",
    params: z.strictObject({
      instrument_name,
      start_seq: integer("Sequence number of the first trade to return."),
      end_seq: integer("Sequence number of the last trade to return."),
      ...tradeTimes,
      ...selection,
    }),
    result,
  }),
  method("private/get_user_trades_by_instrument_and_time", reads("trade"), {
    summary: "Lists trades of the account in one instrument within a time range.",
    params: z.strictObject({ instrument_name, ...tradeTimes, ...selection }),
    rules: [oneOfTimes],
    result,
  }),
] as const;
