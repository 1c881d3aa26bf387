import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createOrderReads, type OrderReads, type ReconcilerPorts } from "../../../src/actions/proof/orderReads.ts";
import { CallError } from "../../../src/base/failure.ts";
import { createFakeClock } from "../../fakeClock.ts";

function readsOf(result: unknown): OrderReads {
  const session = {
    state: { status: "off" },
    reader: { readResponse: async () => await Promise.resolve({ result }) },
  } as unknown as ReconcilerPorts["session"];
  return createOrderReads({ session, clock: createFakeClock() });
}

const NEVER = new AbortController().signal;

describe("what the list of open orders says of an order", () => {
  test("its own row counts by id and state, whatever else is in it and in other rows", async () => {
    const reads = readsOf([
      { order_state: "open" },
      7,
      null,
      { order_id: "a", order_state: "open", amount: {}, trigger_offset: null },
      { order_id: "b" },
    ]);
    assert.deepEqual(await reads.read("list", "a", NEVER), { kind: "open", state: "open" });
    assert.deepEqual(await reads.read("list", "b", NEVER), { kind: "open", state: "open" });
    assert.deepEqual(
      [...(await reads.readOpen([])).states],
      [
        ["a", "open"],
        ["b", "open"],
      ],
    );
  });

  test("that it is not there is proved only where every row names an order", async () => {
    assert.deepEqual(await readsOf([{ order_id: "a", order_state: "open" }]).read("list", "x", NEVER), {
      kind: "absent",
    });
    for (const row of [{ order_state: "open" }, { order_id: null }, 7]) {
      await assert.rejects(
        readsOf([{ order_id: "a", order_state: "open" }, row]).read("list", "x", NEVER),
        (error: unknown) => error instanceof CallError && error.failure.kind === "unreadableResult",
      );
      assert.equal((await readsOf([row]).readOpen(["x"])).isWhole("x"), false);
    }
  });
});
