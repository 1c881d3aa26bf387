import { createScanner } from "jsonc-parser";
import type { TextRange } from "../file/file.ts";

/** A `{{ path }}` or `{{ path|filter }}` in a text of JSON. */
export interface Placeholder {
  /** The path, e.g. `max`, `open.result[0].order_id`, `$now-1h`. */
  readonly path: string;
  /** The type that the value is converted to: `string` or `number`. Any other word is an unknown filter. */
  readonly filter: string | undefined;
  /** The place, braces included. */
  readonly range: TextRange;
  /** The string that it stands in, quotes included. */
  readonly literal: TextRange;
  /** Whether it is the whole string, and so keeps the type of its value. */
  readonly isWhole: boolean;
  /** Whether it stands in the name of a member, where none is filled in. */
  readonly isInName: boolean;
}

/**
 * Finds the placeholders of a JSON text, comments allowed, in their order; ranges count from `offset`. Two backslashes
 * before the braces, which are one in the value, keep them from being a placeholder. Braces that are written as escapes
 * are text.
 */
export function findPlaceholders(text: string, offset = 0): readonly Placeholder[] {
  if (!text.includes("{{")) return [];
  const scanner = createScanner(text, true);
  const found: Placeholder[] = [];
  let before: readonly Placeholder[] = [];
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    if (kind === COLON) found.push(...before.map((each) => ({ ...each, isInName: true })));
    else found.push(...before);
    const start = scanner.getTokenOffset();
    before = kind === STRING ? inLiteral(text.slice(start, start + scanner.getTokenLength()), offset + start) : [];
  }
  return [...found, ...before];
}

/* Kinds of tokens as the parser numbers them; its own names for them exist at compile time only. */
const COLON = 6;
const STRING = 10;
const END = 17;

const PLACEHOLDER = /(\\\\)?\{\{([^{}]*)\}\}/g;

function inLiteral(literal: string, start: number): readonly Placeholder[] {
  const range = { start, end: start + literal.length };
  return [...literal.matchAll(PLACEHOLDER)].flatMap(({ 0: whole, 1: escape, 2: inside = "", index }) => {
    if (escape !== undefined) return [];
    const [path = "", filter] = inside.split("|").map((part) => part.trim());
    const at = start + index;
    return [
      {
        path,
        filter,
        range: { start: at, end: at + whole.length },
        literal: range,
        isWhole: whole.length === literal.length - 2,
        isInName: false,
      },
    ];
  });
}

/**
 * Returns a JSON text with its braces escaped, so that a request file that holds it sends it as it is. Of more than two
 * braces in a row all but the last two become escapes of JSON. Backslashes before the first would leave the others a
 * placeholder.
 */
export function escapeBraces(text: string): string {
  return text.replaceAll(/\{(?=\{\{)/g, String.raw`\u007b`).replaceAll("{{", String.raw`\\{{`);
}

/** Returns a JSON text in which escaped braces are braces, as they are sent. */
export function unescapeBraces(text: string): string {
  return text.includes("\\\\{{") ? text.replaceAll("\\\\{{", "{{") : text;
}
