import { getNodeValue, parseTree, type Node, type ParseError } from "jsonc-parser";
import { bareMethod, effectOf } from "../../catalogue/index.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Environment } from "../../state/records.ts";
import type { Expectation, FilePin, FileProblem, FileRequest, ProblemCode, TextRange } from "./file.ts";
import { pureJson } from "../text/pureJson.ts";
import { NO_RUN_OPTIONS, readRunOptions, readVariables, type RunSource } from "./runOptions.ts";
import { syntaxSentence } from "../text/syntax.ts";

/** The content of one request. */
export type RequestReading = Omit<FileRequest, "index" | "range" | "outline" | "content">;

/** A request alone, independent of its place. */
interface RequestSource {
  readonly text: string;
  /** Whether nothing stands before it in its file. */
  readonly isFirst: boolean;
}

/**
 * Reads one request. Its places count from its beginning, and it counts as number 0, until `placedReading` places it.
 * Never throws; its nesting must have been found to be bounded.
 */
export function readRequest({ text, isFirst }: RequestSource): RequestReading {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const reader: Reader = { isFirst, text, problems: [], members: membersOf(root) };
  const [error] = errors;
  return error === undefined && root !== undefined ? readWhole(reader, root) : readBroken(reader, error);
}

/** Reads a request with a syntax error. Only its method is given, as far as it can be seen: it will not be sent. */
function readBroken(reader: Reader, error: ParseError | undefined): RequestReading {
  if (error !== undefined) {
    const at = { offset: error.offset, length: Math.max(1, error.length) };
    reportAt(reader, { code: "syntax", at, message: syntaxSentence(reader.text, error) });
  }
  const { problems } = reader;
  const pin: FilePin = { kind: reader.text.includes("$file") ? "unreadable" : "none" };
  return { ...methodOf(reader), id: undefined, paramsText: "{}", run: NO_RUN_OPTIONS, pin, fileVars: [], problems };
}

function readWhole(reader: Reader, root: Node): RequestReading {
  reportDuplicates(reader, root);
  reportVersion(reader);
  const { method, methodRange } = methodOf(reader);
  if (method === undefined) reportMethod(reader);
  else reportPrefix(reader, method);
  reportMembers(reader, method);
  const isRead = method !== undefined && effectOf(method) === "read";
  const report =
    (code: ProblemCode) =>
    (at: Node, message: Plain): void =>
      reportAt(reader, { code, at, message });
  const runSource: RunSource = { text: reader.text, rangeOf: localRange, isRead, report: report("runOptions") };
  const run = readRunOptions(reader.members.get("$run"), runSource);
  const pin = readPin(reader);
  const file = reader.isFirst ? reader.members.get("$file") : undefined;
  const fileVars = readVariables(file?.type === "object" ? membersOf(file).get("vars") : undefined, {
    ...runSource,
    report: report("filePin"),
  });
  return {
    method,
    methodRange,
    id: readId(reader),
    paramsText: readParams(reader),
    run,
    pin,
    fileVars,
    problems: reader.problems,
  };
}

/** Returns the place in the file of a node of the request's own tree. */
export function rangeOf(source: Pick<FileRequest, "range">, node: Pick<Node, "offset" | "length">): TextRange {
  const start = source.range.start + node.offset;
  return { start, end: start + node.length };
}

function localRange(node: Pick<Node, "offset" | "length">): TextRange {
  return { start: node.offset, end: node.offset + node.length };
}

/** Returns a reading of a request that begins at an offset of its file and has this number there. */
export function placedReading(reading: RequestReading, start: number, index: number): RequestReading {
  const moved = <Thing extends { readonly range: TextRange }>(things: readonly Thing[]): readonly Thing[] =>
    things.length === 0 ? things : things.map((thing) => ({ ...thing, range: movedRange(thing.range, start) }));
  const { methodRange, run, fileVars, problems } = reading;
  const expect = run.expect === undefined ? undefined : movedExpectation(run.expect, start);
  // `until` may wait for the very expectation of `expect`, which is then compared once.
  const awaited =
    run.until === undefined || run.until.expect === run.expect ? expect : movedExpectation(run.until.expect, start);
  const until = run.until === undefined || awaited === undefined ? undefined : { ...run.until, expect: awaited };
  return {
    ...reading,
    methodRange: methodRange === undefined ? undefined : movedRange(methodRange, start),
    // Most options have no place. They are not copied for each of many thousand requests.
    run: run.vars.length === 0 && awaited === undefined ? run : { ...run, vars: moved(run.vars), expect, until },
    fileVars: moved(fileVars),
    problems: moved(problems).map((each) => ({ ...each, requestIndex: index })),
  };
}

function movedRange({ start, end }: TextRange, by: number): TextRange {
  return { start: start + by, end: end + by };
}

function movedExpectation({ node, text, rangeOf: placed }: Expectation, by: number): Expectation {
  return { node, text, rangeOf: (each) => movedRange(placed(each), by) };
}

interface Reader extends RequestSource {
  readonly problems: FileProblem[];
  readonly members: ReadonlyMap<string, Node>;
}

/** Returns the first value under each name: a second one is an error anyway. */
function membersOf(root: Node | undefined): ReadonlyMap<string, Node> {
  const members = new Map<string, Node>();
  for (const { children } of root?.type === "object" ? (root.children ?? []) : []) {
    const [key, value] = children ?? [];
    const name = nameOf(key);
    if (value !== undefined && !members.has(name)) members.set(name, value);
  }
  return members;
}

function nameOf(key: Node | undefined): string {
  return typeof key?.value === "string" ? key.value : "";
}

interface Finding {
  readonly code: ProblemCode;
  readonly at: Pick<Node, "offset" | "length">;
  readonly message: Plain;
  readonly severity?: FileProblem["severity"];
}

function reportAt(reader: Reader, { code, at, message, severity = "error" }: Finding): void {
  reader.problems.push({ code, message, severity, range: localRange(at), requestIndex: 0 });
}

function reportDuplicates(reader: Reader, node: Node): void {
  const names = new Set<string>();
  for (const child of node.children ?? []) {
    const key = node.type === "object" ? child.children?.[0] : undefined;
    if (key !== undefined) {
      const name = nameOf(key);
      if (names.has(name))
        reportAt(reader, {
          code: "duplicateKey",
          at: key,
          message: l10n.t(
            "Duplicate key {0}: only one of the values would be used. Remove or rename one of them.",
            shown(name),
          ),
        });
      names.add(name);
    }
    reportDuplicates(reader, child);
  }
}

function reportVersion(reader: Reader): void {
  const node = reader.members.get("jsonrpc");
  if (node === undefined || node.value === "2.0") return;
  reportAt(reader, {
    code: "versionValue",
    at: node,
    message: l10n.t('Expected "2.0". This value is ignored and "2.0" is sent.'),
    severity: "warning",
  });
}

function methodOf({ members }: Reader): Pick<RequestReading, "method" | "methodRange"> {
  const node = members.get("method");
  if (node?.type !== "string") return { method: undefined, methodRange: undefined };
  const name = bareMethod(String(node.value));
  return { method: METHOD_FORM.test(name) ? name : undefined, methodRange: localRange(node) };
}

/** The form of a method. ASCII alone: a letter that only looks like another must not name a method. */
const METHOD_FORM = /^(public|private)(\/[A-Za-z0-9_]+)+$/;

/** Warns of a method that is written as a path, with `/` or `api/v2/` before its name. */
function reportPrefix(reader: Reader, method: string): void {
  const node = reader.members.get("method");
  if (node === undefined || node.value === method) return;
  reportAt(reader, {
    code: "methodPrefix",
    at: node,
    message: l10n.t("The method is written as a path. It is sent as {0}.", shown(method)),
    severity: "warning",
  });
}

function reportMethod(reader: Reader): void {
  const node = reader.members.get("method");
  if (node === undefined) {
    reportAt(reader, {
      code: "methodMissing",
      at: { offset: 0, length: 1 },
      message: l10n.t('Missing property "method": "public/…" or "private/…".'),
    });
  } else {
    const message =
      node.type === "string"
        ? l10n.t(
            "{0} is not a valid method. Method names start with public/ or private/ and contain only letters a to z, digits, and underscores.",
            shown(String(node.value)),
          )
        : l10n.t("The method must be a string in double quotes.");
    reportAt(reader, { code: "methodValue", at: node, message });
  }
}

function readId(reader: Reader): number | string | undefined {
  const node = reader.members.get("id");
  if (node === undefined) return undefined;
  const value: unknown = node.value;
  if (typeof value === "string" || (typeof value === "number" && Number.isInteger(value))) return value;
  const message =
    node.type === "null"
      ? l10n.t(
          "With the id null, the request is a notification, and the exchange sends no response. Remove the id or set it to a number.",
        )
      : l10n.t("The id must be a whole number. Trading RPC replaces it with its own request ID when sending.");
  reportAt(reader, { code: "idValue", at: node, message });
  return undefined;
}

function readParams(reader: Reader): string {
  const node = reader.members.get("params");
  if (node === undefined) return "{}";
  if (node.type === "object") return pureJson(reader.text.slice(node.offset, node.offset + node.length));
  const message =
    node.type === "array"
      ? l10n.t("The exchange requires named parameters: an object { … }, not an array.")
      : l10n.t("The parameters must be an object: { … }.");
  reportAt(reader, { code: "paramsKind", at: node, message });
  return "{}";
}

/** The environments, by their names in request files. */
export const ENVIRONMENTS_BY_NAME: ReadonlyMap<string, Environment> = new Map([
  ["sim", "simulator"],
  ["test", "test"],
  ["prod", "production"],
  ["gateway", "gateway"],
]);

/** Returns the name of an environment in request files. */
export function environmentName(environment: Environment): Plain {
  return plain.name([...ENVIRONMENTS_BY_NAME].find(([, each]) => each === environment)?.[0] ?? environment);
}

/** Reads the pin. A pin that cannot be understood must not be ignored: the file may forbid the destination. */
function readPin(reader: Reader): FilePin {
  const node = reader.members.get("$file");
  if (node === undefined) return { kind: "none" };
  if (!reader.isFirst) {
    reportAt(reader, {
      code: "filePin",
      at: node,
      message: l10n.t("$file is only allowed in the first request and applies to the whole file."),
    });
    return { kind: "none" };
  }
  const pin = pinOf(getNodeValue(node) as unknown);
  if (pin.kind === "unreadable") {
    reportAt(reader, {
      code: "filePin",
      at: node,
      message: l10n.t(
        "$file must be an object. Its env must be an array of sim, test, and prod: where this file may be sent.",
      ),
    });
  }
  return pin;
}

function pinOf(value: unknown): FilePin {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { kind: "unreadable" };
  if (!("env" in value)) return { kind: "none" };
  const names: readonly unknown[] = Array.isArray(value.env) ? value.env : [undefined];
  const environments = names.map((name) => (typeof name === "string" ? ENVIRONMENTS_BY_NAME.get(name) : undefined));
  return environments.every((each) => each !== undefined) ? { kind: "only", environments } : { kind: "unreadable" };
}

const KNOWN_MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params", "$schema", "$file", "$run"]);

/**
 * Reports unknown members. Only the four members of a request are sent. A misspelled member would be missing, so a
 * write must not be sent; names with a dollar sign were never meant to be sent.
 */
function reportMembers(reader: Reader, method: string | undefined): void {
  const isRead = method !== undefined && effectOf(method) === "read";
  for (const [name, node] of reader.members) {
    if (KNOWN_MEMBERS.has(name)) continue;
    const key = node.parent?.children?.[0] ?? node;
    const message = name.startsWith("$")
      ? l10n.t(
          "{0} is not a property of a request, so it will not be sent. Remove it. With a dollar sign, only $schema, $file, and $run are allowed here.",
          shown(name),
        )
      : l10n.t(
          "Property {0} is not allowed and would not be sent. Only jsonrpc, id, method, and params are part of a request.",
          shown(name),
        );
    reportAt(reader, {
      code: "unknownMember",
      at: key,
      message,
      severity: isRead || name.startsWith("$") ? "warning" : "error",
    });
  }
}

function shown(text: string): Plain {
  return plain.name(text);
}
