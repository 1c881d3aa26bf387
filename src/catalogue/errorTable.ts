import * as l10n from "../base/l10n.ts";
import type { Plain } from "../base/plain.ts";
import type { Effect } from "./method.ts";

/**
 * What an error response proves about the change that it answers.
 *
 * - `refused`: nothing was made;
 * - `requestRefused`: this request was refused, which says nothing about its object or about other requests in flight;
 * - `unknown`: nothing is proved.
 */
export type ErrorVerdict = "refused" | "requestRefused" | "unknown";

/** The evidence for a verdict, and its limits. */
interface Proof {
  readonly verdict: ErrorVerdict;
  /** The effects of the calls for which the source says so. For a call of another effect, nothing is proved. */
  readonly effects: readonly Effect[];
  /** The server that sends the error. Omitted for one that every server may send. */
  readonly server?: "gateway" | "routedSpot" | "replay";
  /** The parameter without which the request may have been carried out all the same. */
  readonly needs?: "valid_until";
  /** Whether the error, without the ID of a request, leaves everything in flight unknown. */
  readonly endsAllWithoutId?: true;
  /** Returns a sentence: what else can have changed. */
  readonly alsoChanged?: () => Plain;
  readonly source: ErrorSource;
}

/** The page that says what an error means. `none`: none says what was done before it. */
export type ErrorSource =
  | "errors"
  | "orders"
  | "releases"
  | "securityKeys"
  | "connections"
  | "routedSpot"
  | "isolated"
  | "olderDocumentation"
  | "tradingRpc"
  | "none";

/** An error of the exchange. */
export interface ErrorRow extends Proof {
  readonly code: number;
  /** The message's first word as the exchange sends it; some messages carry a value after it. */
  readonly name: string;
  /** A sentence, made when it is read, because the language is known only then. */
  readonly meaning: () => Plain;
}

/**
 * Every effect that names its object. Requests for many objects have none of them: part of them may have been made, so
 * no error proves anything until the objects are read.
 */
export const EVERY_EFFECT: readonly Effect[] = ["reduce", "write", "key", "money", "session"];
const ORDER: readonly Effect[] = ["reduce", "write"];

const REFUSED: Proof = { verdict: "refused", effects: EVERY_EFFECT, source: "errors" };
const SECOND_FACTOR: Proof = { ...REFUSED, source: "securityKeys" };
const LOCK_REFUSED: Proof = { ...REFUSED, source: "orders" };
const LEGACY: Proof = { ...REFUSED, source: "olderDocumentation" };
/** A refusal that, without an ID, is about the connection: it is about to end. */
const CLOSING: Proof = { ...REFUSED, endsAllWithoutId: true, source: "connections" };
const LIMITED: Proof = { ...CLOSING, verdict: "requestRefused" };
const NOT_RECORDED: Proof = { ...REFUSED, server: "replay", source: "tradingRpc" };

/** A refusal of an order, a quote, or a combo: because of its terms, the state of the book, or what the account has. */
const ORDER_REFUSED: Proof = { ...REFUSED, effects: ORDER };
const LEGACY_ORDER: Proof = { ...ORDER_REFUSED, source: "olderDocumentation" };
const SPOT_REFUSED: Proof = { ...ORDER_REFUSED, server: "routedSpot", source: "routedSpot" };
const ISOLATED_REFUSED: Proof = { ...ORDER_REFUSED, server: "gateway", source: "isolated" };
/** A quote's order, an order of another account, and one of isolated margin look the same as an order that is gone. */
const ONE_REQUEST: Proof = {
  ...ORDER_REFUSED,
  verdict: "requestRefused",
  alsoChanged: () => l10n.t("Nothing. The order may still be open: it can belong to a quote or to another account."),
};
const POST_ONLY_REFUSED: Proof = {
  ...ORDER_REFUSED,
  verdict: "requestRefused",
  source: "releases",
  alsoChanged: () => l10n.t("An order that an edit with reject_post_only would have made trade is cancelled."),
};
const BEFORE_DEADLINE: Proof = { ...ORDER_REFUSED, needs: "valid_until" };

const FUNDS_REFUSED: Proof = { ...REFUSED, effects: ["write", "money"] };
const WALLET_REFUSED: Proof = { ...REFUSED, effects: ["reduce", "write", "money"] };
const WALLET_ONE_REQUEST: Proof = { ...WALLET_REFUSED, verdict: "requestRefused" };

const UNPROVED: Proof = { verdict: "unknown", effects: [], source: "none" };

/**
 * The exchange's errors by what they prove, under code and name, with their meaning. A code can stand twice: then the
 * message says which it is. A code that is not here proves nothing.
 * https://docs.deribit.com/articles/errors, the pages on security keys, order management and spot trading venues, the
 * release notes, and JSON-RPC 2.0.
 */
const ERRORS: readonly ErrorRow[] = [
  ...rowsOf(REFUSED, {
    "-32000 Missing params": () => l10n.t("The params object or a required parameter is missing."),
    "-32601 Method not found": () => l10n.t("Unknown method name."),
    "-32602 Invalid params": () =>
      l10n.t("The parameters failed validation. The error's data usually has reason and param."),
    "-32700 Parse error": () => l10n.t("The request is not valid JSON."),
    "10000 authorization_required": () =>
      l10n.t("The caller is not authenticated: the signature or token is missing, or the signature is invalid."),
    "10019 locked_by_admin": () => l10n.t("The operator has temporarily suspended trading."),
    "10030 must_be_websocket_request": () => l10n.t("Method works over WebSocket only but was called over HTTP."),
    "10033 not_implemented": () => l10n.t("Method exists but is not implemented."),
    "10040 retry": () => l10n.t("The server can't accept the request now and asks the client to send it again."),
    "10041 settlement_in_progress": () => l10n.t("Daily settlement is in progress. Trading pauses for a few seconds."),
    "10047 matching_engine_queue_full": () =>
      l10n.t("Too many of this user's matching-engine requests are already pending."),
    "10048 not_on_this_server": () => l10n.t("This server doesn't support the operation."),
    "10049 cancel_on_disconnect_failed": () =>
      l10n.t("Cancel-on-disconnect (COD) could not be enabled for the connection."),
    "10066 too_many_concurrent_requests": () => l10n.t("Too many public requests of the client are still pending."),
    "11029 invalid_arguments": () => l10n.t("Input failed validation."),
    "11042 permission_denied": () => l10n.t("The caller is not allowed to perform this operation."),
    "11043 bad_argument": () => l10n.t("A parameter is invalid."),
    "11045 invalid_event": () => l10n.t("Unknown event name."),
    "11047 unsupported_arg_combination": () => l10n.t("These parameters can't be used together."),
    "11049 bad_arguments": () => l10n.t("Several parameters are invalid."),
    "11050 bad_request": () => l10n.t("Request could not be parsed."),
    "11056 unauthenticated_public_requests_temporarily_disabled": () =>
      l10n.t("Public calls without authentication are temporarily disabled."),
    "11098 account_locked": () => l10n.t("The account is locked."),
    "12001 too_many_subaccounts": () => l10n.t("The maximum number of subaccounts is reached."),
    "12002 wrong_subaccount_name": () => l10n.t("Subaccount name is invalid."),
    "12003 login_over_limit": () => l10n.t("Too many failed logins."),
    "12004 registration_over_limit": () => l10n.t("Too many registration attempts."),
    "12005 country_is_banned": () => l10n.t("Access from this country is blocked (possibly based on the IP address)."),
    "12998 security_key_authorization_over_limit": () =>
      l10n.t("Too many failed 2FA attempts. The error's data has wait (in seconds)."),
    "13004 invalid_credentials": () => l10n.t("The client ID or client secret (or login) was not accepted."),
    "13005 pwd_match_error": () => l10n.t("Password confirmation does not match."),
    "13006 security_error": () => l10n.t("Wrong security code."),
    "13007 user_not_found": () => l10n.t("User's security code was changed or is wrong."),
    "13009 unauthorized": () =>
      l10n.t(
        "The token or signature is invalid, or the token has expired. Typical when a connection-scoped token is used on another connection.",
      ),
    "13010 value_required": () => l10n.t("A required value is missing."),
    "13011 value_too_short": () => l10n.t("A value is too short."),
    "13012 unavailable_in_subaccount": () => l10n.t("Not available for subaccounts."),
    "13013 invalid_phone_number": () => l10n.t("Phone number is unsupported or invalid."),
    "13015 invalid_sms_code": () => l10n.t("SMS code is wrong."),
    "13016 invalid_input": () => l10n.t("Input is invalid."),
    "13018 invalid_content_type": () => l10n.t("Content-Type of the HTTP request is not accepted."),
    "13020 not_found": () =>
      l10n.t("The object that the request names, such as an instrument or an API key, does not exist."),
    "13021 forbidden": () => l10n.t("The access token doesn't have the scope for this call."),
    "13025 method_switched_off_by_admin": () => l10n.t("The operator has temporarily disabled the method."),
    "13031 verification_required": () => l10n.t("Only verified users can call this method."),
    "13034 no_more_security_keys_allowed": () => l10n.t("Maximum number of security keys/tokens reached."),
    "13037 incomplete_KYC_data": () => l10n.t("KYC data is not sufficient for an external provider."),
    "13403 scope_exceeded": () => l10n.t("The API key to be changed has a scope beyond that of the calling token."),
    "13503 unavailable": () => l10n.t("Method is currently unavailable."),
    "13666 request_cancelled_by_user": () =>
      l10n.t("The queued request was cancelled by another request of the same user."),
    "13778 raw_subscriptions_not_available_for_unauthorized": () =>
      l10n.t("raw channels need an authenticated connection."),
    "13781 coupon_already_used": () => l10n.t("The coupon has already been used."),
    "13791 KYC_transfer_already_initiated": () => l10n.t("KYC sharing has already been started."),
    "13792 incomplete_KYC_data": () => l10n.t("KYC data on the platform is not sufficient for the third party."),
    "13911 max_broker_client_count": () => l10n.t("Broker has reached the cap on clients."),
    "13912 broker_cannot_be_client": () => l10n.t("A broker account cannot be another broker's client."),
    "13913 broker_already_linked": () => l10n.t("User is already linked to this broker."),
    "13914 user_is_a_broker_client": () => l10n.t("User is a client of a broker."),
    "13915 user_is_not_a_broker": () => l10n.t("Account is not a broker account."),
    "13916 app_registered_to_broker": () => l10n.t("Application belongs to a broker."),
    "13919 client_of_main_account": () => l10n.t("A broker's own subaccount cannot be linked to it as a client."),
  }),
  ...rowsOf(NOT_RECORDED, {
    "-32001 not_in_recording": () => l10n.t("The recording that is replayed has no response to this request."),
  }),
  ...rowsOf(CLOSING, {
    "-32600 request entity too large": () =>
      l10n.t("The POST body or a WebSocket frame is over 32 kB (JSON-RPC calls this code Invalid Request)."),
    "11051 system_maintenance": () => l10n.t("Platform is in maintenance mode."),
  }),
  ...rowsOf(UNPROVED, {
    "-32603 Internal error": () => l10n.t("The server failed while handling the request."),
    "10001 error": () => l10n.t("Unspecified failure. The server gives no details."),
    "11031 other_error": () => l10n.t("Uncommon error. Details may be appended to the message."),
    "11052 subscribe_error_unsubscribed": () =>
      l10n.t("Subscribing failed. Channels may also be dropped silently, so compare the returned list."),
    "11094 internal_server_error": () => l10n.t("Unhandled server-side failure."),
    "13008 request_failed": () => l10n.t("Failed because of invalid input or an internal error."),
    "13014 cannot_send_sms": () => l10n.t("SMS could not be delivered."),
    "13017 subscription_failed": () => l10n.t("The subscription failed because of its parameters."),
    "13028 temporarily_unavailable": () => l10n.t("A backend service is down or too slow."),
    "13793 KYC_data_inaccessible": () => l10n.t("KYC data can't be read right now. Try again later."),
    "13907 not_fully_filled": () => l10n.t("Available quotes cannot fill the Block RFQ completely."),
  }),
  ...rowsOf(LEGACY, {
    "9999 api_not_enabled": () => l10n.t("The API is not enabled for the account."),
    "12000 bad_tfa": () => l10n.t("The 2FA code is wrong."),
    "12999 tfa_used": () => l10n.t("The 2FA code was used before."),
    "13000 invalid_login": () => l10n.t("The login name is not allowed."),
    "13001 account_not_activated": () => l10n.t("The account is not activated."),
    "13002 account_blocked": () => l10n.t("The operator has blocked the account."),
    "13003 tfa_required": () => l10n.t("A 2FA code is required."),
  }),
  ...rowsOf(ORDER_REFUSED, {
    "10002 qty_too_low": () => l10n.t("Order size is below the permitted minimum."),
    "10003 order_overlap": () =>
      l10n.t("Order would trade against the caller's own resting order while self-trading is off."),
    "10005 price_too_low": () => l10n.t("Price is below the current minimum, which is appended to the message."),
    "10006 price_too_low4idx": () =>
      l10n.t("Price is below the minimum derived from the current index. The minimum is appended to the message."),
    "10007 price_too_high": () => l10n.t("Price is above the current maximum, which is appended to the message."),
    "10010 already_closed": () => l10n.t("The target order is already in a final state."),
    "10011 price_not_allowed": () => l10n.t("The price was refused because of another rule."),
    "10012 book_closed": () => l10n.t("The order book of this instrument is closed."),
    "10013 pme_max_total_open_orders": () =>
      l10n.t("Portfolio-margin account: cap on the number of open orders reached."),
    "10014 pme_max_future_open_orders": () =>
      l10n.t("Portfolio-margin account: cap on the number of open futures orders reached."),
    "10015 pme_max_option_open_orders": () =>
      l10n.t("Portfolio-margin account: cap on the number of open option orders reached."),
    "10016 pme_max_future_open_orders_size": () =>
      l10n.t("Portfolio-margin account: cap on the total size of open futures orders reached."),
    "10017 pme_max_option_open_orders_size": () =>
      l10n.t("Portfolio-margin account: cap on the total size of open option orders reached."),
    "10018 non_pme_max_future_position_size": () =>
      l10n.t("Standard-margin account: futures position size cap reached."),
    "10020 invalid_or_unsupported_instrument": () => l10n.t("Unknown or unsupported instrument name."),
    "10021 invalid_amount": () => l10n.t("Amount is invalid."),
    "10022 invalid_quantity": () => l10n.t("Quantity could not be read as a number (API v1 wording)."),
    "10023 invalid_price": () => l10n.t("Price could not be read as a number."),
    "10024 invalid_max_show": () => l10n.t("max_show could not be read as a number."),
    "10025 invalid_order_id": () => l10n.t("Order ID is missing or its format is not recognized."),
    "10026 price_precision_exceeded": () => l10n.t("Price has more decimals than supported."),
    "10027 non_integer_contract_amount": () => l10n.t("Futures size is not a whole number of contracts."),
    "10031 invalid_args_for_instrument": () => l10n.t("A parameter is not valid for this instrument."),
    "10032 whole_cost_too_low": () => l10n.t("Total value of the order is too small."),
    "10034 trigger_price_too_high": () => l10n.t("Trigger price is too high."),
    "10035 trigger_price_too_low": () => l10n.t("Trigger price is too low."),
    "10036 invalid_max_show_amount": () => l10n.t("The visible amount (max_show) is invalid."),
    "10037 non_pme_total_short_options_positions_size": () =>
      l10n.t("Standard-margin account: cap on total short option size reached."),
    "10038 pme_max_risk_reducing_orders": () =>
      l10n.t("Portfolio-margin account: cap on open risk-reducing orders reached."),
    "10039 not_enough_funds_in_currency": () =>
      l10n.t(
        "The spot reserve in that currency is too small, or an option order would harm a cross-standard-margin user's non-cross balance.",
      ),
    "10043 price_wrong_tick": () => l10n.t("Price is not a multiple of the tick size."),
    "10044 trigger_price_wrong_tick": () => l10n.t("Trigger price is not a multiple of the tick size."),
    "10045 can_not_cancel_liquidation_order": () => l10n.t("Orders created by liquidation cannot be cancelled."),
    "10046 can_not_edit_liquidation_order": () => l10n.t("Orders created by liquidation cannot be edited."),
    "10072 disabled_while_position_lock": () =>
      l10n.t("Spot trading is disabled while the account is restricted to reduce-only."),
    "11008 already_filled": () => l10n.t("Not possible because the order is already filled."),
    "11013 max_spot_open_orders": () => l10n.t("Cap on open spot orders reached."),
    "11021 post_only_price_modification_not_possible": () =>
      l10n.t("A post-only order's price cannot be changed that way."),
    "11022 max_spot_order_quantity": () => l10n.t("Per-currency size cap for spot orders reached."),
    "11030 other_reject": () => l10n.t("Uncommon rejection. The reason may be appended to the message."),
    "11035 no_more_triggers": () => l10n.t("Cap on trigger orders reached."),
    "11036 invalid_trigger_price": () =>
      l10n.t("Trigger price is out of range relative to the last, index, or mark price."),
    "11037 outdated_instrument_for_IV_order": () => l10n.t("Instrument no longer accepts implied-volatility orders."),
    "11038 no_adv_for_futures": () => l10n.t("Advanced order types are not supported for futures."),
    "11039 no_adv_postonly": () => l10n.t("Advanced orders cannot be post-only."),
    "11041 not_adv_order": () => l10n.t("The request has advanced properties, but the order is not advanced."),
    "11044 not_open_order": () => l10n.t("Operation needs an open order, but the order is not open."),
    "11046 outdated_instrument": () => l10n.t("Too close to expiry for implied-volatility orders."),
    "11048 wrong_max_show_for_option": () => l10n.t("Visible amount is invalid for an option."),
    "11055 post_only_not_allowed": () => l10n.t("Post-only cannot be combined with this order type."),
    "13019 orderbook_closed": () => l10n.t("Order book closed or expired."),
    "13030 mmp_trigger": () => l10n.t("Order refused because market maker protection (MMP) is triggered."),
    "13032 non_unique_order_label": () => l10n.t("Label matches more than one order."),
    "13035 active_combo_limit_reached": () => l10n.t("Too many active combo books. Wait before you try again."),
    "13036 unavailable_for_combo_books": () => l10n.t("Not available for combo books at the moment."),
    "13040 mmp_required": () => l10n.t("User is not set up for market maker protection (MMP)."),
    "13042 cod_not_enabled": () => l10n.t("Cancel-on-disconnect (COD) is not enabled on this connection."),
    "13043 quotes_frozen": () => l10n.t("Quoting is still frozen after an earlier cancel."),
    "13777 replaced": () => l10n.t("The edit was superseded by a newer edit."),
    "13901 no_more_oto_orders": () => l10n.t("Cap on open one-triggers-other orders reached."),
    "13902 mass_quotes_disabled": () => l10n.t("Mass quoting is disabled for this user and currency."),
    "13903 too_many_quotes": () => l10n.t("Mass-quote rate per second exceeded."),
    "13905 too_many_quotes_per_block_rfq": () => l10n.t("Too many quotes on one Block RFQ."),
    "13906 too_many_quotes_per_block_rfq_side": () => l10n.t("Too many quotes on one side of a Block RFQ."),
    "13907 too_many_open_block_rfqs": () => l10n.t("Taker has reached the cap on open Block RFQs."),
    "13910 quote_crossed": () => l10n.t("Quote crosses another quote of the same maker."),
    "13917 account_quote_limit_crossed": () => l10n.t("Account's Block RFQ quote limits exceeded."),
    "13918 inverse_future_cross_trading": () =>
      l10n.t("Quote would cross-trade inverse futures under the account's Block RFQ limits."),
  }),
  ...rowsOf(ONE_REQUEST, {
    "10004 order_not_found": () => l10n.t("No order matches the given ID or label."),
    "10029 not_owner_of_order": () => l10n.t("The order belongs to another account."),
  }),
  ...rowsOf(LEGACY_ORDER, {
    "10008 price_too_high4idx": () =>
      l10n.t("Price is above the maximum derived from the current index. The maximum is appended to the message."),
  }),
  ...rowsOf(FUNDS_REFUSED, {
    "10009 not_enough_funds": () => l10n.t("Available balance or margin does not cover the operation."),
  }),
  ...rowsOf(LIMITED, {
    "10028 too_many_requests": () =>
      l10n.t("Rate-limit credits are used up. The connection may be closed right after this response."),
  }),
  ...rowsOf(LOCK_REFUSED, {
    "10050 lock_time_exceeded": () => l10n.t("The request waited more than five seconds for the portfolio lock."),
  }),
  ...rowsOf(WALLET_ONE_REQUEST, {
    "11053 transfer_not_found": () => l10n.t("No such transfer."),
  }),
  ...rowsOf(POST_ONLY_REFUSED, {
    "11054 post_only_reject": () => l10n.t("Order would take liquidity and the reject_post_only flag was set."),
  }),
  ...rowsOf(SPOT_REFUSED, {
    "11059 iceberg_not_allowed": () =>
      l10n.t("Iceberg orders are not available for spot that is routed to another exchange."),
    "11060 not_supported_for_coinbase_routed_spot": () =>
      l10n.t(
        "Spot that is routed to another exchange doesn't have this order type, time in force, trigger, or trade data.",
      ),
    "13922 linked_order_type_not_supported_for_csr_spot": () =>
      l10n.t("Linked orders are not available for spot that is routed to another exchange."),
  }),
  ...rowsOf(WALLET_REFUSED, {
    "11090 invalid_addr": () => l10n.t("Address is invalid."),
    "11091 invalid_transfer_address": () => l10n.t("Transfer address is invalid."),
    "11092 address_already_exist": () => l10n.t("Address is already registered."),
    "11093 max_addr_count_exceeded": () => l10n.t("The maximum number of addresses is reached."),
    "11095 disabled_deposit_address_creation": () => l10n.t("Operator has disabled creation of deposit addresses."),
    "11096 address_belongs_to_user": () =>
      l10n.t("The address belongs to the same user. Use a transfer instead of a withdrawal."),
    "11097 no_deposit_address": () => l10n.t("A deposit address is missing."),
    "12100 transfer_not_allowed": () => l10n.t("The transfer was refused, for example because of a wrong direction."),
    "13780 move_positions_over_limit": () =>
      l10n.t("The limit for moving positions is reached. The error's data has wait (in seconds)."),
  }),
  ...rowsOf(SECOND_FACTOR, {
    "13668 security_key_authorization_error": () =>
      l10n.t("The 2FA confirmation failed or is missing. The reason is in data.reason."),
    "13904 security_key_setup_required": () => l10n.t("Account must finish setting up a security key (2FA) first."),
  }),
  ...rowsOf(BEFORE_DEADLINE, {
    "13888 timed_out": () => l10n.t("Request reached the book after its valid_until time."),
  }),
  ...rowsOf(ISOLATED_REFUSED, {
    "14020 only_for_retail_brokers": () =>
      l10n.t("The request names an isolated margin subaccount. Only the main account can send it."),
    "14033 isolated_allocated_too_low": () =>
      l10n.t(
        "The margin allocated to the isolated order is below the minimum. The minimum is in data.required_minimum.",
      ),
    "14034 insufficient_cleared_balance": () =>
      l10n.t("The main account lacks cleared balance for the isolated order."),
  }),
];

function rowsOf(proof: Proof, errors: Readonly<Record<string, () => Plain>>): ErrorRow[] {
  return Object.entries(errors).map(([error, meaning]) => {
    const [code = ""] = error.split(" ", 1);
    return { ...proof, code: Number(code), name: error.slice(code.length + 1), meaning };
  });
}

/** The errors by their codes, those of JSON-RPC first. */
export const ERROR_ROWS: readonly ErrorRow[] = [...ERRORS].sort(
  (one, other) => Number(one.code > 0) - Number(other.code > 0) || Math.abs(one.code) - Math.abs(other.code),
);
