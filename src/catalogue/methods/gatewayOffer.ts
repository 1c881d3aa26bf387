import type * as z from "zod";
import { flag, integer, number } from "../fields.ts";

/*
 * What the partner's gateway to the exchange offers of the catalogue, and what it adds to parameters. Read at build
 * time. Methods and channels that only the gateway has are in `gateway.ts` and `hinted/gatewayChannels.ts`.
 * Sources: the pages below https://docs.cdp.coinbase.com and the partner's own client, coinbase-advanced-py, as of
 * November 2026. They have not been tried against the gateway itself.
 */

/** The methods of the exchange that the gateway does not offer. */
export const NOT_AT_GATEWAY: ReadonlySet<string> = new Set([
  "private/accept_block_rfq",
  "private/add_block_rfq_quote",
  "private/add_to_address_book",
  "private/approve_block_trade",
  "private/cancel_all_block_rfq_quotes",
  "private/cancel_block_rfq",
  "private/cancel_block_rfq_quote",
  "private/cancel_block_rfq_trigger",
  "private/cancel_quotes",
  "private/cancel_transfer_by_id",
  "private/cancel_withdrawal",
  "private/change_api_key_name",
  "private/change_scope_in_api_key",
  "private/change_subaccount_name",
  "private/coinbase/estimate_withdrawal_fee",
  "private/create_api_key",
  "private/create_block_rfq",
  "private/create_deposit_address",
  "private/create_subaccount",
  "private/delete_address_beneficiary",
  "private/delete_member",
  "private/disable_api_key",
  "private/edit_api_key",
  "private/edit_block_rfq_quote",
  "private/enable_affiliate_program",
  "private/enable_api_key",
  "private/execute_block_trade",
  "private/get_address_beneficiary",
  "private/get_address_book",
  "private/get_affiliate_program_info",
  "private/get_block_rfq_makers",
  "private/get_block_rfq_quotes",
  "private/get_block_rfq_user_info",
  "private/get_block_rfqs",
  "private/get_block_trade",
  "private/get_block_trade_requests",
  "private/get_block_trades",
  "private/get_broker_clients",
  "private/get_currencies",
  "private/get_current_deposit_address",
  "private/get_deposits",
  "private/get_email_language",
  "private/get_lsp_participant_config",
  "private/get_lsp_participants",
  "private/get_lsp_participants_usage",
  "private/get_lsp_usage",
  "private/get_members",
  "private/get_mmp_config",
  "private/get_mmp_status",
  "private/get_new_announcements",
  "private/get_reward_eligibility",
  "private/get_transfers",
  "private/get_withdrawals",
  "private/invalidate_block_trade_signature",
  "private/list_address_beneficiaries",
  "private/list_api_keys",
  "private/list_custody_accounts",
  "private/mass_quote",
  "private/move_positions",
  "private/reject_block_trade",
  "private/remove_api_key",
  "private/remove_from_address_book",
  "private/remove_subaccount",
  "private/reset_api_key",
  "private/reset_mmp",
  "private/save_address_beneficiary",
  "private/set_address_requires_security_key",
  "private/set_announcement_as_read",
  "private/set_clearance_originator",
  "private/set_coinbase_subaccount_withdrawals_allowed",
  "private/set_disabled_trading_products",
  "private/set_email_for_subaccount",
  "private/set_email_language",
  "private/set_member",
  "private/set_mmp_config",
  "private/set_self_trading_config",
  "private/simulate_block_trade",
  "private/submit_transfer_to_subaccount",
  "private/submit_transfer_to_user",
  "private/toggle_notifications_from_subaccount",
  "private/toggle_subaccount_login",
  "private/update_in_address_book",
  "private/verify_block_trade",
  "private/withdraw",
  "public/exchange_token",
  "public/fork_token",
  "public/get_apr_history",
  "public/get_block_rfq_trades",
] as const);

/** The channels of the exchange that the gateway does not offer. */
export const CHANNELS_NOT_AT_GATEWAY: ReadonlySet<string> = new Set([
  "block_rfq.maker.quotes.{currency}",
  "block_rfq.maker.{currency}",
  "block_rfq.taker.{currency}",
  "block_rfq.trades.{currency}",
  "block_trade_confirmations",
  "block_trade_confirmations.{currency}",
  "user.liquidation",
  "user.lsp",
  "user.mmp_trigger.{index_name}",
]);

/** The methods that the gateway offers over a WebSocket only. */
export const WEB_SOCKET_ONLY_AT_GATEWAY: ReadonlySet<string> = new Set([
  "private/disable_cancel_on_disconnect",
  "private/enable_cancel_on_disconnect",
  "private/get_access_log",
  "private/get_cancel_on_disconnect",
  "private/logout",
  "private/subscribe",
  "private/unsubscribe",
  "private/unsubscribe_all",
  "public/disable_heartbeat",
  "public/get_tradingview_chart_data",
  "public/hello",
  "public/set_heartbeat",
  "public/subscribe",
  "public/unsubscribe",
  "public/unsubscribe_all",
]);

/** The permission that a key file needs for a method, and the scope that an OAuth token needs. */
export const GATEWAY_PERMISSIONS = [
  {
    permission: "trade",
    scope: "wallet:buys:create",
    methods: [
      "private/buy",
      "private/cancel",
      "private/cancel_all",
      "private/cancel_all_by_currency",
      "private/cancel_all_by_currency_pair",
      "private/cancel_all_by_instrument",
      "private/cancel_all_by_kind_or_type",
      "private/cancel_by_label",
      "private/close_position",
      "private/create_combo",
      "private/disable_cancel_on_disconnect",
      "private/edit",
      "private/edit_by_label",
      "private/enable_cancel_on_disconnect",
      "private/sell",
    ],
  },
  {
    permission: "trade",
    scope: "wallet:user:update",
    methods: ["private/change_margin_model"],
  },
  {
    permission: "view",
    scope: "wallet:user:read",
    methods: ["private/get_access_log", "private/get_cancel_on_disconnect", "private/get_leg_prices"],
  },
  {
    permission: "view",
    scope: "wallet:accounts:read",
    methods: [
      "private/get_account_summaries",
      "private/get_account_summary",
      "private/get_margins",
      "private/get_position",
      "private/get_positions",
      "private/pme/simulate",
      "private/simulate_portfolio",
    ],
  },
  {
    permission: "view",
    scope: "wallet:transactions:read",
    methods: [
      "private/get_broker_trade_requests",
      "private/get_broker_trades",
      "private/get_open_orders",
      "private/get_open_orders_by_currency",
      "private/get_open_orders_by_instrument",
      "private/get_open_orders_by_label",
      "private/get_order_history_by_currency",
      "private/get_order_history_by_instrument",
      "private/get_order_margin_by_ids",
      "private/get_order_state",
      "private/get_order_state_by_label",
      "private/get_settlement_history_by_currency",
      "private/get_settlement_history_by_instrument",
      "private/get_transaction_log",
      "private/get_trigger_order_history",
      "private/get_user_trades_by_currency",
      "private/get_user_trades_by_currency_and_time",
      "private/get_user_trades_by_instrument",
      "private/get_user_trades_by_instrument_and_time",
      "private/get_user_trades_by_order",
    ],
  },
] as const;

/** A parameter that the gateway adds to methods of the exchange. */
interface GatewayParam {
  readonly schema: z.ZodType;
  readonly methods: readonly string[];
}

/** The parameters that the gateway adds, by name. All are optional. */
export const GATEWAY_PARAMS: Readonly<Record<string, GatewayParam>> = {
  isolated: {
    schema: flag("Whether the request is about isolated margin instead of cross margin (default: false)."),
    methods: [
      "private/buy",
      "private/cancel",
      "private/close_position",
      "private/edit",
      "private/edit_by_label",
      "private/get_margins",
      "private/get_order_margin_by_ids",
      "private/get_order_state",
      "private/get_user_trades_by_order",
      "private/sell",
    ],
  },
  include_isolated: {
    schema: flag("Whether isolated margin is included (default: false)."),
    methods: [
      "private/cancel_all",
      "private/cancel_all_by_currency",
      "private/cancel_all_by_instrument",
      "private/cancel_by_label",
      "private/get_account_summaries",
      "private/get_open_orders",
      "private/get_order_state_by_label",
      "private/get_position",
      "private/get_positions",
      "private/get_subaccounts",
      "private/get_subaccounts_details",
    ],
  },
  allocated_margin: {
    schema: number("Margin that is moved to the isolated position. If omitted, the margin needed is moved."),
    methods: ["private/buy", "private/edit", "private/edit_by_label", "private/sell"],
  },
  subaccount_id: {
    schema: integer("ID of the subaccount of an isolated position, to read that one alone."),
    methods: [
      "private/get_open_orders",
      "private/get_order_history_by_currency",
      "private/get_settlement_history_by_currency",
    ],
  },
};

/** The parameters of the exchange that the gateway does not take. */
export const PARAMS_NOT_AT_GATEWAY: Readonly<Record<string, readonly string[]>> = {
  "private/subscribe": ["label"],
};
