import { hasOpenOutcome } from "../actions/journal/activity.ts";
import type { Gate } from "../actions/gate/gate.ts";
import type { Clock } from "../base/clock.ts";

/** The limits of the wait for writes whose outcome is unknown. */
export interface SettleLimits {
  /** Fires when nothing more is sent; the wait then ends `stoppedMs` later. */
  readonly stop: AbortSignal;
  readonly stoppedMs: number;
  /** Fires when nothing is waited for. */
  readonly stopWaiting: AbortSignal;
}

/**
 * The limit of the wait, in ms: a little more than reading the outcome of a write may take, and watching for a late
 * effect after that.
 */
const SETTLE_LIMIT_MS = 140_000;

/** Resolves once no outcome of a write is looked up any longer, or when the limits say so. */
export async function untilSettled(
  gate: Pick<Gate, "activity" | "onDidChangeActivity">,
  clock: Clock,
  { stop, stoppedMs, stopWaiting }: SettleLimits,
): Promise<void> {
  const isLooking = (): boolean =>
    gate.activity.some((entry) => entry.phase !== "done" && (entry.phase === "sending" || hasOpenOutcome(entry)));
  if (!isLooking() || stopWaiting.aborted) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      listener.dispose();
      for (const timer of timers) timer.dispose();
      stop.removeEventListener("abort", shorten);
      stopWaiting.removeEventListener("abort", end);
      resolve();
    };
    const shorten = (): void => void timers.push(clock.after(stoppedMs, end));
    const timers = [clock.after(SETTLE_LIMIT_MS, end)];
    const listener = gate.onDidChangeActivity(() => {
      if (!isLooking()) end();
    });
    stopWaiting.addEventListener("abort", end);
    if (stop.aborted) shorten();
    else stop.addEventListener("abort", shorten);
  });
}
