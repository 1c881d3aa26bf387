/*
 * Text from outside (the exchange, a file, another program) is made harmless wherever the user reads it.
 *
 * - Control, bidi, zero-width and other invisible characters become visible escapes (`\u202E`). Two different texts
 *   never look alike, and no line can be forged. The narrow space stays between the digits of a number, and before its
 *   percent sign, where the program writes it itself: a text that was plain before, e.g. in the journal, stays as it
 *   is.
 * - `](` and backticks are broken up, because VS Code turns `[text](command:…)` in a notification into a link.
 * - `$(name)` is broken up, because VS Code turns it into an icon and an icon could fake a badge.
 * - The text is cut with a visible mark.
 */

declare const brand: unique symbol;

/**
 * Text that may be shown to the user, or written to the log. Only this file makes it: `plain.text()` and `plain.name()`
 * of text from outside, and `plain` of sentences of the program. For translated sentences, `l10n.t` does the same.
 */
export type Plain = "" | (string & { readonly [brand]: true });

/**
 * A part of a sentence: plain text, a number, or a word of the program, which is known when the program is compiled. A
 * `string` may be text from outside, so it is not accepted.
 */
type PlainPart<Part> = Part extends Plain | number | bigint
  ? Part
  : Part extends string
    ? Partial<Record<"", unknown>> extends Readonly<Record<Part, unknown>>
      ? never
      : Part
    : never;

/** The parts of a sentence, each checked. */
export type PlainParts<Parts extends readonly unknown[]> = { readonly [Index in keyof Parts]: PlainPart<Parts[Index]> };

/** Makes plain text. */
interface PlainMaker {
  /** Returns a sentence of the program with its parts filled in: `` plain`Order ${plain.name(id)} is open.` ``. */
  <const Parts extends readonly unknown[]>(texts: TemplateStringsArray, ...parts: PlainParts<Parts>): Plain;
  /** Returns a text from outside, cut after `maxLength` characters. */
  text(text: string | undefined, maxLength?: number): Plain;
  /** Returns a name, a word or a label from outside, cut so that its neighbors stay in sight. */
  name(text: string | undefined): Plain;
  /** Returns several parts of a sentence as one text, with the same words between them. */
  join<const Part, const Separator>(
    parts: readonly Part[] & readonly PlainPart<Part>[],
    separator: PlainPart<Separator>,
  ): Plain;
}

function sentence(texts: TemplateStringsArray, ...parts: readonly unknown[]): string {
  let text = texts[0] ?? "";
  for (let index = 0; index < parts.length; index += 1) text += `${String(parts[index])}${texts[index + 1] ?? ""}`;
  return withoutFourDots(text, parts);
}

/** Returns a text without the full stop after a part that was cut: its ellipsis ends the sentence. */
export function withoutFourDots(text: string, parts: readonly unknown[]): string {
  return text.includes("….") && parts.some((part) => String(part).endsWith("…"))
    ? text.replaceAll(/…\.(?!\S)/g, "…")
    : text;
}

// A function has a name, which an assignment does not replace.
export const plain = Object.defineProperties(sentence, {
  text: { value: (text: string | undefined, maxLength = MAX_TEXT_LENGTH) => shown(text, maxLength) },
  name: { value: (text: string | undefined) => shown(text, MAX_NAME_LENGTH) },
  join: {
    value: (parts: readonly unknown[], separator: string) => withoutFourDots(parts.join(separator), parts),
  },
}) as unknown as PlainMaker;

/** The text for something that the exchange did not say, or said in an unreadable form. */
export const NOT_KNOWN = plain`?`;

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

/** Nearly all texts: nothing in them is invisible, or part of a link or an icon. */
const ORDINARY = /^[\w .,;:@+-]*$/;

const MAX_NAME_LENGTH = 64;
const MAX_TEXT_LENGTH = 4096;

/**
 * Characters of the categories control, format, line and paragraph separator, surrogate and private use, those drawn as
 * nothing, and odd spaces. The space between the groups of a number's digits, or before its percent sign, is none of
 * them.
 */
const INVISIBLE =
  /(?!(?<=\d)\u202F(?:\d{3}(?!\d)|%))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u3164\u115F\u1160\uFFA0\u2800]/gu;

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
