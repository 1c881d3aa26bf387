import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";

/** Calls a function again and again until disposed, each time after as many ms as `waitMs` returns. */
export function repeat(clock: Clock, waitMs: () => number, run: () => void): Disposable {
  let timer: Disposable;
  const wait = (): void => {
    timer = clock.after(waitMs(), () => {
      run();
      wait();
    });
  };
  wait();
  return {
    dispose: () => timer.dispose(),
  };
}
