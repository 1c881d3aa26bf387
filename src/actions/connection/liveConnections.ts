import { createLiveConnection, type LiveConnection, type LiveConnectionPorts } from "./liveConnection.ts";
import { CallError } from "../../base/failure.ts";
import { createEmitter, DisposableList, type Disposable, type Event } from "../../base/emitter.ts";
import { logOf } from "../../base/log.ts";
import type { TrafficRecorder } from "../../rpc/traffic.ts";
import type { LentToken } from "../../session/lentToken.ts";
import type { Credentials, Session, SessionState } from "../../session/session.ts";
import type { Connections } from "../../state/connections.ts";
import { isOwnSimulator, SIMULATOR_ID, type ConnectionRecord } from "../../state/records.ts";

/** The address and credentials of a connection. Kept as long as the connection, and nowhere else. */
export interface Access {
  readonly url: string;
  readonly credentials: Credentials;
  /** Ends what was started for this connection alone, once it is closed. */
  readonly end?: () => void;
}

/** The open connections of this window, each with a session, stores and a gate of its own. */
export interface LiveConnections extends Disposable {
  readonly all: readonly LiveConnection[];
  /** The connection that was chosen last, if it is open. */
  readonly active: LiveConnection | undefined;
  find(id: string): LiveConnection | undefined;
  readonly onDidOpen: Event<LiveConnection>;
  readonly onDidClose: Event<LiveConnection>;
  /** Makes a connection that no view shows yet. The caller disposes it, or hands it to `adopt`. */
  create(record: ConnectionRecord, access: Access): LiveConnection;
  /** Makes a connection the one of its record; the previous one is closed. */
  adopt(live: LiveConnection): void;
  close(id: string): void;
  /**
   * Signs in again, with the new client secret of a key, every open connection that uses the key at the server of this
   * one. Returns these; none where they have the secret already.
   */
  useSecret(at: LiveConnection, clientId: string, clientSecret: string): readonly LiveConnection[];
  /**
   * Signs in with the API key of a connection for another process, with these scopes alone. Returns the token and the
   * address that it is for. Throws `CallError`.
   */
  lendToken(
    live: LiveConnection,
    scope: readonly string[],
    signal: AbortSignal,
  ): Promise<LentToken & { readonly url: string }>;
}

export interface LiveConnectionsPorts extends Omit<
  LiveConnectionPorts,
  "createSession" | "currentRecord" | "keepRecord" | "isOwnSimulator"
> {
  readonly connections: Connections;
  readonly createSession: (
    record: ConnectionRecord,
    access: Access,
    way: "own" | "http",
    traffic: TrafficRecorder,
  ) => Session;
  /** Signs in for another process. Without it, no token is handed to one. */
  readonly lendToken?: (
    record: ConnectionRecord,
    access: Access,
    scope: readonly string[],
    signal: AbortSignal,
  ) => Promise<LentToken>;
}

export function createLiveConnections(ports: LiveConnectionsPorts): LiveConnections {
  const { connections } = ports;
  const opened = createEmitter<LiveConnection>();
  const closed = createEmitter<LiveConnection>();
  const shown = new Map<string, { readonly live: LiveConnection; readonly disposables: Disposable }>();
  const accesses = new WeakMap<LiveConnection, OpenAccess>();

  const close = (id: string): void => {
    const entry = shown.get(id);
    if (entry === undefined) return;
    shown.delete(id);
    closed.fire(entry.live);
    entry.live.disconnect();
    entry.disposables.dispose();
  };
  return {
    get all() {
      return connections.list.flatMap(({ record }) => shown.get(record.id)?.live ?? []);
    },
    get active() {
      const id = connections.active?.record.id;
      return id === undefined ? undefined : shown.get(id)?.live;
    },
    find: (id) => shown.get(id)?.live,
    onDidOpen: opened.event,
    onDidClose: closed.event,
    create(record, access) {
      const own: OpenAccess = { ...access };
      const live = createEnding(record, own, ports);
      accesses.set(live, own);
      return live;
    },
    adopt(live) {
      const { id } = live.record;
      close(id);
      shown.set(id, { live, disposables: show(live, connections) });
      opened.fire(live);
    },
    close,
    useSecret(at, clientId, clientSecret) {
      const server = accesses.get(at)?.url;
      return [...shown.values()].flatMap(({ live }) => {
        const access = accesses.get(live);
        const credentials = access === undefined ? undefined : withSecret(access, { server, clientId, clientSecret });
        if (access === undefined || credentials === undefined) return [];
        access.credentials = credentials;
        live.signInAgain();
        return [live];
      });
    },
    async lendToken(live, scope, signal) {
      const access = accesses.get(live);
      if (access === undefined || ports.lendToken === undefined) throw new CallError({ kind: "notConnected" });
      return { ...(await ports.lendToken(live.record, access, scope, signal)), url: access.url };
    },
    dispose() {
      for (const id of [...shown.keys()]) close(id);
      opened.dispose();
      closed.dispose();
    },
  };
}

/** The access of a connection, whose secret may be replaced. */
type OpenAccess = Omit<Access, "credentials"> & { credentials: Credentials };

/** Returns the credentials with a new secret; undefined where they are of another key, or have it already. */
function withSecret(
  { url, credentials }: OpenAccess,
  next: { readonly server: string | undefined; readonly clientId: string; readonly clientSecret: string },
): Credentials | undefined {
  const { clientId, clientSecret } = next;
  if (next.server === undefined || new URL(url).host !== new URL(next.server).host) return undefined;
  if (credentials.kind !== "client_signature" && credentials.kind !== "client_credentials") return undefined;
  return credentials.clientId === clientId && credentials.clientSecret !== clientSecret
    ? { ...credentials, clientSecret }
    : undefined;
}

/** Calls the listener when the name of a connection changes, because it acts as another account. */
export function followName(live: Pick<LiveConnection, "name" | "onDidChangeState">, changed: () => void): Disposable {
  let { name } = live;
  return live.onDidChangeState(() => {
    if (live.name === name) return;
    ({ name } = live);
    changed();
  });
}

/** Throws `CallError` where no connection is open. */
export function requireOpenConnection({ all }: Pick<LiveConnections, "all">): void {
  if (all.length === 0) throw new CallError({ kind: "notConnected" });
}

/**
 * Returns the open connections that act for an account. Throws `CallError` where none is open, or none of them has a
 * key.
 */
export function openAccounts({ all }: Pick<LiveConnections, "all">): readonly LiveConnection[] {
  if (all.length === 0) throw new CallError({ kind: "notConnected" });
  const accounts = all.filter(({ record }) => record.grant !== "none");
  if (accounts.length === 0) throw new CallError({ kind: "noKey" });
  return accounts;
}

function createEnding(record: ConnectionRecord, access: Access, ports: LiveConnectionsPorts): LiveConnection {
  // An outage does not make the server another one.
  let lastReady: SessionState | undefined;
  const live = createLiveConnection(record, {
    ...ports,
    log: logOf(ports.log, record.name),
    createSession(each, way, traffic) {
      const made = ports.createSession(each, access, way, traffic);
      if (way === "own")
        made.onDidChangeState((state) => {
          if (state.status === "ready") lastReady = state;
        });
      return made;
    },
    address: access.url,
    // The simulator's is not saved: it is the one that was given, which says whether it replays a recording.
    currentRecord: (id) => (id === SIMULATOR_ID ? record : ports.connections.find(id)?.record),
    keepRecord: async (each) => await ports.connections.put(each),
    get isOwnSimulator() {
      return isOwnSimulator(record, lastReady);
    },
  });
  const { end } = access;
  if (end === undefined) return live;
  const dispose = live.dispose.bind(live);
  return Object.assign(live, {
    dispose() {
      dispose();
      end();
    },
  });
}

/** Shows a connection in `Connections`. Whether a server is our simulator is known after its first response. */
function show(live: LiveConnection, connections: Connections): Disposable {
  const disposables = new DisposableList();
  disposables.add(live);
  let isOwn = isOwnSimulator(live.record, live.state);
  let attachment = connections.attach(live.record.id, live, isOwn);
  disposables.add({ dispose: () => attachment.dispose() });
  disposables.add(
    live.onDidChangeState((state) => {
      if (isOwnSimulator(live.record, state) === isOwn) return;
      isOwn = !isOwn;
      const before = attachment;
      attachment = connections.attach(live.record.id, live, isOwn);
      before.dispose();
    }),
  );
  return disposables;
}
