import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import { SECOND_MS } from "../../exchange/market/calendar.ts";

/** Calls a function once a second until disposed: prices and trades of others come with the time. */
export function startMarketMotion(clock: Clock, onMoved: () => void): Disposable {
  let timer: Disposable;
  const wait = (): void => {
    timer = clock.after(SECOND_MS, () => {
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
