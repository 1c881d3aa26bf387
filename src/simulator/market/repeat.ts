import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";

/** Calls a function again and again until disposed: prices and trades of others come with the time. */
export function startMarketMotion(clock: Clock, stepMs: number, onMoved: () => void): Disposable {
  let timer: Disposable;
  const wait = (): void => {
    timer = clock.after(stepMs, () => {
      onMoved();
      wait();
    });
  };
  wait();
  return {
    dispose: () => {
      timer.dispose();
    },
  };
}
