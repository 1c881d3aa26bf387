import { withoutDigitSpaces } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";

/** The filter of a view. Every filter has words; some have more to choose from. */
export interface ViewFilter {
  /** The words that must all occur in the text of a row, in any case and order. */
  readonly text: string;
}

/** The rules for the filter of a view. */
export interface FilterRules<F extends ViewFilter> {
  /** The filter that hides nothing. */
  readonly none: F;
  /** Returns the conditions of a filter, e.g. `["option", "mm-1"]`; empty when it hides nothing. */
  readonly parts: (filter: F) => readonly Plain[];
  /** Returns a filter as it was kept before; undefined when this version does not understand it. */
  readonly parse: (kept: unknown) => F | undefined;
}

/** The rules of a view whose rows are filtered by words alone. */
export const TEXT_FILTER: FilterRules<ViewFilter> = {
  none: { text: "" },
  parts: textParts,
  parse: (kept) => (hasText(kept) ? { text: kept.text } : undefined),
};

/** Returns the words that a filter looks for. */
export function wordsOf({ text }: ViewFilter): readonly string[] {
  return withoutDigitSpaces(text)
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** Returns the words as they were typed. */
export function textParts({ text }: ViewFilter): readonly Plain[] {
  const typed = plain.name(text.trim());
  return typed === "" ? [] : [typed];
}

/** Returns a filter in a few words, e.g. "option · mm-1"; empty when it hides nothing. */
export function partsText(parts: readonly Plain[]): Plain {
  return plain.join(parts, " · ");
}

/** Returns a filter in a few words for the title of a view. */
export function filterNote(parts: readonly Plain[]): Plain {
  return parts.length === 0 ? "" : l10n.t("filter: {0}", partsText(parts));
}

/** Whether a kept value has what every filter has. */
export function hasText(kept: unknown): kept is { readonly text: string } & Readonly<Record<string, unknown>> {
  return typeof kept === "object" && kept !== null && "text" in kept && typeof kept.text === "string";
}
