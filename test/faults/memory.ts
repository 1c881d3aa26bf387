import { CallError, type Failure } from "../../src/base/failure.ts";
import { createLinkedPair } from "../linkedPair.ts";
import { troubleOfClose, troubleOfRefusal, type HttpRefusal } from "../../src/rpc/linkTrouble.ts";
import type { Transport, TransportClose } from "../../src/rpc/transport.ts";
import { CONNECT_TIMEOUT_MS } from "../../src/rpc/webSocketTransport.ts";
import type { FakeClock } from "../fakeClock.ts";
import { createLatency, type Latency } from "./latency.ts";
import type { Line, LinePorts } from "./line.ts";
import type { Encounter, Wire } from "./wire.ts";

/** A host and port without a server; they are used in texts only. */
const ADDRESS = "127.0.0.1:1";

/** A line without bytes: a dial meets a linked pair, or the failure that a socket would have ended with. */
export function openMemory({ clock, server }: LinePorts): Line {
  const waiting: Encounter[] = [];
  const wires: MemoryWire[] = [];
  let listenerCount = 0;

  const open = (then: ((wire: Wire) => void) | undefined): Transport => {
    const [client, end] = createLinkedPair();
    const wire = new MemoryWire(end, clock, wires.length + 1);
    wires.push(wire);
    wire.connection = server.accept(wire.end);
    then?.(wire);
    const counted = <T>(
      listen: (listener: (value: T) => void) => { dispose(): void },
      listener: (value: T) => void,
    ): { dispose(): void } => {
      const subscription = listen(listener);
      let isThere = true;
      listenerCount++;
      return {
        dispose() {
          if (isThere) listenerCount--;
          isThere = false;
          subscription.dispose();
        },
      };
    };
    return {
      ...client,
      onText: (listener) => counted(client.onText, listener),
      onClose: (listener) =>
        counted(client.onClose, (close) => listener(close.trouble === "closedByServer" ? wire.ending : close)),
    };
  };

  return {
    address: ADDRESS,
    url: `ws://${ADDRESS}/ws/api/v2`,
    wires,
    heardBytes: 0,
    meet: (encounter) => {
      waiting.push(encounter);
    },
    async dial(signal) {
      const encounter = waiting.shift() ?? { meets: "server" };
      if (encounter.meets === "server") return await Promise.resolve(open(encounter.then));
      const failure = failureOf(encounter);
      if (failure !== undefined) throw new CallError(failure);
      // What never answers: the deadline is the transport's own, so there is one here too.
      return await new Promise((_, reject) => {
        const fail = (trouble: "connectTimeout" | "closedByUs", detail: string): void => {
          deadline.dispose();
          reject(new CallError({ kind: "cannotConnect", trouble, detail }));
        };
        const deadline = clock.after(CONNECT_TIMEOUT_MS, () =>
          fail("connectTimeout", `no connection within ${String(CONNECT_TIMEOUT_MS / 1000)} s`),
        );
        signal.addEventListener("abort", () => fail("closedByUs", "stopped"), { once: true });
      });
    },
    settle: async () => await clock.settle(),
    leftovers: () => [
      ...(listenerCount === 0 ? [] : [`${String(listenerCount)} listeners`]),
      ...wires.filter((wire) => !wire.isOver).map((wire) => `link ${String(wire.number)}`),
    ],
    close: async () => await Promise.resolve(),
  };
}

/** The failure with which a dial ends at once; undefined where nothing comes. */
function failureOf(encounter: Exclude<Encounter, { meets: "server" }>): Failure | undefined {
  const close = closeOf(encounter);
  return close === undefined ? undefined : { kind: "cannotConnect", ...close };
}

function closeOf(encounter: Exclude<Encounter, { meets: "server" }>): TransportClose | undefined {
  switch (encounter.meets) {
    case "noName":
      return { trouble: "dns", detail: `getaddrinfo ${encounter.code} 127.0.0.1` };
    case "refuse":
      return { trouble: "refused", detail: `connect ECONNREFUSED ${ADDRESS}` };
    case "rst":
      return { trouble: "closedByServer", detail: "read ECONNRESET" };
    case "fin":
      return { trouble: "closedByServer", detail: "ECONNRESET socket hang up" };
    case "http":
      return troubleOfRefusal(refusalOf(encounter));
    case "handshake":
      return { trouble: "notWebSocket", detail: "Invalid Sec-WebSocket-Accept header" };
    case "certificate":
      return { trouble: encounter.which === "wrongHost" ? "wrongHost" : "tls", detail: encounter.which };
    case "silentName":
    case "blackhole":
    case "stall":
    case "drip":
      return undefined;
  }
}

function refusalOf({ status, headers }: Extract<Encounter, { meets: "http" }>): HttpRefusal {
  return { status, location: headers?.["Location"], contentType: headers?.["Content-Type"], isFromProxy: false };
}

class MemoryWire implements Wire {
  connection!: Wire["connection"];
  readonly number: number;
  readonly pongs = 0;
  readonly closeCode = undefined;
  /** The server's end as the server has it. */
  readonly end: Transport;
  /** Why the link ended, as the client is told. */
  ending: TransportClose = { trouble: "closedByServer", detail: "close code 1006" };
  isOver = false;
  readonly #latency: Latency;
  #isHalfOpen = false;

  constructor(end: Transport, clock: FakeClock, number: number) {
    this.number = number;
    this.#latency = createLatency(clock, (text) => {
      if (!this.isOver && !this.#isHalfOpen) end.send(text);
    });
    this.end = {
      ...end,
      send: (text) => this.#latency.pass(text),
      onText: (listener) =>
        end.onText((text) => {
          if (!this.#isHalfOpen) listener(text);
        }),
    };
    end.onClose(() => {
      this.isOver = true;
      this.#latency.dispose();
    });
  }

  text(text: string): void {
    this.end.send(text);
  }

  close(code: number, reason = ""): void {
    this.ending = troubleOfClose(code, reason);
    this.end.close();
  }

  fin(): void {
    this.end.close();
  }

  rst(): void {
    this.end.terminate();
  }

  halfOpen(): void {
    this.#isHalfOpen = true;
  }

  latency(fromMs: number, toMs: number): void {
    this.#latency.set(fromMs, toMs);
  }

  get bytes(): never {
    throw new Error("A link in memory has no bytes: this row runs on sockets only.");
  }
}
