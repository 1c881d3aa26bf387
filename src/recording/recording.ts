/*
 * A recording: JSON lines in UTF-8. The first line is its head, each other one a call, its response, or an event, in
 * the order of their times. It is made of what was sent and received, and is read as data of unknown origin. That of
 * another program also has the beginning and the end of each of its connections. One that was not finished, e.g.
 * because the program died, has `"isFinished":false` in its head; its last line may be cut off.
 */

/** A conversation with an exchange, as it was written down. */
export interface Recording {
  /** The time of its beginning, in ms since the Unix epoch. */
  readonly startedAtMs: number;
  /** The environment that was recorded, as files and options call it, e.g. `test`. */
  readonly environment: string;
  /** Whether it was finished: values that were used before they were known are left in one that was not. */
  readonly isFinished: boolean;
  readonly entries: readonly RecordingEntry[];
}

/** One line of a recording. `atMs`: the time since its beginning. Texts are JSON, every digit as received. */
export type RecordingEntry =
  | {
      readonly kind: "call";
      readonly atMs: number;
      /** The number of the call within the recording. */
      readonly id: number;
      readonly method: string;
      readonly paramsText: string;
      /** Whether it is one that the program makes on its own, for its session and its views. */
      readonly isOfProgram: boolean;
      /** The connection of another program, and the ID of the call there; undefined for calls of our own. */
      readonly connection?: number | undefined;
      readonly wireId?: number | string | undefined;
    }
  /** The response to a call. A call without one was not answered. */
  | {
      readonly kind: "response";
      readonly atMs: number;
      readonly id: number;
      readonly member: "result" | "error";
      readonly bodyText: string;
    }
  | {
      readonly kind: "event";
      readonly atMs: number;
      readonly channel: string;
      readonly dataText: string;
      /** The connection of another program; undefined for events of our own. */
      readonly connection?: number | undefined;
    }
  /** What happened to a connection of another program. */
  | { readonly kind: "connection"; readonly atMs: number; readonly connection: number; readonly step: ConnectionStep };

/** What can happen to a connection. `closed`: by the program; `lost`: by the server; `asked`: a `test_request` came. */
export type ConnectionStep = (typeof CONNECTION_STEPS)[number];
export const CONNECTION_STEPS = ["opened", "closed", "lost", "asked"] as const;

/** A recording to replay, and its speed. */
export interface ReplayedFile {
  /** The path of the recording. */
  readonly file: string;
  /** How many times faster than it was recorded; Infinity sends everything at once. */
  readonly speed: number;
}

/** The member of the head that tells a recording from other files; its value is the version of the format. */
export const VERSION_MEMBER = "tradingRpcRecording";
export const VERSION = 1;

/** The most bytes that are recorded. */
export const MAX_RECORDED_BYTES = 1024 ** 3;
/** The most bytes of a recording that is read, because all of it is held. What is larger is not even opened. */
export const MAX_READ_BYTES = 128 * 1024 * 1024;
/** The most characters of one line. */
export const MAX_LINE = 8 * 1024 * 1024;
/** The longest recording, in ms: a week. */
export const MAX_DURATION_MS = 7 * 24 * 3600 * 1000;

/** The beginning of the names of methods that need a sign-in, and of the channels of an account. */
const PRIVATE = /^(?:private\/|user\.|block_rfq\.|block_trade_confirmations)/;

/** Whether a method or channel is about an account. */
export function isAboutAccount(name: string): boolean {
  return PRIVATE.test(name);
}

/** Whether a method begins or ends the events of channels. */
export function channelChange(method: string): "begin" | "end" | undefined {
  if (/^(?:public|private)\/subscribe$/.test(method)) return "begin";
  return /^(?:public|private)\/unsubscribe(?:_all)?$/.test(method) ? "end" : undefined;
}
