import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { RecordedIntent } from "../../../../src/actions/journal/recordedIntents.ts";
import { logOf, silentLog, type LogLine } from "../../../../src/base/log.ts";
import { plain, type Plain } from "../../../../src/base/plain.ts";
import { supportFileText, type SupportSource } from "../../../../src/present/observing/supportFile.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import type { Connection } from "../../../../src/state/connections.ts";
import { createMaskingLog } from "../../../../src/ui/editor/log.ts";
import { accountNames } from "../../../../src/ui/tree/screen.ts";
import { createWorld } from "../../../world.ts";
import { asPlain } from "../../../asPlain.ts";

const TIMES = createTimes(0);

const AT = Date.UTC(2026, 10, 20, 12, 4, 7);

interface Parts {
  readonly connections: readonly Record<string, unknown>[];
  readonly settings: readonly string[];
  readonly changes: Record<string, unknown>;
  readonly lastFailures: readonly string[];
  readonly log: readonly string[];
}

const parsed = (text: string): Parts => JSON.parse(text) as Parts;

const line = (text: Plain, more: Partial<LogLine> = {}): LogLine => ({ atMs: AT, level: "info", text, ...more });

function connection(more: Partial<Connection["record"]> = {}, rest: Partial<Connection> = {}): Connection {
  const record = {
    id: "c1",
    name: "desk",
    declared: "production" as const,
    url: "wss://gateway.canary.example:8443/ws",
    grant: "client_signature" as const,
    clientId: "canary-client",
    ...more,
  };
  return {
    record,
    isActive: true,
    state: { status: "off" },
    environment: "production",
    contradiction: undefined,
    latencyMs: undefined,
    eventCount: 0,
    httpState: undefined,
    lastFailure: undefined,
    ...rest,
  };
}

function source(more: Partial<SupportSource> = {}): SupportSource {
  return {
    atMs: AT,
    versions: { extension: "0.1.0", editor: "1.101.0", isTrusted: true },
    settings: [],
    connections: [{ connection: connection(), live: undefined, counts: {} }],
    intents: [],
    log: [],
    hide: (text) => text.replaceAll("canary-secret", "•••"),
    names: ["desk", "canary-client", "sub_maker"],
    areHostsShown: false,
    areFiguresShown: false,
    times: TIMES,
    ...more,
  };
}

const logged = (text: Plain, more: Partial<SupportSource> = {}): string =>
  (parsed(supportFileText(source({ log: [line(text)], ...more }))).log[0] ?? "").replace(
    "2026-11-20 12:04:07.000 UTC info ",
    "",
  );

describe("a line of the log in a support file", () => {
  const cases: readonly [string, string][] = [
    [
      "[desk] Connected to wss://gateway.canary.example:8443, generation 3",
      "[connection 1] Connected to •••, generation 3",
    ],
    [
      "[desk] Connected to wss:\\/\\/gateway.canary.example:8443, generation 3",
      "[connection 1] Connected to •••, generation 3",
    ],
    ["[forgotten one] No connection", "[•••] No connection"],
    ["Connected to wss://www.deribit.com, generation 4", "Connected to wss://www.deribit.com, generation 4"],
    ["getaddrinfo ENOTFOUND other.canary.example", "getaddrinfo ENOTFOUND •••"],
    ["connect ECONNREFUSED 10.1.2.3:443", "connect ECONNREFUSED •••"],
    ["the peer at 10.1.2.3 and fe80:0:0:0:1:2:3:4", "the peer at ••• and •••"],
    [
      "Host: other.canary.example. is not in the cert's altnames: DNS:third.canary.example",
      "Host: ••• is not in the cert's altnames: DNS:•••",
    ],
    ["ENOENT: open '/home/jane.doe/.config/journal'", "ENOENT: open '/home/•••/.config/journal'"],
    ["C:\\Users\\jane\\AppData", "C:\\Users\\•••\\AppData"],
    [
      "Cancel buy 40 ETH-PERPETUAL @ 2100 on PRODUCTION desk ▸ sub_maker: cancelled",
      "Cancel buy ••• ETH-PERPETUAL @ ••• on PRODUCTION ••• ▸ •••: cancelled",
    ],
    ["order ETH-349280 of account 10237: canary-secret", "order ••• of account •••: •••"],
    ["intent a1-7: private/cancel unknown timeout", "intent a1-7: private/cancel unknown timeout"],
    [
      'No connection ({"kind":"exchange","code":10028,"message":"x"}); next attempt in 1500 ms',
      'No connection ({"kind":"exchange","code":10028,"message":"x"}); next attempt in 1500 ms',
    ],
  ];
  for (const [text, shown] of cases) test(JSON.stringify(text), () => assert.equal(logged(asPlain(text)), shown));

  test("hosts and figures are shown where the person wants that; names, homes and secrets are not", () => {
    const text = "[desk] buy 40 at wss://gateway.canary.example:8443 for sub_maker, /home/jane/x, canary-secret";
    assert.equal(
      logged(plain`${text}`, { areHostsShown: true, areFiguresShown: true }),
      "[connection 1] buy 40 at wss://gateway.canary.example:8443 for •••, /home/•••/x, •••",
    );
    assert.equal(
      logged(plain`${text}`, { areFiguresShown: true }),
      "[connection 1] buy 40 at ••• for •••, /home/•••/x, •••",
    );
  });
});

describe("a support file", () => {
  test("connections are numbered, with what they are and how they are; a gateway's host only when it is wanted", () => {
    const failure = { kind: "cannotConnect", trouble: "dns", detail: "ENOTFOUND gateway.canary.example" } as const;
    const waiting = connection(
      {},
      { state: { status: "waiting", retryAtMs: AT, failure }, lastFailure: { failure, atMs: AT } },
    );
    const testnet = connection(
      { id: "c2", name: "t", declared: "test", url: "wss://test.deribit.com/ws/api/v2", clientId: "" },
      { environment: "test", isActive: false },
    );
    const given = {
      connections: [waiting, testnet].map((each) => ({ connection: each, live: undefined, counts: {} })),
    };
    const [first, second] = parsed(supportFileText(source(given))).connections;
    assert.deepEqual(first, {
      ...{
        number: 1,
        environment: "production",
        declared: "production",
        kind: "custom",
        host: "•••",
        way: "webSocket",
        signIn: "client_signature",
        isActive: true,
        state: "waiting",
      },
      ...{
        failure: "cannotConnect dns",
        lastFailure: "2026-11-20 12:04:07.000 UTC cannotConnect dns",
        events: 0,
        rows: {},
        limits: [],
        traffic: [],
      },
    });
    assert.deepEqual([second?.["kind"], second?.["host"], second?.["state"]], ["testnet", "test.deribit.com", "off"]);
    assert.deepEqual(
      parsed(supportFileText(source({ ...given, areHostsShown: true }))).connections.map(({ host }) => host),
      ["gateway.canary.example:8443", "test.deribit.com"],
    );
  });

  test("settings that were changed, and where; changes as numbers; failures by kind and code alone", () => {
    const intent: RecordedIntent = {
      ...{
        id: "a1-1",
        connectionId: "c1",
        method: "private/cancel",
        paramsText: '{"order_id":"canary-order"}',
        writtenAtMs: AT,
        sentAtMs: AT,
        wireId: 7,
        verdicts: [{ kind: "unverified", atMs: AT, reason: "canary-reason" }],
        isSetAside: false,
        holder: "here",
        isKept: true,
      },
      note: {
        askedAtMs: AT,
        connectionName: "desk",
        environment: "production",
        identity: "canary-identity",
        action: "Cancel Order",
        target: "canary-target",
      },
      outcome: {
        kind: "unknown",
        atMs: AT,
        failure: { kind: "exchange", code: 13888, message: "canary-message" },
        state: undefined,
        count: undefined,
      },
    };
    const text = supportFileText(
      source({
        intents: [
          intent,
          {
            ...intent,
            id: "a1-2",
            connectionId: "gone",
            verdicts: [],
            outcome: { kind: "confirmed", atMs: AT, failure: undefined, state: undefined, count: undefined },
          },
        ],
        settings: [{ name: "tradingRpc.orders.pageSize", value: 50, from: "workspace" }],
      }),
    );
    assert.doesNotMatch(text, /canary/);
    const { settings, changes, lastFailures } = parsed(text);
    assert.deepEqual(settings, ["tradingRpc.orders.pageSize = 50 (workspace)"]);
    assert.deepEqual(changes, { recorded: 2, unresolved: 1, byOutcome: { unknown: 1, confirmed: 1 } });
    assert.deepEqual(lastFailures, [
      "2026-11-20 12:04:07.000 UTC connection 1: change private/cancel unknown, then unverified (error 13888 timed_out)",
    ]);
  });

  test("of a live connection to the simulator: states, limits, the newest traffic without a text, and nothing that says who", async () => {
    const world = createWorld({
      orders: 3,
      clientId: "canary-client-id",
      clientSecret: "canary-secret-4711",
      clientLimits: "exchange",
    });
    await world.connect();
    const control = world.exchange.control;
    control.setFault({
      method: "private/get_open_orders",
      effect: "skipped",
      response: { code: 13888, message: "timed_out canary-secret-4711" },
    });
    void world.live.orders.refresh();
    await world.clock.advance(1000);
    const log = createMaskingLog({ ...silentLog }, () => world.clock.now());
    const named = logOf(log, "lab");
    for (const text of world.logged) {
      if (/^[→←]/.test(text)) named.trace(text);
      else named.info(text);
    }
    log.mask("canary-secret-4711");
    const { state } = world.live;
    assert.ok(state.status === "ready");
    const own: Connection = {
      ...connection({ id: "c9", name: "lab", declared: "test", clientId: world.exchange.clientId }),
      state,
    };
    // The simulator's own key has the name of what its server is.
    const names = [...accountNames({ list: [own] }, { all: [world.live] }), String(state.identity.userId ?? "")].filter(
      (each) => each !== "simulator",
    );
    const text = supportFileText(
      source({
        connections: [{ connection: own, live: world.live, counts: { orders: 3 } }],
        log: log.recent,
        hide: (each) => log.hide(each),
        names,
      }),
    );
    const [shown] = parsed(text).connections;
    const traffic = shown?.["traffic"] as readonly string[];
    assert.ok(
      traffic.some((each) =>
        /answered: public\/auth by session over webSocket · wire \d+ · \d+ ms \(exchange \d+, queue 0\) · sent \d+, received \d+$/.test(
          each,
        ),
      ),
      traffic.join("\n"),
    );
    assert.ok(
      parsed(text).lastFailures.some((each) =>
        each.includes("error (error 13888 timed_out): private/get_open_orders by view over webSocket · wire "),
      ),
      parsed(text).lastFailures.join("\n"),
    );
    assert.match(JSON.stringify(shown?.["limits"]), /default: userWrite \d+ of \d+ left, 0 waiting/);
    const tokens = world
      .frames("private/get_open_orders")
      .flatMap(
        (frame) =>
          (JSON.parse(frame) as { readonly params: { readonly access_token?: string } }).params.access_token ?? [],
      );
    const orders = control.openOrders().map(({ order_id: id }) => id);
    assert.ok(tokens.length > 0 && orders.length > 0 && names.length > 2);
    for (const secret of ["canary-secret", world.exchange.clientId, ...tokens, ...orders])
      assert.equal(text.includes(secret), false, secret);
    for (const name of names.filter((each) => each !== ""))
      assert.equal(text.split(/[^\p{L}\p{N}_-]/u).includes(name), false, name);
    // Traces hold what was sent and received: they are no part of it.
    assert.doesNotMatch(text, /jsonrpc/);
    world.live.dispose();
  });
});
