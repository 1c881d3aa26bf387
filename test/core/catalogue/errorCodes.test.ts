import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { isSecondFactor } from "../../../src/catalogue/codes.ts";
import { definitiveRefusals, describeErrorCode, readRetryOf } from "../../../src/catalogue/errorCodes.ts";
import { ERROR_ROWS } from "../../../src/catalogue/errorTable.ts";

describe("the table of error codes", () => {
  test("holds the exchange's codes, and that of a replay; only 13907 stands twice", () => {
    const counts = new Map<number, number>();
    for (const { code } of ERROR_ROWS) counts.set(code, (counts.get(code) ?? 0) + 1);
    assert.equal(ERROR_ROWS.length, 161);
    assert.deepEqual(
      [...counts].filter(([, count]) => count > 1),
      [[13907, 2]],
    );
  });

  test("has a whole sentence of meaning and of advice for each row", () => {
    for (const { code, name } of ERROR_ROWS) {
      const description = describeErrorCode(code, name);
      assert.equal(description?.name, name);
      assert.match(description.meaning, /^\S.*[^.]\.$/, name);
      assert.match(description.advice, /^\S.*[^.]\.$/, name);
      assert.doesNotMatch(name, /[<>]/);
    }
  });

  test("has no description of an undocumented code", () => {
    assert.equal(describeErrorCode(77_777, "whatever"), undefined);
  });

  const byMessage: readonly (readonly [number, string, string])[] = [
    [13907, "not_fully_filled", "not_fully_filled"],
    [13907, "too_many_open_block_rfqs", "too_many_open_block_rfqs"],
    [13907, "something new", "not_fully_filled"],
    [10005, "price_too_low 1234.5", "price_too_low"],
    [10005, "", "price_too_low"],
  ];
  for (const [code, message, name] of byMessage) {
    test(`${String(code)} "${message}" is ${name}`, () => assert.equal(describeErrorCode(code, message)?.name, name));
  }

  test("gives the errors that a user meets advice of their own", () => {
    const generic = new Set([10001, 10040, 10066].map((code) => describeErrorCode(code, "")?.advice));
    for (const code of [13009, 13004, 13021, 13403, 10004, 10010, 10028, 11050, 13668, -32601, -32602, 10009]) {
      const advice = describeErrorCode(code, "")?.advice;
      assert.ok(advice !== undefined && !generic.has(advice), String(code));
    }
  });
});

describe("what may follow an error of a read", () => {
  const cases: readonly (readonly [number, string])[] = [
    [10028, "afterWait"],
    [12998, "afterWait"],
    [10047, "soon"],
    [11051, "soon"],
    [13009, "reauthenticate"],
    [10000, "reauthenticate"],
    [13668, "secondFactor"],
    [13004, "never"],
    [13021, "never"],
    [-32602, "never"],
    [77_777, "never"],
  ];
  for (const [code, retry] of cases) test(`${String(code)}: ${retry}`, () => assert.equal(readRetryOf(code), retry));
});

test("codes of the second factor: a wrong code, too many, none set up", () => {
  const codes = ERROR_ROWS.map(({ code }) => code).filter(isSecondFactor);
  assert.deepEqual(codes, [12998, 13668, 13904]);
});

describe("codes that prove that nothing was done", () => {
  const cases: readonly (readonly [string, readonly number[]])[] = [
    ["private/cancel", [-32602, -32601, 10004, 10010, 10011, 11044, 13009, 13021]],
    ["private/cancel_block_rfq_quote", [-32602, -32601, 10004, 10010, 10011, 11044, 13009, 13021]],
    ["private/cancel_all_block_rfq_quotes", [-32602, -32601, 13009, 13021]],
    ["private/edit_api_key", [-32602, -32601, 12998, 13009, 13021, 13403, 13668, 13904]],
    ["public/exchange_token", [-32602, -32601, 13004, 13009, 13021, 13403]],
    ["private/invented", [-32602, -32601, 13009, 13021]],
  ];
  for (const [method, codes] of cases) {
    test(method, () =>
      assert.deepEqual(
        [...definitiveRefusals(method)].sort((a, b) => a - b),
        codes,
      ),
    );
  }

  test("an order that is not taken was not placed or changed; an error of the server says nothing", () => {
    for (const method of ["private/buy", "private/sell", "private/edit", "private/edit_by_label"]) {
      const proofs = definitiveRefusals(method);
      // No funds, a wrong tick, post-only, later than `valid_until`; then no more details, a pause, too many requests.
      for (const code of [10009, 10043, 11054, 13888]) assert.ok(proofs.has(code), `${method} ${code}`);
      for (const code of [10001, 10041, 10028, 11094]) assert.ok(!proofs.has(code), `${method} ${code}`);
    }
  });
});
