import * as l10n from "@vscode/l10n";
import { plain } from "../../base/plain.ts";

/** What a view shows of what it has. The filter of every view has words; some have more to choose from. */
export interface ViewFilter {
  /** Words that must all occur in what a row says, in any case and order. */
  readonly text: string;
}

/** What has to be known of the filter of a view. */
export interface FilterRules<F extends ViewFilter> {
  /** The one that hides nothing. */
  readonly none: F;
  /** What it hides by, part by part, e.g. `["option", "mm-1"]`; empty when it hides nothing. */
  readonly parts: (filter: F) => readonly string[];
  /** A filter as it was kept before; undefined when this version does not understand it. */
  readonly parse: (kept: unknown) => F | undefined;
}

/** The filter of a view whose rows are filtered by words alone. */
export const TEXT_FILTER: FilterRules<ViewFilter> = {
  none: { text: "" },
  parts: textParts,
  parse: (kept) => (hasText(kept) ? { text: kept.text } : undefined),
};

/** What the words of a filter look for. */
export function wordsOf({ text }: ViewFilter): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** The words as they were typed. */
export function textParts({ text }: ViewFilter): readonly string[] {
  const typed = plain.name(text.trim());
  return typed === "" ? [] : [typed];
}

/** A filter in a few words, e.g. "option · mm-1"; empty when it hides nothing. */
export function partsText(parts: readonly string[]): string {
  return parts.join(" · ");
}

/** Returns the filter as it is shown next to the title of a view. */
export function filterNote(parts: readonly string[]): string {
  return parts.length === 0 ? "" : l10n.t("filter: {0}", partsText(parts));
}

/** Whether a kept value has what every filter has. */
export function hasText(kept: unknown): kept is { readonly text: string } & Readonly<Record<string, unknown>> {
  return typeof kept === "object" && kept !== null && "text" in kept && typeof kept.text === "string";
}
