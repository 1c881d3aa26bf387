import { CallError } from "../src/base/failure.ts";
import { createInbox, type Inbox } from "../src/rpc/inbox.ts";
import type { Transport } from "../src/rpc/transport.ts";

/**
 * Makes two transports in memory, each the other end of the other. Delivery is by microtask and in order: what was sent
 * before the end arrives before the end. `terminate` ends like `close` but drops what has not arrived yet.
 */
export function createLinkedPair(): [Transport, Transport] {
  const left = createInbox();
  const right = createInbox();
  return [createEnd(left, right, "memory:left"), createEnd(right, left, "memory:right")];
}

function createEnd(own: Inbox, other: Inbox, description: string): Transport {
  let isOpen = true;
  let isCutOff = false;
  own.onClose(() => {
    isOpen = false;
  });
  const end = (code?: number): void => {
    if (!isOpen) return;
    isOpen = false;
    queueMicrotask(() => {
      const detail = code === undefined ? "closed by the other side" : String(code);
      other.finish({ trouble: "closedByServer", detail });
      own.finish({ trouble: "closedByUs", detail: "closed" });
    });
  };
  return {
    description,
    send(text) {
      if (!isOpen) throw new CallError({ kind: "notConnected", detail: "the connection is closed" });
      queueMicrotask(() => {
        if (!isCutOff && !other.isClosed) other.receive(text);
      });
    },
    onText: own.onText,
    onClose: own.onClose,
    close: end,
    terminate() {
      isCutOff = true;
      end();
    },
    dispose() {
      isCutOff = true;
      end();
    },
  };
}
