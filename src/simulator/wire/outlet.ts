import type { Transport } from "../../rpc/transport.ts";
import type { Outlet } from "../sessions/connection.ts";

/** Makes the outlet of a link. A link that has gone takes nothing more, and reports nothing. */
export function createOutlet(transport: Transport): Outlet {
  let isOpen = true;
  transport.onClose(() => {
    isOpen = false;
  });
  return {
    send(text) {
      if (isOpen) transport.send(text);
    },
    close() {
      if (isOpen) transport.close();
      isOpen = false;
    },
    // A link that is being closed in order can still be cut off.
    terminate() {
      transport.terminate();
      isOpen = false;
    },
  };
}
