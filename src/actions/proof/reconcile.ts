import type { Clock } from "../../base/clock.ts";
import { toFailure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { concludeEarly, nextStep, timeOfLatest, type Finding, type Observation } from "./evidence.ts";
import type { Intent } from "../intent/intent.ts";
import { createOrderReads, isBarred, type OrderReads, type ReconcilerPorts } from "./orderReads.ts";
import type { OrderVerdict, Verdict } from "../judge/outcome.ts";
import { isAborted, pause, startBudget, troubleOf, waitForReady } from "./readiness.ts";

/** The read that proves the outcome of a write. Never sends anything that changes something. */
export interface Reconciler {
  /**
   * Reads until the outcome of the write is proved, and reports the verdict. After "not applied" it watches for a late
   * application; a second verdict says that it came, or that it is still unknown whether it will. Resolves when it
   * stops looking. Never throws.
   */
  verify(task: ReconcileTask): Promise<void>;
  /**
   * Reads once in which end state the object of a refused write is; undefined when it is in none, or cannot be read.
   * Left out where the refusal says that it is as it was. Never throws.
   */
  look?(task: ReconcileTask): Promise<Verdict | undefined>;
}

/** A write that was sent. */
export interface ReconcileTask {
  /** The request of the write. */
  readonly intent: Intent;
  /** The orders that it was about: one, or those that a request covers which names none. */
  readonly orderIds: readonly string[];
  /** Whether its object was seen on this account before the send: only then its absence means that it is gone. */
  readonly isSeen: boolean;
  /** The time of the send, on the monotonic clock. */
  readonly sentAtMs: number;
  /** The time of the send on the wall clock, in ms since the Unix epoch: the other one stands still during sleep. */
  readonly sentAtWallMs: number;
  /** The sender, as `identityKey` returns it. */
  readonly identity: string;
  /** The generation that it was sent in; left out, one of an earlier run. */
  readonly generation?: number | undefined;
  /** A signal that gives up without a verdict. */
  readonly signal: AbortSignal;
  /** Whether the user waits for the verdict, and may be asked for what reading needs; left out: not. */
  readonly mayAsk?: () => boolean;
  /** Called after each response to a read. */
  readonly onRead: () => void;
  readonly onVerdict: (verdict: Verdict) => void;
}

/**
 * The least distance between two reads that have to agree, and between the send and the first read, in ms. Reliability
 * §2.1.
 */
const SETTLE_MS = 3_000;
/** The time that reading is tried once the session is ready again, in ms. Reliability §2.1. */
export const BUDGET_MS = 60_000;
/** The pauses between the looks for a late application, in ms; together the minute of reliability §2.1 T_LATE. */
export const WATCH_PAUSES_MS = [5_000, 10_000, 15_000, 15_000, 15_000] as const;
/** The time of these looks together, in s. */
const WATCH_S = WATCH_PAUSES_MS.reduce((sum, pauseMs) => sum + pauseMs, 0) / 1000;

/** What a look says: the result, or the time of the next look, on the monotonic clock. */
type Looked<Result> = { readonly result: Result } | { readonly dueMs: number };

/**
 * Looks, well spaced, as the account that wrote, until there is a result or the budget is spent. `conclude` returns the
 * result without one: `trouble` says why the session can't be used any more.
 */
export async function lookUntilSettled<Result>(
  { clock, session }: ReconcilerPorts,
  task: ReconcileTask,
  budgetMs: number,
  {
    look,
    conclude,
  }: {
    readonly look: (signal: AbortSignal) => Promise<Looked<Result>>;
    readonly conclude: (trouble: Plain | undefined) => Result;
  },
): Promise<Result> {
  const budget = startBudget(task.signal, budgetMs);
  let dueMs = task.sentAtMs + SETTLE_MS;
  try {
    for (;;) {
      const trouble = await waitForReady(session, task.identity, budget.signal);
      if (trouble !== undefined) return conclude(trouble);
      budget.arm(clock);
      const waitMs = dueMs - clock.monotonicMs();
      if (waitMs > 0) await pause(clock, waitMs, budget.signal);
      if (budget.signal.aborted) return conclude(undefined);
      // Another account may have come while it waited: what that one sees says nothing of ours.
      if (troubleOf(session.state, task.identity) !== undefined) continue;
      const looked = await look(budget.signal);
      if ("result" in looked) return looked.result;
      ({ dueMs } = looked);
    }
  } finally {
    budget.dispose();
  }
}

/** Returns the time of the next look after a read whose response came now: it may have waited for its turn. */
export function afterRead(clock: Clock): { readonly dueMs: number } {
  return { dueMs: clock.monotonicMs() + SETTLE_MS };
}

/**
 * Looks now and then whether a change that did not show took effect late after all. `look` reports that itself, and
 * returns `over`; else why it proves nothing. Resolves to that of the last look, and to undefined where there is
 * nothing to add: it is over, given up, or there was no session to look with.
 */
export async function watch(
  { clock, session }: ReconcilerPorts,
  task: ReconcileTask,
  look: () => Promise<Plain | "over">,
): Promise<Plain | undefined> {
  let doubt = notReadText();
  for (const pauseMs of WATCH_PAUSES_MS) {
    await pause(clock, pauseMs, task.signal);
    if (task.signal.aborted) return undefined;
    doubt = notReadText();
    if (troubleOf(session.state, task.identity) !== undefined) continue;
    const looked = await look();
    if (looked === "over" || isAborted(task.signal)) return undefined;
    doubt = looked;
  }
  // Under another account, or without a session, there was nothing to look at.
  return troubleOf(session.state, task.identity) === undefined ? doubt : undefined;
}

/** Makes the reconciler of `private/cancel`. */
export function createCancelReconciler(ports: ReconcilerPorts): Required<Reconciler> {
  const reads = createOrderReads(ports);
  return {
    async verify(wide) {
      const task = singleOf(wide);
      const verdict = await settleOne(ports, reads, task);
      if (task.signal.aborted) return;
      task.onVerdict(verdict);
      if (verdict.kind === "notApplied") await watchOne(ports, reads, task);
    },
    async look(wide) {
      const task = singleOf(wide);
      if (troubleOf(ports.session.state, task.identity) !== undefined) return undefined;
      const askedAtMs = ports.clock.now();
      try {
        const own = reads.isSingleOffered ? await readSingle(reads, task.targetId, task.signal) : undefined;
        // What another account sees, which came meanwhile, says nothing of ours.
        if (troubleOf(ports.session.state, task.identity) !== undefined) return undefined;
        const finding =
          own === undefined || own.kind === "absent" ? await reads.read("list", task.targetId, task.signal) : own;
        // That it is still open is what the refusal said already. An order that was never seen is not gone.
        if (finding.kind === "open" || (finding.kind === "absent" && !task.isSeen)) return undefined;
        // An order that was cancelled before is not cancelled by the write that was refused.
        return finding.kind === "cancelled"
          ? { kind: "other", atMs: askedAtMs, state: "cancelled" }
          : verdictOf(finding, askedAtMs);
      } catch (thrown) {
        ports.log.debug(
          plain`order ${plain.text(task.targetId)} could not be read after a refusal: ${toFailure(thrown).kind}`,
        );
        return undefined;
      }
    },
  };
}

/** A cancel of one order. */
interface SingleTask extends ReconcileTask {
  readonly targetId: string;
}

function singleOf(task: ReconcileTask): SingleTask {
  return { ...task, targetId: task.orderIds[0] ?? "" };
}

/** Reads one order; undefined where the server does not allow that: the list remains. Throws `CallError`. */
async function readSingle(reads: OrderReads, id: string, signal: AbortSignal): Promise<Finding | undefined> {
  try {
    return await reads.read("single", id, signal);
  } catch (thrown) {
    if (isBarred(toFailure(thrown))) return undefined;
    throw thrown;
  }
}

/** Reads, well spaced, until something is proved or the budget is spent. */
async function settleOne(ports: ReconcilerPorts, reads: OrderReads, task: SingleTask): Promise<Verdict> {
  const { clock, log } = ports;
  const evidence: Observation[] = [];
  let readAtMs = task.sentAtMs;
  let notBeforeMs = 0;
  return await lookUntilSettled<Verdict>(ports, task, BUDGET_MS, {
    conclude: (trouble) => (trouble === undefined ? concluded(clock, evidence) : unverified(clock, trouble)),
    async look(signal) {
      const step = nextStep(evidence, reads.isSingleOffered);
      if (step.kind === "proved") {
        const atMs = timeOfLatest(evidence, clock);
        const isUnseen = step.finding.kind === "absent" && !wasThere(task, evidence);
        return {
          result: isUnseen ? { kind: "unverified", atMs, reason: neverSeenText() } : verdictOf(step.finding, atMs),
        };
      }
      if (step.isContradicted)
        log.warn(
          plain`order ${plain.text(task.targetId)}: its own state and the open orders contradict each other; reading once more`,
        );
      const dueMs = Math.max(notBeforeMs, step.isSpaced ? readAtMs + SETTLE_MS : 0);
      if (dueMs > clock.monotonicMs()) return { dueMs };
      const problem = await observe(reads, task, { clock, evidence, source: step.source, signal });
      if (problem === "refused")
        return { result: concluded(clock, evidence, l10n.t("This API key isn't allowed to read orders.")) };
      // Of the response: a read may have waited for its turn, and the next one must not follow on its heels.
      readAtMs = clock.monotonicMs();
      if (problem === "failed") notBeforeMs = readAtMs + SETTLE_MS;
      return { dueMs: notBeforeMs };
    },
  });
}

/** Makes one read and adds what it says. A single read that is not offered is not a problem: the list remains. */
export async function observe(
  reads: OrderReads,
  task: SingleTask,
  look: Pick<Observation, "source"> & {
    readonly clock: Clock;
    readonly evidence: Observation[];
    readonly signal: AbortSignal;
  },
): Promise<"refused" | "failed" | undefined> {
  const askedAtMs = look.clock.now();
  try {
    const finding = await reads.read(look.source, task.targetId, look.signal);
    look.evidence.push({ source: look.source, finding, askedAtMs });
    task.onRead();
    return undefined;
  } catch (thrown) {
    if (!isBarred(toFailure(thrown))) return "failed";
    return look.source === "list" ? "refused" : undefined;
  }
}

/** Whether the order is known to have been there. */
function wasThere({ isSeen }: SingleTask, evidence: readonly Observation[]): boolean {
  return isSeen || evidence.some(({ finding }) => finding.kind === "open");
}

function neverSeenText(): Plain {
  return l10n.t("The order isn't listed, but it wasn't seen before the request either, so this proves nothing.");
}

/** Watches, after "still open", whether the write was carried out late after all. */
async function watchOne(ports: ReconcilerPorts, reads: OrderReads, task: SingleTask): Promise<void> {
  const { clock } = ports;
  const evidence: Observation[] = [];
  const doubt = await watch(ports, task, async () => {
    const source = reads.isSingleOffered ? "single" : "list";
    const problem = await observe(reads, task, { clock, evidence, source, signal: task.signal });
    const [latest, before] = evidence.map((each) => each.finding).toReversed();
    if (latest !== undefined && hasEnded(latest, before) && !isAborted(task.signal)) {
      task.onVerdict(verdictOf(latest, timeOfLatest(evidence, clock), true));
      return "over";
    }
    return problem === undefined && latest?.kind === "open" ? stillOpenText() : notReadText();
  });
  if (doubt !== undefined) task.onVerdict(unverified(clock, doubt));
}

/** Whether the latest two findings show that the order has ended. Absence is believed the second time. */
function hasEnded(latest: Finding, before: Finding | undefined): boolean {
  return latest.kind === "absent" ? before?.kind === "absent" : latest.kind !== "open";
}

/** Returns why an order that stayed open proves nothing, as a sentence. */
export function stillOpenText(): Plain {
  return l10n.t("The order was still open after {0} s of watching, but a late cancel is still possible.", WATCH_S);
}

/** Returns why a watch whose last read showed nothing proves nothing, as a sentence. */
export function notReadText(): Plain {
  return l10n.t("The last read request didn't show the outcome. The change may have taken effect.");
}

/** Returns that nothing was proved within a time in ms, as a sentence. */
export function unprovedText(budgetMs: number): Plain {
  return l10n.t("No response proved the outcome within {0} seconds.", Math.round(budgetMs / 1000));
}

function concluded(clock: Clock, evidence: readonly Observation[], reason = unprovedText(BUDGET_MS)): Verdict {
  const finding = concludeEarly(evidence);
  return finding === undefined ? unverified(clock, reason) : verdictOf(finding, timeOfLatest(evidence, clock));
}

/** Returns why a watch proves nothing in which the change never showed, as a sentence. */
export function noEffectText(): Plain {
  return l10n.t("It had no effect after {0} s of watching, but it may still take effect.", WATCH_S);
}

/** Returns a finding as a verdict about the write. */
export function verdictOf(finding: Finding, atMs: number, isLate = false): OrderVerdict {
  const fill = "fill" in finding ? { fill: finding.fill } : {};
  switch (finding.kind) {
    case "cancelled":
      return { kind: "applied", atMs, cause: finding.cause, isLate, ...fill };
    case "open":
      return { kind: "notApplied", atMs, state: finding.state };
    case "ended":
      return { kind: "other", atMs, state: finding.state, ...fill };
    case "absent":
      return { kind: "gone", atMs };
  }
}

/** Returns the verdict that nothing was proved by now. */
export function unverified(clock: Clock, reason: string): OrderVerdict {
  return { kind: "unverified", atMs: clock.now(), reason };
}
