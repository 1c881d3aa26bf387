import type { Clock } from "./clock.ts";

/** A clock that moves only by `advance`. */
interface ManualClock extends Clock {
  /** Moves the time. What is due runs in its order, and what it sends arrives before the next that is due. */
  advance(ms: number): Promise<void>;
}

/** Makes a clock that begins at a time in ms since the epoch. `nextTurn` lets sockets and promises have their turn. */
export function createManualClock(startMs: number, nextTurn: () => Promise<void>): ManualClock {
  const timers = new Set<{ readonly dueMs: number; readonly run: () => void }>();
  let elapsedMs = 0;
  const firstUntil = (untilMs: number) =>
    [...timers].filter(({ dueMs }) => dueMs <= untilMs).sort((one, other) => one.dueMs - other.dueMs)[0];
  return {
    now: () => startMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    after(delayMs, run) {
      const timer = { dueMs: elapsedMs + Math.max(0, delayMs), run };
      timers.add(timer);
      return { dispose: () => void timers.delete(timer) };
    },
    async advance(ms) {
      const untilMs = elapsedMs + ms;
      await nextTurn();
      for (let next = firstUntil(untilMs); next !== undefined; next = firstUntil(untilMs)) {
        timers.delete(next);
        elapsedMs = Math.max(elapsedMs, next.dueMs);
        next.run();
        await nextTurn();
      }
      elapsedMs = untilMs;
    },
  };
}
