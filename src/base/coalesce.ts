import type { Clock } from "./clock.ts";
import type { Disposable } from "./emitter.ts";

/** A function that turns many requests into one call. */
export interface Coalescer extends Disposable {
  /** Asks for a call; any number of requests inside one window make one call. */
  request(): void;
}

/**
 * Makes a coalescer. It calls `run` on the first request at once, and then at most once per `windowMs`. A request
 * inside the window gets its call at the end of the window, so the last state is always shown.
 */
export function createCoalescer(clock: Clock, windowMs: number, run: () => void): Coalescer {
  let timer: Disposable | undefined;
  let isWanted = false;
  let isDisposed = false;
  const openWindow = (): void => {
    timer = clock.after(windowMs, () => {
      timer = undefined;
      if (!isWanted || isDisposed) return;
      isWanted = false;
      openWindow();
      run();
    });
  };
  return {
    request() {
      if (isDisposed) return;
      if (timer !== undefined) {
        isWanted = true;
        return;
      }
      openWindow();
      run();
    },
    dispose() {
      isDisposed = true;
      timer?.dispose();
    },
  };
}
