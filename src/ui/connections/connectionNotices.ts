import type { Gate } from "../../actions/gate/gate.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { Clock } from "../../base/clock.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { Times } from "../../present/text/times.ts";
import { expiringText, leftOutChannelsText } from "../../present/connections/gatewayFacts.ts";
import { allowanceEndText } from "../../present/connections/connectionWords.ts";
import { tiedCount, tiedText } from "../../present/connections/disconnectRisk.ts";

interface ConnectionNoticePorts {
  readonly clock: Clock;
  readonly times: Times;
  /** Shows a passing text until the result is disposed: the status bar shows it from then on. */
  readonly tell: (text: Plain) => Disposable;
  /** Shows a text that the user has to see. `view`: the one that it is about. */
  readonly warn: (text: Plain, view: "orders" | "connections") => void;
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
 * from reloading. Tells of what is wrong at the gateway while its link is there.
 */
export function createConnectionNotices(
  live: Pick<LiveConnection, "place" | "gate" | "cancelOnDisconnect" | "state" | "onDidChangeState">,
  { clock, times, tell, warn }: ConnectionNoticePorts,
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
      warn(tiedText({ place: live.place, count }), "orders");
    }),
  );
  listeners.add(followGateway(live, { clock, times, warn }));
  return listeners;
}

/** Tells once of a sign-in that couldn't be renewed, until it is, and once of each channel that is left out. */
function followGateway(
  live: Pick<LiveConnection, "place" | "state" | "onDidChangeState">,
  { clock, times, warn }: Pick<ConnectionNoticePorts, "clock" | "times" | "warn">,
): Disposable {
  let isExpiringTold = false;
  const told = new Set<string>();
  return live.onDidChangeState((state) => {
    if (state.status !== "ready") return;
    const { expiring, leftOut = [] } = state;
    if (expiring !== undefined && !isExpiringTold)
      warn(l10n.t("{0}: {1}", live.place, expiringText(expiring, { nowMs: clock.now(), times })), "connections");
    isExpiringTold = expiring !== undefined;
    const untold = leftOut.filter((channel) => !told.has(channel));
    for (const channel of untold) told.add(channel);
    if (untold.length > 0) warn(l10n.t("{0}: {1}", live.place, leftOutChannelsText(untold)), "connections");
  });
}
