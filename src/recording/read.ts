import * as l10n from "@vscode/l10n";
import { foreignEncoding } from "../base/encoding.ts";
import { isObject, parseJson } from "../base/json.ts";
import { plain } from "../base/plain.ts";
import { decodeError } from "../rpc/frame.ts";
import { createJsonScanner, hasRepeatedNames, type JsonScan } from "../rpc/scanJson.ts";
import {
  MAX_DURATION_MS,
  MAX_LINE,
  MAX_RECORDING,
  VERSION,
  VERSION_MEMBER,
  type Recording,
  type RecordingEntry,
} from "./recording.ts";

/** A recording, or a sentence that says in which line it is wrong. */
export type RecordingReading =
  | { readonly kind: "read"; readonly recording: Recording }
  | { readonly kind: "wrong"; readonly message: string };

const MAX_CHANNEL = 1000;
const METHOD = /^[a-z][\w.-]{0,99}(?:\/[\w.-]{1,99}){1,3}$/;
const ENVIRONMENTS = ["sim", "test", "prod"];

/** Returns the reading of a recording that is too large. */
export function tooLarge(): Extract<RecordingReading, { kind: "wrong" }> {
  return { kind: "wrong", message: l10n.t("The recording is larger than {0} MiB.", MAX_RECORDING / 1024 / 1024) };
}

/** Reads the text of a recording, which may be of any origin. Never throws. */
export function readRecording(text: string): RecordingReading {
  if (text.length > MAX_RECORDING) return tooLarge();
  const encoding = foreignEncoding(text);
  if (encoding !== undefined)
    return { kind: "wrong", message: l10n.t("The file is encoded in {0}. Save it as UTF-8.", encoding) };
  const reader = new Reader();
  let start = 0;
  for (let number = 1; start < text.length || number === 1; number++) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const problem = reader.take(text.slice(start, end), number === 1);
    if (problem !== undefined) return { kind: "wrong", message: l10n.t("Line {0}: {1}", number, problem) };
    start = end + 1;
  }
  return { kind: "read", recording: { ...reader.head, entries: reader.entries } };
}

const scanLine = createJsonScanner({ members: ["params", "result", "error", "data"], secrets: [] });

/** A line that is a JSON object within the limits. */
interface Line {
  readonly members: Readonly<Record<string, unknown>>;
  /** Returns the text of a member, every literal as it is written. */
  readonly text: (name: "params" | "result" | "error" | "data") => string;
}

class Reader {
  head: Pick<Recording, "startedAtMs" | "environment"> = { startedAtMs: 0, environment: "" };
  readonly entries: RecordingEntry[] = [];
  readonly #calls = new Set<number>();
  readonly #answered = new Set<number>();
  #lastMs = 0;

  /** Takes a line in. Returns what is wrong with it. */
  take(text: string, isFirst: boolean): string | undefined {
    const line = readLine(text);
    if (typeof line === "string") return line;
    if (isFirst) return this.#takeHead(line.members);
    const { ms: atMs } = line.members;
    if (typeof atMs !== "number" || !Number.isInteger(atMs) || atMs < this.#lastMs || atMs > MAX_DURATION_MS)
      return l10n.t("ms must be a whole number, not less than in the line before, and at most {0}.", MAX_DURATION_MS);
    this.#lastMs = atMs;
    const entry = this.#entryOf(line, atMs);
    if (typeof entry === "string") return entry;
    this.entries.push(entry);
    return undefined;
  }

  #takeHead(members: Line["members"]): string | undefined {
    const { [VERSION_MEMBER]: version, environment, startedAtMs } = members;
    if (version === undefined) return l10n.t("This is not a recording of trading-rpc: {0} is missing.", VERSION_MEMBER);
    if (version !== VERSION)
      return l10n.t("This version of recordings is not supported. Expected {0} {1}.", VERSION_MEMBER, VERSION);
    if (typeof environment !== "string" || !ENVIRONMENTS.includes(environment))
      return l10n.t("environment must be one of {0}.", ENVIRONMENTS.join(", "));
    if (typeof startedAtMs !== "number" || !Number.isSafeInteger(startedAtMs) || startedAtMs < 0)
      return l10n.t("{0} must be a whole number of milliseconds since 1970.", "startedAtMs");
    this.head = { environment, startedAtMs };
    return undefined;
  }

  #entryOf(line: Line, atMs: number): RecordingEntry | string {
    const { call, response } = line.members;
    const names = Object.keys(line.members).sort().join(",");
    switch (names) {
      case "call,method,ms,params":
      case "by,call,method,ms,params":
        return this.#callOf(line, atMs, call);
      case "ms,response,result":
      case "error,ms,response":
        return this.#responseOf(line, atMs, response);
      case "data,event,ms":
        return eventOf(line, atMs);
      default:
        return l10n.t(
          "Expected a call with method and params, a response with result or error, or an event with data.",
        );
    }
  }

  #callOf({ members: { method, params, by }, text }: Line, atMs: number, id: unknown): RecordingEntry | string {
    if (!isId(id) || this.#calls.has(id)) return l10n.t("{0} must be a whole number that no other call has.", "call");
    if (typeof method !== "string" || !METHOD.test(method)) return l10n.t("method is not the name of a method.");
    if (!isObject(params)) return l10n.t("params must be an object.");
    if (by !== undefined && by !== "program") return l10n.t("{0} must be omitted or {1}.", "by", "program");
    this.#calls.add(id);
    return { kind: "call", atMs, id, method, paramsText: text("params"), isOfProgram: by === "program" };
  }

  #responseOf({ members, text }: Line, atMs: number, id: unknown): RecordingEntry | string {
    if (!isId(id) || !this.#calls.has(id) || this.#answered.has(id))
      return l10n.t("response must be the number of a call above that has no response yet.");
    const member = "error" in members ? "error" : "result";
    if (member === "error" && decodeError(members["error"]) === undefined)
      return l10n.t("error must have a code, which is a whole number, and a message.");
    this.#answered.add(id);
    return { kind: "response", atMs, id, member, bodyText: text(member) };
  }
}

function eventOf({ members: { event: channel }, text }: Line, atMs: number): RecordingEntry | string {
  if (typeof channel !== "string" || channel === "" || channel.length > MAX_CHANNEL)
    return l10n.t("event must be the name of a channel.");
  return { kind: "event", atMs, channel, dataText: text("data") };
}

function isId(id: unknown): id is number {
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0;
}

/** Returns a line, or what is wrong with it. */
function readLine(text: string): Line | string {
  if (text.length > MAX_LINE) return l10n.t("The line is longer than {0} MiB.", MAX_LINE / 1024 / 1024);
  // The scan finds what must not be parsed: nesting, and __proto__.
  const scan = scanLine(text);
  if (scan.problem !== undefined) return plain.text(scan.problem);
  const value = parseJson(text);
  if (!isObject(value)) return l10n.t("Expected a JSON object.");
  if (hasRepeatedNames(scan, value)) return l10n.t("Duplicate key in an object.");
  return { members: value, text: (name) => textOf(text, scan, name) };
}

function textOf(text: string, scan: JsonScan, name: string): string {
  const span = scan.members.get(name);
  return span === undefined ? "null" : text.slice(span.start, span.end);
}
