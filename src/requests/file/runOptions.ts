import type { Node } from "jsonc-parser";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { RequestTransport } from "../../rpc/httpRequest.ts";
import type { Expectation, FileVariable, RunOptions, TextRange, Until } from "./file.ts";
import { pureJson } from "../text/pureJson.ts";

/** The options of a request that has none. */
export const NO_RUN_OPTIONS: RunOptions = {
  name: undefined,
  vars: [],
  note: undefined,
  tags: [],
  isSkipped: false,
  after: [],
  delayMs: 0,
  retries: 0,
  until: undefined,
  goesOn: false,
  staleMs: 60_000,
  isRaw: false,
  expect: undefined,
  transport: undefined,
};

/** The transports, by their names in request files. */
export const TRANSPORTS_BY_NAME: ReadonlyMap<string, RequestTransport> = new Map([
  ["websocket", "webSocket"],
  ["http", "http"],
  ["http-get-query", "query"],
  ["http-get-body", "body"],
  ["http-post", "post"],
]);

/** The form of names of requests and variables. */
export const NAME_FORM = /^[A-Za-z_][\w-]{0,63}$/;

/** The facts of a request that reading its options needs. */
export interface RunSource {
  /** The text that the nodes count in. */
  readonly text: string;
  /** Returns the place of a node in the file. */
  readonly rangeOf: (node: Pick<Node, "offset" | "length">) => TextRange;
  /** Whether sending the request again changes nothing. */
  readonly isRead: boolean;
  readonly report: (at: Node, message: Plain) => void;
}

/**
 * Reads `$run`. An option that cannot be understood is an error: ignored, the request would run otherwise than it says.
 */
export function readRunOptions(run: Node | undefined, source: RunSource): RunOptions {
  if (run === undefined) return NO_RUN_OPTIONS;
  if (run.type !== "object") {
    source.report(run, l10n.t('$run must be an object, for example { "name": "orders" }.'));
    return NO_RUN_OPTIONS;
  }
  const members = new Map<string, Node>();
  for (const { children } of run.children ?? []) {
    const [key, value] = children ?? [];
    const name = String(key?.value);
    if (key === undefined || value === undefined) continue;
    if (RUN_OPTIONS.includes(name)) members.set(name, value);
    else
      source.report(
        key,
        l10n.t("{0} is not a $run option. Use one of {1}.", plain.name(name), plain.text(RUN_OPTIONS.join(", "))),
      );
  }
  const reader: Reader = { ...source, members };
  const expect = expectation(reader, "expect");
  return {
    name: formed(reader, "name", NAME_FORM),
    vars: readVariables(members.get("vars"), source),
    note: formed(reader, "note", /[^]/),
    tags: texts(reader, "tags"),
    isSkipped: flag(reader, "skip"),
    after: texts(reader, "after"),
    delayMs: whole(reader, "delayMs", { usual: 0, most: MAX_DELAY_MS }),
    retries: ofReads(reader, "retries") ? whole(reader, "retries", { usual: 0, most: MAX_RETRIES }) : 0,
    until: readUntil(reader, expect),
    goesOn: flag(reader, "continueOnFailure"),
    staleMs: whole(reader, "staleMs", { usual: NO_RUN_OPTIONS.staleMs, most: MAX_DELAY_MS }),
    isRaw: flag(reader, "raw"),
    expect,
    transport: readTransport(reader),
  };
}

/** Reads the variables of `$run.vars` or `$file.vars`, with their values as they are written. */
export function readVariables(
  node: Node | undefined,
  { text, rangeOf, report }: Pick<RunSource, "text" | "rangeOf" | "report">,
): readonly FileVariable[] {
  if (node === undefined) return [];
  if (node.type !== "object") {
    report(node, l10n.t('Variables must be an object: { "name": value }.'));
    return [];
  }
  return (node.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    if (key === undefined || value === undefined) return [];
    const name = String(key.value);
    if (NAME_FORM.test(name))
      return [
        { name, valueText: pureJson(text.slice(value.offset, value.offset + value.length)), range: rangeOf(key) },
      ];
    report(
      key,
      l10n.t(
        "{0} is not a valid name. Names start with a letter and contain only letters a to z, digits, _ and -.",
        plain.name(name),
      ),
    );
    return [];
  });
}

/** All options of `$run`. */
export const RUN_OPTIONS: readonly string[] = [
  ...["name", "vars", "note", "tags", "skip", "after", "delayMs", "retries", "until", "everyMs", "maxTries"],
  ...["continueOnFailure", "staleMs", "raw", "expect", "transport"],
];

const MAX_DELAY_MS = 600_000;
const MAX_RETRIES = 10;
const MAX_TRIES = 1000;

interface Reader extends RunSource {
  readonly members: ReadonlyMap<string, Node>;
}

function formed({ members, report }: Reader, name: string, form: RegExp): string | undefined {
  const node = members.get(name);
  if (node === undefined) return undefined;
  if (node.type === "string" && form.test(String(node.value))) return String(node.value);
  report(
    node,
    name === "name"
      ? l10n.t("Start the name with a letter or _. Use only letters a to z, digits, _, and -, up to 64 characters.")
      : l10n.t("{0} must be a string.", plain.name(name)),
  );
  return undefined;
}

function flag({ members, report }: Reader, name: string): boolean {
  const node = members.get(name);
  if (node !== undefined && node.type !== "boolean")
    report(node, l10n.t("{0} must be true or false.", plain.name(name)));
  return node?.value === true;
}

function texts({ members, report }: Reader, name: string): readonly string[] {
  const node = members.get(name);
  if (node === undefined) return [];
  const values = node.type === "array" ? (node.children ?? []) : [node];
  if (values.every(({ type }) => type === "string")) return values.map(({ value }) => String(value));
  report(node, l10n.t("{0} must be a string or an array of strings.", plain.name(name)));
  return [];
}

function whole(
  { members, report }: Reader,
  name: string,
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  const node = members.get(name);
  if (node === undefined) return usual;
  const value: unknown = node.value;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most) return value;
  report(node, l10n.t("{0} must be a whole number from 0 to {1}.", plain.name(name), most));
  return usual;
}

/**
 * Whether an option of reads is allowed. A change is sent once: an option that would repeat it is refused, not ignored.
 */
function ofReads({ members, report, isRead }: Reader, name: string): boolean {
  const node = members.get(name);
  if (node === undefined) return false;
  if (!isRead)
    report(
      node,
      l10n.t("{0} is only allowed for read requests. Write requests are never resent automatically.", plain.name(name)),
    );
  return isRead;
}

function expectation({ members, text, rangeOf, report }: Reader, name: string): Expectation | undefined {
  const node = members.get(name);
  if (node === undefined) return undefined;
  if (node.type === "object") return { node, text, rangeOf };
  report(node, l10n.t('{0} must be an object, for example { "ok": true }.', plain.name(name)));
  return undefined;
}

/** Reads `until`: an expectation of its own, or true for that of `expect`. */
function readUntil(reader: Reader, expect: Expectation | undefined): Until | undefined {
  const { members, report } = reader;
  const node = members.get("until");
  const everyMs = whole(reader, "everyMs", { usual: 1000, most: MAX_DELAY_MS });
  const maxTries = whole(reader, "maxTries", { usual: 30, most: MAX_TRIES });
  if (node === undefined || !ofReads(reader, "until")) return undefined;
  const own = node.type === "boolean" ? expect : expectation(reader, "until");
  if (node.type === "boolean" && (node.value !== true || expect === undefined))
    report(node, l10n.t("until must be an expectation, or true if expect is set."));
  return own === undefined ? undefined : { expect: own, everyMs, maxTries };
}

function readTransport({ members, report }: Reader): RequestTransport | undefined {
  const node = members.get("transport");
  const transport = TRANSPORTS_BY_NAME.get(String(node?.value));
  if (node !== undefined && transport === undefined)
    report(node, l10n.t("The transport must be one of {0}.", plain.text([...TRANSPORTS_BY_NAME.keys()].join(", "))));
  return transport;
}
