import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { createHttpPeer } from "../rpc/httpPeer.ts";
import type { SecretValues } from "../rpc/maskSecrets.ts";
import { createPeer, type Peer } from "../rpc/peer.ts";
import type { TrafficRecorder } from "../rpc/traffic.ts";
import { isHttpServer, type HttpServer, type Transport } from "../rpc/transport.ts";
import { traceText } from "./trace.ts";

/** The parts of a link's peer. */
export interface LinkPeerPorts {
  readonly transport: Transport | HttpServer;
  readonly clock: Clock;
  readonly log: Log;
  readonly nextWireId: () => number;
  readonly isTracing: () => boolean;
  /** The recorder of what goes over the link; left out, nothing is recorded. */
  readonly traffic?: TrafficRecorder | undefined;
}

/**
 * Makes the peer of a link, over either transport. Its texts go to the log while that traces, its exchanges to the
 * traffic.
 */
export function createLinkPeer(
  { transport, clock, log, nextWireId, isTracing, traffic }: LinkPeerPorts,
  values: SecretValues,
): Peer {
  const trace = (direction: "sent" | "received", text: string): void => {
    if (isTracing()) traceText(log, values, direction, text);
  };
  const isHttp = isHttpServer(transport);
  const common = {
    clock,
    log,
    nextWireId,
    hide: (text: string): string => values.hide(text),
    trace,
    traffic: traffic?.tap(isHttp ? "http" : "webSocket", values),
  };
  return isHttp ? createHttpPeer({ ...common, server: transport }) : createPeer({ ...common, transport });
}
