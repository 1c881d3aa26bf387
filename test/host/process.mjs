// @ts-check
/** Processes, folders and waiting: what every other file of the test host stands on. Node's own modules only. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const hostDir = path.dirname(fileURLToPath(import.meta.url));
export const root = path.resolve(hostDir, "..", "..");
export const cache = path.join(hostDir, ".cache");
/** Screenshots and logs of failed runs; git ignores it. */
export const outDir = path.join(root, "test", ".out");

/**
 * @typedef {{ close?: () => Promise<unknown>, kill: () => void }} Owned something this process must not leave behind
 */

/** @type {Set<Owned>} */
const owned = new Set();
let watching = false;
let signalIsTheEnd = false;
let ending = false;

/** Whether a signal has come and everything that is owned is being closed. */
export const isEnding = () => ending;

/** From now on a signal is the ordinary way to end this program, and no failure. */
export function endOnSignal() {
  signalIsTheEnd = true;
}

/**
 * Registers something that must be gone when this process ends, however it ends. On a signal `close` is awaited
 * (bounded); on exit whatever is left is killed synchronously, newest first.
 * @param {Owned} thing
 * @returns {() => void} forget it again
 */
export function own(thing) {
  owned.add(thing);
  if (!watching) {
    watching = true;
    process.on("exit", () => {
      for (const each of [...owned].reverse()) attempt(each.kill);
    });
    for (const [signal, number] of /** @type {const} */ ([
      ["SIGHUP", 1],
      ["SIGINT", 2],
      ["SIGTERM", 15],
    ])) {
      process.on(signal, () => {
        if (ending) process.exit(128 + number);
        ending = true;
        void closeAll().finally(() => process.exit(signalIsTheEnd ? 0 : 128 + number));
      });
    }
  }
  return () => void owned.delete(thing);
}

/**
 * Ends this program when the npm that runs it is gone: npm's shell dies of a signal without passing it on. Started
 * by hand a program may outlive its parent.
 */
export function endWithNpm() {
  if (!process.env["npm_lifecycle_event"] || process.platform === "win32") return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGHUP");
  }, 300);
  timer.unref();
}

/** Closes everything that is still owned; what takes longer than its grace is killed at the end of this process. */
export async function closeAll() {
  const closing = [...owned].reverse().map(async (each) => each.close?.());
  await atMost(Promise.allSettled(closing), GRACE_MS + 1000);
}

/** @param {() => void} action */
function attempt(action) {
  try {
    action();
  } catch {
    // It is gone already, which is what was wanted.
  }
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => void setTimeout(resolve, ms));

/**
 * Waits for a promise, however it ends, but no longer than this.
 * @param {Promise<unknown>} promise
 * @param {number} limitMs
 */
async function atMost(promise, limitMs) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const limit = new Promise((resolve) => void (timer = setTimeout(resolve, limitMs)));
  await Promise.race([promise.catch(() => undefined), limit]);
  clearTimeout(timer);
}

/**
 * Polls a condition until it gives something other than undefined or false.
 * @template T
 * @param {() => T | Promise<T>} condition
 * @param {{ what: string, timeoutMs?: number, everyMs?: number }} options
 * @returns {Promise<Exclude<T, undefined | false>>}
 */
export async function until(condition, { what, timeoutMs = 30_000, everyMs = 40 }) {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return /** @type {any} */ (value);
    if (performance.now() > end) throw new Error(`Waited ${timeoutMs / 1000} s in vain for ${what}.`);
    await pause(everyMs);
  }
}

/** @param {string} [name] a fresh, short path: sockets inside are limited to 107 characters */
export function tempDir(name = "rpc") {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), `${name}-`));
  own({ kill: () => removeDir(dir) });
  return dir;
}

/** @param {string} dir */
export function removeDir(dir) {
  fs.rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** @param {number} port whether a server on the loopback interface could take it now */
export function portIsFree(port) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/** Names the group that a process was started in, behind the groups around it: `1f3a/09bc`. Children inherit it. */
const GROUP = "RPC_GROUP";

/**
 * Starts a program as the head of a process group of its own. Stopping it ends everything that it started, also what
 * runs in a group of its own or has lost its parent: on Linux every process is found by the group's name in its
 * environment.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {{ child: ChildProcess, ended: Promise<{ code: number | null, signal: string | null }>, stop: () =>
 * Promise<void> }}
 */
export function startGroup(file, args, options = {}) {
  const group = [process.env[GROUP], randomUUID()].filter(Boolean).join("/");
  const child = spawn(file, args, {
    ...options,
    env: { ...(options.env ?? process.env), [GROUP]: group },
    detached: process.platform !== "win32",
  });
  /** @type {Promise<{ code: number | null, signal: string | null }>} */
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  ended.catch(() => undefined);
  const kill = () => {
    signalGroup(child, "SIGKILL");
    for (const { pid } of membersOf(group)) attempt(() => process.kill(pid, "SIGKILL"));
  };
  const stop = async () => {
    signalGroup(child, "SIGTERM");
    await atMost(ended, GRACE_MS);
    // A killed process stays for a moment, and may have started another one before it ended.
    const isGone = () => {
      kill();
      return membersOf(group).length === 0;
    };
    await atMost(until(isGone, { what: "the end of every process", timeoutMs: GRACE_MS }), GRACE_MS);
    forget();
  };
  const forget = own({ close: stop, kill });
  ended.then(forget, forget);
  return { child, ended, stop };
}

/**
 * Kills the processes that were started with this one's mark; on Linux only.
 * @param {(command: string) => boolean} [fits] which of them, by their command lines
 */
export function killMarked(fits = () => true) {
  for (const { pid, command } of membersOf(process.env[GROUP] ?? ""))
    if (fits(command)) attempt(() => process.kill(pid, "SIGKILL"));
}

/**
 * Marks every process that this one starts from now on, and what those start.
 * @returns {() => Promise<void>} ends those that still run; on Linux only
 */
export function markProcesses() {
  const group = [process.env[GROUP], randomUUID()].filter(Boolean).join("/");
  process.env[GROUP] = group;
  // The workers of a test runner are its own to end.
  const left = () =>
    membersOf(group).filter(({ command }) => !/vitest\/dist\/workers|playwright\/lib\/worker/.test(command));
  return async () => {
    const isGone = () => {
      for (const { pid } of left()) attempt(() => process.kill(pid, "SIGKILL"));
      return left().length === 0;
    };
    await atMost(until(isGone, { what: "the end of every process", timeoutMs: GRACE_MS }), GRACE_MS);
  };
}

/** How long a program may take to end after it was asked to. */
const GRACE_MS = 5000;

/** @param {string} group the other living processes that were started in it */
function membersOf(group) {
  if (group === "") return [];
  const start = `${GROUP}=${group}`;
  return living().filter(({ environment }) =>
    environment.some((each) => each === start || each.startsWith(`${start}/`)),
  );
}

/** @returns {{ pid: number, command: string, environment: readonly string[] }[]} */
function living() {
  if (process.platform !== "linux") return [];
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const [command = [], environment = []] = ["cmdline", "environ"].map((file) =>
          fs.readFileSync(`/proc/${name}/${file}`, "utf8").split("\0"),
        );
        return [{ pid: Number(name), command: command.join(" ").trim(), environment }];
      } catch {
        // It ended meanwhile, or belongs to another user.
        return [];
      }
    });
}

/**
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  const { pid } = child;
  if (pid === undefined) return;
  attempt(() => (process.platform === "win32" ? child.kill(signal) : process.kill(-pid, signal)));
}

/**
 * Runs a program to its end and collects its output. What it started and left behind is ended with it.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean, limitMs?: number }} [options] limitMs: a guard
 * against a program that never ends, not a measure of speed
 * @returns {Promise<{ code: number, output: string, stdout: string }>} output: what it wrote to stdout and stderr, as it
 * came, and that it was stopped, if it was
 */
export async function run(file, args, { cwd = root, env = process.env, shell = false, limitMs = 15 * 60_000 } = {}) {
  const { child, ended, stop } = startGroup(file, args, { cwd, env, shell, stdio: ["ignore", "pipe", "pipe"] });
  /** @type {Buffer[]} */
  const chunks = [];
  /** @type {Buffer[]} */
  const results = [];
  child.stdout?.on("data", (chunk) => void [chunks, results].forEach((each) => each.push(chunk)));
  child.stderr?.on("data", (chunk) => chunks.push(chunk));
  const closed = new Promise((resolve) => void child.once("close", resolve));
  const guard = setTimeout(() => {
    chunks.push(Buffer.from(`It did not end within ${limitMs / 1000} s and was stopped.\n`));
    void stop();
  }, limitMs);
  try {
    const { code } = await ended;
    await atMost(closed, 2000);
    // Whatever it left behind.
    await stop();
    const [output = "", stdout = ""] = [chunks, results].map((each) => Buffer.concat(each).toString("utf8"));
    return { code: code ?? 1, output, stdout };
  } finally {
    clearTimeout(guard);
  }
}

/**
 * Runs Node on a script and fails with its output when it fails.
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2] & { node?: string }} [options]
 */
export async function runNode(args, { node = process.execPath, ...options } = {}) {
  const result = await run(node, args, options);
  if (result.code !== 0)
    throw new Error(`node ${args.join(" ")} ended with ${result.code}.\n${result.output.trimEnd()}`);
  return result.output;
}

/** @param {number} since a value of performance.now() */
export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/**
 * Does one step of a longer job and prints how long it took.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function step(name, action) {
  const since = performance.now();
  const result = await action();
  console.log(`${name} (${seconds(since)})`);
  return result;
}

/**
 * The environment for a VS Code that must not notice the one this may have been started from.
 * @param {NodeJS.ProcessEnv} [extra]
 * @returns {NodeJS.ProcessEnv}
 */
export function cleanEnv(extra = {}) {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(VSCODE_|ELECTRON_|XDG_|npm_|NODE_OPTIONS$|NODE_EXTRA_CA_CERTS$|SSLKEYLOGFILE$|INIT_CWD$)/i.test(name),
  );
  return { ...Object.fromEntries(kept), ...extra };
}
