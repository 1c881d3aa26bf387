import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { pureJson } from "../../../../src/requests/text/pureJson.ts";
import { jsoncDocument } from "../jsonc.ts";
import { runs } from "../../../sizes.ts";

describe("pure JSON", () => {
  const cases: readonly [string, string][] = [
    ["{}", "{}"],
    ['{ // why\n "a" : [ 1 , 2 , ] , /* and */ }', '{"a":[1,2]}'],
    [
      '{"a":1e-8,"b":0.10,"c":9007199254740993,"d":-0.0,"e":1E400}',
      '{"a":1e-8,"b":0.10,"c":9007199254740993,"d":-0.0,"e":1E400}',
    ],
    [
      "[123456789012345678901234567890, 50000.50, 6.4e4, 1.64e-06]",
      "[123456789012345678901234567890,50000.50,6.4e4,1.64e-06]",
    ],
    [
      '["\\u00e9\\/ \\n é // not a comment /* nor this */ ,]"]',
      '["\\u00e9\\/ \\n é // not a comment /* nor this */ ,]"]',
    ],
    ['["\\uD800", "\uD83D\uDE00"]', '["\\uD800","\uD83D\uDE00"]'],
    ["[true, false, null]", "[true,false,null]"],
  ];
  for (const [text, expected] of cases) {
    test(text, () => {
      assert.equal(pureJson(text), expected);
    });
  }

  test("means the same as the text it was made of, and is JSON", () => {
    fc.assert(
      fc.property(jsoncDocument, (text) => {
        // __proto__ is a name like any other to JSON, and not to the parser that is compared with.
        fc.pre(!text.includes("__proto__"));
        assert.deepEqual(JSON.parse(pureJson(text)), parse(text, [], { allowTrailingComma: true }));
        assert.equal(pureJson(pureJson(text)), pureJson(text));
      }),
      { numRuns: runs(500) },
    );
  });
});
