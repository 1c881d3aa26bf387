import * as z from "zod";
import { flag, number, optionalIdentity, secret, suggested, text, timestampMs, wideInteger } from "./fields.ts";
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
  client_id: text("Identifier to sign in with."),
  // Left out for callers that may only read, and a fingerprint where the key is a public one.
  client_secret: secret("Secret of the key.").optional(),
  public_key: text("Public key, where the key is asymmetric."),
  name: text("Name of the key."),
  enabled: flag("Whether the key can be used."),
  default: flag("Whether it is the account's first key; deprecated."),
  max_scope: scopeEntries.meta({ description: "The most that tokens of this key may do." }).optional(),
  enabled_features: keyFeatures.meta({ description: "Advanced features of the key." }).optional(),
  ip_whitelist: z
    .array(z.string())
    .meta({ description: "Addresses and subnets from which the key may be used; any when empty." })
    .optional(),
  timestamp: timestampMs("When the key was made or last changed.").optional(),
});

/**
 * A success in which nothing was done: the user has to confirm first. https://docs.deribit.com/articles/security-keys
 */
export const securityKeyChallenge = z.looseObject({
  security_key_authorization_required: z.literal(true),
  security_keys: z
    .array(z.looseObject({ type: suggested(["tfa"]), name: text("Name of the second factor.") }))
    .meta({ description: "Second factors that the account has." }),
  challenge: z.string().meta({ description: "Goes back with the code, within a minute." }),
  rp_id: text("Host that the second factor belongs to."),
});

export const mmpConfig = z.looseObject({
  index_name: z.string().meta({ description: "Index that it protects." }),
  interval: number("Seconds within which fills are counted."),
  frozen_time: number("Seconds for which a group stays frozen; 0 until it is reset by hand."),
  mmp_group: optionalIdentity("Group of mass quotes; absent for regular orders."),
  quantity_limit: number("Most that may be filled within the interval."),
  delta_limit: number("Most delta within the interval."),
  vega_limit: number("Most vega within the interval."),
  max_quote_quantity: number("Most that one side of a quote may offer."),
  trade_count_limit: number("Most trades within the interval; Block RFQ only."),
  block_rfq: flag("Whether it protects Block RFQ quotes."),
  id: wideInteger("Identifier of the configuration.").optional(),
});

export const mmpStatus = z.looseObject({
  index_name: z.string().meta({ description: "Index of the frozen group." }),
  frozen_until: timestampMs("Until when it is frozen; 0 until it is reset by hand.").optional(),
  mmp_group: optionalIdentity("Group of mass quotes."),
  block_rfq: flag("Whether Block RFQ quotes are frozen."),
});

export const mmpTrigger = z.looseObject({
  frozen_until: timestampMs("Until when the group is frozen; 0 until it is reset by hand.").optional(),
  index_name: text("Index of the group."),
  mmp_group: optionalIdentity("Group of mass quotes."),
  block_rfq: flag("Whether Block RFQ quotes are frozen."),
});

export const accessLogEntry = z.looseObject({
  id: wideInteger("Identifier of the entry."),
  timestamp: timestampMs("When it happened.").optional(),
  log: text("What happened, e.g. changed_scope."),
  ip: text("Address it came from."),
  country: text("Country of the address."),
  city: text("City of the address."),
  data: z.unknown().meta({ description: "Whom it is about, e.g. the client id of a key." }).optional(),
});

export const subaccount = z.looseObject({
  id: wideInteger("Identifier of the account: subject_id of public/exchange_token."),
  type: suggested(["main", "subaccount"]).meta({ description: "Main account or sub-account." }).optional(),
  username: text("Name of the account."),
  system_name: text("Name that the exchange gave it."),
  email: text("Address of its owner."),
  is_password: flag("Whether it has a password of its own."),
  login_enabled: flag("Whether somebody can sign in to it."),
  receive_notifications: flag("Whether it gets messages of the main account."),
  security_keys_enabled: flag("Whether it has a second factor."),
  margin_model: text("How its margin is reckoned."),
});
