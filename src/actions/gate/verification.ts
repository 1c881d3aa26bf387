import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import type { Log } from "../../base/log.ts";
import { plain } from "../../base/plain.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import type { Caller } from "../../session/session.ts";
import { hasOpenOutcome, type ActivityList } from "../journal/activity.ts";
import { whyNotTold } from "../changes/changes.ts";
import type { CheckedIntent } from "../judge/check.ts";
import type { Intent } from "../intent/intent.ts";
import { outcomeOf } from "../judge/responseOutcome.ts";
import {
  areSettling,
  cancelledCount,
  isSettling,
  isWatched,
  verdictKey,
  type Outcome,
  type Verdict,
} from "../judge/outcome.ts";
import type { Reconciler } from "../proof/reconcile.ts";
import { settlePlace, type SecretPlace } from "./secretPlace.ts";

/** The check of a connection's writes whose response did not settle them. */
export interface Verification extends Disposable {
  /** Starts looking where the outcome asks for it; the entry must already carry the outcome. */
  follow(write: SentWrite, outcome: Outcome): void;
  /** Returns what an earlier write with an unknown outcome on the same object means for a further write, and which. */
  earlierOn(targetKey: string): Earlier;
  /** Looks again on behalf of the user, who may be asked for what that needs; resolves with the first verdict. */
  checkAgain(entryId: string): Promise<void>;
  /**
   * Looks again where the session has changed since the last look: an unprovable outcome is not looked up over and
   * over.
   */
  lookAnew(entryId: string): void;
}

/**
 * The state of an earlier write. `wait`: too early for anything. `mayCancel`: being checked. `mayRepeat`: checking has
 * ended without a result.
 */
export type Earlier =
  | { readonly state: "none" }
  | { readonly state: "wait" | "mayCancel" | "mayRepeat"; readonly intent: Intent };

/** A write that was handed to the link. */
export interface SentWrite {
  readonly entryId: string;
  readonly checked: CheckedIntent;
  /** Whether its object was seen on this account before the send. */
  readonly isSeen: boolean;
  /** The id on the wire; undefined when the failure came before it was known. */
  readonly wireId: number | undefined;
  /** The time of the send, on the monotonic clock. */
  readonly sentAtMs: number;
  /** The time of the send on the wall clock, in ms since the Unix epoch. */
  readonly sentAtWallMs: number;
  readonly identity: string;
  /** The generation that it was sent in; left out, one of an earlier run. */
  readonly generation?: number | undefined;
  /** The place of the client secret that its response has. */
  readonly place?: SecretPlace | undefined;
}

interface VerificationPorts {
  readonly caller: Pick<Caller, "onLateResponse">;
  /** Returns the generation of the session; undefined while it is not ready. */
  readonly generation: () => number | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly activity: ActivityList;
  readonly reconcilerOf: (intent: Intent) => Reconciler | undefined;
  /** Keeps an outcome that a late response brought, or a verdict. */
  readonly record: (write: SentWrite, result: Outcome | Verdict) => void;
}

interface Followed {
  readonly write: SentWrite;
  readonly unknownSinceMs: number;
  hasRead: boolean;
  /** Whether the user waits for the next verdict. */
  isAskedFor: boolean;
  /** The generation in which the last look ended. */
  lookedIn: number | undefined;
  /** The look that is under way. */
  run: { readonly controller: AbortController; readonly firstVerdict: Promise<void> } | undefined;
}

/**
 * The time after which another cancel may be tried although not even one read was answered, in ms. Reliability §2.3 b.
 */
const REPEAT_AFTER_MS = 10_000;

/** Whether the outcome of a write leaves something to be read. */
export function needsReading(outcome: Outcome, { intent: { covers }, effect }: CheckedIntent): boolean {
  // A number says how many, not which: where it is not that of the orders that were shown, it is looked which ones are
  // left.
  if (outcome.kind === "confirmed") return covers !== undefined && cancelledCount(outcome.response) !== covers.length;
  // What a changed object has become is said by the response itself.
  if (outcome.kind === "confirmedOther") return effect === "reduce" && !isFinalState(outcome.state);
  return outcome.kind === "unknown" || outcome.kind === "rejected";
}

function isFinalState(state: string): boolean {
  return state === "filled" || state === "rejected";
}

/** Makes the verification of a gate. */
export function createVerification(ports: VerificationPorts): Verification {
  const followed = new Map<string, Followed>();
  const lateListener = ports.caller.onLateResponse((response) => {
    const item = [...followed.values()].find((each) => each.write.wireId === response.wireId);
    if (item !== undefined) settleLate(ports, item, response);
  });
  return {
    follow(write, outcome) {
      for (const id of followed.keys()) if (ports.activity.find(id) === undefined) followed.delete(id);
      if (outcome.kind === "rejected") void lookOnce(ports, write);
      else if (needsReading(outcome, write.checked)) {
        const item: Followed = {
          write,
          unknownSinceMs: ports.clock.monotonicMs(),
          hasRead: false,
          isAskedFor: false,
          lookedIn: undefined,
          run: undefined,
        };
        followed.set(write.entryId, item);
        startVerifying(ports, item);
      }
    },
    earlierOn(targetKey) {
      const all = [...followed.values()].filter(
        (each) => each.write.checked.targetKey === targetKey && isUnsettled(ports, each),
      );
      const [first] = all;
      if (first === undefined) return { state: "none" };
      const { intent } = first.write.checked;
      if (
        all.some(
          (each) =>
            each.run !== undefined &&
            !each.hasRead &&
            ports.clock.monotonicMs() - each.unknownSinceMs < REPEAT_AFTER_MS,
        )
      )
        return { state: "wait", intent };
      return { state: all.some((each) => each.run !== undefined) ? "mayCancel" : "mayRepeat", intent };
    },
    async checkAgain(entryId) {
      const item = followed.get(entryId);
      const phase = ports.activity.find(entryId)?.phase;
      // What has left the list is shown nowhere: nothing waits for a verdict on it.
      if (item === undefined || phase === undefined) return;
      item.isAskedFor = true;
      if (phase !== "verifying") startVerifying(ports, item);
      await item.run?.firstVerdict;
    },
    lookAnew(entryId) {
      const item = followed.get(entryId);
      if (item === undefined || item.lookedIn === ports.generation()) return;
      if (ports.activity.find(entryId)?.phase === "done" && isUnsettled(ports, item)) startVerifying(ports, item);
    },
    dispose() {
      lateListener.dispose();
      for (const item of followed.values()) item.run?.controller.abort();
      followed.clear();
    },
  };
}

function isUnsettled(ports: VerificationPorts, item: Followed): boolean {
  const entry = ports.activity.find(item.write.entryId);
  return entry !== undefined && hasOpenOutcome(entry);
}

function startVerifying(ports: VerificationPorts, item: Followed): void {
  const { write } = item;
  item.run?.controller.abort();
  const { intent } = write.checked;
  const reconciler = ports.reconcilerOf(intent);
  if (reconciler === undefined) {
    const reason = whyNotTold(intent.method) ?? l10n.t("No request can check this outcome.");
    takeVerdict(ports, item, { kind: "unverified", atMs: ports.clock.now(), reason });
    return;
  }
  const controller = new AbortController();
  ports.activity.update(write.entryId, { phase: "verifying" });
  const firstVerdict = new Promise<void>((resolve) => {
    const task = {
      ...lookedUp(write),
      generation: write.generation,
      signal: controller.signal,
      mayAsk: () => item.isAskedFor,
      onRead: () => {
        item.hasRead = true;
      },
      onVerdict: (verdict: Verdict) => {
        takeVerdict(ports, item, verdict);
        resolve();
      },
    };
    void reconciler.verify(task).finally(() => {
      if (item.run?.controller === controller) endRun(ports, item);
      resolve();
    });
  });
  item.run = { controller, firstVerdict };
}

type LookedUp = Pick<
  Parameters<Reconciler["verify"]>[0],
  "intent" | "orderIds" | "isSeen" | "sentAtMs" | "sentAtWallMs" | "identity"
>;

/** Returns what a look needs to know of a write, with the orders that it was about. */
function lookedUp({ checked: { targetId, intent }, isSeen, sentAtMs, sentAtWallMs, identity }: SentWrite): LookedUp {
  const orderIds = targetId === undefined ? (intent.covers ?? []).map(({ orderId }) => orderId) : [targetId];
  return { intent, orderIds, isSeen, sentAtMs, sentAtWallMs, identity };
}

/** Looks up the object's state after a refusal, so that "already filled" can be said. */
async function lookOnce(ports: VerificationPorts, write: SentWrite): Promise<void> {
  const reconciler = ports.reconcilerOf(write.checked.intent);
  const task = {
    ...lookedUp(write),
    signal: new AbortController().signal,
    onRead: () => undefined,
    onVerdict: () => undefined,
  };
  const verdict = await reconciler?.look?.(task);
  if (verdict !== undefined) addVerdict(ports, write, verdict);
  ports.activity.update(write.entryId, { phase: "done" });
}

/** Keeps the result of a look, unless it adds nothing to what is known and the user has not asked. */
function takeVerdict(ports: VerificationPorts, item: Followed, verdict: Verdict): void {
  const { entryId } = item.write;
  const verdicts = ports.activity.find(entryId)?.verdicts ?? [];
  // A look that came to nothing takes back nothing that an earlier one has proved.
  const isTakingBack = !isSettling(verdict) && areSettling(verdicts);
  const isRepetition = !item.isAskedFor && verdicts.some((each) => verdictKey(each) === verdictKey(verdict));
  item.isAskedFor = false;
  item.lookedIn = ports.generation();
  if (!isTakingBack && !isRepetition) addVerdict(ports, item.write, verdict);
  // What is watched is not over: a late effect is still possible.
  if (isTakingBack || !isWatched(verdict)) ports.activity.update(entryId, { phase: "done" });
}

/** Ends a look, whether or not it has found something. */
function endRun(ports: VerificationPorts, item: Followed): void {
  item.run = undefined;
  if (ports.activity.find(item.write.entryId)?.phase === "verifying")
    ports.activity.update(item.write.entryId, { phase: "done" });
}

function addVerdict(ports: VerificationPorts, write: SentWrite, verdict: Verdict): void {
  ports.log.info(plain`intent ${plain.text(write.entryId)}: verdict ${verdict.kind}`);
  ports.record(write, verdict);
  ports.activity.addVerdict(write.entryId, verdict);
}

/** Takes the exchange's own response that came after the wait had ended. */
function settleLate(ports: VerificationPorts, item: Followed, response: MaskedResponse): void {
  const { write } = item;
  const entry = ports.activity.find(write.entryId);
  if (entry?.outcome?.kind !== "unknown") return;
  const { intent, effect, targetId, isDetailed, params } = write.checked;
  const { before, isRouted = false } = intent;
  const outcome = outcomeOf(intent.method, effect, response, {
    orderId: targetId,
    isDetailed,
    params,
    before,
    isRouted,
  });
  ports.log.info(plain`intent ${plain.text(write.entryId)}: late response, ${outcome.kind}`);
  if (write.place !== undefined) void settlePlace(write.place, outcome);
  if (outcome.kind === "unknown") return;
  const settled = entry.verdicts.findLast(isSettling);
  if (settled !== undefined) {
    const amendment = amendmentOf(outcome, settled, ports.clock.now());
    if (amendment === undefined) return;
    item.run?.controller.abort();
    addVerdict(ports, write, amendment);
    ports.activity.update(write.entryId, { phase: "done" });
    return;
  }
  item.run?.controller.abort();
  item.run = undefined;
  ports.record(write, outcome);
  const isUnsettled = needsReading(outcome, write.checked);
  ports.activity.update(write.entryId, { outcome, phase: isUnsettled ? "verifying" : "done" });
  if (outcome.kind === "rejected") void lookOnce(ports, write);
  else if (isUnsettled) startVerifying(ports, item);
}

/** Returns what a late response adds to a verdict; undefined when it says the same, or less. */
function amendmentOf(outcome: Outcome, settled: Verdict, atMs: number): Verdict | undefined {
  // What was found out about each order says more than a number.
  if (settled.kind === "several") return undefined;
  if (outcome.kind === "confirmed")
    return settled.kind === "applied" ? undefined : { kind: "applied", atMs, cause: undefined, isLate: true };
  if (outcome.kind !== "confirmedOther" || !isFinalState(outcome.state)) return undefined;
  return settled.kind === "other" && settled.state === outcome.state
    ? undefined
    : { kind: "other", atMs, state: outcome.state };
}
