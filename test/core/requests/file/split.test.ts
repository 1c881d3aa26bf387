import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { parseTree } from "jsonc-parser";
import {
  codesOf,
  MAX_REQUEST_DEPTH,
  splitCodes,
  splitRequests,
  valuesOf,
} from "../../../../src/requests/file/split.ts";
import { jsoncDocument } from "../jsonc.ts";
import { runs } from "../../../sizes.ts";

/** The split as one line: the root, each value's text, and what is wrong between them. */
function shown(text: string): string {
  const split = splitRequests(text);
  const { root, trouble, tooDeepAt } = split;
  const parts = [root, ...valuesOf(split).map(({ start, end }) => `‹${text.slice(start, end)}›`)];
  if (trouble !== undefined) parts.push(`${trouble.kind}@${String(trouble.at)}`);
  if (tooDeepAt !== undefined) parts.push(`tooDeep@${String(tooDeepAt)}`);
  return parts.join(" ");
}

describe("where the requests of a file stand", () => {
  const cases: readonly [string, string][] = [
    ["", "nothing"],
    [" \r\n\t// only a comment", "nothing"],
    ["/* not closed", "nothing comment@0"],
    ["/*/", "nothing comment@0"],
    ["/**/", "nothing"],
    ["{}", "object ‹{}›"],
    ["\uFEFF{}", "object ‹{}›"],
    ['// a\n{"a":1}/* b */', 'object ‹{"a":1}›'],
    ["{} {}", "object ‹{}› after@3"],
    ['{"a": [1', 'object ‹{"a": [1›'],
    ["[]", "array"],
    ["[{}]", "array ‹{}›"],
    ["[{},]", "array ‹{}›"],
    ["[{}, {}]", "array ‹{}› ‹{}›"],
    ["[,{}]", "array ‹{}› value@1"],
    ["[{},,{}]", "array ‹{}› ‹{}› value@4"],
    ["[{}{}]", "array ‹{}› ‹{}› comma@3"],
    ["[{}", "array ‹{}› bracket@3"],
    ["[{}] x", "array ‹{}› after@5"],
    ['[1, "a", [2], null]', 'array ‹1› ‹"a"› ‹[2]› ‹null›'],
    ["[}]", "array ‹}›"],
    ["[{} /* open", "array ‹{}› comment@4"],
    // Strings and comments hide brackets; a string ends with its line.
    ['[{"a": "}]"}, {}]', 'array ‹{"a": "}]"}› ‹{}›'],
    ['[{"a": "\\"}"}, {}]', 'array ‹{"a": "\\"}"}› ‹{}›'],
    ["[{ /* } */ // }\n}, {}]", "array ‹{ /* } */ // }\n}› ‹{}›"],
    ['[{"a": "open\n}, {}]', 'array ‹{"a": "open\n}› ‹{}›'],
    // A mistake inside one request leaves those behind it alone.
    ['[{"a": [1, 2}, {"b": 1}]', 'array ‹{"a": [1, 2}› ‹{"b": 1}›'],
    ['[{"a": 1]}, {"b": 1}]', 'array ‹{"a": 1]}› ‹{"b": 1}›'],
    ["5", "other ‹5›"],
    ['"text" {}', 'other ‹"text"› after@7'],
    ["/", "other ‹/›"],
    [
      `[${"[".repeat(MAX_REQUEST_DEPTH)}`,
      `array ‹${"[".repeat(MAX_REQUEST_DEPTH)}› bracket@${String(MAX_REQUEST_DEPTH + 1)}`,
    ],
    [`{}`.padStart(3, " "), "object ‹{}›"],
  ];
  for (const [text, expected] of cases) {
    test(JSON.stringify(text).slice(0, 60), () => {
      assert.equal(shown(text), expected);
    });
  }

  test("nothing is read behind brackets that are nested too deep", () => {
    const text = `[{}, {"a": ${"[".repeat(100_000)}`;
    const { bounds, tooDeepAt } = splitRequests(text);
    assert.equal(bounds.length, 4);
    assert.equal(tooDeepAt, '[{}, {"a": '.length + MAX_REQUEST_DEPTH - 1);
  });

  test("agrees with a full parser on every file without mistakes", () => {
    fc.assert(
      fc.property(fc.array(jsoncDocument, { maxLength: 6 }), fc.boolean(), (documents, hasTrailingComma) => {
        const text = `// requests\n[${documents.join(" , ")}${hasTrailingComma && documents.length > 0 ? "," : ""}] /* end */`;
        const root = parseTree(text, [], { allowTrailingComma: true });
        const expected = root?.children?.flatMap(({ offset, length }) => [offset, offset + length]) ?? [];
        assert.deepEqual(
          splitRequests(text),
          { root: "array", bounds: new Int32Array(expected), trouble: undefined, tooDeepAt: undefined },
          text,
        );
      }),
      { numRuns: runs(300) },
    );
  });

  test("looks at each character a few times at most, whatever the text", () => {
    const visits = (text: string): number => {
      let count = 0;
      splitCodes(
        new Proxy(codesOf(text), {
          get: (codes, name): unknown => ((count += name === "length" ? 0 : 1), Reflect.get(codes, name)),
        }),
      );
      return count;
    };
    const pieces = fc.constantFrom(
      '"',
      "\\",
      "/",
      "//",
      "/*",
      "*/",
      "{",
      "}",
      "[",
      "]",
      ",",
      "\n",
      " ",
      "a",
      "1",
      '{"a":1},',
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 300 }).map((parts) => parts.join("")),
        (text) => {
          assert.ok(visits(text) <= 5 * text.length + 16, `${String(visits(text))} of ${String(text.length)}`);
        },
      ),
      { numRuns: runs(300) },
    );
    const requests = `[${'{"jsonrpc":"2.0","id":1,"method":"public/get_time","params":{}}, // note\n'.repeat(10_000)}]`;
    assert.ok(visits(requests) <= 1.2 * requests.length);
    for (const hard of ['"', "/*", "//", "[{", "\\", "[1,", '{"a":'])
      assert.ok(visits(hard.repeat(20_000)) <= 5 * 20_000 * hard.length, hard);
  });
});
