import type { Disposable } from "../../src/base/emitter.ts";
import type { FakeClock } from "../fakeClock.ts";

/** Holds texts back for a while; they keep their order, as on one connection they must. */
export interface Latency extends Disposable {
  set(fromMs: number, toMs: number): void;
  pass(text: string): void;
}

/** How many steps it takes to walk through the range. */
const STEPS = 5;

export function createLatency(clock: FakeClock, deliver: (text: string) => void): Latency {
  const timers = new Set<Disposable>();
  let range: readonly [number, number] = [0, 0];
  let step = 0;
  let lastDueMs = 0;
  return {
    set(fromMs, toMs) {
      range = [fromMs, toMs];
    },
    pass(text) {
      const [fromMs, toMs] = range;
      if (toMs === 0) {
        deliver(text);
        return;
      }
      const position = Math.abs((step++ % (2 * STEPS)) - STEPS) / STEPS;
      lastDueMs = Math.max(lastDueMs, clock.monotonicMs() + fromMs + (toMs - fromMs) * position);
      const timer = clock.after(lastDueMs - clock.monotonicMs(), () => {
        timers.delete(timer);
        deliver(text);
      });
      timers.add(timer);
    },
    dispose() {
      for (const timer of timers) timer.dispose();
    },
  };
}
