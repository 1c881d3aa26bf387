import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import {
  describeGroup,
  isRemoved,
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
import { askWhichConnection } from "../connections/picks.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, DialogResult, StepFrame } from "../editor/dialogSteps.ts";
import { askThen, resultAs, walkSteps, type StepAnswer } from "../editor/walkSteps.ts";
import { createMmpStore } from "../../state/mmp.ts";

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

type StepName = "connection" | "group" | "index" | "part" | "name" | "fields" | MmpMember;

/** The responses so far. Going back loses none of them. */
interface Draft {
  readonly live: LiveConnection | undefined;
  readonly group: MmpGroupName;
  /** Whether the group is not among the listed ones. */
  readonly isNew: boolean;
  /** The group whose limits were read. */
  readonly readFor: string;
  readonly present: MmpLimits | undefined;
  /** The limits that are to change, where there are some. */
  readonly fields: readonly MmpMember[];
  readonly limits: MmpLimits;
}

interface Run {
  readonly ports: LimitStepsPorts;
  readonly draft: Draft;
  readonly frame: StepFrame;
}

type Answer = StepAnswer<Draft, StepName>;

/** Asks for the limits of a group. Undefined when the user left. */
export async function askLimits(ports: LimitStepsPorts): Promise<AskedLimits | undefined> {
  const stepsNow = (draft: Draft): readonly StepName[] => stepsOf(ports, draft);
  const { kind, draft } = await walkSteps(startOf(ports), stepsNow, async (step, before, numbers): Promise<Answer> => {
    const now = step === "fields" ? await withPresent(ports, before) : before;
    const { live } = now;
    const title = live === undefined ? l10n.t("Set MMP Limits") : l10n.t("Set MMP Limits on {0}", live.place);
    const run = { ports, draft: now, frame: { title, ...numbers } };
    const answer: Answer = isMember(step) ? await askMember(step, run) : await ASK[step](run);
    return { ...answer, value: { ...now, ...answer.value } };
  });
  const { live, group, present } = draft;
  return kind === "next" && live !== undefined ? { live, group, present, limits: limitsOf(draft) } : undefined;
}

function startOf({ connections, start }: LimitStepsPorts): Draft {
  const only = connections.length === 1 ? connections[0] : undefined;
  const group = start?.group ?? { index_name: "", mmp_group: "", block_rfq: false };
  return { live: start?.live ?? only, group, isNew: false, readFor: "", present: undefined, fields: [], limits: {} };
}

/** Returns the steps that these responses call for. */
function stepsOf({ connections, start }: LimitStepsPorts, draft: Draft): readonly StepName[] {
  const { isNew, limits } = draft;
  const ofGroup: readonly StepName[] = [
    ...(connections.length > 1 ? (["connection"] as const) : []),
    "group",
    ...(isNew ? (["index", "part", "name"] as const) : []),
  ];
  const members = membersOf(draft);
  return [
    ...(start === undefined ? ofGroup : []),
    ...(hasFields(draft) ? (["fields"] as const) : []),
    ...(limits.interval === "0" && members.includes("interval") ? (["interval"] as const) : members),
  ];
}

/**
 * Whether single limits can be chosen: there are some, or it is not known yet. Where there are none, all are asked for.
 */
function hasFields(draft: Draft): boolean {
  const { present } = draft;
  return draft.readFor !== readKey(draft) || (present !== undefined && !isRemoved(present));
}

/** Returns the limits that are asked for. */
function membersOf(draft: Draft): readonly MmpMember[] {
  const { group, fields } = draft;
  return MMP_MEMBERS.filter((member) =>
    hasFields(draft) ? fields.includes(member) : member !== "trade_count_limit" || group.block_rfq,
  );
}

/** Returns the limits as they are to be: those that were asked for, and the present ones. */
function limitsOf(draft: Draft): MmpLimits {
  const { present = {}, limits } = draft;
  const asked = membersOf(draft);
  return Object.fromEntries(
    MMP_MEMBERS.flatMap((member) => {
      const value = asked.includes(member) ? limits[member] : present[member];
      return value === undefined ? [] : [[member, value]];
    }),
  );
}

function readKey({ live, group }: Draft): string {
  return JSON.stringify([live?.record.id, group]);
}

/**
 * Returns the draft with the limits that are in force now, as defaults of the next steps. Limits of another group are
 * dropped.
 */
async function withPresent({ read }: LimitStepsPorts, draft: Draft): Promise<Draft> {
  const { live, group } = draft;
  const readFor = readKey(draft);
  if (live === undefined || draft.readFor === readFor) return draft;
  const present = await read(live, group);
  return { ...draft, readFor, present, fields: [], limits: present ?? {} };
}

function isMember(step: StepName): step is MmpMember {
  return (MMP_MEMBERS as readonly string[]).includes(step);
}

const ASK: Readonly<Record<Exclude<StepName, MmpMember>, (run: Run) => Promise<Answer>>> = {
  connection: async ({ ports: { connections, dialogs }, draft, frame }) =>
    resultAs(await askWhichConnection(frame, { connections, present: draft.live }, dialogs), (live) => ({ live })),
  group: askGroup,
  index: askIndex,
  part: askPart,
  name: askName,
  fields: askFields,
};

async function askGroup({ ports: { dialogs }, draft, frame }: Run): Promise<Answer> {
  const groups = [...(draft.live?.storeOf(createMmpStore).snapshot.items.values() ?? [])];
  const choices: Choice<MmpGroupName | "new">[] = [
    ...groups.map((group) => ({
      label: l10n.t("{0} · {1}", indexText(group), groupText(group)),
      description: limitTexts(group.config)[0] ?? "",
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
  return resultAs(result, (value) => (value === "new" ? { isNew: true } : { isNew: false, group: value }));
}

async function askIndex({ ports: { dialogs }, draft, frame }: Run): Promise<Answer> {
  const listed = [...(draft.live?.storeOf(createMmpStore).snapshot.items.values() ?? [])].map(
    ({ index_name: index }) => index,
  );
  const names = [...new Set([...listed, ...MMP_INDEXES])].filter((index) => index !== "all");
  const choices: Choice<string>[] = [
    ...names.map((index) => ({ label: plain.name(index), value: index })),
    { label: l10n.t("Other…"), value: OTHER },
  ];
  const problemOf = (text: string): Plain | undefined =>
    /^\w{1,64}$/.test(text) && text !== "all" ? undefined : l10n.t("Enter the name of one index, for example btc_usd.");
  const result = await askThen(
    async () =>
      await dialogs.askChoice({
        ...frame,
        placeholder: l10n.t("Select an index"),
        choices,
        isPresent: (value) => value === draft.group.index_name,
      }),
    async (index): Promise<DialogResult<string>> =>
      index !== OTHER
        ? { kind: "next", value: index }
        : await dialogs.askText({
            ...frame,
            isWithin: true,
            prompt: l10n.t("Index name as used by the exchange"),
            placeholder: plain`btc_usd`,
            value: "",
            problemOf,
          }),
  );
  return resultAs(result, (index) => ({ group: { ...draft.group, index_name: index } }));
}

async function askPart({ ports: { dialogs }, draft, frame }: Run): Promise<Answer> {
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
  return resultAs(result, (isRfq) => ({ group: { ...draft.group, block_rfq: isRfq } }));
}

async function askName({ ports: { dialogs }, draft, frame }: Run): Promise<Answer> {
  const prompt = l10n.t(
    "Name of the MMP group for mass quotes (case-sensitive). Leave it empty for regular orders or all Block RFQ quotes.",
  );
  const problemOf = (text: string): Plain | undefined =>
    text.length <= MAX_TEXT ? undefined : l10n.t("A name can have up to {0} characters.", MAX_TEXT);
  const placeholder = l10n.t("no group");
  const result = await dialogs.askText({ ...frame, prompt, placeholder, value: draft.group.mmp_group, problemOf });
  return resultAs(result, (name) => ({ group: { ...draft.group, mmp_group: name } }));
}

/** Asks which limits are to change. Where there are none yet, all of them are asked for. */
async function askFields({ ports: { dialogs }, draft, frame }: Run): Promise<Answer> {
  const { live, group, present = {}, fields } = draft;
  if (!hasFields(draft)) return { kind: "next", to: MMP_MEMBERS[0] };
  const members = MMP_MEMBERS.filter((member) => member !== "trade_count_limit" || group.block_rfq);
  const result = await dialogs.askSeveral({
    ...frame,
    title: l10n.t("{0} for {1} on {2}", l10n.t("Set MMP Limits"), describeGroup(group), live?.place ?? ""),
    placeholder: l10n.t("Select the limits to change. The others stay as they are."),
    choices: members.map((member) => ({
      label: plain`${member}`,
      description: present[member] === undefined ? l10n.t("none") : plain.text(present[member]),
      value: member,
    })),
    isTicked: (member) => fields.includes(member),
    problemOf: (chosen) => (chosen.length === 0 ? l10n.t("Select at least one limit.") : undefined),
  });
  return resultAs(result, (chosen) => ({ fields: chosen }));
}

async function askMember(member: MmpMember, { ports: { dialogs }, draft, frame }: Run): Promise<Answer> {
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
  return resultAs(result, (text) => ({
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

const OTHER = "other…";
const MAX_TEXT = 64;
