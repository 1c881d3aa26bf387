import type { Log } from "../base/log.ts";
import { plain } from "../base/plain.ts";
import { createHttpPeer } from "../rpc/httpPeer.ts";
import { hideChallenge, maskNamed, scanWireText, type SecretValues } from "../rpc/maskSecrets.ts";
import { createPeer, type Peer } from "../rpc/peer.ts";
import { isHttpServer, type HttpServer, type Transport } from "../rpc/transport.ts";
import type { SessionPorts } from "./session.ts";

/** What the peer of a link is made of. */
type LinkPeerPorts = Pick<SessionPorts, "clock" | "log" | "nextWireId" | "isTracing" | "traffic"> & {
  readonly transport: Transport | HttpServer;
};

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

/** The length at which texts are cut: the log says what went over the wire, it does not keep it. */
const MAX_LINE = 2000;
/** The maximum length of a secret; what is searched has to reach so far beyond the cut. */
const MAX_SECRET = 4096;

/** Writes one line for each text of the wire, without secrets, cut, and harmless to read. */
function traceText(log: Log, values: SecretValues, direction: "sent" | "received", text: string): void {
  const scan = scanWireText(text);
  const arrow = direction === "sent" ? "→" : "←";
  if (scan.problem !== undefined) {
    // Where a text cannot be read whole, the places of its secrets are unknown.
    log.trace(plain`${arrow} (${text.length} characters that are not shown: ${plain.text(scan.problem)})`);
    return;
  }
  const masked = hideChallenge(values.hide(maskNamed(text, scan.secrets).slice(0, MAX_LINE + MAX_SECRET)));
  const size = text.length > MAX_LINE ? plain` (${text.length} characters)` : "";
  log.trace(plain`${arrow} ${plain.text(masked, MAX_LINE)}${size}`);
}
