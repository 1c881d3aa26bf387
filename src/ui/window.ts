import * as crypto from "node:crypto";
import * as vscode from "vscode";
import { createJournals, type Journals } from "../actions/journals.ts";
import {
  createLiveConnections,
  type Access,
  type LiveConnections,
  type LiveConnectionsPorts,
} from "../actions/liveConnections.ts";
import type { Ask, AskCode, AskLimit } from "../actions/question.ts";
import type { Clock } from "../base/clock.ts";
import type { DisposableList } from "../base/emitter.ts";
import { logOf, type Log } from "../base/log.ts";
import { httpServerOf, isHttpAddress, webSocketAddressOf } from "../rpc/address.ts";
import { dialWebSocket } from "../rpc/webSocketTransport.ts";
import { createSession } from "../session/createSession.ts";
import type { HttpSession } from "../session/session.ts";
import { lendToken } from "../session/lentToken.ts";
import { createConnections, type Connections } from "../state/connections.ts";
import type { RecordStorage } from "../state/records.ts";
import { createKnownKeyIds } from "./apiKeys/knownKeyIds.ts";
import { createOtherWindows, type OtherWindows } from "./connections/otherWindows.ts";
import { createRun } from "./connections/runs.ts";
import { createSharedList } from "./connections/sharedList.ts";
import type { MaskingLog } from "./editor/log.ts";
import type { Settings } from "./editor/settings.ts";

interface WindowPorts {
  readonly context: vscode.ExtensionContext;
  readonly clock: Clock;
  readonly log: MaskingLog;
  readonly settings: Settings;
  readonly ask: Ask;
  readonly askCode: AskCode;
  readonly askLimit: AskLimit;
  readonly placeFor: NonNullable<LiveConnectionsPorts["placeFor"]>;
  readonly loadOutcomes: NonNullable<LiveConnectionsPorts["loadOutcomes"]>;
  /** Returns the level that the log shows. */
  readonly level: () => vscode.LogLevel;
}

/** The connections that this window can open and has open, the journal of its changes there, and its neighbors. */
interface Window {
  readonly connections: Connections;
  readonly liveConnections: LiveConnections;
  readonly journals: Journals;
  readonly windows: OtherWindows;
}

/** Opens the records and journals of this window. Nothing is connected yet. */
export function createWindow(
  { context, clock, log, settings, ask, askCode, askLimit, placeFor, loadOutcomes, level }: WindowPorts,
  disposables: DisposableList,
): Window {
  const connections = disposables.add(
    createConnections({ storage: recordStorage(context.globalState), now: () => clock.now() }),
  );
  const { id: runId, isAlive } = disposables.add(
    createRun({ folder: vscode.Uri.joinPath(context.globalStorageUri, "runs").fsPath, clock, log }),
  );
  const run = { runId, isAlive, log };
  const windows = disposables.add(
    createOtherWindows({ ...run, folder: vscode.Uri.joinPath(context.globalStorageUri, "windows").fsPath }),
  );
  const journals = disposables.add(
    createJournals({ folder: vscode.Uri.joinPath(context.globalStorageUri, "journal").fsPath, ...run, clock }),
  );
  const liveConnections = createLiveConnections({
    connections,
    ...createSessionMaker({
      runId,
      clock,
      log,
      version: versionOf(context),
      isTracing: () => level() === vscode.LogLevel.Trace,
    }),
    isDebugging: () => level() === vscode.LogLevel.Debug || level() === vscode.LogLevel.Trace,
    ask,
    askCode,
    askLimit,
    placeFor,
    loadOutcomes,
    journal: journals,
    runId,
    adoptPast: async (id) => await journals.adopt(id),
    openElsewhere: async (id) => await journals.openElsewhere(id),
    clock,
    settings: () => settings.safety(),
    sharedInstruments: (server) =>
      createSharedList(`${server} instruments`, {
        folder: vscode.Uri.joinPath(context.globalStorageUri, "lists").fsPath,
        clock,
        log,
      }),
    keyIdsOf: createKnownKeyIds(context.globalState, connections),
    positionsPauseMs: () => settings.positions().pauseMs,
    idleDisconnectMinutes: () => settings.connection().idleDisconnectMinutes,
    log,
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

interface SessionMakerPorts {
  readonly runId: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  readonly isTracing: () => boolean;
}

/**
 * Makes the functions that create sessions and sign in for other processes. Ids and generations are counted over all
 * connections, so that none ever repeats.
 */
function createSessionMaker({
  runId,
  clock,
  log,
  version,
  isTracing,
}: SessionMakerPorts): Pick<LiveConnectionsPorts, "createSession" | "lendToken"> {
  let wireId = 0;
  let generation = 0;
  const portsOf = (access: Access, name: string, way: "own" | "http") => ({
    dial: async (signal: AbortSignal) =>
      way === "http" || isHttpAddress(access.url)
        ? httpServerOf(access.url)
        : await dialWebSocket(access.url, { clock }, signal),
    credentials: async () => await Promise.resolve(access.credentials),
    clock,
    random: () => crypto.randomInt(RANDOM_STEPS) / RANDOM_STEPS,
    log: logOf(log, name),
    nextWireId: () => ++wireId,
    isTracing,
  });
  const sessionOf = (access: Access, name: string): HttpSession => ({
    name: `trading-rpc-${name}`,
    dial: async (signal) => await dialWebSocket(webSocketAddressOf(access.url), { clock }, signal),
  });
  return {
    createSession: ({ id, name }, access, way, traffic) =>
      createSession({
        ...portsOf(access, name, way),
        httpSession: sessionOf(access, crypto.createHash("sha256").update(`${runId}/${id}`).digest("hex").slice(0, 16)),
        client: { name: "trading-rpc", version },
        nextGeneration: () => ++generation,
        limits: "exchange",
        traffic,
      }),
    lendToken: async ({ name }, access, scope, signal) => {
      // Each process has a session of its own, so that ending one ends no other.
      const session = sessionOf(access, `t${crypto.randomBytes(8).toString("hex")}`);
      return await lendToken(scope, { ...portsOf(access, name, "own"), session }, signal);
    },
  };
}

const RANDOM_STEPS = 2 ** 47;

function versionOf(context: vscode.ExtensionContext): string {
  return String((context.extension.packageJSON as { readonly version?: unknown }).version);
}
