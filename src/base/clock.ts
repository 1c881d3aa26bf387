import type { Disposable } from "./emitter.ts";

/** The only source of time. Everything that waits or stamps takes one, so that tests own the time. */
export interface Clock {
  /** Milliseconds since the Unix epoch, as the wall clock says. */
  now(): number;
  /** Milliseconds that never run backwards, for measuring how long something took. */
  monotonicMs(): number;
  /** Runs `run` once after `delayMs`; disposing before then prevents it. Any finite delay is allowed. */
  after(delayMs: number, run: () => void): Disposable;
}

/** A number in [0, 1). Injected beside the clock, so that jitter and ids repeat in tests. */
export type Random = () => number;

/** Node keeps a timer's delay in 31 bits and fires at once above it: longer waits are made of pieces. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock of the machine. The one place in `src` that touches `setTimeout` and `Date`. */
export function createSystemClock(): Clock {
  // The global one is looked up anew each time, and each call of the exchange asks for the time several times.
  const watch = performance;
  return {
    now: () => Date.now(),
    monotonicMs: () => watch.now(),
    after(delayMs, run) {
      if (!Number.isFinite(delayMs)) {
        throw new RangeError(`A timer needs a finite delay, not ${String(delayMs)}.`);
      }
      let remainingMs = Math.max(0, delayMs);
      let timer: NodeJS.Timeout | undefined;
      const arm = (): void => {
        const pieceMs = Math.min(remainingMs, LONGEST_TIMER_MS);
        remainingMs -= pieceMs;
        timer = setTimeout(() => {
          if (remainingMs > 0) arm();
          else run();
        }, pieceMs);
      };
      arm();
      return {
        dispose: () => {
          clearTimeout(timer);
        },
      };
    },
  };
}

/** Resolves after `delayMs` of the given clock. */
export async function sleep(clock: Clock, delayMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    clock.after(delayMs, resolve);
  });
}
