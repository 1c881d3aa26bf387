import type { Disposable, Event } from "../base/emitter.ts";
import type { LinkTrouble } from "../base/failure.ts";
import type { HttpRequest } from "./httpRequest.ts";

/** An open link that carries texts in both directions. Made already open; lost once, and finally. */
export interface Transport extends Disposable {
  /** The destination for the log: scheme, host and port, never credentials. */
  readonly description: string;
  /** Passes a text to the link. That proves nothing about its arrival. Throws `notConnected` once closed. */
  send(text: string): void;
  /** Fires for each text in the order of arrival. */
  readonly onText: Event<string>;
  /** Fires once, at the end of the link. */
  readonly onClose: Event<TransportClose>;
  /** Ends the link in order; a peer that does not answer the closing is cut off after 2 s. `code`: for servers. */
  close(code?: number): void;
  /** Cuts the link off at once. */
  terminate(): void;
}

/** The reason for the end of a link. */
export interface TransportClose {
  readonly trouble: LinkTrouble;
  /** The details for the log and tooltips; may contain text from outside. */
  readonly detail: string;
}

/** A server that takes single HTTP requests, without a link that could be opened or lost; nothing is pushed. */
export interface HttpServer {
  /** The scheme, host and port. */
  readonly origin: string;
  /** The path of the API, without a slash at its end, e.g. `/api/v2`. */
  readonly basePath: string;
  /** Opens the way there; node's own HTTP when left out. */
  readonly openExchange?: () => HttpExchange;
}

/** An HTTP server, and the connections to it that are kept for the next request. */
export interface HttpExchange extends Disposable {
  /**
   * Sends one request and resolves to the response, whatever its status; redirects are not followed. Throws
   * `CallError`: `cannotConnect` when no byte of the request went out, `connectionLost` when the response broke off,
   * `unreadableResult` above 64 MiB.
   */
  send(request: HttpRequest, options: HttpSendOptions): Promise<HttpResponse>;
}

interface HttpSendOptions {
  /** The token; goes into the header and nowhere else. */
  readonly accessToken: string | undefined;
  /** Called with the connection open, right before the request is handed to it. What it throws prevents the send. */
  readonly onSend: () => void;
  readonly signal: AbortSignal;
  /** Whether the request is a read. Reads leave some of the connections to what changes something. */
  readonly isRead: boolean;
}

export interface HttpResponse {
  readonly status: number;
  readonly location: string | undefined;
  /** The seconds to wait, where the server reports them. */
  readonly retryAfter?: number | undefined;
  readonly text: string;
}

/**
 * Opens a link, or returns the server of single requests. Throws `CallError` with `cannotConnect`. The signal gives the
 * attempt up.
 */
export type Dial = (signal: AbortSignal) => Promise<Transport | HttpServer>;

export function isHttpServer(dialled: Transport | HttpServer): dialled is HttpServer {
  return "origin" in dialled;
}
