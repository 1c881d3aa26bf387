import * as z from "zod";
import { publicTrade } from "../entities.ts";
import { KINDS, filledText, flag, integer, number, text, timestampMs, wideInteger } from "../fields.ts";
import { methodsOf, unscoped } from "../method.ts";

const { method } = methodsOf("Market Data");

const tickSizeStep = z.looseObject({
  above_price: z.number().meta({ description: "Price from which the step applies." }),
  tick_size: z.number().meta({ description: "Minimum price step." }),
});

/** An instrument, as far as views look into it. */
const instrument = z.looseObject({
  instrument_name: z.string().meta({ description: "Unique instrument identifier." }),
  instrument_id: wideInteger("Number of the instrument.").optional(),
  kind: text("Kind of instrument."),
  is_active: flag("Whether it can be traded."),
  state: text("State of the instrument."),
  base_currency: text("Currency that is traded."),
  quote_currency: text("Currency of the price."),
  settlement_currency: text("Currency of profit and loss. Not for spot."),
  price_index: text("Index the price follows."),
  expiration_timestamp: timestampMs("When the instrument expires. The year 3000 for perpetuals.").optional(),
  strike: number("Strike price. Options only."),
  option_type: text("call or put. Options only."),
  tick_size: number("Minimum price step."),
  // A list in the documentation, and one object in some responses.
  tick_size_steps: z
    .union([z.array(tickSizeStep), tickSizeStep])
    .meta({ description: "Larger price steps above certain prices." })
    .optional(),
  min_trade_amount: number("Minimum trade size."),
  contract_size: number("Size of a contract."),
  is_csr: flag("Whether spot orders are passed on to the partner's spot exchange. Absent otherwise."),
  is_cbe_routed: flag("Whether spot orders are passed on to the partner's spot exchange. Absent otherwise."),
});

const instrumentName = filledText("Unique instrument identifier, for example BTC-PERPETUAL.");

/** The parameters that cut and sort a list of trades: public trades and those of the account. */
export const tradeSelection = {
  count: z.int().min(1).max(1000).meta({ description: "Number of trades, 1 to 1000 (default: 10)." }).optional(),
  sorting: z
    .enum(["asc", "desc", "default"])
    .meta({ description: "Sort order. `default` keeps the order of the database." })
    .optional(),
};

export const tradeTimes = {
  start_timestamp: timestampMs("Earliest time. Trades are returned starting with the first one after it.").optional(),
  end_timestamp: timestampMs("Latest time.").optional(),
};

/**
 * The rule that a call needs one of the two times. The documentation marks both as required, but its text says that
 * only one is.
 */
export const oneOfTimes = { kind: "oneOf", params: ["start_timestamp", "end_timestamp"] } as const;

const publicTrades = z.looseObject({ trades: z.array(publicTrade), has_more: flag("Whether there are more trades.") });

export const marketMethods = [
  method("public/get_last_trades_by_instrument", unscoped("read"), {
    summary: "Lists recent public trades of one instrument.",
    params: z.strictObject({
      instrument_name: instrumentName,
      start_seq: integer("Sequence number of the first trade to return."),
      end_seq: integer("Sequence number of the last trade to return."),
      ...tradeTimes,
      ...tradeSelection,
    }),
    result: publicTrades,
    rows: { publicTrade },
    isContract: true,
  }),
  method("public/get_last_trades_by_instrument_and_time", unscoped("read"), {
    summary: "Lists public trades of one instrument within a time range.",
    params: z.strictObject({ instrument_name: instrumentName, ...tradeTimes, ...tradeSelection }),
    rules: [oneOfTimes],
    result: publicTrades,
  }),
  method("public/get_instruments", unscoped("read"), {
    summary: "Returns the tradable instruments. High rate-limit cost.",
    params: z.strictObject({
      // Documented as required; a client that is widely used leaves it out and is answered with all.
      currency: filledText("Currency, or `any` for all.").optional(),
      kind: z.enum(KINDS).meta({ description: "Kind of instrument (default: all)." }).optional(),
      expired: flag("Whether to return recently expired instruments instead of tradable ones."),
    }),
    result: z.array(instrument),
    rows: { instrument },
    rate: "instruments",
  }),
  method("public/get_currencies", unscoped("read"), {
    summary: "Lists the currencies the exchange supports.",
    result: z.array(
      z.looseObject({
        currency: z.string().meta({ description: "Currency symbol." }),
        currency_long: text("Name of the currency."),
      }),
    ),
  }),
  method("public/get_index_price_names", unscoped("read"), {
    summary: "Lists the names of price indexes.",
    params: z.strictObject({ extended: flag("Whether to return objects with details instead of names.") }),
    result: z.array(z.union([z.string(), z.looseObject({ name: z.string() })])),
  }),
] as const;
