import { createLiveConnection, type LiveConnection } from "../actions/connection/liveConnection.ts";
import { toFailure } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import type { Log } from "../base/log.ts";
import { plain, type Plain } from "../base/plain.ts";
import { linkFailureText } from "../present/text/failureText.ts";
import { streamsAddressOf } from "../rpc/gateway.ts";
import { httpServerOf, isHttpAddress, webSocketAddressOf } from "../rpc/address.ts";
import type { TrafficRecorder } from "../rpc/traffic.ts";
import { dialWebSocket } from "../rpc/webSocketTransport.ts";
import { createSessionAt } from "../session/gatewaySession.ts";
import type { Session, SessionState } from "../session/session.ts";
import { startSimulatorThread } from "../session/simulatorWorker.ts";
import {
  effectiveEnvironment,
  isGatewayRecord,
  isOwnSimulator,
  requireOwnCredentials,
  SIMULATOR_ID,
  withTrading,
  type ConnectionRecord,
  type Environment,
} from "../state/records.ts";
import type { ConnectionAccess } from "./access.ts";
import type { RunWishes } from "./arguments.ts";
import type { RunJournals } from "./earlierRuns.ts";
import type { TerminalQuestions } from "./questions.ts";
import { EXIT, type ExitCode } from "./report.ts";
import type { SecretFile, SecretFilePorts } from "./secretFile.ts";
import type { Shell } from "./shell.ts";

/** The ports of a connection of a run. */
interface ConnectionPorts extends Pick<Shell, "clock" | "random" | "version" | "simulatorFile" | "stop"> {
  readonly log: Log;
  readonly questions: TerminalQuestions;
  /** Where changes are written down before they are sent. */
  readonly journals: RunJournals;
  /** Letters and digits that tell this run from every other. */
  readonly runId: string;
  /** Keeps a text out of all output from now on. */
  readonly hide: (secret: string) => void;
  /** Makes the place of a client secret, given how the connection uses it. */
  readonly secretFile: (useSecret: SecretFilePorts["useSecret"]) => SecretFile;
  /** Called with the connection before it connects; undefined if it isn't watched. */
  readonly onLive?: ((live: LiveConnection) => void) | undefined;
}

/** A ready connection to the requested server, or the reason why there is none. */
type Opening =
  | {
      readonly kind: "open";
      readonly live: LiveConnection;
      readonly secretFile: SecretFile;
      /** Resolves to the number of requests that the exchange would have refused, where its rate limits are off. */
      readonly countExcess: () => Promise<number>;
      readonly close: () => Promise<void>;
    }
  | { readonly kind: "failed"; readonly message: Plain; readonly exitCode: ExitCode };

/** Whether the exchange's rate limits hold in a run: only on its own simulator they can be off. */
export function hasLimits({ kind }: ConnectionAccess, { limits }: Pick<RunWishes, "limits">): boolean {
  return kind !== "ownSimulator" || limits === true;
}

/** Opens the connection of a run: signs in, and makes sure that the server is what `--env` says. Never rejects. */
export async function openConnection(
  access: ConnectionAccess,
  wishes: Pick<RunWishes, "environment" | "trading" | "limits">,
  ports: ConnectionPorts,
): Promise<Opening> {
  const server = await serverOf(access, wishes, ports).catch((error: unknown) =>
    linkFailureText(toFailure(error), l10n.t("the simulator")),
  );
  if (typeof server === "string") return { kind: "failed", message: server, exitCode: EXIT.noConnection };
  const { live, secretFile } = createLive(server, wishes, ports);
  ports.onLive?.(live);
  const close = async (): Promise<void> => {
    await secretFile.close();
    live.disconnect();
    live.dispose();
    await server.stop();
  };
  const trouble = (await untilReady(live, server.url, ports.stop)) ?? contradictionOf(live, wishes.environment);
  if (trouble === undefined) return { kind: "open", live, secretFile, countExcess: server.countExcess, close };
  await close();
  return { kind: "failed", ...trouble };
}

type ServerAccess = Extract<ConnectionAccess, { kind: "server" }>;

interface Server extends Omit<ServerAccess, "kind"> {
  readonly id: string;
  readonly hasLimits: boolean;
  readonly countExcess: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

async function serverOf(
  access: ConnectionAccess,
  wishes: Pick<RunWishes, "limits">,
  { simulatorFile, log, hide }: ConnectionPorts,
): Promise<Server> {
  const limits = hasLimits(access, wishes);
  if (access.kind === "server") {
    // VS Code knows its simulator by the key, which does not come with a token.
    const id = access.lent?.isOwnSimulator === true ? SIMULATOR_ID : "terminal";
    const countExcess = async (): Promise<number> => await Promise.resolve(0);
    return { ...access, id, hasLimits: limits, countExcess, stop: async () => await Promise.resolve() };
  }
  const onEnd = (): void => log.warn(plain`the simulator has stopped`);
  const simulator = await startSimulatorThread(simulatorFile, log, onEnd, { limits });
  const { webSocket, clientId, clientSecret } = simulator;
  hide(clientSecret);
  return {
    id: SIMULATOR_ID,
    url: webSocket,
    credentials: { kind: "client_signature", clientId, clientSecret },
    grant: "client_signature",
    clientId,
    hasLimits: limits,
    // One that has stopped can't tell any more.
    countExcess: async () => (limits ? 0 : Number(await simulator.control("excessCalls", {}).catch(() => 0))),
    stop: async () => await simulator.stop(),
  };
}

/** Returns the name of a run in confirmations and reports: that of the connection or the key where there is one. */
function nameOf({ id, lent, clientId, url }: Server): string {
  if (lent !== undefined) return lent.name;
  if (id === SIMULATOR_ID) return l10n.t("Simulator");
  return clientId === "" ? new URL(url).host : clientId;
}

function createLive(
  server: Server,
  { environment, trading }: Pick<RunWishes, "environment" | "trading">,
  { clock, random, log, version, questions, journals, runId, secretFile: secretFileOf }: ConnectionPorts,
): { readonly live: LiveConnection; readonly secretFile: SecretFile } {
  const { url, grant, clientId } = server;
  let { credentials } = server;
  let record: ConnectionRecord = withTrading(
    { id: server.id, name: nameOf(server), declared: environment, url, grant, clientId },
    environment,
    trading && { ...trading, usedUsd: 0 },
  );
  let wireId = 0;
  let generation = 0;
  // An outage does not make the server another one.
  let lastReady: SessionState | undefined;
  const sessionName = `trading-rpc-${Math.floor(clock.now()).toString(36)}${Math.floor(random() * CHANCES).toString(36)}`;
  const makeSession = (_record: ConnectionRecord, way: "own" | "http", traffic: TrafficRecorder): Session => {
    const isOverHttp = way === "http" || isHttpAddress(url);
    const streams = isOverHttp ? undefined : streamsAddressOf(url);
    const dialStreams =
      streams === undefined
        ? undefined
        : async (signal: AbortSignal) => await dialWebSocket(streams, { clock }, signal);
    const session = createSessionAt(
      { isGateway: isGatewayRecord(record), dialStreams },
      {
        traffic,
        dial: async (signal) => (isOverHttp ? httpServerOf(url) : await dialWebSocket(url, { clock }, signal)),
        credentials: async () => {
          requireOwnCredentials(record, url);
          return await Promise.resolve(credentials);
        },
        httpSession: {
          name: sessionName,
          dial: async (signal) => await dialWebSocket(webSocketAddressOf(url), { clock }, signal),
        },
        client: { name: "trading-rpc-cli", version },
        clock,
        random,
        log,
        nextWireId: () => ++wireId,
        nextGeneration: () => ++generation,
        limits: server.hasLimits ? "exchange" : "off",
        isTracing: () => false,
      },
    );
    if (way === "own")
      session.onDidChangeState((state) => {
        if (state.status === "ready") lastReady = state;
      });
    return session;
  };
  const secretFile = secretFileOf(async (ofClient, clientSecret) => {
    if ((credentials.kind !== "client_signature" && credentials.kind !== "client_credentials") || ofClient !== clientId)
      return;
    credentials = { ...credentials, clientSecret };
    live.signInAgain();
    await untilSettledState(live);
  });
  const live = createLiveConnection(record, {
    placeFor: async () => await secretFile.prepare(),
    holder: "program",
    createSession: makeSession,
    address: url,
    currentRecord: () => record,
    // A run has its own total, which ends with it.
    async keepRecord(changed) {
      record = changed;
      await Promise.resolve();
    },
    get isOwnSimulator() {
      return isOwnSimulator(record, lastReady);
    },
    ask: questions.ask,
    askCode: questions.askCode,
    journal: journals.journal,
    runId,
    openInOtherWindows: async (id) => (await journals.kept?.openInOtherWindows(id)) ?? [],
    clock,
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
    log,
  });
  return { live, secretFile };
}

/** Resolves once a connection that signs in again is ready, or is not going to be. */
async function untilSettledState(live: LiveConnection): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (live.state.status === "connecting" || live.state.status === "authenticating") return;
      listener.dispose();
      resolve();
    };
    const listener = live.onDidChangeState(look);
    look();
  });
}

type Trouble = Omit<Extract<Opening, { kind: "failed" }>, "kind">;

const CHANCES = 36 ** 8;

/**
 * Resolves once the connection is ready. Reports the first failure and does not retry: a script needs to know at once.
 */
async function untilReady(live: LiveConnection, url: string, stop: AbortSignal): Promise<Trouble | undefined> {
  return await new Promise((resolve) => {
    const end = (trouble?: Trouble): void => {
      listener.dispose();
      stop.removeEventListener("abort", giveUp);
      resolve(trouble);
    };
    const giveUp = (): void => end({ message: l10n.t("The run was interrupted."), exitCode: EXIT.failed });
    const look = (): void => {
      const { state } = live;
      if (state.status === "ready") end();
      else if (state.status === "waiting" || state.status === "locked")
        end({ message: linkFailureText(state.failure, new URL(url).host), exitCode: EXIT.noConnection });
    };
    const listener = live.onDidChangeState(look);
    stop.addEventListener("abort", giveUp);
    if (stop.aborted) giveUp();
    else live.connect();
  });
}

/** Returns the contradiction between the server and the request, if any: such a server is sent nothing. */
function contradictionOf({ environment, record, state }: LiveConnection, wanted: Environment): Trouble | undefined {
  const testnet = state.status === "ready" ? state.identity.testnet : undefined;
  const { contradiction } = effectiveEnvironment(record, testnet, environment === "simulator");
  return environment === wanted && contradiction === undefined
    ? undefined
    : { message: contradiction ?? l10n.t("The server's environment doesn't match --env."), exitCode: EXIT.refused };
}
