import type { MaskedResponse } from "./response.ts";
import { createJsonScanner, endOfString } from "./scanJson.ts";

/* Parts of a JSON text as text: numbers keep the digits that were received. */

/** Returns the text of a member of an object; undefined where there is none. */
function memberText(text: string, name: string): string | undefined {
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
  const first = text.search(/\S/);
  if (text[first] !== "[") return [];
  const elements: string[] = [];
  let depth = 0;
  let start = first + 1;
  for (let at = first; at < text.length;) {
    const sign = text[at] ?? "";
    if (depth === 1 && (sign === "," || sign === "]")) {
      elements.push(text.slice(start, at).trim());
      start = at + 1;
    }
    if (sign === "[" || sign === "{") depth++;
    else if (sign === "]" || sign === "}") depth--;
    at = sign === '"' ? endOfString(text, at) : at + 1;
  }
  return elements.filter((element) => element !== "");
}

/** Returns the texts of the rows of a response: those of the result itself, or of a member of it. */
export function rowTexts(
  response: Pick<MaskedResponse, "bodyText" | "result"> | undefined,
  member: string,
): readonly string[] {
  if (response === undefined) return [];
  const { bodyText, result } = response;
  return elementTexts(Array.isArray(result) ? bodyText : (memberText(bodyText, member) ?? "[]"));
}
