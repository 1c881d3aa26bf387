import { createLiveConnection, type LiveConnection } from "../../src/actions/connection/liveConnection.ts";
import type { Journal } from "../../src/actions/journal/journal.ts";
import type { RecordedIntent } from "../../src/actions/journal/recordedIntents.ts";
import type { Ask, AskCode } from "../../src/actions/intent/question.ts";
import type { Clock, Random } from "../../src/base/clock.ts";
import { CallError } from "../../src/base/failure.ts";
import type { Log } from "../../src/base/log.ts";
import type { HttpServer, Transport } from "../../src/rpc/transport.ts";
import { createSession } from "../../src/session/createSession.ts";
import { createExchange, type Exchange } from "../../src/simulator/wire/exchange.ts";
import { SIMULATOR_ID, type ConnectionRecord, type TradingLimits } from "../../src/state/records.ts";
import { createFakeRandom } from "../fakeClock.ts";
import { createHttpWire } from "./httpWire.ts";
import type { Network, Schedule } from "./schedule.ts";
import { createTime, type Side, type Time } from "./time.ts";
import { createWire, type LinkWire, type Wire, type WirePorts } from "./wire.ts";

/** Everything that a run consists of: the whole core on one side, the exchange on the other, the network in between. */
export interface Stage {
  readonly time: Time;
  readonly client: Side;
  readonly exchange: Exchange;
  readonly live: LiveConnection;
  readonly logged: string[];
  /** Moments of the dials, on the time line. */
  readonly dials: number[];
  readonly wires: Wire[];
  /** The last one of the connection itself: what goes over HTTP beside a link has one of its own. */
  readonly wire: Wire | undefined;
  readonly isHttpOnly: boolean;
  /** Whether the server sends new words, and members of another type. */
  readonly isOdd: boolean;
  /** Whether the server has every method by which an outcome can be read. */
  readonly offersAll: boolean;
  isRefusing: "refused" | "hangs" | "accepts";
  network: Network;
}

/** What is heard of while it happens. */
export interface StageListener {
  readonly onTurn: () => void;
  readonly onDial: () => void;
  readonly onSent: (wire: number, text: string) => void;
  /** The exchange has taken a frame. */
  readonly onServed: (text: string) => void;
  /** The exchange has written a text for a link. */
  readonly onWritten?: (text: string) => void;
  readonly onArrival: (wire: number, text: string, deliver: () => void, requestId: number | undefined) => void;
  readonly ask: Ask;
  readonly askCode: AskCode;
  readonly journal: Journal;
  /** Returns what a new sign-in has to look up again; left out, nothing is. */
  readonly adoptPast?: (() => readonly RecordedIntent[]) | undefined;
}

const CLIENT_SECRET = "CANARY-secret-0123456789";
const CLIENT_ID = "simulated-client";

/** What a stage is made from: how everything is at the beginning. */
export type StageOptions = Pick<
  Schedule,
  "seed" | "environment" | "orders" | "network" | "server" | "isOdd" | "way"
> & {
  /** How long after `START_MS` it begins. */
  readonly laterMs?: number;
  /** The limits of trading; left out, there are none. */
  readonly limits?: TradingLimits | undefined;
  /** Stands between a link and the exchange; left out, nothing does. */
  readonly between?: (server: Transport, world: { readonly clock: Clock; readonly random: Random }) => Transport;
};

export function createStage(schedule: StageOptions, listener: StageListener): Stage {
  const random = createFakeRandom(schedule.seed);
  const time = createTime(random, listener.onTurn);
  const client = time.createSide({ sleeps: true });
  const toClient = time.createSide({ sleeps: true });
  const world = time.createSide({ sleeps: false });
  for (const side of [client, toClient, world]) side.jump(schedule.laterMs ?? 0);
  const exchange = createExchange({
    clock: world.clock,
    random,
    seed: schedule.seed,
    orders: schedule.orders,
    still: true,
    limits: false,
    odd: schedule.isOdd === true,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
  });
  const isHttpOnly = schedule.way === "http";
  const logged: string[] = [];
  const keep = (message: string): void => {
    logged.push(message);
  };
  const log: Log = { trace: keep, debug: keep, info: keep, warn: keep, error: keep };
  let record: ConnectionRecord = {
    id: SIMULATOR_ID,
    name: "lab",
    declared: schedule.environment,
    url: isHttpOnly ? HTTP_URL : "",
    grant: "client_signature",
    clientId: CLIENT_ID,
    // An unknown method may place an order.
    trading: { ...(schedule.limits ?? NO_LIMITS), environment: schedule.environment },
  };
  const wires: Wire[] = [];
  const dials: number[] = [];
  let numbers = 0;
  let own: Wire | undefined;
  const portsOf = (number: number): WirePorts => ({
    number,
    toClient,
    toServer: world,
    latency: () => latencyMs(stage.network, random),
    random,
    elapsedMs: () => time.elapsedMs,
    onSent: (text) => {
      listener.onSent(number, text);
    },
    onServed: listener.onServed,
    onWritten: listener.onWritten,
    onArrival: (text, deliver, requestId) => {
      listener.onArrival(number, text, deliver, requestId);
    },
  });
  const openWire = (): LinkWire => {
    const wire = createWire(portsOf(wires.length + 1));
    wires.push(wire);
    own = wire;
    exchange.accept(schedule.between?.(wire.server, { clock: world.clock, random }) ?? wire.server);
    return wire;
  };
  const openHttp = (way: "own" | "http"): HttpServer => ({
    origin: HTTP_URL.slice(0, HTTP_URL.indexOf("/api")),
    basePath: "/api/v2",
    openExchange() {
      const wire = createHttpWire({ ...portsOf(wires.length + 1), exchange, access: () => stage.isRefusing });
      wires.push(wire);
      if (way === "own") own = wire;
      return wire.exchange;
    },
  });
  const dial = async (signal: AbortSignal): Promise<Transport> => {
    dials.push(time.elapsedMs);
    listener.onDial();
    const how = stage.isRefusing;
    await pause(toClient, how === "hangs" ? CONNECT_LIMIT_MS : latencyMs(stage.network, random) * 2, signal);
    if (how === "hangs")
      throw new CallError({ kind: "cannotConnect", trouble: "connectTimeout", detail: "no response" });
    if (how === "refused") throw new CallError({ kind: "cannotConnect", trouble: "refused", detail: "ECONNREFUSED" });
    return openWire().client;
  };
  const dialHttp = async (): Promise<HttpServer> => {
    dials.push(time.elapsedMs);
    listener.onDial();
    return await Promise.resolve(openHttp("own"));
  };
  const { adoptPast } = listener;
  const live = createLiveConnection(record, {
    createSession: (_record, way) =>
      createSession({
        dial: way === "http" ? async () => await Promise.resolve(openHttp(way)) : isHttpOnly ? dialHttp : dial,
        credentials: async () =>
          await Promise.resolve({ kind: "client_signature", clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }),
        client: { name: "test", version: "0" },
        clock: client.clock,
        random,
        log,
        nextWireId: () => ++numbers,
        nextGeneration: () => ++numbers,
        limits: "exchange",
        isTracing: () => true,
      }),
    currentRecord: () => record,
    keepRecord: async (changed) => {
      record = await Promise.resolve(changed);
    },
    isOwnSimulator: schedule.environment === "simulator",
    ask: listener.ask,
    askCode: listener.askCode,
    journal: listener.journal,
    ...(adoptPast === undefined ? {} : { adoptPast: async () => await Promise.resolve(adoptPast()) }),
    clock: client.clock,
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
    log,
  });
  const stage: Stage = {
    time,
    client,
    exchange,
    live,
    logged,
    dials,
    wires,
    get wire() {
      return own;
    },
    isHttpOnly,
    isOdd: schedule.isOdd === true,
    offersAll: schedule.server !== "contract",
    isRefusing: "accepts",
    network: schedule.network,
  };
  return stage;
}

/** What must be found nowhere. */
export const SECRETS: readonly string[] = [
  CLIENT_SECRET,
  Buffer.from(CLIENT_SECRET).toString("base64"),
  Buffer.from(CLIENT_SECRET).toString("hex"),
  encodeURIComponent(CLIENT_SECRET),
  CLIENT_SECRET.slice(0, 12),
];

const NO_LIMITS: TradingLimits = { largestOrderUsd: Infinity, totalUsd: Infinity, usedUsd: 0 };
const CONNECT_LIMIT_MS = 10_000;
const HTTP_URL = "http://127.0.0.1:8700/api/v2";

function latencyMs(network: Network, random: Random): number {
  switch (network) {
    case "quick":
      // Often the very same moment, so that everything can overtake everything.
      return Math.floor(random() * 3);
    case "usual":
      return 5 + Math.floor(random() * 80);
    case "slow":
      return random() < 0.1 ? 4000 * random() : 50 + Math.floor(random() * 900);
  }
}

/** Rejects as a dial does that is given up. */
async function pause(side: Side, ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      timer.dispose();
      reject(new CallError({ kind: "cannotConnect", trouble: "closedByUs", detail: "stopped" }));
    };
    const timer = side.clock.after(ms, () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    signal.addEventListener("abort", stop);
  });
}
