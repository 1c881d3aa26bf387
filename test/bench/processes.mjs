// @ts-check
/** The benchmark's processes: the mock exchange and the measured ones, each on the core it belongs to. */
import { spawn, spawnSync } from "node:child_process";
import path from "node:path";
import { installLocked } from "../host/npm.mjs";
import { own } from "../host/process.mjs";
import { builtDir, clientsDir, root } from "./shipped.mjs";

const benchDir = path.join(root, "test", "bench");

/** The cores that this process may use; empty where a process cannot be pinned. */
export function pinnableCores() {
  const { status, stdout } = spawnSync("taskset", ["-cp", String(process.pid)], { encoding: "utf8" });
  if (status !== 0) return [];
  const list = /: *([\d,-]+)\s*$/.exec(stdout)?.[1] ?? "";
  return list.split(",").flatMap((part) => {
    const [from = NaN, to = from] = part.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

/** Compiled helpers of `ws` stay out, whoever has installed them: all clients run on the same library. */
const env = { ...process.env, WS_NO_BUFFER_UTIL: "1", WS_NO_UTF_8_VALIDATE: "1", NODE_OPTIONS: "" };

/**
 * A file of this folder as a process of its own.
 * @param {string} file
 * @param {{ core?: number | undefined, flags?: readonly string[], args?: readonly string[] }} [options]
 */
export function start(file, { core, flags = [], args = [] } = {}) {
  const words = [...flags, path.join(benchDir, file), ...args];
  const [program, ...rest] =
    core === undefined ? [process.execPath, ...words] : ["taskset", "-c", String(core), process.execPath, ...words];
  const child = spawn(/** @type {string} */ (program), rest, { stdio: ["ignore", "inherit", "inherit", "ipc"], env });
  const forget = own({ kill: () => child.kill("SIGKILL") });
  child.once("exit", forget);
  /** @type {any[]} */
  const waiting = [];
  /** @type {((message: any) => void) | undefined} */
  let take;
  child.on("message", (message) => {
    if (take === undefined) waiting.push(message);
    else take(message);
  });
  return {
    send: (/** @type {object} */ message) => void child.send(message),
    /** The next message of the process; fails when it ends without one. @returns {Promise<any>} */
    next: () =>
      waiting.length > 0
        ? Promise.resolve(waiting.shift())
        : new Promise((resolve, reject) => {
            const fail = (/** @type {unknown} */ code) =>
              reject(new Error(`${file} ended (${String(code)}) without a result.`));
            child.once("exit", fail);
            take = (message) => {
              take = undefined;
              child.off("exit", fail);
              resolve(message);
            };
          }),
    end: () => child.kill("SIGKILL"),
  };
}

/**
 * Runs Node with these words to its end; what it prints is thrown away.
 * @param {readonly string[]} words
 * @param {{ core?: number | undefined, variables?: Readonly<Record<string, string>> }} [options]
 * @returns {Promise<void>}
 */
export async function runProgram(words, { core, variables = {} } = {}) {
  const [program, ...rest] =
    core === undefined ? [process.execPath, ...words] : ["taskset", "-c", String(core), process.execPath, ...words];
  const child = spawn(program, rest, { stdio: ["ignore", "ignore", "pipe"], env: { ...env, ...variables } });
  child.once("exit", own({ kill: () => child.kill("SIGKILL") }));
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (piece) => (complaint += piece));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${words.join(" ")} failed.\n${complaint}`);
}

/** @param {number} [core] */
export async function startMock(core) {
  const mock = start("mock.mjs", { core });
  const { url } = await mock.next();
  return { ...mock, url: /** @type {string} */ (url) };
}

/** @typedef {{ cpuMs: number, residentBytes: number, atMs: number }} Usage what a process has used, and when on its clock */

/**
 * The simulator as it ships, without the terminal program around it, on a free port. `tookMs`: from its start until it
 * accepts connections.
 * @param {readonly string[]} flags
 * @param {number} [core]
 */
export async function startSimulator(flags, core) {
  const file = JSON.stringify(path.join(builtDir, "simulator.js"));
  const code = `require(${file}).runSimulator(process.argv.slice(1), new AbortController().signal)`;
  const program = ["-e", code, "--", "--port", "0", "--seed", "1", "--json", ...flags];
  const words = [process.execPath, "--require", path.join(benchDir, "usage.cjs"), ...program];
  const [command = "", ...rest] = core === undefined ? words : ["taskset", "-c", String(core), ...words];
  const sinceMs = performance.now();
  const child = spawn(command, rest, { stdio: ["ignore", "pipe", "inherit", "ipc"], env });
  child.once("exit", own({ kill: () => child.kill("SIGKILL") }));
  let printed = "";
  for await (const piece of /** @type {import("node:stream").Readable} */ (child.stdout).setEncoding("utf8")) {
    printed += piece;
    if (printed.includes("\n")) break;
  }
  const tookMs = performance.now() - sinceMs;
  if (printed === "") throw new Error("The simulator ended before it was ready.");
  const { webSocket: url, clientId, clientSecret, control } = JSON.parse(printed);
  return {
    addresses: { url, clientId, clientSecret, control },
    tookMs,
    /** @returns {Promise<Usage>} */
    usage: () =>
      new Promise((resolve) => {
        child.once("message", (message) => resolve(/** @type {Usage} */ (message)));
        child.send("usage");
      }),
    end: () => child.kill("SIGKILL"),
  };
}

/**
 * Runs a file with `--flag file` once and reads the number it prints.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {number} [core]
 */
export function runOnce(file, args, core) {
  const words = [path.join(benchDir, file), ...args];
  const [program, ...rest] =
    core === undefined ? [process.execPath, ...words] : ["taskset", "-c", String(core), process.execPath, ...words];
  const { status, stdout, stderr } = spawnSync(/** @type {string} */ (program), rest, { encoding: "utf8", env });
  if (status !== 0) throw new Error(`${file} failed.\n${stderr}`);
  return Number(stdout);
}

/** The clients to compare with, from lock files of their own; costs nothing when they are there. */
export async function installPeers() {
  await installLocked(benchDir, "the clients to compare with");
  await installLocked(clientsDir, "ccxt");
}
