import * as crypto from "node:crypto";
import * as fs from "node:fs";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import { toFailure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { linkFailureText } from "../../present/text/failureText.ts";
import { isProof } from "../../session/terminalProof.ts";
import {
  createLineReader,
  lineOf,
  readTokenRequest,
  TERMINAL_VARIABLES,
  type TokenRequest,
} from "../../session/tokenRequest.ts";
import type { Lend, Loan } from "./lending.ts";

/** The socket of one terminal, at which its programs ask for tokens. Ends with the terminal, and ends their tokens. */
export interface TokenServer extends Disposable {
  /** The secret of the terminal. */
  readonly key: string;
  /** The variables of the environment by which a program finds the socket. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Opens the socket: in a new folder that only this user can enter; on Windows, a pipe whose name can't be guessed.
 * Rejects where the system does not let it listen.
 */
export async function openTokenServer(lend: Lend, clock: Pick<Clock, "after">): Promise<TokenServer> {
  const key = crypto.randomBytes(32).toString("hex");
  const folder = process.platform === "win32" ? undefined : fs.mkdtempSync(path.join(os.tmpdir(), "trading-rpc-"));
  const address =
    folder === undefined
      ? `\\\\.\\pipe\\trading-rpc-${crypto.randomBytes(16).toString("hex")}`
      : path.join(folder, "vscode.sock");
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    const conversation = openConversation({
      key,
      nonce: crypto.randomBytes(32).toString("hex"),
      lend,
      clock,
      say: (line) => void socket.write(line),
      hangUp: () => socket.destroySoon(),
    });
    socket.setEncoding("utf8");
    socket.on("data", (piece: string) => conversation.take(piece));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      conversation.end();
    });
  });
  const dispose = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
    if (folder !== undefined) fs.rmSync(folder, { recursive: true, force: true });
  };
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(address, resolve);
    });
    if (folder !== undefined) fs.chmodSync(address, 0o600);
  } catch (error) {
    dispose();
    throw error;
  }
  return { key, variables: { [TERMINAL_VARIABLES.socket]: address, [TERMINAL_VARIABLES.key]: key }, dispose };
}

/** The longest time in which a program has to ask, in ms: it knows at once what it wants. */
const PATIENCE_MS = 10_000;

/** The conversation with one program, which ends with its socket. */
export interface TokenConversation {
  /** Takes what the program sent. */
  take(piece: string): void;
  /** Ends the token, because the program or its terminal has ended. */
  end(): void;
}

/** Begins a conversation. It has one request, and gets one response. */
export function openConversation({
  key,
  nonce,
  lend,
  say,
  clock,
  hangUp,
}: {
  /** The key of the terminal. */
  readonly key: string;
  /** The nonce of this conversation, which no other one has. */
  readonly nonce: string;
  readonly lend: Lend;
  readonly say: (line: string) => void;
  readonly clock: Pick<Clock, "after">;
  /** Closes the socket after what was said. */
  readonly hangUp: () => void;
}): TokenConversation {
  const reader = createLineReader();
  const ending = new AbortController();
  let isNonceUsed = false;
  let loan: Loan | undefined;
  const refuse = (sentence: string): void => {
    if (ending.signal.aborted) return;
    say(lineOf({ refused: sentence }));
    hangUp();
  };
  const respond = async (request: TokenRequest): Promise<void> => {
    try {
      loan = await lend(request, ending.signal);
      if (ending.signal.aborted) await loan.end();
      else {
        const { accessToken, url, scope, isBuiltIn } = loan;
        say(lineOf({ accessToken, url, scope, isBuiltIn }));
      }
    } catch (thrown) {
      refuse(linkFailureText(toFailure(thrown)));
    }
  };
  const patience = clock.after(PATIENCE_MS, () => refuse(l10n.t("The request didn't come in time.")));
  const takeLine = (line: string): void => {
    patience.dispose();
    const request = readTokenRequest(line);
    if (request === undefined) refuse(l10n.t("The request can't be read."));
    else if (isNonceUsed || !isProof(request.proof, key, nonce))
      refuse(l10n.t("The request doesn't prove that it comes from this terminal, or was made before."));
    else {
      isNonceUsed = true;
      void respond(request);
    }
  };
  say(lineOf({ nonce }));
  return {
    take(piece) {
      const lines = reader.take(piece);
      if (lines === undefined) refuse(l10n.t("The request is too long."));
      else for (const line of lines) takeLine(line);
    },
    end() {
      patience.dispose();
      ending.abort();
      void loan?.end();
    },
  };
}
