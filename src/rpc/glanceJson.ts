import { FORBIDDEN_NAME, MAX_DEPTH, type Span } from "./scanJson.ts";

/** Looks at a text and what `JSON.parse` made of it; undefined when something in it asks for a scan. Never throws. */
export type Glance = (text: string, parsed: unknown) => Look | undefined;

/** What a glance has seen of a text. */
export interface Look {
  /** Length of the longest string or name in what was parsed, in UTF-16 units. */
  readonly longestText: number;
}

/**
 * Makes a glance: a scan reads every character, and what is nearly always true can be seen in a sixth of the time. A
 * look means that no name stands twice in an object, none is secret or forbidden, and nothing is nested too deeply;
 * without one only a scan can tell.
 */
export function createGlance(secrets: readonly string[]): Glance {
  const suspicious: ReadonlySet<string> = new Set([...secrets, FORBIDDEN_NAME]);
  let longestText = 0;
  // NaN, which is no count of anything, where a name is suspicious.
  const countMembers = (value: object, depth: number): number => {
    if (depth > MAX_DEPTH) return NaN;
    let count = 0;
    if (Array.isArray(value)) {
      for (const each of value as readonly unknown[]) count += countIn(each, depth);
      return count;
    }
    const members = value as Readonly<Record<string, unknown>>;
    for (const name in members) {
      if (suspicious.has(name)) return NaN;
      if (name.length > longestText) longestText = name.length;
      count += 1 + countIn(members[name], depth);
    }
    return count;
  };
  const countIn = (value: unknown, depth: number): number => {
    if (typeof value === "object" && value !== null) return countMembers(value, depth + 1);
    if (typeof value === "string" && value.length > longestText) longestText = value.length;
    return 0;
  };
  return (text, parsed) => {
    longestText = 0;
    const isPlain = typeof parsed === "object" && parsed !== null && countMembers(parsed, 1) === countColons(text);
    return isPlain ? { longestText } : undefined;
  };
}

/**
 * Each member of a text has a colon of its own, so that a text has no more members than colons; and what was parsed has
 * no more members than its text. Where both counts are equal, no member was lost to another one of the same name.
 */
function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) count++;
  return count;
}

/**
 * The places of the outermost members of an object's text, as the exchange writes it: no spaces, and simple values
 * around at most one object or list. Undefined for every other form. `parsed` is made of the text, which has no name
 * twice.
 */
export function findMembers(text: string, parsed: object, wanted: ReadonlySet<string>): ReadonlyMap<string, Span> | undefined {
  if (countNested(parsed) > 1) return undefined;
  const members = new Map<string, Span>();
  const last = text.length - 1;
  let at = 0;
  do {
    const nameEnd = text.indexOf('"', at + 2);
    const start = nameEnd + 2;
    if (text.charCodeAt(at + 1) !== QUOTE || text.charCodeAt(nameEnd + 1) !== COLON) return undefined;
    const end = isOpening(text.charCodeAt(start)) ? endOfNested(text, start) : endOfSimple(text, start);
    if (end <= start) return undefined;
    const name = text.slice(at + 2, nameEnd);
    if (wanted.has(name)) members.set(name, { start, end });
    else if (name.includes("\\")) return undefined;
    at = end;
  } while (text.charCodeAt(at) === COMMA);
  return at === last && text.charCodeAt(last) === CLOSE_BRACE ? members : undefined;
}

function countNested(parsed: object): number {
  let count = 0;
  const members = parsed as Readonly<Record<string, unknown>>;
  for (const name in members) if (typeof members[name] === "object" && members[name] !== null) count++;
  return count;
}

/** Where only simple values follow, the last bracket of its sort is the one that closes it. */
function endOfNested(text: string, start: number): number {
  return text.lastIndexOf(text.charCodeAt(start) === OPEN_BRACE ? "}" : "]", text.length - 2) + 1;
}

/** -1 where it is not as simple as that. */
function endOfSimple(text: string, start: number): number {
  if (text.charCodeAt(start) === QUOTE) {
    const quote = text.indexOf('"', start + 1);
    return text.charCodeAt(quote - 1) === BACKSLASH ? -1 : quote + 1;
  }
  let at = start;
  while (isLiteral(text.charCodeAt(at))) at++;
  return at;
}

/** Numbers, `true`, `false` and `null`. */
function isLiteral(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x61 && unit <= 0x7a) || unit === 0x2d || unit === 0x2e || unit === 0x2b || unit === 0x45;
}

function isOpening(unit: number): boolean {
  return unit === OPEN_BRACE || unit === OPEN_BRACKET;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
