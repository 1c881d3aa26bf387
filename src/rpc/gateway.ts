import { isLoopback } from "./address.ts";

/*
 * Where the partner's gateway to the exchange is. It has two sockets: one for calls and the channels of an account, and
 * one for the channels of the market. https://docs.cdp.coinbase.com
 */

const HOST = "drb.coinbase.com";

/** The address of the socket for calls. */
export const GATEWAY_URL = `wss://${HOST}/ws/api/v2`;

/** Whether an address leads to the gateway itself: its own host, encrypted, on the usual port. */
export function isGatewayAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host } = new URL(address);
  return host === HOST && (protocol === "wss:" || protocol === "https:");
}

/** Whether an address has the host of the gateway, however it is reached: no other credentials belong there. */
export function isGatewayHost(address: string): boolean {
  const { hostname } = URL.canParse(address) ? new URL(address) : { hostname: "" };
  return hostname === HOST || hostname.endsWith(`.${HOST}`);
}

/**
 * Returns the address of the socket for market channels. The simulator has it at the next port. Undefined for other
 * servers, of which no such address is known.
 */
export function streamsAddressOf(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined) return undefined;
  if (isGatewayAddress(address)) url.hostname = `streams.${HOST}`;
  else if (isLoopback(address) && url.port !== "") url.port = String(Number(url.port) + 1);
  else return undefined;
  return url.href;
}

/** What the names of the keys of simulators begin with. These are for simulators alone, and no others are. */
export const SIMULATOR_KEY_START = "organizations/simulator/apiKeys/";
