/*
 * What a text is by the grammar of JSON alone, found another way than the reader finds it: the oracle of the fuzzing.
 */

/** A text that is an object in JSON. */
export interface StrictObject {
  readonly value: Readonly<Record<string, unknown>>;
  /** Literals of the outermost members; the last where duplicate key. */
  readonly members: ReadonlyMap<string, string>;
  /** Whether duplicate key in one object, at any depth. */
  readonly isRepeated: boolean;
  readonly depth: number;
  /** Every name, at any depth. */
  readonly names: ReadonlySet<string>;
}

/** Strings first, so that what stands in one is no sign of structure. https://www.rfc-editor.org/rfc/rfc8259 */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gsu;

/** Undefined for whatever is no object in JSON. */
export function readStrict(text: string): StrictObject | undefined {
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const walk = new Walk(text);
  for (const token of text.matchAll(TOKENS)) walk.take(token);
  return {
    value: value as StrictObject["value"],
    members: walk.members,
    isRepeated: walk.isRepeated,
    depth: walk.depth,
    names: walk.names,
  };
}

class Walk {
  readonly members = new Map<string, string>();
  readonly names = new Set<string>();
  isRepeated = false;
  depth = 0;
  readonly #text: string;
  /** Names of the objects that are open; undefined for a list. */
  readonly #open: (Set<string> | undefined)[] = [];
  #previous = "";
  #member: { readonly name: string; readonly start: number } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  take({ 0: sign, index }: RegExpExecArray): void {
    switch (sign) {
      case "{":
      case "[":
        this.#open.push(sign === "{" ? new Set() : undefined);
        this.depth = Math.max(this.depth, this.#open.length);
        break;
      case "}":
      case "]":
        this.#endMember(index);
        this.#open.pop();
        break;
      case ",":
        this.#endMember(index);
        break;
      case ":":
        this.#startMember(String(JSON.parse(this.#previous)), index + 1);
        break;
      default:
    }
    this.#previous = sign;
  }

  #startMember(name: string, start: number): void {
    const inside = this.#open.at(-1);
    if (inside?.has(name) === true) this.isRepeated = true;
    inside?.add(name);
    this.names.add(name);
    if (this.#open.length === 1) this.#member = { name, start };
  }

  #endMember(at: number): void {
    if (this.#member === undefined || this.#open.length !== 1) return;
    this.members.set(this.#member.name, this.#text.slice(this.#member.start, at).trim());
    this.#member = undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
