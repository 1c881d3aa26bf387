import { spawn } from "node:child_process";

/** A program that was started, with all that it starts itself. */
export interface StartedProgram {
  /** Resolves at its end; to an error's message where it could not be started. */
  readonly ended: Promise<ProgramEnd>;
  /** The last characters of what it wrote. */
  tail(): string;
  /** Sends a signal to it, and to what it started. */
  signal(signal: "SIGTERM" | "SIGKILL"): void;
}

/** How a program ended. */
export interface ProgramEnd {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly problem: string | undefined;
}

export interface ProgramOptions {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Called once when it has written more than `mostBytes`. */
  readonly onFlood: () => void;
  readonly mostBytes: number;
}

export type StartProgram = (words: readonly [string, ...string[]], options: ProgramOptions) => StartedProgram;

/** The number of characters of the output that are kept. */
const TAIL = 2000;

/** Starts a program in a group of its own, without input. */
export const startProgram: StartProgram = ([file, ...words], { variables, onFlood, mostBytes }) => {
  const isGroup = process.platform !== "win32";
  const child = spawn(file, words, { env: variables, detached: isGroup, stdio: ["ignore", "pipe", "pipe"] });
  let bytes = 0;
  let tail = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece: Buffer) => {
      const isFlooded = bytes > mostBytes;
      bytes += piece.length;
      tail = `${tail}${piece.toString("utf8")}`.slice(-TAIL);
      if (bytes > mostBytes && !isFlooded) onFlood();
    });
  const signal = (name: "SIGTERM" | "SIGKILL"): void => {
    if (child.pid === undefined) return;
    try {
      if (isGroup) process.kill(-child.pid, name);
      else spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"], { stdio: "ignore" });
    } catch {
      // The group has ended already.
    }
  };
  return {
    ended: new Promise((resolve) => {
      child.on("error", (error) => resolve({ exitCode: undefined, signal: undefined, problem: error.message }));
      child.on("exit", (code, name) => {
        resolve({ exitCode: code ?? undefined, signal: name ?? undefined, problem: undefined });
      });
    }),
    tail: () => tail,
    signal,
  };
};
