import type { ActivityEntry } from "../actions/activity.ts";
import { isSettling } from "../actions/outcome.ts";

/** What is under way on an order: sent and unanswered, being looked up, or answered by nobody. */
export type PendingChange = "sending" | "verifying" | "unknown";

/** What the gate's activity (newest first) says is under way on the orders of a connection, by order id. */
export function pendingOrders(activity: readonly ActivityEntry[], connectionId: string): ReadonlyMap<string, PendingChange> {
  const pending = new Map<string, PendingChange>();
  const settled = new Set<string>();
  for (const entry of activity) {
    if (entry.connectionId !== connectionId || entry.phase === "asking") continue;
    for (const { orderId, change } of changesOf(entry)) {
      if (pending.has(orderId) || settled.has(orderId)) continue;
      if (change !== undefined) pending.set(orderId, change);
      // What was not sent says nothing about what was sent before.
      else if (entry.outcome?.kind !== "notSent") settled.add(orderId);
    }
  }
  return pending;
}

interface OrderChange {
  readonly orderId: string;
  readonly change: PendingChange | undefined;
}

/** The order that a change names; else those that it covers without naming them. */
function changesOf(entry: ActivityEntry): readonly OrderChange[] {
  const change = pendingChangeOf(entry);
  if (entry.targetId !== undefined) return [{ orderId: entry.targetId, change }];
  const unverified = new Set(entry.verdicts.flatMap((verdict) => (verdict.kind === "several" ? verdict.orders.filter((each) => each.verdict.kind === "unverified").map((each) => each.orderId) : [])));
  const isChecked = entry.verdicts.some((verdict) => verdict.kind === "several");
  return (entry.intent.covers ?? []).map(({ orderId }) => ({ orderId, change: change === "unknown" && isChecked && !unverified.has(orderId) ? undefined : change }));
}

function pendingChangeOf({ phase, outcome, verdicts }: ActivityEntry): PendingChange | undefined {
  if (phase === "sending" || phase === "verifying") return phase;
  if (outcome?.kind !== "unknown") return undefined;
  return verdicts.some(isSettling) ? undefined : "unknown";
}
