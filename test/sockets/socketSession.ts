import { createSystemClock, type Clock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { dialWebSocket } from "../../src/rpc/webSocketTransport.ts";
import { createSession } from "../../src/session/createSession.ts";
import type { Credentials, Session } from "../../src/session/session.ts";

/** A session that is off, to a server on this machine; without limits and without a log. */
export function createSocketSession(url: string, credentials: Credentials, clock: Clock = createSystemClock()): Session {
  let numbers = 0;
  return createSession({
    dial: async (signal) => await dialWebSocket(url, { clock }, signal),
    credentials: async () => await Promise.resolve(credentials),
    client: { name: "test", version: "0" },
    clock,
    random: () => 0.5,
    log: silentLog,
    nextWireId: () => ++numbers,
    nextGeneration: () => ++numbers,
    limits: "off",
    isTracing: () => false,
  });
}
