import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import type { Session } from "../session/session.ts";
import type { RecordedIntent } from "./recordedIntents.ts";

export interface PastIntentsPorts {
  readonly session: Pick<Session, "state" | "onDidChangeState">;
  readonly clock: Clock;
  readonly connectionId: string;
  /** Takes over what ended runs left of a connection, and hands out what is to be looked up. Never rejects. */
  readonly adopt: ((connectionId: string) => Promise<readonly RecordedIntent[]>) | undefined;
  readonly resume: (intents: readonly RecordedIntent[]) => void;
}

/** A window that is being closed lives on for some seconds: what it leaves is found a little later. */
const LOOK_AGAIN_MS = 15_000;

/**
 * Has intents whose outcome is not known looked up: those of ended runs, and those of this window that stayed open
 * when the session ended. At each sign-in; while it lasts, only what is new: windows that have ended since.
 */
export function followPastIntents({ session, clock, connectionId, adopt, resume }: PastIntentsPorts): Disposable {
  let generation: number | undefined;
  let timer: Disposable | undefined;
  let isDisposed = false;
  const look = (): void => {
    if (adopt === undefined) return;
    timer?.dispose();
    timer = clock.after(LOOK_AGAIN_MS, look);
    void adopt(connectionId).then((intents) => {
      if (!isDisposed && session.state.status === "ready") resume(intents);
    });
  };
  const hear = (): void => {
    const { state } = session;
    const present = state.status === "ready" ? state.generation : undefined;
    if (present === generation) return;
    generation = present;
    timer?.dispose();
    if (present !== undefined) look();
  };
  const hearing = session.onDidChangeState(hear);
  hear();
  return {
    dispose() {
      isDisposed = true;
      hearing.dispose();
      timer?.dispose();
    },
  };
}
