import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import { CallError, type Failure } from "../base/failure.ts";
import type { UnmaskedResponse } from "./maskResponse.ts";

/** A call that was sent and waits for its response. */
export interface PendingCall {
  readonly wireId: number;
  readonly method: string;
  /** The time of the send, on the monotonic clock, like all times here. */
  readonly sentAtMs: number;
  /** The time when it began to wait in our own queues. */
  readonly startedAtMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly wantsOrders: boolean | undefined;
  readonly resolve: (response: UnmaskedResponse) => void;
  readonly reject: (error: CallError) => void;
}

/** The calls of one link that wait for a response, and for a while those that were given up. */
export interface PendingCalls {
  readonly count: number;
  /** Keeps a call until it is taken; after its time, or when its signal fires, it is rejected and given up. */
  add(call: PendingCall): void;
  /** Whether a call that waits wants the orders of its response one by one. */
  wantsOrders(wireId: number): boolean;
  /** Takes a call out; the caller settles it. */
  take(wireId: number): PendingCall | undefined;
  /** Takes out a call that timed out or was stopped: it is settled already. */
  takeGivenUp(wireId: number): PendingCall | undefined;
  /** Rejects all and forgets all. */
  failAll(failure: Failure): void;
}

/** The number of slots. More calls are not pending at once, unless some of them change something. */
const SLOTS = 256;

/**
 * The calls by their ids, in the slots of the ids' last bits; a call whose slot is taken stands aside. Not a `Map` for
 * all: V8 makes new tables for one that is filled and emptied all the time. Its old tables keep their content, whole
 * responses, from one quick collection to the next. That took a quarter of the time of a call.
 */
interface Slots {
  readonly count: number;
  get(wireId: number): PendingCall | undefined;
  add(call: PendingCall): void;
  remove(call: PendingCall): void;
  /** Returns the calls in the order of their ids, which is that of their making. Calls removed meanwhile stay in it. */
  all(): readonly PendingCall[];
}

function createSlots(): Slots {
  const slots = new Array<PendingCall | undefined>(SLOTS).fill(undefined);
  const aside = new Map<number, PendingCall>();
  let count = 0;
  return {
    get count() {
      return count;
    },
    get(wireId) {
      const call = slots[wireId % SLOTS];
      return call?.wireId === wireId ? call : aside.get(wireId);
    },
    add(call) {
      const slot = call.wireId % SLOTS;
      if (slots[slot] === undefined) slots[slot] = call;
      else aside.set(call.wireId, call);
      count++;
    },
    remove(call) {
      const slot = call.wireId % SLOTS;
      if (slots[slot] === call) slots[slot] = undefined;
      else aside.delete(call.wireId);
      count--;
    },
    all: () =>
      [...slots, ...aside.values()]
        .filter((call) => call !== undefined)
        .sort((one, other) => one.wireId - other.wireId),
  };
}

/** The number of late responses beyond which they count as strangers. */
const MAX_GIVEN_UP = 1000;

/**
 * Makes the table of pending calls. It has one timer for all calls: a timer of its own for each costs a twentieth of
 * the throughput.
 */
export function createPendingCalls(clock: Clock): PendingCalls {
  const calls = createSlots();
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
    for (const call of calls.all()) {
      const dueMs = call.sentAtMs + call.timeoutMs;
      if (dueMs > nowMs) nextMs = Math.min(nextMs, dueMs);
      else giveUp(call, { kind: "timeout", timeoutMs: call.timeoutMs });
    }
    if (nextMs !== Infinity) arm(nextMs);
  };
  const remove = (call: PendingCall): void => {
    calls.remove(call);
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
      return calls.count;
    },
    add(call) {
      calls.add(call);
      if (call.signal !== undefined) {
        const stop = (): void => giveUp(call, { kind: "stopped", wasSent: true });
        stops.set(call.wireId, stop);
        call.signal.addEventListener("abort", stop);
      }
      arm(call.sentAtMs + call.timeoutMs);
    },
    wantsOrders: (wireId) => calls.get(wireId)?.wantsOrders === true,
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
      for (const call of calls.all()) {
        remove(call);
        call.reject(new CallError(failure));
      }
      givenUp.clear();
      sweep?.timer.dispose();
      sweep = undefined;
    },
  };
}
