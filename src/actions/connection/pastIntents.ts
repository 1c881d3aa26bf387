import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import type { Session } from "../../session/session.ts";
import type { RecordedIntent } from "../journal/recordedIntents.ts";

interface PastIntentsPorts {
  readonly session: Pick<Session, "state" | "onDidChangeState">;
  readonly clock: Clock;
  readonly connectionId: string;
  /** Takes over what ended runs left of a connection, and returns what has to be looked up. Never rejects. */
  readonly adopt: ((connectionId: string) => Promise<readonly RecordedIntent[]>) | undefined;
  readonly resume: (intents: readonly RecordedIntent[]) => void;
}

/**
 * The pause before a second look, in ms: a closing window lives on for some seconds, and leaves its records a little
 * later.
 */
const LOOK_AGAIN_MS = 15_000;

/**
 * Looks up intents with unknown outcomes at each sign-in: those of ended runs, and this window's that stayed open at
 * the session's end. During the sign-in it looks up only new ones, of windows that have ended since.
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
