import assert from "node:assert/strict";
import { describe, test } from "vitest";
import * as fc from "fast-check";
import { toFailure } from "../../../src/base/failure.ts";
import { checkParamsText } from "../../../src/session/createSession.ts";
import { runs } from "../../sizes.ts";

function failureOf(paramsText: string): unknown {
  try {
    checkParamsText(paramsText);
    return undefined;
  } catch (thrown) {
    return toFailure(thrown);
  }
}

const names = fc.constantFrom(
  '"a"',
  '"order_id"',
  '"access_token"',
  '"__proto__"',
  '"access_tokens"',
  '"\\u0061"',
  "a",
);
const values = fc.constantFrom(
  ...['"x"', '"BTC-1.5, a:b"', '"a"b"', '"a\\"', '"\n"', '"é"', '"{}"', '""'],
  ...["1", "-1.50", "01", "1.", "1e9", "--1", "123456789012345678901", "true", "null", "{}", "[]", "truex", ""],
);
const members = fc.tuple(names, values).map(([name, value]) => `${name}:${value}`);
const texts = fc.array(members, { maxLength: 2 }).map((all) => `{${all.join(",")}}`);

describe("the parameters of a call", () => {
  test("one plain member is judged as it is with a space behind it, which has the whole text read", () => {
    let taken = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const failure = failureOf(text);
        if (failure === undefined) taken++;
        assert.deepEqual(failure, failureOf(`${text} `));
      }),
      { numRuns: runs(10_000) },
    );
    assert.ok(taken > 100, `only ${String(taken)} were taken`);
  });

  test("a token of someone else is refused", () => {
    for (const text of ['{"access_token":"x"}', '{"access_token":1}', '{"a":1,"access_token":"x"}'])
      assert.match(JSON.stringify(failureOf(text)), /access token/, text);
  });
});
