import type { Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { scopeLines, type ScopeLine } from "../../catalogue/scopeLines.ts";
import type { ApiKey, KnownKey } from "../../state/apiKeys.ts";
import type { Snapshot } from "../../state/snapshot.ts";
import { ageText, enabledWord, featureMeaning, isInUse, keyTitle, keyTraits } from "./apiKeyWords.ts";
import { fitting } from "../text/fitting.ts";
import { fieldNodes, unreadableNodes } from "../rows/objectFields.ts";
import type { RowNode } from "../rows/nodes.ts";
import { countText, numberText } from "../text/numbers.ts";
import { pendingIcon, type PendingChange } from "../outcomes/pendingChanges.ts";
import type { ResourceWords } from "../rows/resourceHeading.ts";
import { sentenceLines, type RowIcon, type TooltipLine } from "../rows/row.ts";
import { grantedAreasText, scopeLineSentences, scopeLineTexts, spokenScopeLine } from "./scopes.ts";
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
  return failure.kind === "missingScope" || failure.kind === "refused" || failure.kind === "exchange";
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
  const sentences = [
    l10n.t("This connection uses the API key with the client ID {0}. Its ID and name are unknown.", label),
    l10n.t("Granted to this connection: {0}.", grantedAreasText(scope)),
  ];
  const all = scopeLines(scope);
  return [
    {
      key: "session",
      objectId: undefined,
      label,
      description: fitting(ROOM - label.length, [[l10n.t("in use"), l10n.t("ID unknown")], [l10n.t("in use")]]),
      icon: { name: "key", color: "charts.green" },
      spoken: plain.join(sentences, " "),
      contextValue: "apiKey.session",
      copyText: clientId,
      tooltip: [...sentenceLines(sentences), ...all.map((line) => tooltipOf(scopeLineTexts(line)))],
      below: () => all.map((line) => scopeLineNode(line, undefined)),
    },
  ];
}

function keyNode(known: KnownKey, snapshot: Snapshot<KnownKey>, context: ApiKeysContext): RowNode {
  const { key } = known;
  const { times } = context;
  const title = keyTitle(known);
  const traits = keyTraits(known, context.inUseClientId);
  const pending = context.pending?.get(String(known.id));
  // What a response showed after the list was read is younger than the list.
  const isStale = snapshot.status === "stale" && known.source !== "seen";
  const marks = [...(pending === undefined ? [] : [pendingWord(pending)]), ...(isStale ? [l10n.t("stale")] : [])];
  const sentences = keySentences(known, context);
  return {
    key: `key ${String(known.id)}`,
    objectId: String(known.id),
    label: title,
    description: fitting(ROOM - title.length, [
      [...marks, ...traits],
      [...marks, ...traits.slice(-2)],
      [...marks, ...traits.slice(-1)],
    ]),
    icon: keyIcon(known, context),
    spoken: plain.join(
      [
        ...sentences,
        ...(pending === undefined ? [] : [pendingSentence(pending)]),
        ...(isStale ? [l10n.t("Not up to date.")] : []),
      ],
      " ",
    ),
    contextValue: contextValue(known, isStale),
    copyText: key?.client_id ?? String(known.id),
    tooltip: [
      ...sentenceLines([
        ...sentences,
        ...(pending === undefined ? [] : [pendingSentence(pending)]),
        ...originSentences(known, snapshot, times),
      ]),
      ...(key?.max_scope === undefined ? [] : scopeLines(key.max_scope).map((line) => tooltipOf(scopeLineTexts(line)))),
    ],
    ...(key === undefined ? {} : { below: () => keyMembers(known, key, context) }),
  };
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

function pendingWord(pending: PendingChange): Plain {
  return pending === "sending" || pending === "editing" ? l10n.t("changing…") : l10n.t("outcome unknown");
}

function pendingSentence(pending: PendingChange): Plain {
  switch (pending) {
    case "sending":
    case "editing":
      return l10n.t("A change to this API key is in progress.");
    case "verifying":
      return l10n.t("The outcome of a change to this API key is unknown and is being checked.");
    case "unknown":
      return l10n.t("The outcome of a change to this API key is unknown.");
  }
}

/** Returns the key in a sentence or two. */
function keySentences(known: KnownKey, context: ApiKeysContext): Plain[] {
  const { key } = known;
  if (key === undefined) return [l10n.t("API key {0}: only the ID is known.", numberText(known.id))];
  const name = plain.name(key.name ?? "");
  const what =
    name === ""
      ? l10n.t("API key {0}, unnamed, {1}.", numberText(known.id), enabledWord(key))
      : l10n.t("API key {0}, ID {1}, {2}.", name, numberText(known.id), enabledWord(key));
  const age =
    key.timestamp === undefined ? [] : [l10n.t("Created or last changed {0}.", ageText(key.timestamp, context.nowMs))];
  const use = isInUse(known, context.inUseClientId) ? [l10n.t("This connection uses this API key.")] : [];
  return [what, ...use, l10n.t("Maximum scope: {0}.", grantedAreasText(key.max_scope)), ...age];
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
  return [
    ...scopeNodes(key, known),
    ...plainNodes.filter(({ key: name }) => name === "client_id"),
    ...(key.client_secret === undefined ? [] : [secretNode(known)]),
    ...(key.enabled === undefined
      ? []
      : [
          valueNode(
            { name: plain`enabled`, value: key.enabled ? l10n.t("yes") : l10n.t("no"), copyText: String(key.enabled) },
            known,
          ),
        ]),
    ...featureNodes(key, known),
    ...addressNodes(key, known),
    ...(key.timestamp === undefined
      ? []
      : [
          valueNode(
            {
              name: plain`timestamp`,
              value: ageText(key.timestamp, nowMs),
              copyText: String(key.timestamp),
              sentences: [
                l10n.t("Created or last changed {0} ({1}).", times.local(key.timestamp), times.utc(key.timestamp)),
              ],
            },
            known,
          ),
        ]),
    ...(key.default === undefined
      ? []
      : [
          valueNode(
            {
              name: plain`default`,
              value: key.default ? l10n.t("yes") : l10n.t("no"),
              copyText: String(key.default),
              sentences: [
                l10n.t("Whether this is the account's first API key. The exchange has deprecated this field."),
              ],
            },
            known,
          ),
        ]),
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
    {
      ...valueNode(
        {
          name: plain`max_scope`,
          value: granted === 0 ? l10n.t("nothing allowed") : l10n.t("{0} areas allowed", countText(granted)),
          copyText: [scope].flat().join(" "),
        },
        known,
      ),
      spoken: l10n.t(
        "max_scope, the maximum scope for access tokens created with this API key: {0}.",
        plain.join(all.map(spokenScopeLine), ", "),
      ),
      tooltip: [
        ...sentenceLines([l10n.t("Maximum scope for access tokens created with this API key.")]),
        ...all.map((line) => tooltipOf(scopeLineTexts(line))),
      ],
      below: () => all.map((line) => scopeLineNode(line, String(known.id))),
      isOpen: true,
    },
  ];
}

function scopeLineNode(line: ScopeLine, objectId: string | undefined): RowNode {
  const { label, value } = scopeLineTexts(line);
  const sentences = scopeLineSentences(line);
  const isNone = line.kind === "area" && line.level === "none";
  return {
    key: line.kind === "area" ? `area ${line.area}` : `other ${line.text}`,
    objectId,
    label,
    description: value,
    icon:
      line.kind === "area"
        ? {
            name: isNone ? "circle-slash" : line.level === "read" ? "eye" : "edit",
            color: isNone ? "disabledForeground" : undefined,
          }
        : undefined,
    spoken: plain.join([l10n.t("{0}.", spokenScopeLine(line)), ...sentences], " "),
    contextValue: "field",
    copyText: line.kind === "area" ? `${line.area}:${line.level}` : line.text,
    tooltip: [tooltipOf({ label, value }), ...sentenceLines(sentences)],
  };
}

/** Returns the item of a secret. It cannot be shown, and the item says so. */
function secretNode(known: KnownKey): RowNode {
  return {
    ...valueNode(
      {
        name: plain`client_secret`,
        value: l10n.t("never shown"),
        copyText: "",
        sentences: [l10n.t("Client secrets are removed from each response before Trading RPC uses it.")],
      },
      known,
    ),
    contextValue: "apiKey.secret",
  };
}

function featureNodes({ enabled_features: features }: ApiKey, known: KnownKey): RowNode[] {
  if (features === undefined) return [];
  const values = features.map((feature) => ({
    text: feature,
    sentences: [featureMeaning(feature) ?? ""].filter((sentence) => sentence !== ""),
  }));
  return [listNode({ name: plain`enabled_features`, none: l10n.t("none"), values }, known)];
}

function addressNodes({ ip_whitelist: addresses }: ApiKey, known: KnownKey): RowNode[] {
  if (addresses === undefined) return [];
  return [
    listNode(
      {
        name: plain`ip_whitelist`,
        none: l10n.t("any address"),
        values: addresses.map((text) => ({ text, sentences: [l10n.t("The API key can be used from here.")] })),
      },
      known,
    ),
  ];
}

interface ListMember {
  readonly name: Plain;
  /** The meaning of an empty list. */
  readonly none: Plain;
  readonly values: readonly { readonly text: string; readonly sentences: readonly Plain[] }[];
}

function listNode({ name, none, values }: ListMember, known: KnownKey): RowNode {
  const texts = values.map(({ text }) => plain.name(text));
  const node = valueNode(
    {
      name,
      value: values.length === 0 ? none : countText(values.length),
      copyText: values.map(({ text }) => text).join("\n"),
      sentences: values.flatMap(({ sentences }, index) => [texts[index] ?? "", ...sentences]),
    },
    known,
  );
  if (values.length === 0) return node;
  return {
    ...node,
    spoken: l10n.t("{0}: {1}", name, plain.join(texts, ", ")),
    below: () =>
      values.map(({ text, sentences }, index) => {
        const label = texts[index] ?? "";
        return {
          key: `${String(index)} ${text}`,
          objectId: String(known.id),
          label,
          description: "",
          icon: undefined,
          spoken: plain.join([l10n.t("{0}.", label), ...sentences], " "),
          contextValue: "field",
          copyText: text,
          tooltip: sentenceLines([label, ...sentences]),
        };
      }),
    isOpen: true,
  };
}

interface ValueMember {
  readonly name: Plain;
  readonly value: Plain;
  readonly copyText: string;
  readonly sentences?: readonly Plain[];
}

function valueNode({ name, value, copyText, sentences = [] }: ValueMember, known: KnownKey): RowNode {
  return {
    key: name,
    objectId: String(known.id),
    label: name,
    description: value,
    icon: undefined,
    spoken: l10n.t("{0}: {1}", name, value),
    contextValue: "field",
    copyText,
    tooltip: [tooltipOf({ label: name, value }), ...sentenceLines(sentences)],
  };
}

function keyIcon(known: KnownKey, { inUseClientId, pending }: ApiKeysContext): RowIcon {
  const change = pending?.get(String(known.id));
  if (change !== undefined) return pendingIcon(change);
  if (known.key === undefined) return { name: "question", color: "disabledForeground" };
  if (known.key.enabled === false) return { name: "circle-slash", color: "disabledForeground" };
  return { name: "key", color: isInUse(known, inUseClientId) ? "charts.green" : undefined };
}

/** The characters that a sidebar of 300 px shows of a row with an icon on the first level. */
const ROOM = 34;

function tooltipOf({ label, value }: { readonly label: Plain; readonly value: Plain }): TooltipLine {
  return { name: label, value };
}
