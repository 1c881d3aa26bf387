#!/usr/bin/env node
import * as crypto from "node:crypto";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import * as readline from "node:readline";
import { Writable } from "node:stream";
import * as l10n from "@vscode/l10n";
import { createSystemClock } from "./base/clock.ts";
import type { FileAccess } from "./cli/files.ts";
import { runCommandLine } from "./cli/main.ts";
import { createPrivate } from "./cli/privateFile.ts";
import { connectPrivately } from "./cli/privateSocket.ts";
import type { Terminal } from "./cli/questions.ts";

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
  createPrivate,
};

/** The permission of a group, or of all others, to read a file. */
const READ_BY_OTHERS = 0o044;

const { stdin, stdout, stderr } = process;
const variables = process.env;
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
// The reader of the report may close it early: nothing is followed without a reader.
stdout.on("error", () => {
  unread.abort();
});

/** Reads a line. Typed keys are echoed through the output of the line: a hidden line has none. */
async function readLine(prompt: string, isHidden: boolean): Promise<string | undefined> {
  if (stopping.signal.aborted) return undefined;
  stderr.write(prompt);
  const output = isHidden
    ? new Writable({
        write: (_chunk, _encoding, done) => {
          done();
        },
      })
    : stderr;
  const line = readline.createInterface({ input: stdin, output, terminal: true });
  let typed: string | undefined;
  try {
    typed = await new Promise<string | undefined>((resolve) => {
      line.once("line", resolve);
      line.once("close", () => {
        resolve(undefined);
      });
      line.once("SIGINT", () => {
        stop();
        resolve(undefined);
      });
      stopping.signal.addEventListener("abort", () => {
        resolve(undefined);
      });
    });
    return typed;
  } finally {
    line.close();
    // Where nothing was echoed, the line does not end automatically.
    if (isHidden || typed === undefined) stderr.write("\n");
  }
}

const isSet = (value: string | undefined): boolean =>
  value !== undefined && value !== "" && value !== "false" && value !== "0";
const terminal: Terminal = {
  isAttended: stdin.isTTY && stderr.isTTY && !isSet(variables["CI"]),
  write: (text) => void stderr.write(text),
  readLine,
};

/** Sets the language of the terminal where its translation ships with the program; English otherwise. */
async function speakAs({ LC_ALL: all, LC_MESSAGES: messages, LANG: language }: NodeJS.ProcessEnv): Promise<void> {
  const [, own, region] =
    /^([a-z]{2,3})(?:_([A-Z]{2}))?(?:\.|@|$)/.exec(
      [all, messages, language].find((each) => (each ?? "") !== "") ?? "",
    ) ?? [];
  for (const name of own === undefined ? [] : [`${own}-${(region ?? "").toLowerCase()}`, own]) {
    const contents = await fs
      .readFile(path.join(__dirname, "..", "l10n", `bundle.l10n.${name}.json`), "utf8")
      .catch(() => undefined);
    if (contents === undefined) continue;
    l10n.config({ contents });
    return;
  }
}

async function main(): Promise<void> {
  await speakAs(variables);
  const manifest = JSON.parse(await fs.readFile(path.join(__dirname, "..", "package.json"), "utf8")) as {
    readonly version: string;
  };
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    variables,
    files,
    terminal,
    connectPrivately,
    writeOut: (text) => void stdout.write(text),
    writeError: (text) => void stderr.write(text),
    hasColor: stdout.isTTY && (variables["NO_COLOR"] ?? "") === "" && variables["TERM"] !== "dumb",
    clock: createSystemClock(),
    random: () => crypto.randomInt(RANDOM_STEPS) / RANDOM_STEPS,
    uuid: () => crypto.randomUUID(),
    version: manifest.version,
    simulator: async (words) => await (await import("./simulator.ts")).runSimulator(words, stopping.signal),
    simulatorFile: path.join(__dirname, "simulator.js"),
    stop: stopping.signal,
    stopWaiting: ending.signal,
    unread: unread.signal,
  });
}

const RANDOM_STEPS = 2 ** 47;

void main();
