import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { checkFile, checkInSteps, type KeptFindings } from "../../../src/requests/checking/check.ts";
import { allAtOnce } from "../../../src/base/slices.ts";
import type { Expectation, FileProblem, FileRequest, RequestFile } from "../../../src/requests/file/file.ts";
import { rescanRequests, scanRequests, MAX_FILE_LENGTH } from "../../../src/requests/file/scan.ts";
import { resplitRequests, splitRequests, changeOf } from "../../../src/requests/file/split.ts";
import { rounds } from "../../rounds.mjs";

const runCount = rounds({ short: 5, full: 50, long: 2000 });
const EDITS = 10;

/** Everything that a scan says, as plain data. */
function said(file: RequestFile): unknown {
  const { text, requests, problems, pin, vars } = file;
  const expectation = (each: Expectation | undefined): unknown =>
    each && {
      text: each.text.slice(each.node.offset, each.node.offset + each.node.length),
      range: each.rangeOf(each.node),
    };
  const all = requests.map(
    ({ index, range, outline, methodRange, method, id, paramsText, run, pin: own, fileVars, problems: wrong }) => ({
      ...{ index, range, outline, methodRange, method, id, paramsText, own, fileVars, wrong },
      run: {
        ...run,
        expect: expectation(run.expect),
        until: run.until && {
          ...run.until,
          expect: expectation(run.until.expect),
          isShared: run.until.expect === run.expect,
        },
      },
    }),
  );
  return {
    text,
    all,
    problems,
    pin,
    vars,
    named: ["b", "a", "x"].map(file.firstNamed),
    checked: checkFile(file, KNOWN),
  };
}

/** Outside of the file, `a` alone has no value: requests that take from it depend on the others of the file. */
const KNOWN = { isKnown: (path: string): boolean => !path.startsWith("a") };

/** What is found in steps, some requests first, by what is kept of earlier versions. */
function inSteps(file: RequestFile, kept: KeptFindings, mask = 0): readonly FileProblem[] {
  const isFirst = ({ index }: FileRequest): boolean => ((mask >> (index % 16)) & 1) === 1;
  return allAtOnce(checkInSteps(file, { known: KNOWN, kept, isFirst }));
}

interface Edit {
  /** Where, as shares of the text's length. */
  readonly at: number;
  readonly length: number;
  readonly insert: string;
}

function edited(text: string, { at, length, insert }: Edit): string {
  const start = Math.floor(at * (text.length + 1));
  return text.slice(0, start) + insert + text.slice(start + length);
}

const request = fc.constantFrom(
  '{ "method": "public/get_time" }',
  '{"$run":{"name":"a","vars":{"x":1e-8},"expect":{"ok":true,"result":{"$gt":1}},"until":true},"method":"public/get_time"}',
  '{\n  "id": 1, // one }\n  "method": "private/cancel",\n  "params": { "order_id": "{{a.result[0]}}" }, /* ] */\n}',
  '{ "$file": { "env": ["sim"], "vars": { "v": 0.10 } }, "method": "private/cancel", "params": { "order_id": "E\\"T]H" } }',
  '{ "method": "public/get_time", "parms": {}, "parms": [{}] }',
  '{ "method" "x" }',
  '{ "method": "public/get_time", "$run": { "until": { "ok": false } } }',
  '{ "$run": { "until": { "ok": false }, "expect": { "ok": 5 } }, "method": "public/get_time", "params": [1, {"a": {}}] }',
);
const element = fc.oneof(
  { weight: 8, arbitrary: request },
  { weight: 1, arbitrary: fc.constantFrom("5", '"text"', "[]", "nul", "/", "{", '{"a":[{', "}") },
);
const separator = fc.oneof(
  { weight: 8, arbitrary: fc.constant(",\n") },
  { weight: 1, arbitrary: fc.constantFrom(" ", ",,", ", // note\n", ", /* { */ ", "\r\n,") },
);
const list = fc
  .tuple(
    fc.constantFrom("[", "[", "[\n", "\uFEFF[", "// requests\n[", ""),
    fc.array(fc.tuple(element, separator), { maxLength: 8 }),
    fc.constantFrom("]", "]", "\n]\n", "", "] x", "/* open", "] // end"),
  )
  .map(([start, parts, end]) => start + parts.flat().join("") + end);
const inserted = fc.oneof(
  fc.constantFrom(
    "",
    "",
    "x",
    "1",
    " ",
    "\n",
    ",",
    "{}",
    '""',
    "{",
    "}",
    "[",
    "]",
    '"',
    "\\",
    "/",
    "//",
    "/*",
    "*/",
    ":",
    '"a": 1,',
    ", {}",
    `[`.repeat(70),
    "\uFEFF",
    "\uD800",
  ),
  request,
  request.map((each) => `${each},\n`),
);
const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  length: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.nat(120) },
  ),
  insert: inserted,
});

/** Reads some of the requests, so that the next version has some to go on from. */
function readSome(file: RequestFile, mask: number): void {
  for (const each of file.requests) if (((mask >> (each.index % 16)) & 1) === 1) assert.ok(each.paramsText.length > 0);
}

describe("a newer version of a file", () => {
  test("says what a scan from scratch says, whatever the edits, and leaves the older one as it was", () => {
    fc.assert(
      fc.property(
        list,
        fc.array(fc.tuple(edit, fc.nat(0xffff)), { minLength: EDITS, maxLength: EDITS }),
        (start, edits) => {
          let file = scanRequests(start);
          const kept: KeptFindings = new WeakMap();
          for (const [each, mask] of edits) {
            readSome(file, mask);
            const before = file;
            file = rescanRequests(before, edited(before.text, each));
            // Parts that were not read yet are read in the newer version first, and then in the older one.
            if (mask % 2 === 0) assert.deepEqual(said(file), said(scanRequests(file.text)));
            assert.deepEqual(said(before), said(scanRequests(before.text)));
            assert.deepEqual(said(file), said(scanRequests(file.text)));
            for (const each of [file, before, file])
              assert.deepEqual(inSteps(each, kept, mask), checkFile(scanRequests(each.text), KNOWN));
          }
        },
      ),
      { numRuns: runCount },
    );
  });

  test("is split as from scratch where the edit decides more than it touches", () => {
    const cases: readonly [string, string][] = [
      // What is wrong behind a mistake that was mended.
      ["[{}{}, {}{}]", "[{},{}, {}{}]"],
      ["[{},,{}, 5, {}{}]", "[{},{}, 5, {}{}]"],
      ["[{}, {}{}]", "[{}{}, {}{}]"],
      // Something is opened, closed or parted.
      ["[{}, {}, {}]", "[{}, {{}, {}]"],
      ["[{}, {{}, {}]", "[{}, {}, {}]"],
      ["[{}, {}", "[{}, {}}"],
      ["[{}, {}]", "[{}, /* {}]"],
      ["[{}, /* {}]", "[{}, /* */ {}]"],
      ["[/, {}]", "[/*, {}]"],
      ["[{}, nul, {}]", "[{}, null, {}]"],
      ["[{}, {}]", "{}, {}]"],
      ["[{}, {}]", "[{}, {}] x"],
      ["[{}, {}]", ""],
      // The first one is another one now.
      ['[{"$file":{}}, {"$file":{}}]', '[{}, {"$file":{}}, {"$file":{}}]'],
      ['[{}, {"$file":{}}]', '[{"$file":{}}]'],
    ];
    for (const [before, after] of cases) {
      const file = scanRequests(before);
      readSome(file, 0xffff);
      assert.deepEqual(said(rescanRequests(file, after)), said(scanRequests(after)), `${before} → ${after}`);
      assert.deepEqual(said(rescanRequests(rescanRequests(file, after), before)), said(file), `${after} → ${before}`);
    }
  });

  test("is split as from scratch when the change is told larger than it is", () => {
    fc.assert(
      fc.property(list, edit, fc.nat(20), fc.nat(20), (before, each, more, further) => {
        const text = edited(before, each);
        const { start, end, by } = changeOf(before, text);
        const wide = { start: Math.max(0, start - more), end: Math.min(text.length, end + further), by };
        assert.deepEqual(resplitRequests(text, splitRequests(before), wide), splitRequests(text));
      }),
      { numRuns: 10 * runCount },
    );
  });

  test("too long or too long before, is read anew", () => {
    const long = `[${" ".repeat(MAX_FILE_LENGTH)}]`;
    const short = '[{ "method": "public/get_time" }]';
    assert.deepEqual(said(rescanRequests(scanRequests(short), long)), said(scanRequests(long)));
    assert.deepEqual(said(rescanRequests(scanRequests(long), short)), said(scanRequests(short)));
  });
});

describe("what a keystroke costs in thousands of requests", () => {
  const COUNT = 6000;
  const one = (index: number): string =>
    `{ "id": ${String(index)}, "method": "private/get_order_state", "params": { "order_id": "BTC-${String(index)}" } }, // note\n`;
  const text = `[\n${Array.from({ length: COUNT }, (_, index) => one(index)).join("")}]`;
  const at = text.indexOf('"BTC-5000"') + 5;

  /** Characters that are looked at when something is put in the place of others. */
  const visits = (from: number, to: number, insert: string): number => {
    const after = text.slice(0, from) + insert + text.slice(to);
    let count = 0;
    const counted = {
      length: after.length,
      slice: (start?: number, end?: number): string => {
        const part = after.slice(start, end);
        count += part.length;
        return part;
      },
    };
    assert.deepEqual(resplitRequests(counted, splitRequests(text), changeOf(text, after)), splitRequests(after));
    return count;
  };

  test("walks the request that it is in, and no other", () => {
    assert.ok(visits(at, at, "x") <= 2 * one(5000).length);
    assert.ok(visits(at, at + 1, "") <= 2 * one(5000).length);
    assert.ok(visits(at, at, '"}, "a": {"x": "') <= 3 * one(5000).length);
    // Between two: those beside it.
    const between = text.indexOf("// note", at) + 3;
    assert.ok(visits(between, between, "more") <= 4 * one(5000).length);
    assert.ok(visits(between + 5, between + 5, '{ "method": "public/get_time" },\n') <= 5 * one(5000).length);
    // A bracket that is left open has the rest of the file in it: that is read as a whole.
    assert.ok(visits(at + 8, at + 8, "{") > text.length);
  });

  test("reads that request, and none that was read before", () => {
    const before = scanRequests(text);
    for (const each of before.requests) assert.equal(each.run.isSkipped, false);
    const after = rescanRequests(before, text.slice(0, at) + "x" + text.slice(at));
    const found = after.contents.flatMap((content, index) => (content === before.contents[index] ? [] : [index]));
    assert.deepEqual(found, [5000]);
    assert.equal(after.requests[5000]?.paramsText, '{"order_id":"BTC-x5000"}');
    assert.equal(
      after.requests[COUNT - 1]?.methodRange?.start,
      (before.requests[COUNT - 1]?.methodRange?.start ?? 0) + 1,
    );
  });

  /** Counts the requests that are checked. */
  function counted(): { readonly kept: KeptFindings; readonly checked: object[] } {
    const checked: object[] = [];
    class Counted extends WeakMap {
      override set(content: object, findings: unknown): this {
        checked.push(content);
        return super.set(content, findings);
      }
    }
    return { kept: new Counted(), checked };
  }

  test("checks that request, and none that was checked before", () => {
    const { kept, checked } = counted();
    const before = scanRequests(text);
    inSteps(before, kept);
    assert.equal(checked.length, COUNT);
    const after = rescanRequests(before, text.slice(0, at) + "x" + text.slice(at));
    inSteps(after, kept);
    assert.deepEqual(checked.slice(COUNT), [after.contents[5000]]);
  });

  test("of a name finds the requests that lack it now, and checks none of them again", () => {
    const named = `[\n{ "$file": { "vars": { "v": 1 } }, "$run": { "name": "a" }, "method": "public/get_time" },\n${Array.from(
      { length: 400 },
      (_, index) =>
        `{ "method": "private/get_order_state", "params": { "order_id": "{{${index % 2 === 0 ? "a.result" : "v"}}}" } }`,
    ).join(",\n")}]`;
    const nothing = { isKnown: (): boolean => false };
    const { kept, checked } = counted();
    const check = (file: RequestFile): readonly string[] =>
      allAtOnce(checkInSteps(file, { known: nothing, kept, isFirst: () => false })).map(({ code }) => code);
    const before = scanRequests(named);
    assert.deepEqual(check(before), []);
    for (const [from, to] of [
      ['"name": "a"', '"name": "b"'],
      ['"v": 1', '"w": 1'],
    ] as const) {
      checked.length = 0;
      const after = rescanRequests(before, named.replace(from, to));
      assert.deepEqual(check(after), Array(200).fill("placeholder"));
      assert.deepEqual(checked, [after.contents[0]]);
      assert.deepEqual(check(rescanRequests(after, named)), []);
      assert.equal(checked.length, 2);
    }
  });

  test("of a name that is taken reports the second request that has it, and checks the changed one alone", () => {
    const two =
      '[{ "$run": { "name": "a" }, "method": "public/get_time" },\n{ "$run": { "name": "b" }, "method": "public/test" }]';
    const { kept, checked } = counted();
    const before = scanRequests(two);
    assert.deepEqual(inSteps(before, kept), []);
    const after = rescanRequests(before, two.replace('"a"', '"b"'));
    assert.deepEqual(
      inSteps(after, kept).map(({ code, requestIndex }) => [code, requestIndex]),
      [["repeatedName", 1]],
    );
    assert.deepEqual(checked.slice(2), [after.contents[0]]);
  });

  test("keeps what was read when a bracket is opened and closed again elsewhere", () => {
    const before = scanRequests(text);
    const inserted = text.indexOf("// note", at);
    const after = rescanRequests(before, `${text.slice(0, inserted)}/* a */ {}, ${text.slice(inserted)}`);
    assert.equal(after.requests.length, COUNT + 1);
    const kept = new Set(before.contents);
    assert.equal(after.contents.filter((content) => !kept.has(content)).length, 1);
  });
});

describe("checking in steps", () => {
  const wrong = (index: number): string =>
    `{ "method": "public/get_time", "params": { "x${String(index)}": 1 }, "method_": 1 }`;
  const text = `[${Array.from({ length: 50 }, (_, index) => wrong(index)).join(",\n")}]`;

  /** The requests with problems at each step that has something to show, and at the end. */
  function shownOf(file: RequestFile, kept: KeptFindings, first: readonly number[]): readonly (readonly unknown[])[] {
    const work = checkInSteps(file, { known: KNOWN, kept, isFirst: ({ index }) => first.includes(index) });
    const shown: (readonly FileProblem[])[] = [];
    for (let step = work.next(); ; step = work.next()) {
      if (step.done === true) {
        shown.push(step.value);
        break;
      }
      if (step.value !== undefined) shown.push(step.value());
    }
    return shown.map((problems) => [...new Set(problems.map(({ requestIndex }) => requestIndex))]);
  }

  test("the first requests have their problems before the others are checked", () => {
    const all = Array.from({ length: 50 }, (_, index) => index);
    assert.deepEqual(shownOf(scanRequests(text), new WeakMap(), [20, 21]), [[20, 21], all]);
    assert.deepEqual(shownOf(scanRequests(text), new WeakMap(), []), [all]);
  });

  test("unchanged requests keep their problems until the others are checked", () => {
    const kept: KeptFindings = new WeakMap();
    const before = scanRequests(`[{ "$run": { "name": "a" }, "method": "public/get_time" },
{ "$run": { "name": "a" }, "method": "public/get_time", "params": { "v": "{{a.x}}" } },
{ "method": "public/test" }]`);
    assert.deepEqual(shownOf(before, kept, []), [[1]]);
    // The second request is further down now, with more before it.
    const after = rescanRequests(before, before.text.replace("},\n", `},\n/* new */ ${wrong(0)},\n${wrong(1)},\n`));
    assert.deepEqual(shownOf(after, kept, [1]), [
      [1, 3],
      [1, 2, 3],
    ]);
  });

  test("very many problems end the checks, and not what needs the names behind them", () => {
    const many = `[{ "method": "private/cancel", "params": { "order_id": "{{a.result}}" } },${"{},".repeat(5000)}{ "$run": { "name": "a" }, "method": "public/get_time" }]`;
    const problems = inSteps(scanRequests(many), new WeakMap());
    assert.deepEqual(problems, checkFile(scanRequests(many), KNOWN));
    assert.deepEqual([problems.length, problems[0]?.code], [1000, "methodMissing"]);
  });
});
