import * as l10n from "@vscode/l10n";
import type { Clock } from "../base/clock.ts";
import { toFailure, type Failure } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import { plain } from "../base/plain.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import type { Session } from "../session/session.ts";
import type { ActivityList } from "./activity.ts";
import type { Allowance } from "./allowance.ts";
import { checkIntent, type CheckedIntent } from "./check.ts";
import { targetsOpenElsewhere, type ElsewherePorts } from "./elsewhere.ts";
import type { Intent, IntentWords } from "./intent.ts";
import { diskTroubleText, JOURNAL_SCHEMA, recordWithoutSecrets, type Journal, type JournalRecord } from "./journal.ts";
import { noteOf, outcomeNote } from "./journalNotes.ts";
import { outcomeOf, type Outcome } from "./outcome.ts";
import { decide, environmentWords, type PolicyInput, type SafetySettings } from "./policy.ts";
import type { Ask, AskCode } from "./question.ts";
import type { Routes } from "./route.ts";
import { withSecondFactor } from "./secondFactor.ts";
import { createPlaces, openSendWindow, type Places, type SendWindow } from "./sendWindow.ts";
import { changedSince, readSituation, type Situation, type SituationPorts } from "./situation.ts";
import { needsReading, type Verification } from "./verification.ts";
import { isCancel, methodFacts } from "../catalogue/index.ts";
import { paramCheckFor } from "../catalogue/reference/paramChecks.ts";

/**
 * The path of everything that changes something: check, confirm, look again, journal, send once, report the outcome.
 */
export interface Writes {
  /** Runs intents to their outcomes, in their order; with one confirmation when they are several. Never throws. */
  submit(intents: readonly Intent[], describe: DescribeSeveral, options: WriteOptions): Promise<Outcome[]>;
}

/** Makes the words for several intents at once. Called with those that will really be sent. */
export type DescribeSeveral = (intents: readonly Intent[]) => IntentWords;

export interface WriteOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly stop?: AbortSignal;
  readonly onProgress?: (done: number, all: number) => void;
}

export interface WritesPorts extends SituationPorts, Pick<ElsewherePorts, "openElsewhere"> {
  readonly server?: string | undefined;
  readonly connectionId: string;
  readonly session: Pick<Session, "state" | "caller" | "onDidChangeState" | "budgets">;
  readonly routes: Pick<Routes, "call">;
  readonly ask: Ask;
  readonly askCode: AskCode;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly settings: () => SafetySettings;
  readonly log: Log;
  readonly activity: ActivityList;
  readonly allowance: Allowance;
  readonly verification: Verification;
}

/**
 * The timeout of a write, in ms. Longer than that of a read: giving up early only makes unknown outcomes. Reliability
 * §2.1.
 */
const WRITE_TIMEOUT_MS = 15_000;

/** The longest time that a cancel waits for the journal, in ms. */
const JOURNAL_PATIENCE_MS = 50;

interface GivenConsent {
  readonly kind: "given";
  readonly wasAsked: boolean;
  /** The situation at the confirmation, from the point of view of these changes. */
  readonly situation: Situation;
  readonly areCancels: boolean;
}

type Consent = GivenConsent | { readonly kind: "refused"; readonly failure: Failure };

/**
 * The number of writes of one submit that are under way at a time: a stop then has something to stop, however many they
 * are.
 */
const UNDER_WAY = 50;

interface Job {
  readonly checked: CheckedIntent;
  readonly isEarlierUnknown: boolean;
}

/** Makes the writes of a connection. */
export function createWrites(ports: WritesPorts): Writes {
  /** The pending outcomes by write key: a second submit of the same write joins one. */
  const pending = new Map<string, Promise<Outcome>>();
  return {
    async submit(intents, describe, options) {
      const checkParams = await paramCheckFor(intents.map(({ method }) => method));
      const elsewhere = ports.openElsewhere === undefined ? undefined : await targetsOpenElsewhere(ports, intents);
      const jobs: Job[] = [];
      let settle: (consent: Consent) => void = () => undefined;
      const consent = new Promise<Consent>((resolve) => {
        settle = resolve;
      });
      const places = createPlaces(UNDER_WAY);
      const line = createPlaces(1);
      let doneCount = 0;
      const outcomes = intents.map(async (intent) => {
        const checked = checkIntent(intent, ports.session.state, { checkParams, sendAnyway: false });
        if ("kind" in checked) return { kind: "notSent", failure: checked } satisfies Outcome;
        const joined = pending.get(checked.writeKey);
        if (joined !== undefined) return await joined;
        const earlier = ports.verification.earlierOn(checked.targetKey);
        const obstacle = earlierObstacle(checked, earlier);
        if (obstacle !== undefined) return { kind: "notSent", failure: obstacle } satisfies Outcome;
        const job = { checked, isEarlierUnknown: earlier !== "none" || elsewhere?.has(checked.targetKey) === true };
        jobs.push(job);
        const outcome = carryOut(ports, job, { consent, places, line, options }).finally(() => {
          pending.delete(checked.writeKey);
          options.onProgress?.(++doneCount, jobs.length);
        });
        pending.set(checked.writeKey, outcome);
        return await outcome;
      });
      const [first] = jobs;
      if (first !== undefined) {
        const given = await obtainConsent(ports, first, jobs, { describe, options });
        if (given.kind === "given") options.onProgress?.(0, jobs.length);
        settle(given);
      }
      return await Promise.all(outcomes);
    },
  };
}

/**
 * Returns the obstacle of an earlier unknown outcome: nothing else is done to its object, except another cancel after a
 * first look.
 */
function earlierObstacle(checked: CheckedIntent, earlier: ReturnType<Verification["earlierOn"]>): Failure | undefined {
  if (earlier === "none" || earlier === "mayRepeat") return undefined;
  if (earlier === "mayCancel" && checked.effect === "reduce") return undefined;
  return {
    kind: "refused",
    reason: l10n.t(
      "The outcome of an earlier change to {0} is unknown and is being checked. Wait for the result.",
      plain.name(checked.intent.words.target),
    ),
  };
}

async function obtainConsent(
  ports: WritesPorts,
  first: Job,
  jobs: readonly Job[],
  { describe, options }: { readonly describe: DescribeSeveral; readonly options: WriteOptions },
): Promise<Consent> {
  try {
    const areCancels = jobs.every((job) => isCancel(job.checked.intent.method));
    const situation = situationOf(ports, areCancels);
    const isSeveral = jobs.length > 1;
    const intents = jobs.map((job) => job.checked.intent);
    const asked: PolicyInput = {
      intent: isSeveral
        ? { ...first.checked.intent, words: describe(intents), typed: String(jobs.length) }
        : first.checked.intent,
      effect: isSeveral ? "mass" : first.checked.effect,
      environment: situation.environment,
      connectionName: situation.connectionName,
      areChangesAllowed: situation.areChangesAllowed,
      areCancelsAllowed: ports.allowance.cancelsUntilMs !== undefined,
      settings: ports.settings(),
      isEarlierUnknown: jobs.some((job) => job.isEarlierUnknown),
    };
    const undetailed = decide(asked);
    const detail = undetailed.kind === "ask" ? await dryRunDetail(ports, intents, situation, options) : [];
    if (detail.length > 0) {
      if (isStopped(options)) return { kind: "refused", failure: { kind: "stopped", wasSent: false } };
      if (!isStillSo(situation, situationOf(ports, areCancels)))
        return { kind: "refused", failure: { kind: "situationChanged" } };
    }
    const decision = detail.length > 0 ? decide(withDetail(asked, detail)) : undetailed;
    if (decision.kind === "refuse") return { kind: "refused", failure: { kind: "refused", reason: decision.reason } };
    if (decision.kind === "send") return { kind: "given", wasAsked: false, situation, areCancels };
    for (const question of decision.questions) {
      if (!(await ports.ask(question))) return { kind: "refused", failure: { kind: "declined" } };
    }
    const changed = changedSince(situation, situationOf(ports, areCancels));
    if (changed !== undefined) return { kind: "refused", failure: { kind: "situationChanged", changed } };
    if (decision.allowsCancels) ports.allowance.allow("cancels");
    // What the yes has allowed belongs to it: it holds until it is taken back.
    return { kind: "given", wasAsked: true, situation: situationOf(ports, areCancels), areCancels };
  } catch (thrown) {
    ports.log.error(`a question could not be asked: ${JSON.stringify(toFailure(thrown))}`);
    return { kind: "refused", failure: toFailure(thrown) };
  }
}

/**
 * Returns the lines of the confirmation that say what changes would do, as far as the exchange can tell before: none for
 * changes without a dry run. Makes one read for each change that has one.
 */
async function dryRunDetail(
  ports: WritesPorts,
  intents: readonly Intent[],
  { generation }: Situation,
  { signal, stop }: WriteOptions,
): Promise<readonly string[]> {
  const foretold = intents.filter(({ method }) => methodFacts(method)?.dryRunParam !== undefined);
  if (foretold.length === 0) return [];
  const { dryRunLines, dryRunOf } = await import("./changes/dryRun.ts");
  const stopping = [signal, stop].filter((each) => each !== undefined);
  const lines = foretold.map(async (intent) => {
    const dryRun = dryRunOf(intent);
    if (dryRun === undefined) return dryRunLines(undefined);
    const response = await responseOrFailure(
      async () =>
        await ports.routes.call(dryRun, {
          timeoutMs: DRY_RUN_TIMEOUT_MS,
          lane: "userRead",
          signal: AbortSignal.any(stopping),
          ...(generation === undefined ? {} : { generation }),
        }),
    );
    return dryRunLines(outcomeOf(dryRun.method, "read", response));
  });
  return (await Promise.all(lines)).flat();
}

const DRY_RUN_TIMEOUT_MS = 10_000;

function withDetail(asked: PolicyInput, detail: readonly string[]): PolicyInput {
  const { intent } = asked;
  return { ...asked, intent: { ...intent, words: { ...intent.words, detail: [...detail, ...intent.words.detail] } } };
}

function isStopped({ signal, stop }: WriteOptions): boolean {
  return signal?.aborted === true || stop?.aborted === true;
}

function situationOf(ports: WritesPorts, areCancels: boolean): Situation {
  return readSituation(ports, ports.allowance.allows(areCancels));
}

/** The common facts of the writes of one submit. */
interface Submit {
  readonly consent: Promise<Consent>;
  readonly places: Places;
  /** The queue of sends, the first one next. Those after it wait, and their time to be sent has not begun. */
  readonly line: Places;
  readonly options: WriteOptions;
}

async function carryOut(ports: WritesPorts, job: Job, { consent, places, line, options }: Submit): Promise<Outcome> {
  const { intent, targetId } = job.checked;
  const entry = ports.activity.start(intent, targetId);
  const stop = (failure: Failure): Outcome => {
    const outcome: Outcome = { kind: "notSent", failure };
    ports.activity.update(entry.id, { outcome, phase: "done" });
    return outcome;
  };
  const given = await consent;
  if (given.kind === "refused") return stop(given.failure);
  await places.take();
  try {
    const obstacle = obstacleAfterConsent(given, intent, options);
    if (obstacle !== undefined) return stop(obstacle);
    const written = journalIntent(
      ports,
      {
        ...journalRecordOf(ports, entry.id, job.checked, "intent"),
        note: noteOf(ports, entry, job.checked, given.situation),
      },
      job.checked.effect,
    );
    ports.activity.update(entry.id, { phase: "sending" });
    await line.take();
    let isInLine = true;
    const leaveLine = (): void => {
      if (isInLine) line.free();
      isInLine = false;
    };
    try {
      return await sendOnce(ports, {
        entryId: entry.id,
        checked: job.checked,
        given,
        written,
        options,
        onSent: leaveLine,
      });
    } finally {
      leaveLine();
    }
  } finally {
    places.free();
  }
}

function obstacleAfterConsent(consent: GivenConsent, intent: Intent, options: WriteOptions): Failure | undefined {
  if (isStopped(options)) return { kind: "stopped", wasSent: false };
  if (!consent.wasAsked) return undefined;
  try {
    const changed = intent.changedObject?.();
    return changed === undefined ? undefined : { kind: "situationChanged", changed };
  } catch (thrown) {
    return toFailure(thrown);
  }
}

interface Send {
  readonly entryId: string;
  readonly checked: CheckedIntent;
  readonly given: GivenConsent;
  /** Resolves to the reason why it may not be sent, as far as the journal is concerned. */
  readonly written: Promise<Failure | undefined>;
  readonly options: WriteOptions;
  readonly onSent: () => void;
}

/**
 * Sends a write, as the only place that does. Makes one call, whatever comes back; after a challenge, which has changed
 * nothing, one more with its code.
 */
async function sendOnce(
  ports: WritesPorts,
  { entryId, checked, given, written, options, onSent }: Send,
): Promise<Outcome> {
  const { intent, effect, targetId, isDetailed, params } = checked;
  const { situation } = given;
  const { clock, activity } = ports;
  let wireId: number | undefined;
  let sentAtMs = clock.monotonicMs();
  const send = async (each: Intent): Promise<Outcome> => {
    const sent = new Set<number>();
    const window = windowFor(ports, given, each, options);
    const response = await responseOrFailure(async () => {
      const refusal = await window.during("journal", written);
      if (refusal !== undefined) return refusal;
      return await window.during(
        "way",
        ports.routes.call(each, {
          signal: window.signal,
          timeoutMs: options.timeoutMs ?? WRITE_TIMEOUT_MS,
          lane: "userWrite",
          ...(situation.generation === undefined ? {} : { generation: situation.generation }),
          onSend: (id) => {
            // Whatever it waited for took its time: whoever has made it read-only meanwhile must be able to rely on
            // that.
            window.pass();
            wireId = id;
            sent.add(id);
            onSent();
            sentAtMs = clock.monotonicMs();
            keep(ports, { ...journalRecordOf(ports, entryId, checked, "sent"), wireId: id });
          },
        }),
      );
    });
    window.dispose();
    // What was never handed to a link was not sent, whatever kept it back: the sign-in of another way, for one.
    if ("kind" in response && sent.size === 0) return { kind: "notSent", failure: response };
    return outcomeOf(intent.method, effect, response, { orderId: targetId, isDetailed, params });
  };
  const outcome = await withSecondFactor(intent, send, async (sentence) => {
    activity.update(entryId, { phase: "asking" });
    const code = await ports.askCode({
      sentence,
      place: environmentWords(situation.environment, situation.connectionName),
    });
    activity.update(entryId, { phase: "sending" });
    return code;
  });
  ports.log.info(
    `intent ${entryId}: ${intent.method} ${outcome.kind}${"failure" in outcome ? ` ${describeFailure(outcome.failure)}` : ""}`,
  );
  keep(ports, { ...journalRecordOf(ports, entryId, checked, "outcome"), ...outcomeNote(outcome) });
  activity.update(entryId, { outcome, phase: needsReading(outcome, checked) ? "verifying" : "done" });
  ports.verification.follow({ entryId, checked, wireId, sentAtMs, identity: situation.identity ?? "" }, outcome);
  return outcome;
}

/** Returns the time in which it may be sent. A code that is typed after a challenge is a confirmation of its own. */
function windowFor(
  ports: WritesPorts,
  given: GivenConsent,
  intent: Intent,
  { signal, stop }: WriteOptions,
): SendWindow {
  const { clock, session, allowance } = ports;
  return openSendWindow({
    clock,
    signal,
    stop,
    obstacle() {
      if (session.state.status !== "ready") return { kind: "notConnected" };
      const changed = changedSince(given.situation, situationOf(ports, given.areCancels));
      return changed === undefined ? obstacleAfterConsent(given, intent, {}) : { kind: "situationChanged", changed };
    },
    watch: (look) => [session.onDidChangeState(look), allowance.onDidChange(look)],
    budgets: () => session.budgets,
    isBesideOverHttp: intent.transport !== undefined && intent.transport !== "webSocket",
  });
}

async function responseOrFailure(call: () => Promise<MaskedResponse | Failure>): Promise<MaskedResponse | Failure> {
  try {
    return await call();
  } catch (thrown) {
    return toFailure(thrown);
  }
}

function describeFailure(failure: Failure): string {
  return failure.kind === "exchange" ? `exchange ${String(failure.code)}` : failure.kind;
}

/**
 * Writes the intent down before it is sent. A cancel goes on after a short while, even when the journal fails, because
 * a late cancel costs more than a missing line. Everything else does not go out without its line.
 */
async function journalIntent(
  ports: WritesPorts,
  record: JournalRecord,
  effect: CheckedIntent["effect"],
): Promise<Failure | undefined> {
  const written = appended(ports, record);
  if (effect !== "reduce") {
    const trouble = await written;
    return trouble === undefined
      ? undefined
      : {
          kind: "refused",
          reason: l10n.t("The change couldn't be recorded in Activity: {0}. Check the disk, then try again.", trouble),
        };
  }
  await new Promise<void>((resolve) => {
    const timer = ports.clock.after(JOURNAL_PATIENCE_MS, resolve);
    void written.then(() => {
      timer.dispose();
      resolve();
    });
  });
  return undefined;
}

/** Appends a record without waiting. */
export function keep(ports: JournalPorts, record: JournalRecord): void {
  void appended(ports, record);
}

type JournalPorts = Pick<WritesPorts, "journal" | "log">;

/** Resolves to what went wrong, in words; undefined when the record was taken. */
async function appended(ports: JournalPorts, record: JournalRecord): Promise<string | undefined> {
  try {
    await ports.journal.append(recordWithoutSecrets(record));
    return undefined;
  } catch (thrown) {
    ports.log.error(
      `the journal did not take the record "${record.event}" of ${record.intentId}: ${JSON.stringify(toFailure(thrown))}`,
    );
    return diskTroubleText(thrown);
  }
}

/** Returns a line of the journal, stamped now. `keep` takes the secrets out of it. */
export function journalRecordOf(
  ports: Pick<WritesPorts, "clock" | "connectionId">,
  intentId: string,
  checked: CheckedIntent,
  event: JournalRecord["event"],
): JournalRecord {
  const { method, paramsText } = checked.intent;
  return {
    schema: JOURNAL_SCHEMA,
    intentId,
    atMs: ports.clock.now(),
    connectionId: ports.connectionId,
    event,
    method,
    paramsText,
    result: undefined,
  };
}
