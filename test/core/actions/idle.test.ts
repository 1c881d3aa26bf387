import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { openStage, type Stage } from "../../faults/stage.ts";
import { withOrders } from "../../faults/orders.ts";

const MINUTES_5 = 5 * 60_000;

async function idleStage(): Promise<Stage> {
  return await openStage("memory", { idleDisconnectMinutes: 5 });
}

describe("an unused connection", () => {
  test("ends after the time that is set, says why, and comes back for a cancel", async () => {
    const stage = await idleStage();
    const orders = await withOrders(stage, "O1");
    await stage.advance(MINUTES_5 - 1);
    assert.equal(stage.session.state.status, "ready");
    await stage.advance(60_000);
    const off = { status: "off", reason: "idle", aliveAt: undefined };
    assert.deepEqual({ ...stage.session.state, aliveAt: undefined }, off);
    assert.equal(stage.shown().row, "TESTNET · disconnected while idle");
    assert.match(
      stage.shown().sentences,
      /Disconnected after a period of inactivity\. It reconnects automatically when you use it\./,
    );
    const cancel = orders.cancel("O1");
    await stage.until(() => cancel.isSettled, "it connects and cancels");
    assert.equal(cancel.value?.kind, "confirmed");
    assert.equal(stage.dials, 2);
    await stage.end();
  });

  test("live views don't count as use, actions of the user do", async () => {
    const stage = await idleStage();
    const orders = await withOrders(stage, "O1");
    await stage.advance(4 * 60_000);
    await stage.live().use();
    for (let minute = 0; minute < 4; minute++) {
      stage.wire.connection.event("user.orders.any.any.raw", JSON.stringify(orders.byId.get("O1")));
      await stage.advance(60_000);
    }
    assert.equal(stage.session.state.status, "ready");
    await stage.advance(2 * 60_000);
    assert.equal(stage.session.state.status, "off");
    await stage.end();
  });

  test("an outcome that is unknown keeps it", async () => {
    const stage = await idleStage();
    const orders = await withOrders(stage, "O1");
    orders.onCancel = () => "silence";
    stage.server.on("private/get_order_state", () => "silence");
    stage.server.on("private/get_open_orders", () => "silence");
    const cancel = orders.cancel("O1");
    await stage.advance(15_000);
    assert.equal(cancel.value?.kind, "unknown");
    await stage.advance(60 * 60_000);
    assert.equal(stage.session.state.status, "ready");
    await stage.end();
  });

  test("comes back as the same account only", async () => {
    const stage = await idleStage();
    await withOrders(stage, "O1");
    await stage.advance(MINUTES_5 + 60_000);
    stage.server.userId = 7002;
    await stage.live().use();
    assert.equal(stage.session.state.status, "locked");
    await stage.end();
  });
});
