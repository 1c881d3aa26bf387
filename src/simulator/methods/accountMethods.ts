import type { AccountIdentity } from "../accounts/accounts.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import { writeJson } from "../text/json.ts";
import { tokenText } from "./sessionMethods.ts";

/** Makes the methods about the account of a caller's tokens, and the accounts that it could switch to. */
export function accountHandlers({
  tokens,
  accounts,
}: HandlerPorts): Pick<MethodHandlers, "public/exchange_token" | "private/get_subaccounts"> {
  return {
    "public/exchange_token": ({ params, connection }) => {
      const authorisation = tokens.exchange(
        params.refresh_token,
        { subject: params.subject_id, scope: params.scope },
        connection,
      );
      // Whoever exchanges on a socket goes on as the other account; a session of its own leaves the socket as it is.
      if (connection.link === "webSocket" && authorisation.sid === undefined) connection.authorisation = authorisation;
      return tokenText(authorisation, undefined);
    },
    "private/get_subaccounts": ({ params, authorisation }) => {
      // A subaccount knows of itself alone.
      const known = accounts.filter(
        ({ id }) => authorisation?.subject === accounts[0]?.id || id === authorisation?.subject,
      );
      return `[${known.map((account) => accountText(account, params.with_portfolio === true)).join(",")}]`;
    },
  };
}

function accountText({ id, type, username }: AccountIdentity, isWithPortfolio: boolean): string {
  return writeJson({
    email: `${username}@example.com`,
    id,
    is_password: type === "main",
    login_enabled: true,
    receive_notifications: false,
    system_name: username,
    security_keys_enabled: false,
    security_keys_assignments: [],
    type,
    username,
    ...(isWithPortfolio
      ? { margin_model: "segregated_sm", portfolio: { btc: portfolio("btc"), eth: portfolio("eth") } }
      : {}),
  });
}

function portfolio(currency: string): { readonly [name: string]: string | number } {
  return {
    currency,
    balance: 5,
    equity: 5,
    available_funds: 5,
    available_withdrawal_funds: 5,
    margin_balance: 5,
    initial_margin: 0,
    maintenance_margin: 0,
    spot_reserve: 0,
    additional_reserve: 0,
  };
}
