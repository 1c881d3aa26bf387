import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import { SILENCE_MS } from "./heartbeat.ts";

/** A watch over states that change by the clock. */
export interface StateWatch extends Disposable {
  /** To be called with each sign of life, after a state was changed from outside, and when `isNeeded` has changed. */
  update(): void;
}

interface StateWatchPorts {
  readonly clock: Clock;
  /** Whether a change has to be noticed when it comes. */
  readonly isNeeded: () => boolean;
  /** Returns when a state changes next after a moment, in ms since the epoch. */
  readonly nextChange: (afterMs: number) => number;
  readonly onChange: () => void;
}

/** Makes a watch that calls a function at each moment at which a state changes by the clock, while that is needed. */
export function createStateWatch({ clock, isNeeded, nextChange, onChange }: StateWatchPorts): StateWatch {
  let timer: Disposable | undefined;
  const update = (): void => {
    timer?.dispose();
    timer = undefined;
    if (!isNeeded()) return;
    const dueMs = nextChange(clock.now());
    // Until then there is another sign of life, or no connection.
    if (dueMs - clock.now() > SILENCE_MS) return;
    timer = clock.after(dueMs - clock.now(), () => {
      // A clock that was set back is before the moment.
      if (clock.now() >= dueMs) onChange();
      update();
    });
  };
  return { update, dispose: () => timer?.dispose() };
}
