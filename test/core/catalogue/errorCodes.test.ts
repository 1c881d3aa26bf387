import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { isSecondFactor } from "../../../src/catalogue/codes.ts";
import { describeErrorCode, errorVerdict, readRetryOf } from "../../../src/catalogue/errorCodes.ts";
import { ERROR_ROWS } from "../../../src/catalogue/errorTable.ts";
import { effectOf } from "../../../src/catalogue/index.ts";

describe("the table of error codes", () => {
  test("holds the exchange's codes, older ones, those of the gateway, and that of a replay; only 13907 stands twice", () => {
    const counts = new Map<number, number>();
    for (const { code } of ERROR_ROWS) counts.set(code, (counts.get(code) ?? 0) + 1);
    assert.equal(ERROR_ROWS.length, 176);
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

describe("what an error proves about a change", () => {
  /** Verdicts of a code for calls of a method; the parameters are those that the verdict may rest on. */
  const verdict = (method: string, code: number, message = "", params: object = {}): string =>
    errorVerdict({ code, message }, { method, effect: effectOf(method), params: { ...params } });

  const cases: readonly (readonly [string, string, readonly number[]])[] = [
    // Validation, rights, and passing states, whatever is changed.
    [
      "refused",
      "private/cancel",
      [-32602, -32601, 13004, 13009, 13021, 13403, 10000, 10040, 10041, 10047, 10048, 10050],
    ],
    [
      "refused",
      "private/remove_api_key",
      [13004, 13009, 13020, 13021, 13025, 13403, 13503, 13668, 12998, 13904, 10066],
    ],
    ["refused", "private/withdraw", [10009, 11090, 11096, 12100, 13009, 13020, 13503, 11056, 11051]],
    ["refused", "private/create_subaccount", [12001, 12002, 13012]],
    ["refused", "public/exchange_token", [-32602, -32601, 13004, 13009, 13021, 13403]],
    // Codes that only older clients know.
    ["refused", "private/edit_api_key", [9999, 12000, 12999, 13000, 13001, 13002, 13003]],
    // Orders: terms, the book, funds, the instrument; spot that is routed; isolated margin.
    [
      "refused",
      "private/buy",
      [10002, 10003, 10005, 10008, 10009, 10012, 10018, 10027, 10043, 11030, 11035, 13019, 13020],
    ],
    ["refused", "private/buy", [11055, 11059, 11060, 13922, 14020, 14033, 14034, 13666]],
    ["refused", "private/edit", [10010, 10011, 11044, 13777]],
    // Nothing is said about the order itself, or about other requests.
    ["requestRefused", "private/cancel", [10004, 10028, 10029]],
    ["requestRefused", "private/edit", [10004, 10028, 10029, 11054]],
    ["requestRefused", "private/buy", [10028]],
    // No source says that nothing was done.
    ["unknown", "private/buy", [-32603, 10001, 11031, 11094, 13008, 13028, 77_777, 13404]],
    ["unknown", "private/remove_api_key", [-32603, 10001, 11031, 11094, 13008, 13028, 77_777]],
    // Sources speak of orders alone.
    ["unknown", "private/edit_api_key", [10004, 10029, 10043, 11054, 14033]],
    ["unknown", "private/invented_by_a_later_version", [10001, 77_777]],
    // The server does not have the method (JSON-RPC 2.0, section 5.1).
    ["refused", "private/cancel_all", [-32601]],
    ["refused", "private/cancel_all_block_rfq_quotes", [-32601]],
    ["refused", "private/mass_quote", [-32601]],
    // Part of it may have been made.
    ["unknown", "private/cancel_all", [-32602, 10004, 10028, 13009, 13021]],
    ["unknown", "private/cancel_all_block_rfq_quotes", [-32602, 13009, 13021]],
    ["unknown", "private/mass_quote", [10009, 13043, 13888]],
    ["unknown", "private/move_positions", [-32602, 10009, 13780]],
  ];
  for (const [expected, method, codes] of cases)
    test(`${method}: ${codes.join(", ")}: ${expected}`, () => {
      for (const code of codes) assert.equal(verdict(method, code), expected, String(code));
    });

  test("a code that stands twice is told apart by the first word of its message, and proves nothing with another", () => {
    const method = "private/create_block_rfq";
    assert.equal(verdict(method, 13907, "too_many_open_block_rfqs 20"), "refused");
    for (const message of ["not_fully_filled", "something_new", "", "too_many_open_block_rfqs_today"])
      assert.equal(verdict(method, 13907, message), "unknown", message);
  });

  test("the words of a code that stands once may be others", () => {
    assert.equal(verdict("private/buy", 11060, "not_supported_for_csr_spot"), "refused");
    assert.equal(verdict("private/buy", -32601, "method not in allowlist"), "refused");
  });

  test("too late for valid_until is a refusal of a request that carries it alone", () => {
    assert.equal(verdict("private/buy", 13888, "timed_out", { valid_until: 1_790_000_000_000 }), "refused");
    for (const params of [{}, { valid_until: null }])
      assert.equal(verdict("private/buy", 13888, "timed_out", params), "unknown");
  });

  test("no code proves anything about several objects, and none says so without a source", () => {
    for (const row of ERROR_ROWS) {
      assert.ok(!row.effects.includes("mass") && !row.effects.includes("read"), row.name);
      assert.equal(row.source === "none", row.verdict === "unknown", row.name);
      assert.equal(row.effects.length === 0, row.verdict === "unknown", row.name);
    }
  });

  test("three codes without the ID of a request leave everything in flight unknown", () => {
    const codes = ERROR_ROWS.filter(({ endsAllWithoutId }) => endsAllWithoutId === true).map(({ code }) => code);
    assert.deepEqual(
      codes.sort((one, other) => one - other),
      [-32600, 10028, 11051],
    );
  });
});
