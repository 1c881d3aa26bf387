import { parseJson } from "../../base/json.ts";

/** A value of a JSON text and the line on which it begins, from 1. */
interface Placed {
  readonly line: number;
}

/** The lines of the values in a JSON text by their paths, e.g. `faults[0].times`. */
export type JsonLines = ReadonlyMap<string, number>;

/** Something that is not JSON, with its line. */
export class JsonSyntaxError extends Error implements Placed {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/**
 * Reads a JSON text and says on which line each of its values begins. Throws `JsonSyntaxError` at the first character
 * that no JSON text could have there, and at a name that an object has twice.
 */
export function readJsonWithLines(text: string): { readonly value: unknown; readonly lines: JsonLines } {
  const lines = new Map<string, number>();
  let at = 0;
  const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length;
  const fail = (offset: number, message: string): never => {
    throw new JsonSyntaxError(lineAt(offset), message);
  };
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) at += found.length;
    return found;
  };
  const skip = (): void => void take(/[\t\n\r ]*/y);
  const shownAt = (offset: number): string => (offset < text.length ? JSON.stringify(text[offset]) : "the end");
  const expect = (word: string): void => {
    skip();
    if (take(new RegExp(`\\${word}`, "y")) === undefined) fail(at, `expected ${word}, not ${shownAt(at)}`);
  };
  /** Reads the items between two brackets, one after another. */
  const readItems = (close: string, readItem: (index: number) => void): void => {
    skip();
    if (take(new RegExp(`\\${close}`, "y")) !== undefined) return;
    for (let index = 0; ; index++) {
      readItem(index);
      skip();
      if (take(/,/y) === undefined) break;
    }
    expect(close);
  };
  const readString = (): string => {
    skip();
    const start = at;
    const found = parseJson(take(/"(?:[^"\\]|\\.)*"/y) ?? "");
    return typeof found === "string" ? found : fail(start, `expected a string, not ${shownAt(start)}`);
  };
  const readValue = (path: string): unknown => {
    skip();
    const start = at;
    lines.set(path, lineAt(start));
    if (take(/\{/y) !== undefined) {
      const members = new Map<string, unknown>();
      readItems("}", () => {
        skip();
        const nameAt = at;
        const name = readString();
        if (members.has(name)) fail(nameAt, `${JSON.stringify(name)} is there twice`);
        expect(":");
        members.set(name, readValue(path === "" ? name : `${path}.${name}`));
      });
      return Object.fromEntries(members);
    }
    if (take(/\[/y) !== undefined) {
      const items: unknown[] = [];
      readItems("]", (index) => void items.push(readValue(`${path}[${index}]`)));
      return items;
    }
    if (text[at] === '"') return readString();
    const literal = take(/true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
    return literal === undefined
      ? fail(start, `expected a value, not ${shownAt(start)}`)
      : (JSON.parse(literal) as unknown);
  };
  const value = readValue("");
  skip();
  if (at < text.length) fail(at, `expected the end, not ${shownAt(at)}`);
  return { value, lines };
}
