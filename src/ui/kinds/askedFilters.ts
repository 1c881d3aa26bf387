import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { CURRENCIES, MMP_INDEXES } from "../../catalogue/values.ts";
import {
  FILTER_NAMES,
  filterProblem,
  withTyped,
  type BlockTradesViewFilter,
  type FilterName,
} from "../../present/blockTrades/blockTradesFilter.ts";
import {
  MMP_FILTER_NAMES,
  mmpFilterOf,
  mmpFilterProblem,
  type MmpFilterName,
  type MmpViewFilter,
} from "../../present/mmp/mmpFilter.ts";
import type { ViewFilter } from "../../present/rows/viewFilter.ts";
import { PAGE_SIZE, type BlockTradesFilter } from "../../state/blockTrades.ts";
import type { MmpFilter } from "../../state/mmp.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, TextStep } from "../editor/dialogSteps.ts";
import type { FilterChoice } from "../tree/viewFilters.ts";

/* The filters of views that the exchange itself applies: parameters of its lists. */

/** A parameter by which the exchange filters its list. */
interface AskedParameter<Asked> {
  readonly label: Plain;
  /** The value that it has now. */
  readonly description: Plain;
  /** Returns the filter with the value that the user gave; unchanged when the user left. */
  readonly ask: (asked: Asked, dialogs: Dialogs) => Promise<Asked>;
}

/** Returns parameters of an exchange's list as filter choices. */
function askedChoices<Asked, F extends ViewFilter & { readonly asked: Asked }>(
  parameters: readonly AskedParameter<Asked>[],
): readonly FilterChoice<F>[] {
  return parameters.map(({ label, description, ask }) => ({
    ...{ group: l10n.t("Exchange filters"), label, description },
    next: { ask: async (filter, dialogs) => ({ ...filter, asked: await ask(filter.asked, dialogs) }) },
  }));
}

/** Asks for one of the values of the contract, or for another one: the exchange may know more. */
async function askListed(
  dialogs: Dialogs,
  { title, placeholder, choices, present }: ListedStep,
  typing: Pick<TextStep, "prompt" | "placeholder" | "value" | "problemOf">,
): Promise<string | undefined> {
  const listed = await dialogs.askChoice({
    title,
    placeholder,
    choices: [...choices, { label: l10n.t("Other…"), value: OTHER }],
    isPresent: (value) => value === present,
  });
  if (listed.kind !== "next") return undefined;
  if (listed.value !== OTHER) return listed.value;
  const typed = await dialogs.askText({ title, ...typing });
  return typed.kind === "next" ? typed.value : undefined;
}

interface ListedStep {
  readonly title: Plain;
  readonly placeholder: Plain;
  readonly choices: readonly Choice<string>[];
  readonly present: string;
}

const OTHER = "other…";

/** Returns the parameters of the list of block trades as filter choices. */
export function blockTradesFilterChoices({
  asked,
}: BlockTradesViewFilter): readonly FilterChoice<BlockTradesViewFilter>[] {
  return askedChoices<BlockTradesFilter, BlockTradesViewFilter>(
    FILTER_NAMES.map((name) => {
      const { label, whenAbsent } = PARAMETERS[name]();
      const description = asked[name] === undefined ? whenAbsent : plain.name(String(asked[name]));
      return { label, description, ask: async (filter, dialogs) => await askParameter(filter, name, dialogs) };
    }),
  );
}

/** Returns the filter with the parameter that the user gave; unchanged when the user left. */
async function askParameter(filter: BlockTradesFilter, name: FilterName, dialogs: Dialogs): Promise<BlockTradesFilter> {
  const { label, prompt } = PARAMETERS[name]();
  const title = l10n.t("Filter Block Trades: {0}", label);
  const value = String(filter[name] ?? "");
  const problemOf = (text: string): Plain | undefined => filterProblem(withTyped(filter, name, text));
  if (name === "currency") {
    const choices = [
      { label: l10n.t("All Currencies"), value: "" },
      ...CURRENCIES.map((currency) => ({ label: plain`${currency}`, value: currency })),
    ];
    const currency = await askListed(
      dialogs,
      { title, placeholder: prompt, choices, present: value },
      { prompt, value, problemOf },
    );
    return currency === undefined ? filter : withTyped(filter, name, currency);
  }
  const result = await dialogs.askText({ title, prompt, value, problemOf });
  return result.kind === "next" ? withTyped(filter, name, result.value) : filter;
}

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

/** Returns the parameters of the MMP limits as filter choices. */
export function mmpFilterChoices({ asked }: MmpViewFilter): readonly FilterChoice<MmpViewFilter>[] {
  return askedChoices(
    MMP_FILTER_NAMES.map((name) => ({ label: LABELS[name](), description: valueText(asked, name), ask: ASK[name] })),
  );
}

const ASK: Readonly<Record<MmpFilterName, AskedParameter<MmpFilter>["ask"]>> = {
  index_name: askIndex,
  mmp_group: askGroup,
  block_rfq: askPart,
};

const LABELS: Readonly<Record<MmpFilterName, () => Plain>> = {
  index_name: () => l10n.t("Index (index_name)"),
  mmp_group: () => l10n.t("Group (mmp_group)"),
  block_rfq: () => l10n.t("Block RFQ (block_rfq)"),
};

function valueText(filter: MmpFilter, name: MmpFilterName): Plain {
  if (name === "block_rfq")
    return filter.block_rfq === undefined
      ? l10n.t("both")
      : filter.block_rfq
        ? l10n.t("Block RFQ quotes only")
        : l10n.t("orders and quotes only");
  const value = filter[name];
  if (value === undefined) return name === "index_name" ? l10n.t("all") : l10n.t("all groups and regular orders");
  return value === "" ? l10n.t("regular orders") : plain.name(value);
}

/** Asks for an index. Without one, the group is dropped. */
async function askIndex(filter: MmpFilter, dialogs: Dialogs): Promise<MmpFilter> {
  const choices = MMP_INDEXES.map((index): Choice<string> => ({
    label: plain`${index}`,
    value: index,
    ...(index === "all" ? { description: l10n.t("all indexes") } : {}),
  })).sort((one, other) => Number(other.value === "all") - Number(one.value === "all"));
  const name = await askListed(
    dialogs,
    {
      title: l10n.t("Filter MMP: Index"),
      placeholder: l10n.t("Select an index"),
      choices,
      present: filter.index_name ?? "all",
    },
    {
      prompt: l10n.t("Index name as used by the exchange"),
      placeholder: plain`btc_usd`,
      value: "",
      problemOf: (text) =>
        text === ""
          ? l10n.t("Enter the name of an index, for example btc_usd.")
          : mmpFilterProblem(mmpFilterOf({ ...filter, index_name: text })),
    },
  );
  return name === undefined ? filter : mmpFilterOf({ ...filter, index_name: name });
}

async function askGroup(filter: MmpFilter, dialogs: Dialogs): Promise<MmpFilter> {
  const title = l10n.t("Filter MMP: Group");
  const choices: Choice<"every" | "regular" | "one">[] = [
    { label: l10n.t("All Groups and Regular Orders"), value: "every" },
    { label: l10n.t("Regular Orders"), description: l10n.t("empty mmp_group"), value: "regular" },
    {
      label: l10n.t("One Group…"),
      description: filter.mmp_group === "" ? "" : plain.name(filter.mmp_group ?? ""),
      value: "one",
    },
  ];
  const result = await dialogs.askChoice({
    title,
    placeholder: l10n.t("A group requires an index (index_name)"),
    choices,
    isPresent: (value) => value === "every",
  });
  if (result.kind !== "next") return filter;
  if (result.value === "every") return mmpFilterOf({ ...filter, mmp_group: undefined });
  if (result.value === "regular") return mmpFilterOf({ ...filter, mmp_group: "" });
  const problemOf = (text: string): Plain | undefined => mmpFilterProblem({ index_name: "all", mmp_group: text });
  const typed = await dialogs.askText({
    title,
    prompt: l10n.t("Group name (case-sensitive)"),
    value: filter.mmp_group ?? "",
    problemOf,
  });
  return typed.kind === "next" ? mmpFilterOf({ ...filter, mmp_group: typed.value }) : filter;
}

async function askPart(filter: MmpFilter, dialogs: Dialogs): Promise<MmpFilter> {
  const choices: Choice<boolean | undefined>[] = [
    { label: l10n.t("Both"), description: l10n.t("orders and quotes, and Block RFQ quotes"), value: undefined },
    { label: l10n.t("Orders and Quotes Only"), description: plain`block_rfq: false`, value: false },
    { label: l10n.t("Block RFQ Quotes Only"), description: plain`block_rfq: true`, value: true },
  ];
  const result = await dialogs.askChoice({
    title: l10n.t("Filter MMP: Block RFQ"),
    placeholder: l10n.t("Each has its own limits and requires its own scope"),
    choices,
    isPresent: (value) => value === filter.block_rfq,
  });
  return result.kind === "next" ? mmpFilterOf({ ...filter, block_rfq: result.value }) : filter;
}
