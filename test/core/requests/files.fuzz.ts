import fc from "fast-check";
import { jsoncDocument } from "./jsonc.ts";

/* Request files made by a grammar, and such files with some of their bytes changed. */

/** Numbers that lose digits when they are parsed as numbers. */
export const NUMBERS = [
  "1e-8",
  "0.10",
  "9007199254740993",
  "123456789012345678901234567890",
  "-0.0",
  "1E400",
  "5",
] as const;

const METHODS = [
  "public/get_time",
  "public/test",
  "private/get_open_orders",
  "private/cancel",
  "private/cancel_all",
  "private/new_one",
  "public/subscribe",
  "public/auth",
  "bad",
] as const;

const PLACEHOLDERS = [
  "{{a.result}}",
  "{{b.result.x}}",
  "{{c.error.code}}",
  "{{a.result.list[-1]}}",
  "{{v}}",
  "{{w}}",
  "{{list}}",
  "{{list[1]}}",
  "{{max|string}}",
  "{{max|number}}",
  "{{own}}",
  "{{absent}}",
  "{{$now}}",
  "{{$now-1h}}",
  "{{$uuid}}",
  "{{$env}}",
  "{{$pick.order}}",
  "{{$session.refreshToken}}",
  "{{}}",
  "\\\\{{v}}",
] as const;

const gap = fc.constantFrom("", "", "", " ", "\n", "\r\n  ", '/* , ] } " */', '// { [ "\n');
const name = fc.constantFrom("a", "b", "c", "d", "open");
const text = fc.oneof(
  fc.constantFrom('"ETH-1"', '"x"', '"\\u00e9\\/"', '"{{"', '"// no comment"', '""'),
  fc.constantFrom(...PLACEHOLDERS).map((each) => `"${each}"`),
  fc.constantFrom(...PLACEHOLDERS).map((each) => `"x ${each} y"`),
);
const literal = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<string>(...NUMBERS, "true", "null") },
  { weight: 3, arbitrary: text },
  { weight: 1, arbitrary: jsoncDocument },
);

/** An object's text of members in their order, with gaps, perhaps with a trailing comma. */
function objectOf(members: readonly string[], gaps: readonly string[], hasTrailing: boolean): string {
  return `{${members.map((each, index) => `${gaps[index % Math.max(1, gaps.length)] ?? ""}${each}`).join(",")}${hasTrailing && members.length > 0 ? "," : ""}}`;
}

const params = fc
  .tuple(fc.array(literal, { maxLength: 4 }), fc.array(gap, { maxLength: 3 }), fc.boolean())
  .map(([values, gaps, hasTrailing]) =>
    objectOf(
      values.map((value, index) => `"${["order_id", "kind", "p2", "p3"][index] ?? ""}": ${value}`),
      gaps,
      hasTrailing,
    ),
  );

const rightRun = fc.record(
  {
    name,
    after: name,
    skip: fc.boolean(),
    continueOnFailure: fc.boolean(),
    retries: fc.nat(2),
    delayMs: fc.nat(50),
    raw: fc.boolean(),
    tags: fc.constantFrom("t", ["t", "u"]),
    vars: fc.constantFrom({ own: 7 }, { v: "{{max}}", own: "{{v}}" }),
    expect: fc.constantFrom({ ok: true }, { result: { $gt: 0 } }, { result: { $len: 2 } }, { result: "{{v}}" }),
    until: fc.constantFrom(true, { ok: false }),
    transport: fc.constant("http"),
  },
  { requiredKeys: [] },
);

const run = fc
  .tuple(
    rightRun,
    fc.oneof(
      { weight: 8, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.constantFrom({ exepct: 1 }, { transport: "pigeon" }, { expect: { nothing: 1 } }) },
    ),
  )
  .map(([right, wrong]): object => ({ ...right, ...wrong }));

const pin = fc.constantFrom(
  "",
  "",
  "",
  '"$file": { "env": ["test"] }',
  '"$file": { "env": ["prod"] }',
  '"$file": { "vars": { "v": 0.10, "w": "{{v}}", "max": 123456789012345678901234567890, "list": [1, {"b": 1e-8}], "loop": "{{loop}}" } }',
  '"$file": 5',
);

const request = fc
  .tuple(
    fc.constantFrom(...METHODS),
    params,
    fc.option(run, { nil: undefined }),
    fc.array(gap, { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([method, paramsText, options, gaps, hasTrailing]) =>
    objectOf(
      [
        `"method": "${method}"`,
        `"params": ${paramsText}`,
        ...(options === undefined ? [] : [`"$run": ${JSON.stringify(options)}`]),
      ],
      gaps,
      hasTrailing,
    ),
  );

/** Signs in no order. */
const soup = fc
  .array(
    fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a":',
      '"',
      "//",
      "/*",
      "*/",
      "\n",
      "1",
      "\\",
      "{{",
      "}}",
      '{"method":"private/cancel",',
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

const made = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(pin, fc.array(request, { maxLength: 6 }), gap)
      .map(
        ([file, requests, between]) =>
          `[${between}${requests.join(`${between},`).replace("{", `{${file}${file === "" ? "" : ","}`)}]`,
      ),
  },
  { weight: 1, arbitrary: request },
  { weight: 1, arbitrary: jsoncDocument },
  { weight: 1, arbitrary: soup },
);

/** Some bytes go, come or become others; what is no UTF-8 any more becomes what an editor makes of it. */
const change = fc.record({
  at: fc.nat(),
  remove: fc.nat(3),
  insert: fc.oneof(
    fc.constantFrom("", '"', "{", "}", "[", "]", ",", ":", "\\", "//", "/*", "{{", "}}", "$", "\n", "0", "e"),
    fc.constantFrom("\u0000", "\u202e", "\u{1F600}", "__proto__"),
  ),
  byte: fc.option(fc.nat(255), { nil: undefined }),
});

function changed(
  source: string,
  changes: readonly {
    readonly at: number;
    readonly remove: number;
    readonly insert: string;
    readonly byte: number | undefined;
  }[],
): string {
  let bytes = Buffer.from(source);
  for (const { at, remove, insert, byte } of changes) {
    const start = at % (bytes.length + 1);
    bytes = Buffer.concat([
      bytes.subarray(0, start),
      byte === undefined ? Buffer.from(insert) : Buffer.from([byte]),
      bytes.subarray(start + remove),
    ]);
  }
  return bytes.toString("utf8");
}

/** The text of a file. */
export const requestFile: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: made },
  {
    weight: 2,
    arbitrary: fc
      .tuple(made, fc.array(change, { minLength: 1, maxLength: 6 }))
      .map(([source, changes]) => changed(source, changes)),
  },
);
