import * as l10n from "@vscode/l10n";

/** One error of the exchange. */
export interface ErrorRow {
  readonly code: number;
  /** The message's first word as the exchange sends it; some messages carry a value after it. */
  readonly name: string;
  /** A sentence; made when it is read, because the language is known only then. */
  readonly meaning: () => string;
}

/**
 * The exchange's codes, the JSON-RPC ones first. A code can stand twice: then the message says which it is.
 * https://docs.deribit.com/articles/errors, the pages on security keys and order management, and JSON-RPC 2.0.
 */
export const ERROR_ROWS: readonly ErrorRow[] = [
  { code: -32000, name: "Missing params", meaning: () => l10n.t("A required parameters object/member is missing.") },
  {
    code: -32600,
    name: "request entity too large",
    meaning: () =>
      l10n.t(
        "POST body or one WebSocket frame is over 32 kB (the general JSON-RPC name of this code is Invalid Request).",
      ),
  },
  { code: -32601, name: "Method not found", meaning: () => l10n.t("Unknown method name.") },
  {
    code: -32602,
    name: "Invalid params",
    meaning: () => l10n.t("Parameters fail validation; data usually has reason and param."),
  },
  { code: -32603, name: "Internal error", meaning: () => l10n.t("The server failed while it handled the request.") },
  { code: -32700, name: "Parse error", meaning: () => l10n.t("Text is not valid JSON.") },
  {
    code: 10000,
    name: "authorization_required",
    meaning: () => l10n.t("Caller is not authenticated: no signature/token, or the signature is bad."),
  },
  { code: 10001, name: "error", meaning: () => l10n.t("Unspecified failure; the server gives no public detail.") },
  { code: 10002, name: "qty_too_low", meaning: () => l10n.t("Order size is below the permitted minimum.") },
  {
    code: 10003,
    name: "order_overlap",
    meaning: () => l10n.t("Order would trade against the caller's own resting order while self-trading is off."),
  },
  { code: 10004, name: "order_not_found", meaning: () => l10n.t("No order matches the given id or label.") },
  {
    code: 10005,
    name: "price_too_low",
    meaning: () => l10n.t("Price is under the currently permitted floor; the floor is appended to the message."),
  },
  {
    code: 10006,
    name: "price_too_low4idx",
    meaning: () => l10n.t("Price is under the floor derived from the present index; the floor is appended."),
  },
  {
    code: 10007,
    name: "price_too_high",
    meaning: () => l10n.t("Price is above the currently permitted ceiling; the ceiling is appended."),
  },
  {
    code: 10009,
    name: "not_enough_funds",
    meaning: () => l10n.t("Available balance or margin does not cover the operation."),
  },
  { code: 10010, name: "already_closed", meaning: () => l10n.t("The target order is already in a final state.") },
  { code: 10011, name: "price_not_allowed", meaning: () => l10n.t("The price is refused for some other rule.") },
  { code: 10012, name: "book_closed", meaning: () => l10n.t("The order book of this instrument is closed.") },
  {
    code: 10013,
    name: "pme_max_total_open_orders",
    meaning: () => l10n.t("Portfolio-margin account: cap on the number of open orders reached."),
  },
  {
    code: 10014,
    name: "pme_max_future_open_orders",
    meaning: () => l10n.t("Portfolio-margin account: cap on the number of open futures orders reached."),
  },
  {
    code: 10015,
    name: "pme_max_option_open_orders",
    meaning: () => l10n.t("Portfolio-margin account: cap on the number of open option orders reached."),
  },
  {
    code: 10016,
    name: "pme_max_future_open_orders_size",
    meaning: () => l10n.t("Portfolio-margin account: cap on the total size of open futures orders reached."),
  },
  {
    code: 10017,
    name: "pme_max_option_open_orders_size",
    meaning: () => l10n.t("Portfolio-margin account: cap on the total size of open option orders reached."),
  },
  {
    code: 10018,
    name: "non_pme_max_future_position_size",
    meaning: () => l10n.t("Standard-margin account: futures position size cap reached."),
  },
  {
    code: 10019,
    name: "locked_by_admin",
    meaning: () => l10n.t("Trading has been suspended for the moment by the operator."),
  },
  {
    code: 10020,
    name: "invalid_or_unsupported_instrument",
    meaning: () => l10n.t("Unknown or unusable instrument name."),
  },
  { code: 10021, name: "invalid_amount", meaning: () => l10n.t("Amount is not acceptable.") },
  {
    code: 10022,
    name: "invalid_quantity",
    meaning: () => l10n.t("Quantity could not be read as a number (API v1 wording)."),
  },
  { code: 10023, name: "invalid_price", meaning: () => l10n.t("Price could not be read as a number.") },
  { code: 10024, name: "invalid_max_show", meaning: () => l10n.t("max_show could not be read as a number.") },
  { code: 10025, name: "invalid_order_id", meaning: () => l10n.t("Order id absent or not in a recognised format.") },
  {
    code: 10026,
    name: "price_precision_exceeded",
    meaning: () => l10n.t("Price carries more decimals than supported."),
  },
  {
    code: 10027,
    name: "non_integer_contract_amount",
    meaning: () => l10n.t("Futures size is not a whole number of contracts."),
  },
  {
    code: 10028,
    name: "too_many_requests",
    meaning: () => l10n.t("Request credits exhausted; the session may be closed right after this reply."),
  },
  { code: 10029, name: "not_owner_of_order", meaning: () => l10n.t("The order belongs to somebody else.") },
  {
    code: 10030,
    name: "must_be_websocket_request",
    meaning: () => l10n.t("Method works over WebSocket only but was called over HTTP."),
  },
  {
    code: 10031,
    name: "invalid_args_for_instrument",
    meaning: () => l10n.t("Some argument does not fit this instrument."),
  },
  { code: 10032, name: "whole_cost_too_low", meaning: () => l10n.t("Total value of the order is too small.") },
  { code: 10033, name: "not_implemented", meaning: () => l10n.t("Method exists but is not implemented.") },
  { code: 10034, name: "trigger_price_too_high", meaning: () => l10n.t("Trigger price is too high.") },
  { code: 10035, name: "trigger_price_too_low", meaning: () => l10n.t("Trigger price is too low.") },
  {
    code: 10036,
    name: "invalid_max_show_amount",
    meaning: () => l10n.t("The visible amount (max show) is not acceptable."),
  },
  {
    code: 10037,
    name: "non_pme_total_short_options_positions_size",
    meaning: () => l10n.t("Standard-margin account: cap on total short option size reached."),
  },
  {
    code: 10038,
    name: "pme_max_risk_reducing_orders",
    meaning: () => l10n.t("Portfolio-margin account: cap on open risk-reducing orders reached."),
  },
  {
    code: 10039,
    name: "not_enough_funds_in_currency",
    meaning: () =>
      l10n.t(
        "Spot reserve in that currency is too small, or an option order would hurt a non-cross balance of a cross-standard-margin user.",
      ),
  },
  {
    code: 10040,
    name: "retry",
    meaning: () => l10n.t("Server cannot take the request now and asks for it to be sent again."),
  },
  {
    code: 10041,
    name: "settlement_in_progress",
    meaning: () => l10n.t("Daily settlement is running; trading pauses for a few seconds."),
  },
  { code: 10043, name: "price_wrong_tick", meaning: () => l10n.t("Price is not a multiple of the tick size.") },
  {
    code: 10044,
    name: "trigger_price_wrong_tick",
    meaning: () => l10n.t("Trigger price is not a multiple of the tick size."),
  },
  {
    code: 10045,
    name: "can_not_cancel_liquidation_order",
    meaning: () => l10n.t("Orders created by liquidation cannot be cancelled."),
  },
  {
    code: 10046,
    name: "can_not_edit_liquidation_order",
    meaning: () => l10n.t("Orders created by liquidation cannot be edited."),
  },
  {
    code: 10047,
    name: "matching_engine_queue_full",
    meaning: () => l10n.t("Too many of this user's matching-engine requests are already waiting."),
  },
  { code: 10048, name: "not_on_this_server", meaning: () => l10n.t("This server does not offer the operation.") },
  {
    code: 10049,
    name: "cancel_on_disconnect_failed",
    meaning: () => l10n.t("Cancel-on-disconnect could not be switched on for the connection."),
  },
  {
    code: 10050,
    name: "lock_time_exceeded",
    meaning: () => l10n.t("The request waited more than five seconds for the portfolio lock."),
  },
  {
    code: 10066,
    name: "too_many_concurrent_requests",
    meaning: () => l10n.t("Too many public requests of the client are still unfinished."),
  },
  {
    code: 10072,
    name: "disabled_while_position_lock",
    meaning: () => l10n.t("Spot trading is off while the account is restricted to reduce-only."),
  },
  { code: 11008, name: "already_filled", meaning: () => l10n.t("Not possible because the order is already filled.") },
  { code: 11013, name: "max_spot_open_orders", meaning: () => l10n.t("Cap on open spot orders reached.") },
  {
    code: 11021,
    name: "post_only_price_modification_not_possible",
    meaning: () => l10n.t("A post-only order's price cannot be changed that way."),
  },
  {
    code: 11022,
    name: "max_spot_order_quantity",
    meaning: () => l10n.t("Per-currency size cap for spot orders reached."),
  },
  { code: 11029, name: "invalid_arguments", meaning: () => l10n.t("Input failed validation.") },
  { code: 11030, name: "other_reject", meaning: () => l10n.t("Uncommon rejection; the reason may be appended.") },
  { code: 11031, name: "other_error", meaning: () => l10n.t("Uncommon error; detail may be appended.") },
  { code: 11035, name: "no_more_triggers", meaning: () => l10n.t("Cap on trigger orders reached.") },
  {
    code: 11036,
    name: "invalid_trigger_price",
    meaning: () => l10n.t("Trigger price is out of range against last/index/mark price."),
  },
  {
    code: 11037,
    name: "outdated_instrument_for_IV_order",
    meaning: () => l10n.t("Instrument no longer accepts implied-volatility orders."),
  },
  { code: 11038, name: "no_adv_for_futures", meaning: () => l10n.t("Advanced order types do not exist for futures.") },
  { code: 11039, name: "no_adv_postonly", meaning: () => l10n.t("Advanced orders cannot be post-only.") },
  {
    code: 11041,
    name: "not_adv_order",
    meaning: () => l10n.t("Advanced properties given for an order that is not advanced."),
  },
  { code: 11042, name: "permission_denied", meaning: () => l10n.t("Operation is not permitted for the caller.") },
  { code: 11043, name: "bad_argument", meaning: () => l10n.t("One argument is wrong.") },
  {
    code: 11044,
    name: "not_open_order",
    meaning: () => l10n.t("Operation needs an open order, but the order is not open."),
  },
  { code: 11045, name: "invalid_event", meaning: () => l10n.t("Unknown event name.") },
  {
    code: 11046,
    name: "outdated_instrument",
    meaning: () => l10n.t("Too close to expiry for implied-volatility orders."),
  },
  {
    code: 11047,
    name: "unsupported_arg_combination",
    meaning: () => l10n.t("These arguments cannot be used together."),
  },
  {
    code: 11048,
    name: "wrong_max_show_for_option",
    meaning: () => l10n.t("Visible amount is not acceptable for an option."),
  },
  { code: 11049, name: "bad_arguments", meaning: () => l10n.t("Several arguments are wrong.") },
  { code: 11050, name: "bad_request", meaning: () => l10n.t("Request could not be parsed.") },
  { code: 11051, name: "system_maintenance", meaning: () => l10n.t("Platform is in maintenance mode.") },
  {
    code: 11052,
    name: "subscribe_error_unsubscribed",
    meaning: () =>
      l10n.t("Subscribing failed; note that channels may also be dropped silently, so compare the returned list."),
  },
  { code: 11053, name: "transfer_not_found", meaning: () => l10n.t("No such transfer.") },
  {
    code: 11054,
    name: "post_only_reject",
    meaning: () => l10n.t("Order would take liquidity and the reject_post_only flag was set."),
  },
  {
    code: 11055,
    name: "post_only_not_allowed",
    meaning: () => l10n.t("Post-only cannot be combined with this order type."),
  },
  {
    code: 11056,
    name: "unauthenticated_public_requests_temporarily_disabled",
    meaning: () => l10n.t("Public calls without authentication are switched off for now."),
  },
  { code: 11090, name: "invalid_addr", meaning: () => l10n.t("Address is invalid.") },
  { code: 11091, name: "invalid_transfer_address", meaning: () => l10n.t("Transfer address is invalid.") },
  { code: 11092, name: "address_already_exist", meaning: () => l10n.t("Address is already registered.") },
  { code: 11093, name: "max_addr_count_exceeded", meaning: () => l10n.t("No room for more addresses.") },
  { code: 11094, name: "internal_server_error", meaning: () => l10n.t("Unhandled server-side failure.") },
  {
    code: 11095,
    name: "disabled_deposit_address_creation",
    meaning: () => l10n.t("Operator has disabled creation of deposit addresses."),
  },
  {
    code: 11096,
    name: "address_belongs_to_user",
    meaning: () => l10n.t("The address is the user's own: a withdrawal was asked where a transfer is meant."),
  },
  { code: 11097, name: "no_deposit_address", meaning: () => l10n.t("A deposit address is missing.") },
  { code: 11098, name: "account_locked", meaning: () => l10n.t("The account is locked.") },
  { code: 12001, name: "too_many_subaccounts", meaning: () => l10n.t("No more subaccounts allowed.") },
  { code: 12002, name: "wrong_subaccount_name", meaning: () => l10n.t("Subaccount name is not acceptable.") },
  { code: 12003, name: "login_over_limit", meaning: () => l10n.t("Too many failed logins.") },
  { code: 12004, name: "registration_over_limit", meaning: () => l10n.t("Too many registration attempts.") },
  {
    code: 12005,
    name: "country_is_banned",
    meaning: () => l10n.t("Access from this country (possibly judged by IP) is barred."),
  },
  { code: 12100, name: "transfer_not_allowed", meaning: () => l10n.t("Transfer is refused, e.g. wrong direction.") },
  {
    code: 12998,
    name: "security_key_authorization_over_limit",
    meaning: () => l10n.t("Too many failed second-factor attempts; data carries wait (seconds)."),
  },
  { code: 13004, name: "invalid_credentials", meaning: () => l10n.t("Client id / secret (or login) not accepted.") },
  { code: 13005, name: "pwd_match_error", meaning: () => l10n.t("Password confirmation does not match.") },
  { code: 13006, name: "security_error", meaning: () => l10n.t("Wrong security code.") },
  { code: 13007, name: "user_not_found", meaning: () => l10n.t("User's security code was changed or is wrong.") },
  { code: 13008, name: "request_failed", meaning: () => l10n.t("Failed because of bad input or an internal fault.") },
  {
    code: 13009,
    name: "unauthorized",
    meaning: () =>
      l10n.t(
        "Token wrong or expired, or signature bad; typical when a connection-scoped token is used on another connection.",
      ),
  },
  { code: 13010, name: "value_required", meaning: () => l10n.t("A required value is missing.") },
  { code: 13011, name: "value_too_short", meaning: () => l10n.t("A value is too short.") },
  { code: 13012, name: "unavailable_in_subaccount", meaning: () => l10n.t("Not available to a subaccount.") },
  { code: 13013, name: "invalid_phone_number", meaning: () => l10n.t("Phone number unsupported or wrong.") },
  { code: 13014, name: "cannot_send_sms", meaning: () => l10n.t("SMS could not be delivered.") },
  { code: 13015, name: "invalid_sms_code", meaning: () => l10n.t("SMS code is wrong.") },
  { code: 13016, name: "invalid_input", meaning: () => l10n.t("Input is invalid.") },
  {
    code: 13018,
    name: "invalid_content_type",
    meaning: () => l10n.t("Content-Type of the HTTP request is not accepted."),
  },
  { code: 13019, name: "orderbook_closed", meaning: () => l10n.t("Order book closed or expired.") },
  { code: 13020, name: "not_found", meaning: () => l10n.t("Instrument does not exist.") },
  { code: 13021, name: "forbidden", meaning: () => l10n.t("Token lacks the permission (scope) for this call.") },
  {
    code: 13025,
    name: "method_switched_off_by_admin",
    meaning: () => l10n.t("Operator has disabled the method for now."),
  },
  { code: 13028, name: "temporarily_unavailable", meaning: () => l10n.t("Backing service is down or too slow.") },
  {
    code: 13030,
    name: "mmp_trigger",
    meaning: () => l10n.t("Order refused because market maker protection is triggered."),
  },
  { code: 13031, name: "verification_required", meaning: () => l10n.t("Only verified users may call this.") },
  { code: 13032, name: "non_unique_order_label", meaning: () => l10n.t("Label matches more than one order.") },
  {
    code: 13034,
    name: "no_more_security_keys_allowed",
    meaning: () => l10n.t("Maximum number of security keys/tokens reached."),
  },
  {
    code: 13035,
    name: "active_combo_limit_reached",
    meaning: () => l10n.t("Too many active combo books; wait before retrying."),
  },
  {
    code: 13036,
    name: "unavailable_for_combo_books",
    meaning: () => l10n.t("Not available for combo books at the moment."),
  },
  {
    code: 13037,
    name: "incomplete_KYC_data",
    meaning: () => l10n.t("KYC data is not sufficient for an external provider."),
  },
  { code: 13040, name: "mmp_required", meaning: () => l10n.t("User is not set up for market maker protection.") },
  {
    code: 13042,
    name: "cod_not_enabled",
    meaning: () => l10n.t("Cancel-on-disconnect is not active on this connection."),
  },
  { code: 13043, name: "quotes_frozen", meaning: () => l10n.t("Quoting is still frozen after an earlier cancel.") },
  {
    code: 13403,
    name: "scope_exceeded",
    meaning: () => l10n.t("API-key operation touches a key whose scopes go beyond those of the calling token."),
  },
  { code: 13503, name: "unavailable", meaning: () => l10n.t("Method is currently unavailable.") },
  {
    code: 13666,
    name: "request_cancelled_by_user",
    meaning: () => l10n.t("The queued request was withdrawn by another request of the same user."),
  },
  {
    code: 13668,
    name: "security_key_authorization_error",
    meaning: () => l10n.t("Second-factor confirmation failed or is missing; data.reason says why."),
  },
  { code: 13777, name: "replaced", meaning: () => l10n.t("The edit was superseded by a newer edit.") },
  {
    code: 13778,
    name: "raw_subscriptions_not_available_for_unauthorized",
    meaning: () => l10n.t("raw channels need an authenticated connection."),
  },
  {
    code: 13780,
    name: "move_positions_over_limit",
    meaning: () => l10n.t("Allowance for moving positions used up; data carries wait (seconds)."),
  },
  { code: 13781, name: "coupon_already_used", meaning: () => l10n.t("Coupon was used already.") },
  { code: 13791, name: "KYC_transfer_already_initiated", meaning: () => l10n.t("KYC sharing was started already.") },
  {
    code: 13792,
    name: "incomplete_KYC_data",
    meaning: () => l10n.t("KYC data on the platform is not sufficient for the third party."),
  },
  { code: 13793, name: "KYC_data_inaccessible", meaning: () => l10n.t("KYC data cannot be read now; try later.") },
  { code: 13888, name: "timed_out", meaning: () => l10n.t("Request reached the book after its valid_until time.") },
  { code: 13901, name: "no_more_oto_orders", meaning: () => l10n.t("Cap on open one-triggers-other orders reached.") },
  {
    code: 13902,
    name: "mass_quotes_disabled",
    meaning: () => l10n.t("Mass quoting is off for this user and currency."),
  },
  { code: 13903, name: "too_many_quotes", meaning: () => l10n.t("Mass-quote rate per second exceeded.") },
  {
    code: 13904,
    name: "security_key_setup_required",
    meaning: () => l10n.t("Account must finish setting up a security key (2FA) first."),
  },
  { code: 13905, name: "too_many_quotes_per_block_rfq", meaning: () => l10n.t("Too many quotes on one Block RFQ.") },
  {
    code: 13906,
    name: "too_many_quotes_per_block_rfq_side",
    meaning: () => l10n.t("Too many quotes on one side of a Block RFQ."),
  },
  {
    code: 13907,
    name: "not_fully_filled",
    meaning: () => l10n.t("Available quotes cannot fill the Block RFQ completely."),
  },
  {
    code: 13907,
    name: "too_many_open_block_rfqs",
    meaning: () => l10n.t("Taker has reached the cap on open Block RFQs."),
  },
  { code: 13910, name: "quote_crossed", meaning: () => l10n.t("Quote crosses another quote of the same maker.") },
  { code: 13911, name: "max_broker_client_count", meaning: () => l10n.t("Broker has reached the cap on clients.") },
  {
    code: 13912,
    name: "broker_cannot_be_client",
    meaning: () => l10n.t("A broker account cannot be another broker's client."),
  },
  { code: 13913, name: "broker_already_linked", meaning: () => l10n.t("User is already linked to this broker.") },
  { code: 13914, name: "user_is_a_broker_client", meaning: () => l10n.t("User is a client of a broker.") },
  { code: 13915, name: "user_is_not_a_broker", meaning: () => l10n.t("Account is not a broker account.") },
  { code: 13916, name: "app_registered_to_broker", meaning: () => l10n.t("Application belongs to a broker.") },
  {
    code: 13917,
    name: "account_quote_limit_crossed",
    meaning: () => l10n.t("Account's Block RFQ quote limits exceeded."),
  },
  {
    code: 13918,
    name: "inverse_future_cross_trading",
    meaning: () => l10n.t("Quote would cross-trade inverse futures under the account's Block RFQ limits."),
  },
  {
    code: 13919,
    name: "client_of_main_account",
    meaning: () => l10n.t("A broker's own subaccount cannot be linked to it as a client."),
  },
];
