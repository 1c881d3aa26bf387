import type { Failure } from "../base/failure.ts";
import { readRetryOf } from "../catalogue/errorCodes.ts";

/** Pauses before a failed reading is tried again; the last one repeats. */
const RETRY_PAUSES_MS = [1000, 3000, 30_000] as const;
const RATE_LIMIT_PAUSE_MS = 10_000;

/**
 * Over HTTP a lost connection is that of one request; a link that is lost ends what was read over it, and nobody asks.
 */
const PASSING: ReadonlySet<Failure["kind"]> = new Set(["timeout", "tooManyPending", "connectionLost", "cannotConnect"]);

/**
 * When a failed reading is worth another one without being asked, in ms; undefined when a person or a new link has to
 * come.
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
