import { CallError, type Failure } from "../base/failure.ts";
import { UNAUTHORIZED } from "../catalogue/codes.ts";
import { effectOf, isPrivate } from "../catalogue/index.ts";
import { isSwitch } from "../catalogue/sessionCalls.ts";
import type { ResponseContent } from "../rpc/response.ts";
import type { Asker } from "../rpc/traffic.ts";
import type { CallOptions } from "./session.ts";

/* What holds for a call because of its method. */

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
export function tokenRefusal({ method, error }: ResponseContent): Failure | undefined {
  const isHarmless = effectOf(method) === "read" || method.endsWith("/subscribe");
  return error?.code === UNAUTHORIZED && isHarmless && isPrivate(method) ? error : undefined;
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
