import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readFileSync } from "node:fs";
import { plain } from "../../../../src/base/plain.ts";
import { createConnectionsTree } from "../../../../src/present/connections/connections.ts";
import { budgetLines } from "../../../../src/present/connections/rateBudget.ts";
import { disconnectWords, tiedQuestion } from "../../../../src/present/connections/disconnectRisk.ts";
import { allowanceEndText } from "../../../../src/present/connections/connectionWords.ts";
import {
  STATUS_BAR_COMMANDS,
  statusBarItem,
  type OtherConnection,
  type StatusBarItem,
  type StatusBarView,
} from "../../../../src/present/connections/statusBar.ts";
import { createLimiter } from "../../../../src/session/limiter.ts";
import type { Connection } from "../../../../src/state/connections.ts";
import { createFakeClock } from "../../../fakeClock.ts";
import { BERLIN, NOON_MS, textOf } from "../samples.ts";

const MINUTE_MS = 60_000;

function connection(
  name: string,
  environment: Connection["environment"],
  members: Partial<Connection> = {},
): Connection {
  return {
    record: {
      id: name,
      name,
      declared: environment,
      url: "wss://test.example/ws/api/v2",
      grant: "client_signature",
      clientId: "AbC",
    },
    isActive: false,
    state: {
      status: "ready",
      generation: 1,
      isSuspect: false,
      sinceMs: NOON_MS - 5 * MINUTE_MS,
      identity: { authentication: "key", clientId: "AbC", scope: "", testnet: true, serverVersion: undefined },
    },
    environment,
    contradiction: undefined,
    latencyMs: 38.4,
    eventCount: 0,
    httpState: undefined,
    lastFailure: undefined,
    ...members,
  };
}

const MAIN = connection("main", "test");
const DESK = connection("desk", "production");
const KEYLESS = { ...DESK, record: { ...DESK.record, grant: "none" as const, clientId: "" } };

function tied(count: number, to = MAIN): Connection {
  return { ...to, cancelOnDisconnect: { isOn: true, placedOrders: count } };
}

function other(of: Connection, changesAllowedUntilMs?: number): OtherConnection {
  return { connection: of, changesAllowedUntilMs };
}

function item(members: Partial<StatusBarView>): StatusBarItem {
  return statusBarItem({
    active: MAIN,
    changesAllowedUntilMs: undefined,
    unknownOutcomes: 0,
    nowMs: NOON_MS,
    times: BERLIN,
    ...members,
  });
}

const LIMITS = { largestOrderUsd: 1000, totalUsd: 5000, usedUsd: 990.5 };

describe("the status bar with several connections", () => {
  const soon = NOON_MS + 12 * MINUTE_MS;
  const cases: readonly (readonly [string, Partial<StatusBarView>, string, string])[] = [
    ["another one, read-only", { others: [other(DESK)] }, "$(plug) TESTNET main (none)", "TESTNET main, ready"],
    [
      "production that takes changes is never out of sight",
      { others: [other(DESK, soon)] },
      "$(unlock) TESTNET main · PRODUCTION desk changes: 12 min left (warning)",
      "TESTNET main, ready, PRODUCTION desk changes: 12 min left",
    ],
    [
      "nor where nothing active is connected",
      { active: undefined, others: [other(DESK, soon)] },
      "$(unlock) Not connected · PRODUCTION desk changes: 12 min left (warning)",
      "Not connected, PRODUCTION desk changes: 12 min left",
    ],
    ["its time is over", { others: [other(DESK, NOON_MS)] }, "$(plug) TESTNET main (none)", "TESTNET main, ready"],
    [
      "cancels alone",
      {
        active: DESK,
        cancelsAllowedUntilMs: soon,
        others: [{ ...other(connection("other", "production")), cancelsAllowedUntilMs: NOON_MS + 45_000 }],
      },
      "$(unlock) PRODUCTION desk · cancels: 12 min left · PRODUCTION other cancels: 45 s left (error)",
      "PRODUCTION desk, only cancels are allowed for 12 min, PRODUCTION other cancels: 45 s left",
    ],
    [
      "each by itself",
      {
        active: DESK,
        changesAllowedUntilMs: soon,
        others: [other(connection("other", "production"), NOON_MS + 45_000)],
      },
      "$(unlock) PRODUCTION desk · changes: 12 min left · PRODUCTION other changes: 45 s left (error)",
      "PRODUCTION desk, changes are allowed for 12 min, PRODUCTION other changes: 45 s left",
    ],
    [
      "an unknown outcome before all of it",
      { unknownOutcomes: 1, others: [other(DESK, soon)] },
      "$(question) 1 outcome unknown · TESTNET main · PRODUCTION desk changes: 12 min left (error)",
      "1 outcome unknown · TESTNET main · PRODUCTION desk changes: 12 min left",
    ],
    [
      "production without a key has nothing to allow",
      { active: KEYLESS },
      "$(plug) PRODUCTION desk (none)",
      "PRODUCTION desk, ready",
    ],
    [
      "an order that ends with the window",
      { active: tied(1) },
      "$(plug) TESTNET main · closing this window cancels 1 order (none)",
      "TESTNET main, ready, closing this window cancels 1 order",
    ],
    [
      "orders of all connections",
      { active: tied(1), others: [other(tied(2, DESK))] },
      "$(plug) TESTNET main · closing this window cancels 3 orders (none)",
      "TESTNET main, ready, closing this window cancels 3 orders",
    ],
    [
      "placed, but they stay",
      { active: { ...MAIN, cancelOnDisconnect: { isOn: false, placedOrders: 3 } } },
      "$(plug) TESTNET main (none)",
      "TESTNET main, ready",
    ],
    [
      "placed, state of COD unknown",
      { active: { ...MAIN, cancelOnDisconnect: { isOn: undefined, placedOrders: 3 } } },
      "$(plug) TESTNET main (none)",
      "TESTNET main, ready",
    ],
  ];
  for (const [name, members, text, spoken] of cases) {
    test(name, () => {
      const shown = item(members);
      assert.deepEqual([`${shown.text} (${shown.background})`, shown.spoken], [text, `Trading RPC: ${spoken}`]);
    });
  }

  test("what a background says is in the text, too: the theme Dark High Contrast has no backgrounds", () => {
    const statuses = ["connecting", "authenticating", "waiting", "locked", "ready"] as const;
    const stateOf = (of: Connection, status: (typeof statuses)[number]): Connection =>
      ({ ...of, state: { ...of.state, status, failure: { kind: "timeout", timeoutMs: 1 } } }) as Connection;
    for (const status of statuses) {
      const money = item({ active: stateOf(DESK, status) });
      assert.deepEqual([money.background, /PRODUCTION desk/.test(money.text)], ["error", true], status);
      const trading = item({ active: stateOf(MAIN, status), trading: LIMITS });
      assert.deepEqual([trading.background, /trading allowed/.test(trading.text)], ["warning", true], status);
      assert.match(trading.spoken, /trading allowed/);
    }
    assert.deepEqual([item({}).background, item({}).text], ["none", "$(plug) TESTNET main"]);
    assert.match(item({ active: DESK }).text, /^\$\(lock\) /);
    assert.match(item({ unknownOutcomes: 2 }).text, /^\$\(question\) 2 outcomes unknown/);
  });

  test("the tooltip says that trading is allowed, how large an order may be, and what is used and left of the total", () => {
    const told = (members: Partial<StatusBarView>): string => textOf(item(members).tooltip).join("\n");
    assert.match(
      told({ trading: LIMITS }),
      /^Trading is allowed: orders up to 1000 USD, 990\.5 of 5000 USD used, 4009\.5 USD left\.$/m,
    );
    assert.match(
      told({ active: DESK, trading: LIMITS }),
      /^Read-only: .*\nTrading is allowed: orders up to 1000 USD, /m,
    );
    for (const trading of [undefined, { largestOrderUsd: Infinity, totalUsd: Infinity, usedUsd: 0 }])
      assert.doesNotMatch(told({ trading }), /Trading is allowed/);
  });

  test("the tooltip names each of them, and what ends orders", () => {
    const lines = textOf(
      item({
        active: tied(2),
        others: [
          other(DESK, soon),
          other({ ...connection("far", "test"), state: { status: "connecting", generation: 1 } }),
        ],
      }).tooltip,
    );
    assert.deepEqual(lines.slice(0, 4), [
      "TESTNET main: ready",
      "Cancel-on-disconnect (COD) is on for TESTNET main. When its connection ends, the exchange cancels 2 orders placed from this window. The connection ends on Disconnect, when this window is reloaded or closed, and when the network fails.",
      "Also open: PRODUCTION desk, ready. Changes are allowed for 12 min.",
      "Also open: TESTNET far, connecting…",
    ]);
    assert.ok(textOf(item({ active: KEYLESS }).tooltip).includes("No API key: public methods only."));
    assert.ok(
      textOf(item({ confirmCancel: "productionOnly" }).tooltip).includes(
        "Your settings allow cancelling a single order here without confirmation.",
      ),
    );
    for (const each of [item({ confirmCancel: "always" }), item({ active: DESK, confirmCancel: "productionOnly" })])
      assert.equal(textOf(each.tooltip).join().includes("without confirmation"), false);
  });
});

describe("time and limits in the tooltip", () => {
  const timing = { receivedAtMs: NOON_MS, totalMs: 43, queuedMs: 3, exchangeMs: 2 };

  test("where the time of the latest call went", () => {
    assert.deepEqual(textOf(item({ pace: { timing, budgets: [] } }).tooltip).slice(1), [
      "network = 38 ms",
      "exchange = 2 ms",
      "queue = 3 ms",
      "session = 5 min old",
    ]);
    assert.deepEqual(
      textOf(item({ pace: { timing: { ...timing, exchangeMs: undefined }, budgets: [] } }).tooltip).slice(1, 3),
      ["exchange and network = 40 ms", "queue = 3 ms"],
      "a server that does not tell its share",
    );
    assert.deepEqual(textOf(item({ pace: { timing: undefined, budgets: [] } }).tooltip).slice(1), [
      "network = 38 ms",
      "session = 5 min old",
    ]);
  });

  test("what each lane has left, from the limiter as it is", () => {
    const limiter = createLimiter(createFakeClock(), "exchange");
    assert.deepEqual(textOf(budgetLines(limiter.budgets)), [
      "calls: changes = 90 of 90 left",
      "calls: requests = 80 of 80 left",
      "calls: views = 70 of 70 left",
    ]);
    for (let each = 0; each < 72; each++) void limiter.acquire("default", "view");
    for (let each = 0; each < 3; each++) void limiter.acquire("matching", "userWrite");
    void limiter.acquire("subscribe", "view");
    assert.deepEqual(textOf(budgetLines(limiter.budgets)), [
      "calls: changes = 20 of 90 left",
      "calls: requests = 10 of 80 left",
      "calls: views = 0 of 70 left, 2 waiting",
      "orders and cancels = 15 of 18 left",
      "subscriptions = 6 of 7 left",
    ]);
    assert.deepEqual(budgetLines([]), [], "limits that are lifted");
  });

  test("nothing of it is said where there is no session", () => {
    const off = { ...MAIN, state: { status: "off" as const }, latencyMs: undefined };
    assert.deepEqual(
      textOf(
        item({ active: off, pace: { timing, budgets: createLimiter(createFakeClock(), "exchange").budgets } }).tooltip,
      ),
      ["TESTNET main: not connected"],
    );
  });
});

describe("the links of the tooltip", () => {
  const linksOf = (members: Partial<StatusBarView>): string =>
    item(members)
      .links.map(({ title, command }) => `${title} ${command.replace("tradingRpc.", "")}`)
      .join(", ");
  const cases: readonly (readonly [string, Partial<StatusBarView>, string])[] = [
    ["nothing open", { active: undefined }, "Connect… connection.connect, Show Log log.show"],
    ["test", {}, "Show Connections connections.focus, Disconnect connection.disconnect, Show Log log.show"],
    [
      "production",
      { active: DESK },
      "Allow Changes… connection.allowChanges, Show Connections connections.focus, Disconnect connection.disconnect, Show Log log.show",
    ],
    [
      "production that takes cancels alone",
      { active: DESK, cancelsAllowedUntilMs: NOON_MS + MINUTE_MS },
      "Allow Changes… connection.allowChanges, Disallow Changes connection.makeReadOnly, Show Connections connections.focus, Disconnect connection.disconnect, Show Log log.show",
    ],
    [
      "production that takes changes",
      { active: DESK, changesAllowedUntilMs: NOON_MS + MINUTE_MS },
      "Disallow Changes connection.makeReadOnly, Show Connections connections.focus, Disconnect connection.disconnect, Show Log log.show",
    ],
    [
      "test where trading is allowed",
      { trading: LIMITS },
      "Disallow Trading connection.disallowTrading, Show Connections connections.focus, Disconnect connection.disconnect, Show Log log.show",
    ],
    [
      "production without a key",
      { active: KEYLESS },
      "Show Connections connections.focus, Disconnect connection.disconnect, Show Log log.show",
    ],
    [
      "an unknown outcome",
      { active: undefined, unknownOutcomes: 1 },
      "Show Activity activity.focus, Connect… connection.connect, Show Log log.show",
    ],
  ];
  for (const [name, members, expected] of cases) test(name, () => assert.equal(linksOf(members), expected));

  test("each is a command of ours, and none of them changes anything without asking", () => {
    const { contributes } = JSON.parse(readFileSync("package.json", "utf8")) as {
      readonly contributes: {
        readonly commands: readonly { readonly command: string }[];
        readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
      };
    };
    const known = new Set([
      ...contributes.commands.map(({ command }) => command),
      ...Object.values(contributes.views).flatMap((views) => views.map(({ id }) => `${id}.focus`)),
    ]);
    const found = STATUS_BAR_COMMANDS.filter((command) => !known.has(command));
    assert.deepEqual(found, []);
    assert.deepEqual(
      STATUS_BAR_COMMANDS.filter((command) => /cancel|send|edit|reset|clear|forget|set/i.test(command)),
      [],
    );
  });
});

describe("words on what ends", () => {
  test("cancel-on-disconnect of a connection", () => {
    const values = [
      [true, 0],
      [true, 1],
      [true, 2],
      [false, 2],
      [undefined, 2],
    ].map(
      ([isOn, placedOrders]) =>
        disconnectWords({ isOn: isOn as boolean | undefined, placedOrders: Number(placedOrders) }).value,
    );
    assert.deepEqual(values, ["on", "on · 1 order", "on · 2 orders", "off", "unknown"]);
    assert.match(
      disconnectWords({ isOn: true, placedOrders: 2 }).long,
      /cancels the open orders placed over it \(currently 2\)/,
    );
    assert.equal(
      tiedQuestion({ place: plain`PRODUCTION desk`, count: 1 }).message,
      "Disconnect PRODUCTION desk and cancel 1 order?",
    );
    assert.equal(
      tiedQuestion({ place: plain`PRODUCTION desk`, count: 2 }).message,
      "Disconnect PRODUCTION desk and cancel 2 orders?",
    );
  });

  test("are shown below the connection, marked while an order is tied to it; not without a sign-in", () => {
    const factOf = (of: Connection): string => {
      const tree = createConnectionsTree(() => ({
        connections: [of],
        changesAllowedUntilMs: new Map(),
        nowMs: NOON_MS,
        times: BERLIN,
      }));
      const row = tree.children(`${of.record.id}/connection`).find(({ id }) => id.endsWith("/disconnect"));
      return row === undefined ? "none" : `${row.icon?.name ?? "-"} ${row.label} ${row.description}`;
    };
    const withKnown = (isOn: boolean | undefined, placedOrders: number): Connection => ({
      ...MAIN,
      cancelOnDisconnect: { isOn, placedOrders },
    });
    assert.equal(factOf(withKnown(true, 2)), "warning cancel-on-disconnect (COD) on · 2 orders");
    assert.equal(factOf(withKnown(true, 0)), "- cancel-on-disconnect (COD) on");
    assert.equal(factOf(withKnown(false, 2)), "- cancel-on-disconnect (COD) off");
    assert.equal(factOf(withKnown(undefined, 0)), "- cancel-on-disconnect (COD) unknown");
    const { state } = MAIN;
    assert.ok(state.status === "ready");
    assert.equal(
      factOf({
        ...withKnown(undefined, 0),
        state: { ...state, identity: { ...state.identity, authentication: "none" } },
      }),
      "none",
    );
    assert.equal(factOf(MAIN), "none");
  });

  test("the end of the time for changes", () => {
    assert.equal(
      allowanceEndText(plain`PRODUCTION desk`, true),
      "PRODUCTION desk is read-only again because the time for changes has expired.",
    );
    assert.equal(allowanceEndText(plain`PRODUCTION desk`, false), "PRODUCTION desk is read-only again.");
  });
});
