import { CallError, type Failure } from "../base/failure.ts";
import { UNAUTHORIZED } from "../catalogue/codes.ts";
import { effectOf, isPrivate } from "../catalogue/index.ts";
import { isSwitch } from "../catalogue/sessionCalls.ts";
import type { ResponseContent } from "../rpc/response.ts";
import type { Asker } from "../rpc/traffic.ts";
import type { CallOptions } from "./session.ts";

/* What holds for a call because of its method. */

const READ_TIMEOUT_MS = 10_000;
/** Giving up a change early only makes unknown outcomes. */
export const CHANGE_TIMEOUT_MS = 15_000;

export function usualTimeoutMs(method: string): number {
  return effectOf(method) === "read" ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS;
}

/** Whether a call speaks for an account, so that it waits for that account's token and goes out with no other. */
export function needsToken(method: string): boolean {
  return isPrivate(method) || isSwitch(method);
}

/**
 * That the token is worth nothing, where the call may be made again with another. Asking twice for a channel changes
 * nothing either.
 */
export function tokenRefusal({ method, error }: ResponseContent): Failure | undefined {
  const isHarmless = effectOf(method) === "read" || method.endsWith("/subscribe");
  return error?.code === UNAUTHORIZED && isHarmless && isPrivate(method) ? error : undefined;
}

/** Who a call is from, as the traffic tells it. */
export function askerOf({ asker, lane }: CallOptions): Asker | undefined {
  return asker ?? lane;
}

/**
 * Hears of the sending of a call, and keeps it from that once the link speaks for another account: over HTTP it waits
 * for a connection until then.
 */
export function keptBack(
  isOtherGeneration: () => boolean,
  onSend: ((wireId: number) => void) | undefined,
): (wireId: number) => void {
  return (wireId) => {
    if (isOtherGeneration()) throw new CallError({ kind: "situationChanged" });
    onSend?.(wireId);
  };
}
