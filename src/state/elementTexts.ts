import { createJsonScanner, endOfString } from "../rpc/scanJson.ts";

/* Parts of a JSON text as text: numbers keep the digits that were received. */

/** Returns the text of a member of an object; undefined where there is none. */
export function memberText(text: string, name: string): string | undefined {
  const span = createJsonScanner({ members: [name], secrets: [] })(text).members.get(name);
  return span === undefined ? undefined : text.slice(span.start, span.end);
}

/** Returns the texts of the named members of an object, by name. */
export function memberTexts(text: string, names: readonly string[]): ReadonlyMap<string, string> {
  const { members } = createJsonScanner({ members: names, secrets: [] })(text);
  return new Map([...members].map(([name, { start, end }]) => [name, text.slice(start, end)]));
}

/** Returns the texts of the elements of an array; none for any other text. */
export function elementTexts(text: string): readonly string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  let at = 0;
  const end = (): void => {
    const element = text.slice(start, at).trim();
    if (element !== "") elements.push(element);
  };
  while (at < text.length) {
    const sign = text[at];
    if (sign === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (sign === "[" || sign === "{") {
      depth++;
      if (depth === 1) {
        if (sign === "{") return [];
        start = at + 1;
      }
    } else if (sign === "]" || sign === "}") {
      if (depth === 1) end();
      depth--;
    } else if (sign === "," && depth === 1) {
      end();
      start = at + 1;
    }
    at++;
  }
  return elements;
}
