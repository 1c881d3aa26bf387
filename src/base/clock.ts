import type { Disposable } from "./emitter.ts";

/** The only source of time. Everything that waits or stamps takes one, so that tests own the time. */
export interface Clock {
  /** The milliseconds since the Unix epoch, by the wall clock. */
  now(): number;
  /** The milliseconds on a clock that never runs backwards, for measuring how long something took. */
  monotonicMs(): number;
  /** Runs `run` once after `delayMs`; disposing before then prevents it. Any finite delay is allowed. */
  after(delayMs: number, run: () => void): Disposable;
}

/** A source of numbers in [0, 1). Injected together with the clock, so that jitter and IDs repeat in tests. */
export type Random = () => number;

/**
 * The longest delay of a Node timer, in ms: 31 bits. Above it a timer fires at once, so longer waits are made of
 * pieces.
 */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Returns the clock of the machine. This is the only place in `src` that touches `setTimeout` and `Date`. */
export function createSystemClock(): Clock {
  // The global one is looked up each time, and each call of the exchange asks for the time several times.
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
        dispose: () => clearTimeout(timer),
      };
    },
  };
}

/** Returns by how many minutes the time zone of the machine is ahead of UTC at a moment, in ms since the Unix epoch. */
export function zoneMinutes(atMs: number): number {
  return -new Date(atMs).getTimezoneOffset();
}

/** Returns a moment at UTC: `2026-11-20T12:04:07.123Z`. Throws `RangeError` for a number that is not a moment. */
export function isoText(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** A moment on both clocks: one stops while the computer sleeps, the other one may be set. */
export interface Moment {
  /** Ms since the Unix epoch. */
  readonly atMs: number;
  /** Ms on the monotonic clock. */
  readonly monotonicMs: number;
}

/** Returns the present moment. */
export function momentNow(clock: Pick<Clock, "now" | "monotonicMs">): Moment {
  return { atMs: clock.now(), monotonicMs: clock.monotonicMs() };
}

/** Returns the age of a moment, in ms, by the clock on which more time has passed. */
export function msSince(clock: Pick<Clock, "now" | "monotonicMs">, { atMs, monotonicMs }: Moment): number {
  return Math.max(clock.now() - atMs, clock.monotonicMs() - monotonicMs);
}

/** Waits `delayMs` by the given clock. */
export async function sleep(clock: Clock, delayMs: number): Promise<void> {
  await new Promise<void>((resolve) => clock.after(delayMs, resolve));
}
