import { parseTree, type Node, type ParseError } from "jsonc-parser";
import { foreignEncoding } from "../../base/encoding.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import type { Environment } from "../../state/records.ts";
import type { FileProblem, FileVariable, ProblemCode, TextRange } from "../file/file.ts";
import { placeOf } from "../text/place.ts";
import { ENVIRONMENTS_BY_NAME, environmentName } from "../file/readRequest.ts";
import { readVariables } from "../file/runOptions.ts";
import { secretNodes } from "../text/secrets.ts";
import { MAX_REQUEST_DEPTH, splitRequests } from "../file/split.ts";
import { syntaxSentence } from "../text/syntax.ts";
import type { EnvironmentVariables } from "./variables.ts";

/**
 * The names of environment files: `rpc.env.local.json` is personal and stands before the committed `rpc.env.json` of
 * its folder. Their sections are kinds of connection, never addresses: a file cannot introduce an endpoint.
 */
export const ENVIRONMENT_FILE_NAMES = ["rpc.env.local.json", "rpc.env.json"] as const;

/** An environment file, read. */
export interface EnvironmentFile {
  readonly uri: string;
  readonly text: string;
  /** The variables by section: `*`, `sim`, `test`, `prod`. */
  readonly sections: ReadonlyMap<string, readonly FileVariable[]>;
  /**
   * The environments that the request files of its folder and below may be sent to, by `$allow`; undefined if it is
   * absent.
   */
  readonly allow: readonly Environment[] | undefined;
  /** The problems, all of them errors: with any of them, the value that is sent might not be the one that is meant. */
  readonly problems: readonly FileProblem[];
}

/** The longest file that is read, in UTF-16 units. */
const MAX_LENGTH = 1024 * 1024;

/**
 * Returns the possible places of environment files for a request file: nearest folder first, up to `rootUri`. Outside
 * of it, only beside the file.
 */
export function environmentFileUris(fileUri: string, rootUri: string | undefined): readonly string[] {
  const root = rootUri?.replace(/[\\/]$/, "");
  const own = folderOf(fileUri);
  const folders = [own];
  if (root !== undefined && (own === root || /^[\\/]/.test(own.startsWith(root) ? own.slice(root.length) : ""))) {
    for (let folder = own; folder.length > root.length;) folders.push((folder = folderOf(folder)));
  }
  const slash = /[\\/](?=[^\\/]*$)/.exec(fileUri)?.[0] ?? "/";
  return folders.flatMap((folder) => ENVIRONMENT_FILE_NAMES.map((name) => `${folder}${slash}${name}`));
}

/** Reads an environment file: JSON with comments. Never throws. */
export function readEnvironmentFile(uri: string, text: string): EnvironmentFile {
  const problems: FileProblem[] = [];
  const report = (code: ProblemCode, range: TextRange, message: Plain): void =>
    void problems.push({ code, range, message, severity: "error", requestIndex: undefined });
  const root = readTree(text, report);
  const reader: Reader = { text, report, sections: new Map() };
  const allow = root === undefined ? undefined : readSections(root, reader);
  return { uri, text, sections: reader.sections, allow, problems };
}

/**
 * Returns the variables of the files around a request file, as `createLookup` takes them. The nearest folder comes
 * first. Within a folder the section of the environment comes before `*`; within a section the personal file before the
 * committed one.
 */
export function environmentVariables(
  files: readonly EnvironmentFile[],
  environment: Environment,
): readonly EnvironmentVariables[] {
  const sections = [environmentName(environment), "*"];
  const ordered = [...files].sort((left, right) => folderOf(right.uri).length - folderOf(left.uri).length);
  const folders = [...new Set(ordered.map(({ uri }) => folderOf(uri)))];
  return folders.flatMap((folder) => {
    const own = ordered
      .filter(({ uri }) => folderOf(uri) === folder)
      .sort((left, right) => rankOf(left) - rankOf(right));
    return sections.flatMap((section) => own.flatMap((file) => sectionOf(file, section)));
  });
}

/**
 * Returns the reason why nothing may be sent there, in a sentence; undefined where all of the files allow it. A file
 * can only narrow what a connection allows.
 */
export function allowedBy(files: readonly EnvironmentFile[], environment: Environment): Plain | undefined {
  for (const { uri, text, problems, allow } of files) {
    const name = plain.name(uri.split(/[\\/]/).at(-1) ?? "");
    const [first] = problems;
    if (first !== undefined) {
      const { line, column } = placeOf(text, first.range.start);
      return l10n.t("{0}, line {1}, column {2}: {3}", name, line, column, first.message);
    }
    if (allow === undefined || allow.includes(environment)) continue;
    const names = plain.join(allow.map(environmentName), ", ");
    return l10n.t(
      "{0} restricts with $allow where requests in its folder can be sent ({1}). This connection is {2}.",
      name,
      names === "" ? l10n.t("nowhere") : names,
      environmentName(environment),
    );
  }
  return undefined;
}

type Report = (code: ProblemCode, range: TextRange, message: Plain) => void;

interface Reader {
  readonly text: string;
  readonly report: Report;
  readonly sections: Map<string, readonly FileVariable[]>;
}

/** Returns the root object; undefined where the text has none, or an error. */
function readTree(text: string, report: Report): Node | undefined {
  const whole = { start: 0, end: text.length };
  if (text.length > MAX_LENGTH) {
    report(
      "fileTooLarge",
      { start: 0, end: 0 },
      l10n.t("Environment files can have up to {0} MiB.", MAX_LENGTH / 1024 / 1024),
    );
    return undefined;
  }
  const encoding = foreignEncoding(text);
  if (encoding !== undefined) {
    report("fileKind", { start: 0, end: 0 }, l10n.t("The file is encoded in {0}. Save it as UTF-8.", encoding));
    return undefined;
  }
  const { root, tooDeepAt } = splitRequests(text);
  if (tooDeepAt !== undefined) {
    report(
      "tooDeep",
      { start: tooDeepAt, end: tooDeepAt + 1 },
      l10n.t("Brackets are nested deeper than {0} levels here.", MAX_REQUEST_DEPTH),
    );
    return undefined;
  }
  // An empty file says nothing, and is how each of them begins.
  if (root === "nothing" && text.trim() === "") return undefined;
  const errors: ParseError[] = [];
  const tree = parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined)
    report(
      "syntax",
      { start: error.offset, end: error.offset + Math.max(1, error.length) },
      syntaxSentence(text, error),
    );
  else if (tree?.type !== "object")
    report(
      "fileKind",
      whole,
      l10n.t('An environment file must be an object: { "*": { "name": value }, "test": { … } }.'),
    );
  return error === undefined && tree?.type === "object" ? tree : undefined;
}

/** Returns what `$allow` says. */
function readSections(root: Node, reader: Reader): EnvironmentFile["allow"] {
  reportDuplicates(root, reader.report);
  let allow: EnvironmentFile["allow"];
  for (const { children } of root.children ?? []) {
    const [key, value] = children ?? [];
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    if (name === "$allow") allow = readAllow(value, reader.report);
    else if (SECTIONS.includes(name)) reader.sections.set(name, readSection(value, reader));
    else if (name !== "$schema")
      reader.report(
        "unknownMember",
        rangeOf(key),
        l10n.t(
          "{0} is not a kind of connection. Use one of {1}. Addresses are set only in connections.",
          plain.name(name),
          plain.text(SECTIONS.join(", ")),
        ),
      );
  }
  return allow;
}

const SECTIONS: readonly string[] = ["*", ...ENVIRONMENTS_BY_NAME.keys()];

function readSection(value: Node, { text, report }: Reader): readonly FileVariable[] {
  for (const { node, name } of secretNodes(value)) {
    report(
      "secretLiteral",
      rangeOf(node),
      l10n.t(
        "{0} is a secret. Don't put secrets in files, because files get shared and committed. The connection signs in automatically.",
        plain.name(name),
      ),
    );
  }
  if (text.slice(value.offset, value.offset + value.length).includes(SESSION_REFRESH_TOKEN)) {
    report(
      "placeholder",
      rangeOf(value),
      l10n.t("{0} can only be used as the whole refresh_token value of public/exchange_token.", SESSION_REFRESH_TOKEN),
    );
  }
  return readVariables(value, {
    text,
    rangeOf,
    report: (node, message) => report("runOptions", rangeOf(node), message),
  });
}

/** Reads `$allow`. A value that cannot be understood must not be ignored: it may forbid what would be sent. */
function readAllow(value: Node, report: Report): EnvironmentFile["allow"] {
  const names = value.type === "array" ? (value.children ?? []).map((child) => String(child.value)) : undefined;
  const allow = names?.flatMap((name) => ENVIRONMENTS_BY_NAME.get(name) ?? []);
  if (allow !== undefined && allow.length === names?.length) return allow;
  report(
    "filePin",
    rangeOf(value),
    l10n.t(
      '$allow must be an array of {0}, for example ["sim", "test"].',
      plain.text([...ENVIRONMENTS_BY_NAME.keys()].join(", ")),
    ),
  );
  return [];
}

function reportDuplicates(node: Node, report: Report): void {
  const names = new Set<string>();
  for (const child of node.children ?? []) {
    const key = node.type === "object" ? child.children?.[0] : undefined;
    if (key !== undefined && names.has(String(key.value)))
      report(
        "duplicateKey",
        rangeOf(key),
        l10n.t(
          "Duplicate key {0}: only one of the values would be used. Remove or rename one of them.",
          plain.name(String(key.value)),
        ),
      );
    if (key !== undefined) names.add(String(key.value));
    reportDuplicates(child, report);
  }
}

function sectionOf({ uri, sections }: EnvironmentFile, section: string): readonly EnvironmentVariables[] {
  const variables = sections.get(section);
  return variables === undefined
    ? []
    : [
        {
          source: { kind: "environment", uri, section },
          values: new Map(variables.map(({ name, valueText }) => [name, valueText])),
        },
      ];
}

function rankOf({ uri }: EnvironmentFile): number {
  return uri.endsWith(ENVIRONMENT_FILE_NAMES[0]) ? 0 : 1;
}

function folderOf(uri: string): string {
  return uri.replace(/[\\/][^\\/]*$/, "");
}

function rangeOf({ offset, length }: Pick<Node, "offset" | "length">): TextRange {
  return { start: offset, end: offset + length };
}
