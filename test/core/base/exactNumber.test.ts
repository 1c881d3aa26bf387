import assert from "node:assert/strict";
import { test } from "vitest";
import { productOf, quotientOf, sumOf } from "../../../src/base/exactNumber.ts";

test("sums and products lose no digit", () => {
  assert.equal(sumOf("0.1", "0.2"), "0.3");
  assert.equal(sumOf("9007199254740993", "1e-8"), "9007199254740993.00000001");
  assert.equal(sumOf("0.3", "0.1", -1), "0.2");
  assert.equal(sumOf("1", "2.5", -1), "-1.5");
  assert.equal(productOf("9007199254740993", "3"), "27021597764222979");
  assert.equal(productOf("0.1", "0.20"), "0.02");
  assert.equal(productOf("1e-8", "50000"), "0.0005");
  assert.equal(productOf("0", "1.5"), "0");
  assert.equal(productOf("x", "1"), undefined);
});

test("a quotient is cut, and says so", () => {
  assert.deepEqual(quotientOf("100", "50000", 8), { text: "0.002", isExact: true });
  assert.deepEqual(quotientOf("10", "3", 4), { text: "3.3333", isExact: false });
  assert.deepEqual(quotientOf("0.1", "0.3", 2), { text: "0.33", isExact: false });
  assert.deepEqual(quotientOf("1e-8", "2", 8), { text: "0", isExact: false });
  assert.equal(quotientOf("1", "0", 8), undefined);
});
