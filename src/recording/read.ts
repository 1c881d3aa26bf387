import { foreignEncoding } from "../base/encoding.ts";
import { isObject, parseJson } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { decodeError } from "../rpc/frame.ts";
import { createJsonScanner, hasRepeatedNames, type JsonScan } from "../rpc/scanJson.ts";
import {
  CONNECTION_STEPS,
  MAX_DURATION_MS,
  MAX_LINE,
  MAX_READ_BYTES,
  VERSION,
  VERSION_MEMBER,
  type Recording,
  type RecordingEntry,
} from "./recording.ts";

/** A recording, or a sentence that says in which line it is wrong. */
export type RecordingReading =
  | { readonly kind: "read"; readonly recording: Recording }
  | { readonly kind: "wrong"; readonly message: Plain };

const MAX_CHANNEL = 1000;
const METHOD = /^[a-z][\w.-]{0,99}(?:\/[\w.-]{1,99}){1,3}$/;
const ENVIRONMENTS = ["sim", "test", "prod", "gateway"];

/** Returns the sentence about a recording that was not finished, for its readers. */
export function unfinishedSentence(): Plain {
  return l10n.t("The recording was not finished. Personal data that was used before it was known may be in it.");
}

/** Returns the reading of a recording that is too large. */
export function tooLarge(): Extract<RecordingReading, { kind: "wrong" }> {
  return { kind: "wrong", message: l10n.t("The recording is larger than {0} MiB.", MAX_READ_BYTES / 1024 / 1024) };
}

/**
 * Reads the text of a recording, which may be of any origin. Never throws of its own. `text`: whole, or in pieces of a
 * file that is not too large.
 */
export function readRecording(text: string | Iterable<string>): RecordingReading {
  if (typeof text === "string" && text.length > MAX_READ_BYTES) return tooLarge();
  const lines = linesOf(typeof text === "string" ? [text] : text);
  const first = lines.next();
  const head = readHead(first.done === true ? "" : first.value.text);
  if (typeof head === "string") return { kind: "wrong", message: head };
  const entries: RecordingEntry[] = [];
  const reader = new EntryReader();
  for (const { text: line, isEnded } of lines) {
    const entry = reader.take(line);
    // What was being written when the program died.
    if (typeof entry === "string" && !head.isFinished && !isEnded) break;
    if (typeof entry === "string")
      return { kind: "wrong", message: l10n.t("Line {0}: {1}", entries.length + 2, entry) };
    entries.push(entry);
  }
  return { kind: "read", recording: { ...head, entries } };
}

/** A line of a text, without its end. */
interface TextLine {
  readonly text: string;
  /** Whether it has an end: the last one of a text may have none. */
  readonly isEnded: boolean;
}

/** Returns the lines of a text that comes in pieces. One that is too long is the last: its reader refuses it. */
export function* linesOf(pieces: Iterable<string>): Generator<TextLine> {
  let rest = "";
  for (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", start)) {
      yield { text: rest + piece.slice(start, end), isEnded: true };
      [rest, start] = ["", end + 1];
    }
    rest += piece.slice(start);
    if (rest.length > MAX_LINE) break;
  }
  if (rest !== "") yield { text: rest, isEnded: false };
}

const scanLine = createJsonScanner({ members: ["params", "result", "error", "data"], secrets: [] });

/** A line that is a JSON object within the limits. */
interface Line {
  readonly members: Readonly<Record<string, unknown>>;
  /** Returns the text of a member, every literal as it is written. */
  readonly text: (name: "params" | "result" | "error" | "data") => string;
}

/** What the first line of a recording says. */
type RecordingHead = Omit<Recording, "entries">;

/** Returns the head of a recording, or a sentence about what is wrong with its line. */
function readHead(text: string): RecordingHead | Plain {
  const encoding = foreignEncoding(text);
  if (encoding !== undefined) return l10n.t("The file is encoded in {0}. Save it as UTF-8.", encoding);
  const line = readLine(text);
  const head = typeof line === "string" ? line : headOf(line.members);
  return typeof head === "string" ? l10n.t("Line {0}: {1}", 1, head) : head;
}

function headOf(members: Line["members"]): RecordingHead | Plain {
  const { [VERSION_MEMBER]: version, environment, startedAtMs, isFinished = true } = members;
  if (version === undefined) return l10n.t("This is not a recording of trading-rpc: {0} is missing.", VERSION_MEMBER);
  if (version !== VERSION)
    return l10n.t("This version of recordings is not supported. Expected {0} {1}.", VERSION_MEMBER, VERSION);
  if (typeof environment !== "string" || !ENVIRONMENTS.includes(environment))
    return l10n.t("environment must be one of {0}.", plain.text(ENVIRONMENTS.join(", ")));
  if (typeof startedAtMs !== "number" || !Number.isSafeInteger(startedAtMs) || startedAtMs < 0)
    return l10n.t("{0} must be a whole number of milliseconds since 1970.", "startedAtMs");
  return { environment, startedAtMs, isFinished: isFinished !== false };
}

/** Whether a text is the beginning of a recording that was not finished. */
export function isUnfinished(text: string): boolean {
  const head = readHead(text.slice(0, text.indexOf("\n") + 1).trimEnd());
  return typeof head !== "string" && !head.isFinished;
}

/** Whether a line is one that can be read. */
export function isReadableLine(text: string): boolean {
  return typeof readLine(text) !== "string";
}

/** Reads the lines after the head. Holds only the calls that have no response yet. */
export class EntryReader {
  readonly #open = new Set<number>();
  #lastId = 0;
  #lastMs = 0;

  /** Returns the entry of the next line, or what is wrong with it. */
  take(text: string): RecordingEntry | Plain {
    const line = readLine(text);
    if (typeof line === "string") return line;
    const { ms: atMs } = line.members;
    if (typeof atMs !== "number" || !Number.isInteger(atMs) || atMs < this.#lastMs || atMs > MAX_DURATION_MS)
      return l10n.t("ms must be a whole number, not less than in the line before, and at most {0}.", MAX_DURATION_MS);
    this.#lastMs = atMs;
    return this.#entryOf(line, atMs);
  }

  #entryOf(line: Line, atMs: number): RecordingEntry | Plain {
    const { call, response } = line.members;
    const names = Object.keys(line.members).sort().join(",");
    switch (names) {
      case "call,method,ms,params":
      case "by,call,method,ms,params":
      case "call,method,ms,on,params":
      case "call,id,method,ms,on,params":
        return this.#callOf(line, atMs, call);
      case "ms,response,result":
      case "error,ms,response":
        return this.#responseOf(line, atMs, response);
      case "data,event,ms":
      case "data,event,ms,on":
        return eventOf(line, atMs);
      case "connection,is,ms":
        return connectionOf(line, atMs);
      default:
        return l10n.t(
          "Expected a call with method and params, a response with result or error, or an event with data.",
        );
    }
  }

  #callOf({ members, text }: Line, atMs: number, id: unknown): RecordingEntry | Plain {
    const { method, params, by, on: connection, id: wireId } = members;
    if (!isId(id) || id <= this.#lastId)
      return l10n.t("{0} must be a whole number, greater than that of the call before.", "call");
    if (typeof method !== "string" || !METHOD.test(method)) return l10n.t("method is not the name of a method.");
    if (!isObject(params)) return l10n.t("params must be an object.");
    if (by !== undefined && by !== "program") return l10n.t("{0} must be omitted or {1}.", "by", "program");
    if (connection !== undefined && !isId(connection)) return l10n.t("{0} must be the number of a connection.", "on");
    if (wireId !== undefined && typeof wireId !== "number" && typeof wireId !== "string")
      return l10n.t("{0} must be a number or a string.", "id");
    this.#open.add(id);
    this.#lastId = id;
    const call = { kind: "call", atMs, id, method, paramsText: text("params"), isOfProgram: by === "program" } as const;
    return connection === undefined ? call : { ...call, connection, wireId };
  }

  #responseOf({ members, text }: Line, atMs: number, id: unknown): RecordingEntry | Plain {
    if (!isId(id) || !this.#open.has(id))
      return l10n.t("response must be the number of a call above that has no response yet.");
    const member = "error" in members ? "error" : "result";
    if (member === "error" && decodeError(members["error"]) === undefined)
      return l10n.t("error must have a code, which is a whole number, and a message.");
    this.#open.delete(id);
    return { kind: "response", atMs, id, member, bodyText: text(member) };
  }
}

function eventOf({ members: { event: channel, on: connection }, text }: Line, atMs: number): RecordingEntry | Plain {
  if (typeof channel !== "string" || channel === "" || channel.length > MAX_CHANNEL)
    return l10n.t("event must be the name of a channel.");
  if (connection !== undefined && !isId(connection)) return l10n.t("{0} must be the number of a connection.", "on");
  const event = { kind: "event", atMs, channel, dataText: text("data") } as const;
  return connection === undefined ? event : { ...event, connection };
}

function connectionOf({ members: { connection, is } }: Line, atMs: number): RecordingEntry | Plain {
  const step = CONNECTION_STEPS.find((each) => each === is);
  if (!isId(connection)) return l10n.t("{0} must be the number of a connection.", "connection");
  return step === undefined
    ? l10n.t("{0} must be one of {1}.", "is", plain.text(CONNECTION_STEPS.join(", ")))
    : { kind: "connection", atMs, connection, step };
}

function isId(id: unknown): id is number {
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0;
}

/** Returns a line, or what is wrong with it. */
function readLine(text: string): Line | Plain {
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
