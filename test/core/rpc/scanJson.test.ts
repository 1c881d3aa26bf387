import assert from "node:assert/strict";
import { describe, test } from "vitest";
import * as fc from "fast-check";
import { createSecretValues, maskSpans, scanWireText } from "../../../src/rpc/maskSecrets.ts";
import { createJsonScanner, hasRepeatedNames } from "../../../src/rpc/scanJson.ts";

const scan = createJsonScanner({
  members: ["id", "result", "error", "t", 'a"b', "c", "d"],
  secrets: ["secret", "access_token"],
});

describe("one pass over a JSON text", () => {
  test("finds the outermost members as they stand", () => {
    const text = ' { "id" : 7 , "result":{"a":[1, {"result":2}]} ,"error" : null,"t":"x,}" } ';
    const found = [...scan(text).members].map(([name, { start, end }]) => [name, text.slice(start, end)]);
    assert.deepEqual(found, [
      ["id", "7"],
      ["result", '{"a":[1, {"result":2}]}'],
      ["error", "null"],
      ["t", '"x,}"'],
    ]);
  });

  test("is not led astray by strings", () => {
    const text = String.raw`{"a\"b":"\\","c":"}]{[,:\"","\u0069d":1,"d":["x\\\"]"]}`;
    const { members, problem, memberCount } = scan(text);
    assert.equal(problem, undefined);
    assert.deepEqual([...members.keys()], ['a"b', "c", "id", "d"]);
    assert.equal(memberCount, 4);
  });

  test("depth 64 passes, 65 does not", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    assert.equal(scan(nested(64)).problem, undefined);
    assert.equal(scan(nested(65)).problem, "nested deeper than 64");
    assert.equal(scan('{"a":'.repeat(65)).problem, "nested deeper than 64");
    assert.equal(scan("[]".repeat(1000)).problem, undefined);
  });

  test("own __proto__ is refused however it is written, as a value it is a text", () => {
    for (const name of ["__proto__", String.raw`\u005f_proto__`, String.raw`__pro\u0074o__`]) {
      assert.equal(scan(`{"a":[{"${name}":{}}]}`).problem, "a key is named __proto__");
    }
    assert.equal(scan('{"a":"__proto__","constructor":1,"toString":2}').problem, undefined);
  });

  test("names that stand twice are found at any depth, however they are written", () => {
    for (const text of [
      '{"id":1,"id":2}',
      '{"a":[{"b":1,"c":2,"b":3}]}',
      String.raw`{"order_id":1,"\u006frder_id":2}`,
      '{"a":{"a":1},"a":2}',
    ]) {
      assert.equal(hasRepeatedNames(scan(text), JSON.parse(text)), true, text);
    }
    for (const text of [
      '{"a":{"a":1},"b":{"a":1}}',
      "[]",
      "1",
      '"a"',
      '{"a":"\\"a\\":1"}',
      "null",
      '[{"1":1,"0":2}]',
    ]) {
      assert.equal(hasRepeatedNames(scan(text), JSON.parse(text)), false, text);
    }
    assert.deepEqual([...scan('{"id":1,"a":{"x":1,"x":2},"id":2}').repeated], ["id"]);
  });

  test("secrets are masked whole, whatever they are, and nothing else is", () => {
    const cases: readonly [string, string][] = [
      ['{"access_token":"abc","b":1}', '{"access_token":"‹hidden›","b":1}'],
      ['{ "access_token" : "a\\"b,}" , "b":1 }', '{ "access_token" : "‹hidden›" , "b":1 }'],
      [
        '[{"secret":123.50},{"secret":["a",{"secret":"b"}],"x":"secret"}]',
        '[{"secret":"‹hidden›"},{"secret":"‹hidden›","x":"secret"}]',
      ],
      [
        '{"secret":null,"a":{"secret":true},"b":{"secret":false}}',
        '{"secret":null,"a":{"secret":true},"b":{"secret":false}}',
      ],
      ['{"access\\u005ftoken":"abc"}', '{"access\\u005ftoken":"‹hidden›"}'],
      ['{"Secret":"a","secrets":"b","access_tokem":"c"}', '{"Secret":"a","secrets":"b","access_tokem":"c"}'],
      ['{"a":1,"secret":"cut off he', '{"a":1,"secret":"‹hidden›"'],
      ['{"a":1,"secret":["cut', '{"a":1,"secret":"‹hidden›"'],
    ];
    for (const [text, expected] of cases) assert.equal(maskSpans(text, scan(text).secrets), expected);
  });

  test("the wire's secret names are those of the catalogue and the usual ones, in both spellings", () => {
    for (const name of [
      "access_token",
      "refresh_token",
      "client_secret",
      "clientSecret",
      "secret",
      "password",
      "private_key",
      "privateKey",
      "signature",
      "authorization_data",
      "api_secret",
    ]) {
      assert.equal(scanWireText(`{"result":{"${name}":"x"}}`).secrets.length, 1, name);
    }
  });

  test("finds in any JSON what JSON.parse finds, and never throws", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 })), fc.boolean(), (value, isSpaced) => {
        const text = isSpaced ? JSON.stringify(value, undefined, 2) : JSON.stringify(value);
        const found = createJsonScanner({ members: Object.keys(value), secrets: ["a"] })(text);
        if (text.includes('"__proto__"')) return;
        assert.equal(found.problem, undefined);
        const parsed = JSON.parse(text) as Record<string, unknown>;
        assert.equal(hasRepeatedNames(found, parsed), false);
        for (const [name, span] of found.members)
          assert.deepEqual(JSON.parse(text.slice(span.start, span.end)), parsed[name]);
        assert.equal(found.members.size, Object.keys(parsed).length);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\ \nasecret_1'.split("")) }), (text) => {
        scan(text);
      }),
    );
  });
});

describe("secrets known by value", () => {
  test("are hidden wherever they stand, also as JSON writes them", () => {
    const values = createSecretValues();
    values.add('pass"word\n1');
    values.add("short");
    assert.equal(values.hide('a pass"word\n1 b'), "a ‹hidden› b");
    assert.equal(values.hide(JSON.stringify({ a: 'pass"word\n1', b: "short" })), '{"a":"‹hidden›","b":"short"}');
    const text = "nothing here";
    assert.equal(values.hide(text), text);
  });

  test("a secret that is longer than every string of a text is still found where it stands between strings or in a number", () => {
    const values = createSecretValues();
    for (const secret of ["wordlike-secret", '1","label', "1234567890123", "1e5e+5"]) values.add(secret);
    for (const [text, longest] of [
      ['{"a":"1","label":"x"}', 5],
      ['{"a":1234567890123}', 1],
      ['{"a":"wordlike-secret"}', 15],
    ] as const)
      assert.ok(values.hide(text, longest).includes("‹hidden›"), text);
    assert.equal(values.hide('{"a":"wordlike-secre"}', 14), '{"a":"wordlike-secre"}');
  });
});
