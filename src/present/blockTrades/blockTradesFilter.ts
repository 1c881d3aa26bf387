import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { BLOCK_TRADES_METHOD, type BlockTradesFilter } from "../../state/blockTrades.ts";
import { askedFilterRules, paramsProblem, type AskedFilter } from "../rows/askedFilter.ts";
import { partsText, type FilterRules } from "../rows/viewFilter.ts";

/** The parameters that the user may set, in the order in which they are shown. */
export const FILTER_NAMES = [
  "currency",
  "block_rfq_id",
  "broker_code",
  "start_id",
  "end_id",
  "count",
] as const satisfies readonly (keyof BlockTradesFilter)[];

export type FilterName = (typeof FILTER_NAMES)[number];

/** The filter of the view: the parameters of the request, and the words that block trades must have. */
export type BlockTradesViewFilter = AskedFilter<BlockTradesFilter>;

export const BLOCK_TRADES_FILTER: FilterRules<BlockTradesViewFilter> = askedFilterRules(
  FILTER_NAMES,
  filterParts,
  filterProblem,
);

/** Whether the filter leaves anything out; the size of a page does not. */
export function isFilteringTrades(filter: BlockTradesFilter): boolean {
  return FILTER_NAMES.some((name) => name !== "count" && filter[name] !== undefined);
}

/** Returns the filter in a few words, e.g. "BTC · Block RFQ 50510"; empty when it leaves nothing out. */
export function filterWords(filter: BlockTradesFilter): Plain {
  return partsText(filterParts(filter));
}

function filterParts(filter: BlockTradesFilter): readonly Plain[] {
  return FILTER_NAMES.flatMap((name) =>
    filter[name] === undefined || name === "count" ? [] : [partText(name, plain.name(String(filter[name])))],
  );
}

function partText(name: Exclude<FilterName, "count">, value: Plain): Plain {
  switch (name) {
    case "currency":
      return value;
    case "block_rfq_id":
      return l10n.t("Block RFQ {0}", value);
    case "broker_code":
      return value === "any" ? l10n.t("any broker") : l10n.t("broker {0}", value);
    case "start_id":
      return l10n.t("older than {0}", value);
    case "end_id":
      return l10n.t("back to {0}", value);
  }
}

/**
 * Returns the filter with a parameter as it was typed; an empty text leaves it out. Text that is not a number stays a
 * text.
 */
export function withTyped(filter: BlockTradesFilter, name: FilterName, typed: string): BlockTradesFilter {
  const text = typed.trim();
  const isNumber = name === "block_rfq_id" || name === "count";
  const value = text === "" ? undefined : isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
  const given = Object.entries({ ...filter, [name]: value }).filter(([, each]) => each !== undefined);
  return Object.fromEntries(given);
}

/** Returns what the exchange's rules do not allow in the filter, as a sentence; undefined when it can be sent. */
export function filterProblem(filter: BlockTradesFilter): Plain | undefined {
  const problem = paramsProblem(BLOCK_TRADES_METHOD, filter);
  return problem !== undefined && filter.end_id !== undefined && filter.start_id === undefined
    ? l10n.t("end_id requires start_id. First specify the block trade that the list starts after.")
    : problem;
}
