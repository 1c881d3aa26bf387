import type { LiveConnection } from "../../actions/liveConnection.ts";
import {
  describeGroup,
  isRemoved,
  limitChanges,
  limitProblem,
  MMP_MEMBERS,
  type MmpLimits,
  type MmpMember,
} from "../../actions/changes/mmpLimits.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { MMP_INDEXES } from "../../catalogue/values.ts";
import { indexText } from "../../present/mmp/freezeNotice.ts";
import { groupText, limitTexts } from "../../present/mmp/mmpWords.ts";
import type { MmpGroupName } from "../../state/mmpGroups.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, StepFrame, DialogResult } from "../editor/dialogSteps.ts";

/* The questions of Set MMP Limits…, one after another and with a way back. */

/** The responses of all steps. */
export interface AskedLimits {
  readonly live: LiveConnection;
  readonly group: MmpGroupName;
  /** The limits that were shown; undefined when they could not be read. */
  readonly present: MmpLimits | undefined;
  readonly limits: MmpLimits;
}

export interface LimitStepsPorts {
  readonly dialogs: Dialogs;
  /** The connections that the user chooses from. */
  readonly connections: readonly LiveConnection[];
  /** The group on whose row the steps began; undefined if they began elsewhere. */
  readonly start: { readonly live: LiveConnection; readonly group: MmpGroupName } | undefined;
  /** Reads the limits of a group from the exchange; empty if there are none, undefined if they cannot be read. */
  readonly read: (live: LiveConnection, group: MmpGroupName) => Promise<MmpLimits | undefined>;
}

type StepName = "connection" | "group" | "index" | "part" | "name" | MmpMember | "review";

/** The responses so far. Going back loses none of them. */
interface Draft {
  readonly live: LiveConnection | undefined;
  readonly group: MmpGroupName;
  /** Whether the group is not among the listed ones. */
  readonly isNew: boolean;
  /** The group whose limits were read. */
  readonly readFor: string;
  readonly present: MmpLimits | undefined;
  readonly limits: MmpLimits;
}

interface Run {
  readonly ports: LimitStepsPorts;
  readonly draft: Draft;
  readonly frame: StepFrame;
}

/** Asks for the limits of a group. Undefined when the user left. */
export async function askLimits(ports: LimitStepsPorts): Promise<AskedLimits | undefined> {
  let draft = startOf(ports);
  let step: StepName | undefined = stepsOf(ports, draft)[0];
  while (step !== undefined) {
    if (step === "interval") draft = await withPresent(ports, draft);
    const steps = stepsOf(ports, draft);
    const frame = {
      title: draft.live === undefined ? l10n.t("Set MMP Limits") : l10n.t("Set MMP Limits on {0}", draft.live.place),
      step: steps.indexOf(step) + 1,
      totalSteps: steps.length,
    };
    if (step === "review") {
      const result = await askReview({ ports, draft, frame });
      if (result.kind === "left") return undefined;
      if (result.kind === "next" && result.value === "send")
        return draft.live === undefined
          ? undefined
          : { live: draft.live, group: draft.group, present: draft.present, limits: draft.limits };
      step = result.kind === "next" ? (result.value as StepName) : steps.at(-2);
      continue;
    }
    const result: DialogResult<Draft> = await ask(step, { ports, draft, frame });
    if (result.kind === "left") return undefined;
    if (result.kind === "next") draft = result.value;
    const now = stepsOf(ports, draft);
    step = now[now.indexOf(step) + (result.kind === "next" ? 1 : -1)];
  }
  return undefined;
}

function startOf({ connections, start }: LimitStepsPorts): Draft {
  const only = connections.length === 1 ? connections[0] : undefined;
  const group = start?.group ?? { index_name: "", mmp_group: "", block_rfq: false };
  return { live: start?.live ?? only, group, isNew: false, readFor: "", present: undefined, limits: {} };
}

/** Returns the steps that these responses call for. */
function stepsOf({ connections, start }: LimitStepsPorts, { isNew, group, limits }: Draft): readonly StepName[] {
  const ofGroup: readonly StepName[] = [
    ...(connections.length > 1 ? (["connection"] as const) : []),
    "group",
    ...(isNew ? (["index", "part", "name"] as const) : []),
  ];
  const members =
    limits.interval === "0"
      ? (["interval"] as const)
      : MMP_MEMBERS.filter((member) => member !== "trade_count_limit" || group.block_rfq);
  return [...(start === undefined ? ofGroup : []), ...members, "review"];
}

/**
 * Returns the draft with the limits that are in force now, as defaults of the next steps. Limits of another group are
 * dropped.
 */
async function withPresent({ read }: LimitStepsPorts, draft: Draft): Promise<Draft> {
  const { live, group } = draft;
  const readFor = JSON.stringify([live?.record.id, group]);
  if (live === undefined || draft.readFor === readFor) return draft;
  const present = await read(live, group);
  return { ...draft, readFor, present, limits: present ?? {} };
}

async function ask(step: Exclude<StepName, "review">, run: Run): Promise<DialogResult<Draft>> {
  return isMember(step) ? await askMember(step, run) : await ASK[step](run);
}

function isMember(step: StepName): step is MmpMember {
  return (MMP_MEMBERS as readonly string[]).includes(step);
}

const ASK: Readonly<
  Record<"connection" | "group" | "index" | "part" | "name", (run: Run) => Promise<DialogResult<Draft>>>
> = {
  connection: async (run) => await askConnection(run),
  group: async (run) => await askGroup(run),
  index: async (run) => await askIndex(run),
  part: async (run) => await askPart(run),
  name: async (run) => await askName(run),
};

async function askConnection({ ports: { connections, dialogs }, draft, frame }: Run): Promise<DialogResult<Draft>> {
  const choices = connections.map((live): Choice<LiveConnection> => ({ label: live.place, value: live }));
  return changed(
    draft,
    await dialogs.askChoice({
      ...frame,
      placeholder: l10n.t("On which connection?"),
      choices,
      isPresent: (value) => value === draft.live,
    }),
    (live) => ({ live }),
  );
}

async function askGroup({ ports: { dialogs }, draft, frame }: Run): Promise<DialogResult<Draft>> {
  const groups = [...(draft.live?.mmp.snapshot.items.values() ?? [])];
  const choices: Choice<MmpGroupName | "new">[] = [
    ...groups.map((group) => ({
      label: l10n.t("{0} · {1}", indexText(group), groupText(group)),
      description: plain.join(limitTexts(group.config)[0] ?? [], " · "),
      value: { index_name: group.index_name, mmp_group: group.mmp_group, block_rfq: group.block_rfq },
    })),
    {
      label: l10n.t("$(add) Another Group…"),
      description: l10n.t("without limits yet, or not listed"),
      value: "new",
    },
  ];
  const result = await dialogs.askChoice({
    ...frame,
    placeholder: l10n.t("Select a group"),
    choices,
    isPresent: (value) => (value === "new" ? draft.isNew : JSON.stringify(value) === JSON.stringify(draft.group)),
  });
  return changed(draft, result, (value) => (value === "new" ? { isNew: true } : { isNew: false, group: value }));
}

async function askIndex({ ports: { dialogs }, draft, frame }: Run): Promise<DialogResult<Draft>> {
  const listed = [...(draft.live?.mmp.snapshot.items.values() ?? [])].map(({ index_name: index }) => index);
  const names = [...new Set([...listed, ...MMP_INDEXES])].filter((index) => index !== "all");
  const choices: Choice<string>[] = [
    ...names.map((index) => ({ label: plain.name(index), value: index })),
    { label: l10n.t("Other…"), value: OTHER },
  ];
  for (;;) {
    const result = await dialogs.askChoice({
      ...frame,
      placeholder: l10n.t("Select an index"),
      choices,
      isPresent: (value) => value === draft.group.index_name,
    });
    if (result.kind !== "next" || result.value !== OTHER)
      return changed(draft, result, (index) => ({ group: { ...draft.group, index_name: index } }));
    const problemOf = (text: string): Plain | undefined =>
      /^\w{1,64}$/.test(text) && text !== "all"
        ? undefined
        : l10n.t("Enter the name of one index, for example btc_usd.");
    const typed = await dialogs.askText({
      ...frame,
      isWithin: true,
      prompt: l10n.t("Index name as used by the exchange"),
      placeholder: plain`btc_usd`,
      value: "",
      problemOf,
    });
    if (typed.kind !== "back")
      return changed(draft, typed, (index) => ({ group: { ...draft.group, index_name: index } }));
  }
}

async function askPart({ ports: { dialogs }, draft, frame }: Run): Promise<DialogResult<Draft>> {
  const choices: Choice<boolean>[] = [
    { label: l10n.t("Orders and Quotes"), description: plain`block_rfq: false`, value: false },
    { label: l10n.t("Block RFQ Quotes"), description: plain`block_rfq: true`, value: true },
  ];
  const result = await dialogs.askChoice({
    ...frame,
    placeholder: l10n.t("Each has its own limits and requires its own scope"),
    choices,
    isPresent: (value) => value === draft.group.block_rfq,
  });
  return changed(draft, result, (isRfq) => ({ group: { ...draft.group, block_rfq: isRfq } }));
}

async function askName({ ports: { dialogs }, draft, frame }: Run): Promise<DialogResult<Draft>> {
  const prompt = l10n.t(
    "Name of the MMP group for mass quotes (case-sensitive). Leave it empty for regular orders or all Block RFQ quotes.",
  );
  const problemOf = (text: string): Plain | undefined =>
    text.length <= MAX_TEXT ? undefined : l10n.t("A name can have up to {0} characters.", MAX_TEXT);
  return changed(
    draft,
    await dialogs.askText({
      ...frame,
      prompt,
      placeholder: l10n.t("no group"),
      value: draft.group.mmp_group,
      problemOf,
    }),
    (name) => ({ group: { ...draft.group, mmp_group: name } }),
  );
}

async function askMember(member: MmpMember, { ports: { dialogs }, draft, frame }: Run): Promise<DialogResult<Draft>> {
  const { live, group, present, limits } = draft;
  const title = l10n.t("{0} for {1} on {2}", l10n.t("Set MMP Limits"), describeGroup(group), live?.place ?? "");
  const was =
    present === undefined
      ? l10n.t("The current value is unknown.")
      : l10n.t("Current value: {0}.", present[member] === undefined ? l10n.t("none") : plain.text(present[member]));
  const result = await dialogs.askText({
    ...frame,
    title,
    prompt: l10n.t("{0} {1}", PROMPTS[member](), was),
    placeholder: plain`${member}`,
    value: limits[member] ?? "",
    problemOf: (text) => limitProblem(member, text),
  });
  return changed(draft, result, (text) => ({
    limits: Object.fromEntries(Object.entries({ ...limits, [member]: text }).filter(([, value]) => value !== "")),
  }));
}

const PROMPTS: Readonly<Record<MmpMember, () => Plain>> = {
  interval: () =>
    l10n.t(
      "interval: time window in seconds over which fills are counted (0 to 3600). 0 removes the limits and skips the remaining steps.",
    ),
  frozen_time: () =>
    l10n.t(
      "frozen_time: seconds the group stays frozen after a limit is reached (0 to 3600). 0 keeps it frozen until it is reset manually.",
    ),
  max_quote_quantity: () =>
    l10n.t("max_quote_quantity: maximum quantity per side of a quote. Required by the exchange."),
  quantity_limit: () =>
    l10n.t("quantity_limit: maximum quantity filled within the interval. Leave it empty for no limit."),
  delta_limit: () => l10n.t("delta_limit: maximum change of delta within the interval. Leave it empty for no limit."),
  vega_limit: () => l10n.t("vega_limit: maximum change of vega within the interval. Leave it empty for no limit."),
  trade_count_limit: () =>
    l10n.t("trade_count_limit: maximum number of trades within the interval (1 to 1000). Leave it empty for no limit."),
};

/** Shows what will be different. A line goes back to its step. */
async function askReview({ ports: { dialogs }, draft, frame }: Run): Promise<DialogResult<MmpMember | "send">> {
  const { live, group, present, limits } = draft;
  const lines = limitChanges(present ?? {}, limits);
  const send = isRemoved(limits) ? l10n.t("$(trash) Remove Limits") : l10n.t("$(check) Set Limits");
  const choices: Choice<MmpMember | "send">[] = [
    ...(lines.length === 0 && present !== undefined
      ? []
      : [{ label: send, description: live?.place ?? "", value: "send" as const }]),
    ...(lines.length === 0
      ? [
          {
            label: l10n.t("Nothing would change"),
            description: l10n.t("go back to the interval"),
            value: "interval" as const,
          },
        ]
      : lines.map(({ member, text }) => ({ label: text, value: isRemoved(limits) ? ("interval" as const) : member }))),
  ];
  const placeholder =
    present === undefined
      ? l10n.t("The current limits are unknown and will be replaced by these")
      : l10n.t("Review the changes, or select one to edit it");
  return await dialogs.askChoice({
    ...frame,
    title: l10n.t("{0} for {1} on {2}", l10n.t("Set MMP Limits"), describeGroup(group), live?.place ?? ""),
    placeholder,
    choices,
    isPresent: (value) => value === "send",
  });
}

function changed<T>(draft: Draft, result: DialogResult<T>, change: (value: T) => Partial<Draft>): DialogResult<Draft> {
  return result.kind === "next" ? { kind: "next", value: { ...draft, ...change(result.value) } } : result;
}

const OTHER = "other…";
const MAX_TEXT = 64;
