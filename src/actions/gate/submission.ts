import { refused, toFailure, type Failure } from "../../base/failure.ts";
import type { Disposable } from "../../base/emitter.ts";
import { plain } from "../../base/plain.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import { serviceOf, type Identity } from "../../session/session.ts";
import { paramCheckFor } from "../../catalogue/reference/paramChecks.ts";
import { checkedBefore, checkIntent, effectOfCall } from "../judge/check.ts";
import type { Intent, IntentWords } from "../intent/intent.ts";
import { outcomeNote } from "../journal/journalNotes.ts";
import { outcomeOf } from "../judge/responseOutcome.ts";
import type { Outcome } from "../judge/outcome.ts";
import { environmentWords } from "../intent/connectionNames.ts";
import type { DescribeSeveral, SubmissionPorts } from "./consent.ts";
import type { SubmitOptions } from "./gatePorts.ts";
import { allowChangesQuestion } from "./policy.ts";
import type { AskLimit } from "../intent/question.ts";
import { createReconcilers } from "../proof/reconcileMany.ts";
import type { RecordedIntent } from "../journal/recordedIntents.ts";
import { withSecondFactor } from "../judge/secondFactor.ts";
import { changedSince, identityKey, readSituation, type Allowed } from "../intent/situation.ts";
import { createVerification, type Verification } from "./verification.ts";
import { journalRecordOf, keep, submitWrites } from "./writes.ts";
import { isRealMoney } from "../../state/records.ts";

/** All that the gate of a connection does. The gate itself only says what has been done and what is allowed. */
export interface Submission extends Disposable {
  /**
   * Runs several intents with one confirmation for all that change something. Then each is one frame with one outcome,
   * in the order of the intents. `describe` makes the words of that confirmation from its intents: not those already
   * under way, or refused without asking. Never throws.
   */
  submitAll(intents: readonly Intent[], describe: DescribeSeveral, options?: SubmitOptions): Promise<Outcome[]>;
  /** Asks and then allows changes on production for a while. Resolves to whether they are allowed. */
  allowChanges(): Promise<boolean>;
  /**
   * Asks for the limits and then allows trading until it is taken back. Resolves to whether trading is allowed. Throws
   * `refused` where the setting turns trading off.
   */
  allowTrading(): Promise<boolean>;
  /** Looks again, for the user, at an entry whose outcome is unknown or unverified; resolves with the first verdict. */
  checkAgain(id: string): Promise<void>;
  /**
   * Reads the outcomes of intents of ended runs, newest first, and of this run's that an earlier session generation
   * left unproved. Asks for no confirmation. Leaves alone what an account other than the signed-in one has sent.
   */
  resume(intents: readonly RecordedIntent[]): void;
}

const READ_TIMEOUT_MS = 10_000;

export function createSubmission(ports: SubmissionPorts): Submission {
  const { allowance, askLimit, connectionName, environment } = ports;
  const allowTrading = askLimit && (async () => await askForTrading(ports, askLimit));
  const verification = createVerification({
    ...ports,
    caller: ports.routes,
    generation: () => ports.session.caller.generation,
    reconcilerOf: createReconcilers({
      ...ports,
      askCode: async (sentence) =>
        await ports.askCode({ sentence, place: environmentWords(environment(), connectionName()) }),
    }),
    record: (write, result) => {
      const record = journalRecordOf(ports, write.entryId, write.checked, "atMs" in result ? "verdict" : "outcome");
      keep(ports, {
        ...record,
        ...("atMs" in result ? { result: result.kind, verdict: result } : outcomeNote(result)),
      });
    },
  });
  const pending = new Map<string, Promise<Outcome>>();
  return {
    async submitAll(intents, describe, options = {}) {
      const isRead = (intent: Intent): boolean => effectOfCall(intent) === "read";
      const changes = intents.filter((intent) => !isRead(intent));
      const changing = submitWrites({ ...ports, allowTrading, verification, pending }, changes, describe, options);
      const reading = Promise.all(intents.filter(isRead).map(async (intent) => await sendRead(ports, intent, options)));
      const [changed, read] = [(await changing).values(), (await reading).values()];
      return intents.flatMap((intent) => (isRead(intent) ? read : changed).next().value ?? []);
    },
    allowChanges: async () => await askToAllow(ports),
    allowTrading: async () => (allowTrading === undefined ? allowance.trading !== undefined : await allowTrading()),
    checkAgain: async (id) => await verification.checkAgain(id),
    resume: (intents) => intents.forEach((past) => resumeOne(ports, verification, past)),
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
async function sendRead(ports: SubmissionPorts, intent: Intent, options: SubmitOptions): Promise<Outcome> {
  const checkParams = await paramCheckFor([intent.method], serviceOf(ports.session.state));
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

async function askToAllow(ports: SubmissionPorts): Promise<boolean> {
  const { allowance } = ports;
  if (!isRealMoney(ports.environment())) return true;
  const asked = readSituation(ports, NOTHING_ALLOWED);
  if (asked.generation === undefined) return false;
  const question = allowChangesQuestion({ ...asked, settings: ports.settings() });
  const isYes = await ports.ask(question).catch(() => false);
  const changed = changedSince(asked, readSituation(ports, NOTHING_ALLOWED));
  if (isYes && changed === undefined) allowance.allow("changes");
  return allowance.untilMs !== undefined;
}

/** Asks for the limits of trading. What is asked of one account, or environment, is not allowed on another. */
async function askForTrading(ports: SubmissionPorts, askLimit: AskLimit): Promise<boolean> {
  const { allowance } = ports;
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
