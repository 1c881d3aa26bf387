import { createSystemClock, type Clock } from "../../src/base/clock.ts";
import { dialWebSocket } from "../../src/rpc/webSocketTransport.ts";
import { createSession } from "../../src/session/createSession.ts";
import type { Credentials, Session } from "../../src/session/session.ts";
import { sessionPorts } from "../sessionPorts.ts";

/** A session that is off, to a server on this machine; without limits and without a log. */
export function createSocketSession(
  url: string,
  credentials: Credentials,
  clock: Clock = createSystemClock(),
): Session {
  const portsOf = sessionPorts(clock);
  return createSession({
    ...portsOf(),
    dial: async (signal) => await dialWebSocket(url, { clock }, signal),
    credentials: async () => await Promise.resolve(credentials),
    random: () => 0.5,
  });
}
