import type { Clock } from "../src/base/clock.ts";

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Moves the time, running what is due in order and letting promises settle in between. */
  advance(ms: number): Promise<void>;
  /** Lets promises settle without moving the time. */
  settle(): Promise<void>;
  /**
   * Time passes and nothing runs: the computer sleeps. `stops`: the monotonic clock stands still meanwhile, as on Linux
   * and macOS; otherwise what is due runs at the next move.
   */
  sleep(ms: number, monotonic?: "stops" | "runs"): void;
  /** The wall clock is put forward or back. */
  shiftWall(ms: number): void;
  /** Timers that are armed; 0 once everything has been disposed. */
  readonly pendingTimers: number;
  /** How long until the first of them is due; undefined without any. */
  readonly nextTimerMs: number | undefined;
}

/** Starts at a fixed instant, so that texts with times can be compared. */
export function createFakeClock(startMs = Date.UTC(2026, 10, 20, 12, 0, 0)): FakeClock {
  interface Timer {
    readonly dueMs: number;
    readonly order: number;
    readonly run: () => void;
  }
  let elapsedMs = 0;
  let wallMs = startMs;
  let order = 0;
  const timers = new Set<Timer>();
  const settle = async (): Promise<void> => {
    // A tick that is asked for in a promise's turn comes when no promise has a turn left, and before any timer or
    // socket.
    await Promise.resolve();
    await new Promise<void>((resolve) => {
      process.nextTick(resolve);
    });
  };
  const next = (untilMs: number): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (timer.dueMs > untilMs) continue;
      if (
        first === undefined ||
        timer.dueMs < first.dueMs ||
        (timer.dueMs === first.dueMs && timer.order < first.order)
      )
        first = timer;
    }
    return first;
  };
  return {
    now: () => wallMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    after(delayMs, run) {
      if (!Number.isFinite(delayMs)) throw new RangeError("A timer needs a finite delay.");
      const timer = { dueMs: elapsedMs + Math.max(0, delayMs), order: order++, run };
      timers.add(timer);
      return {
        dispose: () => {
          timers.delete(timer);
        },
      };
    },
    async advance(ms) {
      const untilMs = elapsedMs + ms;
      await settle();
      for (let timer = next(untilMs); timer !== undefined; timer = next(untilMs)) {
        timers.delete(timer);
        elapsedMs = Math.max(elapsedMs, timer.dueMs);
        timer.run();
        await settle();
      }
      elapsedMs = untilMs;
      await settle();
    },
    settle,
    sleep(ms, monotonic = "stops") {
      if (monotonic === "stops") wallMs += ms;
      else elapsedMs += ms;
    },
    shiftWall(ms) {
      wallMs += ms;
    },
    get pendingTimers() {
      return timers.size;
    },
    get nextTimerMs() {
      const first = next(Infinity);
      return first === undefined ? undefined : Math.max(0, first.dueMs - elapsedMs);
    },
  };
}

/** Repeatable numbers in [0, 1) (mulberry32). */
export function createFakeRandom(seed = 1): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
