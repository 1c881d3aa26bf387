import type { Disposable, Event } from "../base/emitter.ts";
import type { LinkTrouble } from "../base/failure.ts";

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

/** Opens a link or throws `CallError` with `cannotConnect`. The signal gives the attempt up. */
export type Dial = (signal: AbortSignal) => Promise<Transport>;
