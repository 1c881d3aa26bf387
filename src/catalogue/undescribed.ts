import type { Effect } from "./method.ts";

/** The facts of a method apart from its parameters and result. */
export interface KnownMethod {
  readonly name: string;
  readonly effect: Effect;
  /** The scope entries of which one is needed. Empty: none, or not documented. */
  readonly scopes: readonly string[];
  readonly isContract: boolean;
}

/**
 * The methods of the exchange that no entry of the catalogue describes yet: effect, access, scope, names. A method is
 * here or in `methods/`, never in both. https://docs.deribit.com/api-reference
 *
 * Effects are about what can be lost, not about what a name says. `verify_block_trade` makes a signature that the other
 * side can use, so it is a write. Cancelling a withdrawal or a transfer, and rejecting a block trade, take no order off
 * the book. So they are writes and not reductions. `mass_quote` replaces many quotes at once. The `mainaccount` that
 * some methods of members and wallets need besides their scope is left to the exchange.
 */
const TABLE: readonly (readonly [effect: Effect, access: "public" | "private", scope: string, names: string])[] = [
  ["read", "private", "", "get_currencies get_leg_prices get_reward_eligibility list_custody_accounts"],
  [
    "read",
    "private",
    "account:read",
    "get_access_log get_account_summary get_affiliate_program_info get_email_language get_lsp_participant_config get_lsp_participants get_lsp_participants_usage get_lsp_usage get_members get_new_announcements get_subaccounts_details get_transaction_log get_user_locks pme/simulate simulate_portfolio",
  ],
  ["read", "private", "block_rfq:read", "get_block_rfq_makers get_block_rfq_user_info"],
  [
    "read",
    "private",
    "block_trade:read",
    "get_block_trade_requests get_broker_clients get_broker_trade_requests get_broker_trades simulate_block_trade",
  ],
  [
    "read",
    "private",
    "trade:read",
    "get_margins get_open_orders_by_label get_order_history_by_currency get_order_history_by_instrument get_order_margin_by_ids get_order_state_by_label get_position get_positions get_settlement_history_by_currency get_settlement_history_by_instrument get_trigger_order_history get_user_trades_by_order",
  ],
  [
    "read",
    "private",
    "wallet:read",
    "coinbase/estimate_withdrawal_fee get_address_beneficiary get_address_book get_current_deposit_address get_deposits get_transfers get_withdrawals list_address_beneficiaries",
  ],
  [
    "read",
    "public",
    "",
    "get_announcements get_apr_history get_block_rfq_trades get_book_summary_by_currency get_book_summary_by_instrument get_combo_details get_combo_ids get_combos get_contract_size get_delivery_prices get_expirations get_funding_chart_data get_funding_rate_history get_funding_rate_value get_historical_volatility get_index_chart_data get_index_price get_instrument get_last_settlements_by_currency get_last_settlements_by_instrument get_last_trades_by_currency get_last_trades_by_currency_and_time get_mark_price_history get_order_book get_order_book_by_instrument_id get_supported_index_names get_trade_volumes get_tradingview_chart_data get_volatility_index_data status ticker",
  ],
  ["reduce", "private", "block_rfq:read_write", "cancel_block_rfq cancel_block_rfq_trigger"],
  [
    "write",
    "private",
    "account:read_write",
    "change_margin_model change_subaccount_name enable_affiliate_program set_announcement_as_read set_disabled_trading_products set_email_language set_self_trading_config toggle_notifications_from_subaccount",
  ],
  [
    "write",
    "private",
    "block_rfq:read_write",
    "accept_block_rfq add_block_rfq_quote create_block_rfq edit_block_rfq_quote",
  ],
  ["write", "private", "block_trade:read", "verify_block_trade"],
  [
    "write",
    "private",
    "block_trade:read_write",
    "approve_block_trade execute_block_trade invalidate_block_trade_signature reject_block_trade",
  ],
  ["write", "private", "trade:read_write", "buy close_position create_combo edit edit_by_label sell"],
  ["write", "private", "wallet:read_write", "cancel_transfer_by_id cancel_withdrawal"],
  ["mass", "private", "trade:read_write", "cancel_quotes mass_quote"],
  [
    "key",
    "private",
    "account:read_write",
    "change_api_key_name create_api_key create_subaccount delete_member remove_api_key remove_subaccount reset_api_key set_email_for_subaccount set_member toggle_subaccount_login",
  ],
  ["money", "private", "", "set_coinbase_subaccount_withdrawals_allowed"],
  ["money", "private", "trade:read_write", "move_positions"],
  [
    "money",
    "private",
    "wallet:read_write",
    "add_to_address_book create_deposit_address delete_address_beneficiary remove_from_address_book save_address_beneficiary set_address_requires_security_key set_clearance_originator submit_transfer_between_subaccounts submit_transfer_to_subaccount submit_transfer_to_user update_in_address_book withdraw",
  ],
  ["session", "private", "", "logout unsubscribe_all"],
  ["session", "public", "", "disable_heartbeat fork_token"],
];

/** The methods of the table, in its order. */
export const UNDESCRIBED_METHODS: readonly KnownMethod[] = TABLE.flatMap(([effect, access, scope, names]) =>
  names
    .split(" ")
    .map((name) => ({ name: `${access}/${name}`, effect, scopes: scope === "" ? [] : [scope], isContract: false })),
);
