import { createScanner, getLocation } from "jsonc-parser";
import type { FileRequest, RequestFile, TextRange } from "./file.ts";

/** The surroundings of an offset of a request file. Offsets and ranges count in the file's text. */
export interface Cursor {
  readonly offset: number;
  readonly request: FileRequest;
  /** The names and indices of the path; the last one may be a name that is being typed. */
  readonly path: readonly (string | number)[];
  /** Whether the offset is where the name of a member stands, or could. */
  readonly isName: boolean;
  /** The value or name at the offset, quotes included; empty where there is none. */
  readonly literal: TextRange;
  /** Whether the literal is a text. One whose closing quote is missing ends at the offset. */
  readonly isText: boolean;
  /** The placeholder at the offset. */
  readonly placeholder: PlaceholderAt | undefined;
}

/** A placeholder that may still lack its end. */
interface PlaceholderAt {
  /** The text between the braces; to the offset where they are not closed. */
  readonly inner: TextRange;
  /** The text between the opening braces and the offset, without blanks before it. */
  readonly typed: string;
  readonly isClosed: boolean;
}

/**
 * Returns the request at an offset; undefined between requests. Looks at no character but the last one of a request.
 */
export function requestAt(file: Places, offset: number): FileRequest | undefined {
  const request = lastBefore(file, offset);
  if (request === undefined || offset > request.range.end) return undefined;
  return offset < request.range.end || file.text.charAt(request.range.end - 1) !== "}" ? request : undefined;
}

/** The part of a file that says where its requests are. */
type Places = Pick<RequestFile, "text" | "count" | "request">;

/** Returns the last request that begins before an offset. Makes as few requests as possible. */
export function lastBefore({ count, request }: Places, offset: number): FileRequest | undefined {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((request(middle)?.range.start ?? Infinity) < offset) low = middle + 1;
    else high = middle;
  }
  return request(low - 1);
}

/** Returns the surroundings of an offset; undefined between requests. Looks only at the text of the one request. */
export function cursorAt(file: Places, offset: number): Cursor | undefined {
  const request = requestAt(file, offset);
  if (request === undefined) return undefined;
  const { start } = request.range;
  const text = file.text.slice(start, request.range.end);
  const { path, isAtPropertyKey, previousNode: node } = getLocation(text, offset - start);
  if (node === undefined || offset > start + node.offset + node.length) {
    return {
      offset,
      request,
      path,
      isName: isAtPropertyKey,
      literal: { start: offset, end: offset },
      isText: false,
      placeholder: undefined,
    };
  }
  const isText = text[node.offset] === '"';
  const end = start + node.offset + node.length;
  const isClosed = !isText || (node.length > 1 && text[node.offset + node.length - 1] === '"');
  // What stands behind an unclosed text is no part of it, as far as the person can see.
  const literal = { start: start + node.offset, end: isClosed ? end : offset };
  return {
    offset,
    request,
    path,
    isName: isAtPropertyKey,
    literal,
    isText,
    placeholder: isText ? placeholderAt(file.text, literal, offset) : undefined,
  };
}

function placeholderAt(text: string, literal: TextRange, offset: number): PlaceholderAt | undefined {
  const before = text.slice(literal.start, offset);
  const open = before.lastIndexOf("{{");
  if (open < 0 || before.indexOf("}}", open) >= 0 || before.slice(0, open).endsWith("\\\\")) return undefined;
  const inside = /^[^{}"]*(?=\}\})/.exec(text.slice(offset, literal.end));
  const start = literal.start + open + 2;
  const end = inside === null ? offset : offset + inside[0].length;
  return { inner: { start, end }, typed: text.slice(start, offset).trimStart(), isClosed: inside !== null };
}

/** A place where another request could stand. */
export interface RequestPlace {
  readonly needsCommaBefore: boolean;
  readonly needsCommaAfter: boolean;
}

/**
 * Returns the place where another request could stand at an offset: in an empty file, or between the brackets of a
 * list.
 */
export function requestPlaceAt(file: Places, offset: number): RequestPlace | undefined {
  if (requestAt(file, offset) !== undefined) return undefined;
  const { previous, next, before, after } = gapAt(file, offset);
  if (file.count === 0 && before + after === "") return { needsCommaBefore: false, needsCommaAfter: false };
  const isBehindStart = previous === undefined ? before === "[" : !before.includes("]");
  if (!isBehindStart || (next === undefined && !after.endsWith("]"))) return undefined;
  return {
    needsCommaBefore: previous !== undefined && !before.endsWith(","),
    needsCommaAfter: next !== undefined && !after.startsWith(","),
  };
}

interface Gap {
  readonly previous: FileRequest | undefined;
  readonly next: FileRequest | undefined;
  /** The marks between the previous request and the offset, and between that and the next one. */
  readonly before: string;
  readonly after: string;
}

function gapAt(file: Places, offset: number): Gap {
  const { text } = file;
  const previous = lastBefore(file, offset);
  const next = file.request(previous === undefined ? 0 : previous.index + 1);
  return {
    previous,
    next,
    before: marks(text.slice(previous?.range.end ?? 0, offset)),
    after: marks(text.slice(offset, next?.range.start ?? text.length)),
  };
}

/** Returns the marks of a text without comments and blanks. A word that is being typed is not a mark. */
function marks(text: string): string {
  const scanner = createScanner(text.replace(/^\uFEFF/, ""), true);
  let found = "";
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) found += MARKS[kind] ?? "";
  return found;
}

/* Kinds of tokens as the parser numbers them; its own names for them exist at compile time only. */
const END = 17;
const MARKS: Readonly<Record<number, string>> = { 1: "{", 2: "}", 3: "[", 4: "]", 5: "," };
