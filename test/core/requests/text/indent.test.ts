import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { indentJson } from "../../../../src/requests/text/indent.ts";
import { runs } from "../../../sizes.ts";
import { anyText } from "../../../anyText.ts";

/** JSON with white space between its tokens and numbers written in every way. */
const { json } = fc.letrec<{ json: string }>((tie) => {
  const space = fc.constantFrom("", "", " ", "\n", "\r\n  ", "\t");
  const literal = fc.oneof(
    fc.constantFrom("0.10", "1e-8", "-0.0", "1E400", "9007199254740993", "true", "null"),
    anyText().map((text) => JSON.stringify(text)),
  );
  const value = fc.tuple(space, tie("json"), space).map((parts) => parts.join(""));
  const list = fc
    .tuple(space, fc.array(value, { maxLength: 4 }))
    .map(([start, items]) => `[${start}${items.join(",")}]`);
  const object = fc
    .tuple(space, fc.array(fc.tuple(fc.string(), value), { maxLength: 4 }))
    .map(
      ([start, members]) =>
        `{${start}${members.map(([name, member]) => `${JSON.stringify(name)}:${member}`).join(",")}}`,
    );
  return { json: fc.oneof({ maxDepth: 4 }, literal, list, object) };
});

/** Takes away the white space that stands outside of texts. */
function withoutSpace(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\[^])*")|[ \t\r\n]+/g, (_, string: string | undefined) => string ?? "");
}

describe("indenting by the text", () => {
  test("looks like JSON.stringify where that changes nothing", () => {
    const value = { a: [1, 2, { b: [], c: {} }], d: "x", e: null, f: [[[]]], g: { h: { i: true } } };
    assert.equal(indentJson(JSON.stringify(value)).text, JSON.stringify(value, null, 2));
    fc.assert(
      fc.property(fc.jsonValue(), (each) => {
        assert.equal(indentJson(JSON.stringify(each)).text, JSON.stringify(each, null, 2));
      }),
      { numRuns: runs(300) },
    );
  });

  test("changes nothing but white space outside of texts", () => {
    fc.assert(
      fc.property(json, (text) => {
        assert.equal(withoutSpace(indentJson(text).text), withoutSpace(text));
      }),
      { numRuns: runs(500) },
    );
  });

  test("keeps the literals of the wire", () => {
    const text =
      '{"strike":6.4e4,"price":1.0e-8,"fee":1.64e-06,"amount":0.10,"zero":-0.0,"huge":1E400,"id":9007199254740993,"wide":123456789012345678901234567890,"label":"\\u202e\\/ \\"x\\" \uD800"}';
    assert.equal(
      indentJson(text).text,
      text
        .replaceAll(/([{,])(?=")/g, "$1\n  ")
        .replaceAll('":', '": ')
        .replace(/\}$/, "\n}"),
    );
  });

  test("passes on what is not JSON, without its white space", () => {
    const pieces = fc.constantFrom("{", "}", "[", "]", ",", ":", '"', '"a"', "1", "x", " ", "\n", "\\");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join("");
        assert.equal(withoutSpace(indentJson(text).text), withoutSpace(text));
      }),
      { numRuns: runs(500) },
    );
    assert.ok(indentJson("[".repeat(20_000)).text.length < 20_000 * 140);
  });
});

describe("what is too long is shown in part", () => {
  const list = JSON.stringify(Array.from({ length: 10 }, (_, index) => ({ id: index })));
  const cases: readonly [string, string, { maxLines: number; maxLength: number }, string, unknown][] = [
    [
      "a list ends behind a whole element",
      list,
      { maxLines: 8, maxLength: Infinity },
      '[\n  {\n    "id": 0\n  },\n  {\n    "id": 1\n  }',
      { unit: "elements", shown: 2, total: 10 },
    ],
    [
      "also where its length ends it",
      list,
      { maxLines: Infinity, maxLength: 50 },
      '[\n  {\n    "id": 0\n  },\n  {\n    "id": 1\n  }',
      { unit: "elements", shown: 2, total: 10 },
    ],
    [
      "nothing is cut that just fits",
      list,
      { maxLines: 32, maxLength: Infinity },
      JSON.stringify(JSON.parse(list), null, 2),
      undefined,
    ],
    [
      "a list in a member",
      '{"a":[1],"trades":[1,2,3],"more":[4,5]}',
      { maxLines: 6, maxLength: Infinity },
      '{\n  "a": [\n    1\n  ],\n  "trades": [\n    1',
      { unit: "elements", shown: 1, total: 3 },
    ],
    [
      "an object counts lines",
      '{"a":1,"b":2,"c":3}',
      { maxLines: 3, maxLength: Infinity },
      '{\n  "a": 1,\n  "b": 2,',
      { unit: "lines", shown: 3, total: 5 },
    ],
    [
      "behind a list, lines count again",
      '{"a":[1,2],"b":2,"c":3}',
      { maxLines: 6, maxLength: Infinity },
      '{\n  "a": [\n    1,\n    2\n  ],\n  "b": 2,',
      { unit: "lines", shown: 6, total: 8 },
    ],
    [
      "a text longer than all",
      JSON.stringify("x".repeat(100)),
      { maxLines: 5, maxLength: 10 },
      '"xxxxxxxxx',
      { unit: "lines", shown: 1, total: 1 },
    ],
    [
      "a first element longer than all",
      JSON.stringify(["x".repeat(100), 1]),
      { maxLines: 5, maxLength: 10 },
      '[\n  "xxxxx',
      { unit: "lines", shown: 2, total: 4 },
    ],
  ];
  for (const [what, text, limits, expected, cut] of cases) {
    test(what, () => {
      assert.deepEqual(indentJson(text, limits), { text: expected, cut });
    });
  }
});
