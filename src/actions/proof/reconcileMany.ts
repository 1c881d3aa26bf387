import { toFailure } from "../../base/failure.ts";
import { parseObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { withNumbers } from "../../catalogue/problems.ts";
import { paramCheckFor } from "../../catalogue/reference/paramChecks.ts";
import { toldBy } from "../changes/changes.ts";
import type { Intent } from "../intent/intent.ts";
import { createReadBackReconciler } from "./readBack.ts";
import { readBackOf, type ReadBackPorts } from "./readBacks.ts";
import { concludeEarly, concludeRounds, timeOfLatest, type Finding, type Observation } from "./evidence.ts";
import { createOrderReads, isBarred, type OrderReads, type ReconcilerPorts } from "./orderReads.ts";
import type { OrderVerdict, Verdict, VerdictOfOrder } from "../judge/outcome.ts";
import { isAborted, troubleOf } from "./readiness.ts";
import {
  afterRead,
  BUDGET_MS,
  createCancelReconciler,
  notReadText,
  observe,
  lookUntilSettled,
  stillOpenText,
  unprovedText,
  unverified,
  verdictOf,
  watch,
  type Reconciler,
  type ReconcileTask,
} from "./reconcile.ts";

/** Returns the reconcilers of a connection by request; undefined where no read shows the outcome. */
export function createReconcilers(ports: ReconcilerPorts & ReadBackPorts): (intent: Intent) => Reconciler | undefined {
  const one = createCancelReconciler(ports);
  const many = createCancelManyReconciler(ports);
  return (intent) => {
    const told = toldBy(intent);
    if (told === "order") return one;
    if (told === "coveredOrders") return many;
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

/** The further time that reading is tried for each order, in ms: they are read one by one. */
const BUDGET_PER_ORDER_MS = 100;

/**
 * Makes the reconciler of requests that cancel orders without naming them. Each round reads one list of the open
 * orders, then each of the missing orders itself. Orders that came afterwards do not count.
 */
function createCancelManyReconciler(ports: ReconcilerPorts): Reconciler {
  const reads = createOrderReads(ports);
  return {
    async verify(task) {
      const settled = await settleMany(ports, reads, task);
      if (task.signal.aborted) return;
      task.onVerdict(several(settled, false));
      const open = [...settled].filter(([, verdict]) => verdict.kind === "notApplied").map(([id]) => id);
      if (open.length > 0) await watchMany(ports, reads, { ...task, orderIds: open });
    },
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

async function settleMany(ports: ReconcilerPorts, reads: OrderReads, task: ReconcileTask): Promise<Verdicts> {
  const { clock } = ports;
  const verdicts = new Map<string, OrderVerdict>();
  const evidence: Evidence = new Map(task.orderIds.map((id) => [id, []]));
  const budgetMs = BUDGET_MS + BUDGET_PER_ORDER_MS * task.orderIds.length;
  const conclude = (reason: Plain): Verdicts => {
    for (const [id, seen] of evidence) {
      const finding = concludeEarly(seen);
      verdicts.set(
        id,
        finding === undefined ? unverified(clock, reason) : verdictOf(finding, timeOfLatest(seen, clock), false),
      );
    }
    return verdicts;
  };
  return await lookUntilSettled<Verdicts>(ports, task, budgetMs, {
    conclude: (trouble) => conclude(trouble ?? unprovedText(budgetMs)),
    async look(signal) {
      const problem = await readRound(ports, reads, {
        task,
        evidence,
        signal,
        onFinding: (id, finding, atMs) => void verdicts.set(id, verdictOf(finding, atMs, false)),
      });
      if (problem === "refused") return { result: conclude(l10n.t("This API key isn't allowed to read orders.")) };
      return evidence.size === 0 ? { result: verdicts } : afterRead(clock);
    },
  });
}

interface Round {
  readonly task: ReconcileTask;
  /** The evidence about the orders that are not settled; a settled order is removed. */
  readonly evidence: Evidence;
  readonly signal: AbortSignal;
  /** Called with what was found of an order, and of which time that speaks. */
  readonly onFinding: (orderId: string, finding: Finding, atMs: number) => void;
}

/** Reads one list, then the orders that are not in it. What fails is read in the next round. */
async function readRound(
  { clock, session }: ReconcilerPorts,
  reads: OrderReads,
  { task, evidence, signal, onFinding }: Round,
): Promise<"refused" | "failed" | undefined> {
  const listAskedAtMs = clock.now();
  try {
    const { states, isWhole } = await reads.readOpen(evidence.keys());
    task.onRead();
    for (const [id, seen] of [...evidence]) {
      if (signal.aborted) return undefined;
      const state = states.get(id);
      // What another account sees, which came meanwhile, says nothing of ours.
      if (state === undefined && troubleOf(session.state, task.identity) !== undefined) return "failed";
      if (state !== undefined || isWhole(id))
        seen.push({
          source: "list",
          finding: state === undefined ? { kind: "absent" } : { kind: "open", state },
          askedAtMs: listAskedAtMs,
        });
      const look = { clock, evidence: seen, source: "single", signal } as const;
      const isRead = state === undefined && reads.isSingleOffered;
      const problem = isRead ? await observe(reads, { ...task, targetId: id }, look) : undefined;
      if (problem !== undefined) return problem;
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

/** Watches, after "still open", whether orders ended late after all, and reports those that did. */
async function watchMany(ports: ReconcilerPorts, reads: OrderReads, task: ReconcileTask): Promise<void> {
  const { clock } = ports;
  const evidence: Evidence = new Map(task.orderIds.map((id) => [id, []]));
  const doubt = await watch(ports, task, async () => {
    const late = new Map<string, OrderVerdict>();
    const before = new Map(evidence);
    const problem = await readRound(ports, reads, {
      task,
      evidence,
      signal: task.signal,
      onFinding(id, finding, atMs) {
        // Still open is what was said already: it stays under watch.
        if (finding.kind === "open") evidence.set(id, before.get(id) ?? []);
        else late.set(id, verdictOf(finding, atMs, true));
      },
    });
    if (late.size > 0 && !isAborted(task.signal)) task.onVerdict(several(late, true));
    if (evidence.size === 0) return "over";
    return problem === undefined ? stillOpenText() : notReadText();
  });
  if (doubt === undefined) return;
  const verdicts = [...evidence].map(([id, seen]): readonly [string, OrderVerdict] => [
    id,
    unverified(clock, seen.at(-1)?.finding.kind === "open" ? doubt : notReadText()),
  ]);
  task.onVerdict(several(new Map(verdicts), true));
}
