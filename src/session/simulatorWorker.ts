import { MessageChannel, Worker } from "node:worker_threads";
import { CallError } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import type { Log } from "../base/log.ts";
import { plain, type Plain } from "../base/plain.ts";

/** The built-in simulator, running in a thread of its own for as long as its connection is open. */
export interface RunningSimulator {
  /** The address of its WebSocket, on loopback. */
  readonly webSocket: string;
  /** The credentials made for this run; they open nothing else and are kept nowhere. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** The key of one that plays the gateway. */
  readonly key?: { readonly name: string; readonly privateKey: string };
  /**
   * Makes it do what an exchange or another party might: a name of its `Control`, with the members that belong to it.
   * Resolves to what that returns, as JSON. Throws `refused`.
   */
  readonly control: (name: string, body: object) => Promise<string>;
  /** Ends the thread. */
  stop(): Promise<void>;
}

/** The message of the simulator once it accepts connections. */
interface Ready {
  readonly webSocket: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly key?: { readonly name: string; readonly privateKey: string };
}

/** The memory limit of the thread, in MB: the simulated account is small; a runaway must not take VS Code's memory. */
const MEMORY_MB = 256;
/** The memory limit of a replay, which holds its recording. */
const REPLAY_MEMORY_MB = 1024;

/**
 * Starts the simulator. Throws `cannotConnect` when it does not come up. `onEnd` hears when it ends on its own.
 * `options`: those of `SimulatorOptions` that are not usual.
 */
export async function startSimulatorThread(
  file: string,
  log: Log,
  onEnd: () => void,
  options: object = {},
): Promise<RunningSimulator> {
  const worker = new Worker(file, {
    workerData: { port: 0, ...options },
    resourceLimits: { maxOldGenerationSizeMb: "replay" in options ? REPLAY_MEMORY_MB : MEMORY_MB },
    stdout: true,
    stderr: true,
  });
  worker.stdout.on("data", (text: Buffer) => log.debug(plain`Simulator: ${plain.text(text.toString().trim())}`));
  worker.stderr.on("data", (text: Buffer) => log.warn(plain`Simulator: ${plain.text(text.toString().trim())}`));
  let isWanted = true;
  const stop = async (): Promise<void> => {
    isWanted = false;
    await worker.terminate();
  };
  try {
    const ready = await firstMessage(worker);
    worker.on("error", (error) => log.error(plain`The simulator failed: ${plain.text(error.message)}`));
    worker.on("exit", () => {
      if (isWanted) onEnd();
    });
    return { ...ready, control: async (name, body) => await control(worker, name, body), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The thread id of an ended worker. https://nodejs.org/api/worker_threads.html#workerthreadid */
const ENDED = -1;

type ControlResponse = { readonly result: string } | { readonly problem: string };

async function control(worker: Worker, name: string, body: object): Promise<string> {
  const { port1, port2 } = new MessageChannel();
  const response = await new Promise<ControlResponse>((resolve) => {
    const end = (): void => resolve({ problem: l10n.t("the simulator has stopped") });
    port1.once("message", (message: ControlResponse) => {
      worker.off("exit", end);
      resolve(message);
    });
    worker.once("exit", end);
    if (worker.threadId === ENDED) end();
    worker.postMessage({ control: name, body: JSON.stringify(body), response: port2 }, [port2]);
  });
  port1.close();
  if ("result" in response) return response.result;
  throw new CallError({
    kind: "refused",
    reason: l10n.t("The simulator rejected the command: {0}", plain.text(response.problem, 300)),
  });
}

async function firstMessage(worker: Worker): Promise<Ready> {
  return await new Promise<Ready>((resolve, reject) => {
    const fail = (detail: string): void => reject(new CallError({ kind: "cannotConnect", trouble: "other", detail }));
    worker.once("message", (message: unknown) => {
      if (isReady(message)) resolve(message);
      else fail(errorIn(message) ?? l10n.t("the simulator didn't report its address"));
    });
    worker.once("error", (error) => fail(error.message));
    worker.once("exit", (code) => fail(l10n.t("the simulator exited with code {0}", code)));
  });
}

/** Returns why the simulator couldn't start, in its own words. */
function errorIn(message: unknown): Plain | undefined {
  const { error } = (message ?? {}) as { readonly error?: unknown };
  return typeof error === "string" ? plain.text(error, 1000) : undefined;
}

function isReady(message: unknown): message is Ready {
  if (typeof message !== "object" || message === null) return false;
  const { webSocket, clientId, clientSecret } = message as Partial<Record<keyof Ready, unknown>>;
  return typeof webSocket === "string" && typeof clientId === "string" && typeof clientSecret === "string";
}
