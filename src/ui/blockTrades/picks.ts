import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { CURRENCIES } from "../../catalogue/values.ts";
import {
  FILTER_NAMES,
  filterProblem,
  withTyped,
  type BlockTradesViewFilter,
  type FilterName,
} from "../../present/blockTrades/blockTradesFilter.ts";
import { PAGE_SIZE, type BlockTradesFilter } from "../../state/blockTrades.ts";
import type { FilterChoice } from "../tree/filterPicks.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice } from "../editor/dialogSteps.ts";

/** Returns the parameters of the exchange's list as filter choices. */
export function blockTradesFilterChoices({
  asked,
}: BlockTradesViewFilter): readonly FilterChoice<BlockTradesViewFilter>[] {
  return FILTER_NAMES.map((name) => {
    const { label, whenAbsent } = PARAMETERS[name]();
    const description = asked[name] === undefined ? whenAbsent : plain.name(String(asked[name]));
    return {
      group: l10n.t("Exchange filters"),
      label,
      description,
      next: { ask: async (filter, dialogs) => ({ ...filter, asked: await askParameter(filter.asked, name, dialogs) }) },
    };
  });
}

/** Returns the filter with the parameter that the user gave; unchanged when the user left. */
async function askParameter(filter: BlockTradesFilter, name: FilterName, dialogs: Dialogs): Promise<BlockTradesFilter> {
  const { label, prompt } = PARAMETERS[name]();
  const title = l10n.t("Filter Block Trades: {0}", label);
  if (name === "currency") return await askCurrency(filter, { title, prompt }, dialogs);
  const result = await dialogs.askText({
    title,
    prompt,
    value: String(filter[name] ?? ""),
    problemOf: (text) => filterProblem(withTyped(filter, name, text)),
  });
  return result.kind === "next" ? withTyped(filter, name, result.value) : filter;
}

/** Asks for a currency of the contract. The exchange may know more, so that any other can be typed. */
async function askCurrency(
  filter: BlockTradesFilter,
  { title, prompt }: { readonly title: Plain; readonly prompt: Plain },
  dialogs: Dialogs,
): Promise<BlockTradesFilter> {
  const choices: Choice<string>[] = [
    { label: l10n.t("All Currencies"), value: "" },
    ...CURRENCIES.map((currency) => ({ label: plain`${currency}`, value: currency })),
    { label: l10n.t("Other…"), value: OTHER },
  ];
  const result = await dialogs.askChoice({
    title,
    placeholder: prompt,
    choices,
    isPresent: (value) => value === (filter.currency ?? ""),
  });
  if (result.kind !== "next") return filter;
  if (result.value !== OTHER) return withTyped(filter, "currency", result.value);
  const typed = await dialogs.askText({
    title,
    prompt,
    value: filter.currency ?? "",
    problemOf: (text) => filterProblem(withTyped(filter, "currency", text)),
  });
  return typed.kind === "next" ? withTyped(filter, "currency", typed.value) : filter;
}

const OTHER = "other";

interface ParameterWords {
  readonly label: Plain;
  readonly whenAbsent: Plain;
  readonly prompt: Plain;
}

const PARAMETERS: Readonly<Record<FilterName, () => ParameterWords>> = {
  currency: () => ({
    label: l10n.t("Currency"),
    whenAbsent: l10n.t("all"),
    prompt: l10n.t("Block trades of this currency"),
  }),
  block_rfq_id: () => ({
    label: l10n.t("Block RFQ ID"),
    whenAbsent: l10n.t("any"),
    prompt: l10n.t("Only block trades of this Block RFQ. Leave empty for any"),
  }),
  broker_code: () => ({
    label: l10n.t("Broker Code"),
    whenAbsent: l10n.t("any or none"),
    prompt: l10n.t(
      "For clients of brokers: only broker block trades with this code, or any for all of them. Leave empty for all block trades",
    ),
  }),
  start_id: () => ({
    label: l10n.t("Older Than (start_id)"),
    whenAbsent: l10n.t("from the newest"),
    prompt: l10n.t("Start with the block trade before this ID. Leave empty to start with the newest"),
  }),
  end_id: () => ({
    label: l10n.t("Down To (end_id)"),
    whenAbsent: l10n.t("no limit"),
    prompt: l10n.t("ID of the oldest block trade to list. Requires Older Than (start_id). Leave empty for no limit"),
  }),
  count: () => ({
    label: l10n.t("Block Trades per Page"),
    whenAbsent: plain`${PAGE_SIZE}`,
    prompt: l10n.t("Number of block trades that Load more… adds, from 1 to 101. Leave empty for {0}", PAGE_SIZE),
  }),
};
