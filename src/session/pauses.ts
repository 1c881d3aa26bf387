import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import type { Failure } from "../base/failure.ts";
import { SETTLEMENT_IN_PROGRESS, SYSTEM_MAINTENANCE, TOO_MANY_REQUESTS } from "../catalogue/codes.ts";
import type { Limiter } from "./limiter.ts";
import type { Lane, Pause } from "./session.ts";

/**
 * A hold on reads while the server reports an excess or a maintenance. When the time is over one call probes it; the
 * others follow only after its response.
 */
export interface Pauses extends Disposable {
  readonly present: Pause | undefined;
  /** Notes a response; `waitSeconds` where the error names a time. */
  noteResponse(code: number | undefined, waitSeconds: number | undefined): void;
  /**
   * Notes a call that ended without a response: if it was the probe, another one has to follow. Over HTTP a failure may
   * still name an error.
   */
  noteNoResponse(failure?: Failure): void;
}

const COOLDOWN_MS = 10_000;
/** The longest pause, in ms. The time of a pause is one of the wall clock, which may be set meanwhile. */
export const LONGEST_PAUSE_MS = 300_000;
/**
 * The interval of probes during a maintenance, in ms. A maintenance lasts minutes; one read in this time is enough to
 * see its end.
 */
const MAINTENANCE_PROBE_MS = 30_000;
/** The quiet time, in ms, after which the next cooldown counts as a first one. */
const DRAWING_PAUSE_MS = 60_000;

const REASONS: Readonly<Record<number, Pause["reason"]>> = {
  [TOO_MANY_REQUESTS]: "rateLimit",
  [SYSTEM_MAINTENANCE]: "maintenance",
  [SETTLEMENT_IN_PROGRESS]: "maintenance",
};

/** The lanes that wait. The user's changes never do: the limiter has kept their price, and a cancel is wanted now. */
const HELD: Readonly<Record<Pause["reason"], ReadonlySet<Lane>>> = {
  rateLimit: new Set(["userRead", "view"]),
  // Where one method does not work another may, and the user wants to see the response.
  maintenance: new Set(["view"]),
};

export function createPauses(clock: Clock, limiter: Limiter, onChange: (pause: Pause | undefined) => void): Pauses {
  let present: Pause | undefined;
  let timer: Disposable | undefined;
  let isTrying = false;
  let rounds = 0;
  let endedAtMs = -Infinity;
  let isDisposed = false;

  const end = (): void => {
    present = undefined;
    isTrying = false;
    endedAtMs = clock.monotonicMs();
    limiter.holdBack(undefined);
    onChange(undefined);
  };
  const tryOne = (): void => {
    timer = undefined;
    isTrying = true;
    if (!limiter.admitOne()) end();
  };
  const start = (reason: Pause["reason"], waitMs: number): void => {
    if (clock.monotonicMs() - endedAtMs > DRAWING_PAUSE_MS && present === undefined) rounds = 0;
    const usualMs =
      reason === "maintenance"
        ? MAINTENANCE_PROBE_MS
        : Math.min(LONGEST_PAUSE_MS, COOLDOWN_MS * 2 ** Math.min(rounds, 10));
    const pauseMs = Math.max(usualMs, Math.min(waitMs, LONGEST_PAUSE_MS));
    rounds++;
    isTrying = false;
    limiter.holdBack(HELD[reason]);
    timer = clock.after(pauseMs, tryOne);
    present = { reason, untilMs: clock.now() + pauseMs };
    onChange(present);
  };
  const noteResponse = (code: number | undefined, waitSeconds = 0): void => {
    // A response may be taken up only when its link has gone: the limiter is then that of another one.
    if (isDisposed) return;
    const reason = code === undefined ? undefined : REASONS[code];
    if (reason === undefined) {
      if (isTrying) end();
    } else if (present === undefined || isTrying) {
      // Calls that were sent together are refused together: that is one refusal.
      start(reason, waitSeconds * 1000);
    }
  };
  return {
    get present() {
      return present;
    },
    noteResponse,
    noteNoResponse(failure) {
      if (failure?.kind === "exchange") noteResponse(failure.code, failure.waitSeconds);
      else if (isTrying) tryOne();
    },
    dispose() {
      isDisposed = true;
      timer?.dispose();
      if (present !== undefined) limiter.holdBack(undefined);
      present = undefined;
      isTrying = false;
    },
  };
}
