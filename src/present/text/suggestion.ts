import type { Cursor } from "../../requests/file/cursor.ts";
import type { TextRange } from "../../requests/file/file.ts";

/**
 * Something that can be written at a place of a request file. Texts to be read are plain; `newText` is as it will stand
 * there.
 */
export interface Suggestion {
  readonly kind: "object" | "value" | "variable" | "request";
  readonly label: string;
  /** Beside the label. */
  readonly description: string;
  /** Below, a line each. */
  readonly lines: readonly string[];
  readonly range: TextRange;
  readonly newText: string;
  /** `newText` has places to fill in, as snippets mark them. */
  readonly isSnippet: boolean;
  /** What is compared with what stands between the beginning of the range and the cursor. */
  readonly filterText: string;
  readonly sortText: string;
}

export interface Suggestions {
  readonly items: readonly Suggestion[];
  /** Others would be found for what is typed next. */
  readonly isIncomplete: boolean;
}

export const NO_SUGGESTIONS: Suggestions = { items: [], isIncomplete: false };

/** Before what comes from the schema, whose items are sorted by their quotes; then by group and by place in it. */
export function sortText(group: number, place: number): string {
  return `!${String(group)}${String(place).padStart(6, "0")}`;
}

/** What was typed of a text before the cursor, without its quote. */
export function typedText(text: string, { literal, offset, isText }: Cursor): string {
  return text.slice(literal.start + (isText ? 1 : 0), offset);
}
