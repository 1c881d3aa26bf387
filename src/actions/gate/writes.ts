import { toFailure, type Failure } from "../../base/failure.ts";
import { serviceOf } from "../../session/session.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import { aboutOf } from "../changes/changes.ts";
import { checkIntent, type CheckedIntent } from "../judge/check.ts";
import {
  isStopped,
  obtainConsent,
  situationOf,
  type Consent,
  type DescribeSeveral,
  type GivenConsent,
  type Job,
  type SubmissionPorts,
} from "./consent.ts";
import { targetsOpenInOtherWindows, isRoutedNow, lookLast } from "./lastLook.ts";
import type { GatePorts, SubmitOptions } from "./gatePorts.ts";
import { wishText, type Intent } from "../intent/intent.ts";
import { diskTroubleText, JOURNAL_SCHEMA, recordWithoutSecrets, type JournalRecord } from "../journal/journal.ts";
import { noteOf, outcomeNote } from "../journal/journalNotes.ts";
import { outcomeOf, perhapsRouted } from "../judge/responseOutcome.ts";
import { isolatedLeftText, withNote, type Outcome } from "../judge/outcome.ts";
import { environmentWords } from "../intent/connectionNames.ts";
import { withSecondFactor } from "../judge/secondFactor.ts";
import { placeUnexpected, settlePlace, type Placed } from "./secretPlace.ts";
import { createPlaces, openSendWindow, type Places, type SendWindow } from "./sendWindow.ts";
import { changedSince } from "../intent/situation.ts";
import { needsReading, type Earlier, type SentWrite, type Verification } from "./verification.ts";
import { paramCheckFor } from "../../catalogue/reference/paramChecks.ts";

/** What the writes of a connection need. */
interface WritePorts extends SubmissionPorts {
  readonly verification: Verification;
  /** The pending outcomes by write key: a second submit of the same write joins one. */
  readonly pending: Map<string, Promise<Outcome>>;
}

/**
 * The timeout of a write, in ms. Longer than that of a read: giving up early only makes unknown outcomes. Reliability
 * §2.1.
 */
const WRITE_TIMEOUT_MS = 15_000;

/** The longest time that a cancel waits for the journal, in ms. */
const JOURNAL_PATIENCE_MS = 50;

/**
 * The number of writes of one submit that are under way at a time: a stop then has something to stop, however many they
 * are.
 */
const UNDER_WAY = 50;

/**
 * Runs changes to their outcomes, in their order; with one confirmation when they are several: check, confirm, look
 * again, journal, send once, report the outcome. Never throws.
 */
export async function submitWrites(
  ports: WritePorts,
  intents: readonly Intent[],
  describe: DescribeSeveral,
  given: SubmitOptions,
): Promise<Outcome[]> {
  const { pending } = ports;
  const ending = new AbortController();
  const options = endedBy(ending.signal, given);
  const methods = intents.map(({ method }) => method);
  const checkParams = await paramCheckFor(methods, serviceOf(ports.session.state));
  const elsewhere = await targetsOpenInOtherWindows(ports, intents);
  const jobs: Job[] = [];
  let settle: (consent: Consent) => void = () => undefined;
  const consent = new Promise<Consent>((resolve) => {
    settle = resolve;
  });
  const places = createPlaces(options.goesOn === undefined ? UNDER_WAY : 1);
  const line = createPlaces(1);
  let doneCount = 0;
  const outcomes = intents.map(async (wanted) => {
    const intent = missesIsolated(ports, wanted) ? withIsolatedNote(wanted) : wanted;
    const checked = checkIntent(intent, ports.session.state, {
      ...{ checkParams, sendAnyway: false, market: ports.market },
    });
    if ("kind" in checked) return { kind: "notSent", failure: checked } satisfies Outcome;
    const joined = pending.get(checked.writeKey);
    if (joined !== undefined) return await joined;
    const earlier = ports.verification.earlierOn(checked.targetKey);
    const obstacle = earlierObstacle(checked, earlier);
    if (obstacle !== undefined) return { kind: "notSent", failure: obstacle } satisfies Outcome;
    const job: Job = {
      checked,
      isEarlierUnknown: earlier.state !== "none" || elsewhere.has(checked.targetKey),
    };
    jobs.push(job);
    const outcome = carryOut(ports, job, {
      consent,
      places,
      line,
      options,
      end: () => ending.abort(),
    })
      .then(async (each) => await settled(consent, checked, each))
      .finally(() => {
        pending.delete(checked.writeKey);
        options.onProgress?.(++doneCount, jobs.length);
      });
    pending.set(checked.writeKey, outcome);
    return await outcome;
  });
  const [first, ...others] = jobs;
  if (first !== undefined) {
    const obtained = await obtainConsent(ports, [first, ...others], describe, options);
    if (obtained.kind === "given") options.onProgress?.(0, jobs.length);
    settle(obtained);
  }
  return await Promise.all(outcomes);
}

/**
 * Returns the obstacle of an earlier unknown outcome: nothing else is done to its object, except another cancel after a
 * first look.
 */
function earlierObstacle({ effect }: CheckedIntent, earlier: Earlier): Failure | undefined {
  if (earlier.state === "none" || earlier.state === "mayRepeat") return undefined;
  if (earlier.state === "mayCancel" && effect === "reduce") return undefined;
  return {
    kind: "refused",
    reason: l10n.t(
      "The outcome of an earlier change is unknown and is being checked: {0}. Wait for the result.",
      plain.text(wishText(earlier.intent.words), MAX_WISH),
    ),
  };
}

const MAX_WISH = 300;

/** Whether a request for several orders leaves isolated ones open. */
function missesIsolated({ hasIsolated }: Pick<WritePorts, "hasIsolated">, { method }: Intent): boolean {
  return aboutOf(method) === "orders" && hasIsolated?.() === true;
}

function withIsolatedNote(intent: Intent): Intent {
  const { note = "" } = intent.words;
  const said = isolatedLeftText();
  return { ...intent, words: { ...intent.words, note: note === "" ? said : l10n.t("{0} {1}", note, said) } };
}

/** The common facts of the writes of one submit. */
interface Submit {
  readonly consent: Promise<Consent>;
  readonly places: Places;
  /** The queue of sends, the first one next. Those after it wait, and their time to be sent has not begun. */
  readonly line: Places;
  readonly options: SubmitOptions;
  /** Ends the changes that have not been let in yet. */
  readonly end: () => void;
}

/** Returns the options of a submit that this signal ends, too. */
function endedBy(signal: AbortSignal, options: SubmitOptions): SubmitOptions {
  return { ...options, stop: options.stop === undefined ? signal : AbortSignal.any([options.stop, signal]) };
}

/** Reports an outcome to the consent that it had. */
async function settled(consent: Promise<Consent>, checked: CheckedIntent, outcome: Outcome): Promise<Outcome> {
  const given = await consent;
  if (given.kind === "given") given.settle(checked, outcome);
  return outcome;
}

async function carryOut(
  ports: WritePorts,
  job: Job,
  { consent, places, line, options, end }: Submit,
): Promise<Outcome> {
  const entry = ports.activity.start(job.checked.intent, job.checked.targetId);
  const stop = async (failure: Failure): Promise<Outcome> => {
    const outcome: Outcome = { kind: "notSent", failure };
    ports.activity.update(entry.id, { outcome, phase: "done" });
    await job.place?.release();
    return outcome;
  };
  const given = await consent;
  if (given.kind === "refused") return await stop(given.failure);
  await places.take();
  try {
    const obstacle = obstacleAfterConsent(given, job.checked.intent, options);
    if (obstacle !== undefined) return await stop(obstacle);
    const checked = given.stamp(job.checked);
    if (checked !== job.checked) ports.activity.update(entry.id, { intent: checked.intent });
    const isSeen = ports.isSeen?.(checked) === true;
    const written = journalIntent(
      ports,
      {
        ...journalRecordOf(ports, entry.id, checked, "intent"),
        note: noteOf(ports, entry, checked, { situation: given.situation, isSeen }),
      },
      checked.effect,
    );
    ports.activity.update(entry.id, { phase: "sending" });
    await line.take();
    let isInLine = true;
    const leaveLine = (): void => {
      if (isInLine) line.free();
      isInLine = false;
    };
    try {
      const outcome = await sendOnce(ports, {
        entryId: entry.id,
        checked,
        isSeen,
        place: job.place,
        given,
        written,
        options,
        onSent: leaveLine,
      });
      if (!(await goesOnAfter(outcome, options))) end();
      return outcome;
    } finally {
      leaveLine();
    }
  } finally {
    places.free();
  }
}

/** Whether the next one of several may go out. Where that can't be told, it may not. */
async function goesOnAfter(outcome: Outcome, { goesOn }: SubmitOptions): Promise<boolean> {
  try {
    return goesOn === undefined || (await goesOn(outcome));
  } catch {
    return false;
  }
}

function obstacleAfterConsent(consent: GivenConsent, intent: Intent, options: SubmitOptions): Failure | undefined {
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
  readonly isSeen: boolean;
  readonly place: Placed["place"];
  readonly given: GivenConsent;
  /** Resolves to the reason why it may not be sent, as far as the journal is concerned. */
  readonly written: Promise<Failure | undefined>;
  readonly options: SubmitOptions;
  readonly onSent: () => void;
}

/**
 * Sends a write, as the only place that does. Makes one call, whatever comes back; after a challenge, which has changed
 * nothing, one more with its code.
 */
async function sendOnce(
  ports: WritePorts,
  { entryId, checked, isSeen, place, given, written, options, onSent }: Send,
): Promise<Outcome> {
  const { intent, effect, targetId, isDetailed, params } = checked;
  const { situation } = given;
  const { clock, activity } = ports;
  let wireId: number | undefined;
  const timesNow = (): Pick<SentWrite, "sentAtMs" | "sentAtWallMs"> => ({
    sentAtMs: clock.monotonicMs(),
    sentAtWallMs: clock.now(),
  });
  let sentAt = timesNow();
  const send = async (each: Intent): Promise<Outcome> => {
    const sent = new Set<number>();
    const window = windowFor(ports, given, each, options);
    const response = await responseOrFailure(async () => {
      const refusal = await window.during("journal", written);
      if (refusal !== undefined) return refusal;
      const changed = await window.during(
        "way",
        lookLast(ports, each, { generation: situation.generation, signal: window.signal }),
      );
      if (changed !== undefined) return changed;
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
            sentAt = timesNow();
            keep(ports, { ...journalRecordOf(ports, entryId, checked, "sent"), wireId: id });
          },
        }),
      );
    });
    window.dispose();
    // What was never handed to a link was not sent, whatever kept it back: the sign-in of another way, for one.
    if ("kind" in response && sent.size === 0) return { kind: "notSent", failure: response };
    const { before, isRouted = false } = intent;
    const expectations = { orderId: targetId, isDetailed, params, before, isRouted };
    const outcome = outcomeOf(intent.method, effect, response, expectations);
    if (outcome.kind === "confirmed" && missesIsolated(ports, intent)) return { ...outcome, isIsolatedLeft: true };
    const instrument = isRouted ? undefined : perhapsRouted(outcome);
    return instrument !== undefined && (await isRoutedNow(ports.market, instrument))
      ? outcomeOf(intent.method, effect, response, { ...expectations, isRouted: true })
      : outcome;
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
    plain`intent ${plain.text(entryId)}: ${plain.text(intent.method)} ${outcome.kind}${"failure" in outcome ? plain` ${describeFailure(outcome.failure)}` : ""}`,
  );
  keep(ports, { ...journalRecordOf(ports, entryId, checked, "outcome"), ...outcomeNote(outcome) });
  activity.update(entryId, { outcome, phase: needsReading(outcome, checked) ? "verifying" : "done" });
  const { generation, identity = "" } = situation;
  ports.verification.follow({ entryId, checked, isSeen, wireId, ...sentAt, identity, generation, place }, outcome);
  // What it has done is recorded by now, whatever becomes of the secret.
  if (place !== undefined) {
    await settlePlace(place, outcome);
    return outcome;
  }
  const lost = await placeUnexpected(ports.placeFor, intent, outcome);
  if (lost === undefined) return outcome;
  const told = withNote(outcome, lost);
  activity.update(entryId, { outcome: told });
  return told;
}

/** Returns the time in which it may be sent. A code that is typed after a challenge is a confirmation of its own. */
function windowFor(
  ports: WritePorts,
  given: GivenConsent,
  intent: Intent,
  { signal, stop }: SubmitOptions,
): SendWindow {
  const { clock, session, allowance } = ports;
  return openSendWindow({
    clock,
    spentMs: given.spentMs,
    signal,
    stop,
    obstacle() {
      if (session.state.status !== "ready") return { kind: "notConnected" };
      const changed = changedSince(given.situation, situationOf(ports, given));
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

function describeFailure(failure: Failure): Plain {
  return failure.kind === "exchange" ? plain`exchange ${failure.code}` : plain`${failure.kind}`;
}

/**
 * Writes the intent down before it is sent. A cancel goes on after a short while, even when the journal fails, because
 * a late cancel costs more than a missing line. Everything else does not go out without its line.
 */
async function journalIntent(
  ports: WritePorts,
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
export function keep(ports: Pick<GatePorts, "journal" | "log">, record: JournalRecord): void {
  void appended(ports, record);
}

/** Resolves to what went wrong, in words; undefined when the record was taken. */
async function appended(ports: Pick<GatePorts, "journal" | "log">, record: JournalRecord): Promise<Plain | undefined> {
  try {
    await ports.journal.append(recordWithoutSecrets(record));
    return undefined;
  } catch (thrown) {
    ports.log.error(
      plain`the journal did not take the record "${record.event}" of ${plain.text(record.intentId)}: ${plain.text(JSON.stringify(toFailure(thrown)))}`,
    );
    return diskTroubleText(thrown);
  }
}

/** Returns a line of the journal, stamped now. `keep` takes the secrets out of it. */
export function journalRecordOf(
  ports: Pick<GatePorts, "clock" | "connectionId">,
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
