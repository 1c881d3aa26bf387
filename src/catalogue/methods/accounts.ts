import * as z from "zod";
import { subaccount } from "../accountEntities.ts";
import { token } from "../entities.ts";
import { flag, secret, text } from "../fields.ts";
import { methodsOf, reads } from "../method.ts";

const authentication = methodsOf("Authentication");
const account = methodsOf("Account Management");

export const accountMethods = [
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
