import { createFakeRandom } from "../fakeClock.ts";
import { createWire as createMemoryWire, type LinkWire, type WirePorts } from "../simulation/wire.ts";

/** A wire in memory that can be compared with one that has a socket in it. */
export interface Book {
  readonly wire: LinkWire;
  /** A text has reached its end; after some of them the link may be cut. */
  readonly arrived: () => void;
}

/**
 * The wire in memory, with some differences: a chance of its own; a link that is cut after a text, or for having
 * swallowed one, is cut in the next turn of the loop, because no socket tells of its end at once; and the news of an
 * end is not lost when the client lets go of the link again. `isHeardLater`: whoever delivers a text to the client says
 * by itself when it has arrived.
 */
export function createBook(ports: WirePorts, isHeardLater: boolean, onCut: () => void = () => undefined): Book {
  let left = Infinity;
  const later = (end: () => void): void => {
    left = Infinity;
    if (wire.isOpen) onCut();
    setImmediate(end);
  };
  const arrived = (): void => {
    left--;
    if (left <= 0)
      later(() => {
        wire.cut();
      });
  };
  const wire = createMemoryWire({
    ...ports,
    random: createFakeRandom(ports.number),
    onServed(text) {
      ports.onServed(text);
      arrived();
    },
    onArrival(text, deliver) {
      ports.onArrival(text, deliver);
      if (!isHeardLater) arrived();
    },
  });
  const ifOpen = (end: () => void): void => {
    if (wire.isOpen) end();
  };
  return {
    wire: withMembers(wire, {
      client: {
        ...wire.client,
        terminate: () => {
          ifOpen(() => {
            wire.client.terminate();
          });
        },
        dispose: () => {
          ifOpen(() => {
            wire.client.dispose();
          });
        },
      },
      cutAfter: (messages: number) => {
        left = Math.min(left, messages);
      },
      heal() {
        left = Infinity;
        if (wire.isSwallowing)
          later(() => {
            wire.heal();
          });
      },
    }),
    arrived,
  };
}

/** In the place of the wire in memory. */
export function createWire(ports: WirePorts): LinkWire {
  return createBook(ports, false).wire;
}

/** The wire with some members changed; the others stay as lively as they are. */
export function withMembers(wire: LinkWire, members: Partial<LinkWire>): LinkWire {
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(wire), ...Object.getOwnPropertyDescriptors(members) },
  ) as LinkWire;
}
