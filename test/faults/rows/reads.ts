import assert from "node:assert/strict";
import { anOrder } from "../../core/actions/fakeSession.ts";
import { watch } from "../../core/session/world.ts";
import { countOf, plantOrders, withOrders } from "../orders.ts";
import type { FaultRow } from "../stage.ts";

const LIST = "private/get_open_orders";

const droppedLists: FaultRow = {
  id: "F84",
  title: "the list of orders is asked for three times and never answered",
  on: "both",
  async run(stage) {
    await withOrders(stage, "O1");
    const { orders } = stage.live();
    const readAtMs = orders.snapshot.readAtMs;
    stage.server.on(LIST, () => "silence");
    void orders.refresh();
    await stage.settle();
    await stage.advance(10_000);
    await stage.until(() => orders.snapshot.failure?.kind === "timeout", "the reading fails");
    await stage.advance(25_000);
    assert.ok(countOf(stage, LIST) >= 4, "it is tried again");
    assert.equal(orders.snapshot.status, "stale");
    assert.equal(orders.snapshot.readAtMs, readAtMs, "and says when it was read last");
    assert.deepEqual([...orders.snapshot.items.keys()], ["O1"], "no empty tree");
  },
  expected: { dials: 1 },
};

const pagesOfTwo: FaultRow = {
  id: "F85",
  title: "the link is lost between two pages of a list",
  on: "both",
  async run(stage) {
    await stage.ready();
    const { session } = stage;
    const page = async (): Promise<unknown> => await session.reader.read(LIST, {}, { lane: "view", generation: 1 });
    await page();
    stage.wire.rst();
    await stage.until(() => session.state.status === "waiting", "the loss is noticed");
    await stage.advance(1000);
    await stage.until(() => session.state.status === "ready", "the next generation");
    const second = watch(page());
    await stage.settle();
    assert.deepEqual(
      second.failure,
      { kind: "situationChanged", changed: "connection" },
      "a page of another generation is not even asked for",
    );
    assert.equal(countOf(stage, LIST), 1);
  },
  expected: { status: "ready", dials: 2 },
};

const overtaken: FaultRow = {
  id: "F86",
  title: "a list that was asked for before a cancel is answered after it and still has the order",
  on: "both",
  async run(stage) {
    const orders = await withOrders(stage, "O1");
    const { orders: store } = stage.live();
    const usual = orders.onCancel;
    orders.onCancel = (request) => {
      const response = usual(request);
      request.connection.event("user.orders.any.any.raw", JSON.stringify(orders.byId.get("O1")));
      return response;
    };
    let respond = (): void => undefined;
    stage.server.on(LIST, (request) => {
      respond = () => request.connection.respond(request, { result: [anOrder("O1")] });
      return "silence";
    });
    void store.refresh();
    await stage.until(() => countOf(stage, LIST) === 2, "the list is asked for");
    const cancel = orders.cancel("O1");
    await stage.until(() => cancel.isSettled, "the cancel is answered");
    respond();
    await stage.settle();
    assert.equal(store.snapshot.items.get("O1")?.order.order_state, "cancelled", "it does not rise from the dead");
    assert.notEqual(store.snapshot.items.get("O1")?.endedAtMs, undefined);
  },
  expected: { status: "ready", dials: 1 },
};

const impatient: FaultRow = {
  id: "F87",
  title: "a hundred clicks on Refresh in a second",
  on: "both",
  async run(stage) {
    plantOrders(stage, "O1");
    const { orders } = stage.live();
    await stage.ready();
    await stage.until(() => orders.snapshot.status === "live", "the orders are read");
    stage.wire.latency(500, 500);
    const before = countOf(stage, LIST);
    for (let click = 0; click < 100; click++) {
      void orders.refresh();
      await stage.advance(10);
    }
    await stage.advance(2000);
    assert.ok(countOf(stage, LIST) - before <= 3, `${String(countOf(stage, LIST) - before)} readings in a second`);
  },
  expected: { status: "ready", dials: 1 },
};

const partlyAccepted: FaultRow = {
  id: "F85 a channel is not listed",
  title: "the response to private/subscribe does not list the channel of the orders",
  on: "both",
  async run(stage) {
    stage.server.on("private/subscribe", () => ({ result: [] }));
    const orders = await withOrders(stage, "O1");
    const { orders: store } = stage.live();
    const watching = store.watch();
    orders.byId.set("O2", anOrder("O2"));
    await stage.advance(6000);
    await stage.until(() => store.snapshot.items.size === 2, "what is looked at is read again");
    assert.equal(countOf(stage, "private/subscribe"), 1, "it is not asked for again on this link");
    watching.dispose();
  },
  expected: { status: "ready", dials: 1, logged: /did not accept the subscription to user\.orders/ },
};

export const READS_ROWS: readonly FaultRow[] = [droppedLists, pagesOfTwo, partlyAccepted, overtaken, impatient];
