import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { MMP_CONFIG_METHOD, type MmpFilter } from "../../state/mmp.ts";
import { askedFilterRules, paramsProblem, type AskedFilter } from "../rows/askedFilter.ts";
import { partsText, type FilterRules } from "../rows/viewFilter.ts";

/** The parameters that the user may set, in the order in which they are shown. */
export const MMP_FILTER_NAMES = [
  "index_name",
  "mmp_group",
  "block_rfq",
] as const satisfies readonly (keyof MmpFilter)[];

export type MmpFilterName = (typeof MMP_FILTER_NAMES)[number];

/** The filter of the view: the parameters of the request, and the words that rows must have. */
export type MmpViewFilter = AskedFilter<MmpFilter>;

export const MMP_FILTER: FilterRules<MmpViewFilter> = askedFilterRules(
  MMP_FILTER_NAMES,
  mmpFilterParts,
  mmpFilterProblem,
);

export function isMmpFiltering(filter: MmpFilter): boolean {
  return mmpFilterParts(filter).length > 0;
}

/** Returns what the filter asks for, e.g. "btc_usd · group g1". */
export function mmpFilterWords(filter: MmpFilter): Plain {
  return partsText(mmpFilterParts(filter));
}

function mmpFilterParts({ index_name: index, mmp_group: group, block_rfq: isRfq }: MmpFilter): readonly Plain[] {
  return [
    ...(index === undefined || index === "all" ? [] : [plain.name(index)]),
    ...(group === undefined ? [] : [group === "" ? l10n.t("regular orders") : l10n.t("group {0}", plain.name(group))]),
    ...(isRfq === undefined ? [] : [isRfq ? l10n.t("Block RFQ only") : l10n.t("without Block RFQ")]),
  ];
}

/** Returns the filter without members that are not set. */
export function mmpFilterOf(filter: { readonly [Name in MmpFilterName]?: MmpFilter[Name] }): MmpFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** Returns what the exchange's rules do not allow in the filter, as a sentence; undefined when it can be sent. */
export function mmpFilterProblem(filter: MmpFilter): Plain | undefined {
  if (filter.mmp_group !== undefined && filter.index_name === undefined)
    return l10n.t("A group requires an index. Select the index (index_name) first.");
  return paramsProblem(MMP_CONFIG_METHOD, filter);
}
