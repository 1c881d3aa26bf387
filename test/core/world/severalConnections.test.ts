import assert from "node:assert/strict";
import { afterEach, describe, test } from "vitest";
import { cancelMatching } from "../../../src/actions/changes/cancelMany.ts";
import type { Intent } from "../../../src/actions/intent.ts";
import { createMemoryJournal } from "../../../src/actions/journal.ts";
import type { LiveConnection } from "../../../src/actions/liveConnection.ts";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import type { Outcome } from "../../../src/actions/outcome.ts";
import type { Question } from "../../../src/actions/question.ts";
import { switchSubject } from "../../../src/actions/subaccounts.ts";
import { silentLog } from "../../../src/base/log.ts";
import { failureSentences } from "../../../src/present/text/failureText.ts";
import { createLinkedPair } from "../../linkedPair.ts";
import type { Transport } from "../../../src/rpc/transport.ts";
import { createSession } from "../../../src/session/createSession.ts";
import type { Credentials } from "../../../src/session/session.ts";
import { createExchange, type Exchange } from "../../../src/simulator/wire/exchange.ts";
import { createLastTradesStore } from "../../../src/state/lastTrades.ts";
import { createConnections, type Connections } from "../../../src/state/connections.ts";
import { openOrders, orderLookups, type Order } from "../../../src/state/orders.ts";
import type { ConnectionRecord } from "../../../src/state/records.ts";
import { createLiveConnections, openAccounts, type LiveConnections } from "../../../src/actions/liveConnections.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "../../fakeClock.ts";
import { draw, flat, headingsOf, shownOf, VIEWS, viewsOf, type Shown, type ViewName } from "../../everyView.ts";
import { pluck } from "../../pluck.ts";
import { sessionPorts } from "../../sessionPorts.ts";

/*
 * Several connections of one window, as they are opened, shown and closed there: two with the same key, one to another
 * exchange, one without a key. Everything is in this process, on one clock.
 */

const OPTIONS = { subjectId: 48_602, name: "simulator_options", type: "subaccount" } as const;
const ACCOUNT_VIEWS = ["account", "positions", "orders", "blockTrades", "mmp", "quotes", "apiKeys"] as const;

/** Returns the pattern of what stands beside a title while all is well: figures of positions have an age. */
function freshness(view: (typeof ACCOUNT_VIEWS)[number]): string {
  return view === "positions" ? String.raw`as of 12:00:\d\d` : "live";
}

interface Desk {
  readonly clock: FakeClock;
  /** The exchange of `main`, `sub` and `public`, and that of `desk`. */
  readonly home: Exchange;
  readonly away: Exchange;
  readonly connections: Connections;
  readonly liveConnections: LiveConnections;
  readonly questions: Question[];
  open(...ids: string[]): Promise<void>;
  find(id: string): LiveConnection;
  /** Views of the open connections. */
  shown(): readonly Shown[];
  submit(id: string, intent: Intent): Promise<Outcome>;
  /** The open order of that place in the list of a connection. */
  order(id: string, at?: number): Order;
  dispose(): void;
}

let desk: Desk;

function recordOf(id: string, exchange: Exchange, more: Partial<ConnectionRecord> = {}): ConnectionRecord {
  return {
    id,
    name: id,
    declared: "test",
    url: `ws://127.0.0.1:${id === "desk" ? 2 : 1}/ws/api/v2`,
    grant: "client_signature",
    clientId: exchange.clientId,
    ...more,
  };
}

async function openDesk(...ids: string[]): Promise<Desk> {
  const clock = createFakeClock();
  const [home, away] = [1, 2].map((seed) =>
    createExchange({ clock, random: createFakeRandom(seed), seed, orders: 3 * seed, still: true, limits: false }),
  ) as [Exchange, Exchange];
  const exchangeOf = ({ id }: ConnectionRecord): Exchange => (id === "desk" ? away : home);
  let stored: unknown;
  const connections = createConnections({
    storage: {
      load: () => stored,
      save: async (value) => {
        stored = await Promise.resolve(value);
      },
    },
    now: () => clock.now(),
  });
  const records = [
    recordOf("main", home),
    recordOf("sub", home),
    recordOf("desk", away, { declared: "production" }),
    recordOf("public", home, { grant: "none", clientId: "" }),
  ];
  for (const record of records) await connections.put(record);
  const questions: Question[] = [];
  const journal = createMemoryJournal();
  const portsOf = sessionPorts(clock);
  const liveConnections = createLiveConnections({
    connections,
    createSession: (record, { credentials }) =>
      createSession({
        ...portsOf(),
        dial: async (): Promise<Transport> => {
          const [client, server] = createLinkedPair();
          exchangeOf(record).accept(server);
          return await Promise.resolve(client);
        },
        credentials: async () => await Promise.resolve(credentials),
      }),
    ask: async (question) => {
      questions.push(question);
      return await Promise.resolve(true);
    },
    journal,
    clock,
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
    log: silentLog,
  });
  const find = (id: string): LiveConnection => liveConnections.find(id)!;
  const made: Desk = {
    ...{ clock, home, away, connections, liveConnections, questions, find },
    async open(...wanted) {
      for (const id of wanted) {
        const { record } = connections.find(id)!;
        const { clientId, clientSecret } = exchangeOf(record);
        const credentials: Credentials =
          record.grant === "none" ? { kind: "none" } : { kind: "client_signature", clientId, clientSecret };
        await connections.choose(id);
        const opened = liveConnections.create(record, { url: record.url, credentials });
        liveConnections.adopt(opened);
        opened.connect();
      }
      await clock.advance(1000);
      for (const each of liveConnections.all)
        for (const store of [each.account, each.positions, each.blockTrades, each.mmp, each.quotes, each.apiKeys])
          store.setVisible(true);
      await clock.advance(1000);
    },
    shown: () =>
      liveConnections.all.map((each) => ({
        ...shownOf({ live: each, clock, journal }),
        connection: connections.find(each.record.id)!,
      })),
    async submit(id, intent) {
      const submitted = find(id).gate.submit(intent);
      await clock.advance(1000);
      return await submitted;
    },
    order: (id, at = 0) => openOrders(find(id).orders.snapshot)[at]!,
    dispose() {
      liveConnections.dispose();
      home.dispose();
      away.dispose();
    },
  };
  await made.open(...ids);
  return made;
}

function cancel(id: string, order: Order): Intent {
  return cancelOrder(order, {
    origin: "view",
    nowMs: desk.clock.now(),
    ...orderLookups(desk.find(id).orders),
  });
}

/** The first rows of a view, as they read. */
function roots(view: ViewName): readonly string[] {
  return viewsOf(desk.shown())
    [view].children(undefined)
    .map(({ label, description }) => [label, description].filter((part) => part !== "").join(" | "));
}

/** The ids of all rows of a view, by connection. */
function idsOf(view: ViewName): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const { row } of flat(draw(viewsOf(desk.shown())[view])))
    ids.set(row.connectionId, [...(ids.get(row.connectionId) ?? []), row.id]);
  return ids;
}

/**
 * Stands in each group: all test files of this layer are one program, whose own hooks would run after every test of it.
 */
const endDesk = (): void => desk.dispose();

describe("several connections side by side", () => {
  afterEach(endDesk);
  test("one: no row for it, and every heading names it; a second one comes: each has its own row, with what it has", async () => {
    desk = await openDesk("main");
    for (const view of ACCOUNT_VIEWS) {
      assert.ok(!roots(view).some((row) => row.startsWith("TESTNET main")), view);
      assert.match(headingsOf(desk.shown())[view].description, new RegExp(`^TESTNET main · ${freshness(view)}$`), view);
    }
    await desk.open("desk");
    assert.deepEqual(
      ACCOUNT_VIEWS.map((view) => roots(view)),
      [
        ["TESTNET main | 7 listed", "PRODUCTION desk | 7 listed"],
        ["TESTNET main | 6 listed", "PRODUCTION desk | 6 listed"],
        ["TESTNET main | 3", "PRODUCTION desk | 6"],
        ["TESTNET main | 50 listed", "PRODUCTION desk | 50 listed"],
        ["TESTNET main | 8 listed", "PRODUCTION desk | 8 listed"],
        ["TESTNET main | 4 listed", "PRODUCTION desk | 4 listed"],
        ["TESTNET main | 5 listed", "PRODUCTION desk | 5 listed"],
      ],
    );
    for (const view of ACCOUNT_VIEWS)
      assert.match(
        headingsOf(desk.shown())[view].description,
        new RegExp(`^2 connections · ${freshness(view)}$`),
        view,
      );
  });

  test("every row below belongs to the connection that it stands under, and no two rows have the same id", async () => {
    desk = await openDesk("main", "sub", "desk");
    const trees = viewsOf(desk.shown());
    for (const view of ACCOUNT_VIEWS) {
      const drawn = draw(trees[view]);
      assert.deepEqual(
        drawn.map(({ row }) => row.connectionId),
        ["main", "sub", "desk"],
        view,
      );
      for (const branch of drawn)
        assert.deepEqual(
          [...new Set(flat([branch]).map(({ row }) => row.connectionId))],
          [branch.row.connectionId],
          view,
        );
      const ids = flat(drawn).map(({ row }) => row.id);
      assert.equal(new Set(ids).size, ids.length, view);
    }
  });

  test("what is said of a connection's row names environment and connection", async () => {
    desk = await openDesk("main", "desk", "public");
    const trees = viewsOf(desk.shown());
    const spoken = ACCOUNT_VIEWS.map((view) => trees[view].children(undefined).map((row) => row.spoken));
    assert.deepEqual(spoken, [
      [
        "Connection TESTNET main: 7 listed",
        "Connection PRODUCTION desk: 7 listed",
        "Connection TESTNET public: no API key",
      ],
      [
        "Connection TESTNET main: 6 listed",
        "Connection PRODUCTION desk: 6 listed",
        "Connection TESTNET public: no API key",
      ],
      ["TESTNET main: open orders: 3", "PRODUCTION desk: open orders: 6", "Connection TESTNET public: no API key"],
      [
        "Connection TESTNET main: 50 listed",
        "Connection PRODUCTION desk: 50 listed",
        "Connection TESTNET public: no API key",
      ],
      [
        "Connection TESTNET main: 8 listed",
        "Connection PRODUCTION desk: 8 listed",
        "Connection TESTNET public: no API key",
      ],
      [
        "Connection TESTNET main: 4 listed",
        "Connection PRODUCTION desk: 4 listed",
        "Connection TESTNET public: no API key",
      ],
      [
        "Connection TESTNET main: 5 listed",
        "Connection PRODUCTION desk: 5 listed",
        "Connection TESTNET public: no API key",
      ],
    ]);
  });

  test("one is lost: its row and the message say so by its name, the others stay as they were", async () => {
    desk = await openDesk("main", "desk");
    desk.away.control.disconnectAll("reset");
    await desk.clock.advance(0);
    assert.deepEqual(roots("orders"), ["TESTNET main | 3", "PRODUCTION desk | 6 · as of 12:00:00"]);
    assert.deepEqual(roots("quotes"), ["TESTNET main | 4 listed", "PRODUCTION desk | 4 listed · as of 12:00:01"]);
    for (const view of ACCOUNT_VIEWS) {
      const { description, message } = headingsOf(desk.shown())[view];
      assert.match(description, /^2 connections · as of 12:00:0\d$/, view);
      assert.match(message, /^PRODUCTION desk: Not up to date since 12:00:0\d\. /, view);
      assert.doesNotMatch(message, /TESTNET main/, view);
    }
  });

  test("one is closed: its rows go, and no other", async () => {
    desk = await openDesk("main", "sub", "desk");
    const before = new Map(VIEWS.map((view) => [view, idsOf(view)]));
    desk.liveConnections.close("sub");
    for (const view of ACCOUNT_VIEWS) {
      const after = idsOf(view);
      assert.deepEqual([...after.keys()].sort(), ["desk", "main"], view);
      for (const id of ["main", "desk"]) assert.deepEqual(after.get(id), before.get(view)?.get(id), `${view} ${id}`);
    }
    assert.deepEqual(
      [desk.find("main").state.status, desk.find("desk").state.status, desk.liveConnections.find("sub")],
      ["ready", "ready", undefined],
    );
    desk.liveConnections.close("desk");
    for (const view of ACCOUNT_VIEWS)
      assert.match(headingsOf(desk.shown())[view].description, /^TESTNET main · /, view);
  });

  test("the active one is the one that was chosen last, for as long as it is open", async () => {
    desk = await openDesk("main", "desk");
    const activePlace = (): string | undefined => desk.liveConnections.active?.place;
    assert.equal(activePlace(), "PRODUCTION desk");
    await desk.connections.choose("main");
    assert.equal(activePlace(), "TESTNET main");
    desk.liveConnections.close("main");
    assert.equal(activePlace(), undefined, "no other one takes its place by itself");
  });

  test("a cancel goes out over the connection of its row, and its question names that one", async () => {
    desk = await openDesk("main", "desk");
    const order = desk.order("main");
    const outcome = await desk.submit("main", cancel("main", order));
    assert.equal(outcome.kind, "confirmed");
    assert.match(JSON.stringify(desk.questions.at(-1)), /on TESTNET main\?/);
    assert.deepEqual(
      [desk.home, desk.away].map(
        (exchange) => exchange.control.ledger().filter(({ method }) => method === "private/cancel").length,
      ),
      [1, 0],
    );
    assert.deepEqual(
      roots("orders"),
      ["TESTNET main | 3", "PRODUCTION desk | 6"],
      "an ended order stays in sight for a while",
    );
    await desk.clock.advance(11_000);
    assert.deepEqual(roots("orders"), ["TESTNET main | 2", "PRODUCTION desk | 6"]);
  });
});

describe("two accounts of one key side by side", () => {
  afterEach(endDesk);
  async function openTwo(): Promise<void> {
    desk = await openDesk("main", "sub");
    assert.equal(
      (await desk.submit("sub", switchSubject(OPTIONS, { origin: "view", unresolved: 0 }))).kind,
      "confirmed",
    );
    await desk.clock.advance(2000);
  }

  test("rows, headings and questions name the account, and no row of one stands under the other", async () => {
    await openTwo();
    for (const view of ACCOUNT_VIEWS)
      assert.deepEqual(
        pluck(viewsOf(desk.shown())[view].children(undefined), "label"),
        ["TESTNET main", "TESTNET sub ▸ simulator_options"],
        view,
      );
    const [mains = [], subs = []] = desk.liveConnections.all.map((each) =>
      openOrders(each.orders.snapshot).map(({ order_id: id }) => id),
    );
    assert.deepEqual([mains.length > 0, subs.length > 0], [true, true]);
    const found = mains.filter((id) => subs.includes(id));
    assert.deepEqual(found, []);
    const rows = viewsOf(desk.shown()).connections.children(undefined);
    assert.deepEqual(
      rows.map(({ label, description }) => `${label} | ${description.replace(/ · [^·]* ms/, "")}`),
      ["main | TESTNET · ready", "sub | TESTNET ▸ simulator_options · active · ready"],
    );
    assert.match(rows[1]?.spoken ?? "", /^sub ▸ simulator_options, active connection: TESTNET, ready/);
  });

  test("an order that is cancelled in one is cancelled there alone", async () => {
    await openTwo();
    const mains = openOrders(desk.find("main").orders.snapshot).map(({ order_id: id }) => id);
    const order = desk.order("sub");
    assert.equal((await desk.submit("sub", cancel("sub", order))).kind, "confirmed");
    assert.match(JSON.stringify(desk.questions.at(-1)), /on TESTNET sub ▸ simulator_options\?/);
    await desk.clock.advance(12_000);
    assert.deepEqual(pluck(openOrders(desk.find("main").orders.snapshot), "order_id"), mains);
    assert.ok(!openOrders(desk.find("sub").orders.snapshot).some(({ order_id: id }) => id === order.order_id));
  });

  test("cancelling all of one leaves every order of the other open at the exchange", async () => {
    await openTwo();
    const mains = openOrders(desk.find("main").orders.snapshot);
    const subs = openOrders(desk.find("sub").orders.snapshot);
    const outcome = await desk.submit(
      "sub",
      cancelMatching({ kind: "all" }, { orders: subs, hiddenCount: 0, isCounted: true }, "view"),
    );
    assert.equal(outcome.kind, "confirmed");
    await desk.clock.advance(12_000);
    assert.deepEqual(roots("orders"), [`TESTNET main | ${mains.length}`, "TESTNET sub ▸ simulator_options | none"]);
    const open = desk.home.control.openOrders().map(({ order_id: id }) => id);
    for (const { order_id: id } of mains) assert.ok(open.includes(id), id);
  });

  test("an order of one, pressed where only the other is signed in: the exchange refuses, and it stays open", async () => {
    await openTwo();
    const order = desk.order("main");
    const intent = cancelOrder(order, { origin: "view", nowMs: desk.clock.now(), current: () => order });
    assert.notEqual((await desk.submit("sub", intent)).kind, "confirmed");
    await desk.clock.advance(70_000);
    assert.ok(openOrders(desk.find("main").orders.snapshot).some(({ order_id: id }) => id === order.order_id));
  });

  test("the link is lost: the switched one is the main account again and shows its orders, the other never changed", async () => {
    await openTwo();
    const mains = openOrders(desk.find("main").orders.snapshot).map(({ order_id: id }) => id);
    desk.home.control.disconnectAll("reset");
    await desk.clock.advance(30_000);
    assert.deepEqual(pluck(desk.liveConnections.all, "place"), ["TESTNET main", "TESTNET sub"]);
    for (const each of desk.liveConnections.all)
      assert.deepEqual(
        openOrders(each.orders.snapshot)
          .map(({ order_id: id }) => id)
          .sort(),
        [...mains].sort(),
      );
  });
});

describe("a connection without a key", () => {
  afterEach(endDesk);
  const sentBy = (exchange: Exchange): readonly string[] =>
    exchange.control
      .ledger()
      .map(({ method }) => method ?? "")
      .filter((method) => method.startsWith("private/"));

  test("alone: every view of an account says that there is none, and asks the exchange nothing", async () => {
    desk = await openDesk("public");
    for (const view of ACCOUNT_VIEWS) {
      const { description, message, content } = headingsOf(desk.shown())[view];
      assert.deepEqual([description, content], ["TESTNET public · no API key", "noKey"], view);
      assert.equal(
        message,
        "TESTNET public has no API key, so no account data is available. Show Last Trades… and public methods still work. Use Edit Connection… to sign in with an API key.",
        view,
      );
      assert.deepEqual(viewsOf(desk.shown())[view].children(undefined), [], view);
    }
    assert.deepEqual(sentBy(desk.home), []);
    assert.equal(roots("connections")[0]?.replace(/\d+ ms/, "N ms"), "public | TESTNET · ready · no API key · N ms");
    assert.throws(() => openAccounts(desk.liveConnections), /noKey/);
  });

  test("public calls and Last Trades work; a private one is not sent, and the sentence says what to do", async () => {
    desk = await openDesk("public");
    const read = (method: string, params: object): Intent => ({
      method,
      paramsText: JSON.stringify(params),
      words: { action: "Read", target: method, detail: [], keep: "Cancel" },
      origin: "requestFile",
    });
    assert.equal(
      (await desk.submit("public", read("public/get_last_trades_by_instrument", { instrument_name: "BTC-PERPETUAL" })))
        .kind,
      "confirmed",
    );
    const trades = desk
      .find("public")
      .createStore((ports) => createLastTradesStore(ports, { instrument_name: "BTC-PERPETUAL" }));
    await desk.clock.advance(1000);
    assert.ok(trades.snapshot.trades.length > 0);
    trades.dispose();
    for (const [method, params] of [
      ["private/get_open_orders", {}],
      ["private/cancel", { order_id: "1" }],
    ] as const) {
      const outcome = await desk.submit("public", read(method, params));
      assert.equal(outcome.kind, "notSent");
      assert.equal(
        "failure" in outcome ? failureSentences(outcome.failure, "read") : "",
        "This connection has no API key: it can only call public methods. Nothing was sent. Sign in with an API key, or use a connection that has one.",
      );
    }
    assert.deepEqual(sentBy(desk.home), []);
    assert.deepEqual(desk.questions, []);
  });

  test("beside one with a key: its row says so, no message does, and what is asked for an account is not asked there", async () => {
    desk = await openDesk("main", "public");
    for (const view of ACCOUNT_VIEWS) {
      const [main, keyless] = viewsOf(desk.shown())[view].children(undefined);
      assert.deepEqual(
        [keyless?.label, keyless?.description, keyless?.children, main?.children],
        ["TESTNET public", "no API key", "none", "expanded"],
        view,
      );
      const { description, message } = headingsOf(desk.shown())[view];
      assert.match(description, new RegExp(`^2 connections · ${freshness(view)}$`), view);
      assert.equal(message.includes("public"), false, view);
    }
    assert.deepEqual(pluck(openAccounts(desk.liveConnections), "place"), ["TESTNET main"]);
  });
});
