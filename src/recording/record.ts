import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import { messageOf } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import type { Steps } from "../base/slices.ts";
import { createJsonScanner } from "../rpc/scanJson.ts";
import type { Asker, RecordedCall, TrafficWatcher } from "../rpc/traffic.ts";
import { EntryReader, isReadableLine, linesOf } from "./read.ts";
import { createRedactor, type Redactor } from "./redact.ts";
import {
  MAX_DURATION_MS,
  MAX_LINE,
  MAX_RECORDED_BYTES,
  VERSION,
  VERSION_MEMBER,
  type ConnectionStep,
  type RecordingEntry,
} from "./recording.ts";

/** How a recording ended. `none`: there was nothing to record, and its file is gone. */
export type FinishedRecording =
  | { readonly kind: "finished" }
  | { readonly kind: "none" }
  | { readonly kind: "unfinished"; readonly reason: Plain };

/** The file of a recording. All its functions throw what the disk says. */
export interface RecordingFile {
  append(text: string): void;
  /** Returns what was appended, in pieces. */
  pieces(): Iterable<string>;
  /** Begins a file that is to take its place, or that of another path. */
  createNext(otherPath?: string): NextFile;
  close(): void;
  remove(): void;
}

/** A file that is complete before it has its name. */
export interface NextFile {
  append(text: string): void;
  /** Takes the place of the first file. */
  replace(): void;
  remove(): void;
}

export interface RecorderPorts {
  readonly clock: Clock;
  /** The environment that is recorded, as files and options call it. */
  readonly environment: string;
  /** The client ID of the connection, which may be in texts without its name; undefined where there is none. */
  readonly clientId: string | undefined;
  readonly file: RecordingFile;
  /** Returns a text without the secrets that are known elsewhere. */
  readonly masked: (text: string) => string;
  /** Called once, with a sentence, when room or time is used up or the disk takes no more: nothing more is taken. */
  readonly onStop: (sentence: Plain) => void;
}

type EntryOf<K extends RecordingEntry["kind"]> = Extract<RecordingEntry, { readonly kind: K }>;

/** The origins of calls that no request and no command asks for. */
const OF_PROGRAM: readonly Asker[] = ["session", "view", "userRead"];

/**
 * The writer of a recording: it watches the traffic of a connection, and writes it to its file as it comes, without
 * secret and personal values as far as they are known by then. Holds each different such value, and the calls that have
 * no response yet; everything else is on the disk.
 */
export class Recorder implements TrafficWatcher {
  /** The calls and events that were recorded so far. */
  calls = 0;
  events = 0;
  /** Whether something is not in the recording, because there was no more room or it was not readable. */
  isIncomplete = false;
  readonly #ports: RecorderPorts;
  readonly #startedAtMs: number;
  readonly #startedMs: number;
  readonly #redactor = createRedactor();
  readonly #lines: LineBuffer;
  #flushing: Disposable | undefined;
  /** What can't be read again is not written. */
  readonly #reader = new EntryReader();
  /** The calls that are written, for as long as anyone has them. */
  readonly #ids = new WeakMap<RecordedCall, number>();
  #lastId = 0;
  /** The calls that are written and do not belong to the conversation. */
  readonly #unsent = new Set<number>();
  /** The number of lines that were written before the last value was learned, and may have it. */
  #doubtful = 0;
  #isStopped = false;

  /** Makes a recorder, and begins its file. Its clock begins now. Throws what the disk says. */
  constructor(ports: RecorderPorts) {
    const { clock, clientId, file } = ports;
    this.#ports = ports;
    this.#startedAtMs = clock.now();
    this.#startedMs = clock.monotonicMs();
    if (clientId !== undefined) this.#redactor.know("client", clientId);
    this.#lines = new LineBuffer(file);
    file.append(`${this.#head({ isFinished: false })}\n`);
  }

  onBegin(call: RecordedCall, paramsText: string): void {
    const { method, asker } = call;
    const id = this.noteCall({ method, paramsText, isOfProgram: OF_PROGRAM.includes(asker) });
    if (id !== undefined) this.#ids.set(call, id);
  }

  onEnd(call: RecordedCall, bodyText: string | undefined): void {
    const id = this.#ids.get(call);
    if (id === undefined || this.#unsent.has(id)) return;
    const member = call.end?.failure === undefined ? "result" : "error";
    if (bodyText !== undefined) this.noteResponse({ id, member, bodyText }, call.method);
    else if (call.wireId === undefined) {
      // What never left isn't part of the conversation.
      this.#unsent.add(id);
      this.calls--;
    }
  }

  onEvent(channel: string, frameLength: number, text: () => string): void {
    // A text that would not fit is not made.
    if (!this.#hasRoom(frameLength)) return;
    const dataText = dataOf(text());
    if (dataText === undefined) this.isIncomplete = true;
    else this.noteEvent({ channel, dataText });
  }

  /** Notes a call. Returns its number; undefined where it is not in the recording. */
  noteCall(call: Omit<EntryOf<"call">, "kind" | "atMs" | "id">): number | undefined {
    const id = this.#lastId + 1;
    if (!this.#take({ kind: "call", atMs: this.#elapsedMs(), id, ...call }, call.method)) return undefined;
    this.#lastId = id;
    this.calls++;
    return id;
  }

  /** Notes the response to a call that is in the recording. */
  noteResponse(response: Omit<EntryOf<"response">, "kind" | "atMs">, method: string): void {
    this.#take({ kind: "response", atMs: this.#elapsedMs(), ...response }, method);
  }

  noteEvent(event: Omit<EntryOf<"event">, "kind" | "atMs">): void {
    if (this.#take({ kind: "event", atMs: this.#elapsedMs(), ...event }, event.channel)) this.events++;
  }

  /** Notes what happened to a connection of another program. */
  noteConnection(connection: number, step: ConnectionStep): void {
    this.#take({ kind: "connection", atMs: this.#elapsedMs(), connection, step }, "");
  }

  /**
   * Ends the recording: replaces what was known only after it had been written, in a new file that takes the place of
   * the first. In steps between which other things can be done: a large one takes minutes. Where that fails, it can be
   * tried again, `otherPath`: at another place.
   */
  *finish(otherPath?: string): Steps<FinishedRecording> {
    const { file } = this.#ports;
    try {
      this.#end();
      if (this.calls + this.events > 0) {
        yield* this.#writeNext(file.createNext(otherPath));
        return { kind: "finished" };
      }
      file.remove();
      return { kind: "none" };
    } catch (error) {
      return { kind: "unfinished", reason: plain.text(messageOf(error)) };
    }
  }

  /** Closes the file as it is: a recording that was not finished can be read too, and says so. */
  close(): void {
    try {
      this.#end();
      this.#ports.file.close();
    } catch {
      // What the disk does not take is lost with the program.
    }
  }

  #end(): void {
    this.#isStopped = true;
    this.#flushing?.dispose();
    this.#lines.flush();
  }

  #head(members: object): string {
    const { environment } = this.#ports;
    return JSON.stringify({ [VERSION_MEMBER]: VERSION, environment, startedAtMs: this.#startedAtMs, ...members });
  }

  #elapsedMs(): number {
    return Math.round(this.#ports.clock.monotonicMs() - this.#startedMs);
  }

  #hasRoom(length: number): boolean {
    if (this.#isStopped) return false;
    const isFull = this.#lines.bytes + length >= MAX_RECORDED_BYTES || this.#elapsedMs() > MAX_DURATION_MS;
    if (isFull) this.#stop(l10n.t("The recording reached its largest size or time, so it was stopped."));
    return !isFull;
  }

  #write(work: () => void): void {
    try {
      work();
    } catch (error) {
      const reason = plain.text(messageOf(error));
      this.#stop(l10n.t("The recording was stopped, because its file can't be written: {0}", reason));
    }
  }

  #stop(sentence: Plain): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.isIncomplete = true;
    this.#ports.onStop(sentence);
  }

  /** Writes an entry, if there is room and it can be read again. `origin`: its method or channel. */
  #take(entry: RecordingEntry, origin: string): boolean {
    const text = textOf(entry);
    if (!this.#hasRoom(text.length)) return false;
    const line = isHidden(text) || text.length > MAX_LINE ? "" : this.#ports.masked(this.#redactedLine(entry, origin));
    if (typeof this.#reader.take(line) === "string") {
      this.isIncomplete = true;
      return false;
    }
    this.#write(() => this.#lines.add(line));
    this.#flushing ??= this.#ports.clock.after(FLUSH_MS, () => {
      this.#flushing = undefined;
      this.#write(() => this.#lines.flush());
    });
    return true;
  }

  /** Redacts until nothing more is learned: a text may have a value before it tells it. */
  #redactedLine(entry: RecordingEntry, origin: string): string {
    for (;;) {
      const known = this.#redactor.known;
      const line = lineOf(entry, origin, this.#redactor);
      if (this.#redactor.known === known) return line;
      this.#doubtful = this.#lines.count;
    }
  }

  *#writeNext(next: NextFile): Generator<undefined> {
    const lines = new LineBuffer(next);
    let isReplaced = false;
    let length = 0;
    try {
      next.append(`${this.#head({})}\n`);
      for (const line of this.#finishedLines()) {
        lines.add(line);
        length += line.length;
        if (length < STEP_LENGTH) continue;
        length = 0;
        yield undefined;
      }
      lines.flush();
      next.replace();
      isReplaced = true;
    } finally {
      if (!isReplaced) next.remove();
    }
  }

  /** Returns the lines after the head as they stay, from those that were written. */
  *#finishedLines(): Generator<string> {
    const again = new SecondRedaction(this.#redactor);
    const lines = linesOf(this.#ports.file.pieces());
    // The new file has a head of its own.
    lines.next();
    let left = this.#doubtful;
    for (const { text, isEnded } of lines) {
      // The last one may be cut off where the disk is full.
      if (!isEnded) continue;
      const id = idIn(text);
      const line = this.#ports.masked(left-- > 0 ? again.lineOf(text) : text);
      if (id !== undefined && this.#unsent.has(id)) continue;
      if (line === text || isReadableLine(line)) {
        yield line;
        continue;
      }
      this.isIncomplete = true;
      if (id !== undefined) this.#unsent.add(id);
    }
  }
}

/** Redacts lines that were redacted before, in their order. Holds the calls that have no response yet. */
class SecondRedaction {
  readonly #redactor: Redactor;
  readonly #reader = new EntryReader();
  readonly #methods = new Map<number, string>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  lineOf(text: string): string {
    const entry = this.#reader.take(text);
    return typeof entry === "string" ? "" : lineOf(entry, this.#originOf(entry), this.#redactor);
  }

  #originOf(entry: RecordingEntry): string {
    if (entry.kind === "event") return entry.channel;
    if (entry.kind === "connection") return "";
    if (entry.kind === "call") {
      this.#methods.set(entry.id, entry.method);
      return entry.method;
    }
    const method = this.#methods.get(entry.id) ?? "";
    this.#methods.delete(entry.id);
    return method;
  }
}

/** Lines on their way to a file. */
class LineBuffer {
  /** The lines, and their bytes, that were added so far. */
  count = 0;
  bytes = 0;
  readonly #file: Pick<RecordingFile, "append">;
  #waiting: string[] = [];
  #waitingBytes = 0;

  constructor(file: Pick<RecordingFile, "append">) {
    this.#file = file;
  }

  /** Throws what the disk says. */
  add(line: string): void {
    const bytes = Buffer.byteLength(line) + 1;
    this.count++;
    this.bytes += bytes;
    this.#waiting.push(line);
    this.#waitingBytes += bytes;
    if (this.#waitingBytes >= FLUSH_BYTES) this.flush();
  }

  /** Writes what waits. Throws what the disk says: what it did not take is lost. */
  flush(): void {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (lines.length > 0) this.#file.append([...lines, ""].join("\n"));
  }
}

/** The bytes that are written at a time, and how long fewer wait, in ms: so much is lost where the program dies. */
const FLUSH_BYTES = 64 * 1024;
const FLUSH_MS = 1000;
/** The characters after which a step ends: it takes some tens of milliseconds. */
const STEP_LENGTH = 200_000;

const scanFrame = createJsonScanner({ members: ["params", "data", "result", "error"], secrets: [] });

/** Returns the payload in the frame of an event; undefined where it can't be read. */
function dataOf(frameText: string): string | undefined {
  const params = frameMember(frameText, "params");
  return params === undefined ? undefined : frameMember(params, "data");
}

/** Returns the text of a member of a frame, or of its parameters; undefined where it can't be read. */
export function frameMember(text: string, name: "params" | "data" | "result" | "error"): string | undefined {
  const { problem, members } = scanFrame(text);
  const span = members.get(name);
  return problem !== undefined || span === undefined ? undefined : text.slice(span.start, span.end);
}

/** Whether a text is what is left where all of it had to be hidden. */
function isHidden(text: string): boolean {
  return text.startsWith('"‹hidden›');
}

/** Returns the JSON of an entry; that of a connection has none. */
export function textOf(entry: RecordingEntry): string {
  if (entry.kind === "event") return entry.dataText;
  if (entry.kind === "connection") return "null";
  return entry.kind === "call" ? entry.paramsText : entry.bodyText;
}

/** Returns the number of the call in a line as `lineOf` writes it. */
function idIn(line: string): number | undefined {
  const [, id] = /^\{"ms":\d+,"(?:call|response)":(\d+)/.exec(line) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** Returns the line of an entry without secret and personal values. `origin`: its method or channel. */
function lineOf(entry: RecordingEntry, origin: string, redactor: Redactor): string {
  const start = `{"ms":${entry.atMs}`;
  const text = redactor.redact(textOf(entry), origin);
  switch (entry.kind) {
    case "call":
      return `${start},"call":${entry.id}${entry.isOfProgram ? ',"by":"program"' : ""}${placeOf(entry, redactor)},"method":${JSON.stringify(entry.method)},"params":${text}}`;
    case "response":
      return `${start},"response":${entry.id},"${entry.member}":${text}}`;
    case "event":
      return `${start},"event":${JSON.stringify(redactor.redactWords(entry.channel))}${placeOf(entry, redactor)},"data":${text}}`;
    case "connection":
      return `${start},"connection":${entry.connection},"is":"${entry.step}"}`;
  }
}

/** Returns the members for the connection of an entry, and for the ID that a call has there. */
function placeOf(entry: EntryOf<"call"> | EntryOf<"event">, redactor: Redactor): string {
  const { connection } = entry;
  if (connection === undefined) return "";
  const id = entry.kind === "call" ? entry.wireId : undefined;
  if (id === undefined) return `,"on":${connection}`;
  return `,"on":${connection},"id":${JSON.stringify(typeof id === "string" ? redactor.redactWords(id) : id)}`;
}
