import { createScanner } from "jsonc-parser";

/**
 * Turns JSON with comments and trailing commas into pure JSON. Removes these and the white space between tokens; every
 * number and text keeps its characters. `text` must be free of syntax errors.
 */
export function pureJson(text: string): string {
  const scanner = createScanner(text, true);
  const parts: string[] = [];
  let isCommaPending = false;
  for (;;) {
    const kind: number = scanner.scan();
    if (kind === END) return parts.join("");
    if (kind === COMMA) {
      isCommaPending = true;
      continue;
    }
    if (isCommaPending && kind !== CLOSE_BRACE && kind !== CLOSE_BRACKET) parts.push(",");
    isCommaPending = false;
    const start = scanner.getTokenOffset();
    parts.push(text.slice(start, start + scanner.getTokenLength()));
  }
}

/* Kinds of tokens as the parser numbers them; its own names for them exist at compile time only. */
const CLOSE_BRACE = 2;
const CLOSE_BRACKET = 4;
const COMMA = 5;
const END = 17;
