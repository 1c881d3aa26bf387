import type { Clock } from "../base/clock.ts";
import { createEmitter, type Disposable, type Emitter, type Event } from "../base/emitter.ts";
import { bugText } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import type { Session } from "../session/session.ts";
import { identityKey } from "./situation.ts";

/** "Allow Changes…" of one connection: production takes writes for a while, then is read-only again. */
export interface Allowance extends Disposable {
  /** Until when changes are allowed, ms since the Unix epoch; undefined while they are not. */
  readonly untilMs: number | undefined;
  readonly onDidChange: Event<void>;
  /** Allows changes from now on, for the time of the settings. Nothing happens unless the session is ready. */
  allow(): void;
  /** Makes the connection read-only again. */
  end(): void;
}

export interface AllowancePorts {
  readonly clock: Clock;
  readonly windowMinutes: () => number;
  readonly session: Pick<Session, "state" | "onDidChangeState">;
  readonly log: Log;
}

interface Window {
  readonly untilMs: number;
  /** Whose account was meant. */
  readonly identity: string;
  readonly timer: Disposable;
}

/** Ends by time, by disconnecting, when a person has to act on the session, and when another account signs in. */
export function createAllowance({ clock, windowMinutes, session, log }: AllowancePorts): Allowance {
  const changed: Emitter<void> = createEmitter((error) => log.error(`a listener of the allowance failed: ${bugText(error)}`));
  let window: Window | undefined;
  const end = (): void => {
    if (window === undefined) return;
    window.timer.dispose();
    window = undefined;
    changed.fire();
  };
  const stateListener = session.onDidChangeState((state) => {
    const isOver = state.status === "off" || state.status === "locked";
    const isOther = state.status === "ready" && identityKey(state.identity) !== window?.identity;
    if (isOver || isOther) end();
  });
  return {
    get untilMs() {
      // A timer stands still while the computer sleeps; the wall clock does not.
      return window !== undefined && clock.now() < window.untilMs ? window.untilMs : undefined;
    },
    onDidChange: changed.event,
    allow() {
      if (session.state.status !== "ready") return;
      window?.timer.dispose();
      const durationMs = windowMinutes() * 60_000;
      window = { untilMs: clock.now() + durationMs, identity: identityKey(session.state.identity), timer: clock.after(durationMs, end) };
      changed.fire();
    },
    end,
    dispose() {
      window?.timer.dispose();
      window = undefined;
      stateListener.dispose();
      changed.dispose();
    },
  };
}
