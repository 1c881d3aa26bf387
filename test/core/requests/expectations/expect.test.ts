import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import type { Outcome } from "../../../../src/actions/judge/outcome.ts";
import { compareNumbers } from "../../../../src/base/decimal.ts";
import { checkExpectations } from "../../../../src/requests/expectations/expect.ts";
import { expectationProblems } from "../../../../src/requests/expectations/expectationProblems.ts";
import type { Expectation } from "../../../../src/requests/file/file.ts";
import { compilePattern } from "../../../../src/requests/text/pattern.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import type { Lookup } from "../../../../src/requests/values/variables.ts";
import { responseOf, errorOf } from "../fakeGate.ts";
import { runs } from "../../../sizes.ts";

function fileWith(expect: string): string {
  return `{ "method": "public/test",\n "$run": { "expect": ${expect} } }`;
}

function expectation(expect: string): Expectation {
  const found = scanRequests(fileWith(expect)).requests[0]?.run.expect;
  assert.ok(found !== undefined);
  return found;
}

function answered(
  bodyText: string,
  method = "public/test",
): { readonly intent: { readonly method: string }; readonly outcome: Outcome } {
  return {
    intent: { method },
    outcome: { kind: "confirmed", response: responseOf(method, bodyText, { result: JSON.parse(bodyText) }) },
  };
}

/** Failures of a result, as sentences, with the text that they are about. */
function failures(expect: string, bodyText: string, lookup?: Lookup): string[] {
  const file = fileWith(expect);
  return checkExpectations(expectation(expect), answered(bodyText), lookup).map(
    ({ message, range, severity }) =>
      `${severity === "error" ? "" : "~"}${message} ‹${file.slice(range.start, range.end)}›`,
  );
}

const values: Lookup = (path) => {
  const valueText = new Map([
    ["price", "0.10"],
    ["id", '"ETH-1"'],
    ["order", '{"order_id":"ETH-1","$gt":1}'],
    ["shape", '"^ETH"'],
  ]).get(path);
  return valueText === undefined ? undefined : { valueText, source: { kind: "file" }, shadowed: [] };
};

describe("an expectation of the result", () => {
  const body =
    '{"order_id":"ETH-1","price":0.10,"amount":9007199254740993,"tags":["a","b"],"nested":{"ok":true,"none":null},"small":1e-8}';
  const held = [
    "{}",
    '{ "ok": true }',
    '{ "result": { "price": 0.1, "amount": 9007199254740993, "small": 0.00000001 } }',
    '{ "result": { /* c */ "nested": { "none": null, }, } }',
    '{ "result": { "tags": ["a", { "$match": "^b$" }] } }',
    '{ "result": { "price": { "$gt": 0.09999999999999999999, "$lte": 0.10 }, "amount": { "$gt": 9007199254740992 } } }',
    '{ "result": { "tags": { "$len": 2 }, "order_id": { "$len": { "$gte": 5 } } } }',
    '{ "result": { "tags": { "$type": "array" }, "nested": { "$type": "object" }, "price": { "$type": "number" } } }',
    '{ "result": { "missing": { "$absent": true }, "price": { "$absent": false } } }',
    '{ "result": { "order_id": { "$in": ["ETH-0", "ETH-1"] }, "price": { "$not": 0.11 } } }',
    '{ "result": { "order_id": "{{id}}", "price": "{{price}}", "tags": { "$not": ["{{id}}"] } } }',
    '{ "result": { "order_id": { "$match": "{{shape}}" }, "price": { "$gte": "{{price}}" } } }',
    '{ "maxMs": 41 }',
  ];
  for (const expect of held) test(`holds: ${expect}`, () => assert.deepEqual(failures(expect, body, values), []));

  const missed: readonly [string, string][] = [
    ['{ "ok": false }', `ok: expected false, got true. ‹false›`],
    [
      '{ "result": { "amount": 9007199254740992 } }',
      "result.amount: expected 9007199254740992, got 9007199254740993. ‹9007199254740992›",
    ],
    ['{ "result": { "price": "0.1" } }', 'result.price: expected "0.1", got 0.10. ‹"0.1"›'],
    ['{ "result": { "tags": ["a"] } }', 'result.tags: expected 1 elements, got 2 elements. ‹["a"]›'],
    ['{ "result": { "tags": ["a", "c"] } }', 'result.tags[1]: expected "c", got "b". ‹"c"›'],
    ['{ "result": { "nested": { "deep": 1 } } }', "result.nested.deep: expected 1, got nothing. ‹1›"],
    ['{ "result": { "price": { "$gt": 0.1 } } }', "result.price: expected $gt 0.1, got 0.10. ‹0.1›"],
    ['{ "result": { "order_id": { "$gt": 0 } } }', 'result.order_id: expected $gt 0, got "ETH-1". ‹0›'],
    ['{ "result": { "tags": { "$len": 3 } } }', "result.tags: expected $len 3, got a length of 2. ‹3›"],
    [
      '{ "result": { "order_id": { "$len": { "$gt": 9 } } } }',
      'result.order_id: expected $len { "$gt": 9 }, got a length of 5. ‹{ "$gt": 9 }›',
    ],
    ['{ "result": { "gone": { "$len": 0 } } }', "result.gone: expected $len 0, got nothing. ‹0›"],
    ['{ "result": { "price": { "$absent": true } } }', "result.price: expected $absent true, got 0.10. ‹true›"],
    ['{ "result": { "price": { "$not": 0.1 } } }', "result.price: expected $not 0.1, got 0.10. ‹0.1›"],
    ['{ "result": { "order_id": { "$in": ["a"] } } }', 'result.order_id: expected $in ["a"], got "ETH-1". ‹["a"]›'],
    [
      '{ "result": { "order_id": { "$match": "^BTC" } } }',
      'result.order_id: expected $match "^BTC", got "ETH-1". ‹"^BTC"›',
    ],
    ['{ "result": { "order_id": "{{price}}" } }', 'result.order_id: expected 0.10, got "ETH-1". ‹"{{price}}"›'],
    ['{ "result": { "order_id": { "$not": "{{absent}}" } } }', 'absent has no value here. ‹"{{absent}}"›'],
    ['{ "result": { "order_id": { "$in": ["{{absent}}", "ETH-1"] } } }', 'absent has no value here. ‹"{{absent}}"›'],
    ['{ "result": { "nested": "{{order}}" } }', 'result.nested.order_id: expected "ETH-1", got nothing. ‹"{{order}}"›'],
    [
      '{ "result": { "a": { "$lots": 1 } } }',
      "$lots is not a comparison operator. Use one of $gt, $gte, $lt, $lte, $len, $type, $match, $in, $absent, $not, without other properties in the same object. ‹1›",
    ],
    ['{ "maxMs": 40 }', "maxMs: expected up to 40 ms, got 41 ms. ‹40›"],
    [
      '{ "error": { "code": 1 } }',
      'error: expected { "code": 1 }, got a result: ' + `${body.slice(0, 120)}… ‹{ "code": 1 }›`,
    ],
    ['{ "results": 1 }', 'results is not a supported expectation. ‹"results"›'],
  ];
  for (const [expect, first] of missed)
    test(`does not hold: ${expect}`, () => assert.equal(failures(expect, body, values)[0], first));

  test("what is filled in is a value: no comparison comes from a response", () => {
    assert.deepEqual(failures('{ "result": "{{order}}" }', '{"order_id":"ETH-1","$gt":1}', values), []);
    assert.equal(failures('{ "result": "{{order}}" }', "5", values).length, 1);
  });

  test("texts from outside are plain and short", () => {
    const [failure] = checkExpectations(
      expectation('{ "result": "a" }'),
      answered(JSON.stringify(`\u202E$(x)${"y".repeat(500)}`)),
    );
    assert.match(failure?.actual ?? "", /^"\\u202E\$ \(x\)y+…$/);
    assert.ok((failure?.message.length ?? 0) < 200);
  });

  for (const [what, method, body, expected] of [
    ["a documented result of another type", "public/ticker", "5", ["~result: expected an object, got 5."]],
    [
      "a member of another type in it",
      "public/ticker",
      '{"best_bid_price":"x","stats":{"high":null},"new":1}',
      ['~result.best_bid_price: expected a number, got "x".'],
    ],
    ["a documented result", "public/ticker", '{"best_bid_price":1,"stats":{"high":null}}', []],
    [
      "a result that is documented nowhere",
      "public/get_new_thing",
      "5",
      ["~schema: the result of public/get_new_thing isn't documented, so nothing was checked."],
    ],
  ] as const)
    test(`the shape of ${what}`, () => {
      const found = checkExpectations(expectation('{ "schema": true }'), answered(body, method));
      assert.deepEqual(
        found.map(({ severity, message }) => `${severity === "warning" ? "~" : ""}${message}`),
        expected,
      );
    });

  test("a shape that is not the known one only warns", () => {
    const found = checkExpectations(
      expectation('{ "schema": true }'),
      answered('{"orders":5}', "private/get_open_orders"),
    );
    assert.deepEqual(
      found.map(({ severity, path }) => [severity, path[0]]),
      [["warning", "result"]],
    );
  });
});

describe("an expectation of an error", () => {
  const { response, failure } = errorOf("private/cancel", 10004, "order_not_found");
  const rejected = { intent: { method: "private/cancel" }, outcome: { kind: "rejected", response, failure } } as const;
  const messages = (expect: string): string[] =>
    checkExpectations(expectation(expect), rejected).map(({ message }) => message);

  test("its code and a pattern of its message", () => {
    assert.deepEqual(messages('{ "ok": false, "error": { "code": 10004, "message~": "not_f.*d$" } }'), []);
    assert.deepEqual(messages('{ "error": { "code": { "$in": [10004, 10010] } } }'), []);
    assert.deepEqual(messages('{ "error": { "code": 10010 } }'), ["error.code: expected 10010, got 10004."]);
    assert.deepEqual(messages('{ "error": { "message~": "^found" } }'), [
      'error.message: expected $match "^found", got "order_not_found".',
    ]);
  });

  test("a result was wanted", () => {
    assert.deepEqual(messages('{ "ok": true, "result": [] }'), [
      'ok: expected true, got false: {"code":10004,"message":"order_not_found"}.',
      'result: expected [], got an error: {"code":10004,"message":"order_not_found"}.',
    ]);
  });

  test("without a response nothing holds", () => {
    const failed = {
      intent: { method: "public/test" },
      outcome: { kind: "failed", failure: { kind: "timeout", timeoutMs: 1 }, response: undefined },
    } as const;
    const found = checkExpectations(expectation("{}"), failed).map(({ message }) => message);
    assert.deepEqual(found, ["Expected a response, got nothing."]);
  });
});

describe("mistakes of an expectation", () => {
  const cases: readonly [string, string][] = [
    ['{ "status": 1 }', '"status"'],
    ['{ "ok": "yes" }', '"yes"'],
    ['{ "error": 5 }', "5"],
    ['{ "error": { "message": "x" } }', '"message"'],
    ['{ "error": { "message~": "(" } }', '"("'],
    ['{ "result": { "a": { "$gt": "5" } } }', '"5"'],
    ['{ "result": { "a": { "$gt": 1, "b": 2 } } }', '"b"'],
    ['{ "result": [{ "$lots": 1 }] }', '"$lots"'],
    ['{ "result": { "a": { "$type": "text" } } }', '"text"'],
    ['{ "result": { "a": { "$match": "(a)\\\\1" } } }', '"(a)\\\\1"'],
    ['{ "result": { "a": { "$in": 5 } } }', "5"],
    ['{ "result": { "a": { "$in": [{ "$absent": 1 }] } } }', "1"],
    ['{ "result": { "a": { "$not": { "$len": [] } } } }', "[]"],
    ['{ "schema": 1 }', "1"],
    ['{ "maxMs": true }', "true"],
  ];
  for (const [expect, at] of cases) {
    test(expect, () => {
      const file = fileWith(expect);
      const [problem, ...others] = expectationProblems(expectation(expect));
      assert.ok(problem !== undefined && problem.message !== "");
      assert.equal(file.slice(problem.range.start, problem.range.end), at);
      assert.deepEqual(others, []);
    });
  }

  test("placeholders may become anything", () => {
    assert.deepEqual(
      expectationProblems(
        expectation(
          '{ "maxMs": "{{max}}", "result": { "a": { "$gt": "{{b}}", "$in": "{{c}}", "$match": "{{d}}", "$type": "{{e}}" } } }',
        ),
      ),
      [],
    );
  });
});

describe("numbers", () => {
  const rows: readonly [string, string, number][] = [
    ["9007199254740993", "9007199254740992", 1],
    ["1.0", "1", 0],
    ["1e2", "100", 0],
    ["-0.0", "0", 0],
    ["0.10", "1E-1", 0],
    ["-2", "1", -1],
    ["-2", "-3", 1],
    ["1e400000000000", "1e399999999999", 1],
    ["123456789012345678901234567890.1", "123456789012345678901234567890.10", 0],
    ["99", "100", -1],
    ["0.05", "0.1", -1],
  ];
  for (const [left, right, expected] of rows) {
    test(`${left} and ${right}`, () => {
      assert.equal(compareNumbers(left, right), expected);
      assert.equal(compareNumbers(right, left), expected === 0 ? 0 : -expected);
    });
  }

  test("whole numbers in any writing are ordered as big integers are", () => {
    const whole = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(5));
    fc.assert(
      fc.property(whole, whole, ([a, zerosOfA], [b, zerosOfB]) => {
        const written = (value: bigint, zeros: number): string =>
          zeros === 0 ? String(value) : `${String(value)}.${"0".repeat(zeros)}`;
        assert.equal(
          Math.sign(compareNumbers(written(a, zerosOfA), `${String(b)}e${String(zerosOfB)}`)),
          a < b * 10n ** BigInt(zerosOfB) ? -1 : a > b * 10n ** BigInt(zerosOfB) ? 1 : 0,
        );
      }),
    );
  });
});

describe("patterns", () => {
  test("mean what they mean elsewhere", () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      ".",
      "[ab]",
      "[^a]",
      "\\w",
      "\\d",
      "\\.",
      "^",
      "$",
      "x",
      "(?:ab|b)",
      "(a|)",
      "",
    );
    const times = fc.constantFrom("", "", "*", "+", "?", "{2}", "{0,2}", "{1,}");
    const part = fc.tuple(atom, times).map(([one, sign]) => (["", "^", "$"].includes(one) ? one : one + sign));
    const pattern = fc
      .array(
        fc.array(part, { maxLength: 4 }).map((parts) => parts.join("")),
        { minLength: 1, maxLength: 3 },
      )
      .map((rows) => rows.join("|"));
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom("a", "b", "x", ".", "1", "é", "😀"), maxLength: 8 }),
        (source, text) => {
          const compiled = compilePattern(source);
          assert.ok("matches" in compiled, source);
          assert.equal(compiled.matches(text), new RegExp(source, "u").test(text), `${source} on ${text}`);
        },
      ),
      { numRuns: runs(2000) },
    );
  });

  test("what cannot be followed in all its ways at once is none of the language", () => {
    for (const source of [
      "(a)\\1",
      "(?=a)",
      "(?<=a)b",
      "(?<n>a)",
      "\\bx",
      "a**",
      "a{2",
      "[b-a]",
      "(",
      ")",
      "*",
      "\\",
      "x".repeat(257),
      "((a{99}){99}){99}",
      "(((){999}){999}){999}{999}",
    ]) {
      const compiled = compilePattern(source);
      assert.ok("problem" in compiled && compiled.problem !== "", source);
    }
    assert.ok("matches" in compilePattern("(((){999}){999}){999}"));
  });

  test("no pattern takes long: each place is visited once for each character", () => {
    const compiled = compilePattern("^(a+)+(a|a)*(a*a*a*a*)*b$");
    assert.ok("matches" in compiled);
    // Followed one way after the other, this would not end.
    assert.equal(compiled.matches("a".repeat(10_000)), false);
    assert.equal(compiled.matches(`${"a".repeat(10_000)}b`), true);
    assert.equal(compiled.matches("b".repeat(65_537)), false);
  });
});
