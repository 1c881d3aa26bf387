import assert from "node:assert/strict";
import { anOrder } from "../../core/actions/fakeSession.ts";
import { frameOf } from "../../scriptedServer.ts";
import { hear, watch } from "../../core/session/world.ts";
import { countOf, plantOrders, withOrders } from "../orders.ts";
import type { FaultRow } from "../stage.ts";

const strays = (count: number): FaultRow => ({
  id: `F46 ${String(count)} responses`,
  title: "responses to ids that wait for none",
  on: "both",
  async run(stage) {
    await stage.ready();
    for (let each = 0; each < count; each++)
      stage.wire.text(`{"jsonrpc":"2.0","id":${String(900_000 + each)},"result":{}}`);
    await stage.settle();
    if (count > 10)
      await stage.until(() => stage.session.state.status === "waiting", "nothing can be attributed any more");
  },
  expected: {
    status: count > 10 ? "waiting" : "ready",
    dials: 1,
    logged: /belongs to nothing: an unexpected response to request ID 900000/,
    ...(count > 10 ? { sentences: /are not valid for JSON-RPC API v2/ } : {}),
  },
});

const withoutId: FaultRow = {
  id: "F47",
  title: "a result without an id while exactly one request is pending",
  on: "both",
  async run(stage) {
    await stage.ready();
    stage.server.on("public/get_time", () => ({ frame: '{"jsonrpc":"2.0","result":1700000000000}' }));
    const read = watch(stage.session.reader.read("public/get_time", {}));
    await stage.settle();
    assert.equal(read.isSettled, false, "the response is not guessed");
    await stage.advance(10_000);
    await stage.until(() => read.isSettled, "its own time ends it");
    assert.equal(read.failure?.kind, "timeout");
  },
  expected: { status: "ready", dials: 1 },
};

const readTwice: FaultRow = {
  id: "F48",
  title: "the response to a read comes twice",
  on: "both",
  async run(stage) {
    plantOrders(stage, "O1");
    const { orders } = stage.live();
    let changes = 0;
    orders.onDidChange(({ membership }) => {
      if (membership === "reset" && orders.snapshot.status === "live") changes++;
    });
    stage.server.on("private/get_open_orders", ({ id, connection }) => {
      const frame = frameOf(id, { result: [anOrder("O1")] })!;
      connection.send(frame);
      return { frame };
    });
    await stage.ready();
    await stage.until(() => orders.snapshot.status === "live", "the orders are read");
    await stage.settle();
    assert.equal(changes, 1);
  },
  expected: { status: "ready", dials: 1, logged: /belongs to nothing: an unexpected response to request ID/ },
};

const changedMind: FaultRow = {
  id: "F49",
  title: "a cancel is answered with success and then with an error",
  on: "both",
  async run(stage) {
    const orders = await withOrders(stage, "O1");
    const { gate } = stage.live();
    const usual = orders.onCancel;
    orders.onCancel = (request) => {
      request.connection.respond(request, usual(request));
      return { error: { code: 11044, message: "not_open_order" } };
    };
    const cancel = orders.cancel("O1");
    await stage.until(() => cancel.isSettled, "the first response settles it");
    await stage.settle();
    assert.equal(cancel.value?.kind, "confirmed");
    assert.equal(gate.activity[0]?.outcome?.kind, "confirmed", "the second response does not flip it");
    assert.equal(orders.cancels, 1);
  },
  expected: { status: "ready", dials: 1, logged: /belongs to nothing: an unexpected response to request ID \d+/ },
};

const shuffled: FaultRow = {
  id: "F50",
  title: "20 reads, answered in another order",
  on: "both",
  async run(stage) {
    await stage.ready();
    const held: (() => void)[] = [];
    stage.server.on("private/get_order_state", (request) => {
      held.push(() => request.connection.respond(request, { result: anOrder(String(request.params["order_id"])) }));
      return "silence";
    });
    const reads = Array.from({ length: 20 }, (_, each) =>
      watch(stage.session.reader.read("private/get_order_state", { order_id: `M${String(each)}` })),
    );
    await stage.until(() => held.length === 20, "all are at the server");
    for (let each = 0; each < 20; each++) held[(each * 7 + 3) % 20]?.();
    await stage.until(() => reads.every((read) => read.isSettled), "all are answered");
    const found = reads.map((read) => read.value?.order_id);
    assert.deepEqual(
      found,
      Array.from({ length: 20 }, (_, each) => `M${String(each)}`),
    );
  },
  expected: { status: "ready", dials: 1 },
};

/** Frames that carry the id of a pending read and a pending cancel, and break the envelope. */
const ENVELOPES: readonly (readonly [string, (id: number) => string, boolean])[] = [
  ["F51 both", (id) => `{"jsonrpc":"2.0","id":${String(id)},"result":{},"error":{"code":1,"message":"m"}}`, true],
  ["F51 neither", (id) => `{"jsonrpc":"2.0","id":${String(id)}}`, true],
  ["F55 version 1.0", (id) => `{"jsonrpc":"1.0","id":${String(id)},"result":{}}`, true],
  ["F55 no version", (id) => `{"id":${String(id)},"result":{}}`, true],
  ["F55 a batch", (id) => `[{"jsonrpc":"2.0","id":${String(id)},"result":{}}]`, false],
];

const envelopes = ENVELOPES.map(([id, frame, isAttributed]): FaultRow => ({
  id,
  title: "a frame that breaks the envelope answers a read and a cancel",
  design: "an odd frame makes the call it belongs to unreadable, is logged, and the socket stays",
  on: "both",
  async run(stage) {
    const orders = await withOrders(stage, "O1");
    const { gate } = stage.live();
    orders.onCancel = (request) => ({ frame: frame(request.id) });
    stage.server.on("public/get_time", (request) => ({ frame: frame(request.id) }));
    const read = watch(stage.session.reader.read("public/get_time", {}));
    const cancel = orders.cancel("O1");
    await stage.settle();
    assert.equal(read.isSettled, isAttributed);
    if (!isAttributed) await stage.advance(15_000);
    await stage.until(() => cancel.isSettled && read.isSettled, "both end");
    assert.equal(read.failure?.kind, isAttributed ? "unreadableResult" : "timeout");
    assert.equal(cancel.value?.kind, "unknown");
    await stage.advance(8000);
    await stage.until(() => gate.activity[0]?.verdicts.length === 1, "reading says what became of it");
    assert.equal(orders.cancels, 1);
  },
  expected: { status: "ready", dials: 1 },
}));

/** What one order of the list looks like, how many rows are shown, and how many are marked. */
const SHAPES: readonly (readonly [string, Record<string, unknown>, number, number])[] = [
  ["an unknown member", { brand_new: { deep: [1] } }, 2, 0],
  ["a missing optional member", { label: undefined }, 2, 0],
  ["market_price", { price: "market_price" }, 2, 0],
  ["a wrong type", { amount: "forty" }, 2, 0],
  ["null", { trigger_offset: null, amount: null }, 2, 0],
  ["an id of another type", { order_id: 7 }, 1, 1],
  ["an unknown state", { order_state: "hibernating" }, 2, 0],
];

const shapes = SHAPES.map(([name, change, rows, marked]): FaultRow => ({
  id: `F52 ${name}`,
  title: "one of two orders has another shape",
  design:
    "a member that does not match the pattern is shown as it was received; a row without an id is shown raw, beside the others",
  on: "both",
  async run(stage) {
    plantOrders(stage);
    const { orders } = stage.live();
    stage.server.on("private/get_open_orders", () => ({ result: [anOrder("O1"), { ...anOrder("O2"), ...change }] }));
    await stage.ready();
    await stage.until(() => orders.snapshot.status === "live", "the orders are read");
    assert.equal(orders.snapshot.items.size, rows);
    assert.equal(orders.snapshot.unreadable.length, marked);
  },
  expected: { status: "ready", dials: 1 },
}));

const otherOrder: FaultRow = {
  id: "F53",
  title: "the cancel of O1 is answered with O2",
  design: "the socket stays; the outcome is unknown and is looked up",
  on: "both",
  async run(stage) {
    const orders = await withOrders(stage, "O1", "O2");
    const { gate, orders: store } = stage.live();
    orders.onCancel = () => ({ result: anOrder("O2", { order_state: "cancelled", cancel_reason: "user_request" }) });
    const cancel = orders.cancel("O1");
    await stage.until(() => cancel.isSettled, "it is answered");
    assert.equal(cancel.value?.kind, "unknown");
    assert.equal(store.snapshot.items.get("O2")?.order.order_state, "open", "the response changes no row");
    await stage.advance(8000);
    await stage.until(() => gate.activity[0]?.verdicts.length === 1, "O1 is looked up");
    assert.equal(gate.activity[0]?.verdicts[0]?.kind, "notApplied");
  },
  expected: { status: "ready", dials: 1 },
};

const requestOfServer: FaultRow = {
  id: "F54",
  title: "a request of the server, an unknown notification, and 100 000 of them",
  on: "both",
  ports: { isTracing: false },
  async run(stage) {
    await stage.ready();
    const before = stage.server.requests.length;
    stage.wire.text('{"jsonrpc":"2.0","id":1,"method":"server/ask","params":{}}');
    for (let second = 0; second < 10; second++) {
      for (let each = 0; each < 10_000; each++)
        stage.wire.text(`{"jsonrpc":"2.0","method":"brand/new","params":{"n":${String(each)}}}`);
      await stage.advance(1000);
    }
    assert.equal(stage.server.requests.length, before, "the server's question is not answered");
    assert.ok(stage.lines.join("\n").length < 20_000, "the log does not grow with them");
    assert.equal((await stage.session.caller.call("private/get_open_orders", "{}")).error, undefined);
  },
  expected: { status: "ready", dials: 1 },
};

const lateOfOlder: FaultRow = {
  id: "F56",
  title: "after a reconnect the response to a cancel of the older link comes on the new one",
  on: "both",
  async run(stage) {
    const orders = await withOrders(stage, "O1");
    const { gate } = stage.live();
    const events = hear(stage.session, "user.orders.any.any.raw");
    orders.onCancel = () => "silence";
    const cancel = orders.cancel("O1");
    await stage.until(() => orders.cancels === 1, "it is at the server");
    const request = stage.server.requests.findLast(({ method }) => method === "private/cancel")!;
    stage.wire.rst();
    await stage.until(() => cancel.isSettled, "the link is gone");
    assert.equal(cancel.value?.kind, "unknown");
    await stage.advance(1000);
    await stage.until(() => stage.session.state.status === "ready", "the next generation");
    stage.wire.text(frameOf(request.id, { result: anOrder("O1", { order_state: "cancelled" }) })!);
    await stage.settle();
    assert.equal(gate.activity[0]?.outcome?.kind, "unknown", "it settles nothing");
    await stage.advance(8000);
    await stage.until(() => gate.activity[0]?.verdicts.length === 1, "reading decides");
    const found = gate.activity.map(({ verdicts }) => verdicts[0]?.kind);
    assert.deepEqual(found, ["notApplied"]);
    assert.equal(countOf(stage, "private/cancel"), 1);
    events.dispose();
  },
  expected: { status: "ready", dials: 2, logged: /belongs to nothing: an unexpected response to request ID/ },
};

export const CORRELATION_ROWS: readonly FaultRow[] = [
  strays(1),
  strays(10),
  strays(11),
  withoutId,
  readTwice,
  changedMind,
  shuffled,
  ...envelopes,
  ...shapes,
  otherOrder,
  requestOfServer,
  lateOfOlder,
];
