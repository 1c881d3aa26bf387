import type { Clock } from "../base/clock.ts";
import { toFailure } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import type { Log } from "../base/log.ts";
import { plain, type Plain } from "../base/plain.ts";
import type { Session } from "../session/session.ts";
import { concludeEarly, nextStep, timeOfLatest, type Finding, type Observation } from "./evidence.ts";
import type { Intent } from "./intent.ts";
import { createOrderReads, isBarred, type OrderReads } from "./orderReads.ts";
import type { OrderVerdict, Verdict } from "./outcome.ts";
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
   * Never throws.
   */
  look(task: ReconcileTask): Promise<Verdict | undefined>;
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

export interface ReconcilerPorts {
  readonly session: Pick<Session, "state" | "onDidChangeState" | "reader">;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the account has isolated orders, which no read of it lists; left out, it has none. */
  readonly hasIsolated?: (() => boolean) | undefined;
}

/**
 * The least distance between two reads that have to agree, and between the send and the first read, in ms. Reliability
 * §2.1.
 */
export const SETTLE_MS = 3_000;
/** The time that reading is tried once the session is ready again, in ms. */
const BUDGET_MS = 60_000;
/** The pauses between the looks for a late application, in ms; together the minute of reliability §2.1 T_LATE. */
export const WATCH_PAUSES_MS = [5_000, 10_000, 15_000, 15_000, 15_000] as const;
/** The time of these looks together, in s. */
export const WATCH_S = WATCH_PAUSES_MS.reduce((sum, pauseMs) => sum + pauseMs, 0) / 1000;

/** Makes the reconciler of `private/cancel`. */
export function createCancelReconciler(ports: ReconcilerPorts): Reconciler {
  const reads = createOrderReads(ports);
  return {
    async verify(wide) {
      const task = singleOf(wide);
      const verdict = await settle(ports, reads, task);
      if (task.signal.aborted) return;
      task.onVerdict(verdict);
      if (verdict.kind === "notApplied") await watch(ports, reads, task);
    },
    async look(wide) {
      const task = singleOf(wide);
      if (troubleOf(ports.session.state, task.identity) !== undefined) return undefined;
      const askedAtMs = ports.clock.now();
      try {
        const own = reads.isSingleOffered ? await lookAtOrder(reads, task) : undefined;
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

async function lookAtOrder(reads: OrderReads, task: SingleTask): Promise<Finding | undefined> {
  try {
    return await reads.read("single", task.targetId, task.signal);
  } catch (thrown) {
    if (isBarred(toFailure(thrown))) return undefined;
    throw thrown;
  }
}

/** Reads, well spaced, until something is proved or the budget is spent. */
async function settle(ports: ReconcilerPorts, reads: OrderReads, task: SingleTask): Promise<Verdict> {
  const { clock, log } = ports;
  const evidence: Observation[] = [];
  const budget = startBudget(task.signal, BUDGET_MS);
  let readAtMs = task.sentAtMs;
  let notBeforeMs = task.sentAtMs + SETTLE_MS;
  try {
    for (;;) {
      const trouble = await waitForReady(ports.session, task.identity, budget.signal);
      if (trouble !== undefined) return unverified(clock, trouble);
      budget.arm(clock);
      if (budget.signal.aborted) return concluded(clock, evidence);
      const step = nextStep(evidence, reads.isSingleOffered);
      if (step.kind === "proved") {
        const atMs = timeOfLatest(evidence, clock);
        return step.finding.kind === "absent" && !wasThere(task, evidence)
          ? { kind: "unverified", atMs, reason: neverSeenText() }
          : verdictOf(step.finding, atMs);
      }
      if (step.isContradicted)
        log.warn(
          plain`order ${plain.text(task.targetId)}: its own state and the open orders contradict each other; reading once more`,
        );
      const dueMs = Math.max(notBeforeMs, step.isSpaced ? readAtMs + SETTLE_MS : 0);
      if (dueMs > clock.monotonicMs()) {
        await pause(clock, dueMs - clock.monotonicMs(), budget.signal);
        continue;
      }
      const problem = await observe(reads, task, { clock, evidence, source: step.source, signal: budget.signal });
      // Of the response: a read may have waited for its turn, and the next one must not follow on its heels.
      readAtMs = clock.monotonicMs();
      if (problem === "refused")
        return concluded(clock, evidence, l10n.t("This API key isn't allowed to read orders."));
      if (problem === "failed") notBeforeMs = clock.monotonicMs() + SETTLE_MS;
    }
  } finally {
    budget.dispose();
  }
}

interface Look {
  readonly clock: Clock;
  readonly evidence: Observation[];
  readonly source: Observation["source"];
  readonly signal: AbortSignal;
}

/** Makes one read and adds what it says. A single read that is not offered is not a problem: the list remains. */
async function observe(reads: OrderReads, task: SingleTask, look: Look): Promise<"refused" | "failed" | undefined> {
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

/** Looks now and then, after "still open", whether the write was carried out late after all. */
async function watch(ports: ReconcilerPorts, reads: OrderReads, task: SingleTask): Promise<void> {
  const { clock, session } = ports;
  const evidence: Observation[] = [];
  // What the last look showed; undefined where it failed.
  let last: Finding | undefined;
  for (const pauseMs of WATCH_PAUSES_MS) {
    await pause(clock, pauseMs, task.signal);
    if (task.signal.aborted) return;
    last = undefined;
    if (troubleOf(session.state, task.identity) !== undefined) continue;
    const source = reads.isSingleOffered ? "single" : "list";
    const problem = await observe(reads, task, { clock, evidence, source, signal: task.signal });
    const [latest, before] = evidence.map((each) => each.finding).toReversed();
    if (problem === undefined) last = latest;
    if (latest === undefined || !hasEnded(latest, before) || isAborted(task.signal)) continue;
    task.onVerdict(verdictOf(latest, timeOfLatest(evidence, clock), true));
    return;
  }
  // Under another account, or without a session, there was nothing to look at.
  if (troubleOf(session.state, task.identity) === undefined)
    task.onVerdict(unverified(clock, last?.kind === "open" ? stillOpenText() : notReadText()));
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

function concluded(
  clock: Clock,
  evidence: readonly Observation[],
  reason = l10n.t("No response proved the outcome within 60 seconds."),
): Verdict {
  const finding = concludeEarly(evidence);
  return finding === undefined ? unverified(clock, reason) : verdictOf(finding, timeOfLatest(evidence, clock));
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

function unverified(clock: Clock, reason: string): OrderVerdict {
  return { kind: "unverified", atMs: clock.now(), reason };
}
