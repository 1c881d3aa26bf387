import type { Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { scopeLines, type Scope, type ScopeLevel, type ScopeLine } from "../../catalogue/scopeLines.ts";
import type { ApiKey, KnownKey } from "../../state/apiKeys.ts";
import type { Snapshot } from "../../state/snapshot.ts";
import { ageText, featureMeaning, isInUse, keyTitle, keyTraits } from "./apiKeyWords.ts";
import { fact, factNode, staleFact } from "../rows/facts.ts";
import { fieldNodes, unreadableNodes } from "../rows/objectFields.ts";
import type { RowNode } from "../rows/nodes.ts";
import { countText } from "../text/numbers.ts";
import { pendingFact, pendingIcon, type PendingChange } from "../outcomes/pendingChanges.ts";
import type { ResourceWords } from "../rows/resourceHeading.ts";
import { sentenceLines, type RowIcon, type TooltipLine } from "../rows/row.ts";
import { grantedAreasText, levelWords, scopeLineSentences, scopeLineTexts, spokenScopeLine } from "./scopes.ts";
import type { Times } from "../text/times.ts";

/* The API Keys view: keys, below each its scope as area × level and every other member. */

export interface ApiKeysContext {
  readonly times: Times;
  readonly nowMs: number;
  /** The client ID that the session signed in with; undefined where it is not known. */
  readonly inUseClientId: string | undefined;
  /** The scope that the session was granted; undefined while it is not signed in. */
  readonly grantedScope: string | undefined;
  /** The changes of keys that are under way, by ID; left out, there are none. */
  readonly pending?: ReadonlyMap<string, PendingChange>;
}

export function apiKeyNodes(snapshot: Snapshot<KnownKey>, context: ApiKeysContext): RowNode[] {
  return [
    ...sessionNodes(snapshot, context),
    ...[...snapshot.items.values()].map((known) => keyNode(known, snapshot, context)),
    ...unreadableNodes(
      "apiKeys",
      snapshot.unreadable,
      l10n.t("An item of the response that is not a valid API key, shown as received."),
      context.times,
    ),
  ];
}

/** The names of the items of the view. */
export const API_KEYS_WORDS: ResourceWords = {
  scope: "account:read",
  reading: (place) => l10n.t("Reading the API keys of {0}…", place),
  none: (place) => l10n.t("{0} returned no API keys.", place),
  notOffered: (place) => l10n.t("{0} doesn't support private/list_api_keys, so API keys can't be listed.", place),
  instead: (failure) =>
    isWithoutList(failure)
      ? l10n.t("Shown instead: the API key in use, those from Add API Key by ID…, and API keys seen in results.")
      : "",
};

/** Whether a failure means that there is no list, and not merely that it could not be read just now. */
function isWithoutList(failure: Failure): boolean {
  return ["missingScope", "notOffered", "refused", "exchange"].includes(failure.kind);
}

/** Returns the items of the key in use. The session's grant is known even where no response has described the key. */
function sessionNodes(
  { items, readAtMs }: Snapshot<KnownKey>,
  { inUseClientId: clientId, grantedScope: scope }: ApiKeysContext,
): RowNode[] {
  if (
    readAtMs !== undefined ||
    clientId === undefined ||
    scope === undefined ||
    [...items.values()].some((known) => isInUse(known, clientId))
  )
    return [];
  const label = plain.name(clientId);
  return [
    factNode({
      key: "session",
      label,
      subject: l10n.t("API key with the client ID {0}", label),
      facts: [
        fact(l10n.t("in use"), l10n.t("in use by this connection")),
        fact(l10n.t("ID unknown"), l10n.t("its ID and name are unknown"), 1),
        { sentence: l10n.t("granted to this connection: {0}", grantedAreasText(scope)) },
      ],
      icon: { name: "key", color: "charts.green" },
      contextValue: "apiKey.session",
      copyText: clientId,
      lines: () => scopeTooltip(scope),
      below: () => scopeLines(scope).map((line) => scopeLineNode(line, undefined)),
    }),
  ];
}

function keyNode(known: KnownKey, snapshot: Snapshot<KnownKey>, context: ApiKeysContext): RowNode {
  const { key } = known;
  const { times, nowMs } = context;
  const name = plain.name(key?.name ?? "");
  const traits = keyTraits(known, context.inUseClientId);
  const isUsed = isInUse(known, context.inUseClientId);
  // What a response showed after the list was read is younger than the list.
  const isStale = snapshot.status === "stale" && known.source !== "seen";
  return factNode({
    key: `key ${String(known.id)}`,
    objectId: String(known.id),
    label: keyTitle(known),
    subject: name === "" ? keyTitle(known) : l10n.t("API key {0}", name),
    facts: [
      pendingFact(context.pending?.get(String(known.id)), l10n.t("changing…")),
      staleFact(isStale),
      ...traits.map((mark, index) => ({
        mark,
        priority: traits.length - 1 - index,
        sentence: isUsed && index === traits.length - 1 ? l10n.t("in use by this connection") : mark,
      })),
      { sentence: key === undefined ? "" : l10n.t("maximum scope: {0}", grantedAreasText(key.max_scope)) },
      {
        sentence:
          key?.timestamp === undefined ? "" : l10n.t("created or last changed {0}", ageText(key.timestamp, nowMs)),
      },
    ],
    icon: keyIcon(known, context),
    contextValue: contextValue(known, isStale),
    copyText: key?.client_id ?? String(known.id),
    lines: () => [...sentenceLines(originSentences(known, snapshot, times)), ...scopeTooltip(key?.max_scope)],
    ...(key === undefined ? {} : { below: () => keyMembers(known, key, context) }),
  });
}

function scopeTooltip(scope: Scope | undefined): TooltipLine[] {
  const lines = scope === undefined ? [] : scopeLines(scope);
  return lines.map(scopeLineTexts).map(({ label, value }) => ({ name: label, value }));
}

/**
 * Returns flags for the menus: the source of the key, whether it is enabled, and last whether it is stale. A stale key
 * has no button in its row.
 */
function contextValue({ source, isTyped, key }: KnownKey, isStale: boolean): string {
  return [
    "apiKey",
    source,
    ...(isTyped ? ["removable"] : []),
    ...(key === undefined ? [] : ["known", ...enabledFlags(key)]),
    ...(isStale ? ["stale"] : []),
  ].join(".");
}

/** Returns the flags that make menus offer to enable the key or to disable it; both where its state is unknown. */
function enabledFlags({ enabled }: ApiKey): string[] {
  if (enabled === undefined) return [];
  return [enabled ? "enabled" : "disabled"];
}

function originSentences(
  { source, seenAtMs, isTyped }: KnownKey,
  { readAtMs }: Snapshot<KnownKey>,
  times: Times,
): Plain[] {
  if (source === "seen" && seenAtMs !== undefined)
    return [l10n.t("Shown as in a response received at {0}. Later changes are unknown.", times.clock(seenAtMs))];
  if (!isTyped || source === "listed") return [];
  return readAtMs === undefined
    ? [l10n.t("You added this ID. Its scope is shown here once a response includes it.")]
    : [l10n.t("You added this ID. The exchange doesn't list an API key with this ID.")];
}

/** Returns an item for every member of a key, under the exchange's own names. */
function keyMembers(known: KnownKey, key: ApiKey, context: ApiKeysContext): RowNode[] {
  const { times, nowMs } = context;
  const plainNodes = fieldNodes(key, times).filter(
    ({ key: name }) => name !== "client_secret" && (key[name] === undefined || !SHAPED_MEMBERS.includes(name)),
  );
  const flag = (name: "enabled" | "default", ...sentences: readonly Plain[]): RowNode[] => {
    const isOn = key[name];
    if (isOn === undefined) return [];
    return [
      valueNode(plain`${name}`, isOn ? l10n.t("yes") : l10n.t("no"), { copyText: String(isOn), sentences }, known),
    ];
  };
  return [
    ...scopeNodes(key, known),
    ...plainNodes.filter(({ key: name }) => name === "client_id"),
    ...(key.client_secret === undefined ? [] : [secretNode(known)]),
    ...flag("enabled"),
    ...featureNodes(key, known),
    ...addressNodes(key, known),
    ...(key.timestamp === undefined
      ? []
      : [
          valueNode(
            plain`timestamp`,
            ageText(key.timestamp, nowMs),
            {
              copyText: String(key.timestamp),
              sentences: [
                l10n.t("Created or last changed {0} ({1}).", times.local(key.timestamp), times.utc(key.timestamp)),
              ],
            },
            known,
          ),
        ]),
    ...flag("default", l10n.t("Whether this is the account's first API key. The exchange has deprecated this field.")),
    ...plainNodes.filter(({ key: name }) => name !== "client_id"),
  ];
}

/** The members that have a row of their own shape; all others, known or not, are shown as they are. */
const SHAPED_MEMBERS: readonly string[] = [
  "max_scope",
  "enabled",
  "enabled_features",
  "ip_whitelist",
  "timestamp",
  "default",
];

function scopeNodes({ max_scope: scope }: ApiKey, known: KnownKey): RowNode[] {
  if (scope === undefined) return [];
  const all = scopeLines(scope);
  const granted = all.filter((line) => line.kind === "area" && line.level !== "none").length;
  return [
    factNode({
      ...memberOf(plain`max_scope`, [scope].flat().join(" "), known),
      subject: l10n.t("max_scope, the maximum scope for access tokens created with this API key"),
      facts: [
        fact(
          granted === 0 ? l10n.t("nothing allowed") : l10n.t("{0} areas allowed", countText(granted)),
          plain.join(all.map(spokenScopeLine), ", "),
        ),
      ],
      below: () => all.map((line) => scopeLineNode(line, String(known.id))),
      isOpen: true,
    }),
  ];
}

function scopeLineNode(line: ScopeLine, objectId: string | undefined): RowNode {
  const { label, value } = scopeLineTexts(line);
  const isArea = line.kind === "area";
  const spoken = isArea ? levelWords(line.level) : value;
  return factNode({
    key: isArea ? `area ${line.area}` : `other ${line.text}`,
    objectId,
    label,
    facts: [
      fact(value, spoken === "" ? "" : l10n.t("{0}.", spoken)),
      ...scopeLineSentences(line).map((sentence) => ({ sentence })),
    ],
    ...(isArea ? { icon: LEVEL_ICONS[line.level] } : {}),
    contextValue: "field",
    copyText: isArea ? `${line.area}:${line.level}` : line.text,
  });
}

const LEVEL_ICONS: Readonly<Record<ScopeLevel, RowIcon>> = {
  none: { name: "circle-slash", color: "disabledForeground" },
  read: { name: "eye", color: undefined },
  read_write: { name: "edit", color: undefined },
};

/** Returns the item of a secret. It cannot be shown, and the item says so. */
function secretNode(known: KnownKey): RowNode {
  const sentences = [l10n.t("Client secrets are removed from each response before Trading RPC uses it.")];
  return {
    ...valueNode(plain`client_secret`, l10n.t("never shown"), { copyText: "", sentences }, known),
    contextValue: "apiKey.secret",
  };
}

function featureNodes({ enabled_features: texts }: ApiKey, known: KnownKey): RowNode[] {
  const meaningOf = (feature: string): Plain => featureMeaning(feature) ?? "";
  return listNodes({ name: plain`enabled_features`, none: l10n.t("none"), texts, meaningOf }, known);
}

function addressNodes({ ip_whitelist: texts }: ApiKey, known: KnownKey): RowNode[] {
  const meaningOf = (): Plain => l10n.t("The API key can be used from here.");
  return listNodes({ name: plain`ip_whitelist`, none: l10n.t("any address"), texts, meaningOf }, known);
}

interface ListMember {
  readonly name: Plain;
  /** The meaning of an empty list. */
  readonly none: Plain;
  readonly texts: readonly string[] | undefined;
  readonly meaningOf: (text: string) => Plain;
}

/** Returns the item of a list, with one below it for each text. */
function listNodes({ name, none, texts, meaningOf }: ListMember, known: KnownKey): RowNode[] {
  if (texts === undefined) return [];
  if (texts.length === 0) return [valueNode(name, none, { copyText: "" }, known)];
  const below = (): RowNode[] =>
    texts.map((text, index) =>
      factNode({
        ...memberOf(plain.name(text), text, known),
        key: `${String(index)} ${text}`,
        subject: l10n.t("{0}.", plain.name(text)),
        facts: [{ sentence: meaningOf(text) }],
      }),
    );
  const names = plain.join(
    texts.map((text) => plain.name(text)),
    ", ",
  );
  return [
    factNode({
      ...memberOf(name, texts.join("\n"), known),
      facts: [fact(countText(texts.length), names)],
      lines: () => sentenceLines(texts.map(meaningOf)),
      below,
      isOpen: true,
    }),
  ];
}

function memberOf(
  label: Plain,
  copyText: string,
  { id }: KnownKey,
): Pick<RowNode, "key" | "objectId" | "label" | "contextValue" | "copyText"> {
  return { key: label, objectId: String(id), label, contextValue: "field", copyText };
}

function valueNode(
  name: Plain,
  value: Plain,
  { copyText, sentences = [] }: { readonly copyText: string; readonly sentences?: readonly Plain[] },
  known: KnownKey,
): RowNode {
  return factNode({ ...memberOf(name, copyText, known), facts: [value], lines: () => sentenceLines(sentences) });
}

function keyIcon(known: KnownKey, { inUseClientId, pending }: ApiKeysContext): RowIcon {
  const change = pending?.get(String(known.id));
  if (change !== undefined) return pendingIcon(change);
  if (known.key === undefined) return { name: "question", color: "disabledForeground" };
  if (known.key.enabled === false) return { name: "circle-slash", color: "disabledForeground" };
  return { name: "key", color: isInUse(known, inUseClientId) ? "charts.green" : undefined };
}
