import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createConnectionsTree, type ConnectionsView } from "../../../../src/present/connections/connections.ts";
import { statusBarItem, type StatusBarView } from "../../../../src/present/connections/statusBar.ts";
import type { Failure } from "../../../../src/base/failure.ts";
import { plain } from "../../../../src/base/plain.ts";
import type { Connection, ConnectionState } from "../../../../src/state/connections.ts";
import { simulatorRecord, type TradingLimits } from "../../../../src/state/records.ts";
import { BERLIN, lineOf, NOON_MS, textOf } from "../samples.ts";

type Ready = Extract<ConnectionState, { status: "ready" }>;

const READY: Ready = {
  status: "ready",
  generation: 1,
  isSuspect: false,
  identity: {
    authentication: "key",
    clientId: "AbC",
    scope: "account:read block_trade:none trade:read_write session:rpc",
    testnet: true,
    serverVersion: "1.2.26",
  },
  sinceMs: NOON_MS - 5 * 60_000,
};
const REFUSED: Failure = { kind: "cannotConnect", trouble: "refused", detail: "connect ECONNREFUSED 127.0.0.1:8765" };

function connection(members: Partial<Connection> = {}): Connection {
  return {
    record: {
      id: "main",
      name: "main",
      declared: "test",
      url: "wss://test.deribit.com/ws/api/v2",
      grant: "client_signature",
      clientId: "AbC",
    },
    isActive: false,
    state: READY,
    environment: "test",
    contradiction: undefined,
    latencyMs: 38.4,
    eventCount: 12_345,
    httpState: undefined,
    lastFailure: undefined,
    ...members,
  };
}

const DESK: Partial<Connection> = {
  environment: "production",
  record: { ...connection().record, id: "desk", name: "desk", declared: "production" },
};
const PUBLIC: Partial<Connection> = {
  record: { ...connection().record, id: "public", name: "public", grant: "none", clientId: "" },
  state: { ...READY, identity: { ...READY.identity, authentication: "none", clientId: undefined, scope: "" } },
};
const OFF: Partial<Connection> = { state: { status: "off" }, latencyMs: undefined };

function view(of: Connection, members: Partial<ConnectionsView> = {}): ConnectionsView {
  return { connections: [of], changesAllowedUntilMs: new Map(), nowMs: NOON_MS, times: BERLIN, ...members };
}

function limits(largestOrderUsd: number): TradingLimits {
  return { largestOrderUsd, totalUsd: largestOrderUsd * 5, usedUsd: 0 };
}

describe("the row of a connection", () => {
  const allowed = { changesAllowedUntilMs: new Map([["desk", NOON_MS + 28 * 60_000]]) };
  const cases: readonly [string, Partial<Connection>, Partial<ConnectionsView>, string][] = [
    ["ready", {}, {}, "[plug charts.green] main | TESTNET · ready · 38 ms | connection.ready.test.saved ▸"],
    [
      "the active one",
      { isActive: true },
      {},
      "[plug charts.green] main | TESTNET · ready · 38 ms | connection.ready.test.saved.active ▸",
    ],
    [
      "without a latency yet",
      { latencyMs: undefined },
      {},
      "[plug charts.green] main | TESTNET · ready | connection.ready.test.saved ▸",
    ],
    [
      "production, read-only",
      { ...DESK, latencyMs: undefined },
      {},
      "[lock] desk | PRODUCTION · read-only | connection.ready.production.saved.readOnly ▸",
    ],
    [
      "production, changes allowed",
      DESK,
      allowed,
      "[unlock problemsWarningIcon.foreground] desk | PRODUCTION · changes: 28 min left · 38 ms | connection.ready.production.saved.changesAllowed ▸",
    ],
    [
      "production, cancels allowed",
      DESK,
      { cancelsAllowedUntilMs: new Map([["desk", NOON_MS + 28 * 60_000]]) },
      "[unlock problemsWarningIcon.foreground] desk | PRODUCTION · cancels: 28 min left · 38 ms | connection.ready.production.saved.readOnly.cancelsAllowed ▸",
    ],
    [
      "trading allowed",
      {},
      { trading: new Map([["main", limits(2500.5)]]) },
      "[plug charts.green] main | TESTNET · ready · orders up to 2500.5 USD · 38 ms | connection.ready.test.saved.tradingAllowed ▸",
    ],
    [
      "production, trading allowed and read-only",
      DESK,
      { trading: new Map([["desk", limits(1000)]]) },
      "[lock] desk | PRODUCTION · read-only · orders up to 1000 USD · 38 ms | connection.ready.production.saved.readOnly.tradingAllowed ▸",
    ],
    [
      "trading of any size, as on the simulator",
      {},
      { trading: new Map([["main", limits(Infinity)]]) },
      "[plug charts.green] main | TESTNET · ready · 38 ms | connection.ready.test.saved ▸",
    ],
    [
      "production, the time is over",
      DESK,
      { changesAllowedUntilMs: new Map([["desk", NOON_MS]]) },
      "[lock] desk | PRODUCTION · read-only · 38 ms | connection.ready.production.saved.readOnly ▸",
    ],
    [
      "changes allowed where no permission is needed",
      {},
      { changesAllowedUntilMs: new Map([["main", NOON_MS + 60_000]]) },
      "[plug charts.green] main | TESTNET · ready · 38 ms | connection.ready.test.saved ▸",
    ],
    [
      "off",
      OFF,
      {},
      "[debug-disconnect disabledForeground] main | TESTNET · not connected | connection.off.test.saved ▸",
    ],
    [
      "production, off",
      { ...DESK, ...OFF },
      {},
      "[debug-disconnect disabledForeground] desk | PRODUCTION · not connected | connection.off.production.saved.readOnly ▸",
    ],
    [
      "connecting",
      { ...OFF, state: { status: "connecting", generation: 1 } },
      {},
      "[sync~spin] main | TESTNET · connecting… | connection.connecting.test.saved ▸",
    ],
    [
      "signing in",
      { ...OFF, state: { status: "authenticating", generation: 1 } },
      {},
      "[sync~spin] main | TESTNET · signing in… | connection.authenticating.test.saved ▸",
    ],
    [
      "silent",
      { state: { ...READY, isSuspect: true } },
      {},
      "[plug charts.green] main | TESTNET · not responding, checking… · 38 ms | connection.ready.test.saved ▸",
    ],
    [
      "waiting",
      { ...OFF, state: { status: "waiting", retryAtMs: NOON_MS + 8000, failure: REFUSED } },
      {},
      "[debug-disconnect problemsWarningIcon.foreground] main | TESTNET · next attempt in 8 s | connection.waiting.test.saved ▸",
    ],
    [
      "due",
      { ...OFF, state: { status: "waiting", retryAtMs: NOON_MS, failure: REFUSED } },
      {},
      "[debug-disconnect problemsWarningIcon.foreground] main | TESTNET · trying again… | connection.waiting.test.saved ▸",
    ],
    [
      "locked",
      { ...OFF, state: { status: "locked", failure: REFUSED } },
      {},
      "[error problemsErrorIcon.foreground] main | TESTNET · needs your input | connection.locked.test.saved ▸",
    ],
    [
      "without a key",
      PUBLIC,
      {},
      "[plug charts.green] public | TESTNET · ready · no API key · 38 ms | connection.ready.test.saved.noKey ▸",
    ],
    [
      "production, without a key",
      { ...PUBLIC, environment: "production" },
      {},
      "[lock] public | PRODUCTION · no API key · 38 ms | connection.ready.production.saved.noKey ▸",
    ],
    [
      "in other windows too",
      {},
      { otherWindowsOf: () => 2 },
      "[plug charts.green] main | TESTNET · ready · 38 ms · 3 windows | connection.ready.test.saved ▸",
    ],
    [
      "in this window alone",
      {},
      { otherWindowsOf: () => 0 },
      "[plug charts.green] main | TESTNET · ready · 38 ms | connection.ready.test.saved ▸",
    ],
    [
      "off, in two other windows",
      OFF,
      { otherWindowsOf: () => 2 },
      "[debug-disconnect disabledForeground] main | TESTNET · not connected · 2 windows | connection.off.test.saved ▸",
    ],
    [
      "the simulator before it runs",
      { ...OFF, environment: "simulator", record: simulatorRecord() },
      {},
      "[debug-disconnect disabledForeground] Simulator | SIMULATOR · not connected | connection.off.simulator.builtIn",
    ],
    [
      "the simulator",
      { environment: "simulator", record: simulatorRecord(), latencyMs: 0.4 },
      {},
      "[plug charts.green] Simulator | SIMULATOR · ready · <1 ms | connection.ready.simulator.builtIn ▸",
    ],
  ];
  for (const [name, members, more, expected] of cases) {
    test(name, () => {
      const tree = createConnectionsTree(() => view(connection(members), more));
      const [row] = tree.children(undefined);
      assert.equal(lineOf(row), expected);
      assert.deepEqual(tree.row(row!.id), row);
    });
  }

  test("with several open, the one that requests go to says so", () => {
    const rowsOf = (...all: readonly Connection[]): readonly string[] =>
      createConnectionsTree(() => view(connection(), { connections: all }))
        .children(undefined)
        .map(({ label, description, spoken }) => `${label} | ${description} | ${spoken}`);
    const active = connection({ isActive: true });
    assert.deepEqual(rowsOf(active, connection(DESK)), [
      "main | TESTNET · active · ready · 38 ms | main, active connection: TESTNET, ready, 38 ms",
      "desk | PRODUCTION · read-only · 38 ms | desk: PRODUCTION, read-only, 38 ms",
    ]);
    assert.deepEqual(
      rowsOf(active, connection({ ...DESK, ...OFF }))[0],
      "main | TESTNET · ready · 38 ms | main, active connection: TESTNET, ready, 38 ms",
    );
  });

  test("the name of a subaccount is text of the exchange", () => {
    const name = "[x](command:y)\u202E";
    const state = { ...READY, identity: { ...READY.identity, subject: { id: 102, name } } };
    const [row] = createConnectionsTree(() => view(connection({ state }))).children(undefined);
    assert.equal(row?.description, "TESTNET ▸ [x] (command:y)\\u202E · ready · 38 ms");
  });

  test("as it is heard", () => {
    const [row] = createConnectionsTree(() => view(connection({ isActive: true }))).children(undefined);
    assert.equal(row?.spoken, "main, active connection: TESTNET, ready, 38 ms");
  });
});

describe("how many windows of this computer use a key", () => {
  const LIMITS =
    "The exchange allows 32 connections per IP address and 16 sessions per API key. A window uses one session with its first request over HTTP. Other computers are not counted.";
  const said = (of: Connection, others: number, ...more: Connection[]): string => {
    const tree = createConnectionsTree(() => view(of, { connections: [of, ...more], otherWindowsOf: () => others }));
    const [row] = tree.children(`${of.record.id}/connection`).filter(({ id }) => id.endsWith("/windows"));
    return row === undefined
      ? ""
      : `${row.label} | ${row.description} | ${tree
          .tooltip(row.id)
          .map(({ value }) => value)
          .join(" ")}`;
  };
  const twin = connection({
    record: { ...connection().record, id: "sub", name: "sub" },
    state: { ...READY, identity: { ...READY.identity, subject: { id: 102, name: "sub_maker" } } },
  });

  test("here alone", () => {
    assert.equal(
      said(connection(), 0),
      `API key in use | this window only | No other window on this computer uses this API key. ${LIMITS}`,
    );
  });
  test("here and in others", () => {
    assert.equal(
      said(connection(), 1),
      `API key in use | 2 windows | 2 windows on this computer use this API key. ${LIMITS}`,
    );
  });
  test("not here, but in others", () => {
    assert.equal(
      said(connection(OFF), 1),
      `API key in use | another window | Another window on this computer uses this API key. ${LIMITS}`,
    );
    assert.equal(
      said(connection(OFF), 2),
      `API key in use | 2 windows | 2 windows on this computer use this API key. ${LIMITS}`,
    );
    assert.equal(said(connection(OFF), 0), "", "nowhere");
  });
  test("by another connection of this window with the same key, which is named with its account", () => {
    assert.equal(
      said(connection(), 0, twin),
      `API key in use | this window only | No other window on this computer uses this API key. In this window, the same API key is also used by TESTNET sub ▸ sub_maker. ${LIMITS}`,
    );
    const elsewhere = connection({ record: { ...twin.record, url: "wss://www.deribit.com/ws/api/v2" } });
    const otherKey = connection({ record: { ...twin.record, clientId: "XyZ" } });
    for (const other of [elsewhere, otherKey, { ...twin, ...OFF }])
      assert.doesNotMatch(said(connection(), 0, other), /same key/);
  });
  test("a connection without a key is counted as such; the built-in simulator is each window's own", () => {
    assert.equal(
      said(connection(PUBLIC), 1),
      "open in | 2 windows | 2 windows on this computer have this connection open. The exchange allows 32 connections per IP address. Other computers are not counted.",
    );
    assert.equal(said(connection({ environment: "simulator", record: simulatorRecord() }), 0), "");
  });
});

describe("what is known of a connection", () => {
  const facts = (members: Partial<Connection>): string[] => {
    const tree = createConnectionsTree(() => view(connection(members)));
    const rows = tree.children("main/connection");
    for (const row of rows) {
      assert.deepEqual(tree.row(row.id), row);
      assert.equal(tree.parentOf(row.id), "main/connection");
      assert.deepEqual(tree.children(row.id), []);
    }
    return rows.map((row) => `${row.icon?.name ?? ""} ${row.label} | ${row.description}`.trim());
  };

  test("signed in", () => {
    assert.deepEqual(facts({}), [
      "account | read",
      "trade | read_write",
      "block_trade | none",
      "block_rfq | none",
      "wallet | none",
      "scope | session:rpc",
      "session | 5 min old",
      "events | 12\u202F345",
      "server version | 1.2.26",
      "server | test.deribit.com",
      "client ID | AbC",
      "sign-in | with a signature",
    ]);
  });

  test("with a private key", () => {
    const row = facts({ record: { ...connection().record, grant: "private_key" } }).at(-1);
    assert.equal(row, "sign-in | with a private key");
  });

  test("without a key", () => {
    const identity = { ...READY.identity, authentication: "none" as const, scope: "", serverVersion: undefined };
    assert.deepEqual(
      facts({ state: { ...READY, identity }, record: { ...connection().record, grant: "none", clientId: "" } }),
      [
        "scope | public methods only (no API key)",
        "session | 5 min old",
        "events | 12\u202F345",
        "server | test.deribit.com",
        "sign-in | none (public methods only)",
      ],
    );
  });

  test("in trouble", () => {
    assert.deepEqual(
      facts({
        ...OFF,
        state: { status: "waiting", retryAtMs: 0, failure: REFUSED },
        lastFailure: { failure: REFUSED, atMs: NOON_MS },
      }),
      [
        "server | test.deribit.com",
        "client ID | AbC",
        "sign-in | with a signature",
        "warning problem | Connection refused by test.deribit.com (connect ECONNREFUSED 127.0.0.1:8765) · 13:00:00",
      ],
    );
    const refused = { kind: "exchange", code: 13_004, message: "invalid_credentials" } as const;
    assert.equal(
      facts({
        ...OFF,
        state: { status: "locked", failure: refused },
        lastFailure: { failure: refused, atMs: NOON_MS },
      }).at(-1),
      "warning problem | error 13004 invalid_credentials · 13:00:00",
    );
  });

  test("after an outage, and where the server contradicts the declaration", () => {
    const shown = facts({
      contradiction: plain`It counts as PRODUCTION.`,
      lastFailure: { failure: REFUSED, atMs: NOON_MS },
    });
    assert.equal(shown[0], "warning environment | It counts as PRODUCTION.");
    assert.equal(
      shown.at(-1),
      "last outage | Connection refused by test.deribit.com (connect ECONNREFUSED 127.0.0.1:8765) · 13:00:00",
    );
  });

  test("tooltips have what rows have no room for", () => {
    const tree = createConnectionsTree(() =>
      view(
        connection({
          contradiction: plain`It counts as PRODUCTION.`,
          lastFailure: { failure: REFUSED, atMs: NOON_MS },
        }),
      ),
    );
    assert.deepEqual(textOf(tree.tooltip("main/connection")), [
      "It counts as PRODUCTION.",
      "account = read. Without account:read_write: no changing, enabling or disabling API keys.",
      "trade = read_write",
      "block_trade = none. Without block_trade:read: no block trades. Without block_trade:read_write: no executing or approving block trades.",
      "block_rfq = none. Without block_rfq:read: no Block RFQs, their quotes, or MMP for quotes. Without block_rfq:read_write: no cancelling or placing Block RFQ quotes, setting or resetting their MMP.",
      "wallet = none. Without wallet:read: no deposits, withdrawals or transfers. Without wallet:read_write: no withdrawing or transferring.",
      "scope = session:rpc. The access token belongs to a session with this name.",
      "session = 5 min old, since 2026-11-20 12:55:00.000 GMT+1",
      "events = 12\u202F345",
      "server version = 1.2.26",
      "server = wss:\\/\\/test.deribit.com/ws/api/v2",
      "client ID = AbC",
      "sign-in = with a signature (the client secret is not sent)",
      "last outage = 2026-11-20 13:00:00.000 GMT+1 Connection refused by test.deribit.com (connect ECONNREFUSED 127.0.0.1:8765). Check the port in the address, and that the server is running.",
    ]);
    assert.deepEqual(textOf(tree.tooltip("main/connection/clientId")), ["client ID = AbC"]);
  });

  test("a connection that is gone has no rows", () => {
    const tree = createConnectionsTree(() => view(connection()));
    for (const id of ["gone/connection", "gone/connection/server", "main/connection/nothing"]) {
      assert.equal(tree.row(id), undefined);
      assert.deepEqual(tree.children(id), []);
      assert.deepEqual(tree.tooltip(id), []);
    }
  });
});

describe("the status bar", () => {
  const cases: readonly [string, Partial<StatusBarView>, string][] = [
    ["nothing chosen", { active: undefined }, "$(debug-disconnect) Not connected (none)"],
    ["off", { active: connection(OFF) }, "$(debug-disconnect) Not connected (none)"],
    [
      "the simulator",
      { active: connection({ environment: "simulator", record: simulatorRecord() }) },
      "$(plug) SIMULATOR (none)",
    ],
    ["test", {}, "$(plug) TESTNET main (none)"],
    ["production", { active: connection(DESK) }, "$(lock) PRODUCTION desk (error)"],
    [
      "production, changes allowed",
      { active: connection(DESK), changesAllowedUntilMs: NOON_MS + 28 * 60_000 },
      "$(unlock) PRODUCTION desk · changes: 28 min left (error)",
    ],
    [
      "production, cancels allowed",
      { active: connection(DESK), cancelsAllowedUntilMs: NOON_MS + 28 * 60_000 },
      "$(unlock) PRODUCTION desk · cancels: 28 min left (error)",
    ],
    [
      "production, the last moments",
      { active: connection(DESK), changesAllowedUntilMs: NOON_MS + 300 },
      "$(unlock) PRODUCTION desk · changes: 1 s left (error)",
    ],
    [
      "production, trying again",
      { active: connection({ ...DESK, state: { status: "waiting", retryAtMs: 0, failure: REFUSED } }) },
      "$(debug-disconnect) PRODUCTION desk · trying again (error)",
    ],
    [
      "production without a key, on which there is nothing to change",
      { active: connection({ ...DESK, record: { ...connection(DESK).record, grant: "none" } }) },
      "$(plug) PRODUCTION desk (none)",
    ],
    [
      "test, trading allowed",
      { trading: { largestOrderUsd: 100, totalUsd: 1000, usedUsd: 0 } },
      "$(plug) TESTNET main · trading allowed (warning)",
    ],
    [
      "changes allowed before it was lost",
      { active: connection({ ...DESK, ...OFF }), changesAllowedUntilMs: NOON_MS + 28 * 60_000 },
      "$(debug-disconnect) Not connected (none)",
    ],
    [
      "connecting",
      { active: connection({ ...OFF, state: { status: "connecting", generation: 1 } }) },
      "$(sync~spin) TESTNET main (none)",
    ],
    [
      "waiting",
      { active: connection({ ...OFF, state: { status: "waiting", retryAtMs: 0, failure: REFUSED } }) },
      "$(debug-disconnect) TESTNET main · trying again (none)",
    ],
    [
      "locked",
      { active: connection({ ...OFF, state: { status: "locked", failure: REFUSED } }) },
      "$(error) TESTNET main · needs your input (none)",
    ],
    ["one unknown outcome", { unknownOutcomes: 1 }, "$(question) 1 outcome unknown · TESTNET main (error)"],
    [
      "several unknown outcomes, not connected",
      { unknownOutcomes: 2, active: undefined },
      "$(question) 2 outcomes unknown (error)",
    ],
    [
      "a name that would forge an icon",
      { active: connection({ record: { ...connection().record, name: "$(lock) x" } }) },
      "$(plug) TESTNET $ (lock) x (none)",
    ],
  ];
  const item = (members: Partial<StatusBarView>): ReturnType<typeof statusBarItem> =>
    statusBarItem({
      active: connection(),
      changesAllowedUntilMs: undefined,
      unknownOutcomes: 0,
      nowMs: NOON_MS,
      times: BERLIN,
      ...members,
    });
  for (const [name, members, expected] of cases) {
    test(name, () => {
      const { text, background } = item(members);
      assert.equal(`${text} (${background})`, expected);
    });
  }

  test("heard without icons", () => {
    assert.equal(item({}).spoken, "Trading RPC: TESTNET main, ready");
    assert.equal(item({ active: connection(DESK) }).spoken, "Trading RPC: PRODUCTION desk, read-only");
  });

  test("tooltips", () => {
    assert.deepEqual(textOf(item({}).tooltip), ["TESTNET main: ready", "network = 38 ms", "session = 5 min old"]);
    assert.deepEqual(textOf(item({ active: undefined, unknownOutcomes: 1 }).tooltip), [
      "The outcome of a change that was sent is unknown. Open Activity to review it and check again.",
      "No connection is selected. Click to connect.",
    ]);
    assert.deepEqual(
      textOf(
        item({
          active: connection({ ...DESK, contradiction: plain`It counts as PRODUCTION.` }),
          changesAllowedUntilMs: NOON_MS + 60_000,
        }).tooltip,
      ).slice(0, 3),
      ["PRODUCTION desk: ready", "It counts as PRODUCTION.", "Changes are allowed until 13:01:00."],
    );
    assert.deepEqual(
      textOf(item({ active: connection(DESK), cancelsAllowedUntilMs: NOON_MS + 60_000 }).tooltip).slice(0, 2),
      ["PRODUCTION desk: ready", "Only cancels are allowed until 13:01:00. Other changes are refused."],
    );
    assert.equal(
      textOf(item({ active: connection(DESK) }).tooltip)[1],
      "Read-only: changes are refused until you allow them.",
    );
    assert.deepEqual(
      textOf(
        item({
          active: connection({
            ...OFF,
            state: { status: "locked", failure: REFUSED },
            lastFailure: { failure: REFUSED, atMs: NOON_MS },
          }),
        }).tooltip,
      ),
      [
        "TESTNET main: needs your input",
        "Connection refused by test.deribit.com (connect ECONNREFUSED 127.0.0.1:8765). Check the port in the address, and that the server is running.",
      ],
    );
  });
});
