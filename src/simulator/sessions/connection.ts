import type { Authorisation } from "../access/tokens.ts";

/** Where responses and events of a connection go. Nothing in here throws, whatever the link does. */
export interface Outlet {
  /** `errorCode` for links that have a status beside the text. */
  send(text: string, errorCode?: number): void;
  /** Ends the link in order. */
  close(): void;
  /** Cuts it off at once. */
  terminate(): void;
}

/** One conversation: a WebSocket for as long as it lasts, or a single HTTP request. */
export interface SimulatedConnection {
  /** From 1, in the order of their coming; HTTP requests are counted too. */
  readonly number: number;
  readonly link: "webSocket" | "http";
  readonly outlet: Outlet;
  /** What public/auth gave this connection; private calls then need no token of their own. */
  authorisation: Authorisation | undefined;
  /** Name and version from public/hello. */
  client: string | undefined;
}
