import * as z from "zod";
import { accountProfile, accountSummary, platformState, subaccount } from "../accountEntities.ts";
import { token } from "../entities.ts";
import { filledText, flag, integer, secret, suggested, text, timestampMs } from "../fields.ts";
import { changes, methodsOf, reads } from "../method.ts";

const authentication = methodsOf("Authentication");
const supporting = methodsOf("Supporting");
const session = methodsOf("Session Management");
const subscription = methodsOf("Subscription Management");
const account = methodsOf("Account Management");

/** The most channels that the exchange accepts in one call. https://docs.deribit.com/articles/notifications */
const MAX_CHANNELS_PER_CALL = 500;

const channels = z
  .array(z.string().min(1))
  .min(1)
  .max(MAX_CHANNELS_PER_CALL)
  .meta({ description: "Channel names, for example user.orders.any.any.raw." });
const acceptedChannels = z.array(z.string());

const disconnectScope = suggested(["connection", "account"]).meta({
  description: "`connection` (default): this connection. `account`: the initial setting of new connections.",
});

/** What is about the connection that it comes over. */
const ofConnection = { effect: "session", isWebSocketOnly: true } as const;

export const sessionMethods = [
  authentication.method({
    name: "public/auth",
    mayAskSecondFactor: true,
    summary: "Exchanges credentials or a refresh token for an access token.",
    params: z.strictObject({
      grant_type: suggested(["client_credentials", "client_signature", "refresh_token"]).meta({
        description: "Authentication method.",
      }),
      client_id: text("Client ID of the API key."),
      client_secret: secret("Client secret of the API key.").optional(),
      refresh_token: secret("Refresh token of an earlier response.").optional(),
      token: secret("JWT that signs in at the Coinbase gateway, with the grant coinbase_cdp.").optional(),
      timestamp: timestampMs(
        "When the signature was created. Must be within about 60 s of the server's time.",
      ).optional(),
      signature: text("HMAC-SHA256, lower-case hexadecimal."),
      nonce: text("Random string that is part of the signature."),
      data: text("Additional string that is part of the signature."),
      state: text("Returned unchanged in the response."),
      scope: text("Requested scope entries, separated by spaces."),
    }),
    result: token,
    effect: "session",
  }),
  supporting.method({
    name: "public/test",
    summary: "Tests the connection and returns the API version.",
    params: z.strictObject({
      expected_result: suggested(["exception"])
        .meta({ description: "`exception` makes the server respond with an error." })
        .optional(),
    }),
    result: z.looseObject({ version: z.string() }),
    effect: "read",
  }),
  supporting.method({
    name: "public/get_time",
    summary: "Returns the server's time in ms since the Unix epoch.",
    params: z.strictObject({}),
    result: z.int(),
    effect: "read",
  }),
  supporting.method({
    name: "public/hello",
    summary: "Introduces the client software to the server. WebSocket only.",
    params: z.strictObject({
      client_name: filledText("Name of the client software."),
      client_version: filledText("Version of the client software."),
    }),
    result: z.looseObject({ version: z.string() }),
    effect: "read",
    isWebSocketOnly: true,
  }),
  session.method({
    name: "public/set_heartbeat",
    summary: "Turns on heartbeats from the server. WebSocket only.",
    params: z.strictObject({
      interval: z.number().min(10).meta({ description: "Seconds between heartbeats, at least 10." }),
    }),
    result: z.literal("ok"),
    ...ofConnection,
  }),
  subscription.method({
    name: "public/subscribe",
    summary: "Subscribes to public channels and returns the accepted ones. WebSocket only.",
    params: z.strictObject({ channels }),
    result: acceptedChannels,
    effect: "session",
    rate: "subscribe",
    isWebSocketOnly: true,
  }),
  subscription.method({
    name: "public/unsubscribe",
    summary: "Unsubscribes from public channels. WebSocket only.",
    params: z.strictObject({ channels }),
    result: acceptedChannels,
    ...ofConnection,
  }),
  subscription.method({
    name: "public/unsubscribe_all",
    summary: "Ends all subscriptions of the connection, including private ones. WebSocket only.",
    params: z.strictObject({}),
    result: z.literal("ok"),
    ...ofConnection,
  }),
  subscription.method({
    name: "private/subscribe",
    summary: "Subscribes to channels of the account and returns the accepted ones. WebSocket only.",
    params: z.strictObject({
      channels,
      label: z
        .string()
        .max(16)
        .meta({ description: "Returned in each channel event. Up to 16 characters." })
        .optional(),
    }),
    result: acceptedChannels,
    scopes: [],
    effect: "session",
    rate: "subscribe",
    isWebSocketOnly: true,
  }),
  subscription.method({
    name: "private/unsubscribe",
    summary: "Unsubscribes from channels of the account. WebSocket only.",
    params: z.strictObject({ channels }),
    result: acceptedChannels,
    scopes: [],
    ...ofConnection,
  }),
  session.method({
    name: "private/get_cancel_on_disconnect",
    summary:
      "Returns whether cancel-on-disconnect (COD) is enabled: orders are cancelled when the connection that placed them ends.",
    params: z.strictObject({ scope: disconnectScope.optional() }),
    result: z.looseObject({
      scope: text("Requested scope."),
      enabled: z.boolean().meta({ description: "Whether cancel-on-disconnect is enabled." }),
    }),
    ...reads("account"),
  }),
  session.method({
    name: "private/enable_cancel_on_disconnect",
    summary:
      "Enables cancel-on-disconnect (COD): orders are cancelled when the connection that placed them ends. WebSocket only.",
    params: z.strictObject({ scope: disconnectScope.optional() }),
    result: z.literal("ok"),
    ...changes("account", "write"),
    isWebSocketOnly: true,
  }),
  session.method({
    name: "private/disable_cancel_on_disconnect",
    summary:
      "Disables cancel-on-disconnect (COD): orders stay open when the connection that placed them ends. WebSocket only.",
    params: z.strictObject({ scope: disconnectScope.optional() }),
    result: z.literal("ok"),
    ...changes("account", "write"),
    isWebSocketOnly: true,
  }),
  account.method({
    name: "private/get_account_summaries",
    summary: "Returns the signed-in account, its limits, and a summary for each currency.",
    params: z.strictObject({
      subaccount_id: integer("Subaccount of the caller (default: the caller itself)."),
      extended: flag("Whether to add the account and its limits."),
    }),
    result: z.looseObject({
      ...accountProfile.shape,
      summaries: z.array(accountSummary).meta({ description: "One summary for each currency." }),
    }),
    rows: { accountSummary },
    ...reads("account"),
  }),
  authentication.hinted({
    name: "private/logout",
    summary: "Closes the session without a response.",
    params: z.strictObject({
      invalidate_token: flag("Whether to invalidate the tokens of the session as well."),
    }),
    hint: "unknown",
    scopes: [],
    ...ofConnection,
  }),
  subscription.hinted({
    name: "private/unsubscribe_all",
    summary: "Unsubscribes from all channels.",
    params: z.strictObject({}),
    hint: "ok",
    scopes: [],
    ...ofConnection,
  }),
  session.hinted({
    name: "public/disable_heartbeat",
    summary: "Stops the heartbeat of the connection.",
    params: z.strictObject({}),
    hint: "ok",
    ...ofConnection,
  }),
  authentication.hinted({
    name: "public/fork_token",
    summary: "Returns tokens for a new named session.",
    params: z.strictObject({
      refresh_token: secret("Refresh token of the session to fork."),
      session_name: filledText("Name of the new session."),
    }),
    hint: `
      { access_token: string, token_type: bearer, expires_in: integer, refresh_token: string, scope: string,
      sid: string }
    `,
    effect: "session",
  }),
  supporting.method({
    name: "public/status",
    summary: "Returns whether the platform or a price index is locked.",
    params: z.strictObject({}),
    // A text or a boolean: the documentation and its example differ.
    result: z.looseObject({
      locked: z
        .union([z.string(), z.boolean()])
        .meta({ description: "Whether the platform is locked: true, partial, or false." }),
      locked_indices: z.array(z.string()).meta({ description: "Locked price indexes." }).optional(),
    }),
    rows: { platformState },
    effect: "read",
  }),
  authentication.method({
    name: "public/exchange_token",
    summary: "Exchanges a refresh token for tokens of another account of the same owner.",
    params: z.strictObject({
      refresh_token: secret("Refresh token of the session."),
      subject_id: z.int().meta({ description: "ID of the account that the new tokens are for." }),
      scope: text("Scope of the new session, within the caller's scope. A session entry creates a separate session."),
    }),
    result: token,
    effect: "session",
    isContract: true,
  }),
  account.method({
    name: "private/get_subaccounts",
    summary: "Lists the main account and its subaccounts.",
    params: z.strictObject({ with_portfolio: flag("Whether to add balances and margins.") }),
    result: z.array(subaccount),
    rows: { subaccount },
    ...reads("account"),
  }),
] as const;
