import { isAddressOrSubnet } from "../../base/ipAddress.ts";
import { isScopeGranted, type ParamsOf } from "../../catalogue/index.ts";
import type { WorldKey } from "../access/apiKeys.ts";
import { readPublicKey } from "../access/authentication.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { handlersOf } from "./handlers.ts";
import { isWithinScope, readScopeEntries } from "../access/scopes.ts";
import type { Confirmation } from "../access/secondFactor.ts";
import type { Authorisation } from "../access/tokens.ts";
import { KEY_FEATURES } from "../../catalogue/values.ts";
import { writeJson } from "../text/json.ts";

/** Makes the methods that read and change API keys. */
export const keyMethods = handlersOf(({ accounts, apiKeys, secondFactor, tokens, doScopesEndTokens }) => {
  const text = (key: WorldKey, authorisation: Authorisation | undefined): string =>
    apiKeys.text(key, isScopeGranted(authorisation?.scope ?? "", ["account:read_write"]));
  /** Returns the keys of an account: all existing ones belong to the main one. */
  const ownKeys = (authorisation: Authorisation | undefined): WorldKey[] =>
    authorisation?.subject === accounts.main.id ? [...apiKeys.all()] : [];
  /** Changes the key that a call names, unless it may do more than the caller. Returns the result, or the key. */
  const change = ({ params, authorisation }: ChangeCall, make: (key: WorldKey) => void, result?: string): string => {
    const key = ownKeys(authorisation).find((each) => each.id === params.id);
    if (key === undefined) throw refusal(13020);
    if (!isWithinScope(key.max_scope, authorisation?.scope ?? "")) throw refusal(13403);
    const asked = secondFactor.challenge(params);
    if (asked !== undefined) return asked;
    const { max_scope: before, client_secret: secretBefore } = key;
    make(key);
    if (!key.enabled || key.client_secret !== secretBefore || (doScopesEndTokens() && key.max_scope !== before))
      tokens.revoke(key);
    return result === undefined ? text(key, authorisation) : writeJson(result);
  };
  /** Refuses a key that may do more than the caller, and a caller whose keys are not simulated. */
  const refuseNew = (maxScope: string, authorisation: Authorisation | undefined): void => {
    if (authorisation?.subject !== accounts.main.id) throw refusal(13021);
    if (!isWithinScope(maxScope, authorisation.scope)) throw refusal(13403);
  };
  return {
    "private/create_api_key": ({ params, authorisation }) => {
      const { name = "", public_key, enabled_features = [] } = params;
      const max_scope = scopeOf(params.max_scope);
      refuseOddFeatures(enabled_features);
      if (public_key !== undefined && readPublicKey(public_key) === undefined)
        throw invalidParam("public_key", "invalid public_key");
      refuseNew(max_scope, authorisation);
      return (
        secondFactor.challenge(params) ??
        text(apiKeys.create({ name, max_scope, enabled_features, public_key }), authorisation)
      );
    },
    "private/reset_api_key": (call) => change(call, () => apiKeys.reset(call.params.id)),
    "private/remove_api_key": (call) => {
      const remove = (key: WorldKey): void => {
        apiKeys.remove(call.params.id);
        tokens.revoke(key);
      };
      return change(call, remove, "ok");
    },
    "private/list_api_keys": ({ params, authorisation }) =>
      secondFactor.challenge(params) ??
      `[${ownKeys(authorisation)
        .map((key) => text(key, authorisation))
        .join(",")}]`,
    "private/edit_api_key": (call) => {
      const { id, name, enabled, enabled_features, ip_whitelist } = call.params;
      const max_scope = scopeOf(call.params.max_scope);
      refuseOddFeatures(enabled_features ?? []);
      if (ip_whitelist?.every(isAddressOrSubnet) === false) throw invalidParam("ip_whitelist", "invalid format");
      return change(call, () => apiKeys.change(id, { max_scope, name, enabled, enabled_features, ip_whitelist }));
    },
    "private/change_scope_in_api_key": (call) => {
      const max_scope = scopeOf(call.params.max_scope);
      return change(call, () => apiKeys.change(call.params.id, { max_scope }));
    },
    "private/change_api_key_name": ({ params: { id, name }, authorisation }) => {
      if (!/^\w{1,16}$/.test(name)) throw invalidParam("name", "wrong format");
      return change({ params: { id }, authorisation }, () => apiKeys.change(id, { name }));
    },
    "private/enable_api_key": (call) => change(call, () => apiKeys.change(call.params.id, { enabled: true })),
    "private/disable_api_key": (call) => change(call, () => apiKeys.change(call.params.id, { enabled: false })),
  };
});

function refuseOddFeatures(features: readonly string[]): void {
  for (const feature of features)
    if (!KEY_FEATURES.some((each) => each === feature))
      throw invalidParam("enabled_features", "invalid enabled_features");
}

/** A call that changes a key. */
interface ChangeCall {
  readonly params: Confirmation & { readonly id: number };
  readonly authorisation: Authorisation | undefined;
}

/** Returns a scope as text. Areas that were not named are none, and nothing named leaves nothing. */
function scopeOf(maxScope: ParamsOf<"private/edit_api_key">["max_scope"]): string {
  const entries = readScopeEntries([maxScope ?? ""].flat().join(" "));
  if (entries === undefined) throw invalidParam("max_scope", "invalid max_scope");
  return entries.join(" ");
}
