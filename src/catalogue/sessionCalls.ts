import { plain } from "../base/plain.ts";
import { bareMethod } from "./index.ts";

/**
 * The methods that a session calls on its own: to sign in and out, to check the link and the time, and to learn or
 * change its account.
 */
export const SESSION_CALLS = {
  signIn: "public/auth",
  /** The call that ends a session over HTTP; that of a WebSocket ends with it. */
  signOut: "private/logout",
  introduce: "public/hello",
  /** The most harmless of all calls. Any response proves that the link lives. */
  probe: plain`public/test`,
  setHeartbeat: plain`public/set_heartbeat`,
  tellTime: "public/get_time",
  unsubscribeAll: "public/unsubscribe_all",
  account: "private/get_account_summaries",
  /** The call of older servers instead of `account`. */
  olderAccount: "private/get_account_summary",
  listAccounts: "private/get_subaccounts",
  /** The call that switches the account. https://docs.deribit.com/api-reference/authentication/public-exchange_token */
  switchAccount: "public/exchange_token",
} as const;

/** Whether a call is Switch Subaccount, from any source. */
export function isSwitch(method: string): boolean {
  return method === SESSION_CALLS.switchAccount;
}

const MARKET_CHANNEL_CALLS: ReadonlySet<string> = new Set([
  "public/subscribe",
  "public/unsubscribe",
  "public/unsubscribe_all",
]);

/** Whether a call is about channels of the market. The gateway takes it over a socket of its own. */
export function isAboutMarketChannels(method: string): boolean {
  return MARKET_CHANNEL_CALLS.has(bareMethod(method));
}
