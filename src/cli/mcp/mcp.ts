import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { SecretValues } from "../../rpc/maskSecrets.ts";
import { openKeyFileText } from "../../session/privateKey.ts";
import { readAccess } from "../access.ts";
import { borrowToken } from "../borrowedToken.ts";
import { readKeyFile } from "../keyFile.ts";
import { EXIT, type ExitCode } from "../report.ts";
import { complain, type Shell } from "../shell.ts";
import {
  openReading,
  openSimulator,
  type AgentOpening,
  type AgentServerPorts,
  type ReadingAccess,
} from "./agentServer.ts";
import type { McpWishes } from "./mcpArguments.ts";
import { serveTools } from "./protocol.ts";
import { createTools } from "./tools.ts";

/**
 * Serves tools for agents until the standard input ends. The standard output has messages of the protocol alone;
 * everything else goes to the standard error.
 */
export async function serveAgents(wishes: McpWishes, shell: Shell, secrets: SecretValues): Promise<ExitCode> {
  const lost = new AbortController();
  let reason: Plain | undefined;
  const ports: AgentServerPorts = {
    shell,
    hide: (secret) => secrets.keep(secret),
    onLost(told) {
      reason ??= told;
      lost.abort();
    },
  };
  const { opening, release } = await open(wishes, ports);
  if (opening.kind === "failed") {
    release();
    return complain(shell, [opening.message], opening.exitCode);
  }
  try {
    shell.writeError(`${startText(opening)}\n`);
    await serveTools(createTools(opening, shell), shell, AbortSignal.any([shell.stop, lost.signal]));
  } finally {
    await opening.close();
    release();
  }
  return reason === undefined ? EXIT.passed : complain(shell, [reason], EXIT.noConnection);
}

function startText({ kind, place, isSignedIn }: Exclude<AgentOpening, { kind: "failed" }>): Plain {
  if (kind === "simulator") return l10n.t("MCP server for {0}: tools can read, place, edit, and cancel.", place);
  return isSignedIn
    ? l10n.t("MCP server for {0}: tools can only read.", place)
    : l10n.t("MCP server for {0}: tools can only read public data, because there is no API key.", place);
}

/** An opened server, and what is called once it has ended. */
interface Opened {
  readonly opening: AgentOpening;
  readonly release: () => void;
}

async function open(wishes: McpWishes, ports: AgentServerPorts): Promise<Opened> {
  if (wishes.connection !== undefined) return await openLent(wishes, ports);
  const access = await ownAccess(wishes, ports);
  const opening =
    typeof access === "string"
      ? ({ kind: "failed", message: access, exitCode: EXIT.usage } as const)
      : access.kind === "ownSimulator"
        ? await openSimulator(access, ports)
        : await openReading({ access, grantedScope: undefined }, wishes, ports);
  return { opening, release: () => undefined };
}

/** Opens a server with a token of VS Code, which ends with this process. */
async function openLent(wishes: McpWishes, ports: AgentServerPorts): Promise<Opened> {
  const { shell, hide } = ports;
  const isSimulator = wishes.environment === "simulator";
  const borrowing = await borrowToken(
    { ...wishes, paths: ["mcp"], scope: isSimulator ? SIMULATOR_SCOPES : [] },
    { ...shell, folder: shell.files.workingFolder, tell: (sentence) => shell.writeError(`${sentence}\n`) },
  );
  if (borrowing.kind === "failed") return { opening: borrowing, release: () => undefined };
  const { access, accessToken, grantedScope, isBuiltIn, release } = borrowing;
  hide(accessToken);
  if (isSimulator && !isBuiltIn) {
    const message = l10n.t("{0} is not the simulator that VS Code has started.", plain.name(wishes.connection));
    return { opening: { kind: "failed", message, exitCode: EXIT.refused }, release };
  }
  const opening = isSimulator
    ? await openSimulator(access, ports)
    : await openReading({ access, grantedScope }, wishes, ports);
  return { opening, release };
}

/** The scopes for a simulator of VS Code. */
const SIMULATOR_SCOPES = ["account:read", "trade:read_write"];

/** Returns the access that the process has itself, or a sentence about why it has none. */
async function ownAccess(
  { environment }: McpWishes,
  { shell, hide }: AgentServerPorts,
): Promise<{ readonly kind: "ownSimulator" } | ReadingAccess["access"] | Plain> {
  const given = readAccess(environment, shell.variables);
  if (given.kind === "wrong") return given.message;
  if (given.kind === "ownSimulator") return given;
  if (environment === "simulator" || given.kind === "cdpKeyFile")
    return l10n.t(
      "{0} can't be used with trading-rpc mcp: it starts a simulator of its own, or uses that of VS Code with --connection.",
      plain`TRADING_RPC_SIM_URL`,
    );
  if (given.kind === "keyFile") {
    const found = await shell.files.look(shell.files.resolve(given.path)).catch(() => undefined);
    if (found?.kind === "file" && found.isOpenToOthers)
      return l10n.t("{0}: {1}", plain.text(given.names.path), openKeyFileText(given.path));
    const reading = await readKeyFile(given, {
      ...{ files: shell.files, hide },
      warn: (sentence) => shell.writeError(`${l10n.t("Warning: {0}", sentence)}\n`),
    });
    return reading.kind === "wrong" ? reading.message : reading;
  }
  return given.credentials.kind === "none"
    ? given
    : l10n.t(
        "trading-rpc mcp uses no client secret or access token of the environment. Set TRADING_RPC_PRIVATE_KEY_FILE to the file of a private key that only you can read, or use --connection in VS Code.",
      );
}
