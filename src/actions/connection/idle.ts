import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import type { Session } from "../../session/session.ts";

/** The policy that ends an unused session, and brings it back when it is used again. */
interface Idle extends Disposable {
  /** Reports that the user uses the connection. Resolves when the session is ready again, or will not be for now. */
  use(): Promise<void>;
}

interface IdlePorts {
  readonly session: Pick<Session, "state" | "onDidChangeState" | "connect" | "disconnect">;
  readonly clock: Clock;
  /** Returns the minutes without use before the end, read each minute; 0: never. */
  readonly minutes: () => number;
  /** Whether something under way needs the session. */
  readonly isBusy: () => boolean;
}

const MINUTE_MS = 60_000;

export function createIdle({ session, clock, minutes, isBusy }: IdlePorts): Idle {
  let usedAtMs = clock.monotonicMs();
  let timer: Disposable | undefined;
  const isAlive = (): boolean => session.state.status !== "off" && session.state.status !== "locked";
  const look = (): void => {
    timer = undefined;
    const idleMs = minutes() * MINUTE_MS;
    if (!isAlive()) return;
    if (idleMs > 0 && clock.monotonicMs() - usedAtMs >= idleMs && !isBusy()) session.disconnect("idle");
    else timer = clock.after(MINUTE_MS, look);
  };
  const hearing = session.onDidChangeState(() => {
    if (!isAlive()) {
      timer?.dispose();
      timer = undefined;
    } else if (timer === undefined) {
      // Off before: it was connected by the user.
      usedAtMs = clock.monotonicMs();
      timer = clock.after(MINUTE_MS, look);
    }
  });
  return {
    async use() {
      usedAtMs = clock.monotonicMs();
      const { state } = session;
      if (state.status !== "off" || state.reason !== "idle") return;
      session.connect();
      await settled(session);
    },
    dispose() {
      hearing.dispose();
      timer?.dispose();
    },
  };
}

/** Waits until a session that began to connect is ready or has failed. */
async function settled(session: IdlePorts["session"]): Promise<void> {
  const isUnderWay = (): boolean => session.state.status === "connecting" || session.state.status === "authenticating";
  if (!isUnderWay()) return;
  await new Promise<void>((resolve) => {
    const hearing = session.onDidChangeState(() => {
      if (isUnderWay()) return;
      hearing.dispose();
      resolve();
    });
  });
}
