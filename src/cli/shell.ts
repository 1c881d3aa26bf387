import type { Clock, Random } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import type { Plain } from "../base/plain.ts";
import type { ProcessVariables } from "./access.ts";
import type { BorrowPorts } from "./borrowedToken.ts";
import type { JournalPlace } from "./earlierRuns.ts";
import type { FileAccess } from "./files.ts";
import type { Terminal } from "./questions.ts";
import type { ExitCode } from "./report.ts";

/** The machine, as the program of a command line sees it. */
export interface Shell {
  /** The environment variables of the process. */
  readonly variables: ProcessVariables;
  readonly files: FileAccess;
  readonly terminal: Terminal;
  /** Where changes are written down before they are sent, for later runs. */
  readonly journalPlace: JournalPlace;
  /** Opens a socket of this computer behind which only this user can be. */
  readonly connectPrivately: BorrowPorts["connectPrivately"];
  /** Reads the standard input until the result is disposed. `onEnd`: called once there is no more. */
  readInput(onPiece: (piece: Buffer) => void, onEnd: () => void): Disposable;
  writeOut(text: string): void;
  /** Writes confirmations and errors. */
  writeError(text: string): void;
  /** Whether the standard output is a terminal, not a file or another program. */
  readonly isOutTerminal: boolean;
  /** Whether the standard output is a terminal that shows colors, and colors are not switched off. */
  readonly hasColor: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly uuid: () => string;
  readonly version: string;
  /** Runs the simulator with the words of its command line until `stop` fires. Resolves to its exit code. */
  readonly simulator: (words: readonly string[]) => Promise<ExitCode>;
  /** The path of the simulator's bundle. */
  readonly simulatorFile: string;
  /** Fires at the first stop signal: nothing more is sent. */
  readonly stop: AbortSignal;
  /** Fires at the second stop signal: nothing is waited for. */
  readonly stopWaiting: AbortSignal;
  /** Fires when the standard output is not read any longer. */
  readonly unread: AbortSignal;
}

/** Writes sentences about what went wrong. Returns the exit code. */
export function complain(shell: Pick<Shell, "writeError">, sentences: readonly Plain[], code: ExitCode): ExitCode {
  shell.writeError(sentences.map((sentence) => `${sentence}\n`).join(""));
  return code;
}
