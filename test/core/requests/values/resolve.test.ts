import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { literalAt, literalReader, parsePath } from "../../../../src/requests/text/jsonPath.ts";
import { escapeBraces, findPlaceholders } from "../../../../src/requests/values/placeholders.ts";
import { resolveKnown, resolveParams } from "../../../../src/requests/values/resolve.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import { createLookup, type LookupParts } from "../../../../src/requests/values/variables.ts";
import { pluck } from "../../../pluck.ts";

const NOW_MS = 1_700_000_000_000;
const variable = (
  name: string,
  valueText: string,
): { name: string; valueText: string; range: { start: number; end: number } } => ({
  name,
  valueText,
  range: { start: 0, end: 0 },
});

const ANSWER =
  '{"result":[{"order_id":"ETH-1","label":"a","price":0.10},{"order_id":"ETH-2","label":"mm-1","price":9007199254740993}]}';
const PARTS: LookupParts = {
  runVars: [variable("max", "5"), variable("who", '"run"')],
  fileVars: [
    variable("who", '"file"'),
    variable("tiny", "1e-8"),
    variable("nested", '"{{max}}"'),
    variable("loop", '"{{loop}}"'),
    variable("start", '"{{ping}}"'),
    variable("ping", '"{{pong}}"'),
    variable("pong", '"{{ping}}"'),
    ...Array.from({ length: 10 }, (_each, index) => variable(`d${String(index)}`, `"{{d${String(index + 1)}}}"`)),
    variable("d10", "1"),
    variable("list", '["a", {"b": 0.10}]'),
    variable("digits", '"007"'),
    variable("number", '"12.50"'),
  ],
  environmentVars: [
    {
      source: { kind: "environment", uri: "near", section: "test" },
      values: new Map([
        ["index", '"btc_usd"'],
        ["who", '"folder"'],
      ]),
    },
    {
      source: { kind: "environment", uri: "far", section: "*" },
      values: new Map([
        ["index", '"eth_usd"'],
        ["far", "true"],
      ]),
    },
  ],
  resultOf: (name) =>
    name === "open"
      ? { literalAt: literalReader(() => ANSWER), atMs: 7 }
      : name === "bad"
        ? { literalAt: literalReader(() => '{"error":{"code":10004}}'), atMs: 8 }
        : undefined,
  given: new Map([
    ["$pick.order", '"ETH-9"'],
    ["far", "false"],
  ]),
  environment: "test",
  clock: { now: () => NOW_MS },
  uuid: () => "u-1",
};
const lookup = createLookup(PARTS);

function resolved(params: string): string {
  const resolution = resolveParams(params, lookup);
  return resolution.kind === "resolved"
    ? resolution.paramsText
    : resolution.problems.map(({ message }) => message).join(" ");
}

describe("placeholders that are filled in", () => {
  const cases: readonly [string, string, string][] = [
    ["a whole text takes the type of its value", '{"count":"{{max}}","far":"{{ far }}"}', '{"count":5,"far":false}'],
    ["within a text it is a text", '{"label":"n-{{max}}-{{who}}"}', '{"label":"n-5-run"}'],
    [
      "digits stay as they are written",
      '{"price":"{{tiny}}","at":"{{open.result[0].price}}","big":"{{open.result[1].price}}"}',
      '{"price":1e-8,"at":0.10,"big":9007199254740993}',
    ],
    [
      "a response by member, index and comparison",
      '{"a":"{{open.result[-1].order_id}}","b":"{{open.result[label=mm-1].order_id}}"}',
      '{"a":"ETH-2","b":"ETH-2"}',
    ],
    ["an error of a response", '{"code":"{{bad.error.code}}"}', '{"code":10004}'],
    [
      "objects and lists whole",
      '{"x":"{{list}}","y":"{{list[1].b}}"}',
      '{"x":["a",{"b":0.10}],"y":0.10}'.replace('["a",{"b":0.10}]', '["a", {"b": 0.10}]'),
    ],
    [
      "made into a text or a number",
      '{"a":"{{max|string}}","b":"{{number|number}}","c":"{{max|number}}"}',
      '{"a":"5","b":12.50,"c":5}',
    ],
    ["a variable of a variable", '{"count":"{{nested}}"}', '{"count":5}'],
    ["environments: the nearest folder first", '{"index":"{{index}}"}', '{"index":"btc_usd"}'],
    ["what is given before everything", '{"order_id":"{{$pick.order}}"}', '{"order_id":"ETH-9"}'],
    [
      "built in",
      '{"a":"{{$now}}","b":"{{$now-1h}}","c":"{{$now + 30s}}","d":"{{$env}}","e":"{{$uuid}}"}',
      `{"a":${String(NOW_MS)},"b":${String(NOW_MS - 3_600_000)},"c":${String(NOW_MS + 30_000)},"d":"test","e":"u-1"}`,
    ],
    [
      "braces that are kept",
      '{"a":"\\\\{{max}} {{max}}","b":"\\u007b{max}}"}',
      '{"a":"{{max}} 5","b":"\\u007b{max}}"}',
    ],
    [
      "the session's own token is left to the session",
      '{"refresh_token":"{{$session.refreshToken}}","subject_id":"{{max}}"}',
      '{"refresh_token":"{{$session.refreshToken}}","subject_id":5}',
    ],
    ["no value", '{"a":"{{absent}}"}', "absent has no value here."],
    [
      "made of itself",
      '{"a":"{{loop}}"}',
      "loop in $file.vars refers to itself: loop → loop. Replace one of these references with a value.",
    ],
    [
      "made of two variables that are made of each other",
      '{"a":"{{start}}"}',
      "start: ping in $file.vars refers to itself: ping → pong → ping. Replace one of these references with a value.",
    ],
    ["eight variables deep", '{"a":"{{d3}}"}', '{"a":1}'],
    [
      "more than eight variables deep",
      '{"a":"{{d1}}"}',
      "d1: d9 is nested more than 8 variables deep: d1 → d2 → d3 → d4 → d5 → d6 → d7 → d8 → d9. Replace one of these references with a value.",
    ],
    [
      "an object within a text",
      '{"a":"x {{list}}"}',
      "list is an object or an array, so it can only be used as the whole value.",
    ],
    ["no number", '{"a":"{{digits|number}}"}', "digits is not a number."],
    [
      "Unknown filter a filter that does not exist",
      '{"a":"{{max|eval}}"}',
      "Unknown filter eval. Use string or number.",
    ],
    ["in a name", '{"{{max}}":1}', "max is in a parameter name. Placeholders are only replaced in values."],
  ];
  for (const [name, params, expected] of cases) test(name, () => assert.equal(resolved(params), expected));

  test("the source is told, and what it hides", () => {
    const found = lookup("who");
    assert.deepEqual(found?.source, { kind: "run" });
    assert.deepEqual(pluck(found.shadowed, "kind"), ["file", "environment"]);
    assert.deepEqual(lookup("open.result[0].label"), {
      valueText: '"a"',
      source: { kind: "result", name: "open" },
      atMs: 7,
      shadowed: [],
    });
  });

  test("a text without placeholders is the same text, whatever it holds", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        if (!text.includes("{{")) assert.equal(resolved(text), text);
      }),
      { numRuns: 300 },
    );
  });

  test("whatever is filled in, the outcome is JSON or a sentence", () => {
    const piece = fc.constantFrom(
      "{{max}}",
      "{{list}}",
      "{{who|string}}",
      "{{absent}}",
      "\\\\{{",
      "}}",
      "{{",
      "x",
      '\\"',
      "é",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const resolution = resolveParams(`{"a":"${pieces.join("")}"}`, lookup);
        if (resolution.kind === "resolved") JSON.parse(resolution.paramsText);
        else assert.ok(resolution.problems.every(({ message }) => message !== ""));
      }),
      { numRuns: 500 },
    );
  });
});

describe("values from outside", () => {
  /** Texts that a server, the user or a command line can give. */
  const HOSTILE = [
    "{{max}}",
    "{{who}} {{{who}}}",
    String.raw`\{{max}}`,
    String.raw`\\{{max}}`,
    "{{$now}}",
    "{{$ask.x}}",
    "{{",
    "{{{{max}}}}",
    "{{open.result[0].label}}",
    "$&$1",
    '"',
  ];
  const withData = (data: string): ReturnType<typeof createLookup> =>
    createLookup({
      ...PARTS,
      resultOf: () => ({ literalAt: literalReader(() => JSON.stringify({ result: { label: data } })), atMs: 1 }),
      given: new Map([
        ["$pick.order", JSON.stringify(data)],
        ["$ask.Label", JSON.stringify(data)],
        ["desk", JSON.stringify(data)],
      ]),
      fileVars: [...(PARTS.fileVars ?? []), variable("indirect", '"{{open.result.label}}"')],
    });

  for (const path of ["open.result.label", "$pick.order", "$ask.Label", "desk", "indirect"]) {
    test(`${path} is put in literally, whole and within a text`, () => {
      for (const data of HOSTILE) {
        const resolution = resolveParams(`{"a":"{{${path}}}","b":"<{{${path}}}> {{max}}"}`, withData(data));
        assert.deepEqual(
          resolution.kind === "resolved" ? JSON.parse(resolution.paramsText) : resolution.problems,
          { a: data, b: `<${data}> 5` },
          data,
        );
      }
    });
  }

  test("variables of files still name others", () => assert.equal(resolved('{"a":"{{nested}}"}'), '{"a":5}'));

  test("a request that is written with them sends them as they are", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("{", "}", "\\", "m", "a", "x", '"', "|") }), (data) => {
        const written = escapeBraces(JSON.stringify({ a: data, b: [data] }, undefined, 2));
        assert.deepEqual(JSON.parse(resolved(written)), { a: data, b: [data] });
      }),
    );
    for (const data of HOSTILE)
      assert.deepEqual(JSON.parse(resolved(escapeBraces(JSON.stringify({ a: data })))), { a: data });
  });

  test("one in which a secret was hidden is not sent", () => {
    const sentence = (path: string): string => `The value of ${path} contains a hidden secret, so it can't be sent.`;
    const problems = (params: string, of: ReturnType<typeof createLookup>): readonly string[] => {
      const resolution = resolveParams(params, of);
      return resolution.kind === "unresolved"
        ? resolution.problems.map(({ message }) => message)
        : [resolution.paramsText];
    };
    assert.deepEqual(problems('{"a":"{{open.result.label}}","b":"x {{desk}}"}', withData("‹hidden›")), [
      sentence("open.result.label"),
      sentence("desk"),
    ]);
    assert.deepEqual(problems('{"a":"{{indirect}}"}', withData("a ‹hidden› b")), [
      `indirect: ${sentence("open.result.label")}`,
    ]);
    assert.deepEqual(problems('{"a":"{{open.result}}"}', withData("‹hidden›")), [sentence("open.result")]);
  });
});

describe("paths", () => {
  const cases: readonly [string, readonly unknown[] | undefined][] = [
    ["a.b[0][-1].c", ["a", "b", 0, -1, "c"]],
    ["a[label=mm-1].x", ["a", { member: "label", equals: "mm-1" }, "x"]],
    ["", undefined],
    [".a", undefined],
    ["a..b", undefined],
    ["a[x]", undefined],
    ["[0]", undefined],
    ["a b", undefined],
  ];
  for (const [path, expected] of cases) test(JSON.stringify(path), () => assert.deepEqual(parsePath(path), expected));

  test("lead to literals as they are written", () => {
    assert.equal(literalAt('{"a": [ 1.50e1, {"b": "x\\u0041"} ]}', parsePath("a[0]") ?? []), "1.50e1");
    assert.equal(literalAt('{"a": [ 1.50e1, {"b": "x\\u0041"} ]}', parsePath("a[1].b") ?? []), '"x\\u0041"');
    assert.equal(literalAt('{"a": 1}', parsePath("a.toString") ?? []), undefined);
  });
});

describe("placeholders of a file", () => {
  test("have their places, with comments around", () => {
    const text = '{ "a": /* {{no}} */ "{{max}}", // {{no}}\n "b": ["x {{who|string}} y"] }';
    assert.deepEqual(
      findPlaceholders(text, 100).map(({ path, filter, isWhole, range }) => [
        path,
        filter,
        isWhole,
        text.slice(range.start - 100, range.end - 100),
      ]),
      [
        ["max", undefined, true, "{{max}}"],
        ["who", "string", false, "{{who|string}}"],
      ],
    );
  });

  test("what a request says of its run is read, and what cannot be understood is an error", () => {
    const [request] = scanRequests(
      '{ "$file": { "vars": { "max": 5.0, "é": 1 } }, "method": "private/cancel", "$run": { "name": "open", "vars": { "a": [1.0] }, "tags": "x", "after": ["y"], "delayMs": 10, "retries": 2, "until": true, "note": "Why", "skip": true, "expect": { "ok": true }, "raw": false, "continueOnFailure": true, "exepct": {} } }',
    ).requests;
    assert.ok(request !== undefined);
    assert.deepEqual(pluck(request.fileVars, "name", "valueText"), [["max", "5.0"]]);
    const { name, vars, tags, after, delayMs, retries, until, note, isSkipped, goesOn, expect } = request.run;
    assert.deepEqual(
      [
        name,
        vars.map(({ valueText }) => valueText),
        tags,
        after,
        delayMs,
        retries,
        until,
        note,
        isSkipped,
        goesOn,
        expect !== undefined,
      ],
      ["open", ["[1.0]"], ["x"], ["y"], 10, 0, undefined, "Why", true, true, true],
    );
    assert.deepEqual(
      request.problems.map(({ code, message }) => `${code} ${message.split(".")[0] ?? ""}`),
      [
        "runOptions exepct is not a $run option",
        "runOptions retries is only allowed for read requests",
        "runOptions until is only allowed for read requests",
        "filePin é is not a valid name",
      ],
    );
  });
});

test("if values can't be asked for, a placeholder without a value stays and is reported; all others are filled in", () => {
  const filled = resolveKnown(
    '{"a":"{{max}}","b":"{{$pick.order}}","c":"x {{max}} {{absent}}","d":"\\\\{{max}}"}',
    (path) => (path === "max" ? { valueText: "1e-8", source: { kind: "file" }, shadowed: [] } : undefined),
  );
  assert.equal(filled.text, '{"a":1e-8,"b":"{{$pick.order}}","c":"x 1e-8 {{absent}}","d":"{{max}}"}');
  const found = filled.problems.map(({ placeholder: { path } }) => path);
  assert.deepEqual(found, ["$pick.order", "absent"]);
  assert.deepEqual(
    filled.used.map(({ placeholder: { path } }) => path),
    ["max", "max"],
  );
});

test("variables that multiply each other come to an end, and say so", () => {
  const names = "abcdefg";
  const vars = Array.from(names, (name, index) =>
    variable(name, JSON.stringify((index === names.length - 1 ? "x" : `{{${names[index + 1] ?? ""}}}`).repeat(12))),
  );
  const found: string[] = [];
  const counted = createLookup({ ...PARTS, fileVars: vars });
  const resolution = resolveParams('{"a":"{{a}}"}', (path) => (found.push(path), counted(path)));
  assert.ok(resolution.kind === "unresolved");
  assert.match(resolution.problems[0]?.message ?? "", /^a: \w makes the parameters too long\.$/);
  assert.ok(found.length < 200_000, String(found.length));
});
