import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import { SECOND_MS } from "../../exchange/market/calendar.ts";
import type { Publisher } from "../sessions/publisher.ts";

/** Has the publisher look at the market once a second until disposed: prices and trades come with the time. */
export function startMarketMotion(clock: Clock, publisher: Pick<Publisher, "touch" | "flush">): Disposable {
  let timer: Disposable;
  const wait = (): void => {
    timer = clock.after(SECOND_MS, () => {
      publisher.touch();
      publisher.flush();
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
