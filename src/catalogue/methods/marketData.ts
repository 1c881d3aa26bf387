import * as z from "zod";
import { choice, filledText, integer, suggested } from "../fields.ts";
import { methodsOf, unscoped } from "../method.ts";
import { shared } from "./params.ts";

const { hinted } = methodsOf("Market Data");

export const marketDataMethods = [
  hinted("public/get_apr_history", unscoped("read"), {
    summary: "Lists the annual yield of a currency by day.",
    params: z.strictObject({
      currency: filledText("Currency that yields rewards, in lower case."),
      limit: integer("Number of items."),
      before: integer("Returns days before this one, counted since the Unix epoch."),
    }),
    hint: "{ continuation: string, data: [{ day: integer, apr: number }] }",
  }),
  hinted("public/get_book_summary_by_currency", unscoped("read"), {
    summary: "Returns a summary of the book for each instrument of a currency.",
    params: z.strictObject({
      ...shared("currency"),
      kind: choice(["future", "option", "spot", "future_combo", "option_combo"], "Kind of instrument (default: all)."),
    }),
    hint: "[BookSummary]",
  }),
  hinted("public/get_book_summary_by_instrument", unscoped("read"), {
    summary: "Returns a summary of the book of one instrument.",
    params: z.strictObject(shared("instrument_name")),
    hint: "[BookSummary]",
  }),
  hinted("public/get_contract_size", unscoped("read"), {
    summary: "Returns the contract size of an instrument.",
    params: z.strictObject(shared("instrument_name")),
    hint: "{ contract_size: number }",
  }),
  hinted("public/get_delivery_prices", unscoped("read"), {
    summary: "Lists the delivery prices of an index by day.",
    params: z.strictObject(shared("index_name", "offset?", "count?")),
    hint: "{ records_total: number, data: [{ date: string, delivery_price: number }] }",
  }),
  hinted("public/get_expirations", unscoped("read"), {
    summary: "Lists expirations of a currency by kind of instrument.",
    params: z.strictObject({
      currency: filledText("Currency, `any` for all, or `grouped` for all by currency."),
      kind: suggested(["future", "option", "any"]).meta({ description: "Kind of instrument, or `any` for all." }),
      ...shared("currency_pair?"),
    }),
    // Of one kind a list was recorded, where the documentation has an object.
    hint: "{ future: [string], option: [string] }|[string]",
  }),
  hinted("public/get_funding_chart_data", unscoped("read"), {
    summary: "Returns funding of a perpetual over time, for a chart.",
    params: z.strictObject({
      ...shared("instrument_name"),
      length: suggested(["8h", "24h", "1m"]).meta({ description: "Length of the time range." }),
    }),
    hint: `
      { current_interest: number, interest_8h: number, data: [{ timestamp: integer, index_price: number,
      interest_8h: number }] }
    `,
  }),
  hinted("public/get_funding_rate_history", unscoped("read"), {
    summary: "Lists the hourly funding rates of a perpetual.",
    params: z.strictObject(shared("instrument_name", "start_timestamp", "end_timestamp")),
    hint: `
      [{ timestamp: integer, prev_index_price: number, index_price: number, interest_1h: number, interest_8h: number
      }]
    `,
  }),
  hinted("public/get_funding_rate_value", unscoped("read"), {
    summary: "Returns the funding rate of a perpetual for a time range.",
    params: z.strictObject(shared("instrument_name", "start_timestamp", "end_timestamp")),
    hint: "number",
  }),
  hinted("public/get_historical_volatility", unscoped("read"), {
    summary: "Lists the historical volatility of a currency.",
    params: z.strictObject(shared("currency")),
    hint: "[[number]]",
  }),
  hinted("public/get_index_chart_data", unscoped("read"), {
    summary: "Returns the price of an index over time, for a chart.",
    params: z.strictObject({
      ...shared("index_name"),
      range: suggested(["1h", "1d", "2d", "1m", "1y", "all"]).meta({ description: "Length of the time range." }),
    }),
    hint: "[[number]]",
  }),
  hinted("public/get_index_price", unscoped("read"), {
    summary: "Returns the current price of an index.",
    params: z.strictObject(shared("index_name")),
    hint: "{ index_price: number, estimated_delivery_price: number }",
  }),
  hinted("public/get_instrument", unscoped("read"), {
    summary: "Returns one instrument with its tick size, minimum amount, and fees.",
    params: z.strictObject(shared("instrument_name")),
    hint: "Instrument",
  }),
  hinted("public/get_last_settlements_by_currency", unscoped("read"), {
    summary: "Lists public settlements, deliveries, and bankruptcies in a currency.",
    params: z.strictObject(shared("currency", "type?", "count?", "continuation?", "search_start_timestamp?")),
    hint: "{ continuation: string|null, settlements: [Settlement] }",
  }),
  hinted("public/get_last_settlements_by_instrument", unscoped("read"), {
    summary: "Lists public settlements, deliveries, and bankruptcies of one instrument.",
    params: z.strictObject(shared("instrument_name", "type?", "count?", "continuation?", "search_start_timestamp?")),
    hint: "{ continuation: string|null, settlements: [Settlement] }",
  }),
  hinted("public/get_last_trades_by_currency", unscoped("read"), {
    summary: "Lists recent public trades in a currency.",
    params: z.strictObject(
      shared("currency", "kind?", "start_id?", "end_id?", "start_timestamp?", "end_timestamp?", "count?", "sorting?"),
    ),
    hint: "{ trades: [PublicTrade], has_more: boolean }",
  }),
  hinted("public/get_last_trades_by_currency_and_time", unscoped("read"), {
    summary: "Lists public trades in a currency within a time range.",
    params: z.strictObject(shared("currency", "kind?", "start_timestamp", "end_timestamp", "count?", "sorting?")),
    hint: "{ trades: [PublicTrade], has_more: boolean }",
  }),
  hinted("public/get_mark_price_history", unscoped("read"), {
    summary: "Lists mark prices of an option within a time range.",
    params: z.strictObject(shared("instrument_name", "start_timestamp", "end_timestamp")),
    hint: "[[number]]",
  }),
  hinted("public/get_order_book", unscoped("read"), {
    summary: "Returns the order book of an instrument, with prices and statistics.",
    params: z.strictObject(shared("instrument_name", "depth?")),
    hint: "OrderBook",
  }),
  hinted("public/get_order_book_by_instrument_id", unscoped("read"), {
    summary: "Returns the order book of an instrument, identified by its number.",
    params: z.strictObject({
      instrument_id: z.int().meta({ description: "Number of the instrument." }),
      ...shared("depth?"),
    }),
    hint: "OrderBook",
  }),
  hinted("public/get_supported_index_names", unscoped("read"), {
    summary: "Lists the names of all indexes.",
    params: z.strictObject({
      type: choice(["all", "spot", "derivative"], "Type of the indexes (default: all)."),
    }),
    hint: "[{ name: string, future_combo_creation_enabled: boolean, option_combo_creation_enabled: boolean }|string]",
  }),
  hinted("public/get_trade_volumes", unscoped("read"), {
    summary: "Returns traded volumes by currency.",
    params: z.strictObject(shared("extended?")),
    hint: `
      [{ currency: BTC|ETH|USDC|USDT|EURR, calls_volume: number, puts_volume: number, futures_volume: number,
      spot_volume: number, calls_volume_7d: number, puts_volume_7d: number, futures_volume_7d: number,
      spot_volume_7d: number, calls_volume_30d: number, puts_volume_30d: number, futures_volume_30d: number,
      spot_volume_30d: number }]
    `,
  }),
  hinted("public/get_tradingview_chart_data", unscoped("read"), {
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
  }),
  hinted("public/get_volatility_index_data", unscoped("read"), {
    summary: "Returns candles of the volatility index within a time range.",
    params: z.strictObject({
      ...shared("currency", "start_timestamp", "end_timestamp"),
      resolution: suggested(["1", "60", "3600", "43200", "1D"]).meta({
        description: "Length of a candle, in seconds, or 1D for a day.",
      }),
    }),
    hint: "{ data: [[number]], continuation: integer|null }",
  }),
  hinted("public/ticker", unscoped("read"), {
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
  }),
] as const;
