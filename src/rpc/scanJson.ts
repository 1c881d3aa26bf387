import * as l10n from "../base/l10n.ts";

/** A place in a text: offsets in UTF-16 units, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The result of one pass over a JSON text. */
export interface JsonScan {
  /** The reason why the text must not be parsed; the other results are then from before that place. */
  readonly problem: string | undefined;
  /** The values of the requested members of the outermost object; the first value where a name stands twice. */
  readonly members: ReadonlyMap<string, Span>;
  /** The requested names that stand twice in the outermost object. */
  readonly repeated: ReadonlySet<string>;
  /**
   * The number of members of all objects together: more than the parsed value has when a name stands twice in an
   * object.
   */
  readonly memberCount: number;
  /** The values under one of the secret names, at any depth; literals such as `null` are left out. */
  readonly secrets: readonly Span[];
}

/** The names that a scanner looks for. */
interface ScanNames {
  /** The members of the outermost object whose places are wanted. */
  readonly members: readonly string[];
  /** The names whose values are secret, at any depth. */
  readonly secrets: readonly string[];
}

/**
 * Makes a scanner. It takes any text and never throws: `JSON.parse`, which is safe to call without a `problem`, finds
 * out what is not JSON. Measured: 5.2 MB in 10 ms, less than parsing takes.
 */
export function createJsonScanner({ members, secrets }: ScanNames): (text: string) => JsonScan {
  const filter = new Uint8Array(FILTER_SIZE);
  for (const name of [...members, ...secrets, FORBIDDEN_NAME]) filter[filterIndex(`"${name}"`, 1, name.length + 1)] = 1;
  const names = { members: new Set(members), secrets: new Set(secrets), filter };
  return (text) => new Scan(text, names);
}

interface NameTable {
  readonly members: ReadonlySet<string>;
  readonly secrets: ReadonlySet<string>;
  /** The filter that tells most other names apart without making a string of them. */
  readonly filter: Uint8Array;
}

/** Whether an object in a parsed value had a name twice: then the value has fewer members than its text. */
export function hasRepeatedNames(scan: JsonScan, parsed: unknown): boolean {
  return scan.memberCount !== countMembers(parsed);
}

/** The maximum depth: deeper than anything the exchange sends, and far from where recursion ends. */
export const MAX_DEPTH = 64;
/** The name of an own `__proto__`, which `JSON.parse` makes, and which becomes a prototype in a copy of the object. */
export const FORBIDDEN_NAME = "__proto__";
const FILTER_SIZE = 4096;

const SPACE = 0x20;
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;

const NONE: ReadonlySet<string> = new Set();

class Scan implements JsonScan {
  problem: string | undefined;
  readonly members = new Map<string, Span>();
  repeated: ReadonlySet<string> = NONE;
  memberCount = 0;
  readonly secrets: Span[] = [];

  readonly #text: string;
  readonly #names: NameTable;
  /** Whether names can be written with escapes: then the filter says nothing and each name is looked at. */
  readonly #hasEscapes: boolean;
  #depth = 0;
  /** The name and start of the outermost member whose value is being read. */
  #memberName: string | undefined;
  #memberStart = 0;
  /** The depth and start of the secret value that is being read; depth 0 for none. */
  #secretDepth = 0;
  #secretStart = 0;

  constructor(text: string, names: NameTable) {
    this.#text = text;
    this.#names = names;
    this.#hasEscapes = text.includes("\\");
    this.#run();
    // What a truncated text leaves open is as secret as what it ends.
    this.#endValues(this.#secretDepth, text.length);
    this.#endValues(1, text.length);
  }

  /**
   * Runs the loop over everything outside of strings; what it calls for each string is small, so that it stays quick.
   */
  #run(): void {
    const text = this.#text;
    const { length } = text;
    let at = 0;
    while (at < length) {
      switch (text.charCodeAt(at)) {
        case QUOTE:
          at = this.#readString(at);
          if (this.problem !== undefined) return;
          break;
        case OPEN_BRACE:
        case OPEN_BRACKET:
          at++;
          if (++this.#depth <= MAX_DEPTH) break;
          this.problem = l10n.t("nested deeper than {0}", MAX_DEPTH);
          return;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          if (this.#depth === 1 || this.#depth === this.#secretDepth) this.#endValues(this.#depth, at);
          this.#depth--;
          at++;
          break;
        case COMMA:
          if (this.#depth === 1 || this.#depth === this.#secretDepth) this.#endValues(this.#depth, at);
          at++;
          break;
        default:
          at++;
      }
    }
  }

  /** Reads a string and, where it is a member's name, the colon after it. Returns the place to go on. */
  #readString(start: number): number {
    const text = this.#text;
    // The engine's own search is quicker than a loop, but knows nothing of escapes.
    let end = text.indexOf('"', start + 1) + 1;
    if (end === 0 || text.charCodeAt(end - 2) === BACKSLASH) end = endOfString(text, start);
    const colon = afterSpace(text, end);
    if (text.charCodeAt(colon) !== COLON) return end;
    const valueStart = afterSpace(text, colon + 1);
    this.memberCount++;
    if (this.#hasEscapes || this.#names.filter[filterIndex(text, start + 1, end - 1)] === 1)
      this.#judgeName(nameAt(text, start, end), valueStart);
    return valueStart;
  }

  #startMember(name: string, start: number): void {
    this.#memberName = name;
    this.#memberStart = start;
    if (this.members.has(name)) this.repeated = new Set([...this.repeated, name]);
  }

  #judgeName(name: string, valueStart: number): void {
    if (name === FORBIDDEN_NAME) {
      this.problem = l10n.t("a key is named {0}", FORBIDDEN_NAME);
      return;
    }
    if (this.#depth === 1 && this.#names.members.has(name)) this.#startMember(name, valueStart);
    // Inside a secret value everything is secret already.
    if (this.#secretDepth > 0 || !this.#names.secrets.has(name) || "ntf".includes(this.#text.charAt(valueStart)))
      return;
    this.#secretDepth = this.#depth;
    this.#secretStart = valueStart;
  }

  /** Ends the values that began at this depth, at a comma or bracket. */
  #endValues(depth: number, at: number): void {
    if (depth === this.#secretDepth && depth > 0) {
      this.secrets.push(this.#spanTo(this.#secretStart, at));
      this.#secretDepth = 0;
    }
    if (depth !== 1 || this.#memberName === undefined) return;
    if (!this.members.has(this.#memberName)) this.members.set(this.#memberName, this.#spanTo(this.#memberStart, at));
    this.#memberName = undefined;
  }

  #spanTo(start: number, at: number): Span {
    let end = at;
    while (end > start && isSpace(this.#text.charCodeAt(end - 1))) end--;
    return { start, end };
  }
}

/** Returns an index made of the length and both ends of a name, so that hardly any other name needs a close look. */
function filterIndex(text: string, start: number, end: number): number {
  return ((end - start) * 61 + text.charCodeAt(start) * 31 + text.charCodeAt(end - 1) * 7) & (FILTER_SIZE - 1);
}

function isSpace(unit: number): boolean {
  return unit === SPACE || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

/** Returns the place after spaces. The exchange writes none: the first look is nearly always enough. */
function afterSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= SPACE && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Returns the place just after the closing quote of a string, or the end of the text. */
export function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    at += unit === BACKSLASH ? 2 : 1;
  }
  return text.length;
}

function nameAt(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end - 1);
  if (!name.includes("\\")) return name;
  try {
    return String(JSON.parse(text.slice(start, end)));
  } catch {
    return name;
  }
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const values: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : values.length;
  for (const each of values) if (typeof each === "object" && each !== null) count += countMembers(each);
  return count;
}
