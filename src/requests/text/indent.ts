import { endOfString } from "../../rpc/scanJson.ts";

/** The limits of an indented text. */
export interface IndentLimits {
  readonly maxLines: number;
  /** The most UTF-16 units, which is what VS Code counts. */
  readonly maxLength: number;
  /** The most elements of the list that is counted (default: all). */
  readonly maxElements?: number;
}

/** JSON text, indented. */
interface IndentedJson {
  readonly text: string;
  /** The missing part where the limits cut the text; undefined when it is whole. */
  readonly cut: IndentCut | undefined;
}

/** The shown share of a text. Counted in elements of its list where it is one, or holds one, and in lines otherwise. */
export interface IndentCut {
  readonly unit: "elements" | "lines";
  readonly shown: number;
  readonly total: number;
}

/**
 * Indents JSON by its text alone: white space outside of texts is replaced, and every number, text and word stays as it
 * came. Text that is not JSON is passed on as well as possible. A list that is too long ends after a whole element.
 */
export function indentJson(
  json: string,
  limits: IndentLimits = { maxLines: Infinity, maxLength: Infinity },
): IndentedJson {
  const writer = createWriter(limits, json.length);
  let position = 0;
  while (position < json.length) {
    const code = json.charCodeAt(position);
    const end = isSpace(code) ? position + 1 : endOfToken(json, position, code);
    if (code === COMMA) writer.separate();
    else if (code === COLON) writer.copy(": ", 0, 2);
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) writer.close(code);
    else if (code !== OPEN_BRACE && code !== OPEN_BRACKET) writer.copy(json, position, isSpace(code) ? position : end);
    else if (end === position + 1) writer.open(code);
    else writer.copy(code === OPEN_BRACE ? "{}" : "[]", 0, 2);
    position = end;
  }
  return writer.finish();
}

/** Returns the end of a sign, a text, a number or a word. An empty object or list counts as one. */
function endOfToken(json: string, start: number, code: number): number {
  switch (code) {
    case QUOTE:
      return endOfString(json, start);
    case COMMA:
    case COLON:
    case CLOSE_BRACE:
    case CLOSE_BRACKET:
      return start + 1;
    case OPEN_BRACE:
    case OPEN_BRACKET: {
      const next = skipSpace(json, start + 1);
      return json.charCodeAt(next) === code + 2 ? next + 1 : start + 1;
    }
    default:
      return endOfWord(json, start);
  }
}

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** The deepest level with an indentation of its own. Otherwise a text of brackets alone would grow by its square. */
const MAX_INDENT = 64;
const LINE_START = `\n${"  ".repeat(MAX_INDENT)}`;

interface Writer {
  /** Writes a part of a text. */
  copy(source: string, start: number, end: number): void;
  open(code: number): void;
  close(code: number): void;
  separate(): void;
  finish(): IndentedJson;
}

/** A list whose elements are counted: the root, or else a member of the root. */
interface CountedList {
  /** The level of its elements. */
  readonly level: number;
  isOpen: boolean;
  elements: number;
  /** The number of elements in the text, and the length of the text after the last of these. */
  shown: number;
  shownLength: number;
}

function createWriter(limits: IndentLimits, expectedLength: number): Writer {
  const { maxLines, maxLength, maxElements = Infinity } = limits;
  const text = createTextBuffer(Math.min(maxLength, expectedLength * 2));
  let level = 0;
  let lines = 1;
  let shownLines = 1;
  let isCut = false;
  let list: CountedList | undefined;
  const copy = (source: string, start: number, end: number): void => {
    if (isCut) return;
    const room = lines > maxLines ? 0 : maxLength - text.length;
    isCut = end - start > room;
    text.append(source, start, Math.min(end, start + room));
    if (!isCut) shownLines = lines;
    // Behind the cut no list is opened any more, so that the one that was cut is the one that is told about.
    else if (list?.isOpen === false) list = undefined;
  };
  const breakLine = (): void => {
    lines += 1;
    copy(LINE_START, 0, 1 + 2 * Math.min(level, MAX_INDENT));
  };
  const endElement = (): void => {
    if (list?.isOpen !== true || level !== list.level) return;
    list.elements += 1;
    if (isCut) return;
    list.shown = list.elements;
    list.shownLength = text.length;
  };
  return {
    copy,
    open(code) {
      copy(code === OPEN_BRACE ? "{" : "[", 0, 1);
      level += 1;
      if (code === OPEN_BRACKET && level <= 2 && list?.isOpen !== true && !isCut)
        list = { level, isOpen: true, elements: 0, shown: 0, shownLength: 0 };
      breakLine();
    },
    close(code) {
      endElement();
      if (level === list?.level) list.isOpen = false;
      level = Math.max(0, level - 1);
      breakLine();
      copy(code === CLOSE_BRACE ? "}" : "]", 0, 1);
    },
    separate() {
      endElement();
      if (list?.isOpen === true && level === list.level && list.elements >= maxElements) isCut = true;
      copy(",", 0, 1);
      breakLine();
    },
    finish() {
      if (!isCut) return { text: text.read(text.length), cut: undefined };
      if (list === undefined || list.shown === 0)
        return { text: text.read(text.length), cut: { unit: "lines", shown: shownLines, total: lines } };
      return { text: text.read(list.shownLength), cut: { unit: "elements", shown: list.shown, total: list.elements } };
    },
  };
}

/** A text that grows. A response has a million pieces: as joined strings they take ten times as long. */
interface TextBuffer {
  readonly length: number;
  append(source: string, start: number, end: number): void;
  /** Returns the first `length` units. */
  read(length: number): string;
}

function createTextBuffer(expectedLength: number): TextBuffer {
  let units = new Uint16Array(Math.max(64, expectedLength));
  let length = 0;
  return {
    get length() {
      return length;
    },
    append(source, start, end) {
      if (length + end - start > units.length) {
        const larger = new Uint16Array(2 * units.length + end - start);
        larger.set(units.subarray(0, length));
        units = larger;
      }
      for (let index = start; index < end; index++) units[length++] = source.charCodeAt(index);
    },
    // Unlike a TextDecoder this keeps halves of surrogate pairs, which JSON may carry.
    read: (count) => Buffer.from(units.buffer, 0, 2 * count).toString("utf16le"),
  };
}

function skipSpace(json: string, start: number): number {
  let position = start;
  while (position < json.length && isSpace(json.charCodeAt(position))) position += 1;
  return position;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === TAB || code === LINE_FEED || code === CARRIAGE_RETURN;
}

function endOfWord(json: string, start: number): number {
  let position = start + 1;
  while (position < json.length && !isEndOfWord(json.charCodeAt(position))) position += 1;
  return position;
}

function isEndOfWord(code: number): boolean {
  return (
    code === COMMA ||
    code === COLON ||
    code === QUOTE ||
    isSpace(code) ||
    code === CLOSE_BRACE ||
    code === CLOSE_BRACKET ||
    code === OPEN_BRACE ||
    code === OPEN_BRACKET
  );
}
