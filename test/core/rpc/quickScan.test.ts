import assert from "node:assert/strict";
import { describe, test } from "vitest";
import * as fc from "fast-check";
import { createQuickScan, findMembers } from "../../../src/rpc/quickScan.ts";
import { createJsonScanner, hasRepeatedNames, MAX_DEPTH } from "../../../src/rpc/scanJson.ts";

const SECRETS = ["access_token", "secret"];
const WANTED = ["id", "result", "error"];
const glance = createQuickScan(SECRETS);
const scan = createJsonScanner({ members: WANTED, secrets: SECRETS });

/** Texts that look like the structure around them, as raw JSON strings. */
const awkward = fc.constantFrom(
  '"},"',
  '"}"',
  '"]"',
  '":1"',
  '"},\\"id\\":1"',
  '"a:b"',
  '",\\":2"',
  '"\\\\"',
  '"{"',
  '","',
  '"\\u0069d"',
);
const names = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('"id"', '"result"', '"error"', '"a"', '"b"', '"usIn"') },
  { weight: 1, arbitrary: fc.constantFrom('"access_token"', '"__proto__"', '"\\u0069d"') },
  { weight: 1, arbitrary: awkward },
);
const gaps = fc.oneof(
  { weight: 12, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: fc.constantFrom(" ", "\n", "\t ") },
);

/** JSON texts of any form: names that stand twice, white space, escapes. */
const { value: jsonText } = fc.letrec<{ value: string; member: string; object: string; list: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("1", "-1.5e+3", "true", "null", '"x"', '""'),
    awkward,
    tie("object"),
    tie("list"),
  ),
  member: fc
    .tuple(names, gaps, gaps, tie("value"))
    .map(([name, before, after, value]) => `${name}${before}:${after}${value}`),
  object: fc
    .tuple(gaps, fc.array(tie("member"), { maxLength: 6 }))
    .map(([gap, members]) => `{${gap}${members.join(",")}${gap}}`),
  list: fc.array(tie("value"), { maxLength: 3 }).map((values) => `[${values.join(",")}]`),
}));

describe("a glance at a text", () => {
  test("it never overlooks what a scan would find", () => {
    let seen = 0;
    fc.assert(
      fc.property(jsonText, (text) => {
        const parsed: unknown = JSON.parse(text);
        if (glance(text, parsed) === undefined) return;
        seen++;
        const found = scan(text);
        assert.equal(found.problem, undefined);
        assert.deepEqual(found.secrets, []);
        assert.equal(hasRepeatedNames(found, parsed), false);
        const members = findMembers(text, parsed as object, new Set(WANTED));
        if (members !== undefined) assert.deepEqual([...members].sort(), [...found.members].sort());
      }),
      { numRuns: 5000 },
    );
    assert.ok(seen > 200, `only ${seen} texts were found to be plain`);
  });

  test("the exchange's own form is plain, and its members are found", () => {
    const text =
      '{"jsonrpc":"2.0","id":7,"result":{"order":{"label":"x","list":[1,{"a":null}]}},"usIn":1,"usOut":2,"usDiff":1,"testnet":true}';
    assert.equal(glance(text, JSON.parse(text)) !== undefined, true);
    const members = findMembers(text, JSON.parse(text) as object, new Set(WANTED));
    assert.deepEqual(
      [...(members ?? [])].map(([name, { start, end }]) => [name, text.slice(start, end)]),
      [
        ["id", "7"],
        ["result", '{"order":{"label":"x","list":[1,{"a":null}]}}'],
      ],
    );
  });

  test("it asks for a scan for a name that stands twice, even where the first value is gone from what was parsed", () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a" :{"access_token" :"S"},"a":1}',
      '{"a":{"b":{"secret":"S"}},"a":{}}',
      '{"a":{"b":1},"a":":"}',
    ])
      assert.equal(glance(text, JSON.parse(text)) !== undefined, false, text);
  });

  test("members whose names do not stand in the text as they read, or not in their order, are left to a scan", () => {
    const wanted = new Set(WANTED);
    for (const text of [
      '{"a\\\\":1,"id":2}',
      '{"i\\u0064":2}',
      '{"id":2,"7":1}',
      '{"id": 2}',
      ' {"id":2}',
      '{"id":2} ',
    ])
      assert.equal(findMembers(text, JSON.parse(text) as object, wanted), undefined, text);
    const plain = '{"7":1,"id":2,"a":"}"}';
    assert.deepEqual(
      [...(findMembers(plain, JSON.parse(plain) as object, wanted) ?? [])],
      [["id", { start: 12, end: 13 }]],
    );
  });

  test("members of a second object are not taken for those of the first", () => {
    for (const text of ['{"result":{},"error":{}}', '{"result":[],"id":[]}', '{"result":{"a":1},"x":{"id":3}}'])
      assert.equal(findMembers(text, JSON.parse(text) as object, new Set(WANTED)), undefined, text);
  });

  test("it asks for a scan for secret and forbidden names and for deep texts", () => {
    const deep = `${"[".repeat(MAX_DEPTH + 1)}${"]".repeat(MAX_DEPTH + 1)}`;
    for (const text of ['{"a":[{"secret":"S"}]}', '{"__proto__":{}}', '{"access\\u005ftoken":"S"}', deep])
      assert.equal(glance(text, JSON.parse(text)) !== undefined, false, text);
    assert.equal(glance("[", undefined), undefined);
  });
});
