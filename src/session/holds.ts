import type { Clock } from "../base/clock.ts";
import { CallError, type Failure } from "../base/failure.ts";

/** A hold that makes calls wait. `end` lets them go; it never rejects. */
export interface Hold {
  readonly promise: Promise<void>;
  readonly end: () => void;
}

export function createHold(): Hold {
  let end = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { promise, end };
}

interface Patience {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** The limit of the wait, in ms; undefined: as long as it takes. */
  readonly limitMs: number | undefined;
  /** The failure after that limit. */
  readonly failure: Failure;
}

/** Waits for a hold. Throws `stopped` when the signal fires, and what `failure` says when it takes too long. */
export async function waitFor(promise: Promise<void>, { clock, signal, limitMs, failure }: Patience): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer =
      limitMs === undefined ? undefined : clock.after(limitMs, () => settle(() => reject(new CallError(failure))));
    const stop = (): void => settle(() => reject(new CallError({ kind: "stopped", wasSent: false })));
    const settle = (then: () => void): void => {
      timer?.dispose();
      signal?.removeEventListener("abort", stop);
      then();
    };
    signal?.addEventListener("abort", stop);
    void promise.then(() => settle(resolve));
    if (signal?.aborted === true) stop();
  });
}
