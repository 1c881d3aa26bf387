import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createPendingCalls, type PendingCall, type PendingCalls } from "../../../src/rpc/pendingCalls.ts";
import { createFakeClock } from "../../fakeClock.ts";

/** A call that says its own id when it fails. */
function add(calls: PendingCalls, wireId: number, { timeoutMs = 1000, failed = [] as number[] } = {}): PendingCall {
  const call: PendingCall = {
    wireId,
    method: "public/test",
    sentAtMs: 0,
    startedAtMs: 0,
    timeoutMs,
    signal: undefined,
    wantsOrders: undefined,
    resolve: () => undefined,
    reject: () => void failed.push(wireId),
  };
  calls.add(call);
  return call;
}

describe("calls that wait for their responses", () => {
  test("are found by their own ids, however far these are apart", () => {
    const calls = createPendingCalls(createFakeClock());
    const ids = [3, 259, 515, 3 + 256 * 1000, 4, 2 ** 40 + 3];
    const added = ids.map((wireId) => add(calls, wireId));
    assert.equal(calls.count, ids.length);
    assert.equal(calls.take(771), undefined);
    const found = ids.map((wireId) => calls.take(wireId));
    assert.deepEqual(found, added);
    assert.equal(calls.count, 0);
    assert.equal(calls.take(3), undefined);
  });

  test("an old one is still found after thousands of later ones have come and gone", () => {
    const calls = createPendingCalls(createFakeClock());
    const old = add(calls, 5);
    for (let wireId = 6; wireId < 5000; wireId++) assert.equal(calls.take(add(calls, wireId).wireId)?.wireId, wireId);
    assert.equal(calls.take(5), old);
  });

  test("fail in the order in which they were made, each once", () => {
    const calls = createPendingCalls(createFakeClock());
    const failed: number[] = [];
    for (const wireId of [254, 255, 256, 257, 510, 511]) add(calls, wireId, { failed });
    calls.take(256);
    calls.failAll({ kind: "notConnected" });
    assert.deepEqual(failed, [254, 255, 257, 510, 511]);
    assert.equal(calls.count, 0);
    calls.failAll({ kind: "notConnected" });
    assert.equal(failed.length, 5);
  });

  test("are given up when their time is over, and can then still be told from strangers", async () => {
    const clock = createFakeClock();
    const calls = createPendingCalls(clock);
    const failed: number[] = [];
    add(calls, 1, { timeoutMs: 1000, failed });
    add(calls, 257, { timeoutMs: 500, failed });
    await clock.advance(500);
    assert.deepEqual(failed, [257]);
    assert.equal(calls.take(257), undefined);
    assert.equal(calls.takeGivenUp(257)?.wireId, 257);
    await clock.advance(500);
    assert.deepEqual(failed, [257, 1]);
    assert.equal(calls.count, 0);
  });
});
