import assert from "node:assert/strict";
import { watch } from "../../core/session/world.ts";
import { countOf, withOrders } from "../orders.ts";
import type { FaultRow, Stage } from "../stage.ts";

const HOURS_8 = 8 * 3_600_000;

const isSuspect = (stage: Stage): boolean => stage.session.state.status === "ready" && stage.session.state.isSuspect;

const longSleep = (["stops", "runs"] as const).map((monotonic): FaultRow => ({
  id: `F99 monotonic clock ${monotonic}`,
  title: "eight hours of sleep; the link is dead, and a cancel is pressed at once",
  on: "both",
  async run(stage) {
    const orders = await withOrders(stage, "O1");
    stage.wire.halfOpen();
    const before = stage.server.requests.length;
    stage.clock.sleep(HOURS_8, monotonic);
    const cancel = orders.cancel("O1");
    const read = watch(stage.session.caller.call("private/get_open_orders", "{}"));
    await stage.advance(1000);
    assert.ok(isSuspect(stage), "noticed within a second");
    await stage.advance(5000);
    await stage.until(() => stage.session.state.status !== "ready" || !isSuspect(stage), "lost within six seconds");
    await stage.until(() => cancel.isSettled && read.isSettled, "nothing waits any longer");
    assert.equal(cancel.value?.kind, "notSent");
    assert.deepEqual(read.failure, { kind: "notConnected" });
    assert.equal(stage.server.requests.slice(before).some(({ method, connection }) => method !== "public/test" && connection.number === 1), false);
    await stage.advance(1000);
    await stage.until(() => stage.session.state.status === "ready", "the next generation");
    assert.equal(orders.cancels, 0);
  },
  expected: { status: "ready", dials: 2 },
}));

const shortSleep: FaultRow = {
  id: "F100",
  title: "twenty seconds of sleep; the link lives, and texts from before lie waiting",
  on: "both",
  async run(stage) {
    const orders = await withOrders(stage, "O1");
    let answer = (): void => undefined;
    stage.server.on("public/test", (request) => {
      answer = () => request.connection.answer(request, { result: { version: "1" } });
      return "nothing";
    });
    stage.clock.sleep(20_000);
    await stage.advance(1000);
    assert.ok(isSuspect(stage));
    const cancel = orders.cancel("O1");
    stage.wire.text('{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"heartbeat"}}');
    await stage.settle();
    assert.ok(isSuspect(stage), "what lay waiting proves nothing");
    assert.equal(orders.cancels, 0, "the probe goes first");
    answer();
    await stage.until(() => cancel.isSettled, "then the cancel");
    assert.equal(cancel.value?.kind, "confirmed");
    assert.equal(isSuspect(stage), false);
  },
  expected: { status: "ready", dials: 1, statuses: ["connecting", "authenticating", "ready"] },
};

const tokenOverSlept: FaultRow = {
  id: "F100 the token ended meanwhile",
  title: "an hour of sleep with a token of a quarter of an hour",
  on: "both",
  async run(stage) {
    stage.server.expiresIn = 900;
    const orders = await withOrders(stage, "O1");
    stage.wire.connection.tokens.clear();
    stage.clock.sleep(3_600_000);
    const cancel = orders.cancel("O1");
    await stage.until(() => cancel.isSettled, "probe, sign-in, cancel");
    assert.equal(cancel.value?.kind, "confirmed");
    const order = stage.server.methods().filter((method) => ["public/test", "public/auth", "private/cancel"].includes(method));
    assert.deepEqual(order, ["public/auth", "public/test", "public/auth", "private/cancel"]);
  },
  expected: { status: "ready", dials: 1 },
};

const otherNetwork: FaultRow = {
  id: "F101",
  title: "another network: the old socket is half open, a new one works",
  on: "both",
  async run(stage) {
    const orders = await withOrders(stage, "O1");
    const { orders: store } = stage.live();
    stage.wire.halfOpen();
    await stage.advance(35_000);
    await stage.until(() => stage.session.state.status === "waiting", "at the first probe that fails");
    assert.equal(store.snapshot.status, "stale");
    await stage.advance(1000);
    await stage.until(() => store.snapshot.status === "live", "over the new route");
    assert.equal(countOf(stage, "private/subscribe"), 2, "subscribed once more, not twice");
    assert.equal(orders.cancels, 0);
  },
  expected: { status: "ready", dials: 2 },
};

export const HOST_LIFE_ROWS: readonly FaultRow[] = [...longSleep, shortSleep, tokenOverSlept, otherNetwork];
