import * as z from "zod";
import { accountProfile, accountSummary, platformState, subaccount } from "../accountEntities.ts";
import { token } from "../entities.ts";
import { choice, filledText, flag, integer, secret, suggested, text, textList, timestampMs } from "../fields.ts";
import { changes, methodsOf, reads, unscoped } from "../method.ts";

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
const ofConnection = { ...unscoped("session"), isWebSocketOnly: true } as const;

export const sessionMethods = [
  authentication.method("public/auth", unscoped("session"), {
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
  }),
  supporting.method("public/test", unscoped("read"), {
    summary: "Tests the connection and returns the API version.",
    params: z.strictObject({
      expected_result: choice(["exception"], "`exception` makes the server respond with an error."),
    }),
    result: z.looseObject({ version: z.string() }),
  }),
  supporting.method("public/get_time", unscoped("read"), {
    summary: "Returns the server's time in ms since the Unix epoch.",
    result: z.int(),
  }),
  supporting.method("public/hello", unscoped("read"), {
    summary: "Introduces the client software to the server. WebSocket only.",
    params: z.strictObject({
      client_name: filledText("Name of the client software."),
      client_version: filledText("Version of the client software."),
    }),
    result: z.looseObject({ version: z.string() }),
    isWebSocketOnly: true,
  }),
  session.method("public/set_heartbeat", ofConnection, {
    summary: "Turns on heartbeats from the server. WebSocket only.",
    params: z.strictObject({
      interval: z.number().min(10).meta({ description: "Seconds between heartbeats, at least 10." }),
    }),
    result: z.literal("ok"),
  }),
  subscription.method("public/subscribe", unscoped("session"), {
    summary: "Subscribes to public channels and returns the accepted ones. WebSocket only.",
    params: z.strictObject({ channels }),
    result: acceptedChannels,
    rate: "subscribe",
    isWebSocketOnly: true,
  }),
  subscription.method("public/unsubscribe", ofConnection, {
    summary: "Unsubscribes from public channels. WebSocket only.",
    params: z.strictObject({ channels }),
    result: acceptedChannels,
  }),
  subscription.method("public/unsubscribe_all", ofConnection, {
    summary: "Ends all subscriptions of the connection, including private ones. WebSocket only.",
    result: z.literal("ok"),
  }),
  subscription.method("private/subscribe", unscoped("session"), {
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
    rate: "subscribe",
    isWebSocketOnly: true,
  }),
  subscription.method("private/unsubscribe", ofConnection, {
    summary: "Unsubscribes from channels of the account. WebSocket only.",
    params: z.strictObject({ channels }),
    result: acceptedChannels,
  }),
  session.method("private/get_cancel_on_disconnect", reads("account"), {
    summary:
      "Returns whether cancel-on-disconnect (COD) is enabled: orders are cancelled when the connection that placed them ends.",
    params: z.strictObject({ scope: disconnectScope.optional() }),
    result: z.looseObject({
      scope: text("Requested scope."),
      enabled: z.boolean().meta({ description: "Whether cancel-on-disconnect is enabled." }),
    }),
  }),
  session.method("private/enable_cancel_on_disconnect", changes("account", "write"), {
    summary:
      "Enables cancel-on-disconnect (COD): orders are cancelled when the connection that placed them ends. WebSocket only.",
    params: z.strictObject({ scope: disconnectScope.optional() }),
    result: z.literal("ok"),
    isWebSocketOnly: true,
  }),
  session.method("private/disable_cancel_on_disconnect", changes("account", "write"), {
    summary:
      "Disables cancel-on-disconnect (COD): orders stay open when the connection that placed them ends. WebSocket only.",
    params: z.strictObject({ scope: disconnectScope.optional() }),
    result: z.literal("ok"),
    isWebSocketOnly: true,
  }),
  account.method("private/get_account_summaries", reads("account"), {
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
  }),
  authentication.hinted("private/logout", ofConnection, {
    summary: "Closes the session without a response.",
    params: z.strictObject({
      invalidate_token: flag("Whether to invalidate the tokens of the session as well."),
    }),
    hint: "unknown",
  }),
  subscription.hinted("private/unsubscribe_all", ofConnection, {
    summary: "Unsubscribes from all channels.",
    hint: "ok",
  }),
  session.hinted("public/disable_heartbeat", ofConnection, {
    summary: "Stops the heartbeat of the connection.",
    hint: "ok",
  }),
  authentication.hinted("public/fork_token", unscoped("session"), {
    summary: "Returns tokens for a new named session.",
    params: z.strictObject({
      refresh_token: secret("Refresh token of the session to fork."),
      session_name: filledText("Name of the new session."),
    }),
    hint: `
      { access_token: string, token_type: bearer, expires_in: integer, refresh_token: string, scope: string,
      sid: string }
    `,
  }),
  supporting.method("public/status", unscoped("read"), {
    summary: "Returns whether the platform or a price index is locked.",
    // A text or a boolean: the documentation and its example differ.
    result: z.looseObject({
      locked: z
        .union([z.string(), z.boolean()])
        .meta({ description: "Whether the platform is locked: true, partial, or false." }),
      locked_indices: textList("Locked price indexes."),
    }),
    rows: { platformState },
  }),
  authentication.method("public/exchange_token", unscoped("session"), {
    summary: "Exchanges a refresh token for tokens of another account of the same owner.",
    params: z.strictObject({
      refresh_token: secret("Refresh token of the session."),
      subject_id: z.int().meta({ description: "ID of the account that the new tokens are for." }),
      scope: text("Scope of the new session, within the caller's scope. A session entry creates a separate session."),
    }),
    result: token,
    isContract: true,
  }),
  account.method("private/get_subaccounts", reads("account"), {
    summary: "Lists the main account and its subaccounts.",
    params: z.strictObject({ with_portfolio: flag("Whether to add balances and margins.") }),
    result: z.array(subaccount),
    rows: { subaccount },
  }),
] as const;
