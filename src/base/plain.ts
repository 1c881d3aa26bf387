/**
 * Functions that make text from outside (the exchange, a file, another program) harmless wherever the user reads it.
 *
 * - Control, bidi, zero-width and other invisible characters become visible escapes (`\u202E`). Two different texts
 *   never look alike, and no line can be forged.
 * - `](` and backticks are broken up, because VS Code turns `[text](command:…)` in a notification into a link.
 * - `$(name)` is broken up, because VS Code turns it into an icon and an icon could fake a badge.
 * - The text is cut with a visible mark.
 */
export const plain = {
  /** Returns a text, cut after `maxLength` characters. */
  text: (text: string | undefined, maxLength = MAX_TEXT_LENGTH): string => shown(text, maxLength),
  /** Returns a name, a word or a label, cut so that a long one does not push its neighbors out of sight. */
  name: (text: string | undefined): string => shown(text, MAX_NAME_LENGTH),
} as const;

function shown(text: string | undefined, maxLength: number): string {
  if (text === undefined) return NOT_KNOWN;
  if (text.length <= maxLength && ORDINARY.test(text)) return text;
  const cut = text.length > maxLength ? text.slice(0, wholeCharacters(text, maxLength)) : text;
  const harmless = cut
    .normalize("NFC")
    .replace(INVISIBLE, escapeCharacter)
    .replaceAll("](", "] (")
    .replaceAll("`", "'")
    .replaceAll("$(", "$ (")
    .replaceAll("://", ":\\/\\/");
  return cut.length < text.length ? `${harmless}…` : harmless;
}

/** The text for something that the exchange did not say, or said in an unreadable form. */
export const NOT_KNOWN = "?";

/** Nearly all texts: nothing in them is invisible, or part of a link or an icon. */
const ORDINARY = /^[\w .,;:@+-]*$/;

const MAX_NAME_LENGTH = 64;
const MAX_TEXT_LENGTH = 4096;

/**
 * Characters of the categories control, format, line and paragraph separator, surrogate and private use, those drawn as
 * nothing, and odd spaces.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u3164\u115F\u1160\uFFA0\u2800]/gu;

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
}

/** Moves a cut one place to the left where it would split a surrogate pair. */
function wholeCharacters(text: string, length: number): number {
  const last = text.charCodeAt(length - 1);
  return last >= 0xd800 && last <= 0xdbff ? length - 1 : length;
}
