import * as z from "zod";
import { subaccount } from "../accountEntities.ts";
import { token } from "../entities.ts";
import { flag, secret, text } from "../fields.ts";
import { method } from "../method.ts";

export const accountMethods = [
  method({
    name: "public/exchange_token",
    section: "Authentication",
    summary: "Exchanges a refresh token for tokens of another account of the same owner.",
    params: z.strictObject({
      refresh_token: secret("Refresh token of the session."),
      subject_id: z.int().meta({ description: "ID of the account that the new tokens are for." }),
      scope: text("Scope of the new session, within the caller's scope. A session entry creates a separate session."),
    }),
    result: token,
    scopes: [],
    effect: "session",
    rate: "default",
    documentation: "https://docs.deribit.com/api-reference/authentication/public-exchange_token",
    isContract: true,
  }),
  method({
    name: "private/get_subaccounts",
    section: "Account Management",
    summary: "Lists the main account and its subaccounts.",
    params: z.strictObject({ with_portfolio: flag("Whether to add balances and margins.") }),
    result: z.array(subaccount),
    rows: { subaccount },
    scopes: ["account:read"],
    effect: "read",
    rate: "default",
    documentation: "https://docs.deribit.com/api-reference/account-management/private-get_subaccounts",
    isContract: false,
  }),
] as const;
