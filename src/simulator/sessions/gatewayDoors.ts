import { CallError } from "../../base/failure.ts";
import { METHOD_NOT_FOUND } from "../../catalogue/codes.ts";
import { isOfferedAt } from "../../catalogue/offer.ts";
import { gatewayReference } from "../../catalogue/reference/gateway.ts";
import { isChannelOfferedAt } from "../../catalogue/reference/reference.ts";
import { isAboutMarketChannels } from "../../catalogue/sessionCalls.ts";
import type { GatewayBehaviour } from "../access/gatewayAccess.ts";
import type { SimulatedConnection } from "./connection.ts";

/* Which methods and channels a played gateway serves over which of its two sockets, and over HTTP. */

const OF_BOTH: readonly string[] = ["public/test", "public/set_heartbeat", "public/disable_heartbeat"];

type Place = Pick<SimulatedConnection, "door" | "link">;

/** Throws the refusal of a method that is not served there, in the gateway's words. */
export function requireServed(method: string, { door, link }: Place, behaviour: GatewayBehaviour): void {
  const isOfStreams = isAboutMarketChannels(method) || (method === "public/hello" && behaviour.helloOnStreams);
  const isServed =
    door === "streams"
      ? isOfStreams || OF_BOTH.includes(method)
      : isOfferedAt(method, "gateway") && !isAboutMarketChannels(method) && !isElsewhere(method, link);
  if (isServed) return;
  throw new CallError({ kind: "exchange", code: METHOD_NOT_FOUND, message: "method not in allowlist" });
}

function isElsewhere(method: string, link: SimulatedConnection["link"]): boolean {
  return link === "http" && gatewayReference(method)?.isWebSocketOnly === true;
}

/** Whether a channel is served there. The response omits others without an error. */
export function isChannelServed(channel: string, { door }: Place): boolean {
  const isOfAccount = channel.startsWith("user.");
  if (!isChannelOfferedAt(channel, "gateway")) return false;
  return door === "streams" ? !isOfAccount && !channel.endsWith(".raw") : isOfAccount;
}
