import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../../src/base/plain.ts";
import { allAtOnce } from "../../../../src/base/slices.ts";
import type { ExpectFailure } from "../../../../src/requests/expectations/expect.ts";
import { keepFailures, placeFailures, type KeptFailure } from "../../../../src/requests/expectations/keptFailures.ts";
import { needsChange, requestTests } from "../../../../src/requests/running/requestTests.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import { pluck } from "../../../pluck.ts";

const FILE = `[
  { "method": "public/test" },
  { "method": "public/test", "$run": { "expect": { "ok": true }, "tags": ["smoke"] } },
  { "method": "public/test", "$run": { "\\u0065xpect": { "ok": true } } },
  { "method": "private/buy", "$run": { "name": "order", "skip": true, "expect": { "ok": true } } },
  { "method": "private/get_order_state", "params": { "order_id": "{{order.result.order_id}}" }, "$run": { "name": "state", "until": { "ok": true } } },
  { "method": "public/test", "params": { "expected_result": "{{state.result.x}}" }, "$run": { "after": ["state"] } }
]`;

describe("the tests of a file", () => {
  test("are the requests that expect something, with names that tell them apart", () => {
    const found = allAtOnce(requestTests(scanRequests(FILE)));
    assert.deepEqual(
      found.map(({ index, id, label, method, isRead, isSkipped, tags }) => [
        index,
        id,
        label,
        method,
        isRead,
        isSkipped,
        tags,
      ]),
      [
        [1, "public/test", "public/test", "", true, false, ["smoke"]],
        [2, "public/test#2", "public/test", "", true, false, []],
        [3, "order", "order", "private/buy", false, true, []],
        [4, "state", "state", "private/get_order_state", true, false, []],
      ],
    );
    assert.deepEqual(
      found.map(({ range }) => FILE.slice(range.start, range.start + 12)),
      Array.from({ length: 4 }, () => '{ "method": '),
    );
  });

  test("a file that cannot be read has none", () => {
    for (const text of ["", "5", "[", '{ "method": "public/test", "$run": { "expect": ', '{ "$run": { "expect": 5 } }'])
      assert.deepEqual(allAtOnce(requestTests(scanRequests(text))), []);
  });

  test("requests that cannot expect anything are not read", () => {
    const file = scanRequests(`[${Array.from({ length: 100 }, () => '{ "method": "public/test" }').join()}]`);
    const read: number[] = [];
    const requests = file.requests.map((request) => ({
      index: request.index,
      range: request.range,
      get run() {
        read.push(request.index);
        return request.run;
      },
    }));
    assert.deepEqual(allAtOnce(requestTests({ ...file, requests: requests as unknown as typeof file.requests })), []);
    assert.deepEqual(read, []);
  });

  test("what takes from the response of a change, at whatever remove, needs that change", () => {
    const file = scanRequests(FILE);
    const found = file.requests.map((request) => needsChange(file, request));
    assert.deepEqual(found, [false, false, false, false, true, true]);
  });
});

describe("what was not as expected", () => {
  const failure = (start: number): ExpectFailure => ({
    path: [],
    message: `at ${String(start)}`,
    expected: plain`1`,
    actual: plain`2`,
    range: { start, end: start + 2 },
    severity: "error",
  });
  const text = '[{ "method": "a" }, { "method": "b" }, { "method": "b" }]';
  const file = scanRequests(text);
  const at = (index: number): number => file.requests[index]?.range.start ?? 0;
  const keep = (
    kept: readonly KeptFailure[],
    index: number,
    failures: readonly ExpectFailure[],
  ): readonly KeptFailure[] => keepFailures(kept, file, [{ request: file.requests[index]!, failures }]);
  const placed = (kept: readonly KeptFailure[], now: string): string[] =>
    placeFailures(kept, scanRequests(now)).map(
      ({ kept: { message, index }, range }) =>
        `${message} → ${String(index)}:${String(range.start)}-${String(range.end)}`,
    );
  const kept = keep(keep([], 0, [failure(at(0) + 3)]), 2, [failure(at(2) + 4)]);

  test("moves with its request", () => {
    assert.deepEqual(placed(kept, text), [
      `at ${String(at(0) + 3)} → 0:${String(at(0) + 3)}-${String(at(0) + 5)}`,
      `at ${String(at(2) + 4)} → 2:${String(at(2) + 4)}-${String(at(2) + 6)}`,
    ]);
    assert.deepEqual(
      placed(kept, `  ${text}`).map((line) => line.split(":")[1]),
      [`${String(at(0) + 5)}-${String(at(0) + 7)}`, `${String(at(2) + 6)}-${String(at(2) + 8)}`],
    );
    assert.deepEqual(
      placed(kept, text.replace('[{ "method": "a" }, ', "[")).map((line) => line.split(" → ")[1]?.split(":")[0]),
      ["0"],
    );
  });

  test("is gone once its request is edited, and not before", () => {
    const found = placed(kept, text.replace('"a"', '"c"')).map((line) => line.split(" → ")[1]?.split(":")[0]);
    assert.deepEqual(found, ["2"]);
    assert.deepEqual(placed(kept, ""), []);
  });

  test("is replaced when the request is sent again", () => {
    assert.deepEqual(pluck(keep(kept, 0, []), "index"), [2]);
    const found = keep(kept, 2, [failure(at(2))]).map(({ index, range }) => [index, range.start]);
    assert.deepEqual(found, [
      [0, 3],
      [2, 0],
    ]);
  });
});
