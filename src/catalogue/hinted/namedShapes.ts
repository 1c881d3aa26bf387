/**
 * The shapes of results and events that several hints name, in the notation of `shapes.ts`.
 */
export const SHAPES = {
  Address: `
    { currency: BTC|ETH|STETH|ETHW|USDC|USDT|EURR|SOL|XRP|USYC|PAXG|BNB|USDE, address: string,
    creation_timestamp: integer, type: transfer|withdrawal|deposit_source, label: string,
    beneficiary_vasp_name: string, beneficiary_vasp_did: string, beneficiary_vasp_website: string,
    beneficiary_first_name: string, beneficiary_last_name: string, beneficiary_company_name: string,
    beneficiary_address: string, agreed: boolean, personal: boolean, info_required: boolean,
    status: admin_locked|waiting|confirmed|ready, waiting_timestamp: boolean, requires_confirmation: boolean,
    requires_confirmation_change: boolean }
  `,
  Announcement: `
    { body: string, publication_timestamp: integer, id: number, important: boolean, confirmation: boolean,
    title: string }
  `,
  ApiKey: `
    { id: integer, timestamp: integer, client_id: string, client_secret: string, public_key: string,
    max_scope: [string], enabled: boolean, default: boolean, name: string, enabled_features: [string],
    ip_whitelist: [unknown] }
  `,
  Beneficiary: `
    { currency: BTC|ETH|USDC|USDT|EURR, address: string, tag: string, user_id: integer, agreed: boolean,
    personal: boolean, unhosted: boolean, beneficiary_vasp_name: string, beneficiary_vasp_did: string,
    beneficiary_vasp_website: string, beneficiary_first_name: string, beneficiary_last_name: string,
    beneficiary_company_name: string, beneficiary_address: string, created: integer, updated: integer }
  `,
  BlockRfq: `
    { creation_timestamp: integer, expiration_timestamp: integer, block_rfq_id: integer, role: taker|maker,
    state: open|filled|cancelled|expired, taker_rating: string, makers: [string], amount: number,
    min_trade_amount: number, asks: [BlockRfqPrice], bids: [BlockRfqPrice], legs: [{ ratio: integer,
    instrument_name: string, direction: buy|sell }], hedge: Hedge, combo_id: string|null, label: string,
    app_name: string, mark_price: number, disclosed: boolean, taker: string, index_prices: [number],
    included_in_taker_rating: boolean, trades: [{ direction: buy|sell, price: number, amount: number, maker: string,
    hedge_amount: number }], trade_trigger: { state: triggered|untriggered|cancelled, price: number,
    direction: buy|sell, cancel_reason: string }, trade_allocations: [{ user_id: integer, client_info: {
    client_id: integer, client_link_id: integer, name: string }, amount: number }] }
  `,
  BlockRfqPrice: `
    { makers: [string], price: number, last_update_timestamp: integer,
    execution_instruction: any_part_of|all_or_none, amount: number, expires_at: integer }
  `,
  BlockRfqQuote: `
    { creation_timestamp: integer, last_update_timestamp: integer, block_rfq_id: integer,
    block_rfq_quote_id: integer, quote_state: string, execution_instruction: any_part_of|all_or_none, price: number,
    amount: number, direction: buy|sell, filled_amount: number, legs: [Leg], hedge: Hedge, replaced: boolean,
    label: string, app_name: string, quote_state_reason: string }
  `,
  BookSummary: `
    { instrument_name: string, high: number, low: number, base_currency: string, quote_currency: string,
    volume: number, bid_price: number, ask_price: number, mid_price: number, mark_price: number, last: number,
    open_interest: number, creation_timestamp: integer, estimated_delivery_price: number, volume_usd: number,
    volume_notional: number, current_funding: number, funding_8h: number, mark_iv: number, interest_rate: number,
    underlying_index: string, underlying_price: number, price_change: number }
  `,
  Combo: `
    { id: string, instrument_id: integer, state: active|inactive, state_timestamp: integer,
    creation_timestamp: integer, legs: [{ instrument_name: string, amount: integer }] }
  `,
  Greeks: "{ delta: number, gamma: number, rho: number, theta: number, vega: number }",
  Hedge: "{ amount: integer, instrument_name: string, direction: buy|sell, price: number }",
  Instrument: `
    { kind: future|option|spot|future_combo|option_combo, settlement_currency: BTC|ETH, counter_currency: USD|USDC,
    base_currency: BTC|ETH, quote_currency: USD, min_trade_amount: number, instrument_name: string,
    instrument_id: integer, is_active: boolean, settlement_period: month|week|perpetual,
    creation_timestamp: integer, tick_size: number, tick_size_steps: [{ above_price: number, tick_size: number }],
    expiration_timestamp: integer, strike: number, option_type: call|put, future_type: linear|reversed,
    instrument_type: string, contract_size: number, lot_size: number, maker_commission: number,
    taker_commission: number, max_liquidation_commission: number, block_trade_commission: number,
    block_trade_tick_size: number, block_trade_min_trade_amount: number, max_leverage: integer, price_index: string,
    underlying_type: crypto|equity|commodity|preipo|equity_etf|crypto_index|adr|foreign_equity|equity_index|commodity_index|commodity_etf|otc,
    state: open|settlement|delivered|inactive|locked|halted|archivized, base_currency_uuid: string,
    quote_currency_uuid: string, qty_tick_size: number, index_id: integer, product_group: BTC|ETH|TIER_2|TIER_3,
    is_csr: boolean, is_cbe_routed: boolean }
  `,
  Leg: "{ ratio: integer, instrument_name: string, direction: buy|sell, price: number }",
  Member: `
    { member_id: integer, main_uid: integer, name: string, is_active: boolean, accounts: [integer],
    m_tstamp: integer }
  `,
  Order: `
    { order_id: string, order_state: open|filled|rejected|cancelled|untriggered|triggered,
    order_type: market|limit|stop_market|stop_limit|take_market|take_limit|trailing_stop,
    original_order_type: market|market_limit,
    time_in_force: good_til_cancelled|good_til_day|fill_or_kill|immediate_or_cancel, is_rebalance: boolean,
    is_liquidation: boolean, instrument_name: string, creation_timestamp: integer, last_update_timestamp: integer,
    starbase_last_update_timestamp: integer, starbase_client_order_id: string, direction: buy|sell,
    price: number|string, label: string, post_only: boolean, reject_post_only: boolean, reduce_only: boolean,
    api: boolean, web: boolean, mobile: boolean, refresh_amount: number, display_amount: number, amount: number,
    contracts: number, filled_amount: number, average_price: number, advanced: usd|implv, implv: number,
    usd: number, triggered: boolean, trigger: index_price|mark_price|last_price, trigger_price: number,
    trigger_offset: number|null, trigger_reference_price: number, block_trade: boolean, mmp: boolean,
    risk_reducing: boolean, replaced: boolean, auto_replaced: boolean, quote: boolean, mmp_group: string,
    quote_set_id: string, quote_id: string, trigger_order_id: string, combo_order_id: string,
    starbase_order_id: integer, app_name: string, mmp_cancelled: boolean,
    cancel_reason: user_request|autoliquidation|cancel_on_disconnect|risk_mitigation|pme_risk_reduction|pme_account_locked|position_locked|mmp_trigger|mmp_config_curtailment|edit_post_only_reject|oco_other_closed|oto_primary_closed|settlement,
    oto_order_ids: [string], trigger_fill_condition: first_hit|complete_fill|incremental, oco_ref: string,
    primary_order_id: string, is_secondary_oto: boolean, is_primary_otoco: boolean }
  `,
  OrderBook: `
    { instrument_name: string, timestamp: integer,
    state: open|settlement|delivered|inactive|locked|halted|archivized, stats: Stats, open_interest: number,
    best_bid_price: number, best_bid_amount: number, best_ask_price: number, best_ask_amount: number,
    index_price: number, min_price: number, max_price: number, mark_price: number, last_price: number,
    underlying_price: number, underlying_index: string, interest_rate: number, bid_iv: number, ask_iv: number,
    mark_iv: number, greeks: Greeks, funding_8h: number, current_funding: number, delivery_price: number,
    settlement_price: number, bids: [[number]], asks: [[number]] }
  `,
  PublicTrade: `
    { trade_id: string, trade_seq: integer, instrument_name: string, timestamp: integer,
    starbase_timestamp: integer, direction: buy|sell, tick_direction: 0|1|2|3, index_price: number, price: number,
    amount: number, contracts: number, iv: number, liquidation: M|T|MT, mark_price: number, block_trade_id: string,
    block_trade_leg_count: integer, combo_id: string, combo_trade_id: number|string, starbase_match_id: integer,
    block_rfq_id: integer }
  `,
  Settlement: `
    { funding: number, funded: number, index_price: number, instrument_name: string, mark_price: number,
    position: number, profit_loss: number, session_bankruptcy: number, session_profit_loss: number,
    session_tax: number, session_tax_rate: number, socialized: number, timestamp: integer,
    type: settlement|delivery|bankruptcy }
  `,
  Stats: "{ volume: number, low: number, high: number, price_change: number, volume_usd: number }",
  TradeAllocation: `
    { user_id: integer, amount: number, fee: number, client_info: { client_id: integer, client_link_id: integer,
    name: string } }
  `,
  Transfer: `
    { id: integer, created_timestamp: integer, type: user|subaccount, currency: BTC|ETH|USDC|USDT|EURR,
    amount: number, other_side: string, state: string, direction: payment|income, updated_timestamp: integer,
    nonce: string }
  `,
  UserTrade: `
    { trade_id: string, trade_seq: integer, instrument_name: string, timestamp: integer,
    starbase_timestamp: integer, starbase_order_id: integer, starbase_client_order_id: string,
    order_type: limit|market|liquidation, original_order_type: market|market_limit, advanced: usd|implv,
    order_id: string, matching_id: string|null, direction: buy|sell, tick_direction: 0|1|2|3, index_price: number,
    price: number, amount: number, contracts: number, iv: number, underlying_price: number, liquidation: M|T|MT,
    liquidity: M|T, fee: number, fee_currency: BTC|ETH|USDC|USDT|EURR, label: string,
    state: open|filled|rejected|cancelled|untriggered|archive, block_trade_id: string,
    block_trade_leg_count: integer, block_rfq_id: integer, block_rfq_quote_id: integer, reduce_only: boolean,
    post_only: boolean, mmp: boolean, risk_reducing: boolean, api: boolean, profit_loss: number|null,
    mark_price: number,
    legs: [unknown], combo_id: string, combo_trade_id: number|string, starbase_match_id: integer, quote_set_id: string,
    quote_id: string, trade_allocations: [TradeAllocation] }
  `,
  Withdrawal: `
    { address: string, amount: number, confirmed_timestamp: integer, created_timestamp: integer,
    currency: BTC|ETH|USDC|USDT|EURR, fee: number, id: integer, priority: number,
    state: unconfirmed|confirmed|cancelled|completed|interrupted|rejected, transaction_id: string,
    updated_timestamp: integer, nonce: string }
  `,
} as const;
