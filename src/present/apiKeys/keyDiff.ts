import type { KeyWish } from "../../actions/changes/apiKeys.ts";
import { addressBits, isPrefix } from "../../base/ipAddress.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { scopeChanges, scopeText } from "../../catalogue/scopeLines.ts";
import type { ApiKey } from "../../state/apiKeys.ts";
import { featureMeaning } from "./apiKeyWords.ts";
import { grantedAreasText, isLoss, rightsBetween, type AreaChange } from "./scopes.ts";

/*
 * A key before and after a change, in lines: what is different, what it breaks, and what that means for whoever asks.
 */

export interface KeyDiffContext {
  /** Whether the connection has signed in with this key. */
  readonly isInUse: boolean;
  /** The time when the key was seen, in words; undefined where it was read just now. */
  readonly seenAt: Plain | undefined;
}

/**
 * Returns the changes to a key, a line for each field and area. `key` is undefined where it is unknown. For a key that
 * was seen earlier, everything that is sent is listed, even what was so then: it may be otherwise now.
 */
export function keyDiffLines(key: ApiKey | undefined, wish: KeyWish, { isInUse, seenAt }: KeyDiffContext): Plain[] {
  const seen =
    key === undefined || seenAt === undefined
      ? []
      : [l10n.t("Compared with the API key in a response received at {0}. Later changes are unknown.", seenAt)];
  const lines = [scopeDiffLines, nameLines, enabledLines, featureLines, addressLines].flatMap((linesOf) => {
    const different = linesOf(key, wish);
    return different.length > 0 || seenAt === undefined ? different : linesOf(undefined, wish);
  });
  return [...seen, ...lines, ...useLines(key, wish, isInUse)];
}

function useLines(key: ApiKey | undefined, wish: KeyWish, isInUse: boolean): Plain[] {
  if (isInUse) return [l10n.t("This connection uses this API key."), ...connectionLossLines(key, wish)];
  return key === undefined ? [l10n.t("This may be the API key this connection uses: its client ID is unknown.")] : [];
}

/**
 * Returns what a connection has to expect after the key that it uses was changed, in sentences. Undefined where the key
 * lost nothing. Reliability F79: nothing restores the key, and nothing tries again and again.
 */
export function lostByConnectionText(before: ApiKey | undefined, after: ApiKey, place: Plain): Plain | undefined {
  const wish: KeyWish = {
    ...(after.max_scope === undefined ? {} : { max_scope: after.max_scope }),
    ...(after.enabled === undefined ? {} : { enabled: after.enabled }),
  };
  const losses = connectionLossLines(before, wish);
  if (losses.length === 0) return undefined;
  const next =
    after.enabled === false
      ? l10n.t(
          "The exchange may refuse this connection at any time. It then stays locked and doesn't retry the sign-in or enable the API key. To enable it, use another API key or the exchange's website.",
        )
      : l10n.t(
          "The previous scope may keep working until the exchange ends it, which can happen at any time. The connection then signs in once with the remaining scope, and is locked if that is refused. It doesn't retry or restore the scope.",
        );
  return plain.join([l10n.t("The API key of {0} was changed as requested.", place), ...losses, next], " ");
}

/**
 * Returns the reason why an address cannot stand in the list, as a sentence. Undefined where it can: IPv4 or IPv6,
 * alone or as a subnet.
 */
export function addressProblem(text: string): Plain | undefined {
  const [address = "", prefix, ...rest] = text.split("/");
  const bits = addressBits(address);
  if (bits === undefined || rest.length > 0)
    return l10n.t(
      "Enter an IPv4 or IPv6 address or a subnet, for example 203.0.113.7, 198.51.100.0/24, or 2001:db8::/32.",
    );
  return prefix === undefined || isPrefix(prefix, bits)
    ? undefined
    : l10n.t("The prefix length after the slash must be a number from 0 to {0}.", bits);
}

/** Returns the reason why a key cannot have a name, as a sentence; undefined where it can. Core specification §4.3. */
export function keyNameProblem(text: string): Plain | undefined {
  if (/^\w{1,16}$/.test(text)) return undefined;
  return text.length > 16
    ? l10n.t("A name can have up to 16 characters. This one has {0}.", text.length)
    : l10n.t("A name must have 1 to 16 letters, digits, or underscores.");
}

/**
 * Returns the reason why a scope cannot be sent, as a sentence; undefined where it can. Unknown words can be sent:
 * gateways have their own.
 */
export function scopeTextProblem(text: string): Plain | undefined {
  const odd = text.split(/\s+/).find((entry) => entry !== "" && !/^[\w#.:*@=/+-]+$/.test(entry));
  if (odd !== undefined)
    return l10n.t(
      '"{0}" is not a valid scope. Use entries such as trade:read_write, separated by spaces.',
      plain.name(odd),
    );
  return /^\s*$/.test(text)
    ? l10n.t("Enter at least one scope, for example account:none. With an empty scope, the API key can't do anything.")
    : undefined;
}

function scopeDiffLines(key: ApiKey | undefined, { max_scope: wished }: KeyWish): Plain[] {
  if (wished === undefined) return [];
  if (key?.max_scope === undefined)
    return [l10n.t("max_scope: unknown → {0} (allows: {1})", shownScope(scopeText(wished)), grantedAreasText(wished))];
  const { areas, added, removed } = scopeChanges(key.max_scope, wished);
  return [
    ...areas.map((change) => plain`${word(change.area)}: ${change.from} → ${change.to}${effectText(change)}`),
    ...removed.map((entry) => l10n.t("{0}: removed from the scope", word(entry))),
    ...added.map((entry) => l10n.t("{0}: added to the scope", word(entry))),
  ];
}

/** Returns what the step from one level to another gives or takes, in brackets; empty for unknown areas. */
function effectText(change: AreaChange): Plain {
  const words = rightsBetween(change);
  if (words === "") return "";
  return isLoss(change) ? plain` ${l10n.t("(loses: {0})", words)}` : plain` ${l10n.t("(gains: {0})", words)}`;
}

function nameLines(key: ApiKey | undefined, { name }: KeyWish): Plain[] {
  if (name === undefined || name === key?.name) return [];
  return [plain`name: ${key === undefined ? l10n.t("unknown") : orNone(key.name)} → ${orNone(name)}`];
}

function enabledLines(key: ApiKey | undefined, { enabled }: KeyWish): Plain[] {
  if (enabled === undefined || enabled === key?.enabled) return [];
  const before = key?.enabled === undefined ? l10n.t("unknown") : yesOrNo(key.enabled);
  const meaning = enabled
    ? l10n.t("it can be used to sign in")
    : l10n.t("it can't be used to sign in, and its access tokens may end immediately");
  return [plain`enabled: ${before} → ${yesOrNo(enabled)} (${meaning})`];
}

function featureLines(key: ApiKey | undefined, { enabled_features: wished }: KeyWish): Plain[] {
  return listLines("enabled_features", {
    before: key === undefined ? undefined : (key.enabled_features ?? []),
    after: wished,
    meaningOf: (feature) => featureMeaning(feature) ?? "",
  });
}

function addressLines(key: ApiKey | undefined, { ip_whitelist: wished }: KeyWish): Plain[] {
  const before = key === undefined ? undefined : (key.ip_whitelist ?? []);
  const lines = listLines("ip_whitelist", { before, after: wished, meaningOf: () => "" });
  if (wished === undefined || lines.length === 0) return lines;
  const isAny = wished.length === 0;
  if (!isAny && before !== undefined && before.length > 0) return lines;
  return [
    ...lines,
    isAny
      ? l10n.t("ip_whitelist: empty, so the API key can be used from any address")
      : l10n.t("ip_whitelist: the API key can be used only from the listed addresses"),
  ];
}

interface ListChange {
  readonly before: readonly string[] | undefined;
  readonly after: readonly string[] | undefined;
  /** Returns the meaning of an entry, as a sentence; empty where there is nothing to say. */
  readonly meaningOf: (entry: string) => Plain;
}

function listLines(name: "enabled_features" | "ip_whitelist", { before, after, meaningOf }: ListChange): Plain[] {
  if (after === undefined) return [];
  if (before === undefined)
    return [
      plain`${name}: ${l10n.t("unknown")} → ${after.length === 0 ? l10n.t("none") : plain.join(after.map(word), ", ")}`,
    ];
  const line = (sign: "+" | "−", entry: string): Plain => {
    const meaning = meaningOf(entry);
    const change = plain`${name}: ${sign} ${word(entry)}`;
    return meaning === "" ? change : plain`${change} (${meaning})`;
  };
  return [
    ...before.filter((entry) => !after.includes(entry)).map((entry) => line("−", entry)),
    ...after.filter((entry) => !before.includes(entry)).map((entry) => line("+", entry)),
  ];
}

/** Returns what the connection itself can no longer do, in a sentence. */
function connectionLossLines(key: ApiKey | undefined, wish: KeyWish): Plain[] {
  if (wish.enabled === false && key?.enabled !== false)
    return [
      l10n.t("Without this API key, this connection can't sign in again or do anything that requires an account."),
    ];
  if (wish.max_scope === undefined || key?.max_scope === undefined) return [];
  const { areas, removed } = scopeChanges(key.max_scope, wish.max_scope);
  const losses = areas.filter(isLoss).map((change) => {
    const words = rightsBetween(change);
    return words === "" ? plain`${word(change.area)}:${change.from}` : words;
  });
  const all = [...losses, ...removed.map(word)];
  return all.length === 0 ? [] : [l10n.t("This connection then loses: {0}.", plain.join(all, "; "))];
}

function shownScope(scope: string): Plain {
  return scope === "" ? l10n.t("none") : plain.text(scope, MAX_SCOPE);
}

function orNone(text: string | undefined): Plain {
  return text === undefined || text === "" ? l10n.t("none") : word(text);
}

function yesOrNo(isYes: boolean): Plain {
  return isYes ? l10n.t("yes") : l10n.t("no");
}

function word(text: string): Plain {
  return plain.name(text);
}

const MAX_SCOPE = 300;
