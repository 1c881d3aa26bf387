import { momentNow, msSince } from "../../base/clock.ts";
import { toFailure, type Failure } from "../../base/failure.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { CallOptions } from "../../session/session.ts";
import { METHOD_NOT_FOUND } from "../../catalogue/codes.ts";
import { isCancel, isTrade, methodFacts } from "../../catalogue/index.ts";
import type { ActivityList } from "../journal/activity.ts";
import type { Allowance, ChangeKind } from "./allowance.ts";
import type { GatePorts, SubmitOptions } from "./gatePorts.ts";
import { readDeadlines, type Stamp } from "./lastLook.ts";
import { SEND_WITHIN_MS, type Intent, type IntentPreview, type IntentWords } from "../intent/intent.ts";
import { outcomeOf } from "../judge/responseOutcome.ts";
import type { Outcome } from "../judge/outcome.ts";
import { environmentWords } from "../intent/connectionNames.ts";
import { decide, type PolicyInput } from "./policy.ts";
import type { Question, Unsized } from "../intent/question.ts";
import { type CheckedIntent, effectOfCall } from "../judge/check.ts";
import { askedIntent, preparePlaces, type Placed } from "./secretPlace.ts";
import { orderFateLines } from "./tiedOrders.ts";
import { changedSince, readSituation, type Situation } from "../intent/situation.ts";
import type { CheckedTrades, TakenTrades, TradePorts } from "./tradingPermission.ts";
import { isObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { createJsonScanner } from "../../rpc/scanJson.ts";
import { figureText } from "../intent/decimal.ts";
import { withMembers } from "../judge/secondFactor.ts";

/** What sending needs of a connection and of its gate. */
export interface SubmissionPorts extends GatePorts {
  readonly activity: ActivityList;
  readonly allowance: Allowance;
  /** Asks the user to allow trading; undefined if no confirmation can be shown. Resolves to whether it is allowed. */
  readonly allowTrading?: (() => Promise<boolean>) | undefined;
}

/** A change that passed all checks and waits for a consent. */
export interface Job extends Placed {
  readonly isEarlierUnknown: boolean;
}

/** Makes the words for several intents at once. Called with those that will really be sent. */
export type DescribeSeveral = (intents: readonly Intent[]) => IntentWords;

/** The signals of a submit: nothing is sent, and nothing more is asked, once one has fired. */
type StopSignals = Pick<SubmitOptions, "signal" | "stop">;

export interface GivenConsent extends ChangeKind {
  readonly kind: "given";
  readonly wasAsked: boolean;
  /** The situation at the confirmation, from the point of view of these changes. */
  readonly situation: Situation;
  /** Gives each change that has a deadline its own, at the moment of its send; changes nothing else. */
  readonly stamp: Stamp;
  /** The time since the confirmation that reading the sizes of trades again took, in ms. */
  readonly spentMs: number;
  /** Reports the outcome of a change, so that what was not traded does not count toward the total of trading. */
  readonly settle: (checked: CheckedIntent, outcome: Outcome) => void;
}

export type Consent = GivenConsent | { readonly kind: "refused"; readonly failure: Failure };

/**
 * Decides by policy whether changes are sent, asks the user where that is needed, and looks whether the situation is
 * still the confirmed one. What a dry run shows is read first. Never throws.
 */
export async function obtainConsent(
  ports: SubmissionPorts,
  jobs: readonly [Job, ...Job[]],
  describe: DescribeSeveral,
  signals: SubmitOptions,
): Promise<Consent> {
  try {
    const kind: ChangeKind = {
      areCancels: jobs.every((job) => isCancel(job.checked.intent.method)),
      areTrades: jobs.some((job) => isTrade(job.checked.intent.method)),
    };
    const first = situationOf(ports, kind);
    const before = decide(policyInput(ports, { situation: first }, jobs, describe));
    if (before.kind === "refuse") return refused({ kind: "refused", reason: before.reason });
    const prepared = await prepare(ports, jobs, { kind, first }, signals);
    if ("kind" in prepared) return refused(prepared);
    const { situation } = prepared;
    // With its place and its size, a change can have more to confirm.
    const fate = await orderFateLines(
      ports,
      jobs.map(({ checked }) => checked.intent),
    );
    const told = withTold(policyInput(ports, prepared, jobs, describe), jobs, prepared.trades);
    const input = withLines(told, [], fate);
    const decision = decide(input);
    if (decision.kind === "refuse") return refused({ kind: "refused", reason: decision.reason });
    const stamp = await readStamp(ports, jobs, situation, signals);
    const give = async (wasAsked: boolean): Promise<Consent> =>
      await giveConsent(ports, jobs, { ...kind, situation, stamp, wasAsked, trades: prepared.trades }, signals);
    if (decision.kind === "send") return await give(false);
    const dryRun = await dryRunDetail(ports, jobs, situation, signals);
    const reading = previewOf(jobs);
    const preview = reading && (await reading);
    // What was read is not shown as something of another account, or after a stop.
    if (isStopped(signals)) return refused({ kind: "stopped", wasSent: false });
    const changedBefore = changedSince(situation, situationOf(ports, kind));
    if (changedBefore !== undefined) return refused({ kind: "situationChanged", changed: changedBefore });
    for (const question of shownQuestions(decision.questions, input, { dryRun, preview })) {
      if (!(await (signals.ask ?? ports.ask)(question))) return refused({ kind: "declined" });
    }
    const changed = changedSince(situation, situationOf(ports, kind));
    if (changed !== undefined) return refused({ kind: "situationChanged", changed });
    if (decision.allowsCancels) ports.allowance.allow("cancels");
    return await give(true);
  } catch (thrown) {
    ports.log.error(plain`a question could not be asked: ${plain.text(JSON.stringify(toFailure(thrown)))}`);
    return refused(toFailure(thrown));
  }
}

/** The part of a consent that is known when the user has said yes, and what the trades were compared with. */
type Confirmed = Omit<GivenConsent, "kind" | "spentMs" | "settle"> & Pick<AskedChange, "trades">;

/** Counts the trades, looks at the situation for the last time, and gives the consent. */
async function giveConsent(
  ports: SubmissionPorts,
  jobs: readonly Job[],
  { situation, trades, ...confirmed }: Confirmed,
  signals: StopSignals,
): Promise<Consent> {
  const { clock } = ports;
  const startedAt = momentNow(clock);
  const taken = await takeCounted(ports, jobs, { situation, trades }, signals);
  if (taken !== undefined && "kind" in taken) return refused(taken);
  const settle: GivenConsent["settle"] = (checked, outcome) => taken?.settle(checked, outcome);
  // What the yes has allowed belongs to it: it holds until it is taken back.
  const now = situationOf(ports, confirmed);
  const changed = changedSince(situation, now);
  if (changed !== undefined) {
    const failure: Failure = { kind: "situationChanged", changed };
    for (const { checked } of jobs) settle(checked, { kind: "notSent", failure });
    return refused(failure);
  }
  const readingMs = clock.monotonicMs() - startedAt.monotonicMs;
  const stamp: Stamp = (checked) => confirmed.stamp(checked, readingMs);
  return { kind: "given", ...confirmed, stamp, situation: now, spentMs: msSince(clock, startedAt), settle };
}

/** Whether a submit was stopped. */
export function isStopped({ signal, stop }: StopSignals): boolean {
  return signal?.aborted === true || stop?.aborted === true;
}

/** Returns the situation at this moment, from the point of view of a kind of change. */
export function situationOf(ports: SubmissionPorts, kind: ChangeKind): Situation {
  return readSituation(ports, ports.allowance.allowed(kind));
}

function refused(failure: Failure): Consent {
  return { kind: "refused", failure };
}

/** Reads the exchange's time where a change carries a deadline. Throws `CallError`: without it nothing is sent. */
async function readStamp(
  ports: SubmissionPorts,
  jobs: readonly Job[],
  { generation }: Situation,
  signals: StopSignals,
): Promise<Stamp> {
  if (jobs.every(({ checked }) => checked.intent.validForMs === undefined)) return (checked) => checked;
  return await readDeadlines(ports, { generation, signal: stoppingOf(signals) });
}

function stoppingOf({ signal, stop }: StopSignals): AbortSignal {
  return AbortSignal.any([signal, stop].filter((each) => each !== undefined));
}

/** Checks trades, prepares places, and looks at the situation again. Resolves to the reason where that fails. */
async function prepare(
  ports: SubmissionPorts,
  jobs: readonly Job[],
  { kind, first }: { readonly kind: ChangeKind; readonly first: Situation },
  signals: StopSignals,
): Promise<AskedChange | Failure> {
  const trades = kind.areTrades
    ? await (await import("./tradingPermission.ts")).checkTrades(tradePorts(ports, first, signals), tradesIn(jobs))
    : undefined;
  if (trades !== undefined && "kind" in trades) return trades;
  const situation = situationOf(ports, kind);
  // The permission may have been given just now. What it was compared with has to hold.
  const changed = changedSince({ ...first, tradingLimitUsd: trades?.limitUsd }, situation);
  if (changed !== undefined) return { kind: "situationChanged", changed };
  const noPlace = await preparePlaces(ports.placeFor, jobs);
  if (noPlace !== undefined) return noPlace;
  return {
    situation,
    unsized: unsizedIn(jobs, situation) ?? (trades?.isSizeUnknown === true ? "size" : undefined),
    trades,
  };
}

/** Returns what is not known of the requests of changes, so that it does not tell how large they are. */
function unsizedIn(jobs: readonly Job[], { environment }: Situation): Unsized | undefined {
  const unsized = environment === "simulator" ? [] : jobs.filter(({ checked }) => checked.isUnsized);
  if (unsized.length === 0) return undefined;
  return unsized.some(({ checked: { intent } }) => methodFacts(intent.method) === undefined) ? "method" : "parameter";
}

/** Counts the trades among changes toward the total, after their sizes were read again; undefined without trades. */
async function takeCounted(
  ports: SubmissionPorts,
  jobs: readonly Job[],
  { situation, trades }: Pick<AskedChange, "situation" | "trades">,
  signals: StopSignals,
): Promise<TakenTrades | Failure | undefined> {
  if (trades === undefined) return undefined;
  const { takeTrades } = await import("./tradingPermission.ts");
  const options = readOptions(situation.generation, signals, SEND_WITHIN_MS);
  const taken = await takeTrades(
    { ...tradePorts(ports, situation, signals), options },
    { trades: tradesIn(jobs), checked: trades },
  );
  return isStopped(signals) && !("kind" in taken) ? stoppedTrades(taken, jobs) : taken;
}

function stoppedTrades(taken: TakenTrades, jobs: readonly Job[]): Failure {
  const failure: Failure = { kind: "stopped", wasSent: false };
  for (const { checked } of jobs) taken.settle(checked, { kind: "notSent", failure });
  return failure;
}

/** What decides about trades is loaded with the first one. */
function tradePorts(
  { routes, allowance, allowTrading, settings }: SubmissionPorts,
  { environment, connectionName, generation }: Situation,
  signals: StopSignals,
): TradePorts & { readonly allowance: Allowance } {
  return {
    ...{ routes, allowance, allowTrading },
    setting: settings().allowTrading ?? "ask",
    place: environmentWords(environment, connectionName),
    options: readOptions(generation, signals),
    notOfferedCode: METHOD_NOT_FOUND,
  };
}

function tradesIn(jobs: readonly Job[]): readonly CheckedIntent[] {
  return jobs.map(({ checked }) => checked).filter(({ intent }) => isTrade(intent.method));
}

/** Returns the facts of a decision with the warnings about the changes, and the lines about the limits of trading. */
function withTold(input: PolicyInput, jobs: readonly Job[], trades: CheckedTrades | undefined): PolicyInput {
  const warnings = new Set(jobs.flatMap(({ checked }) => checked.warnings));
  return withLines(input, [...warnings], trades?.lines);
}

/** What a decision rests on at a moment. */
interface AskedChange {
  readonly situation: Situation;
  readonly unsized?: Unsized | undefined;
  readonly trades?: CheckedTrades | undefined;
}

function policyInput(
  ports: SubmissionPorts,
  { situation: { environment, connectionName, areChangesAllowed }, unsized }: AskedChange,
  jobs: readonly [Job, ...Job[]],
  describe: DescribeSeveral,
): PolicyInput {
  const [first, ...others] = jobs;
  const isSeveral = others.length > 0;
  return {
    intent: isSeveral
      ? {
          ...askedIntent(first),
          words: describe(jobs.map(askedIntent)),
          typed: String(jobs.length),
        }
      : askedIntent(first),
    effect: isSeveral ? "mass" : first.checked.effect,
    environment,
    connectionName,
    areChangesAllowed,
    areCancels: jobs.every(({ checked }) => isCancel(checked.intent.method)),
    areCancelsAllowed: ports.allowance.cancelsUntilMs !== undefined,
    unsized,
    settings: ports.settings(),
    isEarlierUnknown: jobs.some(({ isEarlierUnknown }) => isEarlierUnknown),
  };
}

/**
 * Returns the lines of the confirmation about what the exchange says would change: none for changes without a dry run.
 * Makes one read for each change that has one.
 */
async function dryRunDetail(
  { routes }: SubmissionPorts,
  jobs: readonly Job[],
  { generation }: Situation,
  signals: StopSignals,
): Promise<readonly Plain[]> {
  const intents = jobs
    .map(({ checked }) => checked.intent)
    .filter(({ method }) => methodFacts(method)?.dryRunParam !== undefined);
  if (intents.length === 0) return [];
  const options = readOptions(generation, signals);
  const lines = intents.map(async (intent) => {
    const dryRun = dryRunOf(intent);
    if (dryRun === undefined) return dryRunLines(undefined);
    const response = await routes.call(dryRun, options).catch(toFailure);
    return dryRunLines(outcomeOf(dryRun.method, "read", response));
  });
  return (await Promise.all(lines)).flat();
}

/** Returns the options of a read for a confirmation: with the signed-in session, until a stop. */
function readOptions(generation: number | undefined, signals: StopSignals, timeoutMs = READ_TIMEOUT_MS): CallOptions {
  const options: CallOptions = { timeoutMs, lane: "userRead", signal: stoppingOf(signals) };
  return generation === undefined ? options : { ...options, generation };
}

const READ_TIMEOUT_MS = 10_000;

/** Returns the facts of a decision with lines before and after the details of the confirmation. */
function withLines(input: PolicyInput, before: readonly Plain[], after: readonly Plain[] = []): PolicyInput {
  const { intent } = input;
  const detail = [...before, ...intent.words.detail, ...after];
  return { ...input, intent: { ...intent, words: { ...intent.words, detail } } };
}

/** Reads what the confirmation of a single change shows of it; undefined where nothing is read. */
function previewOf([first, ...others]: readonly Job[]): Promise<IntentPreview> | undefined {
  return others.length > 0 ? undefined : first?.checked.intent.preview?.();
}

/** Returns the confirmations with what was read for them. */
function shownQuestions(
  decided: readonly Question[],
  input: PolicyInput,
  { dryRun, preview }: { readonly dryRun: readonly Plain[]; readonly preview: IntentPreview | undefined },
): readonly Question[] {
  return dryRun.length === 0 && preview === undefined
    ? decided
    : questionsOf(withLines(withPreview(input, preview), dryRun));
}

/** Returns the facts of a decision with what was read about its change. A price beyond the band is typed. */
function withPreview(input: PolicyInput, preview: IntentPreview | undefined): PolicyInput {
  if (preview === undefined) return input;
  const { lines, sentence, beyondBand } = preview;
  const { intent } = withLines(input, lines);
  return {
    ...input,
    intent: {
      ...intent,
      ...(sentence === undefined ? {} : { words: { ...intent.words, sentence } }),
      ...(beyondBand === undefined ? {} : { isBlind: true, typed: beyondBand }),
    },
  };
}

function questionsOf(input: PolicyInput): readonly Question[] {
  const decision = decide(input);
  return decision.kind === "ask" ? decision.questions : [];
}

/* The dry run of a change: what the exchange says would change, shown before the change is confirmed. */

/**
 * Returns the dry run of a change: the same request, except for the parameter that makes it one. Undefined where the
 * method has none, or where the result would not certainly be a dry run.
 */
export function dryRunOf(intent: Intent): Intent | undefined {
  const { method, paramsText } = intent;
  const param = methodFacts(method)?.dryRunParam;
  if (param === undefined) return undefined;
  const dryRun = { ...intent, paramsText: withTrue(paramsText, param) };
  return effectOfCall(dryRun) === "read" ? dryRun : undefined;
}

/** Returns the parameters with one of them true; every other literal stays as it is. */
function withTrue(paramsText: string, param: string): string {
  const span = createJsonScanner({ members: [param], secrets: [] })(paramsText).members.get(param);
  return span === undefined
    ? withMembers(paramsText, { [param]: true })
    : `${paramsText.slice(0, span.start)}true${paramsText.slice(span.end)}`;
}

/**
 * Returns the lines of a confirmation about the margins before and after a change, from the outcome of its dry run;
 * undefined where there was none. Where the margins are unknown, the lines say so.
 */
export function dryRunLines(outcome: Outcome | undefined): readonly Plain[] {
  if (outcome?.kind === "rejected") {
    const { code, message } = outcome.failure;
    return [
      l10n.t(
        "The exchange refused the dry run with error {0} ({1}). Margins before and after are unknown.",
        code,
        plain.text(message, MAX_MESSAGE),
      ),
    ];
  }
  const rows = outcome?.kind === "confirmed" ? marginRows(outcome.response.result) : [];
  if (rows.length === 0)
    return [l10n.t("The exchange returned no usable dry run. Margins before and after are unknown.")];
  return [
    l10n.t("Dry run by the exchange, before → after:"),
    ...rows.slice(0, MAX_ROWS),
    ...(rows.length > MAX_ROWS ? [l10n.t("and {0} more", rows.length - MAX_ROWS)] : []),
  ];
}

const MAX_MESSAGE = 200;
/** More currencies than the exchange has. */
const MAX_ROWS = 20;

/**
 * Returns a line for each currency that has a figure.
 * https://docs.deribit.com/api-reference/account-management/private-change_margin_model
 */
function marginRows(result: unknown): readonly Plain[] {
  const rows: readonly unknown[] = Array.isArray(result) ? result : [result];
  return rows.filter(isObject).flatMap(({ currency, old_state: before, new_state: after }) => {
    const figures = FIGURES.flatMap((name) => [figureOf(before, name), figureOf(after, name)]);
    if (figures.every((figure) => figure === undefined)) return [];
    const [initial, newInitial, maintenance, newMaintenance, balance, newBalance] = figures.map(figureText);
    return [
      l10n.t(
        "{0}: initial margin rate {1} → {2}, maintenance margin rate {3} → {4}, available balance {5} → {6}",
        plain.name(typeof currency === "string" ? currency : undefined),
        initial ?? "",
        newInitial ?? "",
        maintenance ?? "",
        newMaintenance ?? "",
        balance ?? "",
        newBalance ?? "",
      ),
    ];
  });
}

const FIGURES = ["initial_margin_rate", "maintenance_margin_rate", "available_balance"] as const;

function figureOf(state: unknown, name: (typeof FIGURES)[number]): number | undefined {
  const figure = isObject(state) ? state[name] : undefined;
  return typeof figure === "number" ? figure : undefined;
}
