import { channel, type HintedChannel } from "../method.ts";

const ACCOUNT_TRADES = ["trade:read"];

/** The members of an order. */
const ORDER = `
  { order_id: string, order_state: string, order_type: string, original_order_type: string,
  time_in_force: string, is_rebalance: boolean, is_liquidation: boolean, instrument_name: string,
  creation_timestamp: integer, last_update_timestamp: integer, starbase_last_update_timestamp: integer,
  starbase_client_order_id: string, direction: string, price: unknown, label: string, post_only: boolean,
  reject_post_only: boolean, reduce_only: boolean, api: boolean, web: boolean, mobile: boolean,
  refresh_amount: number, display_amount: number, amount: number, contracts: number, filled_amount: number,
  average_price: number, advanced: string, implv: number, usd: number, triggered: boolean, trigger: string,
  trigger_price: number, trigger_offset: number, trigger_reference_price: number, block_trade: boolean,
  mmp: boolean, risk_reducing: boolean, replaced: boolean, auto_replaced: boolean, quote: boolean,
  mmp_group: string, quote_set_id: string, quote_id: string, trigger_order_id: string, combo_order_id: string,
  starbase_order_id: integer, app_name: string, mmp_cancelled: boolean, cancel_reason: string,
  oto_order_ids: object, trigger_fill_condition: string, oco_ref: string, primary_order_id: string,
  is_secondary_oto: boolean, is_primary_otoco: boolean }
`;

/** The members of a trade of the account. */
const TRADE = `
  { trade_id: string, trade_seq: integer, instrument_name: string, timestamp: integer,
  starbase_timestamp: integer, starbase_order_id: integer, starbase_client_order_id: string, order_type: string,
  original_order_type: string, advanced: string, order_id: string, matching_id: string|null, direction: string,
  tick_direction: integer, index_price: number, price: number, amount: number, contracts: number, iv: number,
  underlying_price: number, liquidation: string, liquidity: string, fee: number, fee_currency: string,
  label: string, state: string, block_trade_id: string, block_trade_leg_count: integer, block_rfq_id: integer,
  block_rfq_quote_id: integer, reduce_only: boolean, post_only: boolean, mmp: boolean, risk_reducing: boolean,
  api: boolean, profit_loss: number|null, mark_price: number, legs: array, combo_id: string,
  combo_trade_id: number|string,
  starbase_match_id: integer, quote_set_id: string, quote_id: string, trade_allocations: object }
`;

/** The members of a liquidation. */
const LIQUIDATION = `
  { state: string, user_id: integer, isolated: boolean, currency: string, margin_balance: number,
  maintenance_margin: number, initial_margin: number, close_out_margin: number, equity: number,
  instrument_name: string, direction: string, amount: number, price: number, commission: number,
  timestamp: integer }
`;

/** The channels whose payloads are not known exactly. https://docs.deribit.com/subscriptions */
export const otherChannels: readonly HintedChannel[] = [
  channel("announcements", "public", {
    summary: "New announcements.",
    hint: `
      { id: integer, title: string, body: string, publication_timestamp: integer, important: boolean,
      confirmation: boolean, unread: integer, action: string }
    `,
  }),
  channel("book.{instrument_name}.{group}.{depth}.{interval}", "public", {
    summary: "Order book of an instrument, grouped by price and cut at a depth.",
    hint: "{ instrument_name: string, change_id: integer, bids: array, asks: array, timestamp: integer }",
  }),
  channel("book.{instrument_name}.{interval}", "public", {
    summary: "Changes to the order book of an instrument, starting with the whole book.",
    hint: `
      { instrument_name: string, change_id: integer, prev_change_id: integer, asks: array, bids: array,
      timestamp: integer, type: string }
    `,
  }),
  channel("chart.trades.{instrument_name}.{resolution}", "public", {
    summary: "Candles of an instrument.",
    hint: `
      { tick: integer, volume: number, cost: number, open: number, close: number, high: number, low: number }
    `,
  }),
  channel("deribit_price_index.{index_name}", "public", {
    summary: "Price of an index.",
    hint: "{ timestamp: integer, price: number, index_name: string }",
  }),
  channel("deribit_price_ranking.{index_name}", "public", {
    summary: "Prices of the exchanges that an index is made of, with their weights.",
    hint: `
      { identifier: string, enabled: boolean, original_price: number, price: number, timestamp: integer,
      weight: number }
    `,
  }),
  channel("deribit_price_statistics.{index_name}", "public", {
    summary: "Price statistics of an index.",
    hint: "{ index_name: string, low24h: number, high24h: number, change24h: number, fast_market: boolean }",
  }),
  channel("deribit_volatility_index.{index_name}", "public", {
    summary: "Value of a volatility index.",
    hint: "{ timestamp: integer, volatility: number, index_name: string }",
  }),
  channel("estimated_expiration_price.{index_name}", "public", {
    summary: "Estimated price at the next expiration of an index.",
    hint: "{ seconds: integer, price: number, is_estimated: boolean, left_ticks: number, total_ticks: number }",
  }),
  channel("incremental_ticker.{instrument_name}", "public", {
    summary: "Changes to the ticker of an instrument, starting with the whole ticker.",
    hint: `
      { type: string, instrument_name: string, timestamp: integer, state: string, stats: object,
      open_interest: number, best_bid_price: number, best_bid_amount: number, best_ask_price: number,
      best_ask_amount: number, index_price: number, min_price: number, max_price: number, mark_price: number,
      last_price: number, underlying_price: number, underlying_index: string, interest_rate: number, bid_iv: number,
      ask_iv: number, mark_iv: number, greeks: object, funding_8h: number, current_funding: number,
      interest_value: number, delivery_price: number, settlement_price: number, estimated_delivery_price: number }
    `,
  }),
  channel("instrument.creation.{kind}.{currency}", "public", {
    summary: "New instruments by kind and currency.",
    hint: "object",
  }),
  channel("instrument.state.{kind}.{currency}", "public", {
    summary: "State changes of instruments by kind and currency.",
    hint: "{ timestamp: integer, state: string, instrument_name: string }",
  }),
  channel("markprice.options.{index_name}", "public", {
    summary: "Mark prices of the options of an index.",
    hint: "{ instrument_name: string, mark_price: number, iv: number, timestamp: integer }",
  }),
  channel("perpetual.{instrument_name}.{interval}", "public", {
    summary: "Funding of a perpetual.",
    hint: "{ interest: number, timestamp: integer, index_price: number }",
  }),
  channel("platform_state", "public", {
    summary: "Whether the platform or a price index is locked.",
    hint: "{ price_index: string, locked: boolean, maintenance: boolean }",
  }),
  channel("platform_state.public_methods_state", "public", {
    summary: "Whether unauthenticated requests are allowed.",
    hint: "{ allow_unauthenticated_public_requests: boolean }",
  }),
  channel("quote.{instrument_name}", "public", {
    summary: "Best bid and ask of an instrument.",
    hint: `
      { timestamp: integer, instrument_name: string, best_bid_price: number, best_bid_amount: number,
      best_ask_price: number, best_ask_amount: number }
    `,
  }),
  channel("ticker.{instrument_name}.{interval}", "public", {
    summary: "Ticker of an instrument: best bid and ask, mark price, and statistics.",
    hint: `
      { instrument_name: string, timestamp: integer, state: string, stats: object, open_interest: number,
      best_bid_price: number, best_bid_amount: number, best_ask_price: number, best_ask_amount: number,
      index_price: number, min_price: number, max_price: number, mark_price: number, last_price: number,
      underlying_price: number, underlying_index: string, interest_rate: number, bid_iv: number, ask_iv: number,
      mark_iv: number, greeks: object, funding_8h: number, current_funding: number, interest_value: number,
      delivery_price: number, settlement_price: number, estimated_delivery_price: number,
      is_anchor_breached: boolean, anchor_min_price: number, anchor_max_price: number }
    `,
  }),
  channel("user.changes.{instrument_name}.{interval}", ACCOUNT_TRADES, {
    summary: "Changes to orders, trades, and positions of the account in one instrument.",
    hint: "{ instrument_name: string, trades: object, orders: object, position: object }",
  }),
  channel("user.changes.{kind}.{currency}.{interval}", ACCOUNT_TRADES, {
    summary: "Changes to orders, trades, and positions of the account by kind and currency.",
    hint: "{ instrument_name: string, trades: object, orders: object, position: object }",
  }),
  channel("user.combo_trades.{instrument_name}.{interval}", ACCOUNT_TRADES, {
    summary: "Combo trades of the account in one instrument.",
    hint: TRADE,
  }),
  channel("user.combo_trades.{kind}.{currency}.{interval}", ACCOUNT_TRADES, {
    summary: "Combo trades of the account by kind and currency.",
    hint: TRADE,
  }),
  channel("user.isolated.liquidation", [], {
    summary: "Liquidations of isolated positions of the account.",
    hint: LIQUIDATION,
  }),
  channel("user.liquidation", [], {
    summary: "Start and end of a liquidation of the account.",
    hint: LIQUIDATION,
  }),
  channel("user.lock", ["account:read"], {
    summary: "Whether the account is locked in a currency.",
    hint: "{ currency: string, locked: boolean }",
  }),
  channel("user.lsp", [], {
    summary: "Liquidity Support Program (LSP) activity of the account.",
    hint: `
      { type: string, instrument_name: string, direction: string, amount: number, price: number, currency: string,
      success: boolean, error_reason: string, automatic: boolean, failure_count: integer, window_minutes: integer,
      configuration: object, timestamp: integer }
    `,
  }),
  channel("user.orders.{instrument_name}.raw", ACCOUNT_TRADES, {
    summary: "Order changes in one instrument, one at a time.",
    hint: ORDER,
  }),
  channel("user.orders.{instrument_name}.{interval}", ACCOUNT_TRADES, {
    summary: "Order changes in one instrument.",
    hint: ORDER,
  }),
  channel("user.orders.{kind}.{currency}.{interval}", ACCOUNT_TRADES, {
    summary: "Order changes by kind and currency.",
    hint: ORDER,
  }),
  channel("user.portfolio.{currency}", ["account:read", "trade:read"], {
    summary: "Balance, equity, and margin of the account in a currency.",
    hint: `
      { currency: string, equity: number, maintenance_margin: number, initial_margin: number,
      available_funds: number, available_withdrawal_funds: number, locked_balance: number, balance: number,
      fee_balance: number, margin_balance: number, session_upl: number, session_rpl: number, total_pl: number,
      options_pl: number, options_session_rpl: number, options_session_upl: number, options_delta: number,
      options_gamma: number, options_theta: number, options_value: number, options_vega: number, futures_pl: number,
      futures_session_rpl: number, futures_session_upl: number, delta_total: number, delta_total_map: object,
      options_gamma_map: object, options_theta_map: object, options_vega_map: object, projected_delta_total: number,
      portfolio_margining_enabled: boolean, cross_collateral_enabled: boolean, margin_model: string,
      total_equity_usd: number, total_initial_margin_usd: number, total_maintenance_margin_usd: number,
      total_margin_balance_usd: number, total_delta_total_usd: number, projected_initial_margin: number,
      projected_maintenance_margin: number, close_out_margin: number, projected_close_out_margin: number,
      additional_reserve: number }
    `,
  }),
  channel("user.trades.{instrument_name}.{interval}", ACCOUNT_TRADES, {
    summary: "Trades of the account in one instrument.",
    hint: TRADE,
  }),
];
