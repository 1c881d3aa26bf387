import type { Clock } from "../base/clock.ts";
import { toFailure, type Failure, refused } from "../base/failure.ts";
import type { Disposable, Event } from "../base/emitter.ts";
import type { Log } from "../base/log.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import type { Identity, Session } from "../session/session.ts";
import type { Environment } from "../state/records.ts";
import { createActivityList, type ActivityEntry, type ActivityList } from "./activity.ts";
import { createAllowance, tradingLimitUsd, type Allowance, type TradingStore } from "./allowance.ts";
import { checkedBefore, checkIntent, effectOfCall } from "./check.ts";
import { paramCheckFor } from "../catalogue/reference/paramChecks.ts";
import type { ElsewherePorts } from "./elsewhere.ts";
import type { Intent, IntentWords } from "./intent.ts";
import type { Journal } from "./journal.ts";
import { outcomeNote } from "./journalNotes.ts";
import { outcomeOf, type Outcome } from "./outcome.ts";
import { allowChangesQuestion, environmentWords, type SafetySettings } from "./policy.ts";
import type { Ask, AskCode, AskLimit, JointAsk } from "./question.ts";
import type { Reconciler } from "./reconcile.ts";
import type { RecordedIntent } from "./recordedIntents.ts";
import type { Routes } from "./route.ts";
import type { PrepareSecretPlace } from "./secretPlace.ts";
import { withSecondFactor } from "./secondFactor.ts";
import { changedSince, identityKey, readSituation, type Allowed } from "./situation.ts";
import { createVerification, type Verification } from "./verification.ts";
import { createWrites, keep, journalRecordOf } from "./writes.ts";

export type { ActivityEntry };

/**
 * The only way out for requests of the user. It checks the parameters, decides by effect and environment, and asks.
 * Then it looks whether the situation is still the confirmed one, journals, and sends once.
 */
export interface Gate {
  /**
   * Runs an intent to its outcome. Never throws; never sends more than one frame. The same write, submitted again while
   * the first is pending, joins it. A write on an object whose last outcome is unknown is refused, except another
   * cancel after a first look, which needs a confirmation.
   */
  submit(intent: Intent, options?: SubmitOptions): Promise<Outcome>;
  /**
   * Runs several intents with one confirmation for all that change something. Then each is one frame with one outcome,
   * in the order of the intents. `describe` makes the words of that confirmation from its intents: not those already
   * under way, or refused without asking. Never throws.
   */
  submitAll(
    intents: readonly Intent[],
    describe: (intents: readonly Intent[]) => IntentWords,
    options?: SubmitOptions,
  ): Promise<Outcome[]>;
  /** The intents of this window that change something, newest first: pending, settled, and what reading added. */
  readonly activity: readonly ActivityEntry[];
  readonly onDidChangeActivity: Event<ActivityEntry>;
  /**
   * The time until which all changes are allowed on production, in ms since the Unix epoch; undefined while read-only.
   */
  readonly changesAllowedUntilMs: number | undefined;
  /** The time until which only cancels are allowed on production, in ms since the Unix epoch. */
  readonly cancelsAllowedUntilMs: number | undefined;
  /**
   * The largest order in USD that may be sent; undefined while trading is not allowed, `Infinity` on the simulator.
   */
  readonly tradingLimitUsd: number | undefined;
  /** Fires when the permission to change something, or to trade, was given or ended here. */
  readonly onDidChangeAllowance: Event<void>;
  /** Asks and then allows changes on production for a while. Resolves to whether they are allowed. */
  allowChanges(): Promise<boolean>;
  makeReadOnly(): void;
  /**
   * Asks for the largest order and then allows trading until it is taken back. Resolves to whether trading is allowed.
   * Throws `refused` where the setting turns trading off.
   */
  allowTrading(): Promise<boolean>;
  /** Takes the permission to trade back. */
  disallowTrading(): Promise<void>;
  /** Looks again, for the user, at an entry whose outcome is unknown or unverified; resolves with the first verdict. */
  checkAgain(id: string): Promise<void>;
  /**
   * Reads the outcomes of intents of ended runs, newest first, and of this run's that an earlier session generation
   * left unproved. Asks for no confirmation. Leaves alone what an account other than the signed-in one has sent.
   */
  resume(intents: readonly RecordedIntent[]): void;
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

export interface GatePorts extends Pick<ElsewherePorts, "openElsewhere"> {
  readonly connectionId: string;
  /** Letters and digits that make the ids of intents differ from those of every other run. */
  readonly runId?: string | undefined;
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
  /** The permission to trade; left out, there is none but on the simulator. */
  readonly trading?: TradingStore;
  /** Prepares the place for a client secret that a request makes; left out, such a request is not sent. */
  readonly placeFor?: PrepareSecretPlace | undefined;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly settings: () => SafetySettings;
  /** Returns the reconciler that reads the outcome of an intent; undefined where it cannot be read. */
  readonly reconcilerOf: (intent: Intent) => Reconciler | undefined;
  readonly log: Log;
}

type CompletePorts = GatePorts & Required<Pick<GatePorts, "askCode">>;

const READ_TIMEOUT_MS = 10_000;

/** Makes the gate of one connection. */
export function createGate(given: GatePorts): Gate & Disposable {
  const ports: CompletePorts = { askCode: async () => await Promise.resolve(undefined), ...given };
  const { clock, log, session } = ports;
  const activity = createActivityList({ connectionId: ports.connectionId, runId: ports.runId, clock, log });
  const allowance = createAllowance({
    clock,
    session,
    log,
    windowMinutes: () => ports.settings().allowChangesMinutes,
    tradingLimitUsd: () => tradingLimitUsd(ports.environment(), ports.settings().allowTrading ?? "ask", ports.trading),
    keepTrading: ports.trading?.keep,
  });
  const verification = createVerification({
    caller: ports.routes,
    generation: () => session.caller.generation,
    clock,
    log,
    activity,
    reconcilerOf: ports.reconcilerOf,
    record: (write, result) => {
      const record = journalRecordOf(ports, write.entryId, write.checked, "atMs" in result ? "verdict" : "outcome");
      keep(ports, {
        ...record,
        ...("atMs" in result ? { result: result.kind, verdict: result } : outcomeNote(result)),
      });
    },
  });
  const { askLimit } = ports;
  const allowTrading = askLimit && (async () => await askForTrading(ports, allowance, askLimit));
  const writes = createWrites({ ...ports, activity, allowance, verification, allowTrading });
  const submitAll: Gate["submitAll"] = async (intents, describe, options = {}) => {
    const isRead = (intent: Intent): boolean => effectOfCall(intent) === "read";
    const changing = writes.submit(
      intents.filter((intent) => !isRead(intent)),
      describe,
      options,
    );
    const reading = Promise.all(intents.filter(isRead).map(async (intent) => await sendRead(ports, intent, options)));
    const [changed, read] = [(await changing).values(), (await reading).values()];
    return intents.flatMap((intent) => (isRead(intent) ? read : changed).next().value ?? []);
  };
  return {
    submit: async (intent, options) => (await submitAll([intent], () => intent.words, options))[0] ?? nothingSent(),
    submitAll,
    get activity() {
      return activity.entries;
    },
    onDidChangeActivity: activity.onDidChange,
    get changesAllowedUntilMs() {
      return allowance.untilMs;
    },
    get cancelsAllowedUntilMs() {
      return allowance.cancelsUntilMs;
    },
    onDidChangeAllowance: allowance.onDidChange,
    allowChanges: async () => await askToAllow(ports, allowance),
    makeReadOnly: () => allowance.end(),
    get tradingLimitUsd() {
      return allowance.tradingLimitUsd;
    },
    allowTrading: async () =>
      allowTrading === undefined ? allowance.tradingLimitUsd !== undefined : await allowTrading(),
    disallowTrading: async () => await allowance.allowTrading(undefined),
    checkAgain: async (id) => await verification.checkAgain(id),
    resume(intents) {
      for (const intent of intents) resumeOne(ports, { activity, verification }, intent);
    },
    dispose() {
      verification.dispose();
      allowance.dispose();
      activity.dispose();
    },
  };
}

function nothingSent(): Outcome {
  return { kind: "notSent", failure: { kind: "bug", detail: "an intent without an outcome" } };
}

/** Looks up again, where possible, an intent that stayed open when a session of this window ended. */
function resumeOne(
  ports: GatePorts,
  { activity, verification }: { readonly activity: ActivityList; readonly verification: Verification },
  past: RecordedIntent,
): void {
  const { clock, session, reconcilerOf } = ports;
  const { id, connectionId, method, paramsText, note, verdicts, outcome: kept } = past;
  if (session.state.status !== "ready" || note.server !== ports.server || !isSentBy(session.state.identity, past))
    return;
  const known = activity.find(id);
  if (known !== undefined) {
    if (reconcilerOf(known.intent) !== undefined) verification.lookAnew(id);
    return;
  }
  const { askedAtMs, action, target, sentence, targetId, covers, before } = note;
  const words: IntentWords = { action, target, ...(sentence === undefined ? {} : { sentence }), detail: [], keep: "" };
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
    { entryId: id, checked: checkedBefore(intent), wireId: undefined, sentAtMs, sentAtWallMs, identity: note.identity },
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
  ports: GatePorts,
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

async function askToAllow(ports: GatePorts, allowance: Allowance): Promise<boolean> {
  if (ports.environment() !== "production") return true;
  const asked = readSituation(ports, NOTHING_ALLOWED);
  if (asked.generation === undefined) return false;
  const question = allowChangesQuestion({ ...asked, settings: ports.settings() });
  const isYes = await ports.ask(question).catch(() => false);
  const changed = changedSince(asked, readSituation(ports, NOTHING_ALLOWED));
  if (isYes && changed === undefined) allowance.allow("changes");
  return allowance.untilMs !== undefined;
}

/** Asks for the largest order. What is asked of one account, or environment, is not allowed on another. */
async function askForTrading(ports: GatePorts, allowance: Allowance, askLimit: AskLimit): Promise<boolean> {
  if (ports.settings().allowTrading === "never")
    throw refused((await import("./tradingPermission.ts")).tradingOffText());
  if (ports.environment() === "simulator") return true;
  const asked = readSituation(ports, NOTHING_ALLOWED);
  if (asked.generation === undefined) return false;
  const place = environmentWords(asked.environment, asked.connectionName);
  const limitUsd = await askLimit({ place, presentUsd: allowance.tradingLimitUsd }).catch(() => undefined);
  const isSame = changedSince(asked, readSituation(ports, NOTHING_ALLOWED)) === undefined;
  if (limitUsd !== undefined && isSame) await allowance.allowTrading(limitUsd);
  return allowance.tradingLimitUsd !== undefined;
}
