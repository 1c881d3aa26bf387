import type { Tokens } from "../access/tokens.ts";
import type { Transport } from "../../rpc/transport.ts";
import type { Disconnects } from "../sessions/disconnects.ts";
import { connectionsFromOne, type GatewayDoor, type Outlet, type SimulatedConnection } from "../sessions/connection.ts";
import { type Heartbeats, SILENCE_MS } from "../sessions/heartbeat.ts";
import type { Publisher } from "../sessions/publisher.ts";
import type { Control } from "./control.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";

/** The keeper of the connections: from the first frame to the rest after the link's end. */
interface Switchboard {
  accept(transport: Transport, door?: GatewayDoor): void;
  open(link: SimulatedConnection["link"], outlet: Outlet): SimulatedConnection;
  readonly isRefusing: boolean;
  /** Whether there is no WebSocket connection. */
  readonly isEmpty: boolean;
  readonly control: Pick<Control, "connections" | "disconnectAll" | "refuseConnections" | "sendText">;
}

interface SwitchboardPorts {
  readonly tokens: Tokens;
  readonly publisher: Publisher;
  readonly heartbeats: Heartbeats;
  readonly dispatcher: Dispatcher;
  readonly disconnects: Disconnects;
  /** Needed while there are connections: only they are told of states at once. */
  readonly states: StateWatch;
}

/** Makes a switchboard without connections. */
export function createSwitchboard(ports: SwitchboardPorts): Switchboard {
  const { tokens, publisher, heartbeats, dispatcher, disconnects, states } = ports;
  const connections = new Set<SimulatedConnection>();
  let isRefusing = false;
  const open = connectionsFromOne();
  const end = (connection: SimulatedConnection): void => {
    if (!connections.delete(connection)) return;
    heartbeats.forget(connection);
    publisher.forget(connection);
    tokens.forget(connection.number);
    disconnects.closed(connection);
    states.update();
    publisher.flush();
  };
  return {
    open,
    accept(transport, door) {
      if (isRefusing) {
        transport.terminate();
        return;
      }
      const connection = open("webSocket", createOutlet(transport), door);
      connections.add(connection);
      disconnects.opened(connection);
      // A client that is silent may not take part in the closing: its connection has ended nevertheless.
      heartbeats.watch(connection, () => {
        connection.outlet.close(door === undefined ? undefined : IDLE_CODE);
        end(connection);
      });
      transport.onText((text) => {
        if (!connections.has(connection)) return;
        states.update();
        dispatcher.receive(connection, { text });
      });
      transport.onClose(() => end(connection));
    },
    get isRefusing() {
      return isRefusing;
    },
    get isEmpty() {
      return connections.size === 0;
    },
    control: {
      connections: () =>
        [...connections].map((each) => ({
          number: each.number,
          scope: each.authorisation?.scope,
          client: each.client,
          channels: publisher.channelsOf(each),
          events: publisher.eventsTo(each),
        })),
      disconnectAll(how = "close") {
        for (const { outlet } of [...connections]) {
          if (how === "close") outlet.close();
          else outlet.terminate();
        }
      },
      refuseConnections(on) {
        isRefusing = on;
      },
      sendText(text) {
        for (const { outlet } of connections) outlet.send(text);
      },
    },
  };
}

/** The code with which the gateway closes a socket without a message of its client. */
const IDLE_CODE = 1011;

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
    close(code) {
      if (isOpen) transport.close(code);
      isOpen = false;
    },
    // A link that is being closed in order can still be cut off.
    terminate() {
      transport.terminate();
      isOpen = false;
    },
  };
}

/** A watch over states that change by the clock. */
export interface StateWatch extends Disposable {
  /** To be called with each sign of life, after a state was changed from outside, and when `isNeeded` has changed. */
  update(): void;
}

interface StateWatchPorts {
  readonly clock: Clock;
  /** Whether a change has to be noticed when it comes. */
  readonly isNeeded: () => boolean;
  /** Returns when a state changes next after a moment, in ms since the epoch. */
  readonly nextChange: (afterMs: number) => number;
  readonly onChange: () => void;
}

/** Makes a watch that calls a function at each moment at which a state changes by the clock, while that is needed. */
export function createStateWatch({ clock, isNeeded, nextChange, onChange }: StateWatchPorts): StateWatch {
  let timer: Disposable | undefined;
  const update = (): void => {
    timer?.dispose();
    timer = undefined;
    if (!isNeeded()) return;
    const dueMs = nextChange(clock.now());
    // Until then there is another sign of life, or no connection.
    if (dueMs - clock.now() > SILENCE_MS) return;
    timer = clock.after(dueMs - clock.now(), () => {
      // A clock that was set back is before the moment.
      if (clock.now() >= dueMs) onChange();
      update();
    });
  };
  return { update, dispose: () => timer?.dispose() };
}
