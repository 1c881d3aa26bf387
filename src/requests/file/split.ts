import type { TextRange } from "./file.ts";

/** The UTF-16 units of a text. Walking them one by one is several times as fast as asking a string for each. */
export type TextCodes = ArrayLike<number>;

export function codesOf(text: string): TextCodes {
  const bytes = Buffer.from(text, "utf16le");
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}

/** The places of the requests of a file. Their contents have not been read. */
export interface RequestSplit {
  readonly root: "nothing" | "object" | "array" | "other";
  /**
   * The beginning and end of the root, or of each element of the root array: two offsets each, which cost little to
   * move. Holds objects and any other values; unclosed ones reach to the end.
   */
  readonly bounds: Int32Array;
  /** The first problem between the values. */
  readonly trouble: SplitTrouble | undefined;
  /** The place where brackets are nested deeper than `MAX_REQUEST_DEPTH`; nothing after it was read. */
  readonly tooDeepAt: number | undefined;
}

export interface SplitTrouble {
  /**
   * The missing or extra part: a comma between values, a value between commas, the closing bracket, the end of a
   * comment. `after`: something stands after the root.
   */
  readonly kind: "comma" | "value" | "bracket" | "comment" | "after";
  readonly at: number;
}

/**
 * The most levels of objects and lists in a request. Readers of nested text are recursive: more would exhaust the
 * stack.
 */
export const MAX_REQUEST_DEPTH = 64;

/**
 * Finds the requests of a file in one pass, aware of strings and comments, without checking their contents. An error
 * inside a request does not swallow those after it: a closing bracket also closes what was left open within.
 */
export function splitRequests(text: string): RequestSplit {
  return splitCodes(codesOf(text));
}

/** Finds the requests as `splitRequests` does, from the units of a text. */
export function splitCodes(codes: TextCodes): RequestSplit {
  const walk = newWalk(codes);
  const start = skipTrivia(walk, codes[0] === BYTE_ORDER_MARK ? 1 : 0);
  const root = rootOf(codes, start);
  if (root === "array") readElements(walk, start + 1, () => false);
  else if (root !== "nothing") readEnd(walk, readValue(walk, start));
  return { root, bounds: new Int32Array(walk.bounds), trouble: walk.trouble, tooDeepAt: walk.tooDeepAt };
}

function newWalk(codes: TextCodes): Walk {
  return { codes, bounds: [], trouble: undefined, tooDeepAt: undefined };
}

/** Returns the values of a split. */
export function valuesOf({ bounds }: RequestSplit): readonly TextRange[] {
  return Array.from({ length: bounds.length / 2 }, (_, index) => ({
    start: bounds[2 * index] ?? 0,
    end: bounds[2 * index + 1] ?? 0,
  }));
}

/**
 * Returns the same as `splitRequests`, for a text that was split before it changed. Walks from the value that the
 * change begins in or after, to the end of the value that it ends in or before. If a value ends there as one did,
 * everything after it is unchanged. Otherwise the change opens, closes or parts more than it touches, and the whole
 * text is walked.
 */
export function resplitRequests(
  text: Pick<string, "length" | "slice">,
  before: RequestSplit,
  change: TextChange,
): RequestSplit {
  return nearChange(text, before, change) ?? splitRequests(text.slice(0, text.length));
}

/** Splits the surroundings of a change. Undefined where they do not decide the result. */
function nearChange(
  text: Pick<string, "length" | "slice">,
  before: RequestSplit,
  change: TextChange,
): RequestSplit | undefined {
  const touched = touchedBy(before, change);
  if (touched === undefined) return undefined;
  const { first, start, oldEnd } = touched;
  const end = oldEnd + change.by - start;
  // With the character behind it: a value that is left open does not seem to end there.
  const walk = newWalk(codesOf(text.slice(start, Math.min(text.length, start + end + 1))));
  // What else may begin there could be another thing with what stands behind it now.
  if (walk.codes[0] !== OPEN_BRACE && walk.codes[0] !== OPEN_BRACKET) return undefined;
  readElements(walk, 0, (position) => position === end);
  if (walk.bounds.at(-1) !== end || walk.trouble !== undefined || walk.tooDeepAt !== undefined) return undefined;
  const { root, bounds, trouble } = before;
  const moved =
    trouble === undefined || trouble.at <= start ? trouble : { kind: trouble.kind, at: trouble.at + change.by };
  const made = spliced(
    bounds,
    { from: first, to: touched.behind, by: change.by },
    walk.bounds.map((each) => each + start),
  );
  return { root, bounds: made, trouble: moved, tooDeepAt: undefined };
}

interface Touched {
  /** The index in the bounds of the first value, and after the last one. */
  readonly first: number;
  readonly behind: number;
  readonly start: number;
  /** The old end of the last value. */
  readonly oldEnd: number;
}

/**
 * Returns the values from the one that a change begins in or after to the one that it ends in or before. Undefined
 * where there is none.
 */
function touchedBy({ root, bounds, trouble, tooDeepAt }: RequestSplit, change: TextChange): Touched | undefined {
  const first = lastBelow(bounds, change.start);
  if (root !== "array" || tooDeepAt !== undefined || first < 0) return undefined;
  let last = first;
  while (last < bounds.length && (bounds[last + 1] ?? 0) + change.by < change.end) last += 2;
  const start = bounds[first] ?? 0;
  const oldEnd = bounds[last + 1];
  // An error inside these values may have hidden others, so they cannot be replaced alone.
  const isHiding = trouble !== undefined && trouble.at > start && trouble.at < (oldEnd ?? 0);
  return oldEnd === undefined || isHiding ? undefined : { first, behind: last + 2, start, oldEnd };
}

/** Returns the index in the bounds of the last value that begins before an offset; negative where none does. */
function lastBelow(bounds: Int32Array, offset: number): number {
  let low = 0;
  let high = bounds.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bounds[2 * middle] ?? Infinity) < offset) low = middle + 1;
    else high = middle;
  }
  return 2 * (low - 1);
}

/** Returns bounds of which some are replaced and those after them moved. */
function spliced(
  bounds: Int32Array,
  { from, to, by }: { readonly from: number; readonly to: number; readonly by: number },
  others: readonly number[],
): Int32Array {
  const made = new Int32Array(from + others.length + bounds.length - to);
  made.set(bounds.subarray(0, from));
  made.set(others, from);
  const behind = from + others.length;
  const { length } = made;
  made.set(bounds.subarray(to), behind);
  for (let place = behind; place < length; place++) made[place] = (made[place] ?? 0) + by;
  return made;
}

interface Walk {
  readonly codes: TextCodes;
  readonly bounds: number[];
  trouble: SplitTrouble | undefined;
  tooDeepAt: number | undefined;
}

const BYTE_ORDER_MARK = 0xfeff;
const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const ASTERISK = 42;
const COMMA = 44;
const SLASH = 47;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

function rootOf(codes: TextCodes, start: number): RequestSplit["root"] {
  if (start >= codes.length) return "nothing";
  const code = codes[start];
  if (code === OPEN_BRACE) return "object";
  return code === OPEN_BRACKET ? "array" : "other";
}

/** Reads the elements of a list. `isEnd`: whether the walk stops at the end of a value. */
function readElements(walk: Walk, start: number, isEnd: (position: number) => boolean): void {
  const { codes } = walk;
  let isValueBefore = false;
  let position = skipTrivia(walk, start);
  while (position < codes.length && walk.tooDeepAt === undefined) {
    const code = codes[position];
    if (code === CLOSE_BRACKET) {
      readEnd(walk, position + 1);
      return;
    }
    if (code === COMMA) {
      if (!isValueBefore) report(walk, "value", position);
      isValueBefore = false;
      position += 1;
    } else {
      if (isValueBefore) report(walk, "comma", position);
      isValueBefore = true;
      position = readValue(walk, position);
      if (isEnd(position)) return;
    }
    position = skipTrivia(walk, position);
  }
  report(walk, "bracket", codes.length);
}

function readEnd(walk: Walk, position: number): void {
  const end = skipTrivia(walk, position);
  if (end < walk.codes.length && walk.tooDeepAt === undefined) report(walk, "after", end);
}

function report(walk: Walk, kind: SplitTrouble["kind"], at: number): void {
  walk.trouble ??= { kind, at };
}

function readValue(walk: Walk, start: number): number {
  const code = walk.codes[start];
  const isNested = code === OPEN_BRACE || code === OPEN_BRACKET;
  const end = isNested ? readNested(walk, start) : endOfPlainValue(walk.codes, start);
  walk.bounds.push(start, end);
  return end;
}

/** Returns the end of an object or a list. This part of the splitter sees nearly all of the text. */
function readNested(walk: Walk, start: number): number {
  const { codes } = walk;
  const { length } = codes;
  const closers: number[] = [];
  // Counts what a reader may have entered without having left it, where brackets do not match.
  let depth = 0;
  let position = start;
  while (position < length) {
    const code = codes[position];
    if (code === QUOTE) {
      position = endOfStringInLine(codes, position);
      continue;
    }
    if (code === SLASH) {
      position = endOfComment(codes, position);
      continue;
    }
    position += 1;
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      closers.push(code + 2);
      if (depth > MAX_REQUEST_DEPTH) {
        walk.tooDeepAt = position - 1;
        return length;
      }
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (closers[closers.length - 1] === code) {
        depth -= 1;
        closers.pop();
      } else close(closers, code);
      if (closers.length === 0) return position;
    }
  }
  return length;
}

/** Closes the innermost bracket of this sort and all that was left open within; nothing where there is none. */
function close(closers: number[], code: number): void {
  const index = closers.lastIndexOf(code);
  if (index >= 0) closers.length = index;
}

/** Returns the end of a string: its quote, or the end of its line, because JSON has no strings over several lines. */
export function endOfStringInLine(codes: TextCodes, start: number): number {
  const { length } = codes;
  let position = start + 1;
  while (position < length) {
    const code = codes[position];
    if (code === QUOTE) return position + 1;
    if (code === LINE_FEED || code === CARRIAGE_RETURN) return position;
    position += code === BACKSLASH ? 2 : 1;
  }
  return length;
}

/** Returns the end of the comment that begins at a slash; the place after the slash where none begins. */
export function endOfComment(codes: TextCodes, start: number): number {
  const { length } = codes;
  const kind = start + 1 < length ? codes[start + 1] : 0;
  let position = start + 2;
  if (kind === SLASH) {
    while (position < length && !isLineBreak(codes[position])) position += 1;
    return position;
  }
  if (kind !== ASTERISK) return start + 1;
  while (position + 1 < length) {
    if (codes[position] === ASTERISK && codes[position + 1] === SLASH) return position + 2;
    position += 1;
  }
  return length;
}

function isLineBreak(code: number | undefined): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

function isSpace(code: number | undefined): boolean {
  return code === SPACE || code === TAB || isLineBreak(code);
}

/** Skips white space and comments. */
function skipTrivia(walk: Walk, start: number): number {
  const { codes } = walk;
  let position = start;
  while (position < codes.length) {
    const code = codes[position];
    if (isSpace(code)) {
      position += 1;
      continue;
    }
    const end = code === SLASH ? endOfComment(codes, position) : position;
    if (end <= position + 1) return position;
    if (end === codes.length && isUnclosed(codes, position)) report(walk, "comment", position);
    position = end;
  }
  return position;
}

function isUnclosed(codes: TextCodes, start: number): boolean {
  const { length } = codes;
  const isClosed = length - start >= 4 && codes[length - 2] === ASTERISK && codes[length - 1] === SLASH;
  return codes[start + 1] === ASTERISK && !isClosed;
}

/** Returns the end of a text, a number, a word or a stray bracket where a request should stand. */
function endOfPlainValue(codes: TextCodes, start: number): number {
  if (codes[start] === QUOTE) return endOfStringInLine(codes, start);
  let position = start + 1;
  while (position < codes.length && !isEndOfWord(codes[position])) position += 1;
  return position;
}

function isEndOfWord(code: number | undefined): boolean {
  return (
    isSpace(code) ||
    code === COMMA ||
    code === QUOTE ||
    code === SLASH ||
    code === OPEN_BRACE ||
    code === OPEN_BRACKET ||
    code === CLOSE_BRACE ||
    code === CLOSE_BRACKET
  );
}

/** The change of a text between two of its versions. Everything outside of the change is the same. */
export interface TextChange {
  /** The place where the versions begin to differ. */
  readonly start: number;
  /** The end of the difference, in the newer version. */
  readonly end: number;
  /** The distance that the newer version has moved the text after the change; negative where it is shorter. */
  readonly by: number;
}

/**
 * Returns the smallest change that makes one text of another. Several edits are one change from the first to the last
 * of them.
 */
export function changeOf(before: string, after: string): TextChange {
  const least = Math.min(before.length, after.length);
  const start = sameCount(least, (from, to) => before.slice(from, to) === after.slice(from, to));
  const fromEnd = ({ length }: string, count: number): number => length - count;
  const kept = sameCount(
    least - start,
    (from, to) =>
      before.slice(fromEnd(before, to), fromEnd(before, from)) ===
      after.slice(fromEnd(after, to), fromEnd(after, from)),
  );
  return { start, end: after.length - kept, by: after.length - before.length };
}

/**
 * The length of a slice. The engine compares long slices and does not copy them: megabytes take a fraction of a
 * millisecond.
 */
const SLICE = 16_384;

/** Returns how many characters are the same, from the start of the counting. */
function sameCount(most: number, isSame: (from: number, to: number) => boolean): number {
  let low = 0;
  while (low < most && isSame(low, Math.min(low + SLICE, most))) low = Math.min(low + SLICE, most);
  let high = Math.min(low + SLICE, most);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (isSame(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
