import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { bareMethod, isOfferedAt, type Service } from "../catalogue/index.ts";
import { channelTable, methodTable, type ChannelEntry, type MethodEntry } from "../catalogue/reference/methodTable.ts";
import { openRpcDocument } from "../catalogue/reference/openRpc.ts";
import { methodReferences } from "../catalogue/reference/reference.ts";
import { channelDetails, channelList, methodDetails, methodList } from "../present/requests/methodText.ts";
import { nearest } from "../requests/text/nearest.ts";
import { presets } from "../state/records.ts";
import type { MethodsWishes } from "./methodsArguments.ts";
import { EXIT, type ExitCode } from "./report.ts";
import { complain, type Shell } from "./shell.ts";

/** Prints what is known of methods or channels. */
export function printMethods(
  wishes: MethodsWishes,
  shell: Pick<Shell, "version" | "writeOut" | "writeError">,
): ExitCode {
  const described = describeMethods(wishes, shell.version);
  if (described.kind === "wrong") return complain(shell, described.messages, EXIT.usage);
  shell.writeOut(described.text);
  return EXIT.passed;
}

/** The text of a command, or sentences about names that are not known. */
export type MethodsAnswer =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "wrong"; readonly messages: readonly Plain[] };

/** Describes the methods or channels that are wanted. `version`: that of the program. */
export function describeMethods(wishes: MethodsWishes, version: string): MethodsAnswer {
  const { names, isAboutChannels, format, environment } = wishes;
  const service = environment === undefined ? undefined : environment === "gateway" ? "gateway" : "native";
  if (format === "openrpc") return { kind: "text", text: `${JSON.stringify(openRpc(version), undefined, 2)}\n` };
  return isAboutChannels
    ? described<ChannelEntry>({ names, format, service, ...CHANNELS })
    : described<MethodEntry>({ names: names.map(bareMethod), format, service, ...METHODS });
}

interface Describing<E> {
  readonly names: readonly string[];
  readonly format: MethodsWishes["format"];
  /** The kind of server that has to offer what is listed; undefined: all are listed. */
  readonly service: Service | undefined;
  /** Returns the names of all entries. */
  readonly known: () => readonly string[];
  /** Returns the entries with these names, or all. */
  readonly table: (names?: readonly string[]) => readonly E[];
  readonly nameOf: (entry: E) => string;
  readonly list: (entries: readonly E[]) => string;
  readonly details: (entry: E) => string;
  readonly unknown: (name: string, near: readonly string[]) => Plain;
}

const METHODS: Omit<Describing<MethodEntry>, "names" | "format" | "service"> = {
  known: () => methodReferences().map(({ name }) => name),
  table: methodTable,
  nameOf: ({ name }) => name,
  list: methodList,
  details: methodDetails,
  unknown: (name, near) =>
    near.length === 0
      ? l10n.t("Unknown method {0}.", plain.name(name))
      : l10n.t("Unknown method {0}. Did you mean {1}?", plain.name(name), plain.text(near.join(", "))),
};

const CHANNELS: Omit<Describing<ChannelEntry>, "names" | "format" | "service"> = {
  known: () => channelTable().map(({ pattern }) => pattern),
  table: channelTable,
  nameOf: ({ pattern }) => pattern,
  list: channelList,
  details: channelDetails,
  unknown: (name, near) =>
    near.length === 0
      ? l10n.t("Unknown channel {0}.", plain.name(name))
      : l10n.t("Unknown channel {0}. Did you mean {1}?", plain.name(name), plain.text(near.join(", "))),
};

function described<E extends Pick<MethodEntry, "offeredBy">>(wanting: Describing<E>): MethodsAnswer {
  const { names, format, service, known, table, nameOf, list, details, unknown } = wanting;
  const all = known();
  const missing = names.filter((name) => !all.includes(name));
  if (missing.length > 0) return { kind: "wrong", messages: missing.map((name) => unknown(name, alike(name, all))) };
  const found = table(names.length === 0 ? undefined : names);
  const entries = found.filter(({ offeredBy }) => service === undefined || offeredBy.includes(service));
  // Who asks for names is told of each that is not there.
  if (names.length > 0 && entries.length < found.length)
    return {
      kind: "wrong",
      messages: found.filter((entry) => !entries.includes(entry)).map((entry) => notOffered(nameOf(entry))),
    };
  const byName = new Map(entries.map((entry) => [nameOf(entry), entry]));
  const wanted = names.length === 0 ? entries : names.flatMap((name) => byName.get(name) ?? []);
  if (format === "json")
    return { kind: "text", text: `[\n${wanted.map((entry) => ` ${JSON.stringify(entry)}`).join(",\n")}\n]\n` };
  return { kind: "text", text: names.length === 0 ? list(wanted) : wanted.map(details).join("\n") };
}

function notOffered(name: string): Plain {
  return l10n.t("{0} is not offered in this environment.", plain.name(name));
}

/** Returns the names that an unknown one may have meant: those that end with it, else those that are most alike. */
function alike(typed: string, names: readonly string[]): readonly string[] {
  const ending = names.filter((name) => name.endsWith(`/${typed}`));
  return ending.length > 0 ? ending : nearest(typed, names);
}

/** Returns the document about the exchange itself: its partner's gateway has other methods. */
function openRpc(version: string): unknown {
  const servers = presets().flatMap(({ declared, url }) =>
    url === "" || declared === "gateway" ? [] : [{ name: declared, url }],
  );
  const methods = methodTable().filter(({ name }) => isOfferedAt(name, "native"));
  return openRpcDocument({ version, servers }, methods);
}
