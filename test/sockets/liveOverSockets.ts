import { createLiveConnection, type LiveConnection } from "../../src/actions/connection/liveConnection.ts";
import { createMemoryJournal } from "../../src/actions/journal/journal.ts";
import { createSystemClock, type Clock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { httpServerOf, isHttpAddress } from "../../src/rpc/address.ts";
import { dialWebSocket } from "../../src/rpc/webSocketTransport.ts";
import { createSession } from "../../src/session/createSession.ts";
import type { Exchange } from "../../src/simulator/wire/exchange.ts";
import type { ConnectionRecord } from "../../src/state/records.ts";
import { sessionPorts } from "../sessionPorts.ts";

/**
 * A connection as the extension makes it, to a server on loopback; by HTTP alone where the address says so. Everything
 * is agreed to.
 */
export function connectionTo(
  exchange: Pick<Exchange, "clientId" | "clientSecret">,
  url: string,
  journal = createMemoryJournal(),
  clock = createSystemClock(),
): LiveConnection {
  const record: ConnectionRecord = {
    id: "lab",
    name: "lab",
    declared: "test",
    url,
    grant: "client_signature",
    clientId: exchange.clientId,
    trading: { largestOrderUsd: Infinity, totalUsd: Infinity, usedUsd: 0, environment: "test" },
  };
  const portsOf = sessionPorts(clock);
  return createLiveConnection(record, {
    createSession: (_record, way) =>
      createSession({
        ...portsOf(),
        dial: async (signal) =>
          way === "http" || isHttpAddress(url) ? httpServerOf(url) : await dialWebSocket(url, { clock }, signal),
        credentials: async () =>
          await Promise.resolve({
            kind: "client_signature",
            clientId: exchange.clientId,
            clientSecret: exchange.clientSecret,
          }),
      }),
    currentRecord: () => record,
    isOwnSimulator: false,
    ask: async () => await Promise.resolve(true),
    journal,
    clock,
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
    log: silentLog,
  });
}

/** How many times as fast a quick clock runs. Calls still have seconds until they time out. */
const SPEED = 5;

/** The clock of the machine, but faster: for tests in which the product waits. The exchange needs the same one. */
export function createQuickClock(): Clock {
  const system = createSystemClock();
  const startMs = system.now();
  return {
    now: () => Math.floor(startMs + (system.now() - startMs) * SPEED),
    monotonicMs: () => system.monotonicMs() * SPEED,
    after: (delayMs, run) => system.after(delayMs / SPEED, run),
  };
}

/** Connects; rejects with the state that it ended in instead. */
export async function ready(live: LiveConnection): Promise<void> {
  live.connect();
  await new Promise<void>((resolve, reject) => {
    const look = (): void => {
      if (live.state.status === "ready") resolve();
      if (live.state.status === "waiting" || live.state.status === "locked")
        reject(new Error(JSON.stringify(live.state)));
    };
    live.onDidChangeState(look);
    look();
  });
}
