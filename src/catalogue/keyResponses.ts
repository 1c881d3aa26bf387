/**
 * The methods whose response is an API key, or a list of them.
 * https://docs.deribit.com/api-reference/account-management
 */
const TELLING: ReadonlySet<string> = new Set([
  "private/list_api_keys",
  "private/create_api_key",
  "private/edit_api_key",
  "private/change_scope_in_api_key",
  "private/change_api_key_name",
  "private/enable_api_key",
  "private/disable_api_key",
  "private/reset_api_key",
]);

/** Whether a result holds API keys: the method returns keys, and the response is not a challenge instead. */
export function hasKeys(method: string, result: unknown): boolean {
  return TELLING.has(method) && !isChallenge(result);
}

/**
 * Whether a result asks for a 2FA code. It comes as a success, and nothing was done.
 * https://docs.deribit.com/articles/security-keys
 */
export function isChallenge(result: unknown): boolean {
  return (
    typeof result === "object" &&
    result !== null &&
    "security_key_authorization_required" in result &&
    result.security_key_authorization_required !== false
  );
}
