import {
  FORBIDDEN_NAME,
  MAX_DEPTH,
  type Span,
  QUOTE,
  BACKSLASH,
  COMMA,
  COLON,
  OPEN_BRACE,
  CLOSE_BRACE,
  OPEN_BRACKET,
  CLOSE_BRACKET,
} from "./scanJson.ts";

/**
 * Looks at a text and its `JSON.parse` result; returns undefined when something in it needs a scan. Never throws.
 * `depth`: where the text is a part of another, its depth there.
 */
type QuickScan = (text: string, parsed: unknown, depth?: number) => QuickScanResult | undefined;

/** The result of a quick scan of a text. */
export interface QuickScanResult {
  /** The length of the longest string or name in what was parsed, in UTF-16 units. */
  readonly longestText: number;
}

/**
 * Makes a quick scan. A full scan reads every character; what is nearly always true can be seen in a sixth of the time.
 * A result means that no name is twice in an object, none is secret or forbidden, and nothing is nested too deeply.
 * Without it only a full scan can tell.
 */
export function createQuickScan(secrets: readonly string[]): QuickScan {
  const walk = new Walk(new Set([...secrets, FORBIDDEN_NAME]));
  return (text, parsed, depth = 1) => {
    const isPlain =
      typeof parsed === "object" &&
      parsed !== null &&
      walk.isPlain(parsed, depth) &&
      walk.members === countColons(text);
    return isPlain ? { longestText: walk.longestText } : undefined;
  };
}

/**
 * Counts colons. Each member of a text has a colon of its own, so that a text has at most as many members as colons.
 * Its parsed value has at most as many members as the text. Where both counts are equal, no member was lost to another
 * one of the same name.
 */
function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) count++;
  return count;
}

/** The counts in a parsed value. */
class Walk {
  members = 0;
  longestText = 0;
  readonly #suspicious: ReadonlySet<string>;
  /**
   * The harmless names by depth and place: objects of a list have the same ones, and comparing them costs less than a
   * lookup.
   */
  readonly #seen: readonly string[][] = Array.from({ length: MAX_DEPTH + 1 }, () => []);

  constructor(suspicious: ReadonlySet<string>) {
    this.#suspicious = suspicious;
  }

  /** Whether no name is suspicious and the value is not too deep; else the counts mean nothing. */
  isPlain(value: object, depth: number): boolean {
    this.members = 0;
    this.longestText = 0;
    return this.#take(value, depth);
  }

  #take(value: object, depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    return Array.isArray(value)
      ? this.#takeItems(value, depth)
      : this.#takeMembers(value as Readonly<Record<string, unknown>>, depth);
  }

  #takeItems(items: readonly unknown[], depth: number): boolean {
    for (const each of items) {
      if (typeof each === "string") this.#noteLength(each.length);
      else if (typeof each === "object" && each !== null && !this.#take(each, depth + 1)) return false;
    }
    return true;
  }

  #takeMembers(members: Readonly<Record<string, unknown>>, depth: number): boolean {
    const seen = this.#seen[depth] ?? [];
    let place = 0;
    let longest = 0;
    for (const name in members) {
      if (seen[place] !== name) {
        if (this.#suspicious.has(name)) return false;
        if (place < MAX_SEEN) seen[place] = name;
      }
      place++;
      if (name.length > longest) longest = name.length;
      const each = members[name];
      if (typeof each === "string") {
        if (each.length > longest) longest = each.length;
      } else if (typeof each === "object" && each !== null && !this.#take(each, depth + 1)) return false;
    }
    this.members += place;
    this.#noteLength(longest);
    return true;
  }

  #noteLength(length: number): void {
    if (length > this.longestText) this.longestText = length;
  }
}

/** The maximum number of members that are remembered. */
const MAX_SEEN = 64;

/**
 * Returns the places of the outermost members of an object's text. Undefined unless it has the exchange's form: no
 * spaces, and simple values around at most one object or list. `parsed` is made of the text, which has no repeated
 * name.
 */
export function findMembers(
  text: string,
  parsed: object,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, Span> | undefined {
  const members = new Map<string, Span>();
  const last = text.length - 1;
  let hasNested = false;
  let at = 0;
  // In the order of the text, unless a name looks like a number: then they do not meet.
  for (const name in parsed) {
    const start = at + name.length + 4;
    if (!isNameAt(text, at + 1, name) || (at > 0 && text.charCodeAt(at) !== COMMA)) return undefined;
    const isNested = isOpening(text.charCodeAt(start));
    if (isNested && hasNested) return undefined;
    hasNested ||= isNested;
    const end = isNested ? endOfNested(text, start) : endOfSimple(text, start);
    if (end <= start) return undefined;
    if (wanted.has(name)) members.set(name, { start, end });
    at = end;
  }
  return at === last && text.charCodeAt(last) === CLOSE_BRACE ? members : undefined;
}

/**
 * Whether exactly this name and its colon stand at a place. A backslash before the quote would mean that the name goes
 * on.
 */
function isNameAt(text: string, at: number, name: string): boolean {
  const end = at + name.length + 1;
  return (
    text.charCodeAt(at) === QUOTE &&
    text.charCodeAt(end) === QUOTE &&
    text.charCodeAt(end - 1) !== BACKSLASH &&
    text.charCodeAt(end + 1) === COLON &&
    text.startsWith(name, at + 1)
  );
}

/**
 * Returns the end of a nested value. Where only simple values follow, the last bracket of its sort closes it: it stands
 * near the end.
 */
function endOfNested(text: string, start: number): number {
  const closing = text.charCodeAt(start) === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
  let at = text.length - 2;
  while (at > start && text.charCodeAt(at) !== closing) at--;
  return at === start ? 0 : at + 1;
}

/** Returns the end of a simple value; -1 where it is not that simple. */
function endOfSimple(text: string, start: number): number {
  if (text.charCodeAt(start) === QUOTE) {
    const quote = text.indexOf('"', start + 1);
    return text.charCodeAt(quote - 1) === BACKSLASH ? -1 : quote + 1;
  }
  let at = start;
  while (isLiteral(text.charCodeAt(at))) at++;
  return at;
}

/** Whether a unit belongs to a number, `true`, `false` or `null`. */
function isLiteral(unit: number): boolean {
  return (
    (unit >= 0x30 && unit <= 0x39) ||
    (unit >= 0x61 && unit <= 0x7a) ||
    unit === 0x2d ||
    unit === 0x2e ||
    unit === 0x2b ||
    unit === 0x45
  );
}

function isOpening(unit: number): boolean {
  return unit === OPEN_BRACE || unit === OPEN_BRACKET;
}
