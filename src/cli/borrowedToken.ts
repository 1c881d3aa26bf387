import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { checkAddress } from "../rpc/address.ts";
import { proofOf } from "../session/terminalProof.ts";
import {
  createLineReader,
  lineOf,
  readNonce,
  readTokenResponse,
  TERMINAL_VARIABLES,
  type TokenLoan,
  type TokenResponse,
} from "../session/tokenRequest.ts";
import type { Environment } from "../state/records.ts";
import type { ConnectionAccess, ProcessVariables } from "./access.ts";
import type { RunWishes } from "./arguments.ts";
import { EXIT, type ExitCode } from "./report.ts";

/** The socket to VS Code, as far as it is used. */
interface TokenSocket {
  write(text: string): unknown;
  destroy(): unknown;
  setEncoding(encoding: "utf8"): unknown;
  on(event: "data", listener: (piece: string) => void): unknown;
  on(event: "close" | "error", listener: () => void): unknown;
}

export interface BorrowPorts {
  readonly variables: ProcessVariables;
  readonly folder: string;
  /** Opens the socket; undefined where other users could be behind it. Rejects where nothing listens. */
  readonly connectPrivately: (address: string) => Promise<TokenSocket | undefined>;
  /** Tells the user where the confirmation is. */
  readonly tell: (sentence: Plain) => void;
  /** Fires when no token is wanted any longer. */
  readonly stop: AbortSignal;
}

/** The access with a token of VS Code, or the reason why there is none. */
type Borrowing =
  | {
      readonly kind: "lent";
      readonly access: Extract<ConnectionAccess, { readonly kind: "server" }>;
      readonly accessToken: string;
      readonly grantedScope: string;
      /** Whether the server is the simulator that VS Code has started. */
      readonly isBuiltIn: boolean;
      /** Hands the token back: VS Code ends it. */
      readonly release: () => void;
    }
  | { readonly kind: "failed"; readonly message: Plain; readonly exitCode: ExitCode };

/**
 * Asks VS Code for an access token of one of its connections. No secret is sent: what an environment leads to learns
 * what is asked for, and no more. Never rejects.
 */
export async function borrowToken(
  { connection = "", environment, scope, paths }: Pick<RunWishes, "connection" | "environment" | "scope" | "paths">,
  { variables, folder, connectPrivately, tell, stop }: BorrowPorts,
): Promise<Borrowing> {
  const address = variables[TERMINAL_VARIABLES.socket] ?? "";
  const key = variables[TERMINAL_VARIABLES.key] ?? "";
  if (address === "" || key === "")
    return failed(
      l10n.t("--connection works only in VS Code, in a terminal with the profile Trading RPC. Nothing was sent."),
      EXIT.usage,
    );
  const socket = await connectPrivately(address).catch(() => undefined);
  if (socket === undefined)
    return failed(
      l10n.t("VS Code can't be reached from this terminal. Open a new terminal with the profile Trading RPC."),
      EXIT.noConnection,
    );
  const program = ["trading-rpc", ...paths].join(" ").slice(0, MAX_PROGRAM_LENGTH);
  const give = (): void => void socket.destroy();
  stop.addEventListener("abort", give);
  tell(l10n.t("Waiting for your confirmation in VS Code that this program may use {0}.", plain.name(connection)));
  const response = await converse(socket, (nonce) =>
    lineOf({ program, folder, connection, environment, scope, proof: proofOf(key, nonce) }),
  );
  stop.removeEventListener("abort", give);
  const loan = readLoan(response, environment);
  if (typeof loan !== "string") {
    const lent = { name: connection, isOwnSimulator: environment === "simulator" };
    const credentials = { kind: "token", accessToken: loan.accessToken } as const;
    return {
      kind: "lent",
      accessToken: loan.accessToken,
      grantedScope: loan.scope,
      isBuiltIn: loan.isBuiltIn,
      access: { kind: "server", lent, url: loan.url, credentials, grant: "token", clientId: "" },
      release: () => void socket.destroy(),
    };
  }
  socket.destroy();
  return stop.aborted ? failed(l10n.t("The run was interrupted."), EXIT.failed) : failed(loan, EXIT.noConnection);
}

/** Returns the token with the address as it is dialled, or a sentence about why there is none. */
function readLoan(response: TokenResponse | undefined, environment: Environment): TokenLoan | Plain {
  if (response !== undefined && "refused" in response) return plain.text(response.refused);
  const address = response === undefined ? undefined : checkAddress(response.url);
  // A simulator runs on this computer, whatever the other side says.
  const isUsable = address?.kind === "usable" && (address.isLoopback || environment !== "simulator");
  return response !== undefined && isUsable
    ? { ...response, url: address.url }
    : l10n.t("VS Code didn't hand over an access token. Nothing was sent.");
}

/** The length of the program's name, in characters, after which it is cut: a folder can have thousands of files. */
const MAX_PROGRAM_LENGTH = 1000;

/** Responds to the nonce with a request. Resolves to its response; undefined where the socket ends without one. */
async function converse(socket: TokenSocket, requestOf: (nonce: string) => string): Promise<TokenResponse | undefined> {
  const reader = createLineReader();
  let isAsked = false;
  return await new Promise<TokenResponse | undefined>((resolve) => {
    const takeLine = (line: string): void => {
      if (isAsked) {
        resolve(readTokenResponse(line));
        return;
      }
      isAsked = true;
      const nonce = readNonce(line);
      if (nonce === undefined) resolve(undefined);
      else socket.write(requestOf(nonce));
    };
    socket.setEncoding("utf8");
    socket.on("data", (piece) => {
      const lines = reader.take(piece);
      if (lines === undefined) resolve(undefined);
      else for (const line of lines) takeLine(line);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(undefined));
  });
}

function failed(message: Plain, exitCode: ExitCode): Borrowing {
  return { kind: "failed", message, exitCode };
}
