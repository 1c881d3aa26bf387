/**
 * The methods that a session calls itself, by what it needs them for: to sign in and out, to know whether the link
 * lives and what time it is there, and to know or change the account that it acts as.
 */
export const SESSION_CALLS = {
  signIn: "public/auth",
  /** Ends a session over HTTP; that of a WebSocket ends with it. */
  signOut: "private/logout",
  introduce: "public/hello",
  /** The most harmless of all calls: whatever comes back proves that the link lives. */
  probe: "public/test",
  setHeartbeat: "public/set_heartbeat",
  tellTime: "public/get_time",
  unsubscribeAll: "public/unsubscribe_all",
  account: "private/get_account_summaries",
  /** What older servers have in its place. */
  olderAccount: "private/get_account_summary",
  listAccounts: "private/get_subaccounts",
  /** https://docs.deribit.com/api-reference/authentication/public-exchange_token */
  switchAccount: "public/exchange_token",
} as const;

/** Whether a call is Switch Sub-account, from wherever it comes. */
export function isSwitch(method: string): boolean {
  return method === SESSION_CALLS.switchAccount;
}
