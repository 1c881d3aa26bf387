import type { Clock } from "../base/clock.ts";
import { isObject } from "../base/json.ts";
import { createJsonScanner } from "../rpc/scanJson.ts";
import type { RecordedCall, TrafficWatcher } from "../rpc/traffic.ts";
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
  /** Returns the text of the file. */
  text(): string;
}

export interface RecorderPorts {
  readonly clock: Clock;
  /** The environment that is recorded, as files and options call it. */
  readonly environment: string;
  /** The client ID of the connection, which may be in texts without its name; undefined where there is none. */
  readonly clientId: string | undefined;
}

/** Makes a recorder. Its clock begins now. */
export function createRecorder({ clock, environment, clientId }: RecorderPorts): Recorder {
  const startedAtMs = clock.now();
  const startedMs = clock.monotonicMs();
  const entries: RecordingEntry[] = [];
  const ids = new Map<RecordedCall, number>();
  let count = 0;
  let events = 0;
  let length = 0;
  let isIncomplete = false;
  const add = (entry: (atMs: number) => RecordingEntry, text: string): boolean => {
    const atMs = Math.round(clock.monotonicMs() - startedMs);
    // Replacements may be longer than what they replace: half of the room is theirs.
    const hasRoom = text.length < MAX_LINE / 2 && length + text.length < MAX_RECORDING / 2 && atMs <= MAX_DURATION_MS;
    if (hasRoom) {
      entries.push(entry(atMs));
      length += text.length + LINE_LENGTH;
    } else isIncomplete = true;
    return hasRoom;
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
      if (!isReadable(paramsText, isObject)) isIncomplete = true;
      else if (add((atMs) => ({ kind: "call", atMs, id, method: call.method, paramsText }), paramsText))
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
      const dataText = length + frameLength < MAX_RECORDING / 2 ? dataOf(text()) : undefined;
      if (dataText === undefined) isIncomplete = true;
      else if (add((atMs) => ({ kind: "event", atMs, channel, dataText }), dataText)) events++;
    },
    text() {
      const redactor = createRedactor();
      if (clientId !== undefined) redactor.know("client", clientId);
      return writeRecording({ startedAtMs, environment, entries }, redactor);
    },
  };
}

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
  if (scanFrame(text).problem !== undefined) return false;
  try {
    return isRight(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Whether a value is not the text that is left where all of it had to be hidden. */
function isNotHidden(value: unknown): boolean {
  return typeof value !== "string" || !value.startsWith("‹hidden›");
}

/** Returns the text of a recording without secret and personal values. */
export function writeRecording(
  { startedAtMs, environment, entries }: Recording,
  redactor: Redactor = createRedactor(),
): string {
  const origins = new Map<number, string>();
  const texts = entries.map((entry) => {
    if (entry.kind === "event") return { text: entry.dataText, origin: entry.channel };
    if (entry.kind === "call") origins.set(entry.id, entry.method);
    const text = entry.kind === "call" ? entry.paramsText : entry.bodyText;
    return { text, origin: origins.get(entry.id) ?? "" };
  });
  for (const { text, origin } of texts) redactor.learn(text, origin);
  const lines = entries.map((entry, index) => {
    const { text = "", origin = "" } = texts[index] ?? {};
    return lineOf(entry, redactor.redact(text, origin), redactor);
  });
  return [JSON.stringify({ [VERSION_MEMBER]: VERSION, environment, startedAtMs }), ...lines, ""].join("\n");
}

function lineOf(entry: RecordingEntry, text: string, redactor: Redactor): string {
  const start = `{"ms":${entry.atMs}`;
  switch (entry.kind) {
    case "call":
      return `${start},"call":${entry.id},"method":${JSON.stringify(entry.method)},"params":${text}}`;
    case "response":
      return `${start},"response":${entry.id},"${entry.member}":${text}}`;
    case "event":
      return `${start},"event":${JSON.stringify(redactor.redactWords(entry.channel))},"data":${text}}`;
  }
}
