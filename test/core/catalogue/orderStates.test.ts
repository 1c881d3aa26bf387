import assert from "node:assert/strict";
import { test } from "vitest";
import { isEndState, isOpenState, ORDER_STATES } from "../../../src/catalogue/orderStates.ts";

test("each known state of an order is open or an end, and an unknown one is neither", () => {
  assert.deepEqual(ORDER_STATES.filter(isOpenState), ["open", "untriggered"]);
  assert.deepEqual(ORDER_STATES.filter(isEndState), ["filled", "rejected", "cancelled", "triggered", "archive"]);
  for (const state of ["frozen", "", undefined]) assert.ok(!isOpenState(state) && !isEndState(state));
});
