import type { Clock } from "../base/clock.ts";
import { CallError, type Failure } from "../base/failure.ts";
import { INVALID_CREDENTIALS, UNAUTHORIZED } from "../catalogue/codes.ts";
import { effectOf, isPrivate } from "../catalogue/index.ts";
import { isSwitch } from "../catalogue/sessionCalls.ts";
import type { ResponseContent } from "../rpc/response.ts";
import type { Asker } from "../rpc/traffic.ts";
import type { CallOptions } from "./session.ts";

/* What holds for a call because of its method, and what makes it wait. */

const READ_TIMEOUT_MS = 10_000;
/** The timeout of a change, in ms. Giving up early only makes unknown outcomes. */
export const CHANGE_TIMEOUT_MS = 15_000;

export function usualTimeoutMs(method: string): number {
  return effectOf(method) === "read" ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS;
}

/** Whether a call acts for an account, so that it waits for that account's token and goes out with no other. */
export function needsToken(method: string): boolean {
  return isPrivate(method) || isSwitch(method);
}

/**
 * Returns the failure of an invalid token, where the call may be made again with another. A repeated request for a
 * channel changes nothing either.
 */
export function tokenRefusal({ method, error }: ResponseContent, isGateway = false): Failure | undefined {
  const isHarmless = effectOf(method) === "read" || method.endsWith("/subscribe");
  // The gateway calls a rejected token invalid credentials, too.
  const isRefused = error?.code === UNAUTHORIZED || (isGateway && error?.code === INVALID_CREDENTIALS);
  return isRefused && isHarmless && isPrivate(method) ? error : undefined;
}

/** Returns the origin of a call, as the traffic shows it. */
export function askerOf({ asker, lane }: CallOptions): Asker | undefined {
  return asker ?? lane;
}

/**
 * Returns an `onSend` that prevents the send once the link acts for another account. Over HTTP a call waits for a
 * connection until then.
 */
export function keptBack(
  isOtherGeneration: () => boolean,
  onSend: ((wireId: number) => void) | undefined,
): (wireId: number) => void {
  return (wireId) => {
    if (isOtherGeneration()) throw new CallError({ kind: "situationChanged", changed: "account" });
    onSend?.(wireId);
  };
}

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
