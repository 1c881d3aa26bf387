import { type CallError, nothingToDo, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { isSameScope, losesScope, scopeText, type Scope } from "../../catalogue/scopeLines.ts";
import type { ApiKey, KnownKey } from "../../state/apiKeys.ts";
import { askedFields, changeNote } from "./changes.ts";
import { presentFields, type Fields } from "../intent/fields.ts";
import type { Intent } from "../intent/intent.ts";

/** The changes that can be made to keys. */
export const KEY_METHODS = {
  create: "private/create_api_key",
  reset: "private/reset_api_key",
  remove: "private/remove_api_key",
  edit: "private/edit_api_key",
  changeScope: "private/change_scope_in_api_key",
  enable: "private/enable_api_key",
  disable: "private/disable_api_key",
} as const;

/** The wanted state of a key; what is left out stays as it is. */
export interface KeyWish {
  readonly max_scope?: Scope;
  readonly name?: string;
  readonly enabled?: boolean;
  readonly enabled_features?: readonly string[];
  readonly ip_whitelist?: readonly string[];
}

/** A key that does not exist yet. */
export interface NewKey extends Pick<KeyWish, "name" | "enabled_features"> {
  readonly max_scope: Scope;
  /** The public key, in PEM; left out, the exchange makes a client secret. */
  readonly public_key?: string;
}

/** The facts that the making of a key needs beside the key. */
interface NewKeyContext extends Pick<KeyContext, "origin" | "detail"> {
  /** The IDs of all keys that exist, as just read; undefined where they are unknown. */
  readonly idsBefore: readonly number[] | undefined;
}

/** The field of `Intent.before` with the IDs of the keys that existed before one was made. */
export const KEY_IDS = "ids";

/** The facts that a change of a key needs beside the key. */
export interface KeyContext {
  readonly origin: Intent["origin"];
  /** Whether the connection that sends it has signed in with this key. */
  readonly isInUse: boolean;
  /** Whether the key is as the exchange has just reported it; else it may have changed since. */
  readonly isCurrent: boolean;
  /** Returns the key as it is known at the moment; undefined when nothing is known of it. */
  readonly current: () => KnownKey | undefined;
  /** The lines that the confirmation says about the change. */
  readonly detail: readonly Plain[];
}

/**
 * Returns the intent to edit a key. It always carries `max_scope`: left out, the exchange makes it none. Of the other
 * fields only those that change go along, because everything sent overwrites what others changed since the read. Throws
 * `CallError` where nothing would change, or where the scope is neither known nor given.
 */
export function editKey(known: KnownKey, wish: KeyWish, context: KeyContext): Intent {
  const params = { id: known.id, max_scope: scopeToSend(known, wish), ...changedFields(known.key, wish, context) };
  const isNothing = Object.keys(params).length === 2 && isScopeAsWished(known.key, params.max_scope);
  if (context.isCurrent && isNothing) throw nothingToChange(known);
  return replacing(known, context, {
    method: KEY_METHODS.edit,
    params,
    action: l10n.t("Edit API Key"),
    sentence: l10n.t("Edit API key {0}", keyName(known)),
  });
}

/**
 * Returns the intent to change only what tokens of a key may do at most. Throws `CallError` where that is what they
 * may.
 */
export function changeKeyScope(known: KnownKey, maxScope: Scope, context: KeyContext): Intent {
  const params = { id: known.id, max_scope: scopeToSend(known, { max_scope: maxScope }) };
  if (context.isCurrent && isScopeAsWished(known.key, maxScope)) throw nothingToChange(known);
  return replacing(known, context, {
    method: KEY_METHODS.changeScope,
    params,
    action: l10n.t("Change Scope"),
    sentence: l10n.t("Change the scope of API key {0}", keyName(known)),
  });
}

/** Returns the intent to enable a key again. Throws `CallError` where it is enabled. */
export function enableKey(known: KnownKey, context: KeyContext): Intent {
  return switching(known, context, {
    method: KEY_METHODS.enable,
    params: { id: known.id },
    action: l10n.t("Enable API Key"),
    sentence: l10n.t("Enable API key {0}", keyName(known)),
  });
}

/** Returns the intent to disable a key. Throws `CallError` where it cannot be used anyway. */
export function disableKey(known: KnownKey, context: KeyContext): Intent {
  return switching(known, context, {
    method: KEY_METHODS.disable,
    params: { id: known.id },
    action: l10n.t("Disable API Key"),
    sentence: l10n.t("Disable API key {0}", keyName(known)),
  });
}

/**
 * Returns the intent to make a key. It always carries `max_scope`: left out, the exchange makes it none. The client
 * secret of the new key is in no intent, and in nothing else but the response.
 */
export function createKey(
  { max_scope: scope, name = "", enabled_features: features, public_key: publicKey }: NewKey,
  { origin, detail, idsBefore }: NewKeyContext,
): Intent {
  const params = {
    max_scope: scopeText(scope),
    ...(name === "" ? {} : { name }),
    ...(features === undefined || features.length === 0 ? {} : { enabled_features: features }),
    ...(publicKey === undefined ? {} : { public_key: publicKey }),
  };
  return {
    method: KEY_METHODS.create,
    paramsText: JSON.stringify(params),
    origin,
    words: {
      action: l10n.t("Create API Key"),
      target: name === "" ? l10n.t("new API key") : l10n.t("API key {0}", plain.text(name)),
      sentence: name === "" ? l10n.t("Create an API key") : l10n.t("Create API key {0}", plain.text(name)),
      detail,
      keep: l10n.t("Don't Create"),
    },
    ...(idsBefore === undefined ? {} : { before: { [KEY_IDS]: idsBefore.join(" ") } }),
  };
}

/**
 * Returns the intent to replace the client secret of a key. Throws `CallError` for a key that has a public key instead
 * of one.
 */
export function resetKey(known: KnownKey, context: KeyContext): Intent {
  const { id, key } = known;
  if ((key?.public_key ?? "") !== "")
    throw refused(
      l10n.t("API key {0} has a public key instead of a client secret, so there is none to reset.", keyName(known)),
    );
  const request: KeyRequest = {
    method: KEY_METHODS.reset,
    params: { id },
    action: l10n.t("Reset Secret"),
    sentence: l10n.t("Reset the client secret of API key {0}", keyName(known)),
  };
  const note = changeNote(request.method, request.params);
  // What is not known may be the key in use.
  const isTyped = context.isInUse || key === undefined;
  return {
    ...intentOf(known, context, request, note === undefined ? {} : { note }),
    ...(isTyped ? { typed: keyName(known) } : {}),
  };
}

/** Returns the intent to remove a key from the account. */
export function removeKey(known: KnownKey, context: KeyContext): Intent {
  const request: KeyRequest = {
    method: KEY_METHODS.remove,
    params: { id: known.id },
    action: l10n.t("Delete API Key"),
    sentence: l10n.t("Delete API key {0}", keyName(known)),
  };
  const note = l10n.t("Programs and connections that use this API key can't sign in anymore. This can't be undone.");
  return { ...intentOf(known, context, request, { note }), typed: keyName(known) };
}

/** Returns the name of a key, else its id. The user types it where a change has to be confirmed by typing. */
export function keyName({ id, key }: Pick<KnownKey, "id" | "key">): Plain {
  const name = key?.name ?? "";
  return name === "" ? plain`${id}` : plain.name(name);
}

interface KeyRequest {
  readonly method: string;
  readonly params: { readonly id: number } & Readonly<Record<string, unknown>>;
  readonly action: Plain;
  readonly sentence: Plain;
}

/** Returns a request that replaces the scope, whatever it is by now. */
function replacing(known: KnownKey, context: KeyContext, request: KeyRequest): Intent {
  const { key } = known;
  const isBlind = key?.max_scope === undefined || !context.isCurrent;
  const wished = request.params["max_scope"] as string;
  // What is not known may be the key in use, and may lose anything.
  const isTyped = isBlind || context.isInUse || losesScope(key.max_scope ?? [], wished);
  const note = isBlind
    ? { note: l10n.t("The current scope of this API key couldn't be read. This change replaces it.") }
    : {};
  return {
    ...intentOf(known, context, request, note),
    ...(isTyped ? { typed: keyName(known) } : {}),
    ...(isBlind ? { isBlind: true as const } : {}),
  };
}

/** Returns a request that sets `enabled` and touches nothing else. */
function switching(known: KnownKey, context: KeyContext, request: KeyRequest): Intent {
  const { key } = known;
  const { enabled } = askedFields(request.method, {}) ?? {};
  if (context.isCurrent && key?.enabled !== undefined && String(key.enabled) === enabled) throw nothingToChange(known);
  const isUnknown = key === undefined || !context.isCurrent;
  const isTyped = enabled === "false" && (context.isInUse || key === undefined);
  const note = isUnknown ? { note: l10n.t("Couldn't read whether this API key is currently enabled.") } : {};
  return { ...intentOf(known, context, request, note), ...(isTyped ? { typed: keyName(known) } : {}) };
}

function intentOf(
  known: KnownKey,
  context: KeyContext,
  { method, params, action, sentence }: KeyRequest,
  note: { readonly note?: Plain },
): Intent {
  const before = context.isCurrent ? fieldsBefore(known.key, method, params) : undefined;
  return {
    method,
    paramsText: JSON.stringify(params),
    origin: context.origin,
    words: {
      action,
      target: l10n.t("API key {0}", keyName(known)),
      sentence,
      ...note,
      detail: [identifiers(known), ...context.detail],
      keep: l10n.t("Keep API Key"),
    },
    ...(before === undefined ? {} : { before }),
    changedObject: () => (isSameKey(context.current()?.key, known.key) ? undefined : "apiKey"),
  };
}

/** Returns what identifies a key. Names may repeat, so the confirmation also says what differs. */
function identifiers({ id, key }: KnownKey): Plain {
  return key === undefined ? l10n.t("ID {0}", id) : l10n.t("ID {0} · client ID {1}", id, plain.name(key.client_id));
}

/** Returns the scope as it was read, including parts that are unknown here; else the wanted scope. */
function scopeToSend({ key }: KnownKey, { max_scope: wished }: KeyWish): string {
  const scope = wished ?? key?.max_scope;
  if (scope === undefined)
    throw refused(
      l10n.t("The current scope of this API key is unknown, and an edit replaces it. Enter the complete scope."),
    );
  return scopeText(scope);
}

function isScopeAsWished(key: ApiKey | undefined, wished: Scope): boolean {
  return key?.max_scope !== undefined && isSameScope(key.max_scope, wished);
}

/**
 * Returns all wanted fields of a key that was not just read, because its known state may be outdated; else the changed
 * ones.
 */
function changedFields(
  key: ApiKey | undefined,
  wish: KeyWish,
  { isCurrent }: KeyContext,
): Readonly<Record<string, unknown>> {
  const { name, enabled, enabled_features, ip_whitelist } = wish;
  const given = Object.entries({ name, enabled, enabled_features, ip_whitelist }).filter(
    ([, value]) => value !== undefined,
  );
  const isChange = ([field, value]: readonly [string, unknown]): boolean =>
    key === undefined || !isCurrent || !isSameValue(key[field], value);
  return Object.fromEntries(given.filter(isChange));
}

/** Whether two values are the same. A missing name or list is an empty one; the order of a list means nothing. */
function isSameValue(present: unknown, wished: unknown): boolean {
  if (Array.isArray(wished)) return sorted(present ?? []) === sorted(wished);
  return (present ?? (wished === "" ? "" : undefined)) === wished;
}

function sorted(list: unknown): string {
  return JSON.stringify(Array.isArray(list) ? [...(list as readonly unknown[])].map(String).sort() : list);
}

function fieldsBefore(key: ApiKey | undefined, method: string, params: KeyRequest["params"]): Fields | undefined {
  return key === undefined ? undefined : presentFields(key, askedFields(method, params) ?? {});
}

const SHOWN_FIELDS: Fields = {
  max_scope: "",
  name: "",
  enabled: "",
  enabled_features: "",
  ip_whitelist: "",
  client_id: "",
};

/** Whether two readings show the same key. A key that became known, or is gone, counts as another one. */
function isSameKey(now: ApiKey | undefined, shown: ApiKey | undefined): boolean {
  if (now === undefined || shown === undefined) return now === shown;
  const text = (key: ApiKey): string =>
    JSON.stringify(Object.entries(presentFields(key, SHOWN_FIELDS)).sort(([one], [other]) => (one < other ? -1 : 1)));
  return text(now) === text(shown);
}

function nothingToChange(known: KnownKey): CallError {
  return nothingToDo(l10n.t("Nothing to change: API key {0} already has these settings.", keyName(known)));
}
