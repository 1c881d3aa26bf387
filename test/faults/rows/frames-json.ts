import assert from "node:assert/strict";
import { NO_FILTER } from "../../../src/present/orders/ordersFilter.ts";
import { createOrdersTree } from "../../../src/present/orders/orders.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { MAX_ORDERS } from "../../../src/state/orderItems.ts";
import { anOrder } from "../../core/actions/fakeSession.ts";
import type { ReceivedRequest } from "../../scriptedServer.ts";
import { watch } from "../../core/session/world.ts";
import { countOf, plantOrders, withOrders } from "../orders.ts";
import type { FaultRow, Stage } from "../stage.ts";

const STAYS = "an odd frame makes the call it belongs to unreadable, is logged, and the socket stays";

/** All that the view of the orders writes. */
function orderTexts(stage: Stage): string {
  const { orders } = stage.live();
  const source = {
    connectionId: "stage",
    connectionName: "main",
    environment: "test" as const,
    snapshot: orders.snapshot,
    pending: new Map(),
  };
  const tree = createOrdersTree(() => ({
    sources: [source],
    groupBy: "none",
    filter: NO_FILTER,
    pageSize: 200,
    shownRows: new Map(),
    times: createTimes(0),
  }));
  const rows = tree.children(undefined).flatMap((row) => [row, ...tree.children(row.id)]);
  const texts = rows.map(({ label, description, spoken }) => [label, description, spoken].join(" "));
  return [...texts, ...rows.flatMap((row) => tree.tooltip(row.id).map(({ value }) => value))].join("\n");
}

/** A read and a cancel are pending; both are answered by an odd frame with their id. */
function odd(id: string, title: string, frameOf: (request: ReceivedRequest) => string, logged: RegExp): FaultRow {
  return {
    id,
    title,
    design: STAYS,
    on: "both",
    async run(stage) {
      const orders = await withOrders(stage, "O1");
      const { gate } = stage.live();
      orders.onCancel = (request) => ({ frame: frameOf(request) });
      stage.server.on("public/get_time", (request) => ({ frame: frameOf(request) }));
      const read = watch(stage.session.reader.read("public/get_time", {}));
      const cancel = orders.cancel("O1");
      await stage.until(() => read.isSettled && cancel.isSettled, "both are settled");
      assert.equal(read.failure?.kind, "unreadableResult");
      assert.equal(cancel.value?.kind, "unknown");
      await stage.advance(8000);
      await stage.until(() => gate.activity[0]?.verdicts[0] !== undefined, "reading says what became of it");
      assert.equal(gate.activity[0]?.verdicts[0]?.kind, "notApplied");
      assert.equal(orders.cancels, 1);
      assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
    },
    expected: { status: "ready", dials: 1, statuses: ["connecting", "authenticating", "ready"], logged },
  };
}

const tooDeep = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

const bomb: FaultRow = {
  id: "F40 4 MiB of brackets",
  title: "4 MiB of [ while a read is pending",
  design: STAYS,
  on: "both",
  async run(stage) {
    await stage.ready();
    stage.server.on("public/get_time", () => "silence");
    const read = watch(stage.session.reader.read("public/get_time", {}));
    await stage.settle();
    stage.wire.text("[".repeat(4 * 1024 * 1024));
    await stage.until(
      () => stage.lines.some((line) => line.includes("nested deeper than 64")),
      "it is refused before it is parsed",
    );
    assert.equal(read.isSettled, false, "nothing says that it was meant for this read");
    await stage.advance(10_000);
    await stage.until(() => read.isSettled, "its own time ends it");
    assert.equal(read.failure?.kind, "timeout");
  },
  expected: { status: "ready", dials: 1 },
};

const deepEnough: FaultRow = {
  id: "F40 depth 64",
  title: "a response that is 64 deep",
  on: "both",
  async run(stage) {
    await stage.ready();
    stage.server.on("public/get_time", () => ({ resultText: tooDeep(63) }));
    const response = await stage.session.caller.call("public/get_time", "{}");
    assert.equal(response.bodyText, tooDeep(63));
  },
  expected: { status: "ready", dials: 1 },
};

const ids = ["1e0", '"7"', "7.5", "-0"].map((spelling): FaultRow => ({
  id: `F43 id ${spelling}`,
  title: "the response spells its id another way",
  design: STAYS,
  on: "both",
  async run(stage) {
    await stage.ready();
    stage.server.on("public/get_time", ({ id }) => ({
      frame: `{"jsonrpc":"2.0","id":${spelling.replace(/1(?=e0)|7/, String(id))},"result":1}`,
    }));
    const read = watch(stage.session.reader.read("public/get_time", {}));
    await stage.settle();
    assert.equal(read.isSettled, false);
    await stage.advance(10_000);
    await stage.until(() => read.isSettled, "its time ends it");
    assert.equal(read.failure?.kind, "timeout");
  },
  expected: { status: "ready", dials: 1, logged: /belongs to nothing/ },
}));

const digits: FaultRow = {
  id: "F43 amounts",
  title: "amounts that a number cannot hold",
  on: "both",
  async run(stage) {
    plantOrders(stage);
    const { orders } = stage.live();
    const text = (id: string, amount: string): string =>
      JSON.stringify(anOrder(id)).replace('"amount":40', `"amount":${amount}`);
    stage.server.on("private/get_open_orders", () => ({
      resultText: `[${text("O1", "9007199254740993")},${text("O2", "1e400")},${text("O3", "-0")}]`,
    }));
    await stage.ready();
    await stage.until(() => orders.snapshot.readAtMs !== undefined, "the orders are read");
    const shown = orderTexts(stage);
    assert.doesNotMatch(
      shown,
      /(?<!≈)9\u202F007\u202F199\u202F254\u202F740\u202F992/,
      "a rounded amount is never shown as exact",
    );
    assert.match(shown, /≈9\u202F007\u202F199\u202F254\u202F740\u202F992/);
    assert.match(shown, /≈Infinity \(not as documented\)/, "an amount that is no number is marked");
    const response = await stage.session.caller.call("private/get_open_orders", "{}");
    assert.match(response.bodyText, /9007199254740993/, "the document keeps every digit");
  },
  expected: { status: "ready", dials: 1 },
};

/** What the list of orders is made of, and what the view says then. */
const lists: readonly (readonly [string, string, () => string, RegExp])[] = [
  [
    "300 000 empty objects",
    "300 000 × {} as the list of orders",
    () => `[${Array.from({ length: 300_000 }, () => "{}").join(",")}]`,
    /More than 100,?000 open orders|no order_id/,
  ],
  [
    "one order too many",
    "100 001 orders",
    () => `[${Array.from({ length: MAX_ORDERS + 1 }, (_, each) => `{"order_id":"${String(each)}"}`).join(",")}]`,
    /More than 100,?000 open orders/,
  ],
];

const tooMany = lists.map(([name, title, result, words]): FaultRow => ({
  id: `F44 ${name}`,
  title,
  design: "at most 100,000 orders in a response",
  on: "both",
  ports: { isTracing: false },
  async run(stage) {
    plantOrders(stage);
    const { orders } = stage.live();
    const text = result();
    stage.server.on("private/get_open_orders", () => ({ resultText: text }));
    await stage.ready();
    await stage.until(() => orders.snapshot.failure !== undefined, "the view fails");
    assert.equal(orders.snapshot.items.size, 0, "the first of them are not shown as if they were all");
    const { failure } = orders.snapshot;
    assert.ok(failure?.kind === "unreadableResult");
    assert.match(failure.detail, words);
    assert.ok(failure.detail.length < 500);
  },
  expected: { status: "ready", dials: 1 },
}));

const HOSTILE = [
  "x".repeat(1024 * 1024),
  "lone \ud800 surrogate",
  "right \u202e to left",
  "[click](command:workbench.action.quit)",
  "line\nbreak \u0007",
];

const labels: FaultRow = {
  id: "F45",
  title: "labels of a megabyte, with half characters, of the other direction, with a link",
  on: "both",
  ports: { isTracing: false },
  async run(stage) {
    const orders = plantOrders(stage);
    for (const [index, label] of HOSTILE.entries())
      orders.byId.set(`O${String(index)}`, anOrder(`O${String(index)}`, { label }));
    await stage.ready();
    const { orders: store } = stage.live();
    await stage.until(() => store.snapshot.status === "live", "the orders are read");
    assert.equal(store.snapshot.items.size, HOSTILE.length);
    const texts = orderTexts(stage);
    assert.ok(texts.length < 100_000, String(texts.length));
    assert.doesNotMatch(texts.replaceAll("\n", ""), /[\p{Cc}\u202a-\u202e\u2066-\u2069\ud800-\udfff]/u);
    assert.doesNotMatch(texts, /\]\(command:/);
  },
  expected: { status: "ready", dials: 1 },
};

const names: FaultRow = {
  id: "F42 other names",
  title: "members named constructor and toString in an order",
  on: "both",
  async run(stage) {
    plantOrders(stage);
    const { orders } = stage.live();
    const order = JSON.stringify(anOrder("O1")).replace(
      "{",
      '{"constructor":{"prototype":{"polluted":1}},"toString":"no","hasOwnProperty":7,',
    );
    stage.server.on("private/get_open_orders", () => ({ resultText: `[${order}]` }));
    await stage.ready();
    await stage.until(() => orders.snapshot.status === "live", "the orders are read");
    assert.match(orderTexts(stage), /ETH-PERPETUAL/);
    assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
    assert.equal(countOf(stage, "private/get_open_orders"), 1);
  },
  expected: { status: "ready", dials: 1 },
};

export const FRAMES_JSON_ROWS: readonly FaultRow[] = [
  odd(
    "F38 no result",
    "a response that says nothing",
    ({ id }) => `{"jsonrpc":"2.0","id":${String(id)},"method":7}`,
    /cannot be read: neither a response nor a notification/,
  ),
  bomb,
  odd(
    "F40 depth 65",
    "a response that is deeper than 64",
    ({ id }) => `{"jsonrpc":"2.0","id":${String(id)},"result":${tooDeep(64)}}`,
    /cannot be read: nested deeper than 64/,
  ),
  deepEnough,
  odd(
    "F41 order_id",
    "order_id stands twice in the response",
    ({ id }) =>
      `{"jsonrpc":"2.0","id":${String(id)},"result":{"order_id":"O1","order_id":"O2","order_state":"cancelled"}}`,
    /cannot be read: duplicate key/,
  ),
  odd(
    "F41 result",
    "result stands twice",
    ({ id }) => `{"jsonrpc":"2.0","id":${String(id)},"result":1,"result":2}`,
    /cannot be read: duplicate key/,
  ),
  odd(
    "F42 __proto__",
    "a member named __proto__",
    ({ id }) => `{"jsonrpc":"2.0","id":${String(id)},"result":{"__proto__":{"polluted":1}}}`,
    /cannot be read: a key is named __proto__/,
  ),
  names,
  ...ids,
  digits,
  ...tooMany,
  labels,
];
