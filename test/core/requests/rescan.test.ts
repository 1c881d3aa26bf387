import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { checkFile, type KeptProblems } from "../../../src/requests/checking/check.ts";
import type { Expectation, RequestFile } from "../../../src/requests/file/file.ts";
import { rescanRequests, scanRequests, MAX_FILE_LENGTH } from "../../../src/requests/file/scan.ts";
import { resplitRequests, splitRequests } from "../../../src/requests/file/split.ts";
import { changeOf } from "../../../src/requests/text/textChange.ts";
import { rounds } from "../../rounds.mjs";

const runCount = rounds({ short: 5, full: 50, long: 2000 });
const EDITS = 10;

/** Everything that a scan says, as plain data. */
function said(file: RequestFile, kept?: KeptProblems): unknown {
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
  return { text, all, problems, pin, vars, checked: checkFile(file, undefined, kept) };
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
          const kept: KeptProblems = new WeakMap();
          for (const [each, mask] of edits) {
            readSome(file, mask);
            const before = file;
            file = rescanRequests(before, edited(before.text, each));
            // Parts that were not read yet are read in the newer version first, and then in the older one.
            if (mask % 2 === 0) assert.deepEqual(said(file, kept), said(scanRequests(file.text)));
            assert.deepEqual(said(before, kept), said(scanRequests(before.text)));
            assert.deepEqual(said(file, kept), said(scanRequests(file.text)));
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

  test("checks that request, and none that was checked before", () => {
    const before = scanRequests(text);
    const checked: object[] = [];
    class Counted extends WeakMap {
      override set(content: object, problems: unknown): this {
        checked.push(content);
        return super.set(content, problems);
      }
    }
    const kept: KeptProblems = new Counted();
    checkFile(before, undefined, kept);
    assert.equal(checked.length, COUNT);
    const after = rescanRequests(before, text.slice(0, at) + "x" + text.slice(at));
    checkFile(after, undefined, kept);
    assert.deepEqual(checked.slice(COUNT), [after.contents[5000]]);
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
