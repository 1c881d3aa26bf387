import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import type { Failure } from "../../base/failure.ts";
import { isObject } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";
import { type Plain } from "../../base/plain.ts";
import { httpServerOf, isHttpAddress, isLoopback } from "../../rpc/address.ts";
import { TrafficRecorder, type Traffic } from "../../rpc/traffic.ts";
import type { HttpServer } from "../../rpc/transport.ts";
import type { Identity, Session } from "../../session/session.ts";
import { ApiKeysStore, type KnownKeyIds } from "../../state/apiKeys.ts";
import { CancelOnDisconnectStore, type CancelOnDisconnect } from "../../state/cancelOnDisconnect.ts";
import { createIsolatedMargin, type IsolatedMargin } from "./isolatedMargin.ts";
import {
  createInstrumentFinder,
  createInstrumentsStore,
  INSTRUMENT_METHOD,
  isRoutedRow,
  type InstrumentsStore,
} from "../../state/instruments.ts";
import type { SharedList } from "../../state/knownList.ts";
import type { LastTradesStore } from "../../state/lastTrades.ts";
import { createOrdersStore, openOrder, type OrdersStore } from "../../state/orders.ts";
import { createPositionsStore, type PositionsStore } from "../../state/positions.ts";
import type { ResourcePorts, StorePorts } from "../../state/resource.ts";
import {
  effectiveEnvironment,
  tradingLimits,
  withTrading,
  type ConnectionRecord,
  type Environment,
} from "../../state/records.ts";
import { aboutOf } from "../changes/changes.ts";
import type { CheckedIntent } from "../judge/check.ts";
import { createGate, type Gate } from "../gate/gate.ts";
import type { GatePorts } from "../gate/gatePorts.ts";
import { createIdle } from "./idle.ts";
import type { Intent } from "../intent/intent.ts";
import { followPastIntents } from "./pastIntents.ts";
import { connectionName, environmentWords } from "../intent/connectionNames.ts";
import type { AskCode } from "../intent/question.ts";
import type { RecordedIntent } from "../journal/recordedIntents.ts";
import { createRoutes, type Routes } from "../gate/route.ts";
import type { SecretPlace } from "../gate/secretPlace.ts";
import { isToBeLookedUp, watchSubject, type SubjectWatch } from "./subaccounts.ts";

/**
 * A connection with all that belongs to it: session, stores, gate. Everything that can send is inside; only the gate
 * leads there. It can be attached to `Connections` as it is.
 */
export interface LiveConnection
  extends
    Disposable,
    Omit<Stores, "isolatedMargin" | "cancelOnDisconnect">,
    Pick<
      Session,
      | "state"
      | "streams"
      | "onDidChangeState"
      | "latencyMs"
      | "timing"
      | "eventCount"
      | "budgets"
      | "connect"
      | "disconnect"
      | "signInAgain"
    > {
  /** The saved connection, in its present form. */
  readonly record: ConnectionRecord;
  /** The name of the connection, with the account that it was switched to. */
  readonly name: string;
  /** The environment and name, as every surface says them: "TESTNET main". */
  readonly place: Plain;
  /**
   * The environment that it counts as: the declared one until the session was first ready, then what the server's
   * responses allow.
   */
  readonly environment: Environment;
  /** Whether the account uses isolated margin, which lists, totals, and mass cancels leave out. */
  readonly isolatedMargin: Pick<IsolatedMargin, "isSeen" | "onDidChange" | "takeLiquidation">;
  /** The effect of the end of its link on orders that were placed over it. */
  readonly cancelOnDisconnect: CancelOnDisconnect & Pick<CancelOnDisconnectStore, "onDidChange">;
  /**
   * Returns the store of this connection that `create` makes, e.g. `createQuotesStore`. It is made with its first use,
   * and lasts as long as the connection.
   */
  readonly storeOf: StorePorts["storeOf"];
  /** Makes a store of which a connection may have several. The caller disposes it. */
  createStore<Store>(create: (ports: ResourcePorts) => Store): Store;
  /** The public trades that are read now. A store adds itself until it is disposed. */
  readonly lastTrades: Set<Pick<LastTradesStore, "snapshot">>;
  /**
   * Follows a channel for as long as the result is not disposed. Leaves alone what the views follow, even on the same
   * channel.
   */
  readonly followChannel: Session["subscribe"];
  readonly gate: Gate;
  /** The server of its single requests. */
  readonly httpServer: HttpServer;
  /** The state of its session for single requests over HTTP; undefined before the first of them. */
  readonly httpState: Routes["httpState"];
  /** The traffic of all its links. */
  readonly traffic: Traffic;
  /** The account that it acts as, and the changes of that account. */
  readonly subject: Pick<SubjectWatch, "backToMain" | "onDidChange">;
  /** Reports that the user uses it: it is not idle, and comes back if it was ended as idle. */
  use(): Promise<void>;
}

export interface LiveConnectionPorts
  extends
    Pick<
      GatePorts,
      "ask" | "askLimit" | "clock" | "holder" | "journal" | "loadOutcomes" | "log" | "openInOtherWindows"
    >,
    Pick<GatePorts, "runId" | "settings"> {
  /**
   * Prepares the place for a client secret that a request of the connection with this id makes. Left out, such a
   * request is not sent.
   */
  readonly placeFor?: (connectionId: string, intent: Intent) => Promise<SecretPlace | Failure>;
  /**
   * Makes a session of the record, `own` or the separate one for single requests over HTTP. Both end with the
   * connection, and record the same traffic.
   */
  readonly createSession: (record: ConnectionRecord, way: "own" | "http", traffic: TrafficRecorder) => Session;
  /** The address of the server; left out, that of the record. The simulator's is known once it runs. */
  readonly address?: string;
  /**
   * Returns the record as it is saved now, so that a new name or class counts at once; undefined when it was removed.
   */
  readonly currentRecord: (id: string) => ConnectionRecord | undefined;
  /** Keeps the record with the permission to trade; left out, the permission can't be given. */
  readonly keepRecord?: (record: ConnectionRecord) => Promise<void>;
  /** Whether the server was started from here, or has shown that it is our simulator. */
  readonly isOwnSimulator: boolean;
  /** Asks for the 2FA code, in turn with `ask`; left out, it cannot be asked for. */
  readonly askCode?: AskCode;
  /**
   * Takes over intents of ended runs that have to be looked up; left out, nothing is kept between runs. Never rejects.
   */
  readonly adoptPast?: (connectionId: string) => Promise<readonly RecordedIntent[]>;
  /** Returns the minutes without use before the session ends; 0, and left out: never. */
  readonly idleDisconnectMinutes?: () => number;
  /** Returns the pause between two readings of shown positions, in ms (default: 5 s). */
  readonly positionsPauseMs?: () => number;
  /** Returns the store of API key ids that the user typed for a connection; left out, they last as long as it does. */
  readonly keyIdsOf?: (record: ConnectionRecord) => KnownKeyIds;
  /**
   * Returns the instruments of a server, which all windows of this computer have in common; left out, each window reads
   * its own. The simulator's are never in common.
   */
  readonly sharedInstruments?: (server: string) => SharedList;
  /** Whether the log gets a line for each request; left out, it gets none. */
  readonly isDebugging?: () => boolean;
}

/** Makes a connection; nothing is dialed before `connect`. */
export function createLiveConnection(record: ConnectionRecord, ports: LiveConnectionPorts): LiveConnection {
  const { clock, log, askCode = noCode, address = record.url, placeFor } = ports;
  const traffic = new TrafficRecorder({ clock, log, isDebugging: ports.isDebugging });
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
  const placeNow = (): Plain => environmentWords(environmentNow(), nameNow());
  const stores = createStores({ session, clock, log }, ports, { address, recordNow });
  const { apiKeys, cancelOnDisconnect } = stores;
  const readingPorts: ResourcePorts = { session: readingPartOf(session), clock, log };
  const madeStores = createMadeStores(readingPorts);
  const gate = createGate({
    ...ports,
    connectionId: record.id,
    server: URL.canParse(address) ? new URL(address).host : undefined,
    connectionName: nameNow,
    environment: environmentNow,
    session,
    routes: heardRoutes(routes, session.caller, stores),
    market: marketOf(session.reader, stores),
    cancelOnDisconnect,
    askCode,
    trading: {
      limits: () => tradingLimits(recordNow(), environmentNow()),
      keep: async (limits) => await ports.keepRecord?.(withTrading(recordNow(), environmentNow(), limits)),
    },
    hasIsolated: () => stores.isolatedMargin.isSeen,
    isSeen: (checked) => isKnown(checked, stores),
    placeFor: placeFor === undefined ? undefined : async (intent) => await placeFor(record.id, intent),
    hearKeys: (response) => apiKeys.take(response),
    use: async () => await idle.use(),
  });
  const subject = watchSubject({ session, activity: () => gate.activity, log });
  const past = followPastIntents({
    session,
    clock,
    connectionId: record.id,
    adopt: ports.adoptPast,
    resume: (intents) => void gate.resume(intents),
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
    streams: session.streams,
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
    storeOf: madeStores.storeOf,
    createStore: (create) => create(readingPorts),
    lastTrades: new Set(),
    followChannel: (...wanted) => session.subscribe(...wanted),
    gate,
    subject,
    use: async () => await idle.use(),
    connect: () => session.connect(),
    disconnect: () => session.disconnect(),
    signInAgain() {
      routes.signOut();
      session.signInAgain();
    },
    dispose() {
      for (const part of [
        environment,
        idle,
        past,
        subject,
        gate,
        madeStores,
        ...Object.values<Disposable>({ ...stores }),
        routes,
        session,
      ])
        part.dispose();
    },
  };
}

/** Returns the part of a session that a store may have, and nothing beside it. */
function readingPartOf(session: Session): ResourcePorts["session"] {
  return {
    get state() {
      return session.state;
    },
    onDidChangeState: session.onDidChangeState,
    get epoch() {
      return session.epoch;
    },
    reader: session.reader,
    subscribe: (...wanted) => session.subscribe(...wanted),
  };
}

/** Makes stores with their first use. Each has the function that makes it for its key. */
function createMadeStores(ports: ResourcePorts): Disposable & Pick<LiveConnection, "storeOf"> {
  const made = new Map<unknown, Disposable>();
  const storeOf = <Store extends Disposable>(create: (ports: StorePorts) => Store): Store => {
    const known = made.get(create) as Store | undefined;
    if (known !== undefined) return known;
    const store = create({ ...ports, storeOf });
    made.set(create, store);
    return store;
  };
  return {
    storeOf,
    dispose() {
      for (const each of made.values()) each.dispose();
    },
  };
}

/**
 * Follows the environment. An outage does not change the server: every message about it names the environment as it was
 * when the link was lost.
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

/** Whether a record of the key or order of a change was read on this account. */
function isKnown({ intent: { method }, params, targetId }: CheckedIntent, { apiKeys, orders }: Stores): boolean {
  return aboutOf(method) === "key"
    ? apiKeys.snapshot.items.get(String(params["id"]))?.key !== undefined
    : targetId !== undefined && orders.snapshot.items.has(targetId);
}

const noCode: AskCode = async () => await Promise.resolve(undefined);

/** The pause between two readings of shown positions without a setting, in ms. */
const POSITIONS_PAUSE_MS = 5000;

const UNKEPT_IDS: KnownKeyIds = { load: () => [], save: async () => await Promise.resolve() };

/** The stores that the gate or other stores need. All others are made by `storeOf`. */
interface Stores {
  readonly positions: PositionsStore;
  readonly orders: OrdersStore;
  readonly apiKeys: ApiKeysStore;
  readonly instruments: InstrumentsStore;
  readonly isolatedMargin: IsolatedMargin;
  readonly cancelOnDisconnect: CancelOnDisconnectStore;
}

/** Makes the stores, in the order in which they hear of the session, and are disposed. */
function createStores(
  ports: { readonly session: Session; readonly clock: Clock; readonly log: Log },
  { sharedInstruments, keyIdsOf, positionsPauseMs = () => POSITIONS_PAUSE_MS }: LiveConnectionPorts,
  { address, recordNow }: { readonly address: string; readonly recordNow: () => ConnectionRecord },
): Stores {
  const shared = isLoopback(address) ? undefined : sharedInstruments?.(httpServerOf(address).origin);
  const orders = createOrdersStore(ports);
  const instruments = createInstrumentsStore(ports, shared);
  const positions = createPositionsStore({ ...ports, instruments, pauseMs: positionsPauseMs });
  return {
    positions,
    orders,
    isolatedMargin: createIsolatedMargin({ ...ports, orders, positions }),
    apiKeys: new ApiKeysStore({ ...ports, ids: keyIdsOf?.(recordNow()) ?? UNKEPT_IDS }),
    instruments,
    cancelOnDisconnect: new CancelOnDisconnectStore({ ...ports, orders, hasLink: !isHttpAddress(address) }),
  };
}

/** Returns what the stores know of orders and instruments. An instrument that no view has loaded is read. */
function marketOf(reader: Session["reader"], { orders, instruments }: Stores): GatePorts["market"] {
  const find = createInstrumentFinder();
  const read = new Map<string, boolean>();
  return {
    orderOf: (id) => openOrder(orders.snapshot, id),
    isRouted(name) {
      const known = find(instruments.snapshot, name);
      return known === undefined ? read.get(name) : known.isRouted === true;
    },
    async readIsRouted(name) {
      // What can't be read is not known to be routed: the order itself tells then what became of it.
      const { result } = await reader
        .readResponse(
          INSTRUMENT_METHOD,
          { instrument_name: name },
          { lane: "userRead", timeoutMs: INSTRUMENT_TIMEOUT_MS },
        )
        .catch(() => ({ result: undefined }));
      if (!isObject(result)) return false;
      read.set(name, isRoutedRow(result));
      return isRoutedRow(result);
    },
  };
}

const INSTRUMENT_TIMEOUT_MS = 3000;

/**
 * Returns the same routes, with each response heard first: about keys on every route, about orders over the link that
 * they are tied to.
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
