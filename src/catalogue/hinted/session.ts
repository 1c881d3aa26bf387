import * as z from "zod";
import { secret } from "../fields.ts";
import { hinted } from "../method.ts";

export const otherSessionMethods = [
  hinted({
    name: "private/logout",
    section: "Authentication",
    summary: "Closes the session without a response.",
    params: z.strictObject({
      invalidate_token: z
        .boolean()
        .meta({ description: "Whether to invalidate the tokens of the session as well." })
        .optional(),
    }),
    hint: "unknown",
    scopes: [],
    effect: "session",
    rate: "default",
    isWebSocketOnly: true,
    documentation: "https://docs.deribit.com/api-reference/authentication/private-logout",
  }),
  hinted({
    name: "private/unsubscribe_all",
    section: "Subscription Management",
    summary: "Unsubscribes from all channels.",
    params: z.strictObject({}),
    hint: "ok",
    scopes: [],
    effect: "session",
    rate: "default",
    isWebSocketOnly: true,
    documentation: "https://docs.deribit.com/api-reference/subscription-management/private-unsubscribe_all",
  }),
  hinted({
    name: "public/disable_heartbeat",
    section: "Session Management",
    summary: "Stops the heartbeat of the connection.",
    params: z.strictObject({}),
    hint: "ok",
    scopes: [],
    effect: "session",
    rate: "default",
    isWebSocketOnly: true,
    documentation: "https://docs.deribit.com/api-reference/session-management/public-disable_heartbeat",
  }),
  hinted({
    name: "public/fork_token",
    section: "Authentication",
    summary: "Returns tokens for a new named session.",
    params: z.strictObject({
      refresh_token: secret("Refresh token of the session to fork."),
      session_name: z.string().min(1).meta({ description: "Name of the new session." }),
    }),
    hint: `
      { access_token: string, token_type: bearer, expires_in: integer, refresh_token: string, scope: string,
      sid: string }
    `,
    scopes: [],
    effect: "session",
    rate: "default",
    documentation: "https://docs.deribit.com/api-reference/authentication/public-fork_token",
  }),
  hinted({
    name: "public/status",
    section: "Supporting",
    summary: "Returns whether the platform or a price index is locked.",
    params: z.strictObject({}),
    hint: "{ locked: string, locked_indices: [string] }",
    scopes: [],
    effect: "read",
    rate: "default",
    documentation: "https://docs.deribit.com/api-reference/supporting/public-status",
  }),
];
