import { createJournals } from "../../src/actions/journals.ts";
import { createLiveConnection, type LiveConnection } from "../../src/actions/liveConnection.ts";
import { cancelMatching } from "../../src/actions/cancelMany.ts";
import { cancelOrder } from "../../src/actions/orders.ts";
import type { JournalRecord } from "../../src/actions/journal.ts";
import { isUnresolved } from "../../src/actions/recordedIntents.ts";
import { createSystemClock, type Clock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { activityNodes } from "../../src/present/activity.ts";
import { leftOverText } from "../../src/present/activityWords.ts";
import { createTimes } from "../../src/present/times.ts";
import { dialWebSocket } from "../../src/rpc/webSocketTransport.ts";
import { createSession } from "../../src/session/createSession.ts";
import type { ConnectionRecord } from "../../src/state/records.ts";

/* A window without an editor: the real core in a process of its own, so that it can be killed. */

/** Where the process ends itself, as `kill -9` would. */
export type KillPoint = "before the journal" | "after the journal" | "after the answer" | "after the outcome";

export interface Program {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly folder: string;
  readonly runId: string;
  /** Cancel this order; left out, look after what is left and say so. */
  readonly orderId?: string;
  /** With an order: all orders of its instrument, with one call. */
  readonly isMass?: boolean;
  readonly kill?: KillPoint;
}

/** What a later start says. Times are cut out. */
export interface Told {
  readonly notice: string | undefined;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A clock that runs so much faster: what is waited for stays the same. */
function createRacingClock(speed: number): Clock {
  const clock = createSystemClock();
  const startMs = clock.now();
  const startMonotonicMs = clock.monotonicMs();
  const runMs = (): number => (clock.monotonicMs() - startMonotonicMs) * speed;
  return { now: () => startMs + runMs(), monotonicMs: () => startMonotonicMs + runMs(), after: (delayMs, run) => clock.after(delayMs / speed, run) };
}

const program = JSON.parse(process.argv[2] ?? "{}") as Program;
// A slow disk must not let a cancel go out that is to be killed before: the patience of 50 ms lasts a second there.
const clock = createRacingClock(program.orderId === undefined ? 10 : 0.05);
const isAlive = (processId: number): boolean => {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
};
const journals = createJournals({ folder: program.folder, processId: process.pid, isAlive, runId: program.runId, clock, log: silentLog });

function die(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("still alive");
}

async function append(record: JournalRecord): Promise<void> {
  if (program.kill === "before the journal") die();
  if (program.kill === "after the answer" && record.event === "outcome") die();
  await journals.append(record);
  if (program.kill === "after the journal" && record.event === "intent") die();
  if (program.kill === "after the outcome" && record.event === "outcome") die();
}

function open(): LiveConnection {
  const record: ConnectionRecord = { id: "main", name: "main", declared: "test", url: program.url, grant: "client_signature", clientId: program.clientId };
  let numbers = 0;
  return createLiveConnection(record, {
    createSession: () =>
      createSession({
        dial: async (signal) => await dialWebSocket(program.url, { clock }, signal),
        credentials: async () => await Promise.resolve({ kind: "client_credentials", clientId: program.clientId, clientSecret: program.clientSecret }),
        client: { name: "test", version: "0" },
        clock,
        random: () => 0.5,
        log: silentLog,
        nextWireId: () => ++numbers,
        nextGeneration: () => ++numbers,
        limits: "off",
        isTracing: () => false,
      }),
    currentRecord: () => record,
    isOwnSimulator: false,
    ask: async () => await Promise.resolve(true),
    journal: { append },
    runId: program.runId,
    adoptPast: async (id) => await journals.adopt(id),
    clock,
    settings: () => ({ confirmSingleWrites: "always", changesWindowMinutes: 30 }),
    log: silentLog,
  });
}

async function until(isSo: () => boolean, listen: (look: () => void) => void): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = (): void => { if (isSo()) resolve(); };
    listen(look);
    look();
  });
}

function rows(): string[] {
  const nodes = activityNodes({ intents: journals.intents, isUnresolvedOnly: false, limit: 99, nowMs: clock.now(), times: createTimes("UTC") });
  return nodes.slice(0, -1).map(({ label, description }) => `${label} · ${description.replaceAll(/(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d/g, "time")}`);
}

async function main(): Promise<void> {
  const live = open();
  const isReady = (): boolean => live.state.status === "ready";
  if (program.orderId !== undefined) {
    live.connect();
    await until(() => isReady() && live.orders.snapshot.items.size > 0, (look) => { live.onDidChangeState(look); live.orders.onDidChange(look); });
    const item = live.orders.snapshot.items.get(program.orderId);
    if (item === undefined) throw new Error("no such order");
    const { order } = item;
    const orders = [...live.orders.snapshot.items.values()].map((each) => each.order).filter((each) => each.instrument_name === order.instrument_name && each.order_type === "limit");
    const all = cancelMatching({ kind: "instrument", instrumentName: order.instrument_name }, { orders, isCounted: true, hiddenCount: 0 }, "view");
    await live.gate.submit(program.isMass === true ? all : cancelOrder(order, { origin: "view", nowMs: clock.now(), current: () => undefined }), { timeoutMs: 600_000 });
    return;
  }
  await journals.refresh();
  const told = { notice: leftOverText(journals.intents), before: rows() };
  live.connect();
  await until(isReady, (look) => { live.onDidChangeState(look); });
  await journals.adopt("main");
  const { state } = live;
  const isOther = state.status === "ready" && journals.intents.some(({ note }) => note.clientId !== state.identity.clientId);
  if (!isOther) await until(() => !journals.intents.some(isUnresolved), (look) => { journals.onDidChange(look); });
  process.stdout.write(`${JSON.stringify({ ...told, after: rows() } satisfies Told)}\n`, () => process.exit(0));
}

void main();
