import { Journals } from "../../src/actions/journal/journals.ts";
import { createLiveConnection, type LiveConnection } from "../../src/actions/connection/liveConnection.ts";
import type { JournalRecord } from "../../src/actions/journal/journal.ts";
import { createSystemClock, type Clock } from "../../src/base/clock.ts";
import type { Log } from "../../src/base/log.ts";
import { dialWebSocket } from "../../src/rpc/webSocketTransport.ts";
import { createSession } from "../../src/session/createSession.ts";
import type { ConnectionRecord } from "../../src/state/records.ts";
import { createRun, type WindowRun } from "../../src/ui/connections/runs.ts";
import { sessionPorts } from "../sessionPorts.ts";

/*
 * A window without an editor: the real core with real journal files, to a server on this machine. Everything is agreed
 * to.
 */

/** Where a window connects to, as whom, and where it writes down what it changes. */
export interface WindowOptions {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly folder: string;
}

export interface WindowPorts {
  readonly clock: Clock;
  readonly log: Log;
  /** Stands around each record on its way to the disk; left out, it is just kept. */
  readonly append?: (record: JournalRecord, keep: () => Promise<void>) => Promise<void>;
}

export interface SocketWindow {
  readonly live: LiveConnection;
  readonly journals: Journals;
  readonly run: WindowRun;
}

/** A window that is not connected yet. */
export function openWindow(
  { url, clientId, clientSecret, folder }: WindowOptions,
  {
    clock,
    log,
    append = async (_record, keep) => {
      await keep();
    },
  }: WindowPorts,
): SocketWindow {
  const run = createRun({ folder: `${folder}-runs`, clock, log });
  const { id: runId, isAlive } = run;
  const journals = new Journals({ folder, isAlive, runId, clock, log });
  const record: ConnectionRecord = {
    id: "main",
    name: "main",
    declared: "test",
    url,
    grant: "client_signature",
    clientId,
  };
  const portsOf = sessionPorts(clock);
  const live = createLiveConnection(record, {
    createSession: () =>
      createSession({
        ...portsOf(),
        dial: async (signal) => await dialWebSocket(url, { clock }, signal),
        credentials: async () => await Promise.resolve({ kind: "client_credentials", clientId, clientSecret }),
        random: () => 0.5,
        log,
      }),
    currentRecord: () => record,
    isOwnSimulator: false,
    ask: async () => await Promise.resolve(true),
    journal: {
      append: async (each) => {
        await append(each, async () => {
          await journals.append(each);
        });
      },
    },
    runId,
    adoptPast: async (id) => await journals.adopt(id),
    clock,
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
    log,
  });
  return { live, journals, run };
}

/** A clock that runs so much faster: what is waited for stays the same. */
export function createRacingClock(speed: number): Clock {
  const clock = createSystemClock();
  const startMs = clock.now();
  const startMonotonicMs = clock.monotonicMs();
  const runMs = (): number => (clock.monotonicMs() - startMonotonicMs) * speed;
  return {
    now: () => Math.trunc(startMs + runMs()),
    monotonicMs: () => startMonotonicMs + runMs(),
    after: (delayMs, run) => clock.after(delayMs / speed, run),
  };
}

/** Ends this process as `kill -9` would. */
export function die(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("still alive");
}

/** Resolves when it is so; `listen` says when to look. */
export async function until(isSo: () => boolean, listen: (look: () => void) => void): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (isSo()) resolve();
    };
    listen(look);
    look();
  });
}

/** Resolves when it is so, looking once in each turn of the loop. */
export async function eventually(isSo: () => boolean): Promise<void> {
  while (!isSo())
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
}
