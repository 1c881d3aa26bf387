import * as l10n from "../../base/l10n.ts";
import { hasText, textParts, type FilterRules, type ViewFilter } from "../rows/viewFilter.ts";

/** The filter of the entries in the Activity view. */
export interface ActivityFilter extends ViewFilter {
  readonly isUnresolvedOnly: boolean;
}

export const ACTIVITY_FILTER: FilterRules<ActivityFilter> = {
  none: { text: "", isUnresolvedOnly: false },
  parts: (filter) => [...(filter.isUnresolvedOnly ? [l10n.t("unknown outcomes")] : []), ...textParts(filter)],
  parse: (kept) =>
    hasText(kept) ? { text: kept.text, isUnresolvedOnly: kept["isUnresolvedOnly"] === true } : undefined,
};
