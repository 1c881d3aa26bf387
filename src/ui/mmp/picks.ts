import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { MMP_INDEXES } from "../../catalogue/values.ts";
import {
  MMP_FILTER_NAMES,
  mmpFilterOf,
  mmpFilterProblem,
  type MmpFilterName,
  type MmpViewFilter,
} from "../../present/mmp/mmpFilter.ts";
import type { MmpFilter } from "../../state/mmp.ts";
import type { FilterChoice } from "../tree/filterPicks.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice } from "../editor/dialogSteps.ts";

/** Returns the parameters of the exchange's list as filter choices. */
export function mmpFilterChoices({ asked }: MmpViewFilter): readonly FilterChoice<MmpViewFilter>[] {
  return MMP_FILTER_NAMES.map((name) => ({
    ...{ group: l10n.t("Exchange filters"), label: LABELS[name](), description: valueText(asked, name) },
    next: { ask: async (filter, dialogs) => ({ ...filter, asked: await askParameter(filter.asked, name, dialogs) }) },
  }));
}

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

/** Returns the filter with the parameter that the user gave; unchanged when the user left. */
async function askParameter(filter: MmpFilter, name: MmpFilterName, dialogs: Dialogs): Promise<MmpFilter> {
  switch (name) {
    case "index_name":
      return await askIndex(filter, dialogs);
    case "mmp_group":
      return await askGroup(filter, dialogs);
    case "block_rfq":
      return await askPart(filter, dialogs);
  }
}

/**
 * Asks for an index of the contract. The exchange may know more, so that any other can be typed. Without an index, the
 * group is dropped.
 */
async function askIndex(filter: MmpFilter, dialogs: Dialogs): Promise<MmpFilter> {
  const title = l10n.t("Filter MMP: Index");
  const choices: Choice<string>[] = [
    ...MMP_INDEXES.map((index) => ({
      label: plain`${index}`,
      value: index,
      ...(index === "all" ? { description: l10n.t("all indexes") } : {}),
    })).sort((one, other) => Number(other.value === "all") - Number(one.value === "all")),
    { label: l10n.t("Other…"), value: OTHER },
  ];
  const result = await dialogs.askChoice({
    title,
    placeholder: l10n.t("Select an index"),
    choices,
    isPresent: (value) => value === (filter.index_name ?? "all"),
  });
  if (result.kind !== "next") return filter;
  if (result.value !== OTHER) return mmpFilterOf({ ...filter, index_name: result.value });
  const problemOf = (text: string): Plain | undefined =>
    text === ""
      ? l10n.t("Enter the name of an index, for example btc_usd.")
      : mmpFilterProblem(mmpFilterOf({ ...filter, index_name: text }));
  const typed = await dialogs.askText({
    title,
    prompt: l10n.t("Index name as used by the exchange"),
    placeholder: plain`btc_usd`,
    value: "",
    problemOf,
  });
  return typed.kind === "next" ? mmpFilterOf({ ...filter, index_name: typed.value }) : filter;
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

const OTHER = "other…";
