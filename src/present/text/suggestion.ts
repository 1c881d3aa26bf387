import type { Plain } from "../../base/plain.ts";
import type { Cursor } from "../../requests/file/cursor.ts";
import type { TextRange } from "../../requests/file/file.ts";

/**
 * A text that can be inserted at a place of a request file. Displayed texts are plain; `newText` is inserted as it is.
 */
export interface Suggestion {
  readonly kind: "object" | "value" | "variable" | "request" | "member" | "comparison";
  readonly label: string;
  /** The text beside the label. */
  readonly description: Plain;
  /** The lines below. */
  readonly lines: readonly Plain[];
  readonly range: TextRange;
  readonly newText: string;
  /** Whether `newText` has places to fill in, as snippets mark them. */
  readonly isSnippet?: boolean;
  /** The text that is compared with the one between the beginning of the range and the cursor. */
  readonly filterText: string;
  readonly sortText: string;
}

export interface Suggestions {
  readonly items: readonly Suggestion[];
  /** Whether the next typed characters would give other suggestions. */
  readonly isIncomplete: boolean;
}

export const NO_SUGGESTIONS: Suggestions = { items: [], isIncomplete: false };

/**
 * Returns a sorting before items from the schema, which are sorted by their quotes; then by group and by place in it.
 */
export function sortText(group: number, place: number): string {
  return `!${String(group)}${String(place).padStart(6, "0")}`;
}

/** Returns the typed text before the cursor, without its quote. */
export function typedText(text: string, { literal, offset, isText }: Cursor): string {
  return text.slice(literal.start + (isText ? 1 : 0), offset);
}
