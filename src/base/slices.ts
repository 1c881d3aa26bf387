import type { Clock } from "./clock.ts";
import type { Disposable } from "./emitter.ts";

/**
 * Work in small steps, between which other things can be done. A step may yield a function that returns what is found
 * so far, where that is worth showing before the rest is done.
 */
export type Steps<Found> = Generator<(() => Found) | undefined, Found>;

/** The time after which work lets other things happen, in ms. A user does not feel it. */
const SLICE_MS = 10;

/** Work that is done in slices. Disposing abandons the rest. */
export interface SlicedWork extends Disposable {
  readonly isDone: boolean;
}

/** Takes all steps at once. */
export function allAtOnce<Found>(work: Steps<Found>): Found {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Takes the steps in slices, the first one now. `take` gets what is found when all is done, and before that at the end
 * of a slice in which a step had something to show.
 */
export function inSlices<Found>(clock: Clock, work: Steps<Found>, take: (found: Found) => void): SlicedWork {
  let isDone = false;
  let next: Disposable | undefined;
  const slice = (): void => {
    const endMs = clock.monotonicMs() + SLICE_MS;
    let soFar: (() => Found) | undefined;
    do {
      const step = work.next();
      if (step.done === true) {
        isDone = true;
        take(step.value);
        return;
      }
      soFar = step.value ?? soFar;
    } while (clock.monotonicMs() < endMs);
    next = clock.after(0, slice);
    if (soFar !== undefined) take(soFar());
  };
  slice();
  return {
    get isDone() {
      return isDone;
    },
    dispose: () => next?.dispose(),
  };
}
