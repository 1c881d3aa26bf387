import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { environmentWords } from "../../actions/intent/connectionNames.ts";
import * as l10n from "../../base/l10n.ts";
import { silentLog } from "../../base/log.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { entryBeyondReading } from "../../catalogue/scopeLines.ts";
import { linkFailureText } from "../../present/text/failureText.ts";
import { httpServerOf, isHttpAddress, webSocketAddressOf } from "../../rpc/address.ts";
import { dialWebSocket } from "../../rpc/webSocketTransport.ts";
import { createSession } from "../../session/createSession.ts";
import type { Reader, Session, SessionState } from "../../session/session.ts";
import { effectiveEnvironment } from "../../state/records.ts";
import type { ConnectionAccess } from "../access.ts";
import { openConnection } from "../connection.ts";
import { nothingKept } from "../earlierRuns.ts";
import { createTerminalQuestions, isConfirmedBy } from "../questions.ts";
import { EXIT, type ExitCode } from "../report.ts";
import { createSecretFile } from "../secretFile.ts";
import type { Shell } from "../shell.ts";
import type { McpWishes } from "./mcpArguments.ts";

/**
 * The server of the tools. Only a simulator that this process or our extension has started has a connection with a
 * gate. All that there is of any other server is its reader, which has no method that writes.
 */
export type AgentServer = {
  /** The environment and name, as every result says them. */
  readonly place: Plain;
  readonly reader: Reader;
  /** Whether methods of the account can be read. */
  readonly isSignedIn: boolean;
  /** Ends the connection. */
  close(): Promise<void>;
} & ({ readonly kind: "reading" } | { readonly kind: "simulator"; readonly live: LiveConnection });

/** An opened server, or the reason why there is none. */
export type AgentOpening =
  | AgentServer
  | { readonly kind: "failed"; readonly message: Plain; readonly exitCode: ExitCode };

/** What a server is opened with. */
export interface AgentServerPorts {
  readonly shell: Shell;
  /** Keeps a text out of all output from now on. */
  readonly hide: (secret: string) => void;
  /** Hears, once, why the connection can't be used any more. */
  readonly onLost: (reason: Plain) => void;
}

/** The scopes that a key signs in with. */
const READ_SCOPES = ["account:read", "trade:read"] as const;

/** An access to a server that is not a simulator, and the scope of its token where it was lent. */
export interface ReadingAccess {
  readonly access: Extract<ConnectionAccess, { readonly kind: "server" }>;
  /** Undefined where the sign-in tells it. */
  readonly grantedScope: string | undefined;
}

/** Opens a server for reading alone. Refuses one that grants more than that. Never rejects. */
export async function openReading(
  { access, grantedScope }: ReadingAccess,
  { environment }: McpWishes,
  ports: AgentServerPorts,
): Promise<AgentOpening> {
  const told = grantedScope === undefined ? undefined : scopeRefusal(grantedScope);
  if (told !== undefined) return { kind: "failed", message: told, exitCode: EXIT.refused };
  const session = createReadingSession(access, ports);
  const isLent = grantedScope !== undefined;
  const problemOf = (state: SessionState): Omit<Extract<AgentOpening, { kind: "failed" }>, "kind"> | undefined => {
    if (state.status === "locked")
      return { message: linkFailureText(state.failure, new URL(access.url).host), exitCode: EXIT.noConnection };
    if (state.status !== "ready") return undefined;
    const { authentication, scope, testnet } = state.identity;
    const refusal =
      (authentication === "key" && !isLent ? scopeRefusal(scope) : undefined) ??
      effectiveEnvironment({ id: "agents", name: "", declared: environment, ...access }, testnet, false).contradiction;
    return refusal === undefined ? undefined : { message: refusal, exitCode: EXIT.refused };
  };
  const problem = await untilOpen(session, access.url, { problemOf, stop: ports.shell.stop });
  if (problem !== undefined) {
    session.dispose();
    return { kind: "failed", ...problem };
  }
  // A renewed sign-in may grant another scope, and a token ends.
  session.onDidChangeState((state) => {
    const later = problemOf(state);
    if (later === undefined) return;
    session.disconnect();
    ports.onLost(later.message);
  });
  const name = access.lent?.name ?? (access.clientId === "" ? new URL(access.url).host : access.clientId);
  return {
    kind: "reading",
    place: environmentWords(environment, name),
    reader: session.reader,
    isSignedIn: access.credentials.kind !== "none",
    async close() {
      session.disconnect();
      session.dispose();
      await Promise.resolve();
    },
  };
}

/** Returns why a scope is refused; undefined where it allows nothing but to read. */
function scopeRefusal(scope: string): Plain | undefined {
  if (scope.trim() === "")
    return l10n.t("The server doesn't report the granted scopes, so it isn't known whether they only read.");
  const entry = entryBeyondReading(scope);
  return entry === undefined
    ? undefined
    : l10n.t(
        "The granted scope has {0}, which is not known to only read. Agents get read scopes alone. Nothing was sent for them.",
        plain.name(entry),
      );
}

function createReadingSession(
  { url, credentials }: ReadingAccess["access"],
  { shell: { clock, random, version } }: AgentServerPorts,
): Session {
  let wireId = 0;
  let generation = 0;
  const name = `trading-rpc-mcp-${Math.floor(random() * 36 ** 8).toString(36)}`;
  return createSession({
    ...{ clock, random, log: silentLog, limits: "exchange", isTracing: () => false },
    dial: async (signal) => (isHttpAddress(url) ? httpServerOf(url) : await dialWebSocket(url, { clock }, signal)),
    credentials: async () => await Promise.resolve(credentials),
    scope: READ_SCOPES,
    httpSession: { name, dial: async (signal) => await dialWebSocket(webSocketAddressOf(url), { clock }, signal) },
    client: { name: "trading-rpc-mcp", version },
    nextWireId: () => ++wireId,
    nextGeneration: () => ++generation,
  });
}

interface OpeningRules {
  readonly problemOf: (state: SessionState) => { readonly message: Plain; readonly exitCode: ExitCode } | undefined;
  readonly stop: AbortSignal;
}

/** Resolves once a session is ready, to undefined, or to the reason why it is not going to be. */
async function untilOpen(
  session: Session,
  url: string,
  { problemOf, stop }: OpeningRules,
): Promise<ReturnType<OpeningRules["problemOf"]>> {
  return await new Promise((resolve) => {
    const end = (problem: ReturnType<OpeningRules["problemOf"]>): void => {
      listener.dispose();
      stop.removeEventListener("abort", giveUp);
      resolve(problem);
    };
    const giveUp = (): void => end({ message: l10n.t("The run was interrupted."), exitCode: EXIT.failed });
    const listener = session.onDidChangeState((state) => {
      const problem = problemOf(state);
      if (problem !== undefined || state.status === "ready") end(problem);
      else if (state.status === "waiting")
        end({ message: linkFailureText(state.failure, new URL(url).host), exitCode: EXIT.noConnection });
    });
    stop.addEventListener("abort", giveUp);
    if (stop.aborted) giveUp();
    else session.connect();
  });
}

/** Opens a simulator of this process, or one of our extension, with its gate. Never rejects. */
export async function openSimulator(
  access: ConnectionAccess,
  { shell, hide, onLost }: AgentServerPorts,
): Promise<AgentOpening> {
  const writes = { writes: "notProduction", cancels: "notProduction" } as const;
  const opening = await openConnection(
    access,
    { environment: "simulator", trading: undefined, limits: undefined },
    {
      ...shell,
      log: silentLog,
      journals: nothingKept(),
      runId: shell.journalPlace.runId,
      hide,
      // The client of the agent asks its user before it calls a tool: what is asked here is confirmed with the call.
      questions: createTerminalQuestions(
        { isAttended: false, readLine: async () => await Promise.resolve(undefined) },
        (question) => isConfirmedBy(writes, question),
      ),
      secretFile: (useSecret) =>
        createSecretFile({
          ...{ path: undefined, hide, useSecret, onNote: () => undefined },
          create: async (path) => await shell.files.createPrivate(path),
        }),
    },
  );
  if (opening.kind === "failed") return opening;
  const { live } = opening;
  live.onDidChangeState((state) => {
    if (state.status === "locked") onLost(linkFailureText(state.failure));
  });
  return {
    kind: "simulator",
    live,
    place: live.place,
    reader: live.createStore(({ session }) => session.reader),
    isSignedIn: true,
    close: opening.close,
  };
}
