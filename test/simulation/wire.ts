import type { Random } from "../../src/base/clock.ts";
import { createEmitter } from "../../src/base/emitter.ts";
import { CallError } from "../../src/base/failure.ts";
import { troubleOfClose } from "../../src/rpc/linkTrouble.ts";
import type { Transport, TransportClose } from "../../src/rpc/transport.ts";
import type { Side } from "./time.ts";

/** How long a message is under way: ms. */
export type Latency = () => number;

/** What goes over a wire in memory. Each direction keeps its order, as TCP does, and has a latency for each message. */
export interface Wire {
  readonly number: number;
  /** `http`: there is no link, but single requests. */
  readonly kind: "webSocket" | "http";
  /** Whether the client still takes the link for open. */
  readonly isOpen: boolean;
  /** Messages under way in both directions. */
  readonly inFlight: number;
  /** When the client got a text the last time, on the time line; the moment of opening before. */
  readonly heardAtMs: number;
  /** Messages of a direction are lost from now on, without an error. */
  swallow(direction: "toServer" | "toClient" | "both"): void;
  readonly isSwallowing: boolean;
  /** No more faults: a link that has swallowed something is cut, because none goes on after that. */
  heal(): void;
  /** Cut by the network: now, or when so many more messages have arrived. */
  cut(): void;
  cutAfter(messages: number): void;
  /** The server closes, with a code of RFC 6455. */
  closeByServer(code: number, reason: string): void;
  /** A text of the server that the exchange knows nothing of. */
  inject(text: string): void;
}

/** A link over which texts go in both directions for as long as it lasts. */
export interface LinkWire extends Wire {
  readonly client: Transport;
  readonly server: Transport;
}

export interface WirePorts {
  readonly number: number;
  /** Deliveries to the client, which wait while it sleeps; and those to the server. */
  readonly toClient: Side;
  readonly toServer: Side;
  readonly latency: Latency;
  readonly random: Random;
  readonly elapsedMs: () => number;
  /** What the client handed to the link, before anything happens to it. */
  readonly onSent: (text: string) => void;
  /** A text has reached the exchange, and was served. */
  readonly onServed: (text: string) => void;
  /** The exchange has written a text for the link, before anything happens to it. */
  readonly onWritten?: ((text: string) => void) | undefined;
  /**
   * Around each text that reaches the client's end, open or not; `requestId`: of the request that it belongs to,
   * whatever it says.
   */
  readonly onArrival: (text: string, deliver: () => void, requestId?: number) => void;
}

type Message =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "close"; readonly close: TransportClose };

export function createWire(ports: WirePorts): LinkWire {
  const isSwallowing = { toServer: false, toClient: false };
  let arrivalsLeft = Infinity;
  let heardAtMs = ports.elapsedMs();
  const client = createEnd();
  const server = createEnd();
  // The exchange keeps its ears on what has ended; they are not the client's.
  server.closes.event(() => {
    server.texts.dispose();
    server.closes.dispose();
  });
  const arrived = (): void => {
    arrivalsLeft--;
    if (arrivalsLeft <= 0) cut();
  };
  const toClient = createLane(ports.toClient, ports.latency, (message) => {
    if (message.kind === "close") client.finish(message.close);
    else if (!isSwallowing.toClient) {
      if (client.isOpen) heardAtMs = ports.elapsedMs();
      // A socket may still bring texts after it was closed from here: whoever listens must not care.
      ports.onArrival(message.text, () => {
        client.texts.fire(message.text);
      });
      arrived();
    }
  });
  const toServer = createLane(ports.toServer, ports.latency, (message) => {
    if (message.kind === "close") server.finish(message.close);
    else if (!isSwallowing.toServer && server.isOpen) {
      server.texts.fire(message.text);
      ports.onServed(message.text);
      arrived();
    }
  });
  const cut = (): void => {
    arrivalsLeft = Infinity;
    toClient.clear();
    toServer.clear();
    client.finish(troubleOfClose(1006, ""));
    toServer.put({ kind: "close", close: troubleOfClose(1006, "") });
  };
  const end = (own: End, lane: Lane): void => {
    if (!own.isOpen) return;
    own.isOpen = false;
    lane.put({ kind: "close", close: { trouble: "closedByServer", detail: "closed by the other side" } });
    queueMicrotask(() => own.finish({ trouble: "closedByUs", detail: "closed" }));
  };
  const transportOf = (own: End, lane: Lane, onSend: (text: string) => void): Transport => ({
    description: `simulated wire ${ports.number}`,
    send(text) {
      if (!own.isOpen) throw new CallError({ kind: "notConnected", detail: "the connection is closed" });
      onSend(text);
      lane.put({ kind: "text", text });
    },
    onText: own.texts.event,
    onClose: own.closes.event,
    close: () => {
      end(own, lane);
    },
    terminate() {
      // What had left may have arrived or not.
      if (ports.random() < 0.5) lane.clear();
      end(own, lane);
    },
    dispose() {
      if (ports.random() < 0.5) lane.clear();
      end(own, lane);
    },
  });
  return {
    number: ports.number,
    kind: "webSocket",
    client: transportOf(client, toServer, ports.onSent),
    server: transportOf(server, toClient, (text) => {
      ports.onWritten?.(text);
    }),
    get isOpen() {
      return client.isOpen;
    },
    get inFlight() {
      return toClient.length + toServer.length;
    },
    get heardAtMs() {
      return heardAtMs;
    },
    get isSwallowing() {
      return isSwallowing.toServer || isSwallowing.toClient;
    },
    swallow(direction) {
      if (direction !== "toClient") isSwallowing.toServer = true;
      if (direction !== "toServer") isSwallowing.toClient = true;
    },
    heal() {
      arrivalsLeft = Infinity;
      if (isSwallowing.toServer || isSwallowing.toClient) cut();
    },
    cut: () => {
      if (client.isOpen) cut();
    },
    cutAfter: (messages) => {
      arrivalsLeft = Math.min(arrivalsLeft, messages);
    },
    closeByServer(code, reason) {
      if (!server.isOpen) return;
      server.isOpen = false;
      toClient.put({ kind: "close", close: troubleOfClose(code, reason) });
      queueMicrotask(() => server.finish({ trouble: "closedByUs", detail: "closed" }));
    },
    inject: (text) => {
      if (server.isOpen) toClient.put({ kind: "text", text });
    },
  };
}

interface End {
  isOpen: boolean;
  readonly texts: ReturnType<typeof createEmitter<string>>;
  readonly closes: ReturnType<typeof createEmitter<TransportClose>>;
  finish(close: TransportClose): void;
}

function createEnd(): End {
  let isFinished = false;
  const end: End = {
    isOpen: true,
    texts: createEmitter<string>(),
    closes: createEmitter<TransportClose>(),
    finish(close) {
      if (isFinished) return;
      isFinished = true;
      end.isOpen = false;
      end.closes.fire(close);
    },
  };
  return end;
}

interface Lane {
  readonly length: number;
  put(message: Message): void;
  clear(): void;
}

function createLane({ clock }: Side, latency: Latency, deliver: (message: Message) => void): Lane {
  let queue: Message[] = [];
  let freeAtMs = 0;
  return {
    get length() {
      return queue.length;
    },
    put(message) {
      const own = queue;
      own.push(message);
      freeAtMs = Math.max(freeAtMs, clock.monotonicMs() + latency());
      clock.after(freeAtMs - clock.monotonicMs(), () => {
        // What was cleared away does not arrive.
        const first = own === queue ? queue.shift() : undefined;
        if (first !== undefined) deliver(first);
      });
    },
    clear() {
      queue = [];
    },
  };
}
