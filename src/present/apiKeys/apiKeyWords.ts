import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { ApiKey, KnownKey } from "../../state/apiKeys.ts";
import { rowId } from "../rows/row.ts";
import { digitsText } from "../text/numbers.ts";
import { durationText } from "../text/times.ts";

/* Words on API keys that rows, pickers and messages share. */

/** Returns the name of a key, or a substitute where it has none. */
export function keyTitle({ id, key }: Pick<KnownKey, "id" | "key">): Plain {
  const name = plain.name(key?.name ?? "");
  return name === "" ? l10n.t("API key {0}", digitsText(id)) : name;
}

/** Returns the ID of the row of a key in the API Keys view. */
export function keyRowId(connectionId: string, keyId: number | string): string {
  return rowId(connectionId, "apiKeys", `key ${keyId}`);
}

/** Returns whether a key can be used, in a word. */
function enabledWord({ enabled }: Pick<ApiKey, "enabled">): Plain {
  if (enabled === undefined) return l10n.t("not stated");
  return enabled ? l10n.t("enabled") : l10n.t("disabled");
}

/** Returns all that tells one key from another, shortest first. */
export function keyTraits(known: KnownKey, inUseClientId: string | undefined): Plain[] {
  const { id, key } = known;
  const isNamed = plain.name(key?.name ?? "") !== "";
  return [
    ...(isNamed ? [l10n.t("ID {0}", digitsText(id))] : []),
    ...(key === undefined ? [l10n.t("details unknown")] : [enabledWord(key)]),
    ...(isInUse(known, inUseClientId) ? [l10n.t("in use")] : []),
  ];
}

/** Whether the session was signed in with this key. */
export function isInUse({ key }: Pick<KnownKey, "key">, inUseClientId: string | undefined): boolean {
  return inUseClientId !== undefined && key?.client_id === inUseClientId;
}

/** Returns the age of a key, or of its last change: the exchange does not say which. */
export function ageText(timestamp: number, nowMs: number): Plain {
  return l10n.t("{0} ago", durationText(nowMs - timestamp));
}

/** Returns what an advanced feature does. Core specification §4.3. */
export function featureMeaning(feature: string): Plain | undefined {
  switch (feature) {
    case "restricted_block_trades":
      return l10n.t("Can read only block trades made with this API key.");
    case "block_trade_approval":
      return l10n.t(
        "Block trades made with this API key require another user's approval. Block RFQ methods are not affected.",
      );
    default:
      return undefined;
  }
}

/** Returns the reason why an ID cannot belong to a key, as a sentence; undefined where it can. */
export function keyIdProblem(text: string): Plain | undefined {
  if (/^\d{1,15}$/.test(text)) return undefined;
  return l10n.t("Enter the ID of an API key: a whole number, for example 4.");
}
