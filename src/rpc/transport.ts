import type { Disposable, Event } from "../base/emitter.ts";
import type { LinkTrouble } from "../base/failure.ts";
import type { HttpRequest } from "./httpRequest.ts";

/** An open link that carries texts in both directions. Made already open; lost once, for good. */
export interface Transport extends Disposable {
  /** Where it leads, for the log: scheme, host and port, never credentials. */
  readonly description: string;
  /** Hands a text to the link. That proves nothing about its arrival. Throws `notConnected` once closed. */
  send(text: string): void;
  /** Each text in the order of arrival. */
  readonly onText: Event<string>;
  /** Fires once. */
  readonly onClose: Event<TransportClose>;
  /** Ends the link in order; a peer that does not answer the closing is cut off after 2 s. */
  close(): void;
  /** Cuts the link off at once. */
  terminate(): void;
}

/** Why a link ended. */
export interface TransportClose {
  readonly trouble: LinkTrouble;
  /** For the log and tooltips; may contain text from outside. */
  readonly detail: string;
}

/** A server that takes single HTTP requests: there is no link that could be opened or lost, and nothing is pushed. */
export interface HttpServer {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The path of the API, without a slash at its end, e.g. `/api/v2`. */
  readonly basePath: string;
  /** The way there; node's own HTTP when left out. */
  readonly openExchange?: () => HttpExchange;
}

/** One HTTP server, and the connections to it that are kept for the next request. */
export interface HttpExchange extends Disposable {
  /**
   * Sends one request and resolves to what came back, whatever its status; redirects are not followed. Throws
   * `CallError`: `cannotConnect` when not a byte of the request went out, `connectionLost` when the response broke off,
   * `unreadableResult` for a response of more than 64 MiB.
   */
  send(request: HttpRequest, options: HttpSendOptions): Promise<HttpResponse>;
}

export interface HttpSendOptions {
  /** Goes into the header and nowhere else. */
  readonly accessToken: string | undefined;
  /** Called with the connection open, right before the request is handed to it. What it throws prevents the send. */
  readonly onSend: () => void;
  readonly signal: AbortSignal;
  /** Reads leave some of the connections to what changes something. */
  readonly isRead: boolean;
}

export interface HttpResponse {
  readonly status: number;
  readonly location: string | undefined;
  /** Seconds to wait, where the server says so. */
  readonly retryAfter?: number | undefined;
  readonly text: string;
}

/**
 * Opens a link, or says where single requests go. Throws `CallError` with `cannotConnect`. The signal gives the attempt
 * up.
 */
export type Dial = (signal: AbortSignal) => Promise<Transport | HttpServer>;

export function isHttpServer(dialled: Transport | HttpServer): dialled is HttpServer {
  return "origin" in dialled;
}
