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
 * The exchange's codes, under code and name, the JSON-RPC ones first: what each proves, and its meaning. A code can
 * stand twice: then the message says which it is. A code that is not here proves nothing.
 * https://docs.deribit.com/articles/errors, the pages on security keys, order management and spot trading venues, the
 * release notes, and JSON-RPC 2.0.
 */
const ERRORS: Readonly<Record<string, readonly [Proof, () => Plain]>> = {
  "-32000 Missing params": [REFUSED, () => l10n.t("The params object or a required parameter is missing.")],
  "-32001 not_in_recording": [
    NOT_RECORDED,
    () => l10n.t("The recording that is replayed has no response to this request."),
  ],
  "-32600 request entity too large": [
    CLOSING,
    () => l10n.t("The POST body or a WebSocket frame is over 32 kB (JSON-RPC calls this code Invalid Request)."),
  ],
  "-32601 Method not found": [REFUSED, () => l10n.t("Unknown method name.")],
  "-32602 Invalid params": [
    REFUSED,
    () => l10n.t("The parameters failed validation. The error's data usually has reason and param."),
  ],
  "-32603 Internal error": [UNPROVED, () => l10n.t("The server failed while handling the request.")],
  "-32700 Parse error": [REFUSED, () => l10n.t("The request is not valid JSON.")],
  "9999 api_not_enabled": [LEGACY, () => l10n.t("The API is not enabled for the account.")],
  "10000 authorization_required": [
    REFUSED,
    () => l10n.t("The caller is not authenticated: the signature or token is missing, or the signature is invalid."),
  ],
  "10001 error": [UNPROVED, () => l10n.t("Unspecified failure. The server gives no details.")],
  "10002 qty_too_low": [ORDER_REFUSED, () => l10n.t("Order size is below the permitted minimum.")],
  "10003 order_overlap": [
    ORDER_REFUSED,
    () => l10n.t("Order would trade against the caller's own resting order while self-trading is off."),
  ],
  "10004 order_not_found": [ONE_REQUEST, () => l10n.t("No order matches the given ID or label.")],
  "10005 price_too_low": [
    ORDER_REFUSED,
    () => l10n.t("Price is below the current minimum, which is appended to the message."),
  ],
  "10006 price_too_low4idx": [
    ORDER_REFUSED,
    () => l10n.t("Price is below the minimum derived from the current index. The minimum is appended to the message."),
  ],
  "10007 price_too_high": [
    ORDER_REFUSED,
    () => l10n.t("Price is above the current maximum, which is appended to the message."),
  ],
  "10008 price_too_high4idx": [
    LEGACY_ORDER,
    () => l10n.t("Price is above the maximum derived from the current index. The maximum is appended to the message."),
  ],
  "10009 not_enough_funds": [FUNDS_REFUSED, () => l10n.t("Available balance or margin does not cover the operation.")],
  "10010 already_closed": [ORDER_REFUSED, () => l10n.t("The target order is already in a final state.")],
  "10011 price_not_allowed": [ORDER_REFUSED, () => l10n.t("The price was refused because of another rule.")],
  "10012 book_closed": [ORDER_REFUSED, () => l10n.t("The order book of this instrument is closed.")],
  "10013 pme_max_total_open_orders": [
    ORDER_REFUSED,
    () => l10n.t("Portfolio-margin account: cap on the number of open orders reached."),
  ],
  "10014 pme_max_future_open_orders": [
    ORDER_REFUSED,
    () => l10n.t("Portfolio-margin account: cap on the number of open futures orders reached."),
  ],
  "10015 pme_max_option_open_orders": [
    ORDER_REFUSED,
    () => l10n.t("Portfolio-margin account: cap on the number of open option orders reached."),
  ],
  "10016 pme_max_future_open_orders_size": [
    ORDER_REFUSED,
    () => l10n.t("Portfolio-margin account: cap on the total size of open futures orders reached."),
  ],
  "10017 pme_max_option_open_orders_size": [
    ORDER_REFUSED,
    () => l10n.t("Portfolio-margin account: cap on the total size of open option orders reached."),
  ],
  "10018 non_pme_max_future_position_size": [
    ORDER_REFUSED,
    () => l10n.t("Standard-margin account: futures position size cap reached."),
  ],
  "10019 locked_by_admin": [REFUSED, () => l10n.t("The operator has temporarily suspended trading.")],
  "10020 invalid_or_unsupported_instrument": [ORDER_REFUSED, () => l10n.t("Unknown or unsupported instrument name.")],
  "10021 invalid_amount": [ORDER_REFUSED, () => l10n.t("Amount is invalid.")],
  "10022 invalid_quantity": [ORDER_REFUSED, () => l10n.t("Quantity could not be read as a number (API v1 wording).")],
  "10023 invalid_price": [ORDER_REFUSED, () => l10n.t("Price could not be read as a number.")],
  "10024 invalid_max_show": [ORDER_REFUSED, () => l10n.t("max_show could not be read as a number.")],
  "10025 invalid_order_id": [ORDER_REFUSED, () => l10n.t("Order ID is missing or its format is not recognized.")],
  "10026 price_precision_exceeded": [ORDER_REFUSED, () => l10n.t("Price has more decimals than supported.")],
  "10027 non_integer_contract_amount": [
    ORDER_REFUSED,
    () => l10n.t("Futures size is not a whole number of contracts."),
  ],
  "10028 too_many_requests": [
    LIMITED,
    () => l10n.t("Rate-limit credits are used up. The connection may be closed right after this response."),
  ],
  "10029 not_owner_of_order": [ONE_REQUEST, () => l10n.t("The order belongs to another account.")],
  "10030 must_be_websocket_request": [
    REFUSED,
    () => l10n.t("Method works over WebSocket only but was called over HTTP."),
  ],
  "10031 invalid_args_for_instrument": [ORDER_REFUSED, () => l10n.t("A parameter is not valid for this instrument.")],
  "10032 whole_cost_too_low": [ORDER_REFUSED, () => l10n.t("Total value of the order is too small.")],
  "10033 not_implemented": [REFUSED, () => l10n.t("Method exists but is not implemented.")],
  "10034 trigger_price_too_high": [ORDER_REFUSED, () => l10n.t("Trigger price is too high.")],
  "10035 trigger_price_too_low": [ORDER_REFUSED, () => l10n.t("Trigger price is too low.")],
  "10036 invalid_max_show_amount": [ORDER_REFUSED, () => l10n.t("The visible amount (max_show) is invalid.")],
  "10037 non_pme_total_short_options_positions_size": [
    ORDER_REFUSED,
    () => l10n.t("Standard-margin account: cap on total short option size reached."),
  ],
  "10038 pme_max_risk_reducing_orders": [
    ORDER_REFUSED,
    () => l10n.t("Portfolio-margin account: cap on open risk-reducing orders reached."),
  ],
  "10039 not_enough_funds_in_currency": [
    ORDER_REFUSED,
    () =>
      l10n.t(
        "The spot reserve in that currency is too small, or an option order would harm a cross-standard-margin user's non-cross balance.",
      ),
  ],
  "10040 retry": [
    REFUSED,
    () => l10n.t("The server can't accept the request now and asks the client to send it again."),
  ],
  "10041 settlement_in_progress": [
    REFUSED,
    () => l10n.t("Daily settlement is in progress. Trading pauses for a few seconds."),
  ],
  "10043 price_wrong_tick": [ORDER_REFUSED, () => l10n.t("Price is not a multiple of the tick size.")],
  "10044 trigger_price_wrong_tick": [ORDER_REFUSED, () => l10n.t("Trigger price is not a multiple of the tick size.")],
  "10045 can_not_cancel_liquidation_order": [
    ORDER_REFUSED,
    () => l10n.t("Orders created by liquidation cannot be cancelled."),
  ],
  "10046 can_not_edit_liquidation_order": [
    ORDER_REFUSED,
    () => l10n.t("Orders created by liquidation cannot be edited."),
  ],
  "10047 matching_engine_queue_full": [
    REFUSED,
    () => l10n.t("Too many of this user's matching-engine requests are already pending."),
  ],
  "10048 not_on_this_server": [REFUSED, () => l10n.t("This server doesn't support the operation.")],
  "10049 cancel_on_disconnect_failed": [
    REFUSED,
    () => l10n.t("Cancel-on-disconnect (COD) could not be enabled for the connection."),
  ],
  "10050 lock_time_exceeded": [
    LOCK_REFUSED,
    () => l10n.t("The request waited more than five seconds for the portfolio lock."),
  ],
  "10066 too_many_concurrent_requests": [
    REFUSED,
    () => l10n.t("Too many public requests of the client are still pending."),
  ],
  "10072 disabled_while_position_lock": [
    ORDER_REFUSED,
    () => l10n.t("Spot trading is disabled while the account is restricted to reduce-only."),
  ],
  "11008 already_filled": [ORDER_REFUSED, () => l10n.t("Not possible because the order is already filled.")],
  "11013 max_spot_open_orders": [ORDER_REFUSED, () => l10n.t("Cap on open spot orders reached.")],
  "11021 post_only_price_modification_not_possible": [
    ORDER_REFUSED,
    () => l10n.t("A post-only order's price cannot be changed that way."),
  ],
  "11022 max_spot_order_quantity": [ORDER_REFUSED, () => l10n.t("Per-currency size cap for spot orders reached.")],
  "11029 invalid_arguments": [REFUSED, () => l10n.t("Input failed validation.")],
  "11030 other_reject": [ORDER_REFUSED, () => l10n.t("Uncommon rejection. The reason may be appended to the message.")],
  "11031 other_error": [UNPROVED, () => l10n.t("Uncommon error. Details may be appended to the message.")],
  "11035 no_more_triggers": [ORDER_REFUSED, () => l10n.t("Cap on trigger orders reached.")],
  "11036 invalid_trigger_price": [
    ORDER_REFUSED,
    () => l10n.t("Trigger price is out of range relative to the last, index, or mark price."),
  ],
  "11037 outdated_instrument_for_IV_order": [
    ORDER_REFUSED,
    () => l10n.t("Instrument no longer accepts implied-volatility orders."),
  ],
  "11038 no_adv_for_futures": [ORDER_REFUSED, () => l10n.t("Advanced order types are not supported for futures.")],
  "11039 no_adv_postonly": [ORDER_REFUSED, () => l10n.t("Advanced orders cannot be post-only.")],
  "11041 not_adv_order": [
    ORDER_REFUSED,
    () => l10n.t("The request has advanced properties, but the order is not advanced."),
  ],
  "11042 permission_denied": [REFUSED, () => l10n.t("The caller is not allowed to perform this operation.")],
  "11043 bad_argument": [REFUSED, () => l10n.t("A parameter is invalid.")],
  "11044 not_open_order": [ORDER_REFUSED, () => l10n.t("Operation needs an open order, but the order is not open.")],
  "11045 invalid_event": [REFUSED, () => l10n.t("Unknown event name.")],
  "11046 outdated_instrument": [ORDER_REFUSED, () => l10n.t("Too close to expiry for implied-volatility orders.")],
  "11047 unsupported_arg_combination": [REFUSED, () => l10n.t("These parameters can't be used together.")],
  "11048 wrong_max_show_for_option": [ORDER_REFUSED, () => l10n.t("Visible amount is invalid for an option.")],
  "11049 bad_arguments": [REFUSED, () => l10n.t("Several parameters are invalid.")],
  "11050 bad_request": [REFUSED, () => l10n.t("Request could not be parsed.")],
  "11051 system_maintenance": [CLOSING, () => l10n.t("Platform is in maintenance mode.")],
  "11052 subscribe_error_unsubscribed": [
    UNPROVED,
    () => l10n.t("Subscribing failed. Channels may also be dropped silently, so compare the returned list."),
  ],
  "11053 transfer_not_found": [WALLET_ONE_REQUEST, () => l10n.t("No such transfer.")],
  "11054 post_only_reject": [
    POST_ONLY_REFUSED,
    () => l10n.t("Order would take liquidity and the reject_post_only flag was set."),
  ],
  "11055 post_only_not_allowed": [ORDER_REFUSED, () => l10n.t("Post-only cannot be combined with this order type.")],
  "11056 unauthenticated_public_requests_temporarily_disabled": [
    REFUSED,
    () => l10n.t("Public calls without authentication are temporarily disabled."),
  ],
  "11059 iceberg_not_allowed": [
    SPOT_REFUSED,
    () => l10n.t("Iceberg orders are not available for spot that is routed to another exchange."),
  ],
  "11060 not_supported_for_coinbase_routed_spot": [
    SPOT_REFUSED,
    () =>
      l10n.t(
        "Spot that is routed to another exchange doesn't have this order type, time in force, trigger, or trade data.",
      ),
  ],
  "11090 invalid_addr": [WALLET_REFUSED, () => l10n.t("Address is invalid.")],
  "11091 invalid_transfer_address": [WALLET_REFUSED, () => l10n.t("Transfer address is invalid.")],
  "11092 address_already_exist": [WALLET_REFUSED, () => l10n.t("Address is already registered.")],
  "11093 max_addr_count_exceeded": [WALLET_REFUSED, () => l10n.t("The maximum number of addresses is reached.")],
  "11094 internal_server_error": [UNPROVED, () => l10n.t("Unhandled server-side failure.")],
  "11095 disabled_deposit_address_creation": [
    WALLET_REFUSED,
    () => l10n.t("Operator has disabled creation of deposit addresses."),
  ],
  "11096 address_belongs_to_user": [
    WALLET_REFUSED,
    () => l10n.t("The address belongs to the same user. Use a transfer instead of a withdrawal."),
  ],
  "11097 no_deposit_address": [WALLET_REFUSED, () => l10n.t("A deposit address is missing.")],
  "11098 account_locked": [REFUSED, () => l10n.t("The account is locked.")],
  "12000 bad_tfa": [LEGACY, () => l10n.t("The 2FA code is wrong.")],
  "12001 too_many_subaccounts": [REFUSED, () => l10n.t("The maximum number of subaccounts is reached.")],
  "12002 wrong_subaccount_name": [REFUSED, () => l10n.t("Subaccount name is invalid.")],
  "12003 login_over_limit": [REFUSED, () => l10n.t("Too many failed logins.")],
  "12004 registration_over_limit": [REFUSED, () => l10n.t("Too many registration attempts.")],
  "12005 country_is_banned": [
    REFUSED,
    () => l10n.t("Access from this country is blocked (possibly based on the IP address)."),
  ],
  "12100 transfer_not_allowed": [
    WALLET_REFUSED,
    () => l10n.t("The transfer was refused, for example because of a wrong direction."),
  ],
  "12998 security_key_authorization_over_limit": [
    REFUSED,
    () => l10n.t("Too many failed 2FA attempts. The error's data has wait (in seconds)."),
  ],
  "12999 tfa_used": [LEGACY, () => l10n.t("The 2FA code was used before.")],
  "13000 invalid_login": [LEGACY, () => l10n.t("The login name is not allowed.")],
  "13001 account_not_activated": [LEGACY, () => l10n.t("The account is not activated.")],
  "13002 account_blocked": [LEGACY, () => l10n.t("The operator has blocked the account.")],
  "13003 tfa_required": [LEGACY, () => l10n.t("A 2FA code is required.")],
  "13004 invalid_credentials": [REFUSED, () => l10n.t("The client ID or client secret (or login) was not accepted.")],
  "13005 pwd_match_error": [REFUSED, () => l10n.t("Password confirmation does not match.")],
  "13006 security_error": [REFUSED, () => l10n.t("Wrong security code.")],
  "13007 user_not_found": [REFUSED, () => l10n.t("User's security code was changed or is wrong.")],
  "13008 request_failed": [UNPROVED, () => l10n.t("Failed because of invalid input or an internal error.")],
  "13009 unauthorized": [
    REFUSED,
    () =>
      l10n.t(
        "The token or signature is invalid, or the token has expired. Typical when a connection-scoped token is used on another connection.",
      ),
  ],
  "13010 value_required": [REFUSED, () => l10n.t("A required value is missing.")],
  "13011 value_too_short": [REFUSED, () => l10n.t("A value is too short.")],
  "13012 unavailable_in_subaccount": [REFUSED, () => l10n.t("Not available for subaccounts.")],
  "13013 invalid_phone_number": [REFUSED, () => l10n.t("Phone number is unsupported or invalid.")],
  "13014 cannot_send_sms": [UNPROVED, () => l10n.t("SMS could not be delivered.")],
  "13015 invalid_sms_code": [REFUSED, () => l10n.t("SMS code is wrong.")],
  "13016 invalid_input": [REFUSED, () => l10n.t("Input is invalid.")],
  "13017 subscription_failed": [UNPROVED, () => l10n.t("The subscription failed because of its parameters.")],
  "13018 invalid_content_type": [REFUSED, () => l10n.t("Content-Type of the HTTP request is not accepted.")],
  "13019 orderbook_closed": [ORDER_REFUSED, () => l10n.t("Order book closed or expired.")],
  "13020 not_found": [
    REFUSED,
    () => l10n.t("The object that the request names, such as an instrument or an API key, does not exist."),
  ],
  "13021 forbidden": [REFUSED, () => l10n.t("The access token doesn't have the scope for this call.")],
  "13025 method_switched_off_by_admin": [REFUSED, () => l10n.t("The operator has temporarily disabled the method.")],
  "13028 temporarily_unavailable": [UNPROVED, () => l10n.t("A backend service is down or too slow.")],
  "13030 mmp_trigger": [
    ORDER_REFUSED,
    () => l10n.t("Order refused because market maker protection (MMP) is triggered."),
  ],
  "13031 verification_required": [REFUSED, () => l10n.t("Only verified users can call this method.")],
  "13032 non_unique_order_label": [ORDER_REFUSED, () => l10n.t("Label matches more than one order.")],
  "13034 no_more_security_keys_allowed": [REFUSED, () => l10n.t("Maximum number of security keys/tokens reached.")],
  "13035 active_combo_limit_reached": [
    ORDER_REFUSED,
    () => l10n.t("Too many active combo books. Wait before you try again."),
  ],
  "13036 unavailable_for_combo_books": [ORDER_REFUSED, () => l10n.t("Not available for combo books at the moment.")],
  "13037 incomplete_KYC_data": [REFUSED, () => l10n.t("KYC data is not sufficient for an external provider.")],
  "13040 mmp_required": [ORDER_REFUSED, () => l10n.t("User is not set up for market maker protection (MMP).")],
  "13042 cod_not_enabled": [
    ORDER_REFUSED,
    () => l10n.t("Cancel-on-disconnect (COD) is not enabled on this connection."),
  ],
  "13043 quotes_frozen": [ORDER_REFUSED, () => l10n.t("Quoting is still frozen after an earlier cancel.")],
  "13403 scope_exceeded": [
    REFUSED,
    () => l10n.t("The API key to be changed has a scope beyond that of the calling token."),
  ],
  "13503 unavailable": [REFUSED, () => l10n.t("Method is currently unavailable.")],
  "13666 request_cancelled_by_user": [
    REFUSED,
    () => l10n.t("The queued request was cancelled by another request of the same user."),
  ],
  "13668 security_key_authorization_error": [
    SECOND_FACTOR,
    () => l10n.t("The 2FA confirmation failed or is missing. The reason is in data.reason."),
  ],
  "13777 replaced": [ORDER_REFUSED, () => l10n.t("The edit was superseded by a newer edit.")],
  "13778 raw_subscriptions_not_available_for_unauthorized": [
    REFUSED,
    () => l10n.t("raw channels need an authenticated connection."),
  ],
  "13780 move_positions_over_limit": [
    WALLET_REFUSED,
    () => l10n.t("The limit for moving positions is reached. The error's data has wait (in seconds)."),
  ],
  "13781 coupon_already_used": [REFUSED, () => l10n.t("The coupon has already been used.")],
  "13791 KYC_transfer_already_initiated": [REFUSED, () => l10n.t("KYC sharing has already been started.")],
  "13792 incomplete_KYC_data": [
    REFUSED,
    () => l10n.t("KYC data on the platform is not sufficient for the third party."),
  ],
  "13793 KYC_data_inaccessible": [UNPROVED, () => l10n.t("KYC data can't be read right now. Try again later.")],
  "13888 timed_out": [BEFORE_DEADLINE, () => l10n.t("Request reached the book after its valid_until time.")],
  "13901 no_more_oto_orders": [ORDER_REFUSED, () => l10n.t("Cap on open one-triggers-other orders reached.")],
  "13902 mass_quotes_disabled": [ORDER_REFUSED, () => l10n.t("Mass quoting is disabled for this user and currency.")],
  "13903 too_many_quotes": [ORDER_REFUSED, () => l10n.t("Mass-quote rate per second exceeded.")],
  "13904 security_key_setup_required": [
    SECOND_FACTOR,
    () => l10n.t("Account must finish setting up a security key (2FA) first."),
  ],
  "13905 too_many_quotes_per_block_rfq": [ORDER_REFUSED, () => l10n.t("Too many quotes on one Block RFQ.")],
  "13906 too_many_quotes_per_block_rfq_side": [
    ORDER_REFUSED,
    () => l10n.t("Too many quotes on one side of a Block RFQ."),
  ],
  "13907 not_fully_filled": [UNPROVED, () => l10n.t("Available quotes cannot fill the Block RFQ completely.")],
  "13907 too_many_open_block_rfqs": [ORDER_REFUSED, () => l10n.t("Taker has reached the cap on open Block RFQs.")],
  "13910 quote_crossed": [ORDER_REFUSED, () => l10n.t("Quote crosses another quote of the same maker.")],
  "13911 max_broker_client_count": [REFUSED, () => l10n.t("Broker has reached the cap on clients.")],
  "13912 broker_cannot_be_client": [REFUSED, () => l10n.t("A broker account cannot be another broker's client.")],
  "13913 broker_already_linked": [REFUSED, () => l10n.t("User is already linked to this broker.")],
  "13914 user_is_a_broker_client": [REFUSED, () => l10n.t("User is a client of a broker.")],
  "13915 user_is_not_a_broker": [REFUSED, () => l10n.t("Account is not a broker account.")],
  "13916 app_registered_to_broker": [REFUSED, () => l10n.t("Application belongs to a broker.")],
  "13917 account_quote_limit_crossed": [ORDER_REFUSED, () => l10n.t("Account's Block RFQ quote limits exceeded.")],
  "13918 inverse_future_cross_trading": [
    ORDER_REFUSED,
    () => l10n.t("Quote would cross-trade inverse futures under the account's Block RFQ limits."),
  ],
  "13919 client_of_main_account": [
    REFUSED,
    () => l10n.t("A broker's own subaccount cannot be linked to it as a client."),
  ],
  "13922 linked_order_type_not_supported_for_csr_spot": [
    SPOT_REFUSED,
    () => l10n.t("Linked orders are not available for spot that is routed to another exchange."),
  ],
  "14020 only_for_retail_brokers": [
    ISOLATED_REFUSED,
    () => l10n.t("The request names an isolated margin subaccount. Only the main account can send it."),
  ],
  "14033 isolated_allocated_too_low": [
    ISOLATED_REFUSED,
    () =>
      l10n.t(
        "The margin allocated to the isolated order is below the minimum. The minimum is in data.required_minimum.",
      ),
  ],
  "14034 insufficient_cleared_balance": [
    ISOLATED_REFUSED,
    () => l10n.t("The main account lacks cleared balance for the isolated order."),
  ],
};

/** The table as rows. */
export const ERROR_ROWS: readonly ErrorRow[] = Object.entries(ERRORS).map(([error, [proof, meaning]]) => {
  const [code = ""] = error.split(" ", 1);
  return { ...proof, code: Number(code), name: error.slice(code.length + 1), meaning };
});
