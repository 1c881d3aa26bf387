import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readRecording } from "../../../src/recording/read.ts";
import { MAX_LINE, MAX_READ_BYTES } from "../../../src/recording/recording.ts";

const HEAD = '{"tradingRpcRecording":1,"environment":"test","startedAtMs":1700000000000}';
const CALL = '{"ms":5,"call":1,"method":"public/test","params":{}}';

/** Returns what a recording with these lines after its head and a call is refused with. */
function refusal(...lines: readonly string[]): string {
  return wholeRefusal([HEAD, CALL, ...lines].join("\n"));
}

function wholeRefusal(text: string): string {
  const reading = readRecording(text);
  return reading.kind === "wrong" ? reading.message : "read";
}

describe("a recording that someone else wrote", () => {
  test("it is read with every literal as it is written, the last line with or without its end", () => {
    const lines = [
      HEAD,
      CALL,
      '{"ms":9,"response":1,"result":{"a": 1.50}}',
      '{"ms":9,"event":"ticker.X.raw","data":[1e3]}',
    ];
    for (const text of [lines.join("\n"), `${lines.join("\n")}\n`]) {
      assert.deepEqual(readRecording(text), {
        kind: "read",
        recording: {
          startedAtMs: 1_700_000_000_000,
          environment: "test",
          isFinished: true,
          entries: [
            { kind: "call", atMs: 5, id: 1, method: "public/test", paramsText: "{}", isOfProgram: false },
            { kind: "response", atMs: 9, id: 1, member: "result", bodyText: '{"a": 1.50}' },
            { kind: "event", atMs: 9, channel: "ticker.X.raw", dataText: "[1e3]" },
          ],
        },
      });
    }
  });

  test("pieces of any length are the same text; only one that says that it was not finished may have a last line that is cut off", () => {
    const text = [HEAD, CALL, '{"ms":9,"event":"x","data":[1e3]}', '{"ms":9,"event":"x","da'].join("\n");
    assert.equal(wholeRefusal(text), "Line 4: Expected a JSON object.");
    const unfinished = text.replace('"test"', '"test","isFinished":false');
    const whole = readRecording(unfinished);
    assert.ok(whole.kind === "read" && !whole.recording.isFinished);
    assert.equal(whole.recording.entries.length, 2);
    for (const length of [1, 7, 60]) {
      const pieces = Array.from({ length: Math.ceil(unfinished.length / length) }, (_, index) =>
        unfinished.slice(index * length, (index + 1) * length),
      );
      assert.deepEqual(readRecording(pieces), whole);
    }
  });

  test("what is not a recording is refused in its first line", () => {
    assert.equal(wholeRefusal(""), "Line 1: Expected a JSON object.");
    assert.equal(wholeRefusal("hello\nworld"), "Line 1: Expected a JSON object.");
    assert.equal(wholeRefusal("[1]"), "Line 1: Expected a JSON object.");
    assert.equal(
      wholeRefusal(Buffer.from(`\uFEFF${HEAD}`, "utf16le").toString("utf8")),
      "The file is encoded in UTF-16. Save it as UTF-8.",
    );
    assert.match(wholeRefusal('{"a":1}'), /^Line 1: This is not a recording/);
    assert.match(wholeRefusal(HEAD.replace(":1,", ":2,")), /^Line 1: This version of recordings is not supported/);
    assert.match(wholeRefusal(HEAD.replace("test", "/etc/passwd")), /^Line 1: environment must be one of/);
    assert.match(wholeRefusal(HEAD.replace("1700000000000", "-1")), /^Line 1: startedAtMs must be a whole number/);
  });

  test("size, nesting, __proto__, and repeated names are refused with their line", () => {
    assert.equal(wholeRefusal(" ".repeat(MAX_READ_BYTES + 1)), "The recording is larger than 128 MiB.");
    assert.equal(refusal(`{"x":"${"a".repeat(MAX_LINE)}"}`), "Line 3: The line is longer than 8 MiB.");
    const event = (data: string): string => `{"ms":9,"event":"x","data":${data}}`;
    assert.equal(refusal(event("1"), event("[".repeat(64) + "]".repeat(64))), "Line 4: nested deeper than 64");
    assert.equal(refusal(event("[".repeat(1_000_000))), "Line 3: nested deeper than 64");
    for (const name of ['"__proto__"', '"\\u005f_proto__"'])
      assert.equal(refusal(event(`[{${name}:{"isAdmin":true}}]`)), "Line 3: a key is named __proto__");
    for (const data of ['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '[[{"b":{"c":1,"c":1}}]]'])
      assert.equal(refusal(event(data)), "Line 3: Duplicate key in an object.");
    assert.equal(refusal('{"ms":9,"event":"x","event":"y","data":1}'), "Line 3: Duplicate key in an object.");
    assert.equal(({} as Record<string, unknown>)["isAdmin"], undefined);
  });

  test("lines that are no entries are refused: cut off, empty, unknown, out of order, out of range", () => {
    const wrong: readonly (readonly [string, RegExp])[] = [
      ['{"ms":9,"event":"x","data":1', /Expected a JSON object/],
      ["", /Expected a JSON object/],
      ['{"ms":9,"event":"x","data":1,"run":"rm -rf /"}', /Expected a call with method and params/],
      ['{"ms":9,"connect":"wss://evil.example","data":1}', /Expected a call with method and params/],
      ['{"ms":4,"event":"x","data":1}', /ms must be a whole number, not less than in the line before/],
      ['{"ms":1e300,"event":"x","data":1}', /ms must be a whole number/],
      ['{"ms":5.5,"event":"x","data":1}', /ms must be a whole number/],
      ['{"ms":9,"event":"","data":1}', /event must be the name of a channel/],
      ['{"ms":9,"event":["x"],"data":1}', /event must be the name of a channel/],
      [
        '{"ms":9,"call":1,"method":"public/test","params":{}}',
        /call must be a whole number, greater than that of the call before/,
      ],
      ['{"ms":9,"call":2,"method":"../../x","params":{}}', /method is not the name of a method/],
      ['{"ms":9,"call":2,"method":"public/test","params":[]}', /params must be an object/],
      ['{"ms":9,"response":2,"result":1}', /response must be the number of a call above/],
      ['{"ms":9,"response":1,"result":1,"error":{"code":1,"message":"x"}}', /Expected a call with method and params/],
      ['{"ms":9,"response":1,"error":{"code":"1"}}', /error must have a code/],
    ];
    for (const [line, sentence] of wrong) {
      assert.match(refusal(`${line}\n${line}`), sentence, line);
      assert.match(refusal(`${line}\n${line}`), /^Line 3: /, line);
    }
    const response = '{"ms":9,"response":1,"result":1}';
    assert.match(refusal(response, response), /^Line 4: response must be the number of a call above/);
  });
});
