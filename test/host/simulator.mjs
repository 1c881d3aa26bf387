// @ts-check
/** A simulator in a process of its own, and the way behind its counter. */
import path from "node:path";
import { createInterface } from "node:readline";
import { root, startGroup } from "./process.mjs";

/**
 * @typedef {object} Simulator
 * @property {string} webSocket
 * @property {string} http
 * @property {string} clientId
 * @property {string} clientSecret
 * @property {{ url: string, token: string }} control
 * @property {(name: string, body?: object) => Promise<any>} run a function of the control path: true state, ledger,
 * faults
 * @property {() => Promise<void>} stop
 */

/**
 * Starts it on a free port and waits until it accepts connections.
 * @param {readonly string[]} [args]
 * @param {{ preload?: string }} [options] `preload`: a script that its process loads first
 * @returns {Promise<Simulator>}
 */
export async function startSimulator(args = [], { preload } = {}) {
  const { child, ended, stop } = startGroup(
    process.execPath,
    [
      ...(preload ? ["--require", preload] : []),
      path.join(root, "dist", "cli.js"),
      "simulator",
      "--port",
      "0",
      "--json",
      ...args,
    ],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  if (!child.stdout) throw new Error("The simulator has no output.");
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    new Promise((resolve) => void lines.once("line", resolve)),
    ended.then(({ code }) => Promise.reject(new Error(`The simulator ended with ${code} instead of listening.`))),
  ]);
  const { control, ...addresses } = JSON.parse(line);
  return {
    ...addresses,
    control,
    async run(name, body = {}) {
      const response = await fetch(`${control.url}/${name}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${control.token}`,
          "content-type": "application/json",
          // The server may end a connection that is kept while the next request is on its way.
          connection: "close",
        },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${name}: ${text}`);
      return JSON.parse(text);
    },
    stop,
  };
}
