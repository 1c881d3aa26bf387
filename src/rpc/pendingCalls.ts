import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import { CallError, type Failure } from "../base/failure.ts";
import type { Reply } from "./reply.ts";

/** A call that was sent and waits for its answer. */
export interface PendingCall {
  readonly wireId: number;
  readonly method: string;
  /** On the monotonic clock, like all times here. */
  readonly sentAtMs: number;
  /** When it began to wait in our own queues. */
  readonly startedAtMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: CallError) => void;
}

/** The calls of one link that wait for an answer, and for a while those that were given up. */
export interface PendingCalls {
  readonly count: number;
  /** Keeps a call until it is taken; after its time, or when its signal fires, it is rejected and given up. */
  add(call: PendingCall): void;
  /** Takes a call out; whoever takes it settles it. */
  take(wireId: number): PendingCall | undefined;
  /** The same for a call that timed out or was stopped: it is settled already. */
  takeGivenUp(wireId: number): PendingCall | undefined;
  /** Rejects all and forgets all. */
  failAll(failure: Failure): void;
}

/** More late answers than this are strangers. */
const MAX_GIVEN_UP = 1000;

/** One timer for all calls: a timer of its own for each costs a twentieth of the throughput. */
export function createPendingCalls(clock: Clock): PendingCalls {
  const calls = new Map<number, PendingCall>();
  const stops = new Map<number, () => void>();
  const givenUp = new Map<number, PendingCall>();
  let sweep: { readonly dueMs: number; readonly timer: Disposable } | undefined;

  const arm = (dueMs: number): void => {
    if (sweep !== undefined && sweep.dueMs <= dueMs) return;
    sweep?.timer.dispose();
    sweep = { dueMs, timer: clock.after(dueMs - clock.monotonicMs(), expire) };
  };
  const expire = (): void => {
    sweep = undefined;
    const nowMs = clock.monotonicMs();
    let nextMs = Infinity;
    for (const call of [...calls.values()]) {
      const dueMs = call.sentAtMs + call.timeoutMs;
      if (dueMs > nowMs) nextMs = Math.min(nextMs, dueMs);
      else giveUp(call, { kind: "timeout", timeoutMs: call.timeoutMs });
    }
    if (nextMs !== Infinity) arm(nextMs);
  };
  const remove = (call: PendingCall): void => {
    calls.delete(call.wireId);
    if (call.signal === undefined) return;
    const stop = stops.get(call.wireId);
    if (stop === undefined) return;
    stops.delete(call.wireId);
    call.signal.removeEventListener("abort", stop);
  };
  const giveUp = (call: PendingCall, failure: Failure): void => {
    remove(call);
    givenUp.set(call.wireId, call);
    const [oldest] = givenUp.keys();
    if (givenUp.size > MAX_GIVEN_UP && oldest !== undefined) givenUp.delete(oldest);
    call.reject(new CallError(failure));
  };

  return {
    get count() {
      return calls.size;
    },
    add(call) {
      calls.set(call.wireId, call);
      if (call.signal !== undefined) {
        const stop = (): void => giveUp(call, { kind: "stopped", wasSent: true });
        stops.set(call.wireId, stop);
        call.signal.addEventListener("abort", stop);
      }
      arm(call.sentAtMs + call.timeoutMs);
    },
    take(wireId) {
      const call = calls.get(wireId);
      if (call !== undefined) remove(call);
      return call;
    },
    takeGivenUp(wireId) {
      const call = givenUp.get(wireId);
      givenUp.delete(wireId);
      return call;
    },
    failAll(failure) {
      for (const call of [...calls.values()]) {
        remove(call);
        call.reject(new CallError(failure));
      }
      givenUp.clear();
      sweep?.timer.dispose();
      sweep = undefined;
    },
  };
}
