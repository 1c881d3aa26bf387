import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { factsOf, type BotFacts } from "../../recording/bots/facts.ts";
import { CHECKS, type CheckName } from "../../recording/bots/checks.ts";
import type { BotFinding } from "../../recording/bots/check.ts";
import type { BotFrame, DeclaredBounds, SentFrame } from "../../recording/bots/frames.ts";
import type { BotRun, ChosenFaults } from "./botRun.ts";

/** What was found of the conduct of a bot, as data. */
interface ConductReport {
  readonly version: string;
  readonly bounds: DeclaredBounds;
  readonly checks: readonly CheckRow[];
  readonly findings: readonly ReportedFinding[];
  /** The facts of each run: the one without faults first. */
  readonly facts: readonly (BotFacts & { readonly seed: number | undefined })[];
}

/** The report of a stress test. */
export interface StressReport extends ConductReport {
  readonly command: readonly string[];
  readonly secondsPerRun: number;
  /** The number of schedules that were run, besides the run without faults. */
  readonly schedules: number;
  /** The seeds of the schedules in which the bot did not sign in in time, so that they tested nothing. */
  readonly untestedSeeds: readonly number[];
}

/** The report about a recording. */
export interface AuditReport extends ConductReport {
  /** The path of the recording, as it was typed. */
  readonly recording: string;
}

interface CheckRow {
  readonly check: CheckName;
  /** The number of runs in which the bot was in the situation. */
  readonly exercised: number;
  /** The number of runs with a finding. */
  readonly findings: number;
}

/** A finding, and the smallest schedule that still shows it. */
export interface ReportedFinding {
  readonly check: CheckName;
  readonly detail: string;
  /** The seed of its schedule; undefined for the run without faults. */
  readonly seed: number | undefined;
  /** The places of its faults in the schedule, from 1. */
  readonly places: readonly number[] | undefined;
  readonly faults: readonly object[];
  /** How often it came in the runs that followed; undefined for a recording. */
  readonly seen: { readonly times: number; readonly runs: number } | undefined;
  readonly frames: readonly ShownFrame[];
  /** What was at stake, in USD at the mark price; undefined where that is not known. */
  readonly costUsd: number | undefined;
}

/** A frame in two columns. */
export interface ShownFrame {
  readonly atMs: number;
  /** What was so at the exchange. */
  readonly truth: string;
  /** What the bot did or had been told. */
  readonly told: string;
}

/** A run as a report needs it: a recording has no faults and no schedule. */
export type JudgedRun = Pick<BotRun, "conversation" | "results" | "faults" | "schedule">;

/** Returns how many runs exercised each check, and in how many it found something. */
export function checkRows(runs: readonly JudgedRun[]): readonly CheckRow[] {
  const count = (is: (run: JudgedRun) => boolean): number => runs.filter(is).length;
  return CHECKS.map((check) => ({
    check,
    exercised: count(({ results }) => results.get(check)?.isExercised === true),
    findings: count(({ results }) => (results.get(check)?.findings.length ?? 0) > 0),
  }));
}

/** Returns a finding of a run for the report. `seen`: how often it came in later runs. */
export function reportFinding(
  check: CheckName,
  run: JudgedRun,
  seen?: ReportedFinding["seen"],
): ReportedFinding | undefined {
  const [finding] = run.results.get(check)?.findings ?? [];
  if (finding === undefined) return undefined;
  const { seed, only } = run.faults;
  return {
    check,
    detail: finding.detail,
    ...{ seed, places: only, faults: run.schedule, seen },
    frames: framesAround(run.conversation.frames, finding.at),
    costUsd: costOf(run, finding),
  };
}

/** Returns the facts of runs. */
export function factRows(runs: readonly JudgedRun[]): StressReport["facts"] {
  return runs.map((run) => ({ seed: run.faults.seed, ...factsOf(run.conversation) }));
}

function costOf({ conversation }: JudgedRun, { stake }: BotFinding): number | undefined {
  const mark = stake === undefined ? undefined : conversation.end?.account?.marks[stake.instrument];
  return stake === undefined || mark === undefined ? undefined : Math.round(stake.amount * mark.usdPerUnit * 100) / 100;
}

const FRAMES_BEFORE = 7;
const FRAMES_AFTER = 2;

/** Returns the frames around a finding, without the events of the market. */
export function framesAround(frames: readonly BotFrame[], at: number): readonly ShownFrame[] {
  const isOfMarket = (frame: BotFrame): boolean =>
    frame.kind === "received" && frame.channel !== undefined && !frame.channel.startsWith("user.");
  const before = frames.slice(0, at).filter((frame) => !isOfMarket(frame));
  const after = frames.slice(at + 1).filter((frame) => !isOfMarket(frame));
  const shown = [...before.slice(-FRAMES_BEFORE), ...frames.slice(at, at + 1), ...after.slice(0, FRAMES_AFTER)];
  return shown.map(shownFrame);
}

function shownFrame(frame: BotFrame): ShownFrame {
  const { atMs, connection } = frame;
  switch (frame.kind) {
    case "opened":
      return { atMs, truth: l10n.t("connection {0} opened", connection), told: l10n.t("connected") };
    case "closed":
      return {
        atMs,
        truth:
          frame.by === "bot"
            ? l10n.t("connection {0} closed by the bot", connection)
            : l10n.t("connection {0} closed by the exchange", connection),
        told: l10n.t("disconnected"),
      };
    case "sent":
      return { atMs, truth: truthText(frame), told: `> ${callText(frame)}` };
    case "received":
      if (frame.isUnreadable === true) return { atMs, truth: "", told: `< ${l10n.t("an unreadable response")}` };
      if (frame.isTestRequest === true) return { atMs, truth: "", told: "< test_request" };
      if (frame.channel !== undefined) return { atMs, truth: "", told: `< ${frame.channel}` };
      return {
        atMs,
        truth: "",
        told:
          frame.error === undefined
            ? `< ${idText(frame)}result ${membersText(frame.result)}`.trimEnd()
            : `< ${idText(frame)}error ${frame.error.code} ${frame.error.message}`,
      };
  }
}

function truthText({ truth }: SentFrame): string {
  if (truth === undefined) return "";
  const { isCarriedOut, fault, openOrders } = truth;
  return [
    isCarriedOut ? l10n.t("carried out") : l10n.t("not carried out"),
    ...(fault === undefined ? [] : [l10n.t("fault {0}", plain.text(fault))]),
    ...(openOrders === undefined ? [] : [l10n.t("{0} open", openOrders)]),
  ].join(", ");
}

/** The parameters that a report shows: none of them can be a secret. */
const SHOWN = [
  ...["instrument_name", "amount", "contracts", "price", "type", "time_in_force", "reduce_only", "post_only"],
  ...["order_id", "label", "currency", "channels", "trigger_price", "grant_type"],
];

function callText(frame: SentFrame): string {
  const shown = Object.fromEntries(Object.entries(frame.params).filter(([name]) => SHOWN.includes(name)));
  return `${idText(frame)}${frame.method} ${membersText(shown)}`.trimEnd();
}

function idText({ id }: { readonly id?: number | string | undefined }): string {
  return id === undefined ? "" : `#${id} `;
}

function membersText(value: unknown): string {
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return members.map(([name, each]) => `${name}=${typeof each === "string" ? each : JSON.stringify(each)}`).join(" ");
}

/** Returns what chooses a schedule on the command line; empty for the run without faults. */
export function replayValue({ seed, only }: ChosenFaults): string {
  if (seed === undefined) return "";
  return only === undefined ? String(seed) : `${String(seed)}:${only.join(",")}`;
}
