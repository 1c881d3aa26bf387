import type { Authorisation } from "../access/tokens.ts";

/** The outlet for responses and events of a connection. Nothing in here throws, whatever the link does. */
export interface Outlet {
  /** Sends a text. `errorCode` for links that have a status beside it. */
  send(text: string, errorCode?: number): void;
  /** Sends a page with a status, as a server in front of the exchange does; undefined for links without a status. */
  fail?(status: number, html: string): void;
  /** Ends the link in order. `code`: of the closing (default: 1000). */
  close(code?: number): void;
  /** Cuts the link off at once. */
  terminate(): void;
}

/** A socket of the gateway: for calls and the channels of an account, or for the channels of the market. */
export type GatewayDoor = "trading" | "streams";

/** A conversation: a WebSocket for as long as it lasts, or a single HTTP request. */
export interface SimulatedConnection {
  /** The number of the connection, from 1, in the order of their coming; HTTP requests are counted too. */
  readonly number: number;
  readonly link: "webSocket" | "http";
  /** The socket of a played gateway that it came through; undefined elsewhere, and over HTTP. */
  readonly door?: GatewayDoor | undefined;
  readonly outlet: Outlet;
  /** The authorization from public/auth on this connection; private calls then need no token of their own. */
  authorisation: Authorisation | undefined;
  /** The name and version from public/hello. */
  client: string | undefined;
}

/** Returns a function that opens connections, numbered from 1, of which nothing is signed in yet. */
export function connectionsFromOne(): (
  link: SimulatedConnection["link"],
  outlet: Outlet,
  door?: GatewayDoor,
) => SimulatedConnection {
  let number = 0;
  return (link, outlet, door) => ({
    number: ++number,
    link,
    door,
    outlet,
    authorisation: undefined,
    client: undefined,
  });
}
