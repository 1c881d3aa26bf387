import { momentNow, msSince, type Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import { CallError, stoppedBy, type Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import type { BudgetReading } from "../../session/session.ts";
import { SEND_WITHIN_MS } from "../intent/intent.ts";

/**
 * The time in which a confirmed change may be sent. It opens with the confirmation; in a queue, when the change is its
 * first.
 */
export interface SendWindow {
  /**
   * The signal that gives the change up: before the send for every reason that closes the window, afterwards only by
   * the caller's own signal.
   */
  readonly signal: AbortSignal;
  /**
   * Waits for something that comes before the send, or for the send and its response. Throws `CallError` once the
   * window closes before the send.
   */
  during<Result>(wait: SendWait, promise: Promise<Result>): Promise<Result>;
  /**
   * Marks the send, right before the text leaves. Throws `CallError` when it may not leave any more; afterwards the
   * window does not close.
   */
  pass(): void;
  /** Ends the watching. The caller's own signal still gives up what was sent. */
  dispose(): void;
}

/** The reason of a wait. `journal`: its line on the disk; `way`: rate limit, session, sign-in, socket. */
type SendWait = "journal" | "way";

interface SendWindowPorts {
  readonly clock: Clock;
  /** The part of the time that is over already, in ms. */
  readonly spentMs: number;
  /** The signal that gives the change up, before the send and after it. */
  readonly signal: AbortSignal | undefined;
  /** The signal that gives the change up as long as it is not sent. */
  readonly stop: AbortSignal | undefined;
  /**
   * Returns the reason why the change may not be sent any more; undefined while it may. Called at once, at each event
   * of `watch`, and right before the send.
   */
  readonly obstacle: () => Failure | undefined;
  /** Calls its argument whenever there may be an obstacle. */
  readonly watch: (look: () => void) => readonly Disposable[];
  /** Returns the rate limit budgets of the connection. */
  readonly budgets: () => readonly BudgetReading[];
  /** Whether the request goes out over HTTP beside the connection's own WebSocket. */
  readonly isBesideOverHttp: boolean;
}

/** Opens the window of one send. */
export function openSendWindow(ports: SendWindowPorts): SendWindow {
  const { clock, signal, stop, obstacle, watch } = ports;
  const withinMs = Math.max(0, SEND_WITHIN_MS - ports.spentMs);
  const openedAt = momentNow(clock);
  const giveUp = new AbortController();
  let wait: SendWait = "journal";
  let failure: Failure | undefined;
  let isSent = false;
  let reject: (error: CallError) => void = () => undefined;
  const closed = new Promise<never>((_resolve, rejectIt) => {
    reject = rejectIt;
  });
  closed.catch(() => undefined);

  const close = (why: Failure): void => {
    if (isSent || failure !== undefined) return;
    failure = why;
    reject(new CallError(why));
    giveUp.abort();
  };
  const onStop = (): void => close(stoppedBy(stop));
  const onSignal = (): void => {
    onStop();
    giveUp.abort();
  };
  const look = (): void => {
    const why = obstacle();
    if (why !== undefined) close(why);
  };
  const deadline = clock.after(withinMs, () => close(tooLate(wait, ports)));
  const watching = watch(look);
  signal?.addEventListener("abort", onSignal, { once: true });
  stop?.addEventListener("abort", onStop);
  const endWait = (): void => {
    deadline.dispose();
    for (const each of watching) each.dispose();
    stop?.removeEventListener("abort", onStop);
  };
  if (signal?.aborted === true) onSignal();
  if (stop?.aborted === true) onStop();
  look();
  return {
    signal: giveUp.signal,
    async during(what, promise) {
      wait = what;
      return await Promise.race([closed, promise]);
    },
    pass() {
      look();
      // Timers stand still while the computer sleeps, and come late when it is busy.
      if (ports.spentMs + msSince(clock, openedAt) > SEND_WITHIN_MS) close(tooLate(wait, ports));
      if (failure !== undefined) throw new CallError(failure);
      isSent = true;
      endWait();
    },
    dispose() {
      endWait();
      signal?.removeEventListener("abort", onSignal);
    },
  };
}

function tooLate(wait: SendWait, { budgets, isBesideOverHttp }: SendWindowPorts): Failure {
  const seconds = SEND_WITHIN_MS / 1000;
  if (wait === "journal")
    return refused(
      l10n.t("The change couldn't be recorded on the disk within {0} s. Check the disk, then try again.", seconds),
    );
  if (isBesideOverHttp)
    return refused(
      l10n.t("The request couldn't be sent over HTTP within {0} s. Try again when the server responds.", seconds),
    );
  if (budgets().some(({ lanes }) => lanes.userWrite.waitingCalls > 0))
    return refused(
      l10n.t("The exchange's rate limit didn't allow the request within {0} s. Try again in a moment.", seconds),
    );
  return refused(
    l10n.t("The connection couldn't send the request within {0} s. Try again when the connection responds.", seconds),
  );
}

/** A queue of places, taken in turn. */
export interface Places {
  take(): Promise<void>;
  free(): void;
}

/** Makes a queue that lets a newcomer in when at most `count` of those before it are still there. */
export function createPlaces(count: number): Places {
  /** The waiting entries, by the number of exits before one is let in. */
  const waiting: (() => void)[] = [];
  let came = 0;
  let left = 0;
  return {
    async take() {
      const turn = came++ - count;
      if (turn >= left)
        await new Promise<void>((resolve) => {
          waiting[turn] = resolve;
        });
    },
    free: () => waiting[left++]?.(),
  };
}

function refused(reason: string): Failure {
  return { kind: "refused", reason };
}
