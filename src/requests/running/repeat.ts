import type { Outcome } from "../../actions/outcome.ts";
import { retryPauseMs } from "../../state/readRetry.ts";

/**
 * How long to wait before a read is sent again that failed so, in ms; undefined where a repeat would end the same way.
 * `failedBefore` counts the repeats so far. A lost link is waited for like a response that did not come, and once one
 * was lost in this way, one that is not there yet.
 */
export function repeatPauseMs(outcome: Outcome, failedBefore: number): number | undefined {
  if (outcome.kind !== "rejected" && outcome.kind !== "failed" && outcome.kind !== "notSent") return undefined;
  const { failure } = outcome;
  const isLinkGone = failure.kind === "connectionLost" || (failure.kind === "notConnected" && failedBefore > 0);
  return retryPauseMs(isLinkGone ? { kind: "timeout", timeoutMs: 0 } : failure, failedBefore);
}
