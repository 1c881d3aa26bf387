import assert from "node:assert/strict";
import { test } from "vitest";
import { responseShare } from "../../../../src/present/requests/responseWidth.ts";

test("the column of a response is as wide as its lines need beside those of the request, within bounds", () => {
  const lines = (length: number): string => `{\n${"x".repeat(length)}\n}`;
  assert.equal(responseShare(lines(50), lines(50)), 0.5);
  assert.equal(responseShare(lines(40), lines(60)), 0.6);
  assert.equal(responseShare(lines(10), lines(100)), 0.65);
  assert.equal(responseShare(lines(100), lines(10)), 0.4);
  // What is longer than a column can be wraps, and counts no more.
  assert.equal(responseShare(lines(120), lines(5000)), 0.5);
  assert.equal(responseShare("", ""), 0.4);
});
