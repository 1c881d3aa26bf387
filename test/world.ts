import {
  createLiveConnection,
  type LiveConnection,
  type LiveConnectionPorts,
} from "../src/actions/connection/liveConnection.ts";
import { createMemoryJournal, type JournalRecord, type MemoryJournal } from "../src/actions/journal/journal.ts";
import type { SafetySettings } from "../src/actions/gate/policy.ts";
import type { AskCode, AskLimit, Question } from "../src/actions/intent/question.ts";
import type { Log } from "../src/base/log.ts";
import type { Plain } from "../src/base/plain.ts";
import { createLinkedPair } from "./linkedPair.ts";
import type { Transport } from "../src/rpc/transport.ts";
import { createSessionAt } from "../src/session/gatewaySession.ts";
import type { Credentials } from "../src/session/session.ts";
import type { GatewayDoor } from "../src/simulator/sessions/connection.ts";
import { createExchange, type Exchange, type ExchangeOptions } from "../src/simulator/wire/exchange.ts";
import { SIMULATOR_ID, withTrading, type ConnectionRecord, type Environment } from "../src/state/records.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "./fakeClock.ts";
import { sessionPorts } from "./sessionPorts.ts";

/** A connection to a server, all in this process and on one clock that only a test moves. */
export interface ConnectedWorld {
  readonly clock: FakeClock;
  readonly live: LiveConnection;
  readonly journal: MemoryJournal;
  /** What was asked, in order. */
  readonly questions: Question[];
  /** Everything that was logged, at every level. */
  readonly logged: Plain[];
  /** Connects and waits until the orders have been read. */
  connect(): Promise<void>;
}

/** A connection to the simulator. */
export interface World extends ConnectedWorld {
  readonly exchange: Exchange;
  /** Request frames of a method, as the exchange received them. */
  frames(method: string): string[];
}

/** How a connection is declared, and what its user and its place have. */
export interface ConnectionOptions {
  /** What the connection is declared as; the simulator counts as one only when it is declared so. */
  readonly declared?: Environment;
  /** Answers every question with yes unless told otherwise. */
  readonly answer?: (question: Question) => boolean | Promise<boolean>;
  /** Returns 2FA codes; by default there are none. */
  readonly askCode?: AskCode;
  /** What happens while a record is appended to the journal. */
  readonly onAppend?: (record: JournalRecord) => Promise<void>;
  /** Unproved changes of other windows; if omitted, there are none. */
  readonly openInOtherWindows?: LiveConnectionPorts["openInOtherWindows"];
  readonly credentials?: Credentials;
  /** Our own limits; off unless told otherwise. */
  readonly clientLimits?: "exchange" | "off";
  /** Changes each text on its way from the exchange. */
  readonly alter?: (text: string) => string;
  /** Where client secrets of new keys go; left out, they have no place. */
  readonly placeFor?: LiveConnectionPorts["placeFor"];
  /** The largest order in USD; orders of any size are allowed unless told otherwise. */
  readonly largestOrderUsd?: number | "notAllowed";
  /** The total of all orders in USD; no limit unless told otherwise. */
  readonly totalUsd?: number;
  /** Shows the confirmation that allows trading; by default none can be shown. */
  readonly askLimit?: AskLimit;
  readonly settings?: Partial<SafetySettings>;
}

/** What a world is made with: the options of its connection, and those of the simulator. */
export interface WorldOptions extends ConnectionOptions, Partial<Omit<ExchangeOptions, "clientSecret">> {
  readonly clientSecret?: string;
}

/** Makes a simulator and a connection to it. */
export function createWorld(options: WorldOptions = {}): World {
  const clock = createFakeClock();
  const exchange = createExchange({ random: createFakeRandom(7), still: true, limits: false, ...options, clock });
  const { clientId, clientSecret, gatewayKey } = exchange;
  const key: ServerInProcess["key"] =
    gatewayKey === undefined
      ? { kind: "client_signature", clientId, clientSecret }
      : { kind: "cdp_key", clientId: gatewayKey.name, privateKey: gatewayKey.privateKey };
  const world = connectTo({ clock, server: exchange, key }, options);
  return {
    ...world,
    exchange,
    frames: (method) =>
      exchange.control
        .ledger()
        .filter((entry) => entry.method === method)
        .map((entry) => entry.text),
  };
}

/** A server in this process, the clock that it shares with its client, and a key that it knows. */
export interface ServerInProcess {
  readonly clock: FakeClock;
  readonly server: { accept(end: Transport, door?: GatewayDoor): unknown };
  readonly key: Extract<Credentials, { readonly clientId: string }>;
}

/** Makes a connection to a server. */
export function connectTo({ clock, server, key }: ServerInProcess, options: ConnectionOptions = {}): ConnectedWorld {
  const {
    declared = "simulator",
    answer = () => true,
    askCode,
    onAppend,
    openInOtherWindows,
    credentials = key,
    clientLimits = "off",
    alter = (text: string) => text,
    placeFor,
    largestOrderUsd = Infinity,
    totalUsd = Infinity,
    askLimit,
    settings,
  } = options;
  const questions: Question[] = [];
  const logged: Plain[] = [];
  const keep = (message: Plain): void => {
    logged.push(message);
  };
  const log: Log = { trace: keep, debug: keep, info: keep, warn: keep, error: keep };
  let record: ConnectionRecord = withTrading(
    { id: SIMULATOR_ID, name: "lab", declared, url: "", grant: key.kind, clientId: key.clientId },
    declared,
    largestOrderUsd === "notAllowed" ? undefined : { largestOrderUsd, totalUsd, usedUsd: 0 },
  );
  const journal = createMemoryJournal();
  const dialAt = (door?: GatewayDoor) => async (): Promise<Transport> => {
    const [client, end] = createLinkedPair();
    server.accept({ ...end, send: (text) => end.send(alter(text)) }, door);
    return await Promise.resolve(client);
  };
  const portsOf = sessionPorts(clock);
  const live = createLiveConnection(record, {
    createSession: (_record, _way, traffic) =>
      createSessionAt(
        { isGateway: key.kind === "cdp_key", dialStreams: dialAt("streams") },
        {
          ...portsOf(),
          dial: dialAt(key.kind === "cdp_key" ? "trading" : undefined),
          credentials: async () => await Promise.resolve(credentials),
          log,
          limits: clientLimits,
          isTracing: () => true,
          traffic,
        },
      ),
    currentRecord: () => record,
    keepRecord: async (each) => {
      record = each;
      await Promise.resolve();
    },
    isOwnSimulator: declared === "simulator",
    ask: async (question) => {
      questions.push(question);
      return await answer(question);
    },
    ...(askCode === undefined ? {} : { askCode }),
    ...(askLimit === undefined ? {} : { askLimit }),
    openInOtherWindows,
    ...(placeFor === undefined ? {} : { placeFor }),
    journal:
      onAppend === undefined
        ? journal
        : {
            append: async (kept) => {
              await Promise.all([journal.append(kept), onAppend(kept)]);
            },
          },
    clock,
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30, ...settings }),
    log,
  });
  return {
    clock,
    live,
    journal,
    questions,
    logged,
    async connect() {
      live.connect();
      await clock.settle();
      await clock.advance(1000);
    },
  };
}
