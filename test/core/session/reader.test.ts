import assert from "node:assert/strict";
import { test } from "vitest";
import type { Reader } from "../../../src/session/session.ts";

/** What a store could try with what it is given. Never called: that it is written down is the test. */
export async function storeThatWrites(reader: Reader): Promise<void> {
  // @ts-expect-error A store's reader does not take a method that changes something.
  await reader.read("private/cancel", { order_id: "1" });
  // @ts-expect-error Nor an undescribed method.
  await reader.read("private/withdraw", {});
  // @ts-expect-error Nor wrong parameters of one that it may call.
  await reader.read("private/get_open_orders", { kind: "futures" });
  await reader.read("private/get_open_orders", { kind: "future" });
}

test("a store that writes does not compile", () => {
  // The type check fails when one of the lines above compiles; this keeps the file in the run.
  assert.equal(typeof storeThatWrites, "function");
});
