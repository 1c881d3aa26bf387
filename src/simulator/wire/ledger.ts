import type { Clock } from "../../base/clock.ts";
import { createJsonScanner } from "../../rpc/scanJson.ts";

/** A request frame as it was received, and its outcome. */
export interface LedgerEntry {
  /** The number of the entry, from 1. */
  readonly number: number;
  readonly atMs: number;
  readonly connection: number;
  readonly link: "webSocket" | "http";
  /** The frame, byte for byte; over HTTP the body, or the request line where there is none. */
  readonly text: string;
  readonly method: string | undefined;
  readonly id: number | string | undefined;
  /** The text of `params`, every literal as received. */
  readonly paramsText: string | undefined;
  /** Whether the method was carried out; may become true after the response. */
  readonly isApplied: boolean;
  /** The kind of response so far. */
  readonly response: "none" | "result" | "error";
  readonly errorCode: number | undefined;
}

/** The record of every request frame, so that tests can count what went over the wire. */
export interface Ledger {
  open(frame: Frame): LedgerLine;
  /** Returns copies of the entries, oldest first. */
  entries(): LedgerEntry[];
  clear(): void;
}

/** An entry while its call is under way. */
export interface LedgerLine {
  /** Notes the content of the frame, once it has been understood. */
  understand(frame: { readonly method: string; readonly id: number | string | undefined; readonly text: string }): void;
  applied(): void;
  replied(errorCode: number | undefined): void;
}

/** The number of entries that are kept: a day of load must not fill the memory. */
const MAX_ENTRIES = 20_000;

type Frame = Pick<LedgerEntry, "connection" | "link" | "text">;

/**
 * A line and its entry in one. It is a class because there is one for each call, which then doesn't make its functions
 * again.
 */
class Line implements LedgerLine, Omit<LedgerEntry, "paramsText"> {
  readonly number: number;
  readonly atMs: number;
  readonly connection: number;
  readonly link: LedgerEntry["link"];
  readonly text: string;
  method: string | undefined = undefined;
  id: LedgerEntry["id"] = undefined;
  isApplied = false;
  response: LedgerEntry["response"] = "none";
  errorCode: number | undefined = undefined;
  /** The text of the frame once it is understood. */
  frameText: string | undefined = undefined;

  constructor(number: number, atMs: number, { connection, link, text }: Frame) {
    this.number = number;
    this.atMs = atMs;
    this.connection = connection;
    this.link = link;
    this.text = text;
  }

  understand({ method, id, text }: Parameters<LedgerLine["understand"]>[0]): void {
    this.method = method;
    this.id = id;
    this.frameText = text;
  }

  applied(): void {
    this.isApplied = true;
  }

  replied(errorCode: number | undefined): void {
    this.response = errorCode === undefined ? "result" : "error";
    this.errorCode = errorCode;
  }
}

export function createLedger(clock: Clock): Ledger {
  const scan = createJsonScanner({ members: ["params"], secrets: [] });
  const paramsTextOf = (text: string): string | undefined => {
    const span = scan(text).members.get("params");
    return span === undefined ? undefined : text.slice(span.start, span.end);
  };
  let lines: Line[] = [];
  let count = 0;
  return {
    open(frame) {
      const line = new Line(++count, clock.now(), frame);
      lines.push(line);
      if (lines.length > MAX_ENTRIES) lines.splice(0, MAX_ENTRIES / 10);
      return line;
    },
    // The text of params is looked for on request, not while calls are served.
    entries: () =>
      lines.map(({ frameText, ...line }) => ({
        ...line,
        paramsText: frameText === undefined ? undefined : paramsTextOf(frameText),
      })),
    clear() {
      lines = [];
    },
  };
}
