import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Fault } from "../../../../src/simulator/wire/faults.ts";
import type { LedgerEntry } from "../../../../src/simulator/wire/ledger.ts";
import { pluck } from "../../../pluck.ts";
import { createSituation, type MaskedResponse, type Conversation, type Situation } from "../conversation.ts";

interface Run extends Situation {
  readonly client: Conversation;
  readonly orderId: string;
  /** Sends a cancel of the first order and hands out what came back. */
  cancel(): Promise<string[]>;
  state(): string | undefined;
  line(): LedgerEntry | undefined;
}

async function runWith(fault: Fault): Promise<Run> {
  const situation = createSituation();
  const client = situation.connect();
  await client.signIn();
  const { control } = situation.exchange;
  const orderId = control.openOrders()[0]?.order_id ?? "";
  control.setFault({ method: "private/cancel", ...fault });
  return {
    ...situation,
    client,
    orderId,
    async cancel() {
      const start = client.received.length;
      await client.send(
        JSON.stringify({ jsonrpc: "2.0", id: 900, method: "private/cancel", params: { order_id: orderId } }),
      );
      return client.received.slice(start);
    },
    state: () => control.order(orderId)?.order_state,
    line: () => control.ledger().at(-1),
  };
}

describe("faults of one call", () => {
  const outcomes: readonly [
    string,
    Fault,
    {
      responses: readonly (string | number)[];
      state: string;
      isOpen?: boolean;
      response?: string;
      isApplied?: boolean;
    },
  ][] = [
    [
      "no response, done",
      { response: "none" },
      { responses: [], state: "cancelled", response: "none", isApplied: true },
    ],
    [
      "no response, not done",
      { response: "none", effect: "skipped" },
      { responses: [], state: "open", response: "none", isApplied: false },
    ],
    [
      "cut off after it was done",
      { response: "none", link: "reset" },
      { responses: [], state: "cancelled", isOpen: false },
    ],
    [
      "cut off before it was done",
      { effect: "skipped", response: "none", link: "reset" },
      { responses: [], state: "open", isOpen: false },
    ],
    ["closed after the response", { link: "close" }, { responses: ["cancelled"], state: "cancelled", isOpen: false }],
    [
      "an error, done all the same",
      { response: { code: 13888 } },
      { responses: [13888], state: "cancelled", response: "error", isApplied: true },
    ],
    [
      "an error, not done",
      { response: { code: 77777, message: "odd" }, effect: "skipped" },
      { responses: [77777], state: "open", response: "error", isApplied: false },
    ],
    [
      "too many requests ends the session",
      { response: { code: 10028 }, effect: "skipped" },
      { responses: [10028], state: "open", isOpen: false },
    ],
    ["another client was faster", { effect: "overtaken" }, { responses: [10010], state: "filled" }],
    [
      "another client was faster, without a response",
      { effect: "overtaken", response: "none", link: "reset" },
      { responses: [], state: "filled", isOpen: false },
    ],
    [
      "another state, done",
      { mutate: { how: "set", member: "order_state", value: "open" } },
      { responses: ["open"], state: "cancelled" },
    ],
    [
      "another state, not done",
      { effect: "skipped", mutate: { how: "set", member: "order_state", value: "zzz" } },
      { responses: ["zzz"], state: "open" },
    ],
  ];
  for (const [name, fault, expected] of outcomes) {
    test(name, async () => {
      const run = await runWith(fault);
      const responses = (await run.cancel()).map((text) => JSON.parse(text) as MaskedResponse);
      assert.deepEqual(
        responses.map((response) => response.error?.code ?? (response.result as { order_state: string }).order_state),
        expected.responses,
      );
      assert.equal(run.state(), expected.state);
      assert.equal(run.client.isOpen, expected.isOpen ?? true);
      const line = run.line();
      if (expected.response !== undefined)
        assert.deepEqual([line?.response, line?.isApplied], [expected.response, expected.isApplied]);
      assert.deepEqual(run.exchange.control.faults(), []);
    });
  }

  test("the response is held while the change is there at once", async () => {
    const run = await runWith({ holdMs: 20_000 });
    await run.client.result("private/subscribe", { channels: ["user.orders.any.any.raw"] });
    const received = await run.cancel();
    const found = received.map((text) => text.includes('"subscription"'));
    assert.deepEqual(found, [true]);
    assert.equal(run.line()?.response, "none");
    await run.clock.advance(20_000);
    assert.match(run.client.received.at(-1) ?? "", /"id":900,"result".*"usDiff":20000000,/);
    assert.equal(run.line()?.response, "result");
  });

  test("the change comes late, when the connection has long gone", async () => {
    const run = await runWith({ applyAfterMs: 8000, link: "reset" });
    assert.deepEqual(await run.cancel(), []);
    assert.equal(run.client.isOpen, false);
    assert.deepEqual([run.state(), run.line()?.isApplied], ["open", false]);
    await run.clock.advance(8000);
    assert.deepEqual([run.state(), run.line()?.isApplied], ["cancelled", true]);
  });

  const mutations: readonly [string, Fault, RegExp, number][] = [
    ["truncated", { mutate: { how: "truncate" } }, /^\{"jsonrpc":"2.0","id":900,"result":\{[^}]*$/, 1],
    ["a result of another type", { mutate: { how: "wrongType" } }, /"result":"7"/, 1],
    ["a member of another type", { mutate: { how: "wrongType", member: "order_id" } }, /"order_id":7,/, 1],
    ["two times", { mutate: { how: "twice" } }, /"id":900,"result"/, 2],
    ["with another id", { mutate: { how: "id", id: 901 } }, /"id":901,"result"/, 1],
    ["without an id", { mutate: { how: "id" } }, /^\{"jsonrpc":"2.0","result"/, 1],
    ["with another result", { mutate: { how: "result", value: [2.5] } }, /"id":900,"result":\[2\.5\]/, 1],
    ["something else", { mutate: { how: "text", text: "hello" } }, /^hello$/, 1],
    ["a member is missing", { mutate: { how: "drop", member: "order_id" } }, /"result":(?!.*"order_id")/, 1],
  ];
  for (const [name, fault, expected, count] of mutations) {
    test(`the response comes ${name}`, async () => {
      const run = await runWith(fault);
      const received = await run.cancel();
      assert.equal(received.length, count);
      for (const text of received) assert.match(text, expected);
      assert.equal(run.state(), "cancelled");
    });
  }

  test("only the next call that fits, or as many as were asked for", async () => {
    const { connect, exchange } = createSituation();
    const client = connect();
    exchange.control.setFault({ method: "public/get_time", times: 2, response: { code: 11051 } });
    exchange.control.setFault({ response: { code: 10040 } });
    assert.deepEqual(await client.refusal("public/test"), [10040]);
    assert.deepEqual(await client.refusal("public/get_time"), [11051]);
    assert.deepEqual(await client.refusal("public/get_time"), [11051]);
    await client.result("public/get_time");
    exchange.control.setFault({ response: "none" });
    exchange.control.clearFaults();
    await client.result("public/get_time");
  });

  test("a call that would be refused can be answered otherwise, or not at all", async () => {
    const { connect, exchange } = createSituation();
    const client = connect();
    exchange.control.setFault({ method: "private/no_such_method", response: { code: 13028 } });
    assert.deepEqual(await client.refusal("private/no_such_method"), [13028]);
    exchange.control.setFault({ method: "private/get_open_orders", response: "none" });
    await client.send('{"jsonrpc":"2.0","id":50,"method":"private/get_open_orders"}');
    assert.equal(client.received.length, 1);
    assert.deepEqual(await client.refusal("private/get_open_orders"), [13009]);
  });

  test("a refusal stays a refusal under a fault that changes members", async () => {
    const run = await runWith({ mutate: { how: "set", member: "order_state", value: "cancelled" } });
    run.exchange.control.cancel(run.orderId);
    const [text = ""] = await run.cancel();
    assert.match(text, /"error":\{"code":11044/);
    assert.doesNotMatch(text, /"result"/);
  });
});

describe("the ledger", () => {
  test("keeps each frame as it came, with the literals of its params", async () => {
    const { connect, exchange } = createSituation();
    const client = connect();
    await client.send(
      '{"params": {"a": [1e-8, 0.10, {"params": "}"}], "b": 9007199254740993}, "jsonrpc": "2.0", "method": "public/test", "id": 7}',
    );
    await client.send("garbage");
    const [first, second] = exchange.control.ledger();
    assert.deepEqual(
      [
        first?.number,
        first?.connection,
        first?.link,
        first?.method,
        first?.id,
        first?.paramsText,
        first?.isApplied,
        first?.response,
        first?.atMs,
      ],
      [
        1,
        1,
        "webSocket",
        "public/test",
        7,
        '{"a": [1e-8, 0.10, {"params": "}"}], "b": 9007199254740993}',
        true,
        "result",
        client.clock.now(),
      ],
    );
    assert.deepEqual(
      [second?.text, second?.method, second?.response, second?.errorCode],
      ["garbage", undefined, "error", -32700],
    );
    exchange.control.clearRecords();
    assert.deepEqual(exchange.control.ledger(), []);
  });
});

describe("faults of connections", () => {
  test("everybody is disconnected", async () => {
    const { connect, exchange, clock } = createSituation();
    const clients = [connect(), connect()];
    exchange.control.disconnectAll("reset");
    await clock.settle();
    assert.deepEqual(pluck(clients, "isOpen"), [false, false]);
    assert.deepEqual(exchange.control.connections(), []);
  });

  test("all connections are refused for a while", async () => {
    const { connect, exchange, clock } = createSituation();
    exchange.control.refuseConnections(true);
    const refused = connect();
    await clock.settle();
    assert.equal(refused.isOpen, false);
    assert.deepEqual(exchange.control.connections(), []);
    exchange.control.refuseConnections(false);
    await connect().result("public/test");
  });

  test("any text can be sent to whoever listens", async () => {
    const { connect, exchange, clock } = createSituation();
    const client = connect();
    exchange.control.sendText("[]");
    await clock.settle();
    assert.deepEqual(client.received, ["[]"]);
  });
});
