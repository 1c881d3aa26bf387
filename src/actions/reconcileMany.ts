import type { Clock } from "../base/clock.ts";
import { toFailure } from "../base/failure.ts";
import { parseObject } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import { withNumbers } from "../catalogue/problems.ts";
import { paramCheckFor } from "../catalogue/reference/paramChecks.ts";
import { toldBy } from "./changes/changes.ts";
import type { Intent } from "./intent.ts";
import { createReadBackReconciler } from "./readBack.ts";
import { readBackOf, type ReadBackPorts } from "./readBacks.ts";
import { concludeEarly, concludeRounds, timeOfLatest, type Finding, type Observation } from "./evidence.ts";
import { createOrderReads, isBarred, type OrderReads } from "./orderReads.ts";
import type { OrderVerdict, Verdict, VerdictOfOrder } from "./outcome.ts";
import { isAborted, pause, startBudget, troubleOf, waitForReady } from "./readiness.ts";
import {
  createCancelReconciler,
  SETTLE_MS,
  notReadText,
  stillOpenText,
  verdictOf,
  WATCH_PAUSES_MS,
  type Reconciler,
  type ReconcilerPorts,
  type ReconcileTask,
} from "./reconcile.ts";

/** Returns the reconcilers of a connection by request; undefined where no read shows the outcome. */
export function createReconcilers(ports: ReconcilerPorts & ReadBackPorts): (intent: Intent) => Reconciler | undefined {
  const one = createCancelReconciler(ports);
  const many = createCancelManyReconciler(ports);
  return ({ method, covers = [] }) => {
    const told = toldBy(method);
    if (told === "order") return one;
    if (told === "coveredOrders") return covers.length === 0 ? undefined : many;
    const readBack = readBackOf(told, ports);
    if (readBack === undefined) return undefined;
    const reconciler = createReadBackReconciler(ports, async (task) => await readBack(await asRead(task)));
    // A refused edit is explained by the state of its order, like a refused cancel.
    return told === "editedOrder" ? { ...reconciler, look: async (task) => await one.look(task) } : reconciler;
  };
}

/** Returns a task whose request has its numbers in quotes as numbers, so that they compare with what the server has. */
async function asRead(task: ReconcileTask): Promise<ReconcileTask> {
  const { method, paramsText } = task.intent;
  const params = parseObject(paramsText) ?? {};
  const read = withNumbers(params, (await paramCheckFor([method]))(method, params));
  return read === params ? task : { ...task, intent: { ...task.intent, paramsText: JSON.stringify(read) } };
}

/**
 * The time that reading is tried once the session is ready again, in ms; orders that are read one by one take longer.
 */
const BUDGET_MS = 60_000;
const BUDGET_PER_ORDER_MS = 100;

/**
 * Makes the reconciler of requests that cancel orders without naming them. Each round reads one list of the open
 * orders, then each of the missing orders itself. Orders that came afterwards do not count.
 */
function createCancelManyReconciler(ports: ReconcilerPorts): Reconciler {
  const reads = createOrderReads(ports);
  return {
    async verify(task) {
      const settled = await settle(ports, reads, task);
      if (task.signal.aborted) return;
      task.onVerdict(several(settled, false));
      const open = [...settled].filter(([, verdict]) => verdict.kind === "notApplied").map(([id]) => id);
      if (open.length > 0) await watch(ports, reads, { ...task, orderIds: open });
    },
    // It named no order whose state could explain the refusal.
    look: async () => await Promise.resolve(undefined),
  };
}

type Verdicts = ReadonlyMap<string, OrderVerdict>;
type Evidence = Map<string, Observation[]>;

function several(verdicts: Verdicts, isLate: boolean): Verdict {
  const orders: readonly VerdictOfOrder[] = [...verdicts].map(([orderId, verdict]) => ({ orderId, verdict }));
  // What has ended stays so; what was still open was so when it was asked for.
  const latestMs = Math.max(...orders.map(({ verdict }) => verdict.atMs));
  const openMs = orders.filter(({ verdict }) => verdict.kind === "notApplied").map(({ verdict }) => verdict.atMs);
  return { kind: "several", atMs: Math.min(latestMs, ...openMs), orders, isLate };
}

async function settle(ports: ReconcilerPorts, reads: OrderReads, task: ReconcileTask): Promise<Verdicts> {
  const { clock, session } = ports;
  const verdicts = new Map<string, OrderVerdict>();
  const evidence: Evidence = new Map(task.orderIds.map((id) => [id, []]));
  const budgetMs = BUDGET_MS + BUDGET_PER_ORDER_MS * task.orderIds.length;
  const budget = startBudget(task.signal, budgetMs);
  let dueMs = task.sentAtMs + SETTLE_MS;
  let reason = l10n.t("No response proved the outcome within {0} seconds.", Math.round(budgetMs / 1000));
  try {
    while (evidence.size > 0) {
      const trouble = await waitForReady(session, task.identity, budget.signal);
      if (trouble !== undefined) {
        reason = trouble;
        break;
      }
      budget.arm(clock);
      await pause(clock, Math.max(0, dueMs - clock.monotonicMs()), budget.signal);
      if (budget.signal.aborted) break;
      // Another account may have come while it waited: what that one sees says nothing of ours.
      if (troubleOf(session.state, task.identity) !== undefined) continue;
      const problem = await readRound(reads, {
        task,
        evidence,
        signal: budget.signal,
        isOurs: isOurs(ports, task),
        clock,
        onFinding: (id, finding, atMs) => void verdicts.set(id, verdictOf(finding, atMs, false)),
      });
      // From the response on: a reading may have waited for its turn.
      dueMs = clock.monotonicMs() + SETTLE_MS;
      if (problem !== "refused") continue;
      reason = l10n.t("This API key isn't allowed to read orders.");
      break;
    }
  } finally {
    budget.dispose();
  }
  for (const [id, seen] of evidence) {
    const finding = concludeEarly(seen);
    verdicts.set(
      id,
      finding === undefined
        ? { kind: "unverified", atMs: clock.now(), reason }
        : verdictOf(finding, timeOfLatest(seen, clock), false),
    );
  }
  return verdicts;
}

interface Round {
  readonly task: ReconcileTask;
  /** The evidence about the orders that are not settled; a settled order is removed. */
  readonly evidence: Evidence;
  readonly signal: AbortSignal;
  /** Whether the account that reads still is the one that sent the request. */
  readonly isOurs: () => boolean;
  readonly clock: Clock;
  /** Called with what was found of an order, and of which time that speaks. */
  readonly onFinding: (orderId: string, finding: Finding, atMs: number) => void;
}

function isOurs({ session }: ReconcilerPorts, { identity }: ReconcileTask): () => boolean {
  return () => troubleOf(session.state, identity) === undefined;
}

/** Reads one list, then the orders that are not in it. What fails is read in the next round. */
async function readRound(
  reads: OrderReads,
  { task, evidence, signal, isOurs: isStillOurs, clock, onFinding }: Round,
): Promise<"refused" | "failed" | undefined> {
  const listAskedAtMs = clock.now();
  try {
    const { states, isWhole } = await reads.readOpen();
    task.onRead();
    for (const [id, seen] of [...evidence]) {
      if (signal.aborted) return undefined;
      const state = states.get(id);
      if (state === undefined && !isStillOurs()) return "failed";
      if (state !== undefined || isWhole)
        seen.push({
          source: "list",
          finding: state === undefined ? { kind: "absent" } : { kind: "open", state },
          askedAtMs: listAskedAtMs,
        });
      if (state === undefined) await lookAtOrder(reads, { id, seen, signal, clock });
      const finding = concludeRounds(seen);
      if (finding === undefined) continue;
      evidence.delete(id);
      onFinding(id, finding, timeOfLatest(seen, clock));
    }
    return undefined;
  } catch (thrown) {
    return isBarred(toFailure(thrown)) ? "refused" : "failed";
  }
}

/** Reads one order. Where the server does not allow that, the list remains. */
async function lookAtOrder(
  reads: OrderReads,
  { id, seen, signal, clock }: Pick<Round, "signal" | "clock"> & { readonly id: string; readonly seen: Observation[] },
): Promise<void> {
  if (!reads.isSingleOffered) return;
  const singleAskedAtMs = clock.now();
  try {
    seen.push({ source: "single", finding: await reads.read("single", id, signal), askedAtMs: singleAskedAtMs });
  } catch (thrown) {
    if (!isBarred(toFailure(thrown))) throw thrown;
  }
}

/** Looks now and then, after "still open", whether orders ended late after all, and reports those that did. */
async function watch(ports: ReconcilerPorts, reads: OrderReads, task: ReconcileTask): Promise<void> {
  const evidence: Evidence = new Map(task.orderIds.map((id) => [id, []]));
  let isRead = false;
  for (const pauseMs of WATCH_PAUSES_MS) {
    await pause(ports.clock, pauseMs, task.signal);
    if (task.signal.aborted || evidence.size === 0) return;
    isRead = false;
    if (troubleOf(ports.session.state, task.identity) !== undefined) continue;
    const late = new Map<string, OrderVerdict>();
    const before = new Map([...evidence].map(([id, seen]) => [id, seen]));
    const problem = await readRound(reads, {
      task,
      evidence,
      signal: task.signal,
      isOurs: isOurs(ports, task),
      clock: ports.clock,
      onFinding(id, finding, atMs) {
        // Still open is what was said already: it stays under watch.
        if (finding.kind === "open") evidence.set(id, before.get(id) ?? []);
        else late.set(id, verdictOf(finding, atMs, true));
      },
    });
    isRead = problem === undefined;
    if (late.size > 0 && !isAborted(task.signal)) task.onVerdict(several(late, true));
  }
  if (evidence.size === 0 || isAborted(task.signal) || !isOurs(ports, task)()) return;
  const atMs = ports.clock.now();
  const verdicts = [...evidence].map(([id, seen]): readonly [string, OrderVerdict] => {
    const isOpen = isRead && seen.at(-1)?.finding.kind === "open";
    return [id, { kind: "unverified", atMs, reason: isOpen ? stillOpenText() : notReadText() }];
  });
  task.onVerdict(several(new Map(verdicts), true));
}
