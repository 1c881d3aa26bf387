import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { SIMULATOR_VERSION } from "../../../src/simulator/methods/sessionMethods.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { createSituation, type MaskedResponse } from "./conversation.ts";

describe("envelope", () => {
  test("responses carry the id as it came, the times in µs, and say that this is a test server", async () => {
    const { connect, clock } = createSituation();
    const client = connect();
    await client.send('{"jsonrpc":"2.0","id":"cryptofeed","method":"public/get_time","params":{}}');
    const nowMs = clock.now();
    assert.deepEqual(client.received, [
      `{"jsonrpc":"2.0","id":"cryptofeed","result":${String(nowMs)},"usIn":${String(nowMs)}000,"usOut":${String(nowMs)}001,"usDiff":1,"testnet":true}`,
    ]);
  });

  test("params may be left out", async () => {
    const client = createSituation().connect();
    await client.send('{"id":5,"method":"public/test"}');
    assert.match(client.received.at(-1) ?? "", /^\{"jsonrpc":"2.0","id":5,"result"/);
    await client.send('{"jsonrpc":"2.0","id":5,"method":"public/test"}');
    assert.match(client.received[0] ?? "", /"id":5,"result":\{"version":"simulator /);
  });

  const refused: readonly [string, string, number][] = [
    ["text that is not JSON", '{"jsonrpc":"2.0",', -32700],
    ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"public/test"}]', 11050],
    ["a scalar", "7", 11050],
    ["a request without id", '{"jsonrpc":"2.0","method":"public/test"}', 11050],
    ["an id that is null", '{"jsonrpc":"2.0","id":null,"method":"public/test"}', 11050],
    ["another version of the protocol", '{"jsonrpc":"1.0","id":1,"method":"public/test"}', 11050],
    ["a request without a method", '{"jsonrpc":"2.0","id":1}', 11050],
    ["positional parameters", '{"jsonrpc":"2.0","id":1,"method":"public/test","params":[1]}', -32602],
    ["an unknown method", '{"jsonrpc":"2.0","id":1,"method":"private/no_such_method","params":{}}', -32601],
    ["a name of every object", '{"jsonrpc":"2.0","id":1,"method":"constructor","params":{}}', -32601],
  ];
  for (const [name, text, code] of refused) {
    test(`${name} is refused and the connection stays`, async () => {
      const client = createSituation().connect();
      await client.send(text);
      const response = JSON.parse(client.received[0] ?? "") as MaskedResponse;
      assert.equal(response.error?.code, code);
      assert.equal("result" in response, false);
      assert.equal(client.isOpen, true);
    });
  }

  test("a frame over 32 kB is answered without id, and the connection ends", async () => {
    const client = createSituation().connect();
    const frame = (bytes: number): string => {
      const empty = '{"jsonrpc":"2.0","id":1,"method":"public/test","params":{"unknown":""}}';
      return empty.replace('""', `"${"x".repeat(bytes - empty.length)}"`);
    };
    await client.send(frame(32 * 1024));
    assert.match(client.received[0] ?? "", /"id":1,"result"/);
    await client.send(frame(32 * 1024 + 1));
    assert.match(
      client.received[1] ?? "",
      /^\{"jsonrpc":"2.0","error":\{"code":-32600,"message":"request entity too large"\}/,
    );
    assert.equal(client.isOpen, false);
  });
});

describe("parameters that break a rule", () => {
  const cases: readonly [string, Record<string, unknown>, string, string][] = [
    ["public/get_last_trades_by_instrument", {}, "instrument_name", "value required"],
    [
      "public/get_last_trades_by_instrument",
      { instrument_name: "BTC-PERPETUAL", count: 1001 },
      "count",
      "must be less than or equal to 1000",
    ],
    [
      "public/get_last_trades_by_instrument",
      { instrument_name: "BTC-PERPETUAL", count: 0 },
      "count",
      "must be greater than or equal to 1",
    ],
    [
      "public/get_last_trades_by_instrument",
      { instrument_name: "BTC-PERPETUAL", count: 1.5 },
      "count",
      "value must be an integer",
    ],
    [
      "public/get_last_trades_by_instrument",
      { instrument_name: "BTC-PERPETUAL", count: "ten" },
      "count",
      "value must be an integer",
    ],
    ["public/get_last_trades_by_instrument", { instrument_name: "btc perpetual" }, "instrument_name", "wrong format"],
    ["public/get_last_trades_by_instrument", { instrument_name: 7 }, "instrument_name", "value must be a string"],
    [
      "public/get_last_trades_by_instrument",
      { instrument_name: "BTC-PERPETUAL", sorting: "up" },
      "sorting",
      "invalid sorting",
    ],
    ["public/subscribe", { channels: "trades.any.any.100ms" }, "channels", "value must be a list"],
    ["public/subscribe", { channels: [] }, "channels", "value must not be empty"],
    [
      "public/subscribe",
      { channels: Array.from({ length: 501 }, (_, index) => `x${String(index)}`) },
      "channels",
      "too many values, at most 500",
    ],
    ["public/set_heartbeat", { interval: 9 }, "interval", "must be greater than or equal to 10"],
    ["public/auth", { grant_type: "password" }, "grant_type", "invalid grant_type"],
    ["private/get_open_orders", { kind: "futures" }, "kind", "invalid kind"],
    ["private/cancel", { order_id: 5 }, "order_id", "value must be a string"],
    ["private/cancel", { order_id: "1", access_token: 7 }, "access_token", "value must be a string"],
  ];
  for (const [method, params, param, reason] of cases) {
    test(`${method} ${JSON.stringify(params).slice(0, 60)}`, async () => {
      const client = createSituation().connect();
      await client.signIn();
      assert.deepEqual(await client.refusal(method, params), [-32602, param, reason]);
    });
  }

  test("a number in quotes is that number, also inside a list, and has its bounds", async () => {
    const client = createSituation().connect();
    await client.signIn();
    const asked = { instrument_name: "ETH-PERPETUAL", amount: "40", price: "1000.0", label: "40" };
    const { order } = await client.result<{ order: Record<string, unknown> }>("private/buy", asked);
    assert.deepEqual([order["amount"], order["price"], order["label"]], [40, 1000, "40"]);
    const leg = { instrument_name: "ETH-PERPETUAL", price: "2000", amount: "40", direction: "buy" };
    const verify = { timestamp: String(client.clock.now()), nonce: "n", role: "maker", trades: [leg] };
    assert.equal((await client.call("private/verify_block_trade", verify)).error, undefined);
    assert.deepEqual(await client.refusal("public/set_heartbeat", { interval: "9" }), [
      -32602,
      "interval",
      "must be greater than or equal to 10",
    ]);
  });

  test("a parameter that the method does not know is passed over", async () => {
    const client = createSituation().connect();
    assert.deepEqual(await client.result("public/test", { include_old: true }), { version: SIMULATOR_VERSION });
  });
});

describe("small methods", () => {
  test("the simulator names itself, in the version of the package", async () => {
    const { version } = JSON.parse(fs.readFileSync("package.json", "utf8")) as { version: string };
    assert.equal(SIMULATOR_VERSION, `simulator ${version}`);
    const { connect, exchange } = createSituation();
    const client = connect();
    assert.deepEqual(await client.result("public/hello", { client_name: "trading-rpc", client_version: "1.2" }), {
      version: SIMULATOR_VERSION,
    });
    assert.equal(exchange.control.connections()[0]?.client, "trading-rpc 1.2");
  });

  test("public/test answers with an error on request", async () => {
    const client = createSituation().connect();
    assert.deepEqual(await client.refusal("public/test", { expected_result: "exception" }), [10001]);
  });

  test("a defect of the simulator is a response and a line in its log", async () => {
    const lines: string[] = [];
    const random = (): number => {
      throw new Error("broken");
    };
    const { connect } = createSituation({
      random,
      log: {
        ...silentLog,
        error: (message) => {
          lines.push(message);
        },
      },
    });
    const client = connect();
    const { clientId: client_id, clientSecret: client_secret } = client.exchange;
    assert.deepEqual(
      await client.refusal("public/auth", { grant_type: "client_credentials", client_id, client_secret }),
      [-32603],
    );
    assert.match(lines.join("\n"), /^The simulator failed: Error: broken/);
    assert.equal(await client.result("public/get_time"), client.clock.now());
  });
});

describe("heartbeat", () => {
  const beats = (received: readonly string[]): string[] =>
    received
      .filter((text) => text.includes('"heartbeat"'))
      .map((text) => (JSON.parse(text) as { params: { type: string } }).params.type);

  test("asks back at each interval, and ends the connection that does not answer", async () => {
    const client = createSituation().connect();
    await client.result("public/set_heartbeat", { interval: 30 });
    await client.clock.advance(29_999);
    assert.deepEqual(beats(client.received), []);
    await client.clock.advance(1);
    assert.deepEqual(beats(client.received), ["heartbeat", "test_request"]);
    await client.result("public/test");
    await client.clock.advance(30_000);
    assert.equal(beats(client.received).length, 4);
    await client.result("public/get_time");
    await client.clock.advance(30_000);
    assert.equal(client.isOpen, false);
    assert.equal(client.clock.pendingTimers, 0);
  });

  for (const method of ["/public/test", "api/v2/public/test", "/api/v2/public/test"])
    test(`${method} answers it`, async () => {
      const client = createSituation().connect();
      await client.result("public/set_heartbeat", { interval: 30 });
      for (let count = 0; count < 3; count++) {
        await client.clock.advance(30_000);
        assert.deepEqual(await client.result(method), { version: SIMULATOR_VERSION });
      }
      assert.equal(client.isOpen, true);
    });

  test("a connection without traffic ends after ten minutes", async () => {
    const client = createSituation().connect();
    await client.clock.advance(590_000);
    await client.result("public/get_time");
    await client.clock.advance(590_000);
    assert.equal(client.isOpen, true);
    await client.clock.advance(10_000);
    assert.equal(client.isOpen, false);
  });
});

describe("limits", () => {
  test("too many calls are answered with 10028 and the end of the session; the budget comes back with time", async () => {
    const { connect, clock } = createSituation({ limits: true });
    const client = connect();
    for (let count = 0; count < 100; count++) await client.result("public/get_time");
    assert.deepEqual(await client.refusal("public/get_time"), [10028]);
    assert.equal(client.isOpen, false);
    await clock.advance(50);
    const again = connect();
    await again.result("public/get_time");
    assert.deepEqual(await again.refusal("public/get_time"), [10028]);
  });

  test("calls that exceed the budget are counted where no limits hold, and none is refused", async () => {
    const { connect, clock, exchange } = createSituation({ limits: false });
    const client = connect();
    for (let count = 0; count < 103; count++) await client.result("public/get_time");
    assert.equal(exchange.control.excessCalls(), 3);
    await clock.advance(50);
    await client.result("public/get_time");
    assert.equal(exchange.control.excessCalls(), 3);
    await client.result("public/get_time");
    assert.equal(exchange.control.excessCalls(), 4);
  });

  test("orders draw from a budget of their own: 20 at once, 5 a second", async () => {
    const { connect, clock, exchange } = createSituation({ limits: true, orders: 60 });
    const client = connect();
    await client.signIn();
    const ids = exchange.control.openOrders().map((order) => order.order_id);
    for (const order_id of ids.slice(0, 20)) await client.call("private/cancel", { order_id });
    await clock.advance(200);
    await client.call("private/cancel", { order_id: ids[30] });
    assert.deepEqual(await client.refusal("private/cancel", { order_id: ids[31] }), [10028]);
    assert.equal(exchange.control.order(ids[31] ?? "")?.order_state, "open");
  });
});

test("nothing keeps running once the exchange is disposed", async () => {
  const clock = createFakeClock();
  const { connect, exchange } = createSituation({ clock, still: false });
  const client = connect();
  await client.signIn();
  await client.result("public/set_heartbeat", { interval: 10 });
  await client.result("private/subscribe", { channels: ["user.orders.any.any.100ms"] });
  exchange.control.move();
  exchange.dispose();
  await clock.settle();
  assert.equal(client.isOpen, false);
  assert.equal(clock.pendingTimers, 0);
});
