import * as crypto from "node:crypto";
import * as fs from "node:fs";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import { TERMINAL_VARIABLES } from "../../session/tokenRequest.ts";
import type { Lend } from "./lending.ts";
import { openVisit } from "./visit.ts";

/** The socket of one terminal, at which its programs ask for tokens. Ends with the terminal, and ends their tokens. */
export interface TokenDesk extends Disposable {
  /** The secret of the terminal. */
  readonly key: string;
  /** The variables of the environment by which a program finds the socket. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Opens the socket: in a new folder that only this user can enter; on Windows, a pipe whose name can't be guessed.
 * Rejects where the system does not let it listen.
 */
export async function openTokenDesk(lend: Lend, clock: Pick<Clock, "after">): Promise<TokenDesk> {
  const key = crypto.randomBytes(32).toString("hex");
  const folder = process.platform === "win32" ? undefined : fs.mkdtempSync(path.join(os.tmpdir(), "trading-rpc-"));
  const address =
    folder === undefined
      ? `\\\\.\\pipe\\trading-rpc-${crypto.randomBytes(16).toString("hex")}`
      : path.join(folder, "vscode.sock");
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    const visit = openVisit({
      key,
      nonce: crypto.randomBytes(32).toString("hex"),
      lend,
      clock,
      say: (line) => void socket.write(line),
      hangUp: () => socket.destroySoon(),
    });
    socket.setEncoding("utf8");
    socket.on("data", (piece: string) => visit.take(piece));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      visit.end();
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
