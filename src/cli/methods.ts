import * as l10n from "@vscode/l10n";
import { plain } from "../base/plain.ts";
import { bareMethod } from "../catalogue/index.ts";
import { channelTable, methodTable, type ChannelEntry, type MethodEntry } from "../catalogue/reference/methodTable.ts";
import { openRpcDocument } from "../catalogue/reference/openRpc.ts";
import { channelDetails, channelList, methodDetails, methodList } from "../present/requests/methodText.ts";
import { nearest } from "../requests/text/nearest.ts";
import { presets } from "../state/records.ts";
import type { MethodsWishes } from "./arguments.ts";

/** The text of a command, or sentences about names that are not known. */
export type MethodsAnswer =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "wrong"; readonly messages: readonly string[] };

/** Describes the methods or channels that are wanted. `version`: that of the program. */
export function describeMethods({ names, isAboutChannels, format }: MethodsWishes, version: string): MethodsAnswer {
  if (format === "openrpc") return { kind: "text", text: `${JSON.stringify(openRpc(version), undefined, 2)}\n` };
  return isAboutChannels
    ? described<ChannelEntry>(channelTable(), { names, format, nameOf: ({ pattern }) => pattern, ...CHANNEL_TEXTS })
    : described<MethodEntry>(methodTable(), {
        names: names.map(bareMethod),
        format,
        nameOf: ({ name }) => name,
        ...METHOD_TEXTS,
      });
}

interface Describing<E> {
  readonly names: readonly string[];
  readonly format: MethodsWishes["format"];
  readonly nameOf: (entry: E) => string;
  readonly list: (entries: readonly E[]) => string;
  readonly details: (entry: E) => string;
  readonly unknown: (name: string, near: readonly string[]) => string;
}

const METHOD_TEXTS = {
  list: methodList,
  details: methodDetails,
  unknown: (name: string, near: readonly string[]): string =>
    near.length === 0
      ? l10n.t("Unknown method {0}.", plain.name(name))
      : l10n.t("Unknown method {0}. Did you mean {1}?", plain.name(name), near.join(", ")),
};

const CHANNEL_TEXTS = {
  list: channelList,
  details: channelDetails,
  unknown: (name: string, near: readonly string[]): string =>
    near.length === 0
      ? l10n.t("Unknown channel {0}.", plain.name(name))
      : l10n.t("Unknown channel {0}. Did you mean {1}?", plain.name(name), near.join(", ")),
};

function described<E>(
  all: readonly E[],
  { names, format, nameOf, list, details, unknown }: Describing<E>,
): MethodsAnswer {
  const byName = new Map(all.map((entry) => [nameOf(entry), entry]));
  const missing = names.filter((name) => !byName.has(name));
  if (missing.length > 0)
    return { kind: "wrong", messages: missing.map((name) => unknown(name, alike(name, [...byName.keys()]))) };
  const wanted = names.length === 0 ? all : names.flatMap((name) => byName.get(name) ?? []);
  if (format === "json")
    return { kind: "text", text: `[\n${wanted.map((entry) => ` ${JSON.stringify(entry)}`).join(",\n")}\n]\n` };
  return { kind: "text", text: names.length === 0 ? list(wanted) : wanted.map(details).join("\n") };
}

/** Returns the names that an unknown one may have meant: those that end with it, else those that are most alike. */
function alike(typed: string, names: readonly string[]): readonly string[] {
  const ending = names.filter((name) => name.endsWith(`/${typed}`));
  return ending.length > 0 ? ending : nearest(typed, names);
}

function openRpc(version: string): unknown {
  const servers = presets().flatMap(({ declared, url }) => (url === "" ? [] : [{ name: declared, url }]));
  return openRpcDocument({ version, servers }, methodTable());
}
