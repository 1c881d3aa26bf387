import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import type { ActivityEntry } from "../../../src/actions/journal/activity.ts";
import type { JournalRecord } from "../../../src/actions/journal/journal.ts";
import { Journals } from "../../../src/actions/journal/journals.ts";
import { createLiveConnection, type LiveConnection } from "../../../src/actions/connection/liveConnection.ts";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import type { AskCode, Question } from "../../../src/actions/intent/question.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import { isUnresolved } from "../../../src/actions/journal/recordedIntents.ts";
import { silentLog } from "../../../src/base/log.ts";
import { activityNodes } from "../../../src/present/activity/activity.ts";
import { leftOverText } from "../../../src/present/activity/activityWords.ts";
import type { RowNode } from "../../../src/present/rows/nodes.ts";
import { statusBarItem } from "../../../src/present/connections/statusBar.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { createLinkedPair } from "../../linkedPair.ts";
import type { Transport } from "../../../src/rpc/transport.ts";
import { createSession } from "../../../src/session/createSession.ts";
import { createExchange, type Exchange, type ExchangeOptions } from "../../../src/simulator/wire/exchange.ts";
import { createConnections, type Connection } from "../../../src/state/connections.ts";
import { orderLookups } from "../../../src/state/orders.ts";
import { formatRecords, type ConnectionRecord } from "../../../src/state/records.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "../../fakeClock.ts";
import { createScreen, type Screen } from "../../simulation/screen.ts";
import { sessionPorts } from "../../sessionPorts.ts";

/*
 * Several windows of one person on one computer: one exchange, one clock that only a test moves, and the real journal
 * files. Windows that end together with their process, or some seconds before it, are what a reload is made of.
 */

/** A window, and what the user sees in it. */
export interface Window {
  readonly live: LiveConnection;
  readonly journals: Journals;
  readonly screen: Screen;
  /** What was asked, in order. */
  readonly questions: readonly Question[];
  /** Connects and waits until the orders are there. */
  connect(): Promise<void>;
  /** Presses Cancel on an order, as its row has it. */
  cancel(orderId: string): Promise<Outcome>;
  /** Rows of Activity: title, what became of it, and when, to the second. */
  activity(): Promise<readonly string[]>;
  /** Rows of Open Orders of one order. */
  rows(orderId: string): readonly string[];
  /** Every sentence about an outcome, oldest first. */
  told(): readonly string[];
  /** What it says when it starts. */
  leftOver(): Promise<string | undefined>;
  statusBar(): string;
  tooltip(): string;
  /** The editor has closed it; its process lives on. */
  close(): void;
  /** Its process ends. */
  end(): void;
}

export interface Windows {
  readonly clock: FakeClock;
  readonly exchange: Exchange;
  /** What becomes of a record on its way to the disk of any window; left out, it is kept. */
  onRecord: (record: JournalRecord) => Promise<void>;
  readonly folder: string;
  open(): Window;
  /** All open connections are dead from now on, without a close. */
  silence(): void;
  /** Moves the clock; before each timer that is due the disks are waited for. */
  advance(ms: number): Promise<void>;
  settle(): Promise<void>;
  /** Request frames of a method. */
  count(method: string): number;
  end(): void;
}

const times = createTimes(0);

/** How much of the first open order is filled at the beginning. */
const FILLED = 12;

export function openWindows({
  askCode,
  ...options
}: Partial<ExchangeOptions> & { readonly askCode?: AskCode } = {}): Windows {
  const clock = createFakeClock();
  const exchange = createExchange({
    clock,
    random: createFakeRandom(7),
    still: true,
    limits: false,
    orders: 3,
    ...options,
  });
  const [first] = exchange.control.openOrders();
  if (first !== undefined) exchange.control.fill(first.order_id, FILLED);
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-windows-"));
  const folder = path.join(root, "journal");
  const living = new Set<number>();
  const opened: Window[] = [];
  const silent = new Set<Transport>();
  const links = new Set<Transport>();
  const link = (): Transport => {
    const [client, server] = createLinkedPair();
    links.add(server);
    exchange.accept({
      ...server,
      send: (text) => {
        if (!silent.has(server)) server.send(text);
      },
      onText: (listener) =>
        server.onText((text) => {
          if (!silent.has(server)) listener(text);
        }),
    });
    return client;
  };
  /** Disks that are written or read. */
  let busy = 0;
  const settle = async (): Promise<void> => {
    do {
      await clock.settle();
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
      await clock.settle();
    } while (busy > 0);
  };
  const onDisk = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    busy++;
    try {
      return await work();
    } finally {
      busy--;
    }
  };
  const windows: Windows = {
    clock,
    exchange,
    onRecord: async () => await Promise.resolve(),
    folder,
    open() {
      const window = openWindow(windows, { living, onDisk, link, askCode, processId: opened.length + 1 });
      opened.push(window);
      return window;
    },
    silence: () => {
      for (const each of links) silent.add(each);
    },
    async advance(ms) {
      await settle();
      for (let leftMs = ms; leftMs > 0;) {
        const dueMs = Math.min(Math.ceil(clock.nextTimerMs ?? Infinity), leftMs);
        await clock.advance(dueMs);
        await settle();
        leftMs -= dueMs;
        if (dueMs === 0 && clock.nextTimerMs === undefined) return;
      }
    },
    settle,
    count: (method) => exchange.control.ledger().filter((entry) => entry.method === method).length,
    end() {
      for (const window of opened) window.end();
      exchange.dispose();
      fs.rmSync(root, { recursive: true });
    },
  };
  return windows;
}

interface Computer {
  readonly living: Set<number>;
  readonly processId: number;
  readonly askCode: AskCode | undefined;
  /** A new link to the exchange. */
  readonly link: () => Transport;
  readonly onDisk: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

function openWindow(windows: Windows, { living, processId, link, onDisk, askCode }: Computer): Window {
  const { clock, exchange, folder } = windows;
  living.add(processId);
  const runId = `run${processId}`;
  const journals = new Journals({
    folder,
    runId,
    isAlive: async (run) => await Promise.resolve(living.has(Number(run.slice(3)))),
    clock,
    log: silentLog,
  });
  const record: ConnectionRecord = {
    id: "main",
    name: "main",
    declared: "test",
    url: "ws://127.0.0.1:1/ws/api/v2",
    grant: "client_signature",
    clientId: exchange.clientId,
    trading: { largestOrderUsd: Infinity, totalUsd: Infinity, usedUsd: 0, environment: "test" },
  };
  const portsOf = sessionPorts(clock, 1000 * processId);
  let isDead = false;
  const questions: Question[] = [];
  const live = createLiveConnection(record, {
    createSession: () =>
      createSession({
        ...portsOf(),
        dial: async () => await Promise.resolve(link()),
        credentials: async () =>
          await Promise.resolve({
            kind: "client_signature",
            clientId: exchange.clientId,
            clientSecret: exchange.clientSecret,
          }),
        random: createFakeRandom(processId),
      }),
    currentRecord: () => record,
    isOwnSimulator: false,
    async ask(question) {
      questions.push(question);
      return await Promise.resolve(true);
    },
    ...(askCode === undefined ? {} : { askCode }),
    journal: {
      async append(each) {
        // A process that has ended writes nothing any more.
        if (isDead) await new Promise<void>(() => undefined);
        await onDisk(async () => {
          await windows.onRecord(each);
          await journals.append(each);
        });
      },
    },
    runId,
    adoptPast: async (id) => await onDisk(async () => await journals.adopt(id)),
    openInOtherWindows: async (id) => await onDisk(async () => await journals.openInOtherWindows(id)),
    clock,
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
    log: silentLog,
  });
  const connections = createConnections({
    storage: {
      load: () => formatRecords({ records: [record], activeId: "main", unreadable: [] }),
      save: async () => await Promise.resolve(),
    },
    now: () => clock.now(),
  });
  connections.attach("main", live, false);
  const connection = (): Connection | undefined => connections.find("main");
  const screen = createScreen(
    live,
    () => clock.now(),
    () => undefined,
  );
  const item = (): ReturnType<typeof statusBarItem> =>
    statusBarItem({
      active: connection(),
      changesAllowedUntilMs: undefined,
      unknownOutcomes: journals.intents.filter((intent) => isUnresolved(intent) && intent.holder !== "otherWindow")
        .length,
      nowMs: clock.now(),
      times,
    });
  return {
    live,
    journals,
    screen,
    questions,
    async connect() {
      live.connect();
      await windows.advance(1000);
    },
    async cancel(orderId) {
      const shown = live.orders.snapshot.items.get(orderId);
      if (shown === undefined) throw new Error("the order is not shown");
      return await live.gate.submit(
        cancelOrder(shown.order, {
          origin: "view",
          nowMs: clock.now(),
          ...orderLookups(live.orders),
        }),
      );
    },
    async activity() {
      await onDisk(async () => {
        await journals.refresh();
      });
      return activityNodes({ intents: journals.intents, isUnresolvedOnly: false, limit: 99, nowMs: clock.now(), times })
        .slice(0, -1)
        .map((node) => `${node.label} · ${node.description.replace(/\d\d:\d\d$/, secondOf(node))}`);
    },
    rows: (orderId) =>
      screen
        .rows()
        .filter(({ objectId }) => objectId === orderId)
        .map(({ label, description }) => `${label} | ${description}`),
    told: () => screen.sentences.map(({ text }) => text),
    async leftOver() {
      await onDisk(async () => {
        await journals.refresh();
      });
      return leftOverText(journals.intents);
    },
    statusBar: () => item().text,
    tooltip: () =>
      item()
        .tooltip.filter(({ name }) => name === undefined)
        .map(({ value }) => value)
        .join(" "),
    close() {
      live.disconnect();
      live.dispose();
    },
    end() {
      isDead = true;
      living.delete(processId);
      live.dispose();
      journals.dispose();
      connections.dispose();
    },
  };
}

/** A row has no room for seconds; its tooltip has them. */
function secondOf({ tooltip }: RowNode): string {
  return /\d\d:\d\d:\d\d/.exec(tooltip.find(({ name }) => name === "UTC")?.value ?? "")?.[0] ?? "";
}

/** The entries of the gate's list, shortly. */
export function outcomesOf({ live }: Window): readonly (string | undefined)[] {
  return live.gate.activity.map(({ outcome }: ActivityEntry) => outcome?.kind);
}
