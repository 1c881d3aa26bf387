import * as z from "zod";
import {
  choice,
  flag,
  integer,
  number,
  optionalIdentity,
  secret,
  suggested,
  text,
  textList,
  timestampMs,
  wideInteger,
} from "./fields.ts";
import { KEY_FEATURES } from "./values.ts";

/* API keys, market maker protection, sub-accounts. Core specification §2.5 and §2.7, official OpenAPI 2.1.1. */

/** The entries of a scope: a list of texts, or one text with spaces between. The exchange takes and sends both. */
export const scopeEntries = z.union([z.string(), z.array(z.string())]);

export const keyFeatures = z.array(
  suggested(KEY_FEATURES, {
    restricted_block_trades: "Reads only block trades that were made with this key.",
    block_trade_approval: "Block trades made with this key need another user's approval.",
  }),
);

export const apiKey = z.looseObject({
  id: wideInteger("Identifier of the key."),
  client_id: text("Client ID used to sign in."),
  // Left out for callers that may only read, and a fingerprint where the key is a public one.
  client_secret: secret("Client secret of the key.").optional(),
  public_key: text("Public key, if the API key is asymmetric."),
  name: text("Name of the key."),
  enabled: flag("Whether the key can be used."),
  default: flag("Whether this is the account's first key. Deprecated."),
  max_scope: scopeEntries.meta({ description: "Maximum scope for access tokens created with this key." }).optional(),
  enabled_features: keyFeatures.meta({ description: "Advanced features of the key." }).optional(),
  ip_whitelist: textList("IP addresses and subnets the key can be used from. If empty, any address."),
  timestamp: timestampMs("When the key was created or last changed.").optional(),
});

/**
 * A success in which nothing was done: the user has to confirm first. https://docs.deribit.com/articles/security-keys
 */
export const securityKeyChallenge = z.looseObject({
  security_key_authorization_required: z.literal(true),
  security_keys: z
    .array(z.looseObject({ type: suggested(["tfa"]), name: text("Name of the 2FA method.") }))
    .meta({ description: "2FA methods of the account." }),
  challenge: z.string().meta({ description: "Send this value back with the 2FA code within one minute." }),
  rp_id: text("Host the 2FA method belongs to."),
});

export const mmpConfig = z.looseObject({
  index_name: z.string().meta({ description: "Index the limits apply to." }),
  interval: number("Time window in which fills are counted, in seconds."),
  frozen_time: number("How long a group stays frozen, in seconds. 0: until it is reset manually."),
  mmp_group: optionalIdentity("MMP group of mass quotes. Absent for regular orders."),
  quantity_limit: number("Maximum quantity filled within the interval."),
  delta_limit: number("Maximum delta within the interval."),
  vega_limit: number("Maximum vega within the interval."),
  max_quote_quantity: number("Maximum quantity on one side of a quote."),
  trade_count_limit: number("Maximum number of trades within the interval. Block RFQ only."),
  block_rfq: flag("Whether the limits apply to Block RFQ quotes."),
  id: wideInteger("Identifier of the configuration.").optional(),
});

export const mmpStatus = z.looseObject({
  index_name: z.string().meta({ description: "Index of the frozen group." }),
  frozen_until: timestampMs("When the freeze ends. 0: frozen until it is reset manually.").optional(),
  mmp_group: optionalIdentity("MMP group of mass quotes."),
  block_rfq: flag("Whether Block RFQ quotes are frozen."),
});

export const mmpTrigger = z.looseObject({
  frozen_until: timestampMs("When the freeze ends. 0: frozen until it is reset manually.").optional(),
  index_name: text("Index of the group."),
  mmp_group: optionalIdentity("MMP group of mass quotes."),
  block_rfq: flag("Whether Block RFQ quotes are frozen."),
});

/** Whether the account is locked. The documentation calls the flag `enabled`; responses and events, `locked`. */
export const userLock = z.looseObject({
  currency: z.string().meta({ description: "Currency of the lock. ALL: every currency." }),
  locked: flag("Whether the account is locked."),
  enabled: flag("Whether the account is locked, as the documentation names it."),
  message: text("Why the account is locked."),
});

/** An event of the channel platform_state. */
export const platformState = z.looseObject({
  price_index: text("Index that was locked or unlocked. Absent: the platform."),
  locked: flag("Whether it is locked."),
  maintenance: flag("Whether the platform is in maintenance."),
});

export const accessLogEntry = z.looseObject({
  id: wideInteger("Identifier of the entry."),
  timestamp: timestampMs("When it happened.").optional(),
  log: text("Type of event, for example changed_scope."),
  ip: text("IP address the event came from."),
  country: text("Country of the IP address."),
  city: text("City of the IP address."),
  data: z.unknown().meta({ description: "Object of the event, for example the client ID of an API key." }).optional(),
});

/** Makes the schema of an optional object of numbers by name. */
const byName = (description: string): z.ZodOptional<z.ZodType<object>> =>
  z.looseObject({}).meta({ description }).optional();

/**
 * Balance, equity, and margin of the account in a currency, in responses and events.
 * https://docs.deribit.com/api-reference/account-management/private-get_account_summaries
 */
export const accountSummary = z.looseObject({
  currency: z.string().meta({ description: "Currency of the summary." }),
  equity: number("Equity."),
  balance: number("Balance."),
  margin_balance: number("Balance that counts for margin."),
  initial_margin: number("Initial margin."),
  maintenance_margin: number("Maintenance margin."),
  projected_initial_margin: number("Initial margin without positions that expire at the next settlement."),
  projected_maintenance_margin: number("Maintenance margin without positions that expire at the next settlement."),
  close_out_margin: number("Margin below which the account is closed out."),
  projected_close_out_margin: number("Close-out margin without positions that expire at the next settlement."),
  available_funds: number("Funds available for trading."),
  available_withdrawal_funds: number("Funds available for withdrawal."),
  locked_balance: number("Locked balance."),
  spot_reserve: number("Reserve for open spot orders."),
  additional_reserve: number("Additional reserve."),
  fee_balance: number("Fee balance."),
  margin_model: text("Margin model."),
  cross_collateral_enabled: flag("Whether all currencies count for margin together."),
  portfolio_margining_enabled: flag("Whether margin is calculated for the portfolio. Deprecated."),
  total_equity_usd: number("Equity of all currencies, in USD. Cross collateral only."),
  total_margin_balance_usd: number("Margin balance of all currencies, in USD. Cross collateral only."),
  total_initial_margin_usd: number("Initial margin of all currencies, in USD. Cross collateral only."),
  total_maintenance_margin_usd: number("Maintenance margin of all currencies, in USD. Cross collateral only."),
  total_delta_total_usd: number("Delta of all currencies, in USD. Cross collateral only."),
  total_pl: number("Profit and loss."),
  session_upl: number("Unrealized profit and loss of the session."),
  session_rpl: number("Realized profit and loss of the session."),
  futures_pl: number("Profit and loss of futures."),
  futures_session_upl: number("Unrealized profit and loss of futures in the session."),
  futures_session_rpl: number("Realized profit and loss of futures in the session."),
  options_pl: number("Profit and loss of options."),
  options_session_upl: number("Unrealized profit and loss of options in the session."),
  options_session_rpl: number("Realized profit and loss of options in the session."),
  options_value: number("Value of options."),
  options_delta: number("Delta of options."),
  options_gamma: number("Gamma of options."),
  options_vega: number("Vega of options."),
  options_theta: number("Theta of options."),
  options_gamma_map: byName("Gamma of options by index."),
  options_vega_map: byName("Vega of options by index."),
  options_theta_map: byName("Theta of options by index."),
  delta_total: number("Sum of the deltas of all positions."),
  delta_total_map: byName("Sum of the deltas of positions by index."),
  projected_delta_total: number("Delta without positions that expire at the next settlement."),
  estimated_liquidation_ratio: number("Estimated liquidation ratio."),
  estimated_liquidation_ratio_map: byName("Estimated liquidation ratio by index."),
  fee_group: text("Fee group of the account."),
  fees: z
    .union([z.looseObject({}), z.array(z.looseObject({}))])
    .meta({ description: "Fees by index and kind of instrument: an object, or a list. Only with extended." })
    .optional(),
  limits: byName("Rate limits of the account. Only with extended."),
  deposit_address: text("Deposit address."),
  has_non_block_chain_equity: flag("Whether the account has equity that can't be withdrawn. Only with extended."),
  affiliate_promotion_fee: number("Fee of the affiliate program."),
  receive_notifications: flag("Whether notification emails are received."),
});

/** What responses with summaries say about the account itself, if they are asked for it with `extended`. */
export const accountProfile = z.looseObject({
  id: integer("Account ID."),
  username: text("Name of the account."),
  system_name: text("Name assigned by the exchange."),
  email: text("Email address of the owner."),
  type: choice(["main", "subaccount"], "Main account or subaccount."),
  creation_timestamp: timestampMs("When the account was created.").optional(),
  login_enabled: flag("Whether sign-in to the account is enabled."),
  security_keys_enabled: flag("Whether 2FA is enabled."),
  mmp_enabled: flag("Whether MMP is enabled."),
  interuser_transfers_enabled: flag("Whether transfers to other users are enabled."),
  referrer_id: text("Affiliate who referred the account."),
  self_trading_reject_mode: choice(
    ["reject_taker", "cancel_maker"],
    "What happens when the account would trade with itself.",
  ),
  block_rfq_self_match_prevention: flag("Whether self-trade prevention applies to Block RFQs."),
});

export const subaccount = z.looseObject({
  id: wideInteger("Account ID. Use it as subject_id of public/exchange_token."),
  type: choice(["main", "subaccount"], "Main account or subaccount."),
  username: text("Name of the account."),
  system_name: text("Name assigned by the exchange."),
  email: text("Email address of the owner."),
  is_password: flag("Whether the account has its own password."),
  login_enabled: flag("Whether sign-in to the account is enabled."),
  receive_notifications: flag("Whether notification emails are received at the main email address."),
  security_keys_enabled: flag("Whether 2FA is enabled."),
  margin_model: text("Margin model of the account."),
  not_confirmed_email: text("New email address that is not confirmed yet."),
  proof_id: text("Identifier in the proof of reserves."),
  proof_id_signature: text("Signature of the identifier in the proof of reserves."),
  portfolio: byName("Balance, equity, and margin by currency. Only with with_portfolio."),
});
