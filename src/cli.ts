#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import { createSystemClock } from "./base/clock.ts";
import { bugText } from "./base/failure.ts";
import * as l10n from "./base/l10n.ts";
import { plain } from "./base/plain.ts";
import type { JournalPlace } from "./cli/earlierRuns.ts";
import type { FileAccess } from "./cli/files.ts";
import { runCommandLine } from "./cli/main.ts";
import { createPrivate, tryWrite } from "./cli/machine/privateFile.ts";
import { connectPrivately } from "./cli/machine/privateSocket.ts";
import type { Terminal } from "./cli/questions.ts";
import { EXIT } from "./cli/report.ts";
import { readTypedLine } from "./cli/machine/typedLine.ts";

/*
 * `trading-rpc`, the terminal program: the machine's files, terminal, signals and environment, handed to `cli/main.ts`.
 */

const files: FileAccess = {
  workingFolder: process.cwd(),
  resolve: (name) => path.resolve(name),
  async look(file) {
    const found = await fs.stat(file).catch((error: unknown) => {
      if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
        return undefined;
      throw error;
    });
    if (found === undefined) return undefined;
    if (found.isDirectory()) return { kind: "folder" };
    const isOpenToOthers = process.platform !== "win32" && (found.mode & READ_BY_OTHERS) !== 0;
    return { kind: "file", bytes: found.size, isOpenToOthers };
  },
  list: async (folder) =>
    (await fs.readdir(folder, { withFileTypes: true })).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    })),
  read: async (file) => await fs.readFile(file, "utf8"),
  write: async (file, text) => await fs.writeFile(file, text),
  tryWrite,
  createPrivate,
};

/** The permission of a group, or of all others, to read a file. */
const READ_BY_OTHERS = 0o044;

const { stdin, stdout, stderr } = process;
const variables = process.env;
const clock = createSystemClock();
const stopping = new AbortController();
const ending = new AbortController();
const unread = new AbortController();

/** The first call lets requests that were sent be answered; the second one does not wait. */
function stop(): void {
  if (stopping.signal.aborted) ending.abort();
  stopping.abort();
}
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
// A closed terminal must not end the program while an outcome is checked: its report may go to a file.
process.on("SIGHUP", stop);
// The reader of the report may close it early: nothing is followed without a reader. What it loses otherwise is told.
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (!unread.signal.aborted && error.code !== "EPIPE")
    stderr.write(`${l10n.t("Couldn't write to the standard output: {0}", plain.text(error.message))}\n`);
  unread.abort();
});
for (const stream of [stdin, stderr]) stream.on("error", () => undefined);
// What was sent is not known any more, which is what this exit code says.
process.on("uncaughtException", (error) => {
  stderr.write(`${l10n.t("Internal error: {0}", bugText(error))}\n`);
  process.exit(EXIT.unknown);
});

const isSet = (value: string | undefined): boolean =>
  value !== undefined && value !== "" && value !== "false" && value !== "0";
const terminal: Terminal = {
  isAttended: stdin.isTTY && stderr.isTTY && !isSet(variables["CI"]),
  readLine: async (question, isHidden) =>
    await readTypedLine(question, isHidden, {
      ...{ input: stdin, output: stderr, stop: stopping.signal, onInterrupt: stop },
      nextTurn: async () => await new Promise((resolve) => void clock.after(0, resolve)),
    }),
};

/**
 * Returns where changes are written down: in the folder for the state of programs, of the XDG Base Directory
 * Specification. A run is known by its process, whose end the system proves.
 */
function journalPlace({ XDG_STATE_HOME: state, LOCALAPPDATA: local, HOME: home }: NodeJS.ProcessEnv): JournalPlace {
  const [base, ...below] = isSet(state) ? [state] : process.platform === "win32" ? [local] : [home, ".local", "state"];
  const folder = path.join(base ?? "", ...below, "trading-rpc", "journal");
  return {
    folder,
    runId: `p${String(process.pid)}r${crypto.randomUUID().replaceAll("-", "")}`,
    isAlive: async (runId) => await Promise.resolve(isProcessThere(Number(/^p(\d+)r/.exec(runId)?.[1]))),
    async tryFolder() {
      if (!path.isAbsolute(folder)) throw new Error(l10n.t("There is no home folder"));
      await fs.mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await createPrivate(path.join(folder, `.try-${crypto.randomUUID()}`));
      await file.remove();
    },
  };
}

/** Whether a process is there, if only another user may say more of it. */
function isProcessThere(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code !== "ESRCH";
  }
}

/** Sets the language of the terminal where its translation ships with the program; English otherwise. */
function speakAs({ LC_ALL: all, LC_MESSAGES: messages, LANG: language }: NodeJS.ProcessEnv): void {
  const [, own, region] =
    /^([a-z]{2,3})(?:_([A-Z]{2}))?(?:\.|@|$)/.exec(
      [all, messages, language].find((each) => (each ?? "") !== "") ?? "",
    ) ?? [];
  for (const name of own === undefined ? [] : [`${own}-${(region ?? "").toLowerCase()}`, own]) {
    const file = path.join(__dirname, "..", "l10n", `bundle.l10n.${name}.json`);
    if (!existsSync(file)) continue;
    l10n.config({ contents: readFileSync(file, "utf8") });
    return;
  }
}

async function main(): Promise<void> {
  speakAs(variables);
  // Read at once: the first file that is not has to wait for the threads that read it.
  const manifest = JSON.parse(readFileSync(path.join(__dirname, "..", "package.json"), "utf8")) as {
    readonly version: string;
  };
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    variables,
    files,
    terminal,
    connectPrivately,
    journalPlace: journalPlace(variables),
    readInput(onPiece, onEnd) {
      stdin.on("data", onPiece).once("end", onEnd).once("close", onEnd);
      return {
        dispose() {
          stdin.off("data", onPiece).off("end", onEnd).off("close", onEnd);
          stdin.pause();
          // A client that goes on holding the other end must not keep the program.
          if ("unref" in stdin) stdin.unref();
        },
      };
    },
    writeOut: (text) => void stdout.write(text),
    writeError: (text) => void stderr.write(text),
    isOutTerminal: stdout.isTTY,
    hasColor: stdout.isTTY && (variables["NO_COLOR"] ?? "") === "" && variables["TERM"] !== "dumb",
    clock,
    random: () => Number((crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n) >> 11n) / 2 ** 53,
    uuid: () => crypto.randomUUID(),
    version: manifest.version,
    simulator: async (words) => await (await import("./simulator.ts")).runSimulator(words, stopping.signal),
    simulatorFile: path.join(__dirname, "simulator.js"),
    stop: stopping.signal,
    stopWaiting: ending.signal,
    unread: unread.signal,
  });
}

void main();
