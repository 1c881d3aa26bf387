import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import type { Log } from "../base/log.ts";
import { httpServerOf, isHttpAddress } from "../rpc/address.ts";
import { createTraffic, type Traffic, type TrafficRecorder } from "../rpc/traffic.ts";
import type { HttpServer } from "../rpc/transport.ts";
import type { Identity, Session } from "../session/session.ts";
import { createApiKeysStore, type ApiKeysStore, type KnownKeyIds } from "../state/apiKeys.ts";
import {
  createCancelOnDisconnectStore,
  type CancelOnDisconnect,
  type CancelOnDisconnectStore,
} from "../state/cancelOnDisconnect.ts";
import { createBlockTradesStore, type BlockTradesStore } from "../state/blockTrades.ts";
import { createInstrumentsStore, type InstrumentsStore } from "../state/instruments.ts";
import { createLastTradesStore, type LastTradesStore, type TradesQuery } from "../state/lastTrades.ts";
import { createMmpStore, type MmpStore } from "../state/mmp.ts";
import { createOrdersStore, type OrdersStore } from "../state/orders.ts";
import { createQuotesStore, type QuotesStore } from "../state/quotes.ts";
import { effectiveEnvironment, type ConnectionRecord, type Environment } from "../state/records.ts";
import { createGate, type Gate, type GatePorts } from "./gate.ts";
import type { Journal } from "./journal.ts";
import { createIdle, type Idle } from "./idle.ts";
import { followPastIntents } from "./pastIntents.ts";
import { connectionName, environmentWords, type SafetySettings } from "./policy.ts";
import type { Ask, AskCode } from "./question.ts";
import type { RecordedIntent } from "./recordedIntents.ts";
import { createRoutes, type Routes } from "./route.ts";
import { createReconcilers } from "./reconcileMany.ts";
import { isToBeLookedUp, watchSubject, type SubjectWatch } from "./subaccounts.ts";

/**
 * A connection with all that belongs to it: session, stores, gate. What can send is inside; only the gate leads there.
 * It can be attached to `Connections` as it is.
 */
export interface LiveConnection
  extends
    Disposable,
    Pick<
      Session,
      "state" | "onDidChangeState" | "latencyMs" | "timing" | "eventCount" | "budgets" | "connect" | "disconnect"
    > {
  /** The saved connection as it is now. */
  readonly record: ConnectionRecord;
  /** Its name, with the account that it was switched to. */
  readonly name: string;
  /** Environment and name, as every surface says it: "TEST main". */
  readonly place: string;
  /** What it counts as: what was declared until the session was ready once, then what the server's responses allow. */
  readonly environment: Environment;
  readonly orders: OrdersStore;
  readonly blockTrades: BlockTradesStore;
  readonly mmp: MmpStore;
  readonly quotes: QuotesStore;
  readonly apiKeys: ApiKeysStore;
  readonly instruments: InstrumentsStore;
  /** What the end of its link means for orders that were placed over it. */
  readonly cancelOnDisconnect: CancelOnDisconnect & Pick<CancelOnDisconnectStore, "onDidChange">;
  /** Begins to read public trades. Whoever asks for them ends the store. */
  createLastTrades(query: TradesQuery): LastTradesStore;
  /**
   * Follows a channel for as long as the result is not disposed. What the views follow stays theirs, also when it is
   * the same one.
   */
  readonly followChannel: Session["subscribe"];
  readonly gate: Gate;
  /** Where its single requests go. */
  readonly httpServer: HttpServer;
  /** Its session for single requests over HTTP; undefined before the first of them. */
  readonly httpState: Routes["httpState"];
  /** What goes to and fro on all its links. */
  readonly traffic: Traffic;
  /** The account that it acts as, and how that changes. */
  readonly subject: Pick<SubjectWatch, "backToMain" | "onDidChange">;
  /** A person does something with it: it is not idle, and if it was ended for that it comes back. */
  use(): Promise<void>;
}

export interface LiveConnectionPorts extends Pick<GatePorts, "openElsewhere"> {
  /**
   * Makes a session of the record, `own` or the one beside it for single requests over HTTP; both end with the
   * connection, and tell the same traffic.
   */
  readonly createSession: (record: ConnectionRecord, way: "own" | "http", traffic: TrafficRecorder) => Session;
  /** Where the server is; that of the record when left out. The simulator's is known once it runs. */
  readonly address?: string;
  /** The record as it is saved now, so that a new name or class counts at once; undefined when it was forgotten. */
  readonly currentRecord: (id: string) => ConnectionRecord | undefined;
  /** The server was started from here, or has shown that it is our simulator. */
  readonly isOwnSimulator: boolean;
  /** Puts one question at a time, whichever connection asks. */
  readonly ask: Ask;
  /** Asks for the code of a second factor, in turn with `ask`; left out, nobody can be asked for one. */
  readonly askCode?: AskCode;
  readonly journal: Journal;
  /** Makes the ids of intents differ from those of every other run. Letters and digits. */
  readonly runId?: string;
  /**
   * Takes over intents of ended runs that are to be looked up; left out, nothing is kept between runs. Never rejects.
   */
  readonly adoptPast?: (connectionId: string) => Promise<readonly RecordedIntent[]>;
  readonly clock: Clock;
  readonly settings: () => SafetySettings;
  /** After how long without use the session ends; 0, and left out: never. */
  readonly idleDisconnectMinutes?: () => number;
  /** Where ids of API keys that a person typed are kept for a connection; left out, they last as long as it does. */
  readonly keyIdsOf?: (record: ConnectionRecord) => KnownKeyIds;
  readonly log: Log;
  /** Whether the log is to have a line for each request; left out, it has none. */
  readonly isDebugging?: () => boolean;
}

/** Makes a connection; nothing is dialled before `connect`. */
export function createLiveConnection(record: ConnectionRecord, ports: LiveConnectionPorts): LiveConnection {
  const { clock, log, askCode = noCode, address = record.url } = ports;
  const traffic = createTraffic({ clock, log, isDebugging: ports.isDebugging });
  const session = ports.createSession(record, "own", traffic);
  const routes = createRoutes({
    session,
    isHttpOnly: isHttpAddress(address),
    createHttpSession: () => ports.createSession(record, "http", traffic),
  });
  const recordNow = (): ConnectionRecord => ports.currentRecord(record.id) ?? record;
  const environment = followEnvironment(
    session,
    (identity) => effectiveEnvironment(recordNow(), identity.testnet, ports.isOwnSimulator).environment,
  );
  const environmentNow = (): Environment => environment.latest ?? recordNow().declared;
  const nameNow = (): string =>
    connectionName(recordNow().name, session.state.status === "ready" ? session.state.identity.subject : undefined);
  const placeNow = (): string => environmentWords(environmentNow(), nameNow());
  const stores = createStores(
    { session, clock, log },
    { keyIds: ports.keyIdsOf?.(recordNow()) ?? UNKEPT_IDS, hasLink: !isHttpAddress(address) },
  );
  const { apiKeys, cancelOnDisconnect } = stores;
  const gate = createGate({
    ...ports,
    connectionId: record.id,
    server: URL.canParse(address) ? new URL(address).host : undefined,
    connectionName: nameNow,
    environment: environmentNow,
    session,
    routes: heardRoutes(routes, session.caller, stores),
    askCode,
    reconcilerOf: createReconcilers({
      session,
      clock,
      log,
      askCode: async (sentence) => await askCode({ sentence, place: placeNow() }),
      hearKeys: (response) => apiKeys.take(response),
    }),
  });
  const subject = watchSubject({ session, activity: () => gate.activity, log });
  const past = followPastIntents({
    session,
    clock,
    connectionId: record.id,
    adopt: ports.adoptPast,
    resume: (intents) => gate.resume(intents),
  });
  const idle = createIdle({
    session,
    clock,
    minutes: ports.idleDisconnectMinutes ?? (() => 0),
    isBusy: () =>
      (cancelOnDisconnect.isOn !== false && cancelOnDisconnect.placedOrders > 0) ||
      gate.activity.some((entry) => entry.phase !== "done" || isToBeLookedUp(entry)),
  });
  return {
    get record() {
      return recordNow();
    },
    get name() {
      return nameNow();
    },
    get place() {
      return placeNow();
    },
    get state() {
      return session.state;
    },
    get latencyMs() {
      return session.latencyMs;
    },
    get eventCount() {
      return session.eventCount;
    },
    get timing() {
      return session.timing;
    },
    get budgets() {
      return session.budgets;
    },
    get environment() {
      return environmentNow();
    },
    traffic,
    get httpServer() {
      return httpServerOf(address);
    },
    get httpState() {
      return routes.httpState;
    },
    onDidChangeState: session.onDidChangeState,
    ...stores,
    createLastTrades: (query) => createLastTradesStore({ session, clock, log }, query),
    followChannel: (...wanted) => session.subscribe(...wanted),
    gate: usedGate(gate, idle),
    subject,
    use: async () => await idle.use(),
    connect: () => session.connect(),
    disconnect: () => session.disconnect(),
    dispose() {
      for (const part of [
        environment,
        idle,
        past,
        subject,
        gate,
        ...Object.values<Disposable>({ ...stores }),
        routes,
        session,
      ])
        part.dispose();
    },
  };
}

/**
 * An outage does not make the server another one: what it was when the link was lost, it is in every sentence about
 * that.
 */
function followEnvironment(
  session: Session,
  environmentOf: (identity: Identity) => Environment,
): Disposable & { readonly latest: Environment | undefined } {
  let lastIdentity: Identity | undefined;
  const hearing = session.onDidChangeState((state) => {
    if (state.status === "ready") lastIdentity = state.identity;
  });
  return {
    get latest() {
      const { state } = session;
      const identity = state.status === "ready" ? state.identity : lastIdentity;
      return identity === undefined ? undefined : environmentOf(identity);
    },
    dispose: () => hearing.dispose(),
  };
}

const noCode: AskCode = async () => await Promise.resolve(undefined);

const UNKEPT_IDS: KnownKeyIds = { load: () => [], save: async () => await Promise.resolve() };

interface Stores {
  readonly orders: OrdersStore;
  readonly blockTrades: BlockTradesStore;
  readonly mmp: MmpStore;
  readonly quotes: QuotesStore;
  readonly apiKeys: ApiKeysStore;
  readonly instruments: InstrumentsStore;
  readonly cancelOnDisconnect: CancelOnDisconnectStore;
}

/** In the order in which they are told of the session, and disposed. */
function createStores(
  ports: { readonly session: Session; readonly clock: Clock; readonly log: Log },
  { keyIds, hasLink }: { readonly keyIds: KnownKeyIds; readonly hasLink: boolean },
): Stores {
  const orders = createOrdersStore(ports);
  return {
    orders,
    blockTrades: createBlockTradesStore(ports),
    mmp: createMmpStore(ports),
    quotes: createQuotesStore(ports),
    apiKeys: createApiKeysStore({ ...ports, ids: keyIds }),
    instruments: createInstrumentsStore(ports),
    cancelOnDisconnect: createCancelOnDisconnectStore({ ...ports, orders, hasLink }),
  };
}

/**
 * The same routes; each response that comes over them is heard first: of keys on every way, of orders over the link
 * that they are tied to.
 */
function heardRoutes(
  routes: Routes,
  { onLateResponse }: Pick<Session["caller"], "onLateResponse">,
  { apiKeys, cancelOnDisconnect }: Stores,
): Pick<Routes, "call" | "onLateResponse"> {
  onLateResponse((response) => cancelOnDisconnect.take(response));
  return {
    async call(intent, options) {
      const response = await routes.call(intent, options);
      apiKeys.take(response);
      if ((intent.transport ?? "webSocket") === "webSocket") cancelOnDisconnect.take(response);
      return response;
    },
    onLateResponse(listener) {
      return routes.onLateResponse((response) => {
        apiKeys.take(response);
        listener(response);
      });
    },
  };
}

/**
 * What comes through the gate comes from a person: each of it is use, and waits for a session that has to come back
 * first.
 */
function usedGate(gate: Gate & Disposable, idle: Idle): Gate {
  const used = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    await idle.use();
    return await run();
  };
  const own: Pick<Gate, "submit" | "submitAll" | "allowChanges" | "checkAgain"> = {
    submit: async (intent, options) => await used(async () => await gate.submit(intent, options)),
    submitAll: async (intents, describe, options) =>
      await used(async () => await gate.submitAll(intents, describe, options)),
    allowChanges: async () => await used(async () => await gate.allowChanges()),
    checkAgain: async (id) =>
      await used(async () => {
        await gate.checkAgain(id);
      }),
  };
  return Object.assign(Object.create(gate) as Gate, own);
}
