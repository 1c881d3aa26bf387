import { createLiveConnection, type LiveConnection, type LiveConnectionPorts } from "../src/actions/liveConnection.ts";
import { createMemoryJournal, type JournalRecord, type MemoryJournal } from "../src/actions/journal.ts";
import type { SafetySettings } from "../src/actions/policy.ts";
import type { AskCode, AskLimit, Question } from "../src/actions/question.ts";
import type { Log } from "../src/base/log.ts";
import type { Plain } from "../src/base/plain.ts";
import { createLinkedPair } from "./linkedPair.ts";
import type { Transport } from "../src/rpc/transport.ts";
import { createSession } from "../src/session/createSession.ts";
import type { Credentials } from "../src/session/session.ts";
import { createExchange, type Exchange, type ExchangeOptions } from "../src/simulator/wire/exchange.ts";
import { SIMULATOR_ID, withTrading, type ConnectionRecord, type Environment } from "../src/state/records.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "./fakeClock.ts";
import { sessionPorts } from "./sessionPorts.ts";

/** A connection to the simulator, all in this process and on one clock that only a test moves. */
export interface World {
  readonly clock: FakeClock;
  readonly exchange: Exchange;
  readonly live: LiveConnection;
  readonly journal: MemoryJournal;
  /** What was asked, in order. */
  readonly questions: Question[];
  /** Everything that was logged, at every level. */
  readonly logged: Plain[];
  /** Connects and waits until the orders have been read. */
  connect(): Promise<void>;
  /** Request frames of a method, as the exchange received them. */
  frames(method: string): string[];
}

export interface WorldOptions extends Partial<ExchangeOptions> {
  /** What the connection is declared as; the simulator counts as one only when it is declared so. */
  readonly declared?: Environment;
  /** Answers every question with yes unless told otherwise. */
  readonly answer?: (question: Question) => boolean | Promise<boolean>;
  /** Returns 2FA codes; by default there are none. */
  readonly askCode?: AskCode;
  /** What happens while a record is appended to the journal. */
  readonly onAppend?: (record: JournalRecord) => Promise<void>;
  /** Unproved changes of other windows; if omitted, there are none. */
  readonly openElsewhere?: LiveConnectionPorts["openElsewhere"];
  readonly clientSecret?: string;
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
  /** Another server than the exchange, which is there all the same. */
  readonly server?: Pick<Exchange, "accept">;
}

export function createWorld(options: WorldOptions = {}): World {
  const {
    declared = "simulator",
    answer = () => true,
    askCode,
    onAppend,
    openElsewhere,
    credentials,
    clientLimits = "off",
    alter = (text: string) => text,
    placeFor,
    largestOrderUsd = Infinity,
    totalUsd = Infinity,
    askLimit,
    settings,
    server: other,
    ...exchangeOptions
  } = options;
  const clock = createFakeClock();
  const exchange = createExchange({
    random: createFakeRandom(7),
    still: true,
    limits: false,
    ...exchangeOptions,
    clock,
  });
  const questions: Question[] = [];
  const logged: Plain[] = [];
  const keep = (message: Plain): void => {
    logged.push(message);
  };
  const log: Log = { trace: keep, debug: keep, info: keep, warn: keep, error: keep };
  let record: ConnectionRecord = withTrading(
    { id: SIMULATOR_ID, name: "lab", declared, url: "", grant: "client_signature", clientId: exchange.clientId },
    declared,
    largestOrderUsd === "notAllowed" ? undefined : { largestOrderUsd, totalUsd, usedUsd: 0 },
  );
  const journal = createMemoryJournal();
  const portsOf = sessionPorts(clock);
  const live = createLiveConnection(record, {
    createSession: (_record, _way, traffic) =>
      createSession({
        ...portsOf(),
        dial: async (): Promise<Transport> => {
          const [client, server] = createLinkedPair();
          (other ?? exchange).accept({
            ...server,
            send: (text) => {
              server.send(alter(text));
            },
          });
          return await Promise.resolve(client);
        },
        credentials: async () =>
          await Promise.resolve(
            credentials ?? {
              kind: "client_signature",
              clientId: exchange.clientId,
              clientSecret: exchange.clientSecret,
            },
          ),
        log,
        limits: clientLimits,
        isTracing: () => true,
        traffic,
      }),
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
    openElsewhere,
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
    exchange,
    live,
    journal,
    questions,
    logged,
    async connect() {
      live.connect();
      await clock.settle();
      await clock.advance(1000);
    },
    frames: (method) =>
      exchange.control
        .ledger()
        .filter((entry) => entry.method === method)
        .map((entry) => entry.text),
  };
}
