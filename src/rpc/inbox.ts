import { createEmitter, type Event } from "../base/emitter.ts";
import type { TransportClose } from "./transport.ts";

/**
 * The receiving half of a transport. Keeps what arrives until there is a listener. Between the opening of a link and
 * the first listener lie turns of the event loop in which the other side may speak or leave.
 */
export interface Inbox {
  readonly onText: Event<string>;
  readonly onClose: Event<TransportClose>;
  readonly isClosed: boolean;
  receive(text: string): void;
  /** Ends the link; only the first call counts. */
  finish(close: TransportClose): void;
}

export function createInbox(): Inbox {
  const texts = createEmitter<string>();
  const closes = createEmitter<TransportClose>();
  let waiting: string[] | undefined = [];
  let closed: TransportClose | undefined;
  return {
    onText(listener) {
      const subscription = texts.event(listener);
      const early = waiting;
      waiting = undefined;
      if (early !== undefined && early.length > 0)
        queueMicrotask(() => {
          for (const text of early) texts.fire(text);
        });
      return subscription;
    },
    onClose(listener) {
      if (closed === undefined) return closes.event(listener);
      const late = closed;
      let isWanted = true;
      // After the texts that came before the end.
      queueMicrotask(() => {
        if (isWanted) listener(late);
      });
      return {
        dispose: () => {
          isWanted = false;
        },
      };
    },
    get isClosed() {
      return closed !== undefined;
    },
    receive(text) {
      if (waiting === undefined) texts.fire(text);
      else waiting.push(text);
    },
    finish(close) {
      if (closed !== undefined) return;
      closed = close;
      closes.fire(close);
      closes.dispose();
    },
  };
}
