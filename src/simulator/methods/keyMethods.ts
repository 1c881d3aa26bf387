import { isAddressOrSubnet } from "../../base/ipAddress.ts";
import { isScopeGranted, type ParamsOf } from "../../catalogue/index.ts";
import type { WorldKey } from "../access/apiKeys.ts";
import { readPublicKey } from "../access/authentication.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import { isWithinScope, readScopeEntries } from "../access/scopes.ts";
import type { Confirmation } from "../access/secondFactor.ts";
import type { Authorisation } from "../access/tokens.ts";
import { KEY_FEATURES } from "../../catalogue/values.ts";
import { writeJson } from "../text/json.ts";

type KeyMethod = Extract<keyof MethodHandlers, `private/${string}_api_key${"" | "_name"}` | "private/list_api_keys">;

/** Makes the methods that read and change API keys. */
export function keyMethods({
  accounts,
  apiKeys,
  secondFactor,
  tokens,
  doScopesEndTokens,
}: HandlerPorts): Pick<MethodHandlers, KeyMethod> {
  const text = (key: WorldKey, authorisation: Authorisation | undefined): string =>
    apiKeys.text(key, isScopeGranted(authorisation?.scope ?? "", ["account:read_write"]));
  /** Returns the keys of an account: all existing ones belong to the main one. */
  const ownKeys = (authorisation: Authorisation | undefined): WorldKey[] =>
    authorisation?.subject === accounts.main.id ? [...apiKeys.all()] : [];
  /** Changes a key, unless it may do more than the caller. */
  const change = (id: number, { params, authorisation, make, result }: Changing): string => {
    const key = ownKeys(authorisation).find((each) => each.id === id);
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
    "private/reset_api_key": ({ params, authorisation }) =>
      change(params.id, {
        params,
        authorisation,
        make: () => apiKeys.reset(params.id),
      }),
    "private/remove_api_key": ({ params, authorisation }) =>
      change(params.id, {
        params,
        authorisation,
        make: (key) => {
          apiKeys.remove(params.id);
          tokens.revoke(key);
        },
        result: "ok",
      }),
    "private/list_api_keys": ({ params, authorisation }) =>
      secondFactor.challenge(params) ??
      `[${ownKeys(authorisation)
        .map((key) => text(key, authorisation))
        .join(",")}]`,
    "private/edit_api_key": ({ params, authorisation }) => {
      const { id, name, enabled, enabled_features, ip_whitelist } = params;
      const max_scope = scopeOf(params.max_scope);
      refuseOddFeatures(enabled_features ?? []);
      if (ip_whitelist?.every(isAddressOrSubnet) === false) throw invalidParam("ip_whitelist", "invalid format");
      return change(id, {
        params,
        authorisation,
        make: () => apiKeys.change(id, { max_scope, name, enabled, enabled_features, ip_whitelist }),
      });
    },
    "private/change_scope_in_api_key": ({ params, authorisation }) => {
      const max_scope = scopeOf(params.max_scope);
      return change(params.id, {
        params,
        authorisation,
        make: () => apiKeys.change(params.id, { max_scope }),
      });
    },
    "private/change_api_key_name": ({ params, authorisation }) => {
      const { id, name } = params;
      if (!/^\w{1,16}$/.test(name)) throw invalidParam("name", "wrong format");
      return change(id, {
        params: {},
        authorisation,
        make: () => apiKeys.change(id, { name }),
      });
    },
    "private/enable_api_key": ({ params, authorisation }) =>
      change(params.id, {
        params,
        authorisation,
        make: () => apiKeys.change(params.id, { enabled: true }),
      }),
    "private/disable_api_key": ({ params, authorisation }) =>
      change(params.id, {
        params,
        authorisation,
        make: () => apiKeys.change(params.id, { enabled: false }),
      }),
  };
}

function refuseOddFeatures(features: readonly string[]): void {
  for (const feature of features)
    if (!KEY_FEATURES.some((each) => each === feature))
      throw invalidParam("enabled_features", "invalid enabled_features");
}

interface Changing {
  readonly params: Confirmation;
  readonly authorisation: Authorisation | undefined;
  readonly make: (key: WorldKey) => void;
  /** The result; left out, the key. */
  readonly result?: string;
}

/** Returns a scope as text. Areas that were not named are none, and nothing named leaves nothing. */
function scopeOf(maxScope: ParamsOf<"private/edit_api_key">["max_scope"]): string {
  const entries = readScopeEntries([maxScope ?? ""].flat().join(" "));
  if (entries === undefined) throw invalidParam("max_scope", "invalid max_scope");
  return entries.join(" ");
}
