import type { TextRange } from "./file.ts";

/** A text as far as the splitter needs one; strings are such texts. */
export interface CharacterSource {
  readonly length: number;
  charCodeAt(index: number): number;
}

/** Where the requests of a file stand. What is inside them has not been looked at. */
export interface RequestSplit {
  readonly root: "nothing" | "object" | "array" | "other";
  /** The root, or the elements of the root array: objects and whatever else stands there. Unclosed ones reach to the end. */
  readonly values: readonly TextRange[];
  /** The first thing that is wrong between the values. */
  readonly trouble: SplitTrouble | undefined;
  /** Where brackets are nested deeper than `MAX_DEPTH`; nothing behind it was read. */
  readonly tooDeepAt: number | undefined;
}

export interface SplitTrouble {
  /**
   * What is missing or too much: a comma between values, a value between commas, the closing bracket, the end of a
   * comment; `after`: something stands behind the root.
   */
  readonly kind: "comma" | "value" | "bracket" | "comment" | "after";
  readonly at: number;
}

/** Levels of objects and lists in a request. Readers of nested text are recursive: more would exhaust the stack. */
export const MAX_DEPTH = 64;

/**
 * Finds the requests of a file in one pass, aware of strings and comments, without checking what is inside. A mistake
 * inside a request does not swallow those behind it: a closing bracket also closes what was left open within.
 */
export function splitRequests(text: CharacterSource): RequestSplit {
  const walk: Walk = { text, values: [], trouble: undefined, tooDeepAt: undefined };
  const start = skipTrivia(walk, text.length > 0 && text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0);
  const root = rootOf(text, start);
  if (root === "array") readElements(walk, start + 1);
  else if (root !== "nothing") readEnd(walk, readValue(walk, start));
  return { root, values: walk.values, trouble: walk.trouble, tooDeepAt: walk.tooDeepAt };
}

interface Walk {
  readonly text: CharacterSource;
  readonly values: TextRange[];
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

function rootOf(text: CharacterSource, start: number): RequestSplit["root"] {
  if (start >= text.length) return "nothing";
  const code = text.charCodeAt(start);
  if (code === OPEN_BRACE) return "object";
  return code === OPEN_BRACKET ? "array" : "other";
}

function readElements(walk: Walk, start: number): void {
  const { text } = walk;
  let isValueBefore = false;
  let position = skipTrivia(walk, start);
  while (position < text.length && walk.tooDeepAt === undefined) {
    const code = text.charCodeAt(position);
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
    }
    position = skipTrivia(walk, position);
  }
  report(walk, "bracket", text.length);
}

function readEnd(walk: Walk, position: number): void {
  const end = skipTrivia(walk, position);
  if (end < walk.text.length && walk.tooDeepAt === undefined) report(walk, "after", end);
}

function report(walk: Walk, kind: SplitTrouble["kind"], at: number): void {
  walk.trouble ??= { kind, at };
}

function readValue(walk: Walk, start: number): number {
  const code = walk.text.charCodeAt(start);
  const isNested = code === OPEN_BRACE || code === OPEN_BRACKET;
  const end = isNested ? readNested(walk, start) : endOfPlainValue(walk.text, start);
  walk.values.push({ start, end });
  return end;
}

/** The end of an object or a list. The part of the splitter that sees nearly all of the text. */
function readNested(walk: Walk, start: number): number {
  const { text } = walk;
  const { length } = text;
  const closers: number[] = [];
  // Counts what a reader may have entered without having left it, where brackets do not match.
  let depth = 0;
  let position = start;
  while (position < length) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) {
      position = endOfString(text, position);
      continue;
    }
    if (code === SLASH) {
      position = endOfComment(text, position);
      continue;
    }
    position += 1;
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      closers.push(code + 2);
      if (depth > MAX_DEPTH) {
        walk.tooDeepAt = position - 1;
        return length;
      }
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (closers.at(-1) === code) depth -= 1;
      close(closers, code);
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

/** A string ends at its quote, or at the end of its line: JSON has no strings over several lines. */
export function endOfString(text: CharacterSource, start: number): number {
  const { length } = text;
  let position = start + 1;
  while (position < length) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) return position + 1;
    if (code === LINE_FEED || code === CARRIAGE_RETURN) return position;
    position += code === BACKSLASH ? 2 : 1;
  }
  return length;
}

/** The end of the comment that begins at a slash; behind the slash where it begins none. */
export function endOfComment(text: CharacterSource, start: number): number {
  const { length } = text;
  const kind = start + 1 < length ? text.charCodeAt(start + 1) : 0;
  let position = start + 2;
  if (kind === SLASH) {
    while (position < length && !isLineBreak(text.charCodeAt(position))) position += 1;
    return position;
  }
  if (kind !== ASTERISK) return start + 1;
  while (position + 1 < length) {
    if (text.charCodeAt(position) === ASTERISK && text.charCodeAt(position + 1) === SLASH) return position + 2;
    position += 1;
  }
  return length;
}

function isLineBreak(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === TAB || isLineBreak(code);
}

/** Passes over white space and comments. */
function skipTrivia(walk: Walk, start: number): number {
  const { text } = walk;
  let position = start;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (isSpace(code)) {
      position += 1;
      continue;
    }
    const end = code === SLASH ? endOfComment(text, position) : position;
    if (end <= position + 1) return position;
    if (end === text.length && isUnclosed(text, position)) report(walk, "comment", position);
    position = end;
  }
  return position;
}

function isUnclosed(text: CharacterSource, start: number): boolean {
  const { length } = text;
  const isClosed = length - start >= 4 && text.charCodeAt(length - 2) === ASTERISK && text.charCodeAt(length - 1) === SLASH;
  return text.charCodeAt(start + 1) === ASTERISK && !isClosed;
}

/** A text, a number, a word or a stray bracket where a request should stand. */
function endOfPlainValue(text: CharacterSource, start: number): number {
  if (text.charCodeAt(start) === QUOTE) return endOfString(text, start);
  let position = start + 1;
  while (position < text.length && !isEndOfWord(text.charCodeAt(position))) position += 1;
  return position;
}

function isEndOfWord(code: number): boolean {
  return isSpace(code) || code === COMMA || code === QUOTE || code === SLASH || code === OPEN_BRACE || code === OPEN_BRACKET || code === CLOSE_BRACE || code === CLOSE_BRACKET;
}
