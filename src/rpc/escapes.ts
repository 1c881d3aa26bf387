/* How the same text is written in JSON, in URLs, and in XML. */

/** Characters in another form: `\/`, `\u0041`, `%41`, `&#65;`. One may be within another. */
export const ESCAPE = /[\\%]|&#?\w+;/;

/**
 * Returns what all forms of a text have in common, as far as it can be told: only where that of a secret is found, its
 * pattern is searched, which takes longer.
 */
export function withoutEscapes(text: string): string {
  let bare = text;
  for (let depth = 0; depth < MAX_ESCAPES; depth++) {
    const before = bare;
    bare = bare
      .replaceAll(/%(?:25)*([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replaceAll(/\\+u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replaceAll(/&(?:amp;)*(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, entityText);
    if (bare === before) break;
  }
  return bare.replaceAll(/[\p{Cc}\\%]|[^\p{ASCII}]+/gu, (found) => CONTROL_LETTERS[found] ?? "").replaceAll("+", " ");
}

/** The number of escapes within one another that are looked for. */
const MAX_ESCAPES = 4;

function entityText(
  entity: string,
  hex: string | undefined,
  decimal: string | undefined,
  name: string | undefined,
): string {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity;
  return String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
}

/** The characters of the named entities that XML knows without a definition. */
export const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const ENTITY_NAMES = new Map(Object.entries(ENTITIES).map(([name, character]) => [character, name]));
/** The control characters that JSON writes as a letter after a backslash. */
const CONTROL_LETTERS: Readonly<Record<string, string>> = { "\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f" };

/** A backslash, perhaps percent-encoded. */
const BACKSLASH = String.raw`(?:\\|%(?:25)*5[Cc])`;

/** Returns the pattern of a text each character of which may be escaped. */
export function escapedPattern(text: string): string {
  return Array.from(text, (character) => {
    const [letter, name] = [CONTROL_LETTERS[character], ENTITY_NAMES.get(character)];
    const code = character.codePointAt(0) ?? 0;
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    const bytes = [...Buffer.from(character)];
    const own = character.replace(/[^\w\s]/, String.raw`\$&`);
    return `(?:${[
      character === "\\" ? `${BACKSLASH}{1,16}` : `${BACKSLASH}{0,8}${own}`,
      units.map((unit) => `${BACKSLASH}{1,8}u${hexPattern(unit, 4)}`).join(""),
      bytes.map((byte) => `%(?:25)*${hexPattern(byte, 2)}`).join(""),
      `&(?:amp;)*(?:#0*${code}|#[xX]0*${hexPattern(code, 1)}${name === undefined ? "" : `|${name}`});`,
      ...(letter === undefined ? [] : [`${BACKSLASH}{1,8}${letter}`]),
      ...(character === " " ? [String.raw`\+`] : []),
    ].join("|")})`;
  }).join("");
}

/** Returns the pattern of a number in hexadecimal, in small letters and capitals. */
function hexPattern(value: number, length: number): string {
  return value
    .toString(16)
    .padStart(length, "0")
    .replaceAll(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
