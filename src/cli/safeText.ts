/**
 * Matches characters that a terminal could act on, or that are invisible: all but visible characters, blanks and line
 * ends.
 */
const UNSAFE =
  /(?![\t\n\r ])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u3164\u115F\u1160\uFFA0\u2800]/gu;

/**
 * Returns the JSON with every character escaped that a terminal could act on: such characters occur only in strings.
 */
export function safeJson(json: string): string {
  return json.replaceAll(UNSAFE, (character) => character.split("").map(escaped).join(""));
}

/**
 * Returns the JSON in one line, with every character escaped that a terminal could act on. Line ends are between the
 * tokens of a JSON text, never in one.
 */
export function oneLine(json: string): string {
  return safeJson(json).replaceAll(/[\n\r]+/g, " ");
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Returns a text as content or attribute of XML 1.0, without what XML cannot hold. https://www.w3.org/TR/xml/#charsets
 */
export function xmlText(text: string): string {
  return text
    .replaceAll(NOT_IN_XML, "\uFFFD")
    .replaceAll(/[&<>"'\t\n\r]/g, (character) => XML_ESCAPES[character] ?? `&#${String(character.charCodeAt(0))};`);
}

const NOT_IN_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const XML_ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Returns attributes of an element of XML. */
export function xmlAttributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${xmlText(String(value))}"`)
    .join(" ");
}
