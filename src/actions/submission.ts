import { toFailure, type Failure, refused } from "../base/failure.ts";
import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import type { Log } from "../base/log.ts";
import { plain } from "../base/plain.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import type { Identity, Session } from "../session/session.ts";
import type { Environment } from "../state/records.ts";
import { paramCheckFor } from "../catalogue/reference/paramChecks.ts";
import type { ActivityList } from "./activity.ts";
import type { Allowance } from "./allowance.ts";
import type { ElsewherePorts } from "./elsewhere.ts";
import { checkedBefore, checkIntent, effectOfCall, type CheckedIntent } from "./check.ts";
import type { Intent, IntentWords } from "./intent.ts";
import { outcomeNote } from "./journalNotes.ts";
import { outcomeOf } from "./changes/responseOutcome.ts";
import type { Outcome } from "./outcome.ts";
import type { Journal } from "./journal.ts";
import { environmentWords } from "./connectionNames.ts";
import { allowChangesQuestion, type SafetySettings } from "./policy.ts";
import type { Ask, AskCode, AskLimit, JointAsk } from "./question.ts";
import type { Reconciler } from "./reconcile.ts";
import type { RecordedIntent } from "./recordedIntents.ts";
import type { Routes } from "./route.ts";
import type { PrepareSecretPlace } from "./secretPlace.ts";
import { withSecondFactor } from "./secondFactor.ts";
import { changedSince, identityKey, readSituation, type Allowed } from "./situation.ts";
import { createVerification, type Verification } from "./verification.ts";
import type { ConsentPorts } from "./consent.ts";
import type { ReadableMarket } from "./lastLook.ts";
import type { LinkHolder } from "./tiedOrders.ts";
import { createWrites, keep, journalRecordOf } from "./writes.ts";

// Who makes a gate loads both together.
export { createReconcilers } from "./reconcileMany.ts";

/** All that the gate of a connection does. The gate itself only says what has been done and what is allowed. */
export interface Submission extends Disposable {
  /** Runs intents to their outcomes, as the gate does. */
  submitAll(
    intents: readonly Intent[],
    describe: (intents: readonly Intent[]) => IntentWords,
    options: SubmitOptions,
  ): Promise<Outcome[]>;
  /** Asks and then allows changes on production for a while. Resolves to whether they are allowed. */
  allowChanges(): Promise<boolean>;
  /** Asks for the limits and then allows trading. Resolves to whether trading is allowed. */
  allowTrading(): Promise<boolean>;
  /** Looks again, for the user, at an entry whose outcome is unknown; resolves with the first verdict. */
  checkAgain(id: string): Promise<void>;
  /** Looks up again, where possible, an intent that stayed open when a session of this window ended. */
  resume(past: RecordedIntent): void;
}

export interface SubmitOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Whether to send although the parameters break a rule; allowed for reads only. */
  readonly sendAnyway?: boolean;
  /**
   * A signal for several writes: nothing more is sent once it fires; the responses to sent writes are still waited for.
   */
  readonly stop?: AbortSignal;
  /**
   * Whether several writes go out one after another, each after the outcome of the one before, and end at the first
   * unknown outcome.
   */
  readonly endsAtUnknown?: true;
  /** The part in a confirmation that several connections share; left out, this connection asks on its own. */
  readonly ask?: JointAsk;
  /** Reports how many of several writes have an outcome; called with 0 on a yes to the confirmation. */
  readonly onProgress?: (done: number, all: number) => void;
}

export interface SubmissionPorts extends Pick<ElsewherePorts, "openElsewhere"> {
  readonly connectionId: string;
  readonly cancelOnDisconnect?: ConsentPorts["cancelOnDisconnect"];
  /** The holder of the connection (default: a window). */
  readonly holder?: LinkHolder | undefined;
  /** What is known of its orders and instruments; left out, nothing is. */
  readonly market?: ReadableMarket | undefined;
  /** The host and port of the exchange: what was sent to another one is not looked up here. */
  readonly server?: string | undefined;
  /** Returns the name; read when the user is asked, and again after it. */
  readonly connectionName: () => string;
  /** Returns the environment; read when the user is asked, and again after it. */
  readonly environment: () => Environment;
  readonly session: Pick<Session, "caller" | "state" | "onDidChangeState" | "budgets">;
  /** The routes of requests. */
  readonly routes: Pick<Routes, "call" | "onLateResponse">;
  /** Asks for one confirmation at a time, also when several gates ask. */
  readonly ask: Ask;
  /** Asks for the 2FA code, one confirmation at a time like `ask`; left out, it cannot be asked for. */
  readonly askCode?: AskCode;
  /** Asks the user to allow trading; if omitted, trades without the permission are refused. */
  readonly askLimit?: AskLimit | undefined;
  /** Prepares the place for a client secret that a request makes; left out, such a request is not sent. */
  readonly placeFor?: PrepareSecretPlace | undefined;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly settings: () => SafetySettings;
  readonly log: Log;
  readonly activity: ActivityList;
  readonly allowance: Allowance;
  /** Whether the account has isolated orders, which a mass cancel does not reach; left out, it has none. */
  readonly hasIsolated?: (() => boolean) | undefined;
  /** Whether the object of a change is known to exist, from a record of it; left out, none is. */
  readonly isSeen?: ((checked: CheckedIntent) => boolean) | undefined;
  /** Returns the reconciler that reads the outcome of an intent; undefined where it cannot be read. */
  readonly reconcilerOf: (intent: Intent) => Reconciler | undefined;
}

type CompletePorts = SubmissionPorts & Required<Pick<SubmissionPorts, "askCode">>;

const READ_TIMEOUT_MS = 10_000;

export function createSubmission(given: SubmissionPorts): Submission {
  const ports: CompletePorts = { askCode: async () => await Promise.resolve(undefined), ...given };
  const { allowance, askLimit, session } = ports;
  const verification = createVerification({
    ...ports,
    caller: ports.routes,
    generation: () => session.caller.generation,
    record: (write, result) => {
      const record = journalRecordOf(ports, write.entryId, write.checked, "atMs" in result ? "verdict" : "outcome");
      keep(ports, {
        ...record,
        ...("atMs" in result ? { result: result.kind, verdict: result } : outcomeNote(result)),
      });
    },
  });
  const allowTrading = askLimit && (async () => await askForTrading(ports, allowance, askLimit));
  const writes = createWrites({ ...ports, verification, allowTrading });
  return {
    async submitAll(intents, describe, options) {
      const isRead = (intent: Intent): boolean => effectOfCall(intent) === "read";
      const changing = writes.submit(
        intents.filter((intent) => !isRead(intent)),
        describe,
        options,
      );
      const reading = Promise.all(intents.filter(isRead).map(async (intent) => await sendRead(ports, intent, options)));
      const [changed, read] = [(await changing).values(), (await reading).values()];
      return intents.flatMap((intent) => (isRead(intent) ? read : changed).next().value ?? []);
    },
    allowChanges: async () => await askToAllow(ports, allowance),
    allowTrading: async () => (allowTrading === undefined ? allowance.trading !== undefined : await allowTrading()),
    checkAgain: async (id) => await verification.checkAgain(id),
    resume: (past) => resumeOne(ports, verification, past),
    dispose: () => verification.dispose(),
  };
}

/** Looks up an intent again. */
function resumeOne(ports: SubmissionPorts, verification: Verification, past: RecordedIntent): void {
  const { activity, clock, session } = ports;
  const { id, connectionId, method, paramsText, note, verdicts, outcome: kept } = past;
  if (session.state.status !== "ready" || note.server !== ports.server || !isSentBy(session.state.identity, past))
    return;
  const known = activity.find(id);
  if (known !== undefined) {
    verification.lookAnew(id);
    return;
  }
  const { askedAtMs, action, target, sentence, targetId, covers, before } = note;
  const words: IntentWords = {
    action: plain.text(action),
    target: plain.text(target),
    ...(sentence === undefined ? {} : { sentence: plain.text(sentence) }),
    detail: [],
    keep: "",
  };
  const intent: Intent = {
    method,
    paramsText,
    words,
    origin: "view",
    ...(covers === undefined ? {} : { covers }),
    ...(before === undefined ? {} : { before }),
  };
  const outcome: Outcome = { kind: "unknown", failure: kept?.failure ?? { kind: "programEnded" }, response: undefined };
  activity.restore({
    id,
    intent,
    connectionId,
    targetId,
    phase: "verifying",
    startedAtMs: askedAtMs,
    outcome,
    verdicts,
  });
  const sentAtWallMs = past.sentAtMs ?? past.writtenAtMs;
  const sentAtMs = clock.monotonicMs() - Math.max(0, clock.now() - sentAtWallMs);
  verification.follow(
    {
      entryId: id,
      checked: checkedBefore(intent),
      isSeen: note.isSeen === true,
      wireId: undefined,
      ...{ sentAtMs, sentAtWallMs },
      identity: note.identity,
    },
    outcome,
  );
}

/**
 * Whether an identity sent an intent. The key must be the same, and the account number where it is known; a token
 * without a name has only the number.
 */
function isSentBy(identity: Identity, { note }: RecordedIntent): boolean {
  const isKnown = note.userId !== undefined && identity.userId !== undefined;
  const isSameAccount = isKnown ? note.userId === identity.userId : identity.clientId !== undefined;
  return isSameAccount && identityKey(identity) === note.identity;
}

/** Sends a read. It changes nothing: no confirmation, list entry or journal line. */
async function sendRead(ports: CompletePorts, intent: Intent, options: SubmitOptions): Promise<Outcome> {
  const checkParams = await paramCheckFor([intent.method]);
  const checked = checkIntent(intent, ports.session.state, { checkParams, sendAnyway: options.sendAnyway === true });
  if ("kind" in checked) return { kind: "notSent", failure: checked };
  const { timeoutMs = READ_TIMEOUT_MS, signal } = options;
  const send = async (each: Intent): Promise<Outcome> => {
    const response = await responseOrFailure(ports, each, { timeoutMs, ...(signal === undefined ? {} : { signal }) });
    return outcomeOf(each.method, "read", response);
  };
  // Who has not started it would not know what the box is for, and it would keep every other question waiting.
  if (checked.intent.origin === "chat") return await send(checked.intent);
  return await withSecondFactor(
    checked.intent,
    send,
    async (sentence) =>
      await ports.askCode({ sentence, place: environmentWords(ports.environment(), ports.connectionName()) }),
  );
}

async function responseOrFailure(
  ports: SubmissionPorts,
  intent: Intent,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<MaskedResponse | Failure> {
  try {
    return await ports.routes.call(intent, { ...options, lane: "userRead" });
  } catch (thrown) {
    return toFailure(thrown);
  }
}

/** The permissions in a comparison of situations: they may change while the confirmation is open. */
const NOTHING_ALLOWED: Allowed = { areChangesAllowed: false, tradingLimitUsd: undefined };

async function askToAllow(ports: SubmissionPorts, allowance: Allowance): Promise<boolean> {
  if (ports.environment() !== "production") return true;
  const asked = readSituation(ports, NOTHING_ALLOWED);
  if (asked.generation === undefined) return false;
  const question = allowChangesQuestion({ ...asked, settings: ports.settings() });
  const isYes = await ports.ask(question).catch(() => false);
  const changed = changedSince(asked, readSituation(ports, NOTHING_ALLOWED));
  if (isYes && changed === undefined) allowance.allow("changes");
  return allowance.untilMs !== undefined;
}

/** Asks for the limits of trading. What is asked of one account, or environment, is not allowed on another. */
async function askForTrading(ports: SubmissionPorts, allowance: Allowance, askLimit: AskLimit): Promise<boolean> {
  if (ports.settings().allowTrading === "never")
    throw refused((await import("./tradingPermission.ts")).tradingOffText());
  if (ports.environment() === "simulator") return true;
  const asked = readSituation(ports, NOTHING_ALLOWED);
  if (asked.generation === undefined) return false;
  const place = environmentWords(asked.environment, asked.connectionName);
  const limits = await askLimit({ place, present: allowance.trading }).catch(() => undefined);
  const isSame = changedSince(asked, readSituation(ports, NOTHING_ALLOWED)) === undefined;
  if (limits !== undefined && isSame) await allowance.allowTrading(limits);
  return allowance.trading !== undefined;
}
