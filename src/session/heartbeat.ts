import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";

/** Notices that the other side has gone silent. Only texts are signs of life; ping and pong never get this far. */
export interface Heartbeat extends Disposable {
  /** Something came. */
  noteText(): void;
  /** The server wants to know whether we live. */
  answer(): void;
  /** Silent for too long; a probe is on its way. */
  readonly isSuspect: boolean;
}

export interface HeartbeatPorts {
  readonly clock: Clock;
  /** Sends public/test past every queue; resolves when it is settled, however. Never throws. */
  readonly test: () => Promise<void>;
  readonly onSuspect: (isSuspect: boolean) => void;
  /** Not even the probe was answered. */
  readonly onSilent: () => void;
}

/** Seconds between heartbeats that the server is asked for. https://docs.deribit.com/articles/api-usage-policy */
export const HEARTBEAT_SECONDS = 30;
export const IDLE_MS = 30_000;
export const PROBE_MS = 5000;

/** Watches from now on. One timer; a text only notes the time, because texts come by the thousand. */
export function createHeartbeat({ clock, test, onSuspect, onSilent }: HeartbeatPorts): Heartbeat {
  let lastTextMs = clock.monotonicMs();
  let isSuspect = false;
  let isTesting = false;
  let timer: Disposable | undefined;
  /** One at a time is enough for any number of questions, and a flood of them costs us nothing. */
  const sendTest = async (): Promise<void> => {
    if (isTesting) return;
    isTesting = true;
    await test();
    isTesting = false;
  };
  const watch = (): void => {
    timer = clock.after(Math.max(0, lastTextMs + IDLE_MS - clock.monotonicMs()), () => {
      if (clock.monotonicMs() - lastTextMs < IDLE_MS) watch();
      else probe();
    });
  };
  const probe = (): void => {
    isSuspect = true;
    timer = clock.after(PROBE_MS, onSilent);
    onSuspect(true);
    void sendTest();
  };
  watch();
  return {
    noteText() {
      lastTextMs = clock.monotonicMs();
      if (!isSuspect) return;
      isSuspect = false;
      timer?.dispose();
      watch();
      onSuspect(false);
    },
    answer() {
      void sendTest();
    },
    get isSuspect() {
      return isSuspect;
    },
    dispose() {
      timer?.dispose();
    },
  };
}
