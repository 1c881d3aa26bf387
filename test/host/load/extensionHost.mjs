// @ts-check
/**
 * The extension host of a VS Code under test, seen from outside: its process, and its inspector. Nothing of this is in
 * what ships; the inspector is Node's own, woken by a signal. Linux alone has the files that this reads.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import WebSocket from "ws";
import { until } from "../process.mjs";

/** Reaches the extension host: its inspector takes a free port when it is woken. */
export const inspectable = { NODE_OPTIONS: "--inspect-port=127.0.0.1:0" };

const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
const PAGE_BYTES = Number(execFileSync("getconf", ["PAGESIZE"], { encoding: "utf8" }));
/** States of a connection in /proc/net/tcp. */
const LISTENS = "0A";
const IS_ESTABLISHED = "01";

/** @param {number} pid @param {string} name @returns {string} empty where the process has gone meanwhile */
function proc(pid, name) {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

/** @param {string} dataDir of the server that started it @returns {Promise<number>} */
function findPid(dataDir) {
  const home = `HOME=${dataDir}/`;
  return until(
    () =>
      fs
        .readdirSync("/proc")
        .map(Number)
        .find(
          (pid) =>
            pid > 0 &&
            proc(pid, "cmdline").includes("--type=extensionHost") &&
            proc(pid, "environ")
              .split("\0")
              .some((each) => each.startsWith(home)),
        ),
    { what: "the process of the extension host" },
  );
}

/**
 * @returns {{ localPort: number, remotePort: number, state: string, sending: number, received: number, inode: string
 * }[]}
 */
function tcpLines() {
  return fs
    .readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .slice(1)
    .filter(Boolean)
    .map((line) => {
      const [, local = "", remote = "", state = "", queues = "", , , , , inode = ""] = line.trim().split(/\s+/);
      const [sending = "0", received = "0"] = queues.split(":");
      const portOf = (/** @type {string} */ address) => parseInt(address.split(":")[1] ?? "", 16);
      return {
        localPort: portOf(local),
        remotePort: portOf(remote),
        state,
        sending: parseInt(sending, 16),
        received: parseInt(received, 16),
        inode,
      };
    });
}

/**
 * What the kernel holds for the connections to a port of this machine: sent by one side, not yet read by the other.
 * @param {string} url
 * @returns {number} bytes
 */
export function bytesUnderWay(url) {
  const port = Number(new URL(url).port);
  return tcpLines()
    .filter(
      ({ localPort, remotePort, state }) => state === IS_ESTABLISHED && (localPort === port || remotePort === port),
    )
    .reduce((sum, { sending, received }) => sum + sending + received, 0);
}

/** @param {number} pid @returns {Promise<number>} the port that its inspector has begun to listen on */
function inspectorPort(pid) {
  const socketsOf = () =>
    new Set(
      fs.readdirSync(`/proc/${pid}/fd`).map((fd) => {
        try {
          return /socket:\[(\d+)\]/.exec(fs.readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
        } catch {
          return undefined;
        }
      }),
    );
  return until(
    async () => {
      const own = socketsOf();
      for (const { localPort } of tcpLines().filter((line) => line.state === LISTENS && own.has(line.inode))) {
        const isInspector = await fetch(`http://127.0.0.1:${localPort}/json/version`).then(
          (response) => response.text(),
          () => "",
        );
        if (isInspector.includes("Protocol-Version")) return localPort;
      }
      return undefined;
    },
    { what: "the inspector of the extension host" },
  );
}

/**
 * @typedef {object} ExtensionHost
 * @property {number} pid
 * @property {() => number} cpuMs time on a processor since its start
 * @property {() => number} rssBytes memory that is resident
 * @property {(expression: string) => Promise<any>} evaluate in its global scope; what comes back is JSON
 * @property {() => Promise<{ heapBytes: number, rssBytes: number }>} settledMemory after a collection of garbage
 * @property {() => Promise<string[]>} loadedFiles names of the extension's own files that are loaded, in their order
 * @property {() => void} close
 */

/**
 * @param {string} dataDir
 * @param {string} extensionId with its publisher, as its folder begins
 * @returns {Promise<ExtensionHost>}
 */
export async function watchExtensionHost(dataDir, extensionId) {
  const pid = await findPid(dataDir);
  process.kill(pid, "SIGUSR1");
  const port = await inspectorPort(pid);
  const [target] = /** @type {any} */ (await (await fetch(`http://127.0.0.1:${port}/json`)).json());
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => void socket.once("open", () => resolve(undefined)).once("error", reject));
  /** @type {Map<number, (response: any) => void>} */
  const waiting = new Map();
  socket.on("message", (data) => {
    const response = JSON.parse(String(data));
    waiting.get(response.id)?.(response);
    waiting.delete(response.id);
  });
  let id = 0;
  /** @param {string} method @param {object} [params] @returns {Promise<any>} */
  const call = (method, params = {}) =>
    new Promise((resolve, reject) => {
      id += 1;
      waiting.set(id, ({ result, error }) =>
        error ? reject(new Error(`${method}: ${JSON.stringify(error)}`)) : resolve(result),
      );
      socket.send(JSON.stringify({ id, method, params }));
    });
  /** @param {string} expression */
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await call("Runtime.evaluate", {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails)
      throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  };
  const rssBytes = () => Number(proc(pid, "statm").split(" ")[1]) * PAGE_BYTES;
  return {
    pid,
    cpuMs() {
      // The name of the program stands in brackets and may hold anything.
      const fields = proc(pid, "stat").split(") ").at(-1)?.split(" ") ?? [];
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
    },
    rssBytes,
    evaluate,
    async settledMemory() {
      await call("HeapProfiler.collectGarbage");
      return { heapBytes: await evaluate("process.memoryUsage().heapUsed"), rssBytes: rssBytes() };
    },
    async loadedFiles() {
      const files = /** @type {string[]} */ (await evaluate("Object.keys(process.getBuiltinModule('module')._cache)"));
      return files
        .filter((file) => file.includes(`/${extensionId}-`))
        .map((file) => file.slice(file.lastIndexOf("/") + 1));
    },
    close: () => socket.terminate(),
  };
}
