import type {
  FilePin,
  FileProblem,
  FileRequest,
  FileVariable,
  ProblemCode,
  RequestFile,
  RequestOutline,
  RunOptions,
  TextRange,
} from "./file.ts";
import { outlineOf, placedOutline } from "./outline.ts";
import { placedReading, readRequest, type RequestReading } from "./readRequest.ts";
import { NO_RUN_OPTIONS } from "./runOptions.ts";
import {
  MAX_REQUEST_DEPTH,
  resplitRequests,
  splitRequests,
  valuesOf,
  type RequestSplit,
  type SplitTrouble,
  changeOf,
  type TextChange,
} from "./split.ts";
import { foreignEncoding } from "../../base/encoding.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { placeFinder } from "../text/place.ts";

/** The size above which files are not read, in UTF-16 units, which is what VS Code counts. */
export const MAX_FILE_LENGTH = 16 * 1024 * 1024;

/**
 * Reads a request file. Never throws. Finds only the places of the requests, in one pass over the text. The rest of a
 * request is read when it is asked for.
 */
export function scanRequests(text: string): ScannedFile {
  return scanned(text, unreadableProblem(text) === undefined ? splitRequests(text) : UNREAD);
}

/**
 * Returns the same as `scanRequests`, for a newer version of a file. Walks only the change again; readings of unchanged
 * requests hold at their new places. The older version stays what it is.
 */
export function rescanRequests(before: ScannedFile, text: string): ScannedFile {
  if (before.split === UNREAD || unreadableProblem(text) !== undefined) return scanRequests(text);
  const change = changeOf(before.text, text);
  return scanned(text, resplitRequests(text, before.split, change), { before, change });
}

/** A request file, with what reading a newer version of it needs. */
export interface ScannedFile extends RequestFile {
  readonly split: RequestSplit;
  /** The places of the requests, two offsets each, and their contents. */
  readonly bounds: Int32Array;
  readonly contents: readonly RequestContent[];
}

/** The places of a file that is not searched, because it is too large or has another encoding. */
const UNREAD: RequestSplit = { root: "nothing", bounds: new Int32Array(), trouble: undefined, tooDeepAt: undefined };

interface Earlier {
  readonly before: ScannedFile;
  readonly change: TextChange;
}

function scanned(text: string, split: RequestSplit, earlier?: Earlier): ScannedFile {
  const unreadable = split === UNREAD ? unreadableProblem(text) : undefined;
  const problems = unreadable === undefined ? rootProblems(text, split) : [unreadable];
  const bounds = requestBounds(text, split, { problems, earlier });
  const contents = contentsOf(bounds, earlier);
  const { tooDeepAt = Infinity } = split;
  const rangeAt = (index: number): TextRange => ({ start: bounds[2 * index] ?? 0, end: bounds[2 * index + 1] ?? 0 });
  const requestAt = (content: RequestContent, index: number): FileRequest => {
    const placed = new PlacedRequest(text, rangeAt(index), index, content);
    return placed.range.end > tooDeepAt ? createTooDeepRequest(placed, tooDeepAt) : placed;
  };
  let requests: readonly FileRequest[] | undefined;
  // Those that were asked for one by one.
  const made = new Map<number, FileRequest>();
  const request = (index: number): FileRequest | undefined => {
    const content = contents[index];
    const known = requests?.[index] ?? made.get(index);
    if (known !== undefined || content === undefined) return known;
    const placed = requestAt(content, index);
    made.set(index, placed);
    return placed;
  };
  let placeAt: ScannedFile["placeAt"] | undefined;
  return {
    text,
    split,
    bounds,
    contents,
    problems,
    count: contents.length,
    request,
    placeAt: (offset) => (placeAt ??= placeFinder(text))(offset),
    get requests() {
      return (requests ??= contents.map((content, index) => made.get(index) ?? requestAt(content, index)));
    },
    firstNamed: createFirstNamed(contents.length, (index) => {
      const range = rangeAt(index);
      return range.end > tooDeepAt ? undefined : contents[index]?.read(text, range).run.name;
    }),
    get pin() {
      return request(0)?.pin ?? { kind: "none" };
    },
    get vars() {
      return request(0)?.fileVars ?? [];
    },
  };
}

/** Makes the search for names, which goes no further than it must, and over no request twice. */
function createFirstNamed(
  count: number,
  nameOf: (index: number) => string | undefined,
): (name: string) => number | undefined {
  const found = new Map<string, number>();
  let next = 0;
  return (wanted) => {
    for (; next < count && !found.has(wanted); next++) {
      const name = nameOf(next);
      if (name !== undefined && !found.has(name)) found.set(name, next);
    }
    return found.get(wanted);
  };
}

/** Returns nearly always all bounds of the split; an element that is not a request is a problem. */
function requestBounds(
  text: string,
  split: RequestSplit,
  { problems, earlier }: { readonly problems: FileProblem[]; readonly earlier: Earlier | undefined },
): Int32Array {
  if (split.root === "other") return new Int32Array();
  const { bounds, tooDeepAt = Infinity } = split;
  const isRequest = (place: number): boolean =>
    text.charCodeAt(bounds[place] ?? 0) === OPEN_BRACE || (bounds[place + 1] ?? 0) > tooDeepAt;
  const wereAll = earlier !== undefined && earlier.before.bounds === earlier.before.split.bounds;
  const { front, back } = wereAll ? unchanged(bounds, earlier) : { front: 0, back: 0 };
  const last = bounds.length - 2 * back;
  let place = 2 * front;
  while (place < last && isRequest(place)) place += 2;
  if (place === last) return bounds;
  const kept = [...bounds.subarray(0, place)];
  for (; place < bounds.length; place += 2) {
    const range = { start: bounds[place] ?? 0, end: bounds[place + 1] ?? 0 };
    if (isRequest(place)) kept.push(range.start, range.end);
    else
      problems.push(
        fileProblem("requestKind", range, l10n.t('A request must be an object: { "method": …, "params": { … } }.')),
      );
  }
  return new Int32Array(kept);
}

const OPEN_BRACE = 123;

/** Returns the contents of the requests. Those before and after a change are reused, with their readings. */
function contentsOf(bounds: Int32Array, earlier: Earlier | undefined): readonly RequestContent[] {
  const unread = (from: number, to: number): readonly RequestContent[] =>
    Array.from({ length: to - from }, (_, index) => new RequestContent(from + index === 0));
  const count = bounds.length / 2;
  if (earlier === undefined) return unread(0, count);
  const { contents } = earlier.before;
  const { front, back } = unchanged(bounds, earlier);
  return contents.slice(0, front).concat(unread(front, count - back), contents.slice(contents.length - back));
}

/**
 * Returns how many requests before and after a change stand as they did. The first of a file is never one after it:
 * only there `$file` counts.
 */
function unchanged(
  now: Int32Array,
  { before, change: { start, end, by } }: Earlier,
): { readonly front: number; readonly back: number } {
  const old = before.bounds;
  // Requests that ended before the change still do. One that ends where the change begins may be longer now.
  const ended = countWhile(Math.min(old.length, now.length) / 2, (count) => (old[2 * count - 1] ?? 0) <= start);
  const isLastSame = old[2 * ended - 2] === now[2 * ended - 2] && old[2 * ended - 1] === now[2 * ended - 1];
  const front = isLastSame ? ended : Math.max(0, ended - 1);
  const most = Math.max(0, Math.min(old.length, now.length) / 2 - Math.max(1, front));
  // Where one of them stands as it did, all behind it do.
  const back = countWhile(most, (count) => {
    const [then, place] = [old.length - 2 * count, now.length - 2 * count];
    return (
      (now[place] ?? 0) >= end && (old[then] ?? 0) + by === now[place] && (old[then + 1] ?? 0) + by === now[place + 1]
    );
  });
  return { front, back };
}

/**
 * Returns the largest count from 1 on for which a condition holds that holds for all smaller ones. Returns 0 where
 * there is none.
 */
function countWhile(most: number, holds: (count: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The content of a request, read once, when it is first asked for. Versions of a file share it where they do not
 * differ.
 */
class RequestContent {
  readonly #isFirst: boolean;
  #reading: RequestReading | undefined;
  #outline: RequestOutline | undefined;

  constructor(isFirst: boolean) {
    this.#isFirst = isFirst;
  }

  read(text: string, range: TextRange): RequestReading {
    return (this.#reading ??= readRequest({ text: ownText(text, range), isFirst: this.#isFirst }));
  }

  outline(text: string, range: TextRange): RequestOutline {
    return (this.#outline ??= outlineOf(ownText(text, range)));
  }
}

/** Returns a copy of a part of a text. A slice would keep the whole version of the file as long as it is kept. */
export function ownText(text: string, { start, end }: TextRange): string {
  return [text.slice(start, start + 1), text.slice(start + 1, end)].join("");
}

/** A request in one version of a file. A class, because a file can hold many thousands. */
class PlacedRequest implements FileRequest {
  readonly index: number;
  readonly range: TextRange;
  readonly content: RequestContent;
  readonly #text: string;
  #reading: RequestReading | undefined;

  constructor(text: string, range: TextRange, index: number, content: RequestContent) {
    this.index = index;
    this.range = range;
    this.content = content;
    this.#text = text;
  }

  get #read(): RequestReading {
    return (this.#reading ??= placedReading(this.content.read(this.#text, this.range), this.range.start, this.index));
  }

  get outline(): RequestOutline {
    return placedOutline(this.content.outline(this.#text, this.range), this.range.start, this.index);
  }

  get methodRange(): TextRange | undefined {
    return this.#read.methodRange;
  }

  get method(): string | undefined {
    return this.#read.method;
  }

  get id(): number | string | undefined {
    return this.#read.id;
  }

  get paramsText(): string {
    return this.#read.paramsText;
  }

  get run(): RunOptions {
    return this.#read.run;
  }

  get fileVars(): readonly FileVariable[] {
    return this.#read.fileVars;
  }

  get pin(): FilePin {
    return this.#read.pin;
  }

  get problems(): readonly FileProblem[] {
    return this.#read.problems;
  }
}

/** Makes a stand-in for a request that is not read, because readers of nested text are recursive. */
function createTooDeepRequest({ index, range, outline, content }: FileRequest, at: number): FileRequest {
  const message = l10n.t(
    "Brackets are nested deeper than {0} levels here. This request and everything after it are not read.",
    MAX_REQUEST_DEPTH,
  );
  const problem: FileProblem = {
    code: "tooDeep",
    message,
    severity: "error",
    range: { start: at, end: at + 1 },
    requestIndex: index,
  };
  const pin: FilePin = { kind: "unreadable" };
  return {
    index,
    range,
    outline,
    content,
    methodRange: undefined,
    method: undefined,
    id: undefined,
    paramsText: "{}",
    run: NO_RUN_OPTIONS,
    pin,
    fileVars: [],
    problems: [problem],
  };
}

function rootProblems(text: string, split: RequestSplit): FileProblem[] {
  const whole = { start: 0, end: text.length };
  switch (split.root) {
    case "nothing":
      return [
        ...separatorProblems(split, text.length),
        fileProblem(
          "fileEmpty",
          whole,
          l10n.t(
            'This file has no requests yet. Add { "method": "public/get_time" }, for example, or several requests in an array [ … ].',
          ),
          "warning",
        ),
      ];
    case "other":
      return [
        fileProblem(
          "fileKind",
          valuesOf(split)[0] ?? whole,
          l10n.t("A request file must contain one request { … } or an array of requests [ … ]."),
        ),
      ];
    case "object":
      return separatorProblems(split, text.length);
    case "array":
      if (split.bounds.length > 0 || split.trouble !== undefined) return separatorProblems(split, text.length);
      return [fileProblem("fileEmpty", whole, l10n.t("The array has no requests yet."), "warning")];
  }
}

function separatorProblems({ trouble, root }: RequestSplit, length: number): FileProblem[] {
  if (trouble === undefined) return [];
  const range = { start: trouble.at, end: Math.min(trouble.at + 1, length) };
  return [
    fileProblem(
      trouble.kind === "comment" ? "syntax" : "separator",
      range,
      separatorSentence(trouble.kind, root === "object"),
    ),
  ];
}

function separatorSentence(kind: SplitTrouble["kind"], isObject: boolean): Plain {
  switch (kind) {
    case "comma":
      return l10n.t("Expected a comma between two requests.");
    case "value":
      return l10n.t("Expected a request between two commas.");
    case "bracket":
      return l10n.t("The array of requests is not closed: ] is missing.");
    case "comment":
      return l10n.t("The comment is not closed: */ is missing.");
    case "after":
      return isObject
        ? l10n.t("Unexpected content after the first request. Put multiple requests in an array: [ {…}, {…} ].")
        : l10n.t("Unexpected content after the array of requests. Move it into the array, or remove it.");
  }
}

/** Returns the problem of a file that is not searched; undefined for every other. */
function unreadableProblem(text: string): FileProblem | undefined {
  if (text.length > MAX_FILE_LENGTH) return tooLargeProblem(text);
  const encoding = foreignEncoding(text);
  return (
    encoding &&
    fileProblem("fileKind", { start: 0, end: 0 }, l10n.t("The file is encoded in {0}. Save it as UTF-8.", encoding))
  );
}

function tooLargeProblem(text: string): FileProblem {
  const megabytes = Math.ceil(text.length / 1024 / 1024);
  return fileProblem(
    "fileTooLarge",
    { start: 0, end: 0 },
    l10n.t(
      "This file has {0} MiB. Request files can have up to {1} MiB. Split it into several files.",
      megabytes,
      MAX_FILE_LENGTH / 1024 / 1024,
    ),
  );
}

function fileProblem(
  code: ProblemCode,
  range: TextRange,
  message: Plain,
  severity: FileProblem["severity"] = "error",
): FileProblem {
  return { code, range, message, severity, requestIndex: undefined };
}
