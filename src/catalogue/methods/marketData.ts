import * as z from "zod";
import { filledText, integer, suggested } from "../fields.ts";
import { methodsOf } from "../method.ts";
import { shared } from "./params.ts";

const { hinted } = methodsOf("Market Data");

export const marketDataMethods = [
  hinted({
    name: "public/get_apr_history",
    summary: "Lists the annual yield of a currency by day.",
    params: z.strictObject({
      currency: filledText("Currency that yields rewards, in lower case."),
      limit: integer("Number of items."),
      before: integer("Returns days before this one, counted since the Unix epoch."),
    }),
    hint: "{ continuation: string, data: [{ day: integer, apr: number }] }",
    effect: "read",
  }),
  hinted({
    name: "public/get_book_summary_by_currency",
    summary: "Returns a summary of the book for each instrument of a currency.",
    params: z.strictObject({
      ...shared("currency"),
      kind: suggested(["future", "option", "spot", "future_combo", "option_combo"])
        .meta({ description: "Kind of instrument (default: all)." })
        .optional(),
    }),
    hint: "[BookSummary]",
    effect: "read",
  }),
  hinted({
    name: "public/get_book_summary_by_instrument",
    summary: "Returns a summary of the book of one instrument.",
    params: z.strictObject(shared("instrument_name")),
    hint: "[BookSummary]",
    effect: "read",
  }),
  hinted({
    name: "public/get_contract_size",
    summary: "Returns the contract size of an instrument.",
    params: z.strictObject(shared("instrument_name")),
    hint: "{ contract_size: number }",
    effect: "read",
  }),
  hinted({
    name: "public/get_delivery_prices",
    summary: "Lists the delivery prices of an index by day.",
    params: z.strictObject(shared("index_name", "offset?", "count?")),
    hint: "{ records_total: number, data: [{ date: string, delivery_price: number }] }",
    effect: "read",
  }),
  hinted({
    name: "public/get_expirations",
    summary: "Lists expirations of a currency by kind of instrument.",
    params: z.strictObject({
      currency: filledText("Currency, `any` for all, or `grouped` for all by currency."),
      kind: suggested(["future", "option", "any"]).meta({ description: "Kind of instrument, or `any` for all." }),
      ...shared("currency_pair?"),
    }),
    // Of one kind a list was recorded, where the documentation has an object.
    hint: "{ future: [string], option: [string] }|[string]",
    effect: "read",
  }),
  hinted({
    name: "public/get_funding_chart_data",
    summary: "Returns funding of a perpetual over time, for a chart.",
    params: z.strictObject({
      ...shared("instrument_name"),
      length: suggested(["8h", "24h", "1m"]).meta({ description: "Length of the time range." }),
    }),
    hint: `
      { current_interest: number, interest_8h: number, data: [{ timestamp: integer, index_price: number,
      interest_8h: number }] }
    `,
    effect: "read",
  }),
  hinted({
    name: "public/get_funding_rate_history",
    summary: "Lists the hourly funding rates of a perpetual.",
    params: z.strictObject(shared("instrument_name", "start_timestamp", "end_timestamp")),
    hint: `
      [{ timestamp: integer, prev_index_price: number, index_price: number, interest_1h: number, interest_8h: number
      }]
    `,
    effect: "read",
  }),
  hinted({
    name: "public/get_funding_rate_value",
    summary: "Returns the funding rate of a perpetual for a time range.",
    params: z.strictObject(shared("instrument_name", "start_timestamp", "end_timestamp")),
    hint: "number",
    effect: "read",
  }),
  hinted({
    name: "public/get_historical_volatility",
    summary: "Lists the historical volatility of a currency.",
    params: z.strictObject(shared("currency")),
    hint: "[[number]]",
    effect: "read",
  }),
  hinted({
    name: "public/get_index_chart_data",
    summary: "Returns the price of an index over time, for a chart.",
    params: z.strictObject({
      ...shared("index_name"),
      range: suggested(["1h", "1d", "2d", "1m", "1y", "all"]).meta({ description: "Length of the time range." }),
    }),
    hint: "[[number]]",
    effect: "read",
  }),
  hinted({
    name: "public/get_index_price",
    summary: "Returns the current price of an index.",
    params: z.strictObject(shared("index_name")),
    hint: "{ index_price: number, estimated_delivery_price: number }",
    effect: "read",
  }),
  hinted({
    name: "public/get_instrument",
    summary: "Returns one instrument with its tick size, minimum amount, and fees.",
    params: z.strictObject(shared("instrument_name")),
    hint: "Instrument",
    effect: "read",
  }),
  hinted({
    name: "public/get_last_settlements_by_currency",
    summary: "Lists public settlements, deliveries, and bankruptcies in a currency.",
    params: z.strictObject(shared("currency", "type?", "count?", "continuation?", "search_start_timestamp?")),
    hint: "{ continuation: string|null, settlements: [Settlement] }",
    effect: "read",
  }),
  hinted({
    name: "public/get_last_settlements_by_instrument",
    summary: "Lists public settlements, deliveries, and bankruptcies of one instrument.",
    params: z.strictObject(shared("instrument_name", "type?", "count?", "continuation?", "search_start_timestamp?")),
    hint: "{ continuation: string|null, settlements: [Settlement] }",
    effect: "read",
  }),
  hinted({
    name: "public/get_last_trades_by_currency",
    summary: "Lists recent public trades in a currency.",
    params: z.strictObject(
      shared("currency", "kind?", "start_id?", "end_id?", "start_timestamp?", "end_timestamp?", "count?", "sorting?"),
    ),
    hint: "{ trades: [PublicTrade], has_more: boolean }",
    effect: "read",
  }),
  hinted({
    name: "public/get_last_trades_by_currency_and_time",
    summary: "Lists public trades in a currency within a time range.",
    params: z.strictObject(shared("currency", "kind?", "start_timestamp", "end_timestamp", "count?", "sorting?")),
    hint: "{ trades: [PublicTrade], has_more: boolean }",
    effect: "read",
  }),
  hinted({
    name: "public/get_mark_price_history",
    summary: "Lists mark prices of an option within a time range.",
    params: z.strictObject(shared("instrument_name", "start_timestamp", "end_timestamp")),
    hint: "[[number]]",
    effect: "read",
  }),
  hinted({
    name: "public/get_order_book",
    summary: "Returns the order book of an instrument, with prices and statistics.",
    params: z.strictObject(shared("instrument_name", "depth?")),
    hint: "OrderBook",
    effect: "read",
  }),
  hinted({
    name: "public/get_order_book_by_instrument_id",
    summary: "Returns the order book of an instrument, identified by its number.",
    params: z.strictObject({
      instrument_id: z.int().meta({ description: "Number of the instrument." }),
      ...shared("depth?"),
    }),
    hint: "OrderBook",
    effect: "read",
  }),
  hinted({
    name: "public/get_supported_index_names",
    summary: "Lists the names of all indexes.",
    params: z.strictObject({
      type: suggested(["all", "spot", "derivative"])
        .meta({ description: "Type of the indexes (default: all)." })
        .optional(),
    }),
    hint: "[{ name: string, future_combo_creation_enabled: boolean, option_combo_creation_enabled: boolean }|string]",
    effect: "read",
  }),
  hinted({
    name: "public/get_trade_volumes",
    summary: "Returns traded volumes by currency.",
    params: z.strictObject(shared("extended?")),
    hint: `
      [{ currency: BTC|ETH|USDC|USDT|EURR, calls_volume: number, puts_volume: number, futures_volume: number,
      spot_volume: number, calls_volume_7d: number, puts_volume_7d: number, futures_volume_7d: number,
      spot_volume_7d: number, calls_volume_30d: number, puts_volume_30d: number, futures_volume_30d: number,
      spot_volume_30d: number }]
    `,
    effect: "read",
  }),
  hinted({
    name: "public/get_tradingview_chart_data",
    summary: "Returns candles of an instrument within a time range.",
    params: z.strictObject({
      ...shared("instrument_name", "start_timestamp", "end_timestamp"),
      resolution: suggested(["1", "3", "5", "10", "15", "30", "60", "120", "180", "360", "720", "1D"]).meta({
        description: "Length of a candle, in minutes, or 1D for a day.",
      }),
    }),
    hint: `
      { status: ok|no_data, ticks: [integer], volume: [number], cost: [number], open: [number], close: [number],
      high: [number], low: [number] }
    `,
    effect: "read",
  }),
  hinted({
    name: "public/get_volatility_index_data",
    summary: "Returns candles of the volatility index within a time range.",
    params: z.strictObject({
      ...shared("currency", "start_timestamp", "end_timestamp"),
      resolution: suggested(["1", "60", "3600", "43200", "1D"]).meta({
        description: "Length of a candle, in seconds, or 1D for a day.",
      }),
    }),
    hint: "{ data: [[number]], continuation: integer|null }",
    effect: "read",
  }),
  hinted({
    name: "public/ticker",
    summary: "Returns the best bid and ask, mark price, and statistics of an instrument.",
    params: z.strictObject(shared("instrument_name")),
    hint: `
      { instrument_name: string, timestamp: integer,
      state: open|settlement|delivered|inactive|locked|halted|archivized, stats: Stats, open_interest: number,
      best_bid_price: number, best_bid_amount: number, best_ask_price: number, best_ask_amount: number,
      index_price: number, min_price: number, max_price: number, mark_price: number, last_price: number,
      underlying_price: number, underlying_index: string, interest_rate: number, bid_iv: number, ask_iv: number,
      mark_iv: number, greeks: Greeks, funding_8h: number, current_funding: number, interest_value: number,
      delivery_price: number, settlement_price: number, estimated_delivery_price: number,
      is_anchor_breached: boolean, anchor_min_price: number, anchor_max_price: number }
    `,
    effect: "read",
  }),
] as const;
