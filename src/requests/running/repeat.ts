import type { Outcome } from "../../actions/outcome.ts";
import { retryPauseMs } from "../../state/readRetry.ts";

/**
 * Returns the time to wait before a failed read is sent again, in ms. Undefined where a repeat would end the same way.
 * `failedBefore` counts the repeats so far. A lost link is waited for like a response that did not come. After one was
 * lost in this way, so is a link that is not there yet.
 */
export function repeatPauseMs(outcome: Outcome, failedBefore: number): number | undefined {
  if (outcome.kind !== "rejected" && outcome.kind !== "failed" && outcome.kind !== "notSent") return undefined;
  const { failure } = outcome;
  const isLinkGone = failure.kind === "connectionLost" || (failure.kind === "notConnected" && failedBefore > 0);
  return retryPauseMs(isLinkGone ? { kind: "timeout", timeoutMs: 0 } : failure, failedBefore);
}
