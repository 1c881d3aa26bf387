import * as l10n from "@vscode/l10n";
import type { Clock } from "../base/clock.ts";
import { isObject, parseJson } from "../base/json.ts";
import { createJsonScanner } from "../rpc/scanJson.ts";
import type { Asker, RecordedCall, TrafficWatcher } from "../rpc/traffic.ts";
import { readRecording } from "./read.ts";
import { createRedactor, type Redactor } from "./redact.ts";
import {
  MAX_DURATION_MS,
  MAX_LINE,
  MAX_RECORDING,
  VERSION,
  VERSION_MEMBER,
  type Recording,
  type RecordingEntry,
} from "./recording.ts";

/** The writer of a recording: it watches the traffic of a connection until its text is asked for. */
export interface Recorder extends TrafficWatcher {
  /** The calls and events that were recorded so far. */
  readonly calls: number;
  readonly events: number;
  /** Whether something is not in the recording, because there was no more room or it was not readable. */
  readonly isIncomplete: boolean;
  /**
   * Makes the text of the file, in steps between which other things can be done: a large one takes seconds. `masked`:
   * returns it without the secrets that are known elsewhere.
   */
  finish(masked: (text: string) => string): Generator<undefined, FinishedRecording>;
}

/** A finished recording, or a sentence about why there is none to write. */
export type FinishedRecording =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "none"; readonly reason: string };

export interface RecorderPorts {
  readonly clock: Clock;
  /** The environment that is recorded, as files and options call it. */
  readonly environment: string;
  /** The client ID of the connection, which may be in texts without its name; undefined where there is none. */
  readonly clientId: string | undefined;
  /** Called once, when room or time is used up: nothing more is taken. */
  readonly onFull?: () => void;
}

/** Makes a recorder. Its clock begins now. */
export function createRecorder({ clock, environment, clientId, onFull }: RecorderPorts): Recorder {
  const startedAtMs = clock.now();
  const startedMs = clock.monotonicMs();
  const entries: RecordingEntry[] = [];
  const ids = new Map<RecordedCall, number>();
  let count = 0;
  let events = 0;
  let length = 0;
  let isFull = false;
  let isIncomplete = false;
  const elapsedMs = (): number => Math.round(clock.monotonicMs() - startedMs);
  const hasRoom = (textLength: number): boolean => {
    const wasFull = isFull;
    // Replacements may be longer than what they replace: half of the room is theirs.
    isFull ||= length + textLength >= MAX_RECORDING / 2 || elapsedMs() > MAX_DURATION_MS;
    if (isFull) isIncomplete = true;
    if (isFull && !wasFull) onFull?.();
    return !isFull;
  };
  const add = (entry: (atMs: number) => RecordingEntry, text: string): boolean => {
    if (!hasRoom(text.length)) return false;
    if (text.length >= MAX_LINE / 2) {
      isIncomplete = true;
      return false;
    }
    entries.push(entry(elapsedMs()));
    length += text.length + LINE_LENGTH;
    return true;
  };
  return {
    get calls() {
      return ids.size;
    },
    get events() {
      return events;
    },
    get isIncomplete() {
      return isIncomplete;
    },
    onBegin(call, paramsText) {
      const id = count + 1;
      const { method } = call;
      const isOfProgram = OF_PROGRAM.includes(call.asker);
      if (!isReadable(paramsText, isObject)) isIncomplete = true;
      else if (add((atMs) => ({ kind: "call", atMs, id, method, paramsText, isOfProgram }), paramsText))
        ids.set(call, (count = id));
    },
    onEnd(call, bodyText) {
      const id = ids.get(call);
      if (id === undefined) return;
      // What never left isn't part of the conversation.
      if (bodyText === undefined && call.wireId === undefined) {
        entries.splice(
          entries.findIndex((entry) => entry.kind === "call" && entry.id === id),
          1,
        );
        ids.delete(call);
      } else if (bodyText !== undefined && isReadable(bodyText, isNotHidden)) {
        const member = call.end?.failure === undefined ? "result" : "error";
        add((atMs) => ({ kind: "response", atMs, id, member, bodyText }), bodyText);
      } else if (bodyText !== undefined) isIncomplete = true;
    },
    onEvent(channel, frameLength, text) {
      // A text that would not fit is not made.
      if (!hasRoom(frameLength)) return;
      const dataText = dataOf(text());
      if (dataText === undefined) isIncomplete = true;
      else if (add((atMs) => ({ kind: "event", atMs, channel, dataText }), dataText)) events++;
    },
    *finish(masked) {
      if (ids.size + events === 0) return { kind: "none", reason: l10n.t("Nothing was recorded.") };
      const redactor = createRedactor();
      if (clientId !== undefined) redactor.know("client", clientId);
      const text = masked(yield* writeRecording({ startedAtMs, environment, entries }, redactor));
      // One that could not be read again is not to be written.
      const reading = readRecording(text);
      return reading.kind === "read"
        ? { kind: "text", text }
        : { kind: "none", reason: l10n.t("The recording was not written: {0}", reading.message) };
    },
  };
}

/** Takes all steps at once. */
export function atOnce<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** The origins of calls that no request and no command asks for. */
const OF_PROGRAM: readonly Asker[] = ["session", "view", "userRead"];

/** The characters of a line around its text, at most about. */
const LINE_LENGTH = 100;

const scanFrame = createJsonScanner({ members: ["params", "data"], secrets: [] });

/** Returns the payload in the frame of an event; undefined where it can't be read. */
function dataOf(frameText: string): string | undefined {
  const params = memberOf(frameText, "params");
  const data = params === undefined ? undefined : memberOf(params, "data");
  return data !== undefined && isReadable(data, isNotHidden) ? data : undefined;
}

function memberOf(text: string, name: string): string | undefined {
  const { problem, members } = scanFrame(text);
  const span = members.get(name);
  return problem !== undefined || span === undefined ? undefined : text.slice(span.start, span.end);
}

function isReadable(text: string, isRight: (value: unknown) => boolean): boolean {
  const value = scanFrame(text).problem === undefined ? parseJson(text) : undefined;
  return value !== undefined && isRight(value);
}

/** Whether a value is not the text that is left where all of it had to be hidden. */
function isNotHidden(value: unknown): boolean {
  return typeof value !== "string" || !value.startsWith("‹hidden›");
}

/** Makes the text of a recording without secret and personal values, in steps. */
export function* writeRecording(
  { startedAtMs, environment, entries }: Recording,
  redactor: Redactor = createRedactor(),
): Generator<undefined, string> {
  const origins = new Map<number, string>();
  const texts = entries.map((entry) => {
    if (entry.kind === "event") return { entry, text: entry.dataText, origin: entry.channel };
    if (entry.kind === "call") origins.set(entry.id, entry.method);
    const text = entry.kind === "call" ? entry.paramsText : entry.bodyText;
    return { entry, text, origin: origins.get(entry.id) ?? "" };
  });
  const lines = [JSON.stringify({ [VERSION_MEMBER]: VERSION, environment, startedAtMs })];
  let length = 0;
  for (const isLearned of [false, true])
    for (const { entry, text, origin } of texts) {
      if (isLearned) lines.push(lineOf(entry, redactor.redact(text, origin), redactor));
      else redactor.learn(text, origin);
      length += text.length;
      if (length < STEP_LENGTH) continue;
      length = 0;
      yield;
    }
  return [...lines, ""].join("\n");
}

/** The characters after which a step ends: it takes some tens of milliseconds. */
const STEP_LENGTH = 200_000;

function lineOf(entry: RecordingEntry, text: string, redactor: Redactor): string {
  const start = `{"ms":${entry.atMs}`;
  switch (entry.kind) {
    case "call":
      return `${start},"call":${entry.id}${entry.isOfProgram ? ',"by":"program"' : ""},"method":${JSON.stringify(entry.method)},"params":${text}}`;
    case "response":
      return `${start},"response":${entry.id},"${entry.member}":${text}}`;
    case "event":
      return `${start},"event":${JSON.stringify(redactor.redactWords(entry.channel))},"data":${text}}`;
  }
}
