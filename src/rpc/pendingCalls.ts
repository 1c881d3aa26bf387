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
  resolve(reply: Reply): void;
  reject(error: CallError): void;
}

export type NewCall = Omit<PendingCall, "resolve" | "reject"> & { readonly signal: AbortSignal | undefined };

/** The calls of one link that wait for an answer, and for a while those that were given up. */
export interface PendingCalls {
  readonly count: number;
  /** Resolves to the answer that `take` gave; rejects with `timeout`, `stopped`, or what `failAll` was told. */
  add(call: NewCall): Promise<Reply>;
  /** Takes a call out; whoever takes it settles it. */
  take(wireId: number): PendingCall | undefined;
  /** The same for a call that timed out or was stopped: it is settled already. */
  takeGivenUp(wireId: number): NewCall | undefined;
  /** Settles all and forgets all. */
  failAll(failure: Failure): void;
}

/** More late answers than this are strangers. */
const MAX_GIVEN_UP = 1000;

/** One timer for all calls: a timer of its own for each costs a twentieth of the throughput. */
export function createPendingCalls(clock: Clock): PendingCalls {
  const calls = new Map<number, PendingCall>();
  const givenUp = new Map<number, NewCall>();
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
      else call.reject(new CallError({ kind: "timeout", timeoutMs: call.timeoutMs }));
    }
    if (nextMs !== Infinity) arm(nextMs);
  };
  const giveUp = (call: NewCall): void => {
    givenUp.set(call.wireId, call);
    const [oldest] = givenUp.keys();
    if (givenUp.size > MAX_GIVEN_UP && oldest !== undefined) givenUp.delete(oldest);
  };

  return {
    get count() {
      return calls.size;
    },
    async add(call) {
      return await new Promise<Reply>((resolve, reject) => {
        const settle = (): void => {
          calls.delete(call.wireId);
          call.signal?.removeEventListener("abort", stop);
        };
        const stop = (): void => {
          settle();
          giveUp(call);
          reject(new CallError({ kind: "stopped", wasSent: true }));
        };
        calls.set(call.wireId, {
          ...call,
          resolve(reply) {
            settle();
            resolve(reply);
          },
          reject(error) {
            settle();
            if (error.failure.kind === "timeout") giveUp(call);
            reject(error);
          },
        });
        call.signal?.addEventListener("abort", stop);
        arm(call.sentAtMs + call.timeoutMs);
      });
    },
    take(wireId) {
      const call = calls.get(wireId);
      calls.delete(wireId);
      return call;
    },
    takeGivenUp(wireId) {
      const call = givenUp.get(wireId);
      givenUp.delete(wireId);
      return call;
    },
    failAll(failure) {
      for (const call of [...calls.values()]) call.reject(new CallError(failure));
      givenUp.clear();
      sweep?.timer.dispose();
      sweep = undefined;
    },
  };
}
