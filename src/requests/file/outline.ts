import { parseTree } from "jsonc-parser";
import type { Quoted, RequestFile, RequestOutline, TextRange } from "./file.ts";
import { codesOf, endOfComment, endOfStringInLine, type TextCodes } from "./split.ts";

/**
 * Returns the outlines of all requests of a file. Those found in an earlier version of the file are not searched again.
 */
export function outlineRequests({ requests }: Pick<RequestFile, "requests">): readonly RequestOutline[] {
  return requests.map(({ outline }) => outline);
}

/** Returns the names of the requests, each with the first one that has it. */
export function namedRequests(outlines: readonly RequestOutline[]): ReadonlyMap<string, RequestOutline> {
  const named = new Map<string, RequestOutline>();
  for (const outline of outlines)
    if (outline.name !== undefined && !named.has(outline.name.value)) named.set(outline.name.value, outline);
  return named;
}

/** A walk over one request. */
interface Walk {
  readonly text: string;
  readonly codes: TextCodes;
  readonly values: Map<string, Quoted>;
  depth: number;
  /** The member of the request that is being read. */
  outer: string;
  /** The text before this place, which is a name if a colon follows. */
  last: TextRange;
  /** Whether a colon stands before this place. */
  isValue: boolean;
}

/**
 * Returns the outline of a request, as number 0 and in places that count from its beginning. Needs no tokens and no
 * tree. Each character is visited once, which is quick for many thousands of requests. Works for a request that is
 * being typed, as far as it can be seen.
 */
export function outlineOf(text: string): RequestOutline {
  const walk: Walk = {
    text,
    codes: codesOf(text),
    values: new Map(),
    depth: 0,
    outer: "",
    last: { start: 0, end: 0 },
    isValue: false,
  };
  for (let position = 0; position < text.length;) position = step(walk, position);
  const { values } = walk;
  return {
    index: 0,
    range: { start: 0, end: text.length },
    method: values.get(METHOD),
    idText: values.get(ID)?.value,
    name: values.get(NAME),
  };
}

/** Returns the outline of a request that begins at an offset of its file and has this number there. */
export function placedOutline(
  { range, method, idText, name }: RequestOutline,
  start: number,
  index: number,
): RequestOutline {
  const moved = (each: TextRange): TextRange => ({ start: each.start + start, end: each.end + start });
  const movedText = (each: Quoted | undefined): Quoted | undefined =>
    each && { value: each.value, range: moved(each.range) };
  return { index, range: moved(range), method: movedText(method), idText, name: movedText(name) };
}

/** Advances by a text, a comment or a character. */
function step(walk: Walk, position: number): number {
  const { codes } = walk;
  const code = codes[position] ?? 0;
  switch (code) {
    case QUOTE: {
      const end = endOfStringInLine(codes, position);
      if (walk.isValue) take(walk, position, end);
      walk.isValue = false;
      walk.last = { start: position, end };
      return end;
    }
    case SLASH:
      return endOfComment(codes, position);
    case COLON:
      if (walk.depth === 1) walk.outer = textIn(walk, walk.last);
      walk.isValue = true;
      return position + 1;
    case OPEN_BRACE:
    case OPEN_BRACKET:
      walk.depth += 1;
      walk.isValue = false;
      return position + 1;
    case CLOSE_BRACE:
    case CLOSE_BRACKET:
      walk.depth -= 1;
      return position + 1;
    default:
      return walk.isValue && code > SPACE ? endOfPlain(walk, position) : position + 1;
  }
}

/** Returns the end of a number, a word or another character. */
function endOfPlain(walk: Walk, position: number): number {
  PLAIN.lastIndex = position;
  const end = position + Math.max(1, PLAIN.exec(walk.text)?.[0].length ?? 0);
  if (walk.depth === 1 && walk.outer === "id") take(walk, position, end);
  walk.isValue = false;
  return end;
}

const PLAIN = /[-+.\w]+/y;

function take(walk: Walk, start: number, end: number): void {
  const { values, depth, outer } = walk;
  const place = depth === 1 ? outer : depth === 2 && outer === "$run" ? `$run.${textIn(walk, walk.last)}` : "";
  if (PLACES.has(place) && !values.has(place))
    values.set(place, { value: textIn(walk, { start, end }), range: { start, end } });
}

const METHOD = "method";
const ID = "id";
const NAME = "$run.name";
const PLACES: ReadonlySet<string> = new Set([METHOD, ID, NAME]);

/** Returns a text without its quotes and escapes; anything else as it stands there. */
function textIn({ text }: Walk, { start, end }: TextRange): string {
  const literal = text.slice(start, end);
  if (!literal.startsWith('"')) return literal;
  const inside = literal.slice(1, literal.length > 1 && literal.endsWith('"') ? -1 : undefined);
  return inside.includes("\\") ? String(parseTree(literal)?.value ?? "") : inside;
}

const SPACE = 32;
const QUOTE = 34;
const SLASH = 47;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
