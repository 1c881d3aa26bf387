import { nothingToDo } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { readRow } from "../../catalogue/index.ts";
import type { MmpConfig } from "../../state/mmp.ts";
import { type MmpGroupName, isFrozen, type MmpGroup } from "../../state/mmpGroups.ts";
import { askedFields } from "./changes.ts";
import { commaProblem } from "./orderLine.ts";
import { presentFields, type Fields } from "../intent/fields.ts";
import { decimalText, figureText } from "../intent/decimal.ts";
import type { Intent } from "../intent/intent.ts";

/** The members of a configuration that the user can set, named as by the exchange, in the order of the prompts. */
export const MMP_MEMBERS = [
  "interval",
  "frozen_time",
  "max_quote_quantity",
  "quantity_limit",
  "delta_limit",
  "vega_limit",
  "trade_count_limit",
] as const;

export type MmpMember = (typeof MMP_MEMBERS)[number];

/**
 * The limits by the exchange's names, each with the digits that were typed. A missing limit does not hold; empty: no
 * limits at all.
 */
export type MmpLimits = Readonly<Partial<Record<MmpMember, string>>>;

const SET_LIMITS_METHOD = "private/set_mmp_config";

/** The facts that a change of limits needs beside the limits. */
interface LimitsContext {
  readonly origin: Intent["origin"];
  /** The limits that the user was shown; undefined when they could not be read. */
  readonly present: MmpLimits | undefined;
  /** Returns the limits as they are known at the moment; undefined when nothing is known of them. */
  readonly current: () => MmpLimits | undefined;
}

/** A member that has changed. */
interface LimitChange {
  readonly member: MmpMember;
  readonly text: Plain;
}

/** Returns the limits of a configuration. */
export function limitsOf(config: MmpConfig | undefined): MmpLimits {
  const members: Readonly<Record<string, unknown>> = config ?? {};
  return Object.fromEntries(
    MMP_MEMBERS.flatMap((member) =>
      typeof members[member] === "number" ? [[member, decimalText(members[member])]] : [],
    ),
  );
}

/**
 * Returns the limits of a group in the result of private/get_mmp_config, a list or a single object. There are none
 * without an entry for the group.
 */
export function limitsIn(result: unknown, { index_name: index, mmp_group: group }: MmpGroupName): MmpLimits {
  const rows = ([result].flat() as readonly unknown[]).flatMap((row) => readRow("mmpConfig", row) ?? []);
  return limitsOf(rows.find((row) => row.index_name === index && (row.mmp_group ?? "") === group));
}

/**
 * Returns the intent to set the limits of a group, or with an interval of 0 to remove them. Void when they change
 * during the confirmation. Throws `CallError` when they already are so.
 */
export function setMmpLimits(
  group: MmpGroupName,
  limits: MmpLimits,
  { origin, present, current }: LimitsContext,
): Intent {
  const target = describeGroup(group);
  const isRemoval = isRemoved(limits);
  if (present !== undefined && limitChanges(present, limits).length === 0) {
    throw nothingToDo(
      isRemoval
        ? l10n.t("There are no limits to remove for {0}.", target)
        : l10n.t("The limits for {0} already have these values.", target),
    );
  }
  const paramsText = paramsTextOf(group, isRemoval ? removalOf(present) : limits);
  return {
    method: SET_LIMITS_METHOD,
    // The digits go out as they were typed.
    paramsText,
    origin,
    words: {
      action: isRemoval ? l10n.t("Remove Limits") : l10n.t("Set Limits"),
      target,
      sentence: isRemoval
        ? l10n.t("Remove the MMP limits for {0}", target)
        : l10n.t("Set the MMP limits for {0}", target),
      ...(isRemoval
        ? { note: l10n.t("An interval of 0 removes all limits. These quotes and orders are then no longer protected.") }
        : {}),
      detail:
        present === undefined
          ? [
              l10n.t("The current limits are unknown. This change replaces them."),
              ...limitChanges({}, limits).map(({ text }) => text),
            ]
          : [...limitChanges(present, limits).map(({ text }) => text), ...unchangedLine(present, limits)],
      keep: l10n.t("Keep Limits"),
    },
    ...(present === undefined ? {} : { before: beforeOf(present, paramsText) }),
    changedObject() {
      const now = current();
      return now === undefined || present === undefined || limitChanges(present, now).length === 0 ? undefined : "mmp";
    },
  };
}

/** Whether these limits mean that there are none. */
export function isRemoved(limits: MmpLimits): boolean {
  return limits.interval === undefined || Number(limits.interval) === 0;
}

/** Returns the change of each member that does not stay as it is, one line each. */
export function limitChanges(present: MmpLimits, limits: MmpLimits): readonly LimitChange[] {
  const asked = isRemoved(limits) ? {} : limits;
  const before = isRemoved(present) ? {} : present;
  return MMP_MEMBERS.flatMap((member): LimitChange[] => {
    const [was, becomes] = [before[member], asked[member]];
    if (isSame(was, becomes)) return [];
    const values = [member, shown(was), shown(becomes)] as const;
    return [
      {
        member,
        text:
          becomes === undefined
            ? l10n.t("{0}: {1} → {2} (omitted, which removes the limit)", ...values)
            : l10n.t("{0}: {1} → {2}", ...values),
      },
    ];
  });
}

function unchangedLine(present: MmpLimits, limits: MmpLimits): readonly Plain[] {
  const members = isRemoved(limits)
    ? []
    : MMP_MEMBERS.filter((member) => limits[member] !== undefined && isSame(present[member], limits[member]));
  return members.length === 0
    ? []
    : [
        l10n.t(
          "unchanged: {0}",
          plain.join(
            members.map((member) => plain`${member} ${shown(limits[member])}`),
            ", ",
          ),
        ),
      ];
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined ? one === other : Number(one) === Number(other);
}

function shown(value: string | undefined): Plain {
  return value === undefined ? l10n.t("none") : figureText(value);
}

/** Returns the members that the exchange requires whatever the interval is. */
function removalOf({ frozen_time: frozenTime = "0", max_quote_quantity: largest = "0" }: MmpLimits = {}): MmpLimits {
  return { interval: "0", frozen_time: frozenTime, max_quote_quantity: largest };
}

/** Returns the parameters as text. Without a group they mean regular orders. */
function paramsTextOf(
  { index_name: index, mmp_group: group, block_rfq: isRfq }: MmpGroupName,
  limits: MmpLimits,
): string {
  const names = [
    `"index_name":${JSON.stringify(index)}`,
    ...(group === "" ? [] : [`"mmp_group":${JSON.stringify(group)}`]),
    ...(isRfq ? ['"block_rfq":true'] : []),
  ];
  const numbers = MMP_MEMBERS.flatMap((member) =>
    limits[member] === undefined ? [] : [`"${member}":${limits[member]}`],
  );
  return `{${[...names, ...numbers].join(",")}}`;
}

function beforeOf(present: MmpLimits, paramsText: string): Fields {
  const asked = askedFields(SET_LIMITS_METHOD, JSON.parse(paramsText) as Readonly<Record<string, unknown>>) ?? {};
  return presentFields(
    Object.fromEntries(Object.entries(present).map(([member, value]) => [member, Number(value)])),
    asked,
  );
}

/**
 * Returns the reason why a text is not valid for a member, as a sentence; undefined when it is. An empty text leaves a
 * limit out.
 */
export function limitProblem(member: MmpMember, text: string): Plain | undefined {
  return commaProblem(text) ?? CHECKS[member](text);
}

type Check = (text: string) => Plain | undefined;

const checkSeconds: Check = (text) =>
  isInteger(text, 0, MAX_SECONDS) ? undefined : l10n.t("Enter a whole number of seconds from 0 to {0}.", MAX_SECONDS);
const checkLimit: Check = (text) =>
  text === "" || FOUR_DECIMALS.test(text)
    ? undefined
    : l10n.t("Enter a number with up to 4 decimals, or leave it empty for no limit.");

const CHECKS: Readonly<Record<MmpMember, Check>> = {
  interval: checkSeconds,
  frozen_time: checkSeconds,
  max_quote_quantity: (text) =>
    NUMBER.test(text) ? undefined : l10n.t("Enter a quantity (required by the exchange since December 16, 2025)."),
  quantity_limit: checkLimit,
  delta_limit: checkLimit,
  vega_limit: checkLimit,
  trade_count_limit: (text) =>
    text === "" || isInteger(text, 1, MAX_TRADES)
      ? undefined
      : l10n.t("Enter a whole number from 1 to {0}, or leave it empty for no limit.", MAX_TRADES),
};

function isInteger(text: string, least: number, most: number): boolean {
  return INTEGER.test(text) && Number(text) >= least && Number(text) <= most;
}

const MAX_SECONDS = 3600;
const MAX_TRADES = 1000;
/* Numbers as JSON writes them, so that what is typed can be sent as it is. */
const INTEGER = /^(?:0|[1-9]\d{0,14})$/;
const NUMBER = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
const FOUR_DECIMALS = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,4})?$/;

/** The facts that a reset of a group needs beside the group. */
interface MmpContext {
  readonly origin: Intent["origin"];
  /** Returns the time, in ms since the Unix epoch. */
  readonly nowMs: () => number;
  /** Returns the group as it is known at the moment; undefined when nothing is known of it. */
  readonly current: () => MmpGroup | undefined;
  /** The lines that the confirmation says about the freeze and the limits. */
  readonly detail: readonly Plain[];
}

/** Returns the intent to let a group quote again. Void when the group froze again during the confirmation. */
export function resetMmp(group: MmpGroup, { origin, nowMs, current, detail }: MmpContext): Intent {
  const target = describeGroup(group);
  const { index_name: index, mmp_group: name, block_rfq: isRfq, freeze } = group;
  return {
    method: "private/reset_mmp",
    // Without a group regular orders are meant.
    paramsText: JSON.stringify({
      index_name: index,
      ...(name === "" ? {} : { mmp_group: name }),
      ...(isRfq ? { block_rfq: true } : {}),
    }),
    origin,
    words: {
      action: l10n.t("Reset MMP"),
      target,
      sentence: l10n.t("Reset MMP for {0}", target),
      note: l10n.t("This ends the freeze. Protected quotes and orders can be filled again immediately."),
      detail,
      keep: l10n.t("Do Not Reset"),
    },
    changedObject: () => {
      const now = current()?.freeze;
      return !isFrozen(now, nowMs()) || now.frozen_until === freeze?.frozen_until ? undefined : "mmp";
    },
  };
}

/** Returns a group in one line: index, then what is frozen of it. */
export function describeGroup({
  index_name: index,
  mmp_group: group,
  block_rfq: isRfq,
}: Pick<MmpGroup, "index_name" | "mmp_group" | "block_rfq">): Plain {
  const name = plain.name(group);
  const of = plain.name(index);
  if (isRfq)
    return group === "" ? l10n.t("{0} Block RFQ quotes", of) : l10n.t("{0} Block RFQ quotes, group {1}", of, name);
  return group === "" ? l10n.t("{0} regular orders", of) : l10n.t("{0} group {1}", of, name);
}
