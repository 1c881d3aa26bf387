import * as readline from "node:readline";
import { Writable } from "node:stream";

/** The terminal of a program, as far as a typed line needs it. */
interface TypedLinePorts {
  readonly input: NodeJS.ReadableStream & { setRawMode?(isRaw: boolean): unknown };
  /** Takes the question, and shows what is typed. */
  readonly output: NodeJS.WritableStream;
  /** Fires when no line is waited for any longer. */
  readonly stop: AbortSignal;
  /** Called when the user interrupts the program while the line is typed. */
  readonly onInterrupt: () => void;
  /** Resolves in a later turn of the loop of events, at the soonest in the next one. */
  readonly nextTurn: () => Promise<void>;
}

/**
 * Shows a question and reads the line that is typed after it. What was typed before is dropped: it was no answer to a
 * question that was not there. Resolves to undefined at the end of the input, and when it was interrupted.
 */
export async function readTypedLine(
  question: string,
  isHidden: boolean,
  { input, output, stop, onInterrupt, nextTurn }: TypedLinePorts,
): Promise<string | undefined> {
  await dropTyped(input, nextTurn);
  if (stop.aborted) return undefined;
  output.write(question);
  // Typed keys are shown through the output of the line: a hidden line has none.
  const shown = isHidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : output;
  const line = readline.createInterface({ input, output: shown, terminal: true });
  let typed: string | undefined;
  try {
    typed = await new Promise<string | undefined>((resolve) => {
      line.once("line", resolve);
      line.once("close", () => resolve(undefined));
      line.once("SIGINT", () => {
        onInterrupt();
        resolve(undefined);
      });
      stop.addEventListener("abort", () => resolve(undefined));
    });
    return typed;
  } finally {
    line.close();
    // Where nothing was shown, the line does not end automatically.
    if (isHidden || typed === undefined) output.write("\n");
  }
}

/** Drops what was typed until now. */
async function dropTyped(input: TypedLinePorts["input"], nextTurn: TypedLinePorts["nextTurn"]): Promise<void> {
  let quietTurns = 0;
  const drop = (): void => {
    quietTurns = 0;
  };
  // A line that is not ended yet is handed over in this mode alone.
  input.setRawMode?.(true);
  input.on("data", drop);
  // What the terminal has is read in the next whole turn of the loop; the present one may be past its reading.
  while (quietTurns < 2) {
    quietTurns += 1;
    await nextTurn();
  }
  input.off("data", drop);
  input.pause();
}
