import { toFailure, type Failure } from "../base/failure.ts";
import { readRetryOf } from "../catalogue/errorCodes.ts";

/** The pauses before a failed reading is tried again, in ms; the last one repeats. */
const RETRY_PAUSES_MS = [1000, 3000, 30_000] as const;
const RATE_LIMIT_PAUSE_MS = 10_000;

/**
 * The failures that pass. Over HTTP a lost connection is that of one request; a lost link ends what was read over it,
 * and nothing is retried.
 */
const PASSING: ReadonlySet<Failure["kind"]> = new Set(["timeout", "tooManyPending", "connectionLost", "cannotConnect"]);

/**
 * Returns the pause after which a failed reading is worth an automatic retry, in ms; undefined when the user or a new
 * link is needed.
 */
export function retryPauseMs(failure: Failure, failedBefore: number): number | undefined {
  const growing = RETRY_PAUSES_MS[Math.min(failedBefore, RETRY_PAUSES_MS.length - 1)];
  if (PASSING.has(failure.kind)) return growing;
  if (failure.kind !== "exchange") return undefined;
  switch (readRetryOf(failure.code)) {
    case "afterWait":
      return Math.max((failure.waitSeconds ?? 0) * 1000, RATE_LIMIT_PAUSE_MS);
    case "soon":
      return growing;
    case "reauthenticate":
    case "secondFactor":
    case "never":
      return undefined;
  }
}

/**
 * Returns the failure of a part of a reading that lasts: the server refuses it, or its result cannot be read. Throws
 * any other one, with which the whole reading is tried again.
 */
export function lastingFailure(thrown: unknown): Failure {
  const failure = toFailure(thrown);
  const isRefused = failure.kind === "exchange" && retryPauseMs(failure, 0) === undefined;
  if (!isRefused && failure.kind !== "unreadableResult") throw thrown;
  return failure;
}
