import type { Gate } from "../../actions/gate/gate.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { Clock } from "../../base/clock.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import type { Plain } from "../../base/plain.ts";
import { allowanceEndText } from "../../present/connections/connectionWords.ts";
import { tiedCount, tiedText } from "../../present/connections/disconnectRisk.ts";

interface ConnectionNoticePorts {
  readonly clock: Clock;
  /** Shows a passing text until the result is disposed: the status bar shows it from then on. */
  readonly tell: (text: Plain) => Disposable;
  /** Shows a text that the user has to see. */
  readonly warn: (text: Plain) => void;
}

/** Returns when the time for cancels, or for all changes, on production ends. */
export function allowedUntilMs({
  changesAllowedUntilMs,
  cancelsAllowedUntilMs,
}: Pick<Gate, "changesAllowedUntilMs" | "cancelsAllowedUntilMs">): number | undefined {
  return changesAllowedUntilMs ?? cancelsAllowedUntilMs;
}

/**
 * Tells when the time for changes of a connection ends, and once that orders end with its link: VS Code cannot be kept
 * from reloading.
 */
export function createConnectionNotices(
  live: Pick<LiveConnection, "place" | "gate" | "cancelOnDisconnect">,
  { clock, tell, warn }: ConnectionNoticePorts,
): Disposable {
  const listeners = new DisposableList();
  let untilMs = allowedUntilMs(live.gate);
  let told: Disposable | undefined;
  listeners.add(
    live.gate.onDidChangeAllowance(() => {
      const before = untilMs;
      untilMs = allowedUntilMs(live.gate);
      // What was told of an earlier end is not true any more.
      told?.dispose();
      told =
        before !== undefined && untilMs === undefined
          ? tell(allowanceEndText(live.place, clock.now() >= before))
          : undefined;
    }),
  );
  let isWarned = false;
  listeners.add(
    live.cancelOnDisconnect.onDidChange(() => {
      const count = tiedCount(live.cancelOnDisconnect);
      if (isWarned || count === 0) return;
      isWarned = true;
      warn(tiedText({ place: live.place, count }));
    }),
  );
  return listeners;
}
