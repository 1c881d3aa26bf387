import { createLinkedPair } from "./linkedPair.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "./fakeClock.ts";
import type { Clock } from "../src/base/clock.ts";
import type { Log } from "../src/base/log.ts";
import { TrafficRecorder } from "../src/rpc/traffic.ts";
import type { Transport } from "../src/rpc/transport.ts";
import { createGatewaySession } from "../src/session/gatewaySession.ts";
import type { Credentials, Session, SessionState } from "../src/session/session.ts";
import type { GatewayBehaviour, GatewayKey } from "../src/simulator/access/gatewayAccess.ts";
import type { GatewayDoor } from "../src/simulator/sessions/connection.ts";
import { createExchange, type Exchange } from "../src/simulator/wire/exchange.ts";

/** A session at a played gateway, all in this process and on one clock. */
export interface GatewayLab {
  readonly clock: FakeClock;
  readonly exchange: Exchange;
  readonly session: Session;
  readonly key: GatewayKey;
  /** The behavior of the gateway, to be changed. */
  readonly behaviour: GatewayBehaviour;
  readonly states: SessionState[];
  readonly logged: string[];
  /** The sockets that were opened so far, by their door. */
  readonly sockets: Readonly<Record<GatewayDoor, Transport[]>>;
  /** The reasons of the ends of sockets, as the client's side heard them. */
  readonly ends: string[];
  /** The texts that a recording of the traffic gets: parameters, responses, and events. */
  readonly recorded: string[];
  connect(): Promise<void>;
  /** The frames that the gateway received, with a text in them. */
  frames(text: string): string[];
}

export interface LabOptions {
  readonly behaviour?: Partial<GatewayBehaviour>;
  /** The key that the gateway knows; left out, the one that it hands out. */
  readonly key?: GatewayKey;
  readonly credentials?: () => Promise<Credentials>;
  /** How far the clock of the client is ahead, in ms. */
  readonly aheadMs?: number;
}

export function createGatewayLab({ behaviour = {}, key, credentials, aheadMs = 0 }: LabOptions = {}): GatewayLab {
  const clock = createFakeClock();
  const exchange = createExchange({
    ...{ clock, random: createFakeRandom(7), still: true, limits: false, stepMs: 60_000, gateway: behaviour },
    ...(key === undefined ? {} : { gatewayKey: key }),
  });
  const { gatewayKey: own, gateway } = exchange;
  if (own === undefined || gateway === undefined) throw new Error("the gateway is not played");
  const logged: string[] = [];
  const ends: string[] = [];
  const sockets: Record<GatewayDoor, Transport[]> = { trading: [], streams: [] };
  const keep = (message: string): void => void logged.push(message);
  const log: Log = { trace: keep, debug: keep, info: keep, warn: keep, error: keep };
  const dial = (door: GatewayDoor) => async (): Promise<Transport> => {
    const [client, server] = createLinkedPair();
    sockets[door].push(client);
    client.onClose(({ trouble, detail }) => ends.push(`${door} ${trouble} ${detail}`));
    exchange.accept(server, door);
    return await Promise.resolve(client);
  };
  const clientClock: Clock = {
    now: () => clock.now() + aheadMs,
    monotonicMs: () => clock.monotonicMs(),
    after: (delayMs, run) => clock.after(delayMs, run),
  };
  let numbers = 0;
  const traffic = new TrafficRecorder({ clock: clientClock, log });
  const recorded: string[] = [];
  traffic.watch({
    onBegin: (_call, text) => recorded.push(text),
    onEnd: (_call, text) => recorded.push(text ?? ""),
    onEvent: (_channel, _length, text) => recorded.push(text()),
  });
  const session = createGatewaySession(
    {
      dial: dial("trading"),
      credentials:
        credentials ??
        (async () => await Promise.resolve({ kind: "cdp_key", clientId: own.name, privateKey: own.privateKey })),
      client: { name: "test", version: "0" },
      clock: clientClock,
      random: createFakeRandom(3),
      log,
      nextWireId: () => ++numbers,
      nextGeneration: () => ++numbers,
      limits: "off",
      isTracing: () => true,
      traffic,
    },
    dial("streams"),
  );
  const states: SessionState[] = [];
  session.onDidChangeState((state) => states.push(state));
  return {
    ...{ clock, exchange, session, key: own, behaviour: gateway, states, logged, sockets, ends },
    recorded,
    async connect() {
      session.connect();
      await clock.settle();
    },
    frames: (text) =>
      exchange.control
        .ledger()
        .map((entry) => entry.text)
        .filter((each) => each.includes(text)),
  };
}
