import type { ActivityEntry } from "../actions/gate.ts";

/** What is under way on an order: sent and unanswered, being looked up, or answered by nobody. */
export type PendingChange = "sending" | "verifying" | "unknown";

/** What the gate's activity (newest first) says is under way on the orders of a connection, by order id. */
export function pendingOrders(activity: readonly ActivityEntry[], connectionId: string): ReadonlyMap<string, PendingChange> {
  const pending = new Map<string, PendingChange>();
  const settled = new Set<string>();
  for (const entry of activity) {
    if (entry.connectionId !== connectionId || entry.targetId === undefined || entry.phase === "asking") continue;
    if (pending.has(entry.targetId) || settled.has(entry.targetId)) continue;
    const change = pendingChangeOf(entry);
    if (change !== undefined) pending.set(entry.targetId, change);
    // What was not sent says nothing about what was sent before.
    else if (entry.outcome?.kind !== "notSent") settled.add(entry.targetId);
  }
  return pending;
}

function pendingChangeOf({ phase, outcome, verdicts }: ActivityEntry): PendingChange | undefined {
  if (phase === "sending" || phase === "verifying") return phase;
  if (outcome?.kind !== "unknown") return undefined;
  return verdicts.every((verdict) => verdict.kind === "unverified") ? "unknown" : undefined;
}
