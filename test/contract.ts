/*
 * The core specification as a table, written down from its text: §2.1 to §2.7, §4 and §8. Attributes that it gives by
 * meaning only stand under the exchange's names.
 */

/** What a member may be: `integer`, `number`, `text`, `flag`, `list`, `object`, `null`, or several of them. */
export type FieldType = string;

/** Members of the results, by the section that names them. */
export const CONTRACT_FIELDS = {
  trade: {
    ...{
      trade_id: "text",
      trade_seq: "integer",
      instrument_name: "text",
      timestamp: "integer",
      order_id: "text",
      matching_id: "null",
      direction: "text",
    },
    ...{
      tick_direction: "integer",
      index_price: "number",
      price: "number",
      amount: "number",
      fee: "number",
      fee_currency: "text",
      state: "text",
      mark_price: "number",
    },
    ...{
      order_type: "text",
      contracts: "number",
      iv: "number",
      liquidity: "text",
      block_trade_id: "text",
      allocations: "list",
      trade_allocations: "list",
    },
    // By meaning only.
    ...{
      advanced: "text",
      underlying_price: "number",
      liquidation: "text",
      label: "text",
      block_rfq_id: "integer",
      block_rfq_quote_id: "integer",
    },
    ...{
      reduce_only: "flag",
      post_only: "flag",
      mmp: "flag",
      risk_reducing: "flag",
      api: "flag",
      profit_loss: "number",
    },
    ...{
      legs: "list",
      combo_id: "text",
      combo_trade_id: "number",
      quote_set_id: "text",
      quote_id: "text",
      app_name: "text",
      broker_code: "text",
      broker_name: "text",
    },
  },
  allocation: { user_id: "integer", amount: "number", fee: "number", client_info: "object" },
  client_info: { client_id: "integer", client_link_id: "integer", name: "text" },
  blockTrade: {
    id: "text",
    timestamp: "integer",
    trades: "list",
    app_name: "text",
    broker_code: "text",
    broker_name: "text",
  },
  publicTrade: {
    ...{
      trade_seq: "integer",
      trade_id: "text",
      timestamp: "integer",
      tick_direction: "integer",
      price: "number",
      mark_price: "number",
      iv: "number",
    },
    ...{ instrument_name: "text", index_price: "number", direction: "text", amount: "number", contracts: "number" },
    ...{
      block_trade_id: "text",
      block_trade_leg_count: "integer",
      block_rfq_id: "integer",
      combo_id: "text",
      combo_trade_id: "number",
      liquidation: "text",
    },
  },
  order: {
    ...{
      order_id: "text",
      instrument_name: "text",
      direction: "text",
      amount: "number",
      filled_amount: "number",
      average_price: "number",
      price: "number",
      order_type: "text",
    },
    ...{
      order_state: "text",
      time_in_force: "text",
      max_show: "number",
      label: "text",
      reduce_only: "flag",
      post_only: "flag",
      api: "flag",
      is_rebalance: "flag",
    },
    ...{
      is_liquidation: "flag",
      creation_timestamp: "integer",
      last_update_timestamp: "integer",
      triggered: "flag",
      trigger: "text",
      trigger_price: "number",
    },
  },
  apiKey: {
    ...{
      id: "integer",
      name: "text",
      enabled: "flag",
      default: "flag",
      max_scope: "text",
      client_id: "text",
      client_secret: "text",
      timestamp: "integer",
    },
    ...{ enabled_features: "list", ip_whitelist: "list", public_key: "text" },
  },
  token: {
    access_token: "text",
    refresh_token: "text",
    expires_in: "integer",
    scope: "text",
    token_type: "text",
    sid: "text",
  },
  mmpConfig: {
    ...{
      index_name: "text",
      mmp_group: "text",
      interval: "number",
      frozen_time: "number",
      quantity_limit: "number",
      delta_limit: "number",
      vega_limit: "number",
      max_quote_quantity: "number",
    },
    ...{ id: "integer", block_rfq: "flag", trade_count_limit: "integer" },
  },
} as const satisfies Record<string, Record<string, FieldType>>;

/** Values that the specification lists for members of results. */
export const CONTRACT_VALUES = {
  trade: {
    direction: ["buy", "sell"],
    tick_direction: [0, 1, 2, 3],
    fee_currency: ["BTC", "ETH", "USDC"],
    state: ["filled", "cancelled", "archive"],
    order_type: ["limit", "market", "liquidation"],
    liquidity: ["M", "T"],
    advanced: ["usd", "implv"],
  },
  order: {
    order_state: ["open", "untriggered"],
    order_type: ["limit", "stop_limit", "stop_market", "take_limit", "take_market", "trailing_stop"],
  },
} as const;

interface Param {
  readonly type: string;
  readonly isRequired?: true;
  readonly values?: readonly string[];
}

const currency = ["BTC", "ETH", "USDC", "USDT", "EURR"];
const scope = { type: "text or list", isRequired: true } as const;
const needed = (type: string): Param => ({ type, isRequired: true });

/** Parameters of the ten methods. Core specification §4.1 to §4.10. */
export const CONTRACT_PARAMS: Readonly<Record<string, Readonly<Record<string, Param>>>> = {
  "private/cancel_all_block_rfq_quotes": { block_rfq_id: { type: "integer" }, detailed: { type: "flag" } },
  "public/exchange_token": { refresh_token: needed("text"), subject_id: needed("integer"), scope: { type: "text" } },
  "private/edit_api_key": {
    id: needed("integer"),
    max_scope: scope,
    name: { type: "text" },
    enabled: { type: "flag" },
    enabled_features: { type: "list", values: ["restricted_block_trades", "block_trade_approval"] },
    ip_whitelist: { type: "list" },
  },
  "private/change_scope_in_api_key": { id: needed("integer"), max_scope: scope },
  "public/get_last_trades_by_instrument": {
    instrument_name: needed("text"),
    ...{
      start_seq: { type: "integer" },
      end_seq: { type: "integer" },
      start_timestamp: { type: "integer" },
      end_timestamp: { type: "integer" },
      count: { type: "integer" },
    },
    sorting: { type: "text", values: ["asc", "desc", "default"] },
  },
  "private/get_block_trades": {
    currency: { type: "text", values: currency },
    ...{
      count: { type: "integer" },
      start_id: { type: "text" },
      end_id: { type: "text" },
      block_rfq_id: { type: "integer" },
      broker_code: { type: "text" },
    },
  },
  "private/get_block_trade": { id: needed("text") },
  "private/get_mmp_config": {
    index_name: {
      type: "text",
      values: [
        ...[
          "btc_usd",
          "eth_usd",
          "btc_usdc",
          "eth_usdc",
          "ada_usdc",
          "algo_usdc",
          "avax_usdc",
          "bch_usdc",
          "bnb_usdc",
          "doge_usdc",
          "dot_usdc",
          "link_usdc",
          "ltc_usdc",
        ],
        ...[
          "near_usdc",
          "paxg_usdc",
          "shib_usdc",
          "sol_usdc",
          "ton_usdc",
          "trx_usdc",
          "trump_usdc",
          "uni_usdc",
          "xrp_usdc",
          "usde_usdc",
          "buidl_usdc",
          "btcdvol_usdc",
        ],
        ...["ethdvol_usdc", "btc_usdt", "eth_usdt", "all"],
      ],
    },
    mmp_group: { type: "text" },
    block_rfq: { type: "flag" },
  },
  "private/get_open_orders": {
    kind: { type: "text", values: ["future", "option", "spot", "future_combo", "option_combo"] },
    type: {
      type: "text",
      values: [
        "all",
        "limit",
        "trigger_all",
        "stop_all",
        "stop_limit",
        "stop_market",
        "take_all",
        "take_limit",
        "take_market",
        "trailing_all",
        "trailing_stop",
      ],
    },
  },
  "private/cancel": { order_id: needed("text") },
};
