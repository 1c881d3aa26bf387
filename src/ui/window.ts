import * as crypto from "node:crypto";
import * as vscode from "vscode";
import { Journals } from "../actions/journal/journals.ts";
import {
  createLiveConnections,
  type Access,
  type LiveConnections,
  type LiveConnectionsPorts,
} from "../actions/connection/liveConnections.ts";
import type { DisposableList } from "../base/emitter.ts";
import { logOf } from "../base/log.ts";
import { httpServerOf, isHttpAddress, webSocketAddressOf } from "../rpc/address.ts";
import { dialWebSocket } from "../rpc/webSocketTransport.ts";
import { streamsAddressOf } from "../rpc/gateway.ts";
import { createSessionAt } from "../session/gatewaySession.ts";
import type { HttpSession } from "../session/session.ts";
import { lendToken } from "../session/lentToken.ts";
import { createConnections, type Connections } from "../state/connections.ts";
import { isGatewayRecord, requireOwnCredentials, type ConnectionRecord, type RecordStorage } from "../state/records.ts";
import { createKnownKeyIds } from "./apiKeys/knownKeyIds.ts";
import { createOtherWindows, type OtherWindows } from "./connections/otherWindows.ts";
import { createRun } from "./connections/runs.ts";
import { createSharedList } from "./connections/sharedList.ts";
import type { Ui } from "./ui.ts";

/** What exists before the connections of a window, and the parts that are loaded with the first use of one. */
type WindowUi = Pick<Ui, "clock" | "log" | "settings" | "ask"> &
  Required<Pick<LiveConnectionsPorts, "askCode" | "askLimit" | "placeFor" | "loadOutcomes">> & {
    readonly context: vscode.ExtensionContext;
    /** Returns the level that the log shows. */
    readonly level: () => vscode.LogLevel;
  };

/** The connections that this window can open and has open, the journal of its changes there, and its neighbors. */
interface Window {
  readonly connections: Connections;
  readonly liveConnections: LiveConnections;
  readonly journals: Journals;
  readonly windows: OtherWindows;
}

/** Opens the records and journals of this window. Nothing is connected yet. */
export function createWindow({ context, level, ...ui }: WindowUi, disposables: DisposableList): Window {
  const { clock, log, settings } = ui;
  const folderOf = (name: string): string => vscode.Uri.joinPath(context.globalStorageUri, name).fsPath;
  const connections = disposables.add(
    createConnections({ storage: recordStorage(context.globalState), now: () => clock.now() }),
  );
  const { id: runId, isAlive } = disposables.add(createRun({ folder: folderOf("runs"), clock, log }));
  const run = { runId, isAlive, log };
  const windows = disposables.add(createOtherWindows({ ...run, folder: folderOf("windows") }));
  const journals = disposables.add(new Journals({ folder: folderOf("journal"), ...run, clock }));
  const liveConnections = createLiveConnections({
    ...ui,
    connections,
    ...createSessionMaker(runId, versionOf(context), () => level() === vscode.LogLevel.Trace, ui),
    isDebugging: () => level() === vscode.LogLevel.Debug || level() === vscode.LogLevel.Trace,
    journal: journals,
    runId,
    adoptPast: async (id) => await journals.adopt(id),
    openInOtherWindows: async (id) => await journals.openInOtherWindows(id),
    settings: () => settings.safety(),
    sharedInstruments: (server) => createSharedList(`${server} instruments`, { folder: folderOf("lists"), clock, log }),
    keyIdsOf: createKnownKeyIds(context.globalState, connections),
    positionsPauseMs: () => settings.positions().pauseMs,
    idleDisconnectMinutes: () => settings.integer("connection.idleDisconnectMinutes"),
  });
  return { connections, journals, windows, liveConnections: disposables.add(liveConnections) };
}

const RECORDS_KEY = "tradingRpc.connections";

function recordStorage(state: vscode.Memento): RecordStorage {
  return {
    load: () => state.get(RECORDS_KEY),
    save: async (value) => {
      await state.update(RECORDS_KEY, value);
    },
  };
}

/**
 * Makes the functions that create sessions and sign in for other processes. Ids and generations are counted over all
 * connections, so that none ever repeats.
 */
function createSessionMaker(
  runId: string,
  version: string,
  isTracing: () => boolean,
  { clock, log }: Pick<Ui, "clock" | "log">,
): Pick<LiveConnectionsPorts, "createSession" | "lendToken"> {
  let wireId = 0;
  let generation = 0;
  const portsOf = (access: Access, record: ConnectionRecord, way: "own" | "http") => ({
    dial: async (signal: AbortSignal) =>
      way === "http" || isHttpAddress(access.url)
        ? httpServerOf(access.url)
        : await dialWebSocket(access.url, { clock }, signal),
    credentials: async () => {
      requireOwnCredentials(record, access.url);
      return await Promise.resolve(access.credentials);
    },
    clock,
    random: () => crypto.randomInt(RANDOM_STEPS) / RANDOM_STEPS,
    log: logOf(log, record.name),
    nextWireId: () => ++wireId,
    isTracing,
  });
  const sessionOf = (access: Access, name: string): HttpSession => ({
    name: `trading-rpc-${name}`,
    dial: async (signal) => await dialWebSocket(webSocketAddressOf(access.url), { clock }, signal),
  });
  return {
    createSession(record, access, way, traffic) {
      const streams = way === "http" || isHttpAddress(access.url) ? undefined : streamsAddressOf(access.url);
      const dialStreams =
        streams === undefined
          ? undefined
          : async (signal: AbortSignal) => await dialWebSocket(streams, { clock }, signal);
      const session = crypto.createHash("sha256").update(`${runId}/${record.id}`).digest("hex").slice(0, 16);
      return createSessionAt(
        { isGateway: isGatewayRecord(record), dialStreams },
        {
          ...portsOf(access, record, way),
          httpSession: sessionOf(access, session),
          client: { name: "trading-rpc", version },
          nextGeneration: () => ++generation,
          limits: "exchange",
          traffic,
        },
      );
    },
    lendToken: async (record, access, scope, signal) => {
      // Each process has a session of its own, so that ending one ends no other.
      const session = sessionOf(access, `t${crypto.randomBytes(8).toString("hex")}`);
      return await lendToken(scope, { ...portsOf(access, record, "own"), session }, signal);
    },
  };
}

const RANDOM_STEPS = 2 ** 47;

function versionOf(context: vscode.ExtensionContext): string {
  return String((context.extension.packageJSON as { readonly version?: unknown }).version);
}
