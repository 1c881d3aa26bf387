import { createLiveConnection, type LiveConnection } from "../../src/actions/connection/liveConnection.ts";
import { createMemoryJournal, type MemoryJournal } from "../../src/actions/journal/journal.ts";
import { cancelOrder, cancelOrders, type OrderContext } from "../../src/actions/changes/orders.ts";
import type { Question } from "../../src/actions/intent/question.ts";
import type { CallError } from "../../src/base/failure.ts";
import type { Disposable } from "../../src/base/emitter.ts";
import type { Log } from "../../src/base/log.ts";
import type { Plain } from "../../src/base/plain.ts";
import { responseDocument } from "../../src/present/requests/responseText.ts";
import { orderRowId } from "../../src/present/orders/orderRow.ts";
import { createOrdersTree, type OrdersSource, type OrdersView } from "../../src/present/orders/orders.ts";
import { NO_FILTER } from "../../src/present/orders/ordersFilter.ts";
import { ordersHeading } from "../../src/present/orders/ordersHeading.ts";
import { outcomeText, verdictText } from "../../src/present/outcomes/outcomeText.ts";
import { pendingOrders } from "../../src/present/outcomes/pendingChanges.ts";
import { createTimes } from "../../src/present/text/times.ts";
import { dialWebSocket } from "../../src/rpc/webSocketTransport.ts";
import { runRequest, type RunResult } from "../../src/requests/running/run.ts";
import { scanRequests } from "../../src/requests/file/scan.ts";
import { createSession } from "../../src/session/createSession.ts";
import type { Credentials, Session, SessionState } from "../../src/session/session.ts";
import { orderLookups, type Order } from "../../src/state/orders.ts";
import type { ConnectionRecord, Environment } from "../../src/state/records.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "../fakeClock.ts";

/** The client as it ships, from the socket to the words, on a clock that only the test moves. */
export interface ReplayClient {
  readonly clock: FakeClock;
  readonly session: Session;
  readonly live: LiveConnection;
  readonly journal: MemoryJournal;
  readonly questions: Question[];
  /** Everything that was logged, the trace of the wire included. */
  readonly logged: string[];
  /** The rows of the Open Orders view, not grouped. */
  rows(): string[];
  /** What stands around the rows. */
  heading(): string;
  /** Resolves once the session is in this status; at once when it is. */
  status(status: SessionState["status"]): Promise<void>;
  /**
   * Resolves at the next moment when the condition holds; looked at after each change of session, orders and activity.
   */
  until(condition: () => boolean): Promise<void>;
  /** Lets the time pass until the next dial. */
  reconnect(): Promise<void>;
  /** Cancels an order of the view as the user does; resolves to the words that are shown. */
  cancel(orderId: string): Promise<string>;
  /** Cancels all of the view that are meant, with one question; resolves to the words about each. */
  cancelAll(isMeant: (order: Order) => boolean): Promise<string[]>;
  /** Name and value of every member of an order, as its rows show them. */
  fields(orderId: string): string[];
  /** Sends the first request of a file's text as the user does; resolves to the lines of its response document. */
  send(requestText: string, sendAnyway?: boolean): Promise<string[]>;
  /** The same with everything that is shown of it. */
  ask(requestText: string, sendAnyway?: boolean): Promise<Shown>;
  /** What the person says to every question; at first yes. */
  response: boolean;
  /** The words of all verdicts of the newest change. */
  verdicts(): string[];
  dispose(): void;
}

/** What the user is shown of a request of a file. */
export interface Shown {
  readonly result: RunResult;
  /** The lines of the response document. */
  readonly document: readonly string[];
  /** What stands above its lines, from top to bottom. */
  readonly lenses: readonly string[];
  /** What became of it, in sentences. */
  readonly words: string;
}

/** A key that signs in with its secret. */
export interface Key {
  readonly kind: "client_credentials";
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ClientOptions {
  readonly key: Key;
  readonly declared?: Environment;
  /** Signs in with these instead of the key. */
  readonly credentials?: Credentials;
  readonly limits?: "exchange" | "off";
  readonly clock?: FakeClock;
  /** Dials in the place of these failures, first to last, before any reaches the server. */
  readonly failedDials?: CallError[];
}

const times = createTimes(0);

export function createReplayClient(url: string, options: ClientOptions): ReplayClient {
  const {
    key,
    declared = "test",
    credentials = key,
    clock = createFakeClock(),
    limits = "exchange",
    failedDials = [],
  } = options;
  const logged: string[] = [];
  const keep = (line: string): void => {
    logged.push(line);
  };
  const log: Log = { trace: keep, debug: keep, info: keep, warn: keep, error: keep };
  const record: ConnectionRecord = { id: "main", name: "main", declared, url, grant: key.kind, clientId: key.clientId };
  const questions: Question[] = [];
  const journal = createMemoryJournal();
  let numbers = 0;
  const session = createSession({
    dial: async (signal) => {
      const failure = failedDials.shift();
      if (failure !== undefined) throw failure;
      return await dialWebSocket(url, { clock }, signal);
    },
    credentials: async () => await Promise.resolve(credentials),
    client: { name: "Trading RPC", version: "1.0.2" },
    clock,
    random: createFakeRandom(3),
    log,
    nextWireId: () => ++numbers,
    nextGeneration: () => ++numbers,
    limits,
    isTracing: () => true,
  });
  const live = createLiveConnection(record, {
    createSession: () => session,
    currentRecord: () => record,
    isOwnSimulator: false,
    ask: async (question) => {
      questions.push(question);
      return await Promise.resolve(client.response);
    },
    journal,
    clock,
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
    log,
  });
  const view = (): OrdersView => {
    const source: OrdersSource = {
      connectionId: "main",
      connectionName: "main",
      environment: live.environment,
      snapshot: live.orders.snapshot,
      pending: pendingOrders(live.gate.activity, "main"),
    };
    return { sources: [source], groupBy: "none", filter: NO_FILTER, pageSize: 200, shownRows: new Map(), times };
  };
  const placeOf = (): Plain => live.place;
  const until = async (condition: () => boolean): Promise<void> => {
    if (condition()) return;
    const listeners: Disposable[] = [];
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (condition()) resolve();
      };
      listeners.push(
        session.onDidChangeState(look),
        live.orders.onDidChange(look),
        live.gate.onDidChangeActivity(look),
      );
    });
    for (const listener of listeners) listener.dispose();
  };
  const context = (): OrderContext => ({
    origin: "view",
    nowMs: clock.now(),
    ...orderLookups(live.orders),
  });
  const client: ReplayClient = {
    clock,
    response: true,
    session,
    live,
    journal,
    questions,
    logged,
    until,
    rows: () =>
      createOrdersTree(view)
        .children(undefined)
        .map((row) => [row.label, withoutLongLabel(row.description), row.contextValue].join(" | ")),
    heading: () => {
      const tree = createOrdersTree(view);
      const { description, message } = ordersHeading(view(), tree.counts, undefined);
      return [description, message].filter((part) => part !== undefined).join(" | ");
    },
    status: async (status) => await until(() => session.state.status === status),
    reconnect: async () => {
      await until(() => session.state.status === "waiting");
      if (session.state.status === "waiting") await clock.advance(Math.ceil(session.state.retryAtMs - clock.now()) + 1);
    },
    cancel: async (orderId) => {
      const item = live.orders.snapshot.items.get(orderId);
      if (item === undefined) throw new Error(`no order ${orderId}`);
      const intent = cancelOrder(item.order, context());
      return outcomeText(await live.gate.submit(intent), { intent, place: placeOf(), times });
    },
    cancelAll: async (isMeant) => {
      const orders = [...live.orders.snapshot.items.values()].map((item) => item.order).filter(isMeant);
      const { intents, describe } = cancelOrders(orders, context());
      const outcomes = await live.gate.submitAll(intents, describe);
      return outcomes.map((outcome, index) =>
        outcomeText(outcome, { intent: intents[index]!, place: placeOf(), times }),
      );
    },
    fields: (orderId) => {
      const tree = createOrdersTree(view);
      const rows = tree.children(orderRowId("main", orderId));
      // A member that nothing explains stands below All Fields alone.
      const all = rows.flatMap((row) => [row, ...tree.children(row.id)]);
      return [...new Set(all.map((row) => `${row.label} = ${row.description}`))];
    },
    send: async (requestText, sendAnyway) => [...(await client.ask(requestText, sendAnyway)).document],
    ask: async (requestText, sendAnyway = false) => {
      const file = scanRequests(requestText);
      const [request] = file.requests;
      if (request === undefined) throw new Error("the text holds no request");
      const result = await runRequest(file, request, {
        gate: live.gate,
        environment: live.environment,
        fileName: "a.rpc.json",
        sendAnyway,
      });
      const { text, lenses } = responseDocument({
        result,
        environment: live.environment,
        connectionName: "main",
        endedAtMs: clock.now(),
        verdicts: [],
        times,
      });
      return {
        result,
        document: text.trimEnd().split("\n"),
        lenses: lenses.map((lens) => lens.text),
        words: outcomeText(result.outcome, { intent: result.intent, place: placeOf(), times }),
      };
    },
    verdicts: () => {
      const [entry] = live.gate.activity;
      return entry === undefined
        ? []
        : entry.verdicts.map((verdict) => verdictText(verdict, { intent: entry.intent, place: placeOf(), times }));
    },
    dispose: () => {
      live.dispose();
    },
  };
  return client;
}

/** Leaves out a label that a bot made of a time: how much of it has room is not what these tests are about. */
function withoutLongLabel(description: string): string {
  return description
    .split(" · ")
    .filter((mark) => !/^O-\d[\d-]*…$/.test(mark))
    .join(" · ");
}
